"""Findings with evidence, unknowns and severities."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from advisor.model.claim import Claim

SEVERITIES = ("info", "low", "medium", "high", "critical")
WORST_FIRST = SEVERITIES[::-1]
OFF = "off"
"""What a rule has in place of a severity under a profile in which it does not count."""
CERTAIN, LIKELY, GUESS = "certain", "likely", "guess"
FAIL, PASS, NOT_APPLICABLE, UNKNOWN = "fail", "pass", "not applicable", "unknown"
EntityName = tuple[str, str]
"""(kind, name) of a subject."""


def rank(severity: str) -> int:
    """The rank of a severity: 0 for info up to 4 for critical."""
    return SEVERITIES.index(severity)


def step_severity(severity: str, step: int) -> str:
    """The severity `step` ranks up (or down, if negative), kept within info and critical."""
    return SEVERITIES[min(max(rank(severity) + step, 0), len(SEVERITIES) - 1)]


class Evidence:
    """Evidence: a setting's value, its level, and its file and line (a default has none)."""

    __slots__ = ("entity", "file", "key", "line", "source", "value")

    def __init__(
        self, entity: EntityName, key: str, value: str | None, source: str, file: str | None, line: int | None
    ) -> None:
        self.entity = entity
        self.key = key
        self.value = value
        self.source = source
        self.file = file
        self.line = line


class Former:
    """What was there before a change: the value of the finding's key (None: not set), its file and line, and the commit."""

    __slots__ = ("file", "key", "line", "ref", "value")

    def __init__(self, key: str | None, value: str | None, file: str | None, line: int | None, ref: str | None) -> None:
        self.key = key
        self.value = value
        self.file = file
        self.line = line
        self.ref = ref


class Finding:
    """A rule that failed for a subject. Lines and columns count from 1; `required` is in the unit of the key shown.

    `partitions` are those of a topic that the finding is about, `shared_by` the brokers of a cluster that it is true of; `explain` is what `explain` is called with to hear more;
    `cause` is the rule whose finding of the same subject is the cause of this one; `care` says what the fix breaks on a
    cluster that runs, and the order that is safe; `label` is the key as it stands in its line of the file; `repeated` says
    that an equal subject has the same finding. `edit` is what `lint --fix` does about it, `applicability` safe or unsafe. Of a change, `effect` says what it does, `acts` when, and `before` what was there.
    """

    __slots__ = (
        "_evidence",
        "_source_line",
        "acts",
        "applicability",
        "before",
        "care",
        "cause",
        "changes",
        "claim",
        "column",
        "confidence",
        "derived",
        "edit",
        "effect",
        "entity",
        "explain",
        "file",
        "fix",
        "kafka_key",
        "key",
        "label",
        "line",
        "message",
        "name",
        "partitions",
        "place",
        "prove",
        "reason",
        "refused",
        "refused_if_assumed",
        "repeated",
        "required",
        "rule",
        "severity",
        "shared_by",
        "target",
        "used",
        "value",
        "why",
        "with_",
    )

    def __init__(
        self,
        *,
        rule: str,
        name: str,
        severity: str,
        confidence: str,
        message: str,
        why: str,
        fix: str,
        entity: EntityName,
        with_: tuple[EntityName, ...] = (),
        key: str | None = None,
        kafka_key: str | None = None,
        value: str | None = None,
        required: str | None = None,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        source_line: str | Callable[[], str] | None = None,
        label: str | None = None,
        evidence: tuple[Evidence, ...] | Callable[[], tuple[Evidence, ...]] = (),
        refused: bool = False,
        changes: bool = False,
        used: str | None = None,
        target: str = "",
        place: str = "",
        explain: str = "",
        care: str = "",
        cause: str | None = None,
    ) -> None:
        self.rule = rule
        self.name = name
        self.severity = severity
        self.confidence = confidence
        self.message = message
        self.why = why
        self.fix = fix
        self.care = care
        self.cause = cause
        self.entity = entity
        self.with_ = with_
        self.key = key
        self.kafka_key = kafka_key
        self.value = value
        self.required = required
        self.file = file
        self.line = line
        self.column = column
        self._source_line = source_line
        self.label = label
        self._evidence = evidence
        self.refused = refused
        self.refused_if_assumed = False
        self.derived = ""
        self.changes = changes
        self.used = used
        self.target = target
        self.place = place
        self.explain = explain or rule
        self.partitions: tuple[int, ...] = ()
        self.shared_by: tuple[str, ...] = ()
        self.claim: Claim | None = None
        self.prove: Callable[[Claim], dict[str, object]] | None = None
        self.reason: str | None = None
        self.repeated = False
        self.effect = self.acts = ""
        self.applicability = self.edit = ""
        self.before: Former | None = None

    @property
    def is_change(self) -> bool:
        """Whether it is about a change, not a state."""
        return self.before is not None

    @property
    def is_removal(self) -> bool:
        """Whether it is about a subject that is gone, of which no line is left."""
        return self.before is not None and self.key is None and self.line is None

    @property
    def source_line(self) -> str | None:
        """The line of the file in which the finding stands, quoted on demand."""
        if self._source_line is not None and not isinstance(self._source_line, str):
            self._source_line = self._source_line()
        return self._source_line

    @source_line.setter
    def source_line(self, line: str | None) -> None:
        self._source_line = line

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The evidence for the finding, gathered on demand: most of ten thousand findings are only counted."""
        if not isinstance(self._evidence, tuple):
            self._evidence = self._evidence()
        return self._evidence

    @evidence.setter
    def evidence(self, rows: tuple[Evidence, ...]) -> None:
        self._evidence = rows

    @property
    def proof(self) -> dict[str, object] | None:
        """What the simulator shows for the claim, on demand: the text of a piped lint has no proofs."""
        return self.prove(self.claim) if self.prove and self.claim else None

    @property
    def fingerprint(self) -> str:
        """SHA-256 over rule, file or cluster, entity kind, entity name and key: never a line, never a value."""
        return fingerprint((self.rule, self.place, *self.entity, self.key or ""))


def fingerprint(parts: tuple[str, ...]) -> str:
    """SHA-256 over what identifies a finding, in hexadecimal."""
    from hashlib import sha256  # 9 ms, and only machine formats and baselines ask

    return sha256(_bytes_of("\0".join(parts))).hexdigest()


def _bytes_of(text: str) -> bytes:
    """The bytes of a text that may hold those of a file's name, or half a character that JSON allows."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


class NotJudged:
    """A rule and subject whose verdict is unknown, because something could not be read."""

    __slots__ = ("entity", "key", "name", "reason", "rule")

    def __init__(self, rule: str, name: str, entity: EntityName, reason: str, key: str | None = None) -> None:
        self.rule = rule
        self.name = name
        self.entity = entity
        self.reason = reason
        self.key = key

    @property
    def message(self) -> str:
        """What is said of it: the reason."""
        return self.reason

    @message.setter
    def message(self, text: str) -> None:
        self.reason = text
