"""Which files of properties of a run Compose mounts and completes by variables: they are judged with the service."""

from __future__ import annotations

import os

from advisor.errors import UnreadableInput
from collectors.files.block import settings_of_file
from collectors.files.compose import compose_file
from collectors.files.images.shipped_files import APPENDED_TO
from collectors.files.run_files import RunFiles
from collectors.files.sources import Sources

MOUNTED, FORMAT_NAME = "compose mounts", "file that Compose mounts"
PROPERTIES = ".properties"


def is_mounted(path: str, run: RunFiles) -> bool:
    """Whether settings that a Compose file of the run has stand in a file of properties."""
    key = (MOUNTED, "")
    if key not in run.made:
        run.made[key] = frozenset(mounted for file in run.compose_files for mounted in _mounted_by(file, run))
    return os.path.normpath(path) in run.made[key]


def _mounted_by(path: str, run: RunFiles) -> set[str]:
    """The files of properties whose settings a Compose file has."""
    sources = Sources(path, path, run)
    text = sources.text_beside(os.path.basename(path))
    if text is None or APPENDED_TO not in text:
        return set()
    documents = [each for each in sources.documents(path, text) if compose_file.knows(each)]
    try:
        with settings_of_file.reading(path):
            kafka_blocks = compose_file.blocks(documents, sources)
    except UnreadableInput:
        return set()
    files = {setting.origin.file for block in kafka_blocks for setting in block.settings.values()}
    return {os.path.normpath(file) for file in files if file and file.endswith(PROPERTIES)}
