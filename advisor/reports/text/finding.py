"""One finding, or several of one rule, as lines of text: title, excerpt, fix; with `verbose` everything that is known."""

from __future__ import annotations

from advisor.errors import printable as clean
from advisor.model import CLIENT_KINDS
from advisor.model.finding import CERTAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from advisor.model.finding import Evidence, Finding

    Style = Callable[[str, str], str]

PAGE = (100, 24)
"""Columns and lines of what is written for no terminal."""
UNLIMITED = 10**9
BRIEF = ("low", "info")
"""Severities of which one line is shown."""
VALUE = 60
"""Characters of a value in a title."""
RELEASE = "kafka-version"
LEVELS = {
    "DEFAULT": "default",
    "STATIC_BROKER": "the broker's file",
    "DYNAMIC_BROKER": "set on the running broker",
    "DYNAMIC_DEFAULT_BROKER": "set for the whole cluster",
    "DYNAMIC_TOPIC": "set on the topic",
    "TOPIC_OR_BROKER": "set on the topic or its brokers",
    "CLIENT_FILE": "the client's file",
    "METADATA": "the cluster says",
}
"""Where a value comes from that no line of a file says."""
NO_CLIENT = "the client cannot be created"
"""What a refused setting of a client does: no program of Kafka's starts with it."""
SETTINGS_SHOWN = 6
"""Settings that a finding rests on which are named."""


def plain(text: str, _: str) -> str:
    """Text without colour."""
    return text


class Layout:
    """How text is laid out: colour, columns, and how much of each finding.

    `wrap_titles` is for terminals: what programs read has a title in one line. `by_rule` groups by rule in place of files.
    """

    __slots__ = ("all", "by_rule", "height", "style", "verbose", "width", "wrap_titles")

    def __init__(
        self,
        style: Style = plain,
        size: tuple[int, int] = PAGE,
        wrap_titles: bool = False,
        verbose: bool = False,
        all: bool = False,
        by_rule: bool = False,
    ) -> None:
        self.by_rule = by_rule
        self.style = style
        self.width, self.height = size
        self.wrap_titles = wrap_titles
        self.verbose = verbose
        self.all = all

    @property
    def wrap_width(self) -> int:
        """The columns in which a title is wrapped."""
        return self.width if self.wrap_titles else UNLIMITED


def headline(finding: Finding) -> str:
    """What is set, and its effect."""
    subject = subject_of(finding)
    return f"{subject}: {finding.message}" if subject else finding.message


def effect_of(finding: Finding) -> str:
    """The headline; of what is gone without its name."""
    return finding.message if finding.is_removal else headline(finding)


def subject_of(finding: Finding) -> str:
    """The setting as key=value, or what is gone; empty where the message says it, or where there is none."""
    if finding.is_removal:
        return finding.entity[1]
    key = finding.key
    if (
        key is None
        or " " in key
        or finding.entity[0] == "file"
        or finding.message.startswith(key)
        or key == RELEASE
        or _is_metadata(finding)
    ):
        return ""
    if finding.value is None:
        return f"{key} not set{_was(finding)}"
    if finding.derived and finding.kafka_key is None:
        return key
    text = f"{finding.kafka_key if finding.derived else key}={_short(finding.value)}"
    text += f" (from {finding.derived})" if finding.derived else ""
    return "" if text in finding.message else f"{text}{_was(finding)}"


def _short(value: str) -> str:
    value = " ".join(value.split())
    return value if len(value) <= VALUE else value[: VALUE - 1] + "…"


def _was(finding: Finding) -> str:
    """What a changed setting was before."""
    former = finding.before
    if former is None or former.value is None or former.value == finding.value:
        return ""
    return f" (was {_short(former.value) or 'empty'})"


def former_line(finding: Finding) -> str:
    """What stood before a change, and where."""
    former = finding.before
    if former is None:
        return ""
    if former.key is None and former.file is None:
        return "not there" + (f" ({former.ref})" if former.ref else "")
    where = f"{former.file or ''}{f':{former.line}' if former.line else ''}"
    ref = f" ({former.ref})" if former.ref else ""
    setting = "not set" if former.value is None else f"{former.key}={_short(former.value)}" if former.key else ""
    return ": ".join(word for word in (f"{where}{ref}", setting) if word)


