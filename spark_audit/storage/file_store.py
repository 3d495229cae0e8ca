"""Folders of files, of this machine or an object store, by pyarrow's file systems."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping
from typing import IO, Any

import pyarrow as pa
from pyarrow import fs

from advisor.errors import UserError, os_reason
from spark_audit.storage.location import CATALOG, FOLDER, Location, parse_location

SCHEMES = {"s3a": "s3", "s3n": "s3", "gcs": "gs"}
"""Other spellings of schemes, as Hadoop has them."""


class Store:
    """A folder: `root` is its path in a file system of pyarrow, `shown` how the user names it. It can be pickled."""

    def __init__(self, shown: str, system: fs.FileSystem, root: str) -> None:
        self.shown = shown
        self.system = system
        self.root = root

    @property
    def is_local(self) -> bool:
        """Whether the files are this machine's."""
        return isinstance(self.system, fs.LocalFileSystem)

    def path(self, *names: str) -> str:
        """The path of something below the folder."""
        return "/".join((self.root, *names))

    def below(self, name: str) -> Store:
        """A folder in this one."""
        return Store(f"{self.shown}/{name}", self.system, self.path(name))

    def names(self, *below: str) -> list[str]:
        """The names in a folder, in order; none where there is no such folder. Raises UserError."""
        selector = fs.FileSelector(self.path(*below), allow_not_found=True)
        return sorted(info.base_name for info in self._call(self.system.get_file_info, selector))

    def is_folder(self, *names: str) -> bool:
        """Whether there is such a folder. Raises UserError."""
        return bool(self._call(self.system.get_file_info, self.path(*names)).type == fs.FileType.Directory)

    def read(self, *names: str) -> bytes:
        """The content of a file. Raises UserError."""

        def read_all(path: str) -> bytes:
            with self.system.open_input_stream(path) as stream:
                return bytes(stream.read())

        content: bytes = self._call(read_all, self.path(*names))
        return content

    def write(self, content: bytes, *names: str) -> None:
        """Write a file, whole or not at all. Raises UserError."""

        def write_all(path: str) -> None:
            if self.is_local:
                from advisor import atomic_file

                atomic_file.write(path, [content])
                return
            with self.system.open_output_stream(path) as stream:
                stream.write(content)

        self._call(write_all, self.path(*names))

    def make_folder(self, *names: str) -> str:
        """Make a folder, and return its path; object stores know none. Raises UserError."""
        path = self.path(*names)
        if self.is_local:
            self._call(self.system.create_dir, path)
        return path

    def modified(self, *names: str) -> int | None:
        """When a file, or the newest in a folder, was written, in ns; None if unknown. Raises UserError.

        Where folders have times, too, one from which a file was removed since counts as written then.
        """
        infos = [self._call(self.system.get_file_info, self.path(*names))]
        if infos[0].type == fs.FileType.Directory:
            infos = self._call(self.system.get_file_info, fs.FileSelector(self.path(*names), recursive=True))
        times: list[int | None] = [info.mtime_ns for info in infos if info.is_file or info.mtime_ns is not None]
        return None if None in times else max(filter(None, times), default=None)

    def remove(self, *names: str) -> None:
        """Remove a file or a folder with all that is in it. Raises UserError."""
        path = self.path(*names)
        kind = self._call(self.system.get_file_info, path).type
        if kind == fs.FileType.Directory:
            self._call(self.system.delete_dir, path)
        elif kind == fs.FileType.File:
            self._call(self.system.delete_file, path)

    def files(self, table: str, ending: str) -> list[str]:
        """The paths of a table's files, without those that Spark keeps for itself. Raises UserError."""
        names = [name for name in self.names(table) if name.endswith(f".{ending}") and name[0] not in "._"]
        return [self.path(table, name) for name in names]

    def _call(self, function: Any, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except (OSError, pa.ArrowException) as error:
            raise UserError(f"{self.shown}: {error_text(error)}") from None


def open_store(location: Location, options: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> Store:
    """Open a folder or a URI; options are those of pyarrow's file system. Raises UserError where Python cannot."""
    if location.kind == FOLDER:
        return Store(location.shown, fs.LocalFileSystem(), location.root)
    if location.kind == CATALOG:
        raise UserError(f"{location.shown}: tables of a catalog are Spark's: say --engine spark")
    scheme, _, rest = location.root.partition("://")
    settings = "&".join(f"{key}={value}" for key, value in dict(options).items())
    uri = f"{SCHEMES.get(scheme.lower(), scheme.lower())}://{rest}{'?' if settings else ''}{settings}"
    try:
        system, root = fs.FileSystem.from_uri(uri)
    except (OSError, pa.ArrowException, ValueError) as error:
        raise UserError(f"{location.shown}: {error_text(error)}; --engine spark reads what its Hadoop knows") from None
    return Store(location.shown, system, root.rstrip("/"))


def open_input(text: str) -> IO[bytes]:
    """Open a file that a user named, by its path or URI. Raises OSError, UserError."""
    folder, _, name = text.rpartition("/")
    return io.BytesIO(open_store(parse_location(folder)).read(name)) if "://" in text else open(text, "rb")


def error_text(error: Exception) -> str:
    """An error of a file system in one line."""
    if isinstance(error, OSError) and error.filename:
        return os_reason(error)
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno).lower()  # pyarrow has sentences of its own around it
    return " ".join(str(error).split())[:200] or type(error).__name__
