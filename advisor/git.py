"""Ask git about a work tree, by plumbing commands that run none of the programs that a repository names."""

from __future__ import annotations

import errno
import io
import os
import stat
import subprocess
from functools import cached_property

from advisor.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import IO

HARMLESS = (
    *("--no-pager", "--no-optional-locks", "--no-replace-objects", "--literal-pathspecs"),
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.attributesFile=/dev/null"),
    *(
        "-c",
        "core.sshCommand=false",
        "-c",
        "protocol.allow=never",
        "-c",
        "diff.external=",
        "-c",
        "core.quotePath=false",
    ),
)
"""What keeps a repository's own configuration from running a program, and git from the network."""
PATIENCE = 60
"""Seconds for one command."""
CHUNK = 1024 * 1024
REGULAR, LINK = b"100", b"120"
"""What the modes of git's regular files and of its symbolic links begin with."""


REMEDY = "fetch it first; a shallow clone needs its history (fetch-depth: 0)"


class GitFailed(UserError):
    """Git is not installed, the folder is in no work tree, or a command failed."""


def git(
    folder: str,
    *arguments: str,
    stdin: bytes = b"",
    success: tuple[int, ...] = (0,),
    places: Mapping[str, str] | None = None,
) -> bytes:
    """What a git command prints that runs in a folder. Raises GitFailed for every other exit code.

    `places` are variables that say where it has its index and its objects.
    """
    environment = {name: value for name, value in os.environ.items() if name not in ("GIT_EXTERNAL_DIFF", "GIT_PAGER")}
    environment |= {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    environment |= places or {}
    try:
        done = subprocess.run(
            ("git", *HARMLESS, *arguments),
            cwd=folder,
            env=environment,
            input=stdin,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GitFailed(f"git: {type(error).__name__}") from None
    if done.returncode not in success:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitFailed(f"git {arguments[0]}: {lines[-1] if lines else f'exit code {done.returncode}'}")
    return done.stdout


class Commit:
    """A commit, and its files as they are read in its work tree; `name` is what it was called."""

    def __init__(self, name: str, root: str, id: str) -> None:
        self.name, self.root, self.id = name, root, id

    @classmethod
    def named(cls, name: str, folder: str = ".") -> Commit:
        """The commit of a name in the work tree that a folder is in. Raises GitFailed."""
        if not is_in_work_tree(folder):
            raise GitFailed(f"{name}: no commit is read here: {os.path.abspath(folder)} is in no work tree of git")
        root = os.path.realpath(os.fsdecode(git(folder, "rev-parse", "--show-toplevel").rstrip(b"\n")))
        try:
            id = git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        except GitFailed:
            raise GitFailed(f"{name}: git knows no such commit; {REMEDY}") from None
        return cls(name, root, id.decode().strip())

    def merge_base(self) -> Commit:
        """The last commit that this one and HEAD have in common. Raises GitFailed, where a shallow clone does not have it."""
        try:
            base = git(self.root, "merge-base", self.id, "HEAD").decode().strip()
        except GitFailed:
            raise GitFailed(f"{self.name}: has no commit in common with HEAD here: {REMEDY}") from None
        return Commit(base, self.root, base)

    @cached_property
    def entries(self) -> dict[str, str]:
        """The object ids of the commit's regular files, by their path in the repository. Raises GitFailed."""
        return self._ids_by_path(REGULAR)

    @cached_property
    def links(self) -> dict[str, str]:
        """Where the commit's symbolic links lead, as they say it, by their path. Raises GitFailed."""
        ids = self._ids_by_path(LINK)
        return {path: os.fsdecode(target) for path, target in zip(ids, self._blobs(ids.values()), strict=True)}

    @cached_property
    def linked_files(self) -> dict[str, str]:
        """The regular files that the commit's symbolic links lead to, by the link. Raises GitFailed."""
        files = {
            link: os.path.normpath(os.path.join(os.path.dirname(link), target)) for link, target in self.links.items()
        }
        return {link: file for link, file in files.items() if file in self.entries}

    @cached_property
    def files_today(self) -> frozenset[str]:
        """The paths of the work tree's files that git tracks or does not ignore. Raises GitFailed."""
        return frozenset(listed_files(self.root))

    @cached_property
    def _tree(self) -> list[bytes]:
        return git(self.root, "ls-tree", "-r", "-z", "--full-tree", self.id).split(b"\0")

    def _ids_by_path(self, mode: bytes) -> dict[str, str]:
        rows = (os.fsdecode(entry).partition("\t") for entry in self._tree if entry.startswith(mode))
        return {path: head.split()[2] for head, _, path in rows if is_below(path)}

    def contents(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The contents of some of the commit's files, by path. Raises GitFailed."""
        paths = list(paths)
        return dict(zip(paths, self._blobs(self.entries[path] for path in paths), strict=True))

    def _blobs(self, ids: Iterable[str]) -> Iterable[bytes]:
        batch = "".join(f"{id}\n" for id in ids)
        if not batch:
            return ()
        return contents_of(git(self.root, "cat-file", "--batch", stdin=batch.encode()), f"{self.name}: {REMEDY}")

    def unchanged(self, paths: Iterable[str]) -> set[str]:
        """The paths at which the work tree has the commit's bytes, filters and line ends left out of it; of a link its target."""
        paths = list(paths)
        links = {path for path in paths if path in self.links or os.path.islink(os.path.join(self.root, path))}
        files = [path for path in paths if path in self.entries and path not in links and is_regular(self.root, path)]
        unchanged = {path for path in links if self._has_link(path)}
        return unchanged | {
            path for path, id in zip(files, self._hashed(files), strict=True) if id == self.entries[path]
        }

    def _has_link(self, path: str) -> bool:
        try:
            return self.links.get(path) == os.readlink(os.path.join(self.root, path))
        except OSError:
            return False

    def _hashed(self, files: list[str]) -> list[str | None]:
        """The id that git gives each file's contents; None for one that cannot be read."""
        if files and all(map(is_line, files)):
            lines = os.fsencode("\n".join(files))
            try:
                return list(
                    git(self.root, "hash-object", "--no-filters", "--stdin-paths", stdin=lines).decode().split()
                )
            except GitFailed:
                pass
        return [object_id(os.path.join(self.root, file), self.id) for file in files]

    def open(self, path: str) -> IO[bytes]:
        """A file of the commit at its path in the work tree. Raises FileNotFoundError where the commit has none."""
        name = os.path.relpath(
            os.path.join(os.path.realpath(os.path.dirname(path) or "."), os.path.basename(path)), self.root
        )
        try:
            return io.BytesIO(git(self.root, "cat-file", "blob", f"{self.id}:{name.replace(os.sep, '/')}"))
        except GitFailed:
            raise FileNotFoundError(2, "the commit has no such file", path) from None


def open_regular(path: str) -> IO[bytes]:
    """Open a file to read it. Raises OSError, also for a link and for what is no regular file."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise OSError(errno.EINVAL, "not a regular file", path)
    return open(path, "rb")


def is_line(path: str) -> bool:
    """Whether git takes a line for the path as it is: a quote at its start makes it another one, and a carriage return is cut off."""
    return "\n" not in path and not path.startswith('"') and not path.endswith("\r")


def is_regular(root: str, path: str) -> bool:
    """Whether a path of a work tree is a regular file, and no link."""
    try:
        return stat.S_ISREG(os.lstat(os.path.join(root, path)).st_mode)
    except OSError:
        return False


def object_id(path: str, like: str) -> str | None:
    """The id that git gives a file's contents: SHA-1, or SHA-256 where the one beside it is as long; None where it cannot be read."""
    import hashlib

    digest = hashlib.new("sha1" if len(like) == 40 else "sha256", usedforsecurity=False)
    try:
        with open_regular(path) as file:
            digest.update(b"blob %d\0" % os.fstat(file.fileno()).st_size)
            while chunk := file.read(CHUNK):
                digest.update(chunk)
    except OSError:
        return None
    return digest.hexdigest()


def files_with(root: str, words: Iterable[str]) -> set[str]:
    """The paths of a work tree's files that hold one of the words, in upper or lower case. Raises GitFailed."""
    patterns = b"\n".join(os.fsencode(word) for word in words if word and "\n" not in word)
    if not patterns:
        return set()
    options = ("-l", "-z", "-F", "-i", "--untracked", "--no-recurse-submodules", "--no-textconv", "--full-name")
    listed = git(root, "grep", *options, "-f", "-", stdin=patterns, success=(0, 1))
    return {os.fsdecode(path) for path in listed.split(b"\0") if path}


def lies_in(path: str, folder: str) -> bool:
    """Whether a path of a repository is a folder of it or below it; "" is the root."""
    return not folder or path == folder or path.startswith(f"{folder}{os.sep}")


def is_below(path: str) -> bool:
    """Whether a path of a tree stays below the folder that it is written to."""
    return {"", ".", "..", ".git"}.isdisjoint(path.replace("\\", "/").split("/"))


def contents_of(batch: bytes, missing: str) -> Iterator[bytes]:
    """The contents that `git cat-file --batch` printed. Raises GitFailed for one that the clone does not have."""
    start = 0
    while start < len(batch):
        end = batch.index(b"\n", start)
        words = batch[start:end].split()
        if len(words) != 3:
            raise GitFailed(missing)
        start = end + 1 + int(words[2]) + 1
        yield batch[end + 1 : start - 1]


def is_in_work_tree(folder: str) -> bool:
    """Whether a folder or one above it holds .git; git itself is asked only then."""
    path = os.path.realpath(folder)
    while not os.path.lexists(os.path.join(path, ".git")):
        parent = os.path.dirname(path)
        if parent == path:
            return False
        path = parent
    return True


def listed_files(folder: str) -> list[str]:
    """The paths below a folder, from it on, that git tracks or does not ignore, in order. Raises GitFailed."""
    listed = git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".")
    return sorted({os.fsdecode(path) for path in listed.split(b"\0") if path})
