"""The files of a pass, in each file's own spelling: what a pass changes in them, as a diff without context."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from advisor.analysis.rollout.cluster import RolloutNode
from advisor.analysis.rollout.outcome import Values, differing
from advisor.model import Entity

HIDDEN = "the value that the new file has"


@dataclass(eq=False)
class FileDiff:
    """What a pass changes in a file; `by_hand` are keys that its lines cannot be edited for, with their values."""

    file: str
    lines: list[str] = field(default_factory=list)
    by_hand: Values = field(default_factory=dict)


@dataclass(eq=False)
class Written:
    """A file as some pass leaves it: its lines, and what could not be written into them."""

    lines: Sequence[str]
    by_hand: Values = field(default_factory=dict)


def diffs_of(nodes: Iterable[RolloutNode], stages: Sequence[Mapping[int, Entity]]) -> list[list[FileDiff]]:
    """For each stage what it changes in each file; the last stage is the new files as they are."""
    by_file: dict[str, list[RolloutNode]] = {}
    for node in nodes:
        if node.old and node.new and node.old.entity.file:
            by_file.setdefault(node.old.entity.file, []).append(node)
    diffs: list[list[FileDiff]] = [[] for _ in stages]
    for file, members in by_file.items():
        before = written(file, members, {})
        hidden = secret_lines(members)
        for number, stage in enumerate(stages):
            after = last(file, members, before) if number == len(stages) - 1 else written(file, members, stage)
            diff = FileDiff(file, list(shown_diff(file, before.lines, after.lines, hidden)), dict(after.by_hand))
            if diff.lines or diff.by_hand != before.by_hand:
                diffs[number].append(diff)
            before = after
    return diffs


def written(file: str, nodes: Sequence[RolloutNode], stage: Mapping[int, Entity]) -> Written:
    """The old file with the values of a stage."""
    from advisor.analysis.advice.files.changes import changes_of
    from advisor.analysis.advice.files.edits import edit_of, edited
    from advisor.analysis.advice.files.lines import read_lines

    lines, changes = read_lines(file) or [], []
    result = Written(lines)
    for node in nodes:
        entity = stage.get(node.id)
        if entity is None or node.old is None:
            continue
        for key, value in wanted(node.old.entity, entity).items():
            rows = list(changes_of(node.old.entity, key, value))
            if rows and all(edit_of(lines, row) for row in rows):
                changes += rows
            else:
                result.by_hand[key] = value
    result.lines = edited(lines, changes)
    return result


def wanted(old: Entity, entity: Entity) -> Values:
    """The values that differ from those of the old file; those of secrets are not shown."""
    values: Values = {}
    for key in differing(old, entity):
        setting = entity.settings.get(key)
        values[key] = None if setting is None else f"<{HIDDEN}>" if setting.secret else setting.value
    return values


def last(file: str, nodes: Sequence[RolloutNode], before: Written) -> Written:
    """The new file, which is read as it is."""
    from advisor.analysis.advice.files.lines import read_lines

    new = {node.new.entity.file for node in nodes if node.new}
    lines = read_lines(next(iter(new)) or "") if len(new) == 1 else None
    return Written(before.lines if lines is None else lines)


def secret_lines(nodes: Iterable[RolloutNode]) -> dict[str, str]:
    """Lines of both files that hold secrets, each with what is shown in its place."""
    from advisor.analysis.advice.files.lines import read_lines

    hidden: dict[str, str] = {}
    for entity in (side.entity for node in nodes for side in (node.old, node.new) if side):
        lines = read_lines(entity.file or "") or []
        for setting in entity.settings.values():
            if setting.secret and setting.origin.line:
                for number in lines_of(lines, setting.origin.line):
                    hidden[lines[number].rstrip("\r\n")] = f"{setting.written or setting.key}=<{HIDDEN}>"
    return hidden


def lines_of(lines: Sequence[str], first: int) -> Iterator[int]:
    """A line, and those that it goes on in."""
    for number in range(first - 1, len(lines)):
        yield number
        if not lines[number].rstrip("\r\n").endswith("\\"):
            return


def shown_diff(file: str, old: Sequence[str], new: Sequence[str], hidden: Mapping[str, str]) -> Iterator[str]:
    """A unified diff without context, since lines beside may hold secrets."""
    name = os.path.relpath(file)
    name = file if name.startswith("..") else name
    before, after = ([line.rstrip("\r\n") for line in side] for side in (old, new))
    for line in difflib.unified_diff(before, after, name, name, lineterm="", n=0):
        yield line[:1] + hidden[line[1:]] if line[1:] in hidden else line
