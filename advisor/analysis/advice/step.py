"""A step of a plan, as data: what it changes, how, what it costs, and what the cluster stands meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from advisor.analysis.advice.changes import Change, Reassignment
from advisor.edits.change import FileChange
from advisor.edits.diff import diff_of, file_diff
from advisor.edits.text import FileText, Splice
from advisor.model.finding import EntityName, Finding


@dataclass(frozen=True)
class Cost:
    """Bytes to move (None: unknown), minutes at the throttle, nodes to restart and clients to deploy anew."""

    bytes: int | None = 0
    minutes: float | None = 0.0
    restarts: int = 0
    clients: int = 0


@dataclass(eq=False)
class PlanStep:
    """A step. `removes` and `adds` are findings that go and that appear by it, filled in when the plan is judged.

    `by_hand` are sentences for what no command can do, `in_order` says that each is done before the next; `restarts` names the nodes that are restarted one by one, in order;
    `needs` and `excludes` are ids of other steps; `text` is that of the file whose lines change, as it was read, `splices` are what changes in it; `risks` are the parts of its risk, each with its keys.
    """

    id: str
    title: str
    why: str
    changes: tuple[Change, ...] = ()
    by_hand: tuple[str, ...] = ()
    in_order: bool = False
    restarts: tuple[str, ...] = ()
    cost: Cost = Cost()
    risk: str = ""
    risks: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    removes: list[Finding] = field(default_factory=list)
    adds: list[Finding] = field(default_factory=list)
    before: dict[str, int] = field(default_factory=dict)
    after: dict[str, int] = field(default_factory=dict)
    text: FileText | None = None
    splices: Sequence[Splice] = ()

    @property
    def file_changes(self) -> list[FileChange]:
        """The lines of a file that it changes."""
        return [change for change in self.changes if isinstance(change, FileChange)]

    def file_diff(self, with_context: bool = True) -> Iterator[str]:
        """The diff of the file whose lines change, if any."""
        if self.text is not None:
            return diff_of(self.text, self.splices, with_context)
        changes = self.file_changes
        return file_diff(changes, with_context) if changes else iter(())

    @property
    def rules(self) -> dict[str, int]:
        """The rules whose findings go, and how many of each."""
        counts: dict[str, int] = {}
        for finding in self.removes:
            counts[finding.rule] = counts.get(finding.rule, 0) + 1
        return dict(sorted(counts.items()))


def cost_of_moves(moves: tuple[Reassignment, ...], throttle: int) -> Cost:
    """Bytes to copy, and minutes at the throttle, in bytes per second, of each broker that receives."""
    if any(move.size is None for move in moves):
        return Cost(None, None)
    by_broker: dict[int, int] = {}
    for move in moves:
        for broker in move.added:
            by_broker[broker] = by_broker.get(broker, 0) + (move.size or 0)
    return Cost(sum(by_broker.values()), max(by_broker.values(), default=0) / throttle / 60)


def identity(finding: Finding) -> tuple[str, EntityName, str | None]:
    """What makes a finding the same before and after a step: rule, subject and key."""
    return finding.rule, finding.entity, finding.key
