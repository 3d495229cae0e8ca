"""The @rule decorator: a rule is a function, its inputs are its parameters, its docstring documents it."""

from __future__ import annotations

from advisor.model import (
    CLIENT_KINDS,
    IN_BLOCK,
    LITERAL,
    OF_ACCESS,
    OF_BROKERS,
    OF_CLUSTER,
    OF_CONNECTOR,
    OF_NODE,
    OF_PROTECTION,
    OF_SCHEMA,
    OF_TOPIC,
    OF_USER,
    PEM_TEXT,
    PLACEHOLDER,
    SERVER_KINDS,
)
from advisor.model.finding import CERTAIN, OFF, SEVERITIES
from advisor.rule.subject import At, NotApplicable, Subject, Unknown, fact

__all__ = [
    "AT_ONCE",
    "CHANGED",
    "CLIENT_KINDS",
    "CLIENT_START",
    "IN_BLOCK",
    "LAST_NODE",
    "LITERAL",
    "LOST",
    "NEVER",
    "NEW_ONLY",
    "OF_ACCESS",
    "OF_BROKERS",
    "OF_CLUSTER",
    "OF_CONNECTOR",
    "OF_NODE",
    "OF_PROTECTION",
    "OF_SCHEMA",
    "OF_TOPIC",
    "OF_USER",
    "PEM_TEXT",
    "PLACEHOLDER",
    "RESTART",
    "SERVER_KINDS",
    "STOPPED",
    "WEAKER",
    "At",
    "Problem",
    "Problems",
    "Rule",
    "Subject",
    "Unknown",
    "applies",
    "fact",
    "rule",
    "rules_of",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import CodeType, ModuleType
    from typing import TypeAlias

    from advisor.model import Version
    from advisor.model.claim import Claim

    Problems: TypeAlias = Iterator["Problem"]
    Each: TypeAlias = tuple[str, ...] | Callable[[Subject], tuple[object, ...]] | None
    Place: TypeAlias = str | At | list[str] | list[At] | list[str | At]
    Function: TypeAlias = Callable[..., Problems]
else:
    Problems = None

INPUTS = (
    "config",
    "node",
    "broker",
    "controller",
    "topic",
    "partition",
    "producer",
    "consumer",
    "client",
    "application",
    "cluster",
    "running_cluster",
    "declared_cluster",
    "quorum",
    "zookeeper",
    "connect",
    "streams",
    "mirror",
    "group",
    "ensemble",
    "deployment",
    "before",
    "removed",
    "added",
    "connector",
)
"""What a rule may take: `node` is a broker or a controller, `client` any client, `config` anything with settings,
`application` what connects to the cluster: clients, Connect workers, Streams, MirrorMaker with the cluster's alias.

`declared_cluster` are the files of a cluster's nodes; where none is whole, the pieces that set `min.insync.replicas`.
Only running clusters have `running_cluster`, `partition` (with its topic's settings), `group` (of consumers) and
`ensemble` (ZooKeeper).
`deployment` is what a container, an operator or a service runs Kafka with, under the keys of
advisor.catalog.undocumented.DEPLOYMENT. `before` stands behind another input and is the same subject before a change, for its
own release; `removed` and `added` are subjects that only one side of the change has; `connector` are the connectors of the one
Connect worker that is there.
"""
CHANGE_INPUTS = frozenset(("before", "removed", "added", "connector"))
"""The inputs that are there only where two sides are compared."""
SAFE, UNSAFE = "safe", "unsafe"
"""Whether what is in force stays the same with a fix."""
FIX_TEXTS = {
    "drop": "removes the setting, which is not read here",
    "remove": "removes the setting",
    "remove earlier": "removes the earlier lines of the key",
    "set": "sets the value that the finding requires",
    "rename": "renames the key where the new one takes the same value",
    "move comment": "moves the comment to a line above",
}
"""What edits do, for people."""
LOST, STOPPED, WEAKER, CHANGED = "lost", "stopped", "weaker", "changed"
"""What a change does to a system that runs: records or positions are gone, something stops, a guarantee is gone, or nothing of these."""
AT_ONCE, RESTART, LAST_NODE, NEW_ONLY, NEVER, CLIENT_START = (
    "at once",
    "at the next restart of the node",
    "when the last node has it",
    "only for what is created from then on",
    "never: a running cluster ignores it",
    "when the application starts again",
)
"""When a change acts."""

FAMILIES = (
    "durability",
    "availability",
    "topology",
    "internal-topics",
    "quorum",
    "security",
    "storage",
    "sizes",
    "timeouts",
    "producer",
    "consumer",
    "ecosystem",
    "network",
    "versions",
    "capacity",
    "naming",
    "deployment",
    "changes",
    "throughput",
)
CHANGES, MORE_CHANGES = 18, 21
"""The numbers of the family that outgrew a hundred rules."""
STARTS = 19
"""The number that no family has: KA19xx are what `starts` refuses beside the rules."""
KNOWN_INPUTS = frozenset(INPUTS)
KNOWN_SEVERITIES = frozenset((*SEVERITIES, OFF))
PROFILES = ("dev", "staging", "production", "regulated")
SECTIONS = ("Why", "Fix", "Care", "Bad", "Good", "See", "Proof")


def family_of(id: str) -> str:
    """The family of a rule: the id without its last two digits counts the families from 1, without 19; 21 goes on with 18."""
    digits = id.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    number = int(digits[:-2] or 0) if digits.isdigit() else 0
    number = CHANGES if number == MORE_CHANGES else number
    number = 0 if number == STARTS else number - (number > STARTS)
    return FAMILIES[number - 1] if 0 < number <= len(FAMILIES) and id.startswith("KA") else "user"


class Problem:
    """What a rule found. `at` is a key, `input.at(key)` or a list of them, the first is where the finding stands.

    `step` raises (or lowers) the severity for this value; `refused` means that Kafka will not start with it, which is
    critical, unless `likely`: what is missing is commonly set elsewhere, in a client's code. `claim` is what the
    simulator has to show for the finding. `changes` means that Kafka starts with something else than what is written:
    with the value `used`, or as if the key were not there. `cause` is the rule that names the cause of this problem in the
    same subject: reports put the one under the other. `effect` and `acts` are those of a change where they are not the rule's. `part` names the piece of the value that the problem is about, a
    listener for one, which some files write at a place of its own. `fix` is the edit of this problem, where it is not the
    rule's: one of the words of `rule`, empty for none.
    """

    __slots__ = (
        "acts",
        "at",
        "cause",
        "changes",
        "claim",
        "effect",
        "fix",
        "likely",
        "message",
        "part",
        "refused",
        "required",
        "step",
        "used",
    )

    def __init__(
        self,
        at: Place,
        message: str,
        required: str | None = None,
        *,
        step: int = 0,
        refused: bool = False,
        likely: bool = False,
        changes: bool = False,
        used: str | None = None,
        claim: Claim | None = None,
        cause: str | None = None,
        part: str | None = None,
        effect: str = "",
        acts: str = "",
        fix: str | None = None,
    ) -> None:
        self.at = at
        self.fix = fix
        self.effect = effect
        self.acts = acts
        self.part = part
        self.cause = cause
        self.changes = changes
        self.claim = claim
        self.message = message
        self.required = required
        self.step = step
        self.used = used
        self.refused = refused
        self.likely = likely


def applies(condition: object, why_not: str) -> None:
    """Say that the rule does not apply, and why, unless `condition` holds."""
    if not condition:
        raise NotApplicable(why_not)


class Rule:
    """A rule's function and what its decorator says of it; the documentation is parsed when asked for."""

    __slots__ = (
        "_documentation",
        "acts",
        "aim",
        "before",
        "changes",
        "confidence",
        "counts",
        "each",
        "effect",
        "family",
        "fix",
        "function",
        "id",
        "inputs",
        "is_of_change",
        "item",
        "name",
        "refuses",
        "replaces",
        "severities",
        "since",
    )

    def __init__(
        self,
        id: str,
        function: Function,
        severities: tuple[str, ...],
        confidence: str,
        each: Each,
        since: Version | None,
        before: Version | None,
        refuses: bool = False,
        changes: bool = False,
        replaces: tuple[str, ...] = (),
        counts: bool = False,
        aim: str | None = None,
        effect: str = "",
        acts: str = "",
        fix: str = "",
    ) -> None:
        code: CodeType = function.__code__
        parameters = code.co_varnames[: code.co_argcount]
        self.id = id
        self.name = code.co_name.replace("_", "-")
        self.function = function
        self.severities = severities
        self.confidence = confidence
        self.each = each
        self.since = since
        self.before = before
        self.refuses = refuses
        self.changes = changes
        self.replaces = replaces
        self.counts = counts
        self.aim = aim
        self.effect = effect
        self.acts = acts
        self.fix = fix
        self._documentation: Documentation | None = None
        self.inputs = parameters[:-1] if each is not None else parameters
        self.item = parameters[-1] if each is not None else None
        if not KNOWN_INPUTS.issuperset(self.inputs):
            unknown = [name for name in self.inputs if name not in INPUTS]
            raise TypeError(f"rule {id}: no such input: {', '.join(unknown)}")
        self.family = family_of(id)
        self.is_of_change = not CHANGE_INPUTS.isdisjoint(self.inputs)
        """Whether it judges a change, not a state."""

    @property
    def explain(self) -> str:
        """What `kafka-advisor explain` is called with: a user's own rule is found in its file."""
        if self.family != "user":
            return self.id
        import os
        import shlex

        return f"{self.id} --rules {shlex.quote(os.path.relpath(self.function.__code__.co_filename))}"

    def fix_of(self, problem: Problem) -> tuple[str, str]:
        """(safe or unsafe, edit) of what `lint --fix` does about a problem; both empty for nothing."""
        applicability, _, edit = self.fix.partition(": ")
        if problem.fix is not None:
            own, separated, own_edit = problem.fix.partition(": ")
            applicability, edit = (
                (own, own_edit) if separated and own in (SAFE, UNSAFE) else (applicability, problem.fix)
            )
            return (applicability, edit) if edit else ("", "")
        edit = edit or (self.aim or "")
        return ("", "") if edit in ("", "set", "rename") else (applicability, edit)

    @property
    def fix_text(self) -> str:
        """What `lint --fix` does about the rule's findings, for people; empty for nothing."""
        applicability, _, edit = self.fix.partition(": ")
        edit = edit or self.aim or ""
        says = FIX_TEXTS.get(edit) or (edit if " " in edit else f"{edit} the key, as the finding says")
        option = "--fix" if applicability == SAFE else "--fix --unsafe-fixes"
        return f"{applicability} (`lint {option}`): {says}" if self.fix else ""

    def severity(self, profile: str) -> str:
        """The severity under a profile."""
        return self.severities[PROFILES.index(profile)]

    def documentation(self) -> Documentation:
        """The docstring, read into its sections."""
        if self._documentation is None:
            self._documentation = Documentation(self.function.__doc__ or "")
        return self._documentation


class Documentation:
    """A rule's docstring, parsed into its title and sections."""

    __slots__ = ("sections", "title")

    def __init__(self, docstring: str) -> None:
        lines = docstring.strip("\n").splitlines()
        self.title = lines[0].strip() if lines else ""
        self.sections: dict[str, str] = {}
        name, body, indent = "", [""], _base(lines[1:])
        for line in lines[1:]:
            head, colon, text = line.strip().partition(":")
            if colon and head.split(" ", 1)[0] in SECTIONS and _indent(line) == indent:
                self._close(name, body)
                name, body = head, [text.strip()]
            else:
                body.append(line)
        self._close(name, body)

    def _close(self, name: str, body: list[str]) -> None:
        if not name:
            return
        filled = [line for line in body if line.strip()]
        if name.startswith(("Bad", "Good")):
            cut = min((_indent(line) for line in filled), default=0)
            self.sections[name] = "\n".join(line[cut:].rstrip() for line in filled)
        else:
            self.sections[name] = " ".join(line.strip() for line in filled)

    def text(self, section: str) -> str:
        """A section's text, empty where the rule has none."""
        return self.sections.get(section, "")

    def examples(self, section: str) -> list[tuple[str, str]]:
        """(options, file text) of every block of `Bad` or `Good`; options are what stands in the brackets behind it."""
        blocks = []
        for name, text in self.sections.items():
            head, _, options = name.partition(" ")
            if head == section:
                blocks.append((options.strip("()"), text))
        return blocks


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _base(lines: list[str]) -> int:
    return min((_indent(line) for line in lines if line.strip()), default=0)


def rule(
    id: str,
    severity: str,
    *,
    dev: str | None = None,
    staging: str | None = None,
    regulated: str | None = None,
    confidence: str = CERTAIN,
    each: Each = None,
    since: Version | None = None,
    before: Version | None = None,
    refuses: bool = False,
    changes: bool = False,
    replaces: tuple[str, ...] = (),
    counts: bool = False,
    aim: str | None = None,
    effect: str = "",
    acts: str = "",
    fix: str = "",
) -> Callable[[Function], Function]:
    """Make a function a rule. `severity` is the one of production; the other profiles differ only where they say so.

    `since` is the first Kafka version the rule holds for, `before` the first it no longer holds for. `refuses` and `changes`
    say that some Problem of the rule is `refused` or `changes`: only such rules are asked whether Kafka starts. The
    severity `off` leaves the rule out under a profile; a finding takes the place of those of the rules that it `replaces`.
    `counts` says that a rule on topics asks what follows from all partitions of their cluster, or from those of a broker.
    `aim` is what `advise` is to reach: `set key=value`, `remove key` (or `remove`: that of the finding), `replicas=3`,
    `racks`, `in sync`, `voters=3`, or `by hand: why`. Of a change, `effect` says what it does and `acts` when.
    `fix` is `safe` or `unsafe` where `lint --fix` may do in a file what `aim` says, or `safe: EDIT`: `drop` a setting that is not
    read here, `remove`, `remove KEY`, `remove earlier` lines of a key, `set KEY=VALUE`, `rename KEY`, or `move comment`; a
    `set` or `rename` alone is completed by the problem.
    """
    severities = (dev or severity, staging or severity, severity, regulated or severity)
    if not KNOWN_SEVERITIES.issuperset(severities):
        raise ValueError(f"rule {id}: severities are {', '.join(SEVERITIES)}")

    def declare(function: Function) -> Function:
        declared: list[Rule] = function.__globals__.setdefault("RULES", [])
        declared.append(
            Rule(
                id,
                function,
                severities,
                confidence,
                each,
                since,
                before,
                refuses,
                changes,
                replaces,
                counts,
                aim,
                effect,
                acts,
                fix,
            )
        )
        return function

    return declare


def rules_of(module: ModuleType) -> list[Rule]:
    """The rules that a module declares, in the order of the file."""
    return list(getattr(module, "RULES", ()))