def _is_metadata(finding: Finding) -> bool:
    """Whether the key is one of what a running cluster says that is not a setting."""
    return finding.file is None and any(row.key == finding.key and row.source == "METADATA" for row in finding.evidence)


def place(finding: Finding) -> str:
    """file:line:column as far as they are known."""
    file = finding.file or f"{finding.entity[0]} {finding.entity[1]}"
    if finding.line is None:
        return file
    return f"{file}:{finding.line}:{finding.column or 1}"


def place_and_name(finding: Finding) -> str:
    """The place, with the subject's name where the file has several and no line tells which."""
    return f"{finding.file} ({' '.join(finding.entity)})" if needs_name(finding) else place(finding)


def needs_name(finding: Finding) -> bool:
    """Whether the place does not tell the subject: a file may have several, and no line says which."""
    if finding.file is None or finding.line is not None or finding.file.endswith(".properties"):
        return False
    kind, name = finding.entity
    return name not in finding.file and kind != "file"


def excerpt_lines(finding: Finding, layout: Layout) -> Iterator[str]:
    """The line of the file, and a caret under its key."""
    if finding.source_line is None:
        return
    column = (finding.column or 1) - 1
    before, source = clean(finding.source_line[:column]), clean(finding.source_line)
    if source.startswith("…"):
        before, source = "… ", f"… {source[1:].lstrip()}"
    room = max(20, layout.width - 8)
    yield f"  {finding.line:>5} | {source if len(source) <= room else source[: room - 1] + '…'}"
    if len(before) < room:
        yield f"        | {' ' * len(before)}{layout.style('^', 'caret')}"


def body_lines(finding: Finding, fix: str, layout: Layout, indent: int) -> Iterator[str]:
    """What to do: its first sentences, or with `verbose` everything; `fix` is the rule's, spelled as the file is."""
    if layout.verbose:
        yield from _everything(finding, fix, layout)
        return
    if finding.refused and NO_CLIENT not in finding.message:
        yield f"{' ' * indent}{refusal(finding)}"
    if finding.before is not None:
        yield from field_lines("was", former_line(finding), layout, indent)
        yield from field_lines("acts", finding.acts, layout, indent)
        yield from field_lines("safe", fix, layout, indent)
        return
    yield from field_lines("fix", first_sentence(fix), layout, indent)
    yield from field_lines("care", first_sentence(finding.care), layout, indent)


def refusal(finding: Finding) -> str:
    """What Kafka does with the subject."""
    kind = finding.entity[0]
    if kind in CLIENT_KINDS:
        return f"{NO_CLIENT} ({finding.target})"
    return f"{finding.target} refuses the topic" if kind == "topic" else f"{finding.target} does not start with this"


def _everything(finding: Finding, fix: str, layout: Layout) -> Iterator[str]:
    if finding.refused:
        yield f"  Kafka:    {refusal(finding)}"
    yield from field_lines("why", finding.why, layout)
    yield from field_lines("value", _value(finding), layout)
    yield from field_lines("proof", str(finding.proof["summary"]) if finding.proof else "", layout)
    yield from field_lines("fix", fix, layout)
    yield from field_lines("care", finding.care, layout)
    yield from field_lines("rests on", rests_on(finding), layout)
    yield from field_lines("how sure", "" if finding.confidence == CERTAIN else finding.confidence, layout)
    yield from field_lines("more", f"kafka-advisor explain {finding.explain}", layout)


def _value(finding: Finding) -> str:
    """The value beside the one that is required, as far as the excerpt does not show it."""
    if finding.key is None or finding.required is None:
        return ""
    if finding.source_line is not None:
        return f"required: {finding.required}"
    now = finding.value if finding.value is not None else _default(finding)
    return f"{finding.key} = {now}   required: {finding.required}"


