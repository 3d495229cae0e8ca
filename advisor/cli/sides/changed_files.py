"""Which files of a work tree `lint --since` judges: those that changed, and the unchanged ones that are judged together with them."""

from __future__ import annotations

import os
import re

from advisor import limits
from advisor.cli.inputs import path_of
from advisor.cli.scope import Scope
from advisor.git import files_with, lies_in, open_regular
from collectors.files.folder import reason_to_pass_over

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from advisor.cli.settings import LintOptions
    from advisor.git import Commit

MOST_CHANGED = 200
"""Changed files up to which the others are searched for those that belong to them; beyond it every file is judged."""
MOST_BESIDE = 100
"""Files of a folder up to which readers look for what one shares with the others."""
TERRAFORM = (".tf", ".tf.json", ".tfvars", ".tfvars.json")
MODULE = re.compile(rb'"?source"?\s{0,40}[=:]\s{0,40}"(\.\.?/[^"\n]{0,500})"')
"""The source of a module that lies beside the one that calls it."""
PARENTS = ('/.."', '../"')
"""How the source of a module ends that lies above the one that calls it."""
SPRINGS_FOLDER = "config"
"""An application's files in it lie over those in the folder above."""
LOOPBACK = ("localhost:", "127.0.0.1:")
QUORUM = re.compile(rb"(?i)(?:quorum[._](?:voters|bootstrap)|zookeeper[._]connect)[^\n]*")
SERVER = re.compile(rb"[\w.-]+:\d{2,5}")
"""What all nodes of a cluster name, and those of no other."""
WORD = re.compile(rb"[^\s\"'/=:,]+")


def scope_of_change(base: Commit, options: LintOptions, paths: Sequence[str]) -> Scope:
    """The files below some paths that differ from a commit, and those that lie beside them or name them. Raises GitFailed."""
    changed = changed_files(base, paths)
    joined = {os.path.relpath(os.path.realpath(path_of(word)), base.root) for word in options.with_}
    if len(changed) > MOST_CHANGED or (changed and options.one_cluster) or changed & joined:
        return Scope(base.root, listed=base.files_today)
    return _scope(base, changed | _connected(base, changed))


def changed_files(base: Commit, paths: Sequence[str]) -> set[str]:
    """The files that only the commit or only the work tree has, or that have other bytes, and links to them. Raises GitFailed.

    Git would run filters to compare some of them.
    """
    today = base.files_today
    known = (path for path in today | base.entries.keys() if any(lies_in(path, folder) for folder in paths))
    judged = {path for path in known if path in paths or not reason_to_pass_over(path)}
    changed = judged - base.unchanged(judged & today)
    return changed | {link for link, path in base.linked_files.items() if path in changed}


def _scope(base: Commit, paths: Iterable[str]) -> Scope:
    entries = frozenset(base.entries)
    chosen = set(paths)
    everything = entries | chosen
    chosen.update(_modules(base, chosen, everything))
    folders = {os.path.dirname(path) for path in chosen}
    folders |= {os.path.dirname(folder) for folder in folders if os.path.basename(folder) == SPRINGS_FOLDER}
    readable = (path for path in everything if not reason_to_pass_over(path))
    return Scope(base.root, frozenset(chosen | _beside(readable, folders)), entries, base.files_today)


def _modules(base: Commit, chosen: Iterable[str], everything: Iterable[str]) -> Iterator[str]:
    """The files of the Terraform modules that some files are of, of those that call them, which give their values, and of those that they call."""
    terraform: dict[str, list[str]] = {}
    for path in everything:
        if path.endswith(TERRAFORM):
            terraform.setdefault(os.path.dirname(path), []).append(path)

    def called_by(folders: set[str]) -> set[str]:
        return {source for folder in folders for path in terraform.get(folder, ()) for source in _sources(base, path)}

    changed = {os.path.dirname(path) for path in chosen if path.endswith(TERRAFORM)}
    folders = _reached(changed, lambda folders: _callers(base, folders)) | _reached(changed, called_by)
    return (path for folder in folders for path in terraform.get(folder, ()))


def _reached(start: set[str], next_of: Callable[[set[str]], set[str]]) -> set[str]:
    """The folders that some lead to, themselves among them."""
    folders, seen = set(start), set[str]()
    while unseen := folders - seen:
        seen |= unseen
        folders |= next_of(unseen)
    return folders


def _callers(base: Commit, modules: set[str]) -> set[str]:
    """The folders that call modules."""
    named = {f'/{os.path.basename(module)}"' for module in modules if module}
    paths = [path for path in files_with(base.root, (*named, *PARENTS)) if path.endswith(TERRAFORM)]
    return {os.path.dirname(path) for path in paths if not modules.isdisjoint(_sources(base, path))}


def _sources(base: Commit, path: str) -> set[str]:
    """The folders of the modules that a file of Terraform calls."""
    sources = MODULE.findall(_text(os.path.join(base.root, path)))
    folders = (os.path.normpath(os.path.join(os.path.dirname(path), os.fsdecode(source))) for source in sources)
    return {"" if folder == os.curdir else folder for folder in folders}


def _beside(paths: Iterable[str], folders: set[str]) -> set[str]:
    """The files that lie in the folders, those of large ones left out."""
    by_folder: dict[str, list[str]] = {}
    for path in paths:
        if os.path.dirname(path) in folders:
            by_folder.setdefault(os.path.dirname(path), []).append(path)
    return {path for files in by_folder.values() if len(files) <= MOST_BESIDE for path in files}


def _connected(base: Commit, changed: set[str]) -> set[str]:
    """The files that name one of those that changed, or a server of the quorum or the ZooKeeper that one of them names."""
    texts = base.contents(path for path in changed if path in base.entries)
    lines = {
        line
        for path in changed
        for text in (texts.get(path, b""), _text(os.path.join(base.root, path)))
        for line in QUORUM.findall(text)
    }
    servers = {os.fsdecode(max(named, key=len)) for line in lines if (named := SERVER.findall(line))}
    names = {os.path.basename(path) for path in changed}
    return files_with(base.root, names | {server for server in servers if not server.startswith(LOOPBACK)})


def _text(path: str) -> bytes:
    """The contents of a regular file, as far as they are judged; none where it cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(limits.size(limits.STRUCTURED))
    except OSError:
        return b""


def files_before(base: Commit, scope: Scope, paths: Sequence[str]) -> dict[str, bytes]:
    """What the readers of the scope's files may look at in a commit: those, what lies beside them and what they name."""
    within = [path for path in base.entries if any(lies_in(path, folder) for folder in paths)]
    if scope.paths is None:
        return base.contents(within)
    files = base.contents(path for path in within if path in scope.paths)
    words = {os.fsdecode(word) for text in files.values() for word in WORD.findall(text)}
    above = tuple({os.path.join(os.path.dirname(path), "") for path in files})
    named = [path for path in within if os.path.basename(path) in words and path.startswith(above)]
    return files | base.contents(path for path in named if path not in files)
