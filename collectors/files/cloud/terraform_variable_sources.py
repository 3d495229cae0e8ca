"""Which variables of Terraform other files of a run set: files of variables in other folders, and commands that pass them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from advisor.errors import UnreadableInput
from collectors.files.cloud.terraform_blocks import Thunk, hcl_attributes, json_thunk
from collectors.files.run_files import RunFiles
from collectors.files.sources import Sources
from collectors.files.syntax.hcl import parser
from collectors.files.syntax.tree import MAPPING, TreeNode

JSON_OF_CODE, JSON_OF_VARIABLES = ".tf.json", ".tfvars.json"
CODE, VARIABLES = (".tf", JSON_OF_CODE), (".tfvars", JSON_OF_VARIABLES)
COMMANDS = (".sh", ".bash", ".ps1", "Makefile", "makefile", ".mk", "Justfile", "justfile", ".env", ".envrc")
WORKFLOWS = (".yml", ".yaml")
OF_WORKFLOWS = (".github", "-ci.", "-pipelines.", "Taskfile", ".circleci", "cloudbuild")
"""What is in the paths of files in which commands of pipelines stand."""
PASSED = re.compile(r"\bTF_VAR_(\w{1,80})[\"']?\s{0,20}[=:]|\s--?var[ =][\"']{0,2}(\w{1,80})=")
"""How a command or the environment gives a variable a value."""
MADE = ("variables of Terraform that other files set", "")
MOST_FILES = 100


class SetElsewhere(NamedTuple):
    """A variable that another file sets: its name, the folder whose code takes it (None: any beside), and how it is set."""

    name: str
    owner: str | None
    beside: str
    how: str


def variables_elsewhere(sources: Sources) -> dict[str, str]:
    """How other files of the run set variables of the code in a folder, by the variable."""
    made = sources.run.made
    if MADE not in made:
        made[MADE] = [*_of_files(sources.run), *_of_commands(sources.run)]
    folder = sources.folder
    return {
        each.name: each.how
        for each in made[MADE]
        if each.owner == folder or (each.owner is None and _is_below(each.beside, os.path.dirname(folder)))
    }


def _is_below(folder: str, other: str) -> bool:
    return not folder or not other or folder == other or folder.startswith(other + os.sep)


def _of_files(run: RunFiles) -> Iterator[SetElsewhere]:
    """What files of variables set that lie in no folder of code."""
    code = {os.path.dirname(path) for path in run.ending(CODE)}
    paths = [path for path in run.ending(VARIABLES) if os.path.dirname(path) not in code]
    for path in paths[:MOST_FILES]:
        folder = os.path.dirname(path)
        try:
            names = [name for name, _ in values_of(_text(path, run), path)]
        except UnreadableInput:
            continue
        how = f"is set by {os.path.basename(path)}, which Terraform takes only where it is named"
        yield from (SetElsewhere(name, _owner(folder, code), folder, how) for name in names)


def _of_commands(run: RunFiles) -> Iterator[SetElsewhere]:
    """What scripts and pipelines pass."""
    paths = run.ending(COMMANDS)
    paths += [path for path in run.ending(WORKFLOWS) if any(word in path for word in OF_WORKFLOWS)]
    for path in paths[:MOST_FILES]:
        names = {one or other for one, other in PASSED.findall(_text(path, run) or "")}
        yield from (SetElsewhere(name, None, "", f"may be set by {os.path.basename(path)}") for name in sorted(names))


def _owner(folder: str, code: Collection[str]) -> str | None:
    """The nearest folder of code above a folder."""
    while folder:
        folder = os.path.dirname(folder) if os.path.dirname(folder) != folder else ""
        if folder in code:
            return folder
    return None


def _text(path: str, run: RunFiles) -> str | None:
    return Sources(path, path, run).text_beside(os.path.basename(path))


def values_of(text: str | None, shown: str) -> list[tuple[str, Thunk]]:
    """The values of a file of variables. Raises UnreadableInput."""
    if text is None:
        raise UnreadableInput(f"{shown}: not read")
    if not shown.endswith(JSON_OF_VARIABLES):
        return list(hcl_attributes(parser.parse(text, shown)))
    return [
        (name, json_thunk(value, shown))
        for document in documents_of(text, shown)
        for name, (_, value) in document.pairs().items()
    ]


def documents_of(text: str, shown: str) -> list[TreeNode]:
    """The mappings of a file of JSON. Raises UnreadableInput."""
    from collectors.files.syntax.recognition import JSON
    from collectors.files.syntax.yaml_tree import documents

    return [document for document in documents(text, shown, JSON, every=True) if document.kind == MAPPING]
