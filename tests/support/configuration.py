"""Files that hold a configuration and nothing else."""

from __future__ import annotations

from pathlib import Path

from advisor.model import Entity, Suppression
from collectors.files.reader import File, read


def entities_of(path: Path) -> list[tuple[Entity, list[Suppression]]]:
    """The entities of a file, each with the comments that suppress findings."""
    contents = read(File(str(path)))
    assert isinstance(contents, list), path
    return contents
