"""The files that a run judges of those that it is given."""

from __future__ import annotations

import os


class Scope:
    """The files to judge, by their path from a root on; `paths` is None for all, `known` are those that may be left out.

    `listed` are all files below the root that git lists, where it was asked already.
    """

    def __init__(
        self,
        root: str,
        paths: frozenset[str] | None = None,
        known: frozenset[str] = frozenset(),
        listed: frozenset[str] | None = None,
    ) -> None:
        self.root = os.path.realpath(root)
        self.listed = listed
        self.paths = paths
        self.known = known

    def leaves_out(self, path: str) -> bool:
        """Whether a file did not change, and nothing that changed is judged together with it."""
        if self.paths is None:
            return False
        relative = os.path.relpath(os.path.realpath(path), self.root)
        return relative in self.known and relative not in self.paths

    def below(self, folder: str) -> frozenset[str] | None:
        """The files below a folder, spelled as a walk of it names them; None for all."""
        if self.paths is None:
            return None
        there = os.path.relpath(os.path.realpath(folder), self.root)
        start = "" if there == os.curdir else f"{there}{os.sep}"
        return frozenset(
            os.path.join(folder, path.removeprefix(start)) for path in self.paths if path.startswith(start)
        )

    def listed_in(self, folder: str) -> frozenset[str] | None:
        """What git lists below a folder, if it is the root and git was asked already."""
        return self.listed if os.path.realpath(folder) == self.root else None
