"""Scripts that change a file of properties before the server reads it: the keys that they may set are unknown in it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from advisor.model import SERVER_KINDS, Setting
from collectors.files.block import make_setting
from collectors.files.names import is_key
from collectors.files.run_files import RunFiles
from collectors.files.sources import Sources
from collectors.files.syntax.tree import TreeNode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Node(Protocol):
        """What the settings of a node are: an entity, or a block before it is one."""

        @property
        def kind(self) -> str | None:
            """Which kind of node it is, or of something else."""

        settings: dict[str, Setting]
        fragment: str


CHANGES = re.compile(r">>|\btee\s{1,5}-a\b|\bsed\b|\bperl\s{1,5}-\w{0,5}i|\bcrudini\b|--override\b")
"""How a script changes what a server reads: it appends, edits in place, or overrides at the start."""
SETS_KEY = re.compile(r"(?<![\w.-])([a-z][a-z0-9]*(?:\.[a-z0-9]+)*)\s{0,5}=")
COMPUTED = re.compile(r"\b(?:echo|printf)\s[^\n]{0,200}?(?:\$\{?\w{1,100}\}?|%s)=")
"""A line whose key is a variable: any key may be set."""
COPIES = re.compile(r"^\s{0,20}(?:COPY|ADD)\s[^\n]*", re.MULTILINE | re.IGNORECASE)
ENDINGS, DOCKERFILE = (".sh", ".bash"), "dockerfile"
PROPERTIES = ".properties"
SCRIPTS = "scripts that change files of properties"
LONGEST = 200_000


class Script(NamedTuple):
    """A script, and where it lies: in a file of its own, or in another one behind so many lines, under a name."""

    path: str
    text: str
    lines_before: int = 0
    name: str = ""


def mark_changed(node: Node, name: str, scripts: Iterable[Script]) -> None:
    """Make the keys unknown that scripts set in the file of that name, and those left out where a script may set any."""
    if node.kind not in SERVER_KINDS:
        return
    for script in scripts:
        if name in script.text and CHANGES.search(script.text):
            called = script.name or os.path.basename(script.path)
            for key, line in _keys_of(script.text):
                place = TreeNode("scalar", line + script.lines_before, 1, key)
                node.settings[key] = make_setting(key, f"${{{called}}}", script.path, place, None)
            if COMPUTED.search(script.text):
                node.fragment = f"{called} may set it"


def _keys_of(text: str) -> Iterator[tuple[str, int]]:
    """(key, line) of the settings that a script writes."""
    plain = text.replace("\\.", ".")
    for match in SETS_KEY.finditer(plain):
        if is_key(match[1], ("broker",)):
            yield match[1], plain.count("\n", 0, match.start()) + 1


def scripts_in(documents: Iterable[TreeNode], file: str) -> list[Script]:
    """The texts of documents that may be scripts."""
    return [
        Script(file, node.text[:LONGEST], node.line if node.indent is not None else node.line - 1, "script")
        for document in documents
        for node in document.scalars()
        if PROPERTIES in node.text and CHANGES.search(node.text[:LONGEST])
    ]


def scripts_near(path: str, run: RunFiles) -> Iterator[Script]:
    """The scripts of a run in the folder of a file, beside it, below it or above it."""
    key = (SCRIPTS, "")
    if key not in run.made:
        run.made[key] = _by_folder(_scripts(run))
    folder = os.path.dirname(path)
    near = (run.made[key].get(each, ()) for each in dict.fromkeys((folder, os.path.dirname(folder))))
    for script in dict.fromkeys(script for scripts in near for script in scripts):
        if _is_about(script, os.path.basename(path)):
            yield script


def _by_folder(scripts: Iterable[Script]) -> dict[str, list[Script]]:
    """The scripts by their own folder and by the one above it."""
    by_folder: dict[str, list[Script]] = {}
    for script in scripts:
        folder = os.path.dirname(script.path)
        for each in dict.fromkeys((folder, os.path.dirname(folder))):
            by_folder.setdefault(each, []).append(script)
    return by_folder


def _scripts(run: RunFiles) -> Iterator[Script]:
    for path in run.ending(("",)):
        name = os.path.basename(path).lower()
        if name.endswith(ENDINGS) or "." not in name or name.startswith(DOCKERFILE):
            text = Sources(path, path, run).text_beside(os.path.basename(path)) or ""
            if len(text) <= LONGEST and PROPERTIES in text and CHANGES.search(text):
                yield Script(path, text)


def _is_about(script: Script, name: str) -> bool:
    """Whether a script may be about a file of that name; a Dockerfile is if it copies it."""
    is_image = os.path.basename(script.path).lower().startswith(DOCKERFILE)
    return not is_image or any(name in copied for copied in COPIES.findall(script.text))
