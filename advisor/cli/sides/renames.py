"""Which files of a work tree had another path in a commit, by git's own detection of renames, whether they are staged or not."""

from __future__ import annotations

import os
import stat

from advisor import limits
from advisor.cli.sides.unread import LINK, files_of
from advisor.git import GitFailed, git
from collectors.files.folder import reason_to_pass_over

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from advisor.git import Commit
    from advisor.model import Snapshot

SIMILAR, EQUAL = "-M", "-M100%"
REMOVED, FILE = "0", "100644"
"""Modes of an index: of what is taken out of it, and of a file."""


class Moved:
    """Where the files of a run were in a commit, and where its files are today, as seen from a folder of the work tree."""

    def __init__(self, base: Commit, where: str) -> None:
        self._before = {os.path.relpath(new, where): os.path.relpath(old, where) for new, old in renames(base).items()}
        self._today = {old: new for new, old in self._before.items()}
        self._links = {os.path.relpath(path, where) for path in base.links}

    def path_before(self, file: str) -> str:
        """The path that a file of today had, spelled as it is."""
        return spelled(file, self._before)

    def path_today(self, file: str) -> str:
        """The path that a file of before has, spelled as it is."""
        return spelled(file, self._today)

    def links_before(self, snapshots: Sequence[Snapshot]) -> dict[str, str]:
        """The files of today that were links, with why nothing is known of those."""
        return {file: LINK for file in files_of(snapshots) if os.path.normpath(self.path_before(file)) in self._links}


def spelled(file: str, other_path: Mapping[str, str]) -> str:
    """The other path of a file, in the spelling of the run; its own where it has no other."""
    other = other_path.get(os.path.normpath(file))
    return file if other is None else ("./" if file.startswith("./") else "") + other


def renames(base: Commit) -> dict[str, str]:
    """The path that each file had in the commit which the work tree has under another one. Raises GitFailed.

    Only files that are the same where the clone does not have all that git would compare.
    """
    added = [path for path in base.files_today if path not in base.entries and is_compared(base.root, path)]
    removed = removed_files(base) if added else []
    if not removed:
        return {}
    from advisor.temporary_folder import temporary_folder

    with temporary_folder() as folder:
        return _renames(base, added, removed, folder)


def removed_files(base: Commit) -> list[str]:
    """The files of the commit that are not in the work tree, those left out whose names say that they are not judged."""
    gone = (path for path in base.entries if not os.path.lexists(os.path.join(base.root, path)))
    return [path for path in gone if not reason_to_pass_over(path)]


def is_compared(root: str, path: str) -> bool:
    """Whether a path is that of a regular file of which the contents may be judged."""
    try:
        status = os.lstat(os.path.join(root, path))
    except OSError:
        return False
    is_small = status.st_size <= limits.size(limits.CONFIGURATION)
    return stat.S_ISREG(status.st_mode) and is_small and not reason_to_pass_over(path)


def _renames(base: Commit, added: Iterable[str], removed: Iterable[str], folder: str) -> dict[str, str]:
    """Compare with an index and objects of one's own: nothing is written to the repository."""
    objects = os.path.join(folder, "objects")
    os.makedirs(os.path.join(objects, "info"))
    own = git(base.root, "rev-parse", "--path-format=absolute", "--git-path", "objects").rstrip(b"\n")
    with open(os.path.join(objects, "info", "alternates"), "wb") as alternates:
        alternates.write(own + b"\n")
    places = {"GIT_INDEX_FILE": os.path.join(folder, "index"), "GIT_OBJECT_DIRECTORY": objects}
    rows = [(FILE, write_object(objects, os.path.join(base.root, path), base.id), path) for path in added]
    rows += [(REMOVED, "0" * len(base.id), path) for path in removed]
    lines = b"".join(os.fsencode(f"{mode} {id}\t{path}\0") for mode, id, path in rows if id)
    git(base.root, "read-tree", base.id, places=places)
    git(base.root, "update-index", "-z", "--index-info", stdin=lines, places=places)
    chosen = ("-z", "--diff-filter=R", "--name-status", "--cached", base.id)
    try:
        words = git(base.root, "diff-index", SIMILAR, *chosen, places=places).split(b"\0")
    except GitFailed:
        words = git(base.root, "diff-index", EQUAL, *chosen, places=places).split(b"\0")
    return {os.fsdecode(new): os.fsdecode(old) for old, new in zip(words[1::3], words[2::3], strict=False)}


def write_object(objects: str, path: str, like: str) -> str:
    """Write a file's contents as an object of git's, and return its id; empty where it cannot be read."""
    import zlib
    from hashlib import sha1, sha256

    try:
        with open(path, "rb") as file:
            contents = file.read()
    except OSError:
        return ""
    contents = b"blob %d\0" % len(contents) + contents
    hashed = sha1 if len(like) == 40 else sha256
    id = hashed(contents, usedforsecurity=False).hexdigest()
    os.makedirs(os.path.join(objects, id[:2]), exist_ok=True)
    with open(os.path.join(objects, id[:2], id[2:]), "wb") as file:
        file.write(zlib.compress(contents, 1))
    return id
