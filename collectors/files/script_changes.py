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
from collectors.files.syntax.text_lines import text_lines
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
CHANGED_FILES, CHANGED_KINDS = (PROPERTIES, "zoo.cfg"), (*SERVER_KINDS, "zookeeper")
SERVER_LINE = re.compile(r"\bserver\.[^\s=]{1,40}=")
"""A line of ZooKeeper's that names a server of the ensemble."""
SCRIPTS = "scripts that change files of properties"
LONGEST = 200_000


class Script(NamedTuple):
    """A script: its file, how it is called, its text, (key, line) of what it sets, and whether it may set any other key."""

    path: str
    name: str
    text: str
    keys: tuple[tuple[str, int], ...]
    sets_any: bool


def mark_changed(node: Node, name: str, scripts: Iterable[Script]) -> None:
    """Make the keys unknown that scripts set in the file of that name, and those left out where a script may set any."""
    for script in scripts if node.kind in CHANGED_KINDS else ():
        if name in script.text and node.kind == "zookeeper":
            _mark_servers(node, script)
        elif name in script.text:
            for key, line in script.keys:
                place = TreeNode("scalar", line, 1, key)
                node.settings[key] = make_setting(key, f"${{{script.name}}}", script.path, place, None)
            if script.sets_any:
                node.fragment = f"{script.name} may set it"


def _mark_servers(node: Node, script: Script) -> None:
    """Make unknown which servers an ensemble has whose lines a script adds."""
    line = next((number for number, line in enumerate(text_lines(script.text), 1) if SERVER_LINE.search(line)), None)
    if line is not None:
        key = f"server.${{{script.name}}}"
        node.settings[key] = make_setting(key, "", script.path, TreeNode("scalar", line, 1, key), None)


def _script(path: str, name: str, text: str, lines_before: int = 0) -> Script | None:
    """The script of a text; None where it changes no file of properties."""
    if len(text) > LONGEST or not any(each in text for each in CHANGED_FILES) or not CHANGES.search(text):
        return None
    keys = (
        (key, number)
        for number, line in enumerate(text_lines(text.replace("\\.", ".")), lines_before + 1)
        for key in SETS_KEY.findall(line)
        if is_key(key, ("broker",))
    )
    return Script(path, name, text, tuple(keys), COMPUTED.search(text) is not None)


def scripts_in(documents: Iterable[TreeNode], file: str) -> list[Script]:
    """The texts of documents that are scripts."""
    scripts = (
        _script(file, "script", node.text, node.line if node.indent is not None else node.line - 1)
        for document in documents
        for node in document.scalars()
    )
    return [script for script in scripts if script is not None]


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
        name = os.path.basename(path)
        if name.endswith(ENDINGS) or "." not in name or name.lower().startswith(DOCKERFILE):
            script = _script(path, name, Sources(path, path, run).text_beside(name) or "")
            if script is not None:
                yield script


def _is_about(script: Script, name: str) -> bool:
    """Whether a script may be about a file of that name; a Dockerfile is if it copies it."""
    is_image = script.name.lower().startswith(DOCKERFILE)
    return not is_image or any(name in copied for copied in COPIES.findall(script.text))
