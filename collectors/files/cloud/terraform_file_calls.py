"""Which files of a run Terraform takes by file() or templatefile(): they are judged where it takes them."""

from __future__ import annotations

import os

from advisor.errors import UnreadableInput
from collectors.files.cloud.terraform import module_blocks
from collectors.files.cloud.terraform_calls import modules_of
from collectors.files.run_files import RunFiles
from collectors.files.sources import Sources
from collectors.files.unfollowed.file_settings import settings_in

CODE = ".tf"
MARKS = ("file(", "fileset(")
TAKEN = "terraform takes"
FORMAT_NAME = "file of Terraform's"


def is_taken(path: str, run: RunFiles) -> bool:
    """Whether settings that Terraform's code of the run makes stand in a file."""
    key = (TAKEN, "")
    if key not in run.made:
        run.made[key] = frozenset(
            taken
            for code in run.ending((CODE,))
            if code in run.of_folder(os.path.dirname(code))
            for taken in _taken_by(code, run)
        )
    return os.path.normpath(path) in run.made[key]


def _taken_by(path: str, run: RunFiles) -> set[str]:
    """The other files in which the settings of a file of code stand."""
    sources = Sources(path, path, run)
    text = sources.text_beside(os.path.basename(path))
    if text is None or not any(mark in text for mark in MARKS):
        return set()
    try:
        made = module_blocks(text, sources)
    except UnreadableInput:
        return set()
    settings = [setting for block in made for setting in block.settings.values()]
    files, keys = {setting.origin.file for setting in settings}, {setting.key for setting in settings}
    read = {file for module in modules_of(sources, text) for file in module.folder.read}
    whole = {file for file in read if (named := settings_in(file)) and keys.issuperset(named)}
    return {os.path.normpath(file) for file in files | whole if file and not file.endswith(CODE)}
