"""Ask git about a work tree, by plumbing commands that run none of the programs that a repository names."""

from __future__ import annotations

import io
import os
import subprocess

from advisor.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
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


class GitFailed(UserError):
    """Git is not installed, the folder is in no work tree, or a command failed."""


def git(folder: str, *arguments: str) -> bytes:
    """What a git command prints that runs in a folder. Raises GitFailed."""
    environment = {name: value for name, value in os.environ.items() if name not in ("GIT_EXTERNAL_DIFF", "GIT_PAGER")}
    environment |= {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ("git", *HARMLESS, *arguments),
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
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
        self.root = os.path.realpath(os.fsdecode(git(".", "rev-parse", "--show-toplevel").rstrip(b"\n")))
        try:
            named = git(".", "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        except GitFailed:
            remedy = "fetch it first; a shallow clone needs its history (fetch-depth: 0)"
            raise GitFailed(f"{name}: git knows no such commit; {remedy}") from None
        self.id = named.decode().strip()

    def open(self, path: str) -> IO[bytes]:
        """A file of the commit at its path in the work tree. Raises FileNotFoundError where the commit has none."""
        name = os.path.relpath(
            os.path.join(os.path.realpath(os.path.dirname(path) or "."), os.path.basename(path)), self.root
        )
        try:
            return io.BytesIO(git(self.root, "cat-file", "blob", f"{self.id}:{name.replace(os.sep, '/')}"))
        except GitFailed:
            raise FileNotFoundError(2, "the commit has no such file", path) from None


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
