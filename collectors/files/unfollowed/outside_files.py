"""Files about Kafka that others include from outside of the folder that is judged: they are not read with it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from advisor import limits
from collectors.files.mentions import mentions_kafka

OF_YAML, OF_TERRAFORM, OF_KUSTOMIZE = (".yml", ".yaml"), ".tf", "kustomization"
ABOVE = r"((?:\.\./){1,12}[\w./@+-]{1,300})"
IN_COMPOSE = re.compile(rf"(?:\w[\"']?:\s{{0,20}}\[?|^\s{{0,40}}-\s{{1,5}}|,\s{{0,5}})[\"']?(?:\./)?{ABOVE}[\"']?\s{{0,20}}(?:[,\]}}#]|$)", re.MULTILINE)  # fmt: skip
"""An item or a field that is a path above the file's folder and nothing else: no volume, which has a colon."""
IN_TERRAFORM = re.compile(rf"\b(?:source\s{{0,40}}=\s{{0,40}}|(?:file|templatefile|filebase64)\(\s{{0,20}})\"(?:\$\{{path\.module\}}/)?(?:\./)?{ABOVE}\"")  # fmt: skip
MOST, MOST_FILES = 20, 50
"""Paths of one file, and files of a folder that are looked at."""


def outside_files(paths: Iterable[str], folder: str) -> Iterator[tuple[str, str]]:
    """(file, the path that it names) of each file below a folder that includes something about Kafka from above it."""
    root = os.path.realpath(folder)
    looked_at: dict[str, bool] = {}
    for path in paths:
        pattern = _pattern_of(path)
        for name in _named(path, pattern) if pattern is not None else ():
            target = os.path.realpath(os.path.join(os.path.dirname(path), name))
            if target != root and not target.startswith(root.rstrip(os.sep) + os.sep):
                if target not in looked_at:
                    looked_at[target] = _concerns_kafka(target)
                if looked_at[target]:
                    yield path, name
                    break


def _pattern_of(path: str) -> re.Pattern[str] | None:
    name = os.path.basename(path).lower()
    if name.endswith(OF_TERRAFORM):
        return IN_TERRAFORM
    is_included = name.endswith(OF_YAML) and ("compose" in name or name.startswith(OF_KUSTOMIZE))
    return IN_COMPOSE if is_included else None


def _named(path: str, pattern: re.Pattern[str]) -> list[str]:
    """The paths above its folder that a file names."""
    try:
        with open(path, encoding="utf-8", errors="replace") as handle:
            text = handle.read(limits.CONFIGURATION[1])
    except OSError:
        return []
    return pattern.findall(text)[:MOST] if "../" in text else []


def _concerns_kafka(target: str) -> bool:
    """Whether a file, or one that lies in a folder, mentions Kafka."""
    if os.path.isfile(target):
        return mentions_kafka(target)
    try:
        files = sorted(entry.path for entry in os.scandir(target) if entry.is_file(follow_symlinks=False))
    except OSError:
        return False
    return any(map(mentions_kafka, files[:MOST_FILES]))
