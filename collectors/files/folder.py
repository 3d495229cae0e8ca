"""Walk a folder for files that may hold Kafka configuration: git's ignore rules, no links, no folders of tools."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pathspec

from advisor import limits
from collectors.files.syntax.recognition import ENDINGS, LOG_MARK, OUTPUT_MARKS

SKIPPED = frozenset((".git", "node_modules", "target", ".terraform", ".venv", "venv", "__pycache__", ".tox", ".gradle"))
"""Folders of tools: what they hold was made or fetched."""
OTHER_ENDINGS = (".cfg", ".conf", ".log", ".j2", ".txt")
PROSE = ".txt"
"""What is read where it quotes an output of Kafka's tools or a start-up log, and is not a configuration."""
IGNORE = ".gitignore"
MARKS = (
    b"kafka",
    b"bootstrap",
    b"zookeeper",
    b"broker.id",
    b"tickTime",
    b"partitions",
    b"acks",
    b"confluent",
    b"serializer",
    b"Replicas: ",
    b"sensitive=",
    b"CURRENT-OFFSET",
    b"logDirs",
)
"""One of them stands in every file that is worth reading."""
Rules = tuple[str, pathspec.GitIgnoreSpec]


class TooMany(Exception):
    """A folder holds more files than one run judges."""


def files_below(folder: str) -> Iterator[str]:
    """The paths of the files below a folder, in order. Raises TooMany."""
    for number, path in enumerate(_walk(folder, ()), 1):
        if number > limits.FILES:
            raise TooMany(f"{folder}: over {limits.FILES:,} files; name a smaller folder")
        yield path


def _walk(folder: str, rules: tuple[Rules, ...]) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            children = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    if any(entry.name == IGNORE for entry in children):
        rules = (*rules, (folder, _spec(os.path.join(folder, IGNORE))))
    for entry in children:
        path = os.path.join(folder, entry.name)
        if entry.is_symlink() or _is_ignored(path, entry.is_dir(follow_symlinks=False), rules):
            continue
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in SKIPPED:
                yield from _walk(path, rules)
        elif entry.is_file(follow_symlinks=False) and _is_candidate(entry):
            yield path


def _spec(path: str) -> pathspec.GitIgnoreSpec:
    try:
        with open(path, encoding="utf-8", errors="replace") as handle:
            return pathspec.GitIgnoreSpec.from_lines(handle.read(limits.CONFIGURATION[1]).splitlines())
    except (OSError, ValueError):
        return pathspec.GitIgnoreSpec.from_lines([])


def _is_ignored(path: str, is_folder: bool, rules: tuple[Rules, ...]) -> bool:
    """What the nearest rules say that say anything."""
    for folder, spec in reversed(rules):
        name = os.path.relpath(path, folder).replace(os.sep, "/") + ("/" if is_folder else "")
        verdict = spec.check_file(name).include
        if verdict is not None:
            return verdict
    return False


def _is_candidate(entry: os.DirEntry[str]) -> bool:
    name = entry.name.lower()
    return name.endswith((*ENDINGS, *OTHER_ENDINGS)) and not name.endswith((".xml", ".lock.json"))


def mentions_kafka(path: str) -> bool:
    """Whether a file holds a word of Kafka's; one that cannot be read is not asked again."""
    try:
        with open(path, "rb") as handle:
            data = handle.read(limits.CONFIGURATION[1])
    except OSError:
        return True
    if path.lower().endswith(PROSE):
        return any(mark.encode() in data for mark in (LOG_MARK, *OUTPUT_MARKS))
    return any(mark in data for mark in MARKS) or b"Kafka" in data or b"KAFKA" in data
