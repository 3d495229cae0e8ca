"""The files of one run by folder: some files of a folder are about one cluster."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

YAML = (".yml", ".yaml")


class RunFiles:
    """The files of one run; `made` keeps what readers made of all files of a folder, by reader and folder.

    `others` are files below the same folder that mention nothing of Kafka, and may be named by those that do; of a
    `former` run are read what plans change, as it was before.
    """

    def __init__(self, paths: Sequence[str], others: Sequence[str] = (), former: bool = False) -> None:
        self.former = former
        self._paths = paths
        self._others = others
        self._by_folder: dict[str, list[str]] | None = None
        self.made: dict[tuple[str, str], Any] = {}
        self._has_terraform: bool | None = None
        self._compose_files: list[str] | None = None

    def __len__(self) -> int:
        """The number of files."""
        return len(self._paths)

    @property
    def is_one(self) -> bool:
        """Whether there is no other file, one without a word of Kafka included."""
        return len(self._paths) + len(self._others) < 2

    def ending(self, endings: tuple[str, ...]) -> list[str]:
        """The files that end so, those that mention nothing of Kafka as well."""
        return [path for paths in (self._paths, self._others) for path in paths if path.endswith(endings)]

    @property
    def has_terraform(self) -> bool:
        """Whether there is code of Terraform's among the files."""
        if self._has_terraform is None:
            self._has_terraform = bool(self.ending((".tf",)))
        return self._has_terraform

    @property
    def compose_files(self) -> Sequence[str]:
        """The files whose names are those of Compose files."""
        if self._compose_files is None:
            self._compose_files = [path for path in self.ending(YAML) if "compose" in os.path.basename(path)]
        return self._compose_files

    def of_folder(self, folder: str) -> Sequence[str]:
        """The files of a folder, whose index is made when it is first asked for."""
        if self._by_folder is None:
            self._by_folder = {}
            for path in self._paths:
                self._by_folder.setdefault(os.path.dirname(path), []).append(path)
        return self._by_folder.get(folder, ())
