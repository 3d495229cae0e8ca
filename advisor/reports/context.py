"""The input of report writers: the report, the rules that ran, and how much detail to write."""

from __future__ import annotations

from advisor.engine import inputs_of
from advisor.engine.report import Report
from advisor.engine.verdicts import CRASH
from advisor.errors import printable as clean
from advisor.model.finding import EntityName, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from advisor.model import Snapshot
    from advisor.model.finding import NotJudged
    from advisor.rule import Rule

SHORT = 200
"""Characters of a name in a message: some names are as long as a book."""
STORIES = 50
"""Different stories that a report tells; further findings name their proof alone."""


class RunResult:
    """A run's result for a report writer. `rules` are the selected ones, by id; `least` is the lowest severity shown.

    `command` is the one that has other findings than `lint` and `check`: these have no score, and replace none of theirs.
    """

    __slots__ = (
        "_clusters",
        "_rules",
        "_rules_by_id",
        "_stories",
        "_subjects",
        "all",
        "by_rule",
        "command",
        "least",
        "quiet",
        "report",
        "verbose",
    )

    def __init__(
        self,
        report: Report,
        rules: Iterable[Rule] = (),
        verbose: bool = False,
        all: bool = False,
        quiet: bool = False,
        least: str = "info",
        by_rule: bool = False,
        command: str = "",
    ) -> None:
        self.report = report
        self.by_rule = by_rule
        self.command = command
        self._rules = rules
        self._rules_by_id: dict[str, Rule] | None = None
        self.verbose = verbose
        self.all = all
        self.quiet = quiet
        self.least = least
        self._stories: set[str] = set()
        self._clusters = {
            entity.file: snapshot.name for snapshot in report.snapshots for entity in snapshot.entities if entity.file
        }
        self._subjects: dict[EntityName, str] = {}
        for snapshot in report.snapshots:
            for entity in snapshot.entities:
                self._subjects.setdefault((entity.kind, entity.name), snapshot.name)

    @property
    def rules(self) -> dict[str, Rule]:
        """The rules by id; to ask for them loads their modules."""
        if self._rules_by_id is None:
            self._rules_by_id = {rule.id: rule for rule in self._rules}
        return self._rules_by_id

    @property
    def clusters(self) -> list[str]:
        """The names of the clusters; files that belong to none are clusters of one, named by the file."""
        return list(dict.fromkeys(snapshot.name for snapshot in self.report.snapshots))

    def cluster(self, finding: Finding) -> str:
        """The cluster that a finding belongs to."""
        return self._clusters.get(finding.file, finding.place) if finding.file else finding.place

    def cluster_of(self, entity: EntityName) -> str:
        """The cluster that holds a subject."""
        return self._subjects.get(entity, self.clusters[0] if self.report.snapshots else "")

    def family(self, id: str) -> str:
        """A rule's family, `tool` for findings of the tool itself."""
        return self.rules[id].family if id in self.rules else "tool"

    def story(self, finding: Finding) -> list[str]:
        """The steps of a finding's simulated proof; none beyond a limit of different stories."""
        claim = finding.claim
        if claim is None or (claim.key not in self._stories and len(self._stories) >= STORIES):
            return []
        from advisor.simulator.claims import story_of

        self._stories.add(claim.key)
        return story_of(claim)

    def outside(self) -> int:
        """The findings in files outside the working directory, which stands for the repository."""
        import os

        base = os.getcwd().rstrip(os.sep) + os.sep
        files = [row.file for row in self.report.findings if row.file and not row.file.startswith("<")]
        return sum(not os.path.abspath(file).startswith(base) for file in files)

    def live(self) -> list[Finding]:
        """The findings on running clusters, which belong to no file."""
        return [finding for finding in self.report.findings if finding.file is None]


def result_of(
    command: str,
    snapshots: Sequence[Snapshot],
    findings: Iterable[Finding],
    unknown: Iterable[NotJudged] = (),
    rules: Iterable[Rule] = (),
    profile: str = "production",
) -> RunResult:
    """The findings of a command that is not `lint` or `check`, as formats for programs take them."""
    report = Report(snapshots, profile)
    report.findings, report.unknown = list(findings), list(unknown)
    report.crashed = any(row.rule == CRASH for row in report.unknown)
    return RunResult(report, rules, command=command)


def applicable(rules: Iterable[Rule], snapshots: Iterable[Snapshot]) -> list[Rule]:
    """The rules that take some of what was read."""
    inputs = {name for snapshot in snapshots for name in inputs_of(snapshot)}
    return [rule for rule in rules if inputs.issuperset(rule.inputs)]


def short(text: str, most: int = SHORT) -> str:
    """Clean text, cut to a maximum length."""
    shown = clean(text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def subject(entity: EntityName) -> str:
    """A subject's kind and name as text."""
    return f"{entity[0]} {short(entity[1])}"


def address(finding: Finding) -> str:
    """The address of a finding without a file: cluster, kind, name and key."""
    names = (finding.place, *finding.entity, finding.key or "")
    return "/".join(short(name).replace("/", "∕") for name in names if name)


def fix_and_care(finding: Finding, fix: str | None = None) -> str:
    """The fix in one line (or as its file spells it), with what it takes care of on a cluster that runs."""
    return f"Fix: {fix or finding.fix}" + (f" Care: {finding.care}" if finding.care else "")


def lines_of(finding: Finding) -> list[tuple[str, str]]:
    """(label, text) rows of a finding beyond its message."""
    return [(label, clean(text)) for label, text in _parts(finding) if text]


def _parts(finding: Finding) -> Sequence[tuple[str, str]]:
    value = "" if finding.key is None or finding.value is None else f"{short(finding.key)} = {short(finding.value)}"
    return (
        ("on", "" if finding.file else subject(finding.entity)),
        ("value", value),
        ("required", finding.required or ""),
        ("why", finding.why),
        ("proof", str(finding.proof["summary"]) if finding.proof else ""),
        ("fix", finding.fix),
        ("care", finding.care),
        ("how sure", finding.confidence),
    )
