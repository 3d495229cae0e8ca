"""What a file may name beside itself: files below its folder, read under the same limits; nothing is fetched."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from advisor import limits
from advisor.cache import cached
from advisor.errors import UnreadableInput
from collectors.files import unsaved
from collectors.files.run_files import RunFiles
from collectors.files.syntax.properties import decode
from collectors.files.syntax.text_lines import text_lines
from collectors.files.syntax.tree import TreeNode
from collectors.files.variables import Expansion, unquoted

T = TypeVar("T")
LARGEST = 1024 * 1024
MOST_FILES = 100
"""Files that one file may name."""
PARSED = 8
"""Files of YAML of which the last documents are kept: many files may name the same one."""


class Sources:
    """One file that is read, and the files beside it that it names."""

    def __init__(self, path: str, shown: str, run: RunFiles | None = None) -> None:
        self.path = path
        self._run = run or RunFiles([path])
        self.shown = shown
        self.not_read = ""
        """What of the file is not read beside what is."""
        self.expansion = Expansion(limits.EXPANDED)
        """What fills in the variables of the file's containers."""
        self._named = 0
        self._documents_of: dict[str, Sequence[TreeNode] | None] = {}

    def environment(self) -> dict[str, str]:
        """The variables of the `.env` beside the file, as Compose reads them; none where there is none."""
        return {name: value for name, value, _ in self.env_file(".env") or ()}

    @property
    def folder(self) -> str:
        """The folder of the file; other files of it may be about the same cluster."""
        return os.path.dirname(self.path)

    @property
    def files_beside(self) -> Sequence[str]:
        """The files of the run that lie in this one's folder, and itself."""
        return self._run.of_folder(self.folder)

    def is_of_run(self, path: str) -> bool:
        """Whether a file is one of the run."""
        return path in self._run.of_folder(os.path.dirname(path))

    def holds(self, name: str) -> bool:
        """Whether there is anything under a name below this one's folder, readable or not."""
        return self.path != "-" and os.path.lexists(os.path.join(self.folder, name))

    @property
    def run(self) -> RunFiles:
        """The files of the run."""
        return self._run

    def names(self, endings: tuple[str, ...]) -> list[str]:
        """The names in this one's folder that end so, in order."""
        try:
            names = os.listdir(self.folder or ".") if self.path != "-" else []
        except OSError:
            return []
        return sorted(name for name in names if name.endswith(endings))

    @property
    def has_files_beside(self) -> bool:
        """Whether the run has other files."""
        return len(self._run) > 1

    def of_folder(self, name: str, make: Callable[[Sources], T]) -> T:
        """What `make` makes of the files of this one's folder, made once in a run."""
        made = self._run.made
        if (name, self.folder) not in made:
            made[name, self.folder] = make(self)
        result: T = made[name, self.folder]
        return result

    def of_run(self, name: str, make: Callable[[Sources], T]) -> T:
        """What `make` makes of all files of the run, made once."""
        made = self._run.made
        if (name, "") not in made:
            made[name, ""] = make(self)
        result: T = made[name, ""]
        return result

    def texts(self, mark: str) -> Iterator[tuple[str, str]]:
        """(path, text) of the files of the run that lie in this one's folder and hold a word; none where they are too many."""
        for path in self.files_beside if len(self.files_beside) <= MOST_FILES else ():
            text = self._text_below_folder(os.path.basename(path))
            if text is not None and mark in text:
                yield path, text

    @staticmethod
    def documents(
        path: str, text: str, every: bool = False, beside: re.Pattern[str] | None = None
    ) -> Sequence[TreeNode]:
        """The documents of another file of YAML that mention Kafka, or every one, but those that match `beside`; one that cannot be read is said when its own turn comes."""
        return _parsed(path, text, every, beside)

    def documents_of(self, name: str) -> Sequence[TreeNode] | None:
        """Every document of a file of YAML below this one's folder, read once; None where there is none."""
        if name not in self._documents_of:
            text = self.text_of(name)
            self._documents_of[name] = None if text is None else self.documents(name, text, every=True)
        return self._documents_of[name]

    def shown_path(self, name: str) -> str:
        """The path under which outputs show a file that this one names."""
        return self._beyond_folder(name) or os.path.join(os.path.dirname(self.shown), os.path.normpath(name))

    def env_file(self, name: str) -> list[tuple[str, str, int]] | None:
        """(name, value, line) of the variables of a file below the folder of this one; None where it is not read."""
        text = self.text_of(name)
        return None if text is None else variables_in(text)

    def env_file_of_tree(self, name: str) -> list[tuple[str, str, int]] | None:
        """The variables of a file below the folder of this one, or of another file of the run."""
        text = self.text_of_tree(name)
        return None if text is None else variables_in(text)

    def text_beside(self, name: str) -> str | None:
        """The text of a file of this one's folder, which it does not name; None where it is not read."""
        return self._text_below_folder(name)

    def text_of(self, name: str) -> str | None:
        """The text of a regular file below this one's folder, None where there is none, or a link leads elsewhere."""
        self._named += 1
        return self._text_below_folder(name) if self._named <= MOST_FILES else None

    def text_of_tree(self, name: str) -> str | None:
        """The text of a file below this one's folder, or of another file of the run."""
        path = self._beyond_folder(name)
        if path is None:
            return self._text_below_folder(name)
        return Sources(path, path, self._run).text_beside(os.path.basename(path))

    def _beyond_folder(self, name: str) -> str | None:
        """The path of a file of the run that lies beside or above this one's folder; None where a name leads to none."""
        path = os.path.normpath(os.path.join(self.folder, name))
        others = self._run.ending((os.path.basename(path),)) if name.startswith("..") else ()
        return next((other for other in others if os.path.normpath(other) == path), None)

    def files_below(self, folder: str) -> list[str]:
        """The files of the run below a folder beside this one, by their paths from there."""
        begins = os.path.join(os.path.normpath(os.path.join(self.folder, folder)), "")
        begins = "" if begins == "./" else begins
        return sorted(
            os.path.normpath(path).removeprefix(begins)
            for path in self._run.ending(("",))
            if os.path.normpath(path).startswith(begins)
        )

    def _text_below_folder(self, name: str) -> str | None:
        if self.path == "-" or not name or "\0" in name:
            return None
        folder = os.path.realpath(os.path.dirname(self.path) or ".")
        real = os.path.realpath(os.path.join(folder, name))
        if not real.startswith(folder.rstrip(os.sep) + os.sep) or not os.path.isfile(real):
            return None
        try:
            with open(real, "rb") as handle:
                data = unsaved.texts.get(real) or handle.read(LARGEST + 1)
        except OSError:
            return None
        return None if len(data) > LARGEST or b"\0" in data else decode(data)


@cached(PARSED)
def _parsed(path: str, text: str, every: bool, beside: re.Pattern[str] | None) -> Sequence[TreeNode]:
    from collectors.files.syntax.recognition import YAML
    from collectors.files.syntax.yaml_tree import documents

    try:
        return tuple(documents(text, path, YAML, every, beside))
    except UnreadableInput:
        return ()


def variables_in(text: str) -> list[tuple[str, str, int]]:
    """(name, value, line) of the variables of an env file, as Compose reads it."""
    rows = []
    for number, line in enumerate(text_lines(text), 1):
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and name and not name.startswith("#"):
            rows.append((name.strip(), unquoted(value.strip()), number))
    return rows
