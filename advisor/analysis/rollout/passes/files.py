"""The files of a pass, in each file's own spelling: what a pass changes in them, as a diff without context."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from advisor.analysis.rollout.cluster import RolloutCluster, RolloutNode
from advisor.analysis.rollout.outcome import Values, differing
from advisor.analysis.rollout.passes.line_order import in_order
from advisor.model import MASK, Entity
from collectors.files.syntax.recognition import PROPERTIES
from collectors.files.syntax.text_lines import text_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.edits.text import FileText

HIDDEN = "the value that the new file has"
FORMER = "the value that the old file has"
NOT_SHOWN = "not shown"
"""In place of what may be a secret."""


@dataclass(eq=False)
class FileDiff:
    """What a pass changes in a file; `by_hand` are keys that its lines cannot be edited for, with their values."""

    file: str
    lines: list[str] = field(default_factory=list)
    by_hand: Values = field(default_factory=dict)


class Texts:
    """The files of both sides as texts; those of a commit are given, others are read when they are asked for."""

    def __init__(self, old: Mapping[str, bytes], new: Mapping[str, bytes]) -> None:
        self._given = {OLD: old, NEW: new}
        self._read: dict[tuple[str, str], FileText | None] = {}

    def of(self, side: str, file: str) -> FileText | None:
        """The text of a file; None where it cannot be read any more."""
        from advisor.edits.text import FileText, read_text

        key = side, file
        if key not in self._read:
            given = self._given[side].get(file)
            self._read[key] = read_text(file) if given is None else FileText(file, given)
        return self._read[key]


OLD, NEW = "old", "new"


@dataclass(eq=False)
class Written:
    """A file as some pass leaves it: its bytes, and what could not be written into them."""

    data: bytes
    by_hand: Values = field(default_factory=dict)


def diffs_of(cluster: RolloutCluster, stages: Sequence[Mapping[int, Entity]]) -> list[list[FileDiff]]:
    """For each stage what it changes in each file; the last stage is the new files as they are."""
    texts = Texts(cluster.old_texts, cluster.new_texts)
    by_file: dict[str, list[RolloutNode]] = {}
    for node in cluster.nodes.values():
        if node.old and node.new and node.old.entity.file:
            by_file.setdefault(node.old.entity.file, []).append(node)
    diffs: list[list[FileDiff]] = [[] for _ in stages]
    for file, members in by_file.items():
        before, hidden = written(file, members, {}, texts), secret_lines(members, texts)
        for number, stage in enumerate(stages):
            is_last = number == len(stages) - 1
            after = last(members, before, texts) if is_last else written(file, members, stage, texts)
            diff = FileDiff(file, list(shown_diff(file, before.data, after.data, hidden)), dict(after.by_hand))
            if diff.lines or diff.by_hand != before.by_hand:
                diffs[number].append(diff)
            before = after
    return diffs


def written(file: str, nodes: Sequence[RolloutNode], stage: Mapping[int, Entity], texts: Texts) -> Written:
    """The file with the values of a stage: the old or the new one, whichever takes fewer changes."""
    new_files = {node.new.entity.file or "" for node in nodes if node.new}
    sides = [(OLD, file)] + [(NEW, each) for each in new_files if len(new_files) == 1 and stage]
    of_secrets = sides_of_secrets(nodes, stage)
    sides = [each for each in sides if of_secrets <= {each[0]}] or sides
    made = [(side, changes_from(side, nodes, stage)) for side, _ in sides]
    side, wanted_values = min(made, key=lambda each: sum(len(values) for _, values in each[1]))
    result = edited(texts.of(side, dict(sides)[side]), wanted_values)
    if len(new_files) == 1:
        base, other = texts.of(side, dict(sides)[side]), texts.of(*other_side(side, file, next(iter(new_files))))
        result.data = ordered(result.data, base, other, side == OLD)
    return result


def other_side(side: str, old_file: str, new_file: str) -> tuple[str, str]:
    """The side that a stage is not made of, and its file."""
    return (NEW, new_file) if side == OLD else (OLD, old_file)


def ordered(data: bytes, base: FileText | None, other: FileText | None, is_old: bool) -> bytes:
    """The bytes of a stage; of properties with each added key where the other file has it."""
    if base is None or other is None or {base.syntax, other.syntax} != {PROPERTIES}:
        return data
    return in_order(data, base.spliced(()), other.spliced(()), is_old)


def sides_of_secrets(nodes: Sequence[RolloutNode], stage: Mapping[int, Entity]) -> set[str]:
    """Which files have the secrets of a stage: those that differ between both are written in neither way."""
    final = {node.id: node.new.both_files[-1] for node in nodes if node.new and node.new.both_files}
    return {
        NEW if stage[id].settings.get(key) is config.entity.settings[key] else OLD
        for id, config in final.items()
        if id in stage
        for key in config.changed_secrets
    }


def changes_from(side: str, nodes: Sequence[RolloutNode], stage: Mapping[int, Entity]) -> list[tuple[Entity, Values]]:
    """Of each node the values that differ between a side and a stage."""
    rows = []
    for node in nodes:
        config, entity = (node.old if side == OLD else node.new), stage.get(node.id)
        if config is not None and entity is not None:
            order = list(node.new.entity.settings) if node.new else []
            former = frozenset(node.old.entity.settings) if node.old and side == NEW else frozenset[str]()
            rows.append((config.entity, wanted(config.entity, entity, order, former)))
    return rows


def edited(text: FileText | None, rows: Sequence[tuple[Entity, Values]]) -> Written:
    """A text with values of its entities; what cannot be written into it is left to do by hand."""
    from advisor.edits.editor import is_edited, splices_of
    from advisor.edits.setting_changes import changes_of

    changes, result = [], Written(b"")
    for entity, values in rows:
        for key, value in values.items():
            lines = list(changes_of(entity, key, value))
            if text is not None and lines and all(is_edited(text, line) for line in lines):
                changes += lines
            else:
                result.by_hand[key] = value
    if text is not None:
        result.data = text.spliced(splices_of(text, changes))
    return result


def wanted(base: Entity, entity: Entity, order: Sequence[str] = (), former: Collection[str] = frozenset()) -> Values:
    """The values that differ from those of a file, in the order of the new one; of secrets which file has them."""
    values: Values = {}
    places = {key: number for number, key in enumerate(order)}
    for key in sorted(differing(base, entity), key=lambda key: places.get(key, len(places))):
        setting = entity.settings.get(key)
        hidden = f"<{FORMER if key in former else HIDDEN}>"
        values[key] = None if setting is None else hidden if setting.value == MASK else setting.value
    return values


def last(nodes: Sequence[RolloutNode], before: Written, texts: Texts) -> Written:
    """The new file as it is."""
    files = {node.new.entity.file for node in nodes if node.new}
    text = texts.of(NEW, next(iter(files)) or "") if len(files) == 1 else None
    return before if text is None else Written(text.spliced(()))


def secret_lines(nodes: Iterable[RolloutNode], texts: Texts) -> dict[str, str]:
    """Lines of both files that hold secrets, each with what is shown in its place."""
    hidden: dict[str, str] = {}
    for node in nodes:
        for side, config in ((OLD, node.old), (NEW, node.new)):
            text = texts.of(side, config.entity.file or "") if config else None
            lines = text_lines(text.text) if text is not None else []
            for setting in config.entity.settings.values() if config else ():
                if setting.secret and setting.origin.line:
                    value = HIDDEN if side == NEW else FORMER
                    shown = f"{setting.written or setting.key}=<{value}>"
                    hidden |= dict.fromkeys((lines[number] for number in lines_of(lines, setting.origin.line)), shown)
    return hidden


def lines_of(lines: Sequence[str], first: int) -> Iterator[int]:
    """A line, and those that it goes on in."""
    for number in range(first - 1, len(lines)):
        yield number
        if not lines[number].endswith("\\"):
            return


def shown_diff(file: str, old: bytes, new: bytes, hidden: Mapping[str, str]) -> Iterator[str]:
    """The diff of two texts of a file, without the secrets that its lines hold, or may hold."""
    from advisor.edits.diff import diff_between

    before, after = (without_values(data, hidden) for data in (old, new))
    for number, line in enumerate(diff_between(file, before, after, with_context=False)):
        is_head = number < 2 or line.startswith("@@ ")
        yield line if is_head else line[:1] + without_secret(line[1:].rstrip("\r"))


def without_values(data: bytes, hidden: Mapping[str, str]) -> bytes:
    """A text in which each line with a secret says which file has it: the same secret is no difference."""
    from advisor.edits.text import is_utf8

    encoding = "utf-8" if is_utf8(data) else "latin-1"
    lines = data.decode(encoding).splitlines(keepends=True)
    return "".join(shown_line(line, hidden) for line in lines).encode(encoding, "replace")


def shown_line(line: str, hidden: Mapping[str, str]) -> str:
    """A line with its end; one that holds a secret as it is shown."""
    text = line.rstrip("\r\n")
    return hidden[text] + line[len(text) :] if text in hidden else line


def without_secret(line: str) -> str:
    """A changed line as it is shown: of one that may hold a secret what stands before its value alone."""
    from advisor.edits.shown_lines import is_shown, key_part

    is_ours = line.endswith((f"=<{HIDDEN}>", f"=<{FORMER}>"))
    return line if is_ours or is_shown(line) else f"{key_part(line)}<{NOT_SHOWN}>"
