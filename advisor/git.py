"""Ask git about a work tree, by plumbing commands that run none of the programs that a repository names."""

from __future__ import annotations

import io
import os
import subprocess

from advisor.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
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


REMEDY = "fetch it first; a shallow clone needs its history (fetch-depth: 0)"


class GitFailed(UserError):
    """Git is not installed, the folder is in no work tree, or a command failed."""


def git(folder: str, *arguments: str, stdin: bytes = b"") -> bytes:
    """What a git command prints that runs in a folder. Raises GitFailed."""
    environment = {name: value for name, value in os.environ.items() if name not in ("GIT_EXTERNAL_DIFF", "GIT_PAGER")}
    environment |= {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
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
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitFailed(f"git {arguments[0]}: {lines[-1] if lines else f'exit code {done.returncode}'}")
    return done.stdout


class Commit:
    """The files of a commit, as they are read in its work tree. Raises GitFailed for a name that is not one."""

    def __init__(self, name: str) -> None:
        if not is_in_work_tree("."):
            raise GitFailed(f"{name}: no commit is read here: {os.getcwd()} is in no work tree of git")
        self.root = os.path.realpath(os.fsdecode(git(".", "rev-parse", "--show-toplevel").rstrip(b"\n")))
        try:
            named = git(".", "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        except GitFailed:
            raise GitFailed(f"{name}: git knows no such commit; {REMEDY}") from None
        self.name = name
        self.id = named.decode().strip()

    def merge_base(self) -> Commit:
        """The last commit that this one and HEAD have in common. Raises GitFailed, where a shallow clone does not have it."""
        try:
            base = git(self.root, "merge-base", self.id, "HEAD").decode().strip()
        except GitFailed:
            raise GitFailed(f"{self.name}: has no commit in common with HEAD here: {REMEDY}") from None
        return Commit(base)

    def files(self, folder: str) -> dict[str, bytes]:
        """The regular files below a folder of the repository ("" for all), by their path in it. Raises GitFailed."""
        listed = git(self.root, "ls-tree", "-r", "-z", "--full-tree", self.id, "--", *([folder] if folder else []))
        entries = [entry.partition(b"\t") for entry in listed.split(b"\0") if entry.startswith(b"100")]
        paths = [(os.fsdecode(path), head.split()[2]) for head, _, path in entries if is_below(os.fsdecode(path))]
        blobs = git(self.root, "cat-file", "--batch", stdin=b"".join(id + b"\n" for _, id in paths))
        return dict(zip((path for path, _ in paths), contents_of(blobs, f"{self.name}: {REMEDY}"), strict=True))

    def renames(self) -> dict[str, str]:
        """The paths of the index whose files had another one in this commit, by git's detection of renames."""
        chosen = ("-z", "-M", "--diff-filter=R", "--name-status")
        words = git(self.root, "diff-index", "--cached", *chosen, self.id).split(b"\0")
        return {os.fsdecode(new): os.fsdecode(old) for old, new in zip(words[1::3], words[2::3], strict=False)}

    def open(self, path: str) -> IO[bytes]:
        """A file of the commit at its path in the work tree. Raises FileNotFoundError where the commit has none."""
        name = os.path.relpath(
            os.path.join(os.path.realpath(os.path.dirname(path) or "."), os.path.basename(path)), self.root
        )
        try:
            return io.BytesIO(git(self.root, "cat-file", "blob", f"{self.id}:{name.replace(os.sep, '/')}"))
        except GitFailed:
            raise FileNotFoundError(2, "the commit has no such file", path) from None


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
