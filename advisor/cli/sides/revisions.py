"""Files as git names them: REF:path is a file or a folder as a commit has it."""

from __future__ import annotations

import os
from contextlib import chdir, contextmanager, suppress

from advisor.errors import UserError
from advisor.temporary_folder import temporary_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from advisor.git import Commit


@contextmanager
def revision(word: str) -> Iterator[str]:
    """A path that can be read in the block: that of REF:path is below a folder with the commit's files, which is the working directory.

    Raises UserError for a commit or a path that is not there.
    """
    ref, colon, path = word.partition(":")
    if not colon or not ref or ref.startswith((os.sep, ".")) or os.path.exists(word):
        yield word
        return
    from advisor.git import Commit, lies_in

    commit = Commit.named(ref)
    name, where = (os.path.relpath(os.path.realpath(each or "."), commit.root) for each in (path, os.curdir))
    start = "" if name == os.curdir else name
    paths = [each for each in commit.entries if lies_in(each, start)]
    if not paths:
        raise UserError(f"{word}: the commit has no file there")
    with as_of(where, commit, commit.contents(paths)):
        yield path or os.curdir


@contextmanager
def as_of(where: str, commit: Commit, files: Mapping[str, bytes]) -> Iterator[str]:
    """A folder with files of a commit and the links beside them; the working directory is the same one there meanwhile."""
    folders = {os.path.dirname(path) for path in files}
    links = {link: path for link, path in commit.linked_files.items() if os.path.dirname(link) in folders}
    targets = commit.contents(path for path in links.values() if path not in files)
    with temporary_folder() as root:
        os.makedirs(os.path.join(root, where), exist_ok=True)
        for path, contents in (*files.items(), *targets.items()):
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "wb") as file:
                file.write(contents)
        for link, path in links.items():
            with suppress(OSError):
                os.symlink(os.path.relpath(path, os.path.dirname(link) or os.curdir), os.path.join(root, link))
        with chdir(os.path.join(root, where)):
            yield root
