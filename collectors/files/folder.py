"""Walk a folder for files that may hold Kafka configuration: what git tracks or does not ignore, no links."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence

from advisor import limits
from advisor.git import GitFailed, is_in_work_tree, listed_files
from collectors.files.ignore_patterns import IgnorePattern, patterns_of, verdict

OF_TOOLS = frozenset(
    (".git", "node_modules", "target", ".terraform", ".venv", "venv", "__pycache__", ".tox", ".gradle")
)
"""Folders of tools: what they hold was made or fetched, unless git tracks it."""
OF_CODE = frozenset(
    ("java", "kt", "kts", "scala", "groovy", "gradle", "py", "pyi", "rb", "go", "rs", "c", "h", "cc", "cpp", "hpp", "cs",
     "js", "mjs", "ts", "tsx", "jsx", "vue", "astro", "svelte", "cue", "dart", "lua", "ex", "exs", "erl", "clj", "hs", "php", "swift", "sql", "proto", "avsc", "avdl", "css", "scss", "html", "htm",
     "svg", "xml", "xsd", "csproj", "fsproj", "csv", "tsv", "rst", "adoc", "ipynb", "ejs", "snap", "lock", "sum", "mod", "patch", "diff")
)  # fmt: skip
BINARY = frozenset(
    ("png", "jpg", "jpeg", "gif", "ico", "webp", "pdf", "jar", "war", "class", "zip", "gz", "tgz", "bz2", "xz", "zst", "7z",
     "tar", "so", "dll", "exe", "bin", "jks", "p12", "pfx", "keystore", "truststore", "woff", "woff2", "ttf", "eot", "mp4",
     "parquet", "orc", "avro", "pyc", "o", "a", "db", "sqlite", "npy", "npz", "h5", "pkl", "mp3", "wav", "webm", "mov", "bmp",
     "tif", "tiff", "otf", "deb", "rpm", "whl", "wasm", "dylib")
)  # fmt: skip
RECIPES = (".rb", ".groovy", ".cue", ".xml", ".sql", ".pkl")
"""What code ends with that sets up servers: Chef's attributes and recipes, Jenkins' pipelines, CUE and Pkl, Ambari's XML, ksqlDB's SQL."""
LOCKS = (".lock.json", "package-lock.json")
IGNORE = ".gitignore"
MISSING, SPECIAL, SUBMODULE = "not in the work tree", "pipes, sockets and devices", "submodules without files"
IGNORED, LINK, CODE, BINARIES, TOOLS = (
    "ignored by .gitignore",
    "links",
    "source code",
    "binary files",
    "folders of tools",
)
"""Why files and folders are passed over."""
Rules = tuple[str, Sequence[IgnorePattern]]


class TooMany(Exception):
    """A folder holds more files than one run judges."""


class Folder:
    """A folder's files that may hold configuration, and what is passed over, by the reason; `listed` is what git lists, if it was asked."""

    def __init__(self, path: str, listed: Iterable[str] | None = None) -> None:
        self.path = path
        self._names = listed
        self.passed_over: dict[str, list[str]] = {}

    def files(self) -> Iterator[str]:
        """The paths of the files, in order. Raises TooMany."""
        number = 0
        for path in self._all():
            reason = reason_to_pass_over(path)
            if reason:
                self._pass_over(reason, path)
                continue
            number += 1
            if number > limits.FILES:
                raise TooMany(f"{self.path}: over {limits.FILES:,} files; name a smaller folder")
            yield path

    def _all(self) -> Iterator[str]:
        """What git tracks or does not ignore; without a work tree what the patterns of .gitignore leave."""
        if is_in_work_tree(self.path):
            try:
                names = sorted(self._names) if self._names is not None else listed_files(self.path)
            except GitFailed:
                pass
            else:
                for name in names:
                    yield from self._listed(os.path.join(self.path, name))
                return
        yield from self._walk(self.path, ())

    def _listed(self, path: str) -> Iterator[str]:
        """A file that git lists, or the files of a folder: a submodule or a repository inside this one."""
        try:
            mode = os.lstat(path.rstrip(os.sep)).st_mode
        except OSError:
            self._pass_over(MISSING, path)
            return
        if stat.S_ISREG(mode):
            yield path
        elif stat.S_ISLNK(mode):
            self._pass_over(LINK, path)
        elif not stat.S_ISDIR(mode):
            self._pass_over(SPECIAL, path)
        elif _is_empty(path):
            self._pass_over(SUBMODULE, path)
        else:
            yield from self._walk(path.rstrip(os.sep), ())

    def _walk(self, folder: str, rules: tuple[Rules, ...]) -> Iterator[str]:
        try:
            with os.scandir(folder) as entries:
                children = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            return
        if any(entry.name == IGNORE for entry in children):
            rules = (*rules, (folder, patterns_in(os.path.join(folder, IGNORE))))
        for entry in children:
            path, is_folder = os.path.join(folder, entry.name), entry.is_dir(follow_symlinks=False)
            if entry.is_symlink():
                self._pass_over(LINK, path)
            elif is_folder and entry.name in OF_TOOLS:
                self._pass_over(TOOLS, path)
            elif is_ignored(path, is_folder, rules):
                self._pass_over(IGNORED, path)
            elif is_folder:
                yield from self._walk(path, rules)
            elif entry.is_file(follow_symlinks=False):
                yield path
            else:
                self._pass_over(SPECIAL, path)

    def take(self, reason: str, path: str) -> None:
        """Take a file from those that are passed over."""
        self.passed_over[reason].remove(path)
        if not self.passed_over[reason]:
            del self.passed_over[reason]

    def _pass_over(self, reason: str, path: str) -> None:
        if not path.endswith(f"{os.sep}.git"):
            self.passed_over.setdefault(reason, []).append(path)


def _is_empty(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is None
    except OSError:
        return False


def patterns_in(path: str) -> list[IgnorePattern]:
    """The patterns of a .gitignore; none where it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as handle:
            return patterns_of(handle.read(limits.CONFIGURATION[1]))
    except OSError:
        return []


def is_ignored(path: str, is_folder: bool, rules: Sequence[Rules]) -> bool:
    """What the nearest rules say that say anything."""
    for folder, patterns in reversed(rules):
        parts = os.path.relpath(path, folder).split(os.sep)
        ignores = verdict(patterns, parts, is_folder)
        if ignores is not None:
            return ignores
    return False


def reason_to_pass_over(path: str) -> str:
    """Why a file of that name cannot hold configuration; empty where it may."""
    name = os.path.basename(path).lower()
    ending = name.rpartition(".")[2] if "." in name else ""
    if ending in BINARY:
        return BINARIES
    return CODE if ending in OF_CODE or name.endswith(LOCKS) else ""