def _default(finding: Finding) -> str:
    for row in finding.evidence:
        if row.key == finding.key == RELEASE:
            return str(row.value)
        if row.key == finding.key and row.source == "DEFAULT" and row.value is not None:
            return f"{row.value or 'empty'} (not set: the default of {finding.target})"
    return "(not set)"


def rests_on(finding: Finding) -> str:
    """The settings that a finding rests on beside those of the excerpt and of the line above."""
    own = (finding.kafka_key or finding.key, finding.key)
    rows = [
        row for row in finding.evidence if row.key not in own or (row.file, row.line) != (finding.file, finding.line)
    ]
    rows = [row for row in rows if not (row.key in own and finding.line is None and finding.required is not None)]
    more = f" and {len(rows) - SETTINGS_SHOWN} more" if len(rows) > SETTINGS_SHOWN else ""
    return ", ".join(map(_evidence, rows[:SETTINGS_SHOWN])) + more


def _evidence(row: Evidence) -> str:
    setting = f"{row.key} not set" if row.value is None else f"{row.key}={row.value}"
    return f"{setting} ({row.file}:{row.line})" if row.line else f"{setting} ({LEVELS.get(row.source, row.source)})"


def first_sentence(text: str) -> str:
    """The text up to its first full stop that a capital letter follows."""
    at = text.find(". ")
    while at >= 0 and not (text[at + 2 : at + 3].isupper() and text.count("(", 0, at) == text.count(")", 0, at)):
        at = text.find(". ", at + 1)
    return text if at < 0 else text[: at + 1]


def field_lines(label: str, text: str, layout: Layout, indent: int = 2) -> list[str]:
    """A labelled paragraph, none where there is nothing to say."""
    if not text:
        return []
    head = f"{' ' * indent}{label + ':':<{9 if layout.verbose else 5}} "
    key = (head, text, layout.width)
    if key not in _known:
        if len(_known) >= REMEMBERED:
            _known.clear()
        first, *others = wrapped(clean(text).split(" "), layout.width, len(head), len(head))
        _known[key] = [head + first, *others]
    return _known[key]


REMEMBERED = 2000
"""Wrapped paragraphs that are kept."""
_known: dict[tuple[str, str, int], list[str]] = {}
"""Wrapped paragraphs: a thousand files say the same for the same few rules."""


def fitting(line: str, layout: Layout) -> list[str]:
    """A line as it is, on a terminal in as many as it takes."""
    if len(line) <= layout.width or not layout.wrap_titles:
        return [line]
    indent = len(line) - len(line.lstrip(" "))
    first, *others = wrapped(line.lstrip(" ").split(" "), layout.width, indent, indent + 2)
    return [" " * indent + first, *others]


def _pieces(word: str, room: int) -> list[str]:
    """A word that is longer than a line, such as a list of listeners, in pieces that end with a comma."""
    if len(word) <= room or "," not in word:
        return [word]
    *starts, last = word.split(",")
    pieces = [""]
    for part in (*(f"{start}," for start in starts), last):
        if pieces[-1] and len(pieces[-1]) + len(part) > room:
            pieces.append("")
        pieces[-1] += part
    return pieces


def wrapped(words: Sequence[str], width: int, first: int, indent: int) -> list[str]:
    """Words in lines: `first` columns of the first line are taken, the others are indented.

    No line begins with two colons, which CI systems take for a command. What is longer than a line breaks behind commas.
    """
    lines: list[list[str]] = [[]]
    taken, used, has_text = first, 0, False
    for word in (piece for long in words for piece in _pieces(long, width - indent - 1)):
        if (has_text or taken > indent) and taken + used + len(word) + 1 > width and not word.startswith("::"):
            lines.append([" " * indent + word] if indent or word else [])
            taken, used, has_text = 0, indent + len(word), bool(word)
        elif word or used:
            lines[-1].append(word)
            used, has_text = used + len(word) + bool(used), has_text or bool(word)
    return [" ".join(line) for line in lines]
