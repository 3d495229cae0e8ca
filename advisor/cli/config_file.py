"""Find and read the configuration file of a run. A file that is discovered can neither run code nor write."""

from __future__ import annotations

import os

from advisor.errors import UserError, os_reason, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO, BinaryIO

    Opener = Callable[[str], IO[bytes]]
    Values = dict[str, object]

YAML, TOML = "kafka-advisor.yaml", "pyproject.toml"
SECTION = b"[tool.kafka-advisor"
KEYS_QUOTED = r"\([^()]*'[^()]*\)|'[^']{2,}'"
"""The names of keys in an error of the parser."""
SMALL = 1024 * 1024
"""Bytes up to which no limit has to be looked up."""


def discover(opener: Opener | None = None, folder: str | None = None) -> str | None:
    """The nearest configuration file above a folder (the working directory), or with an opener of a commit that of the commit.

    The search ends at the repository's root. Outside one it ends at the home folder, or before a folder or a file that
    belongs to another user: whoever may write to a shared folder does not decide how others judge.
    """
    folder = os.getcwd() if folder is None else folder
    root = _repository(folder)
    if opener is not None:
        return next((path for each in _folders(folder, root or folder) if (path := _of_commit(each, opener))), None)
    for each in _folders(folder, root or os.path.expanduser("~")):
        path = _candidate(each)
        if root is None and not _is_own(each, path):
            if path:
                say(f"{path}: passed over, it belongs to another user; name it with --config to use it")
            return None
        if path:
            return path
    return None


def _of_commit(folder: str, opener: Opener) -> str | None:
    """The configuration file that a commit has in a folder."""
    for name in (YAML, TOML):
        path = os.path.join(folder, name)
        try:
            with opener(path) as handle:
                if name == YAML or SECTION in handle.read():
                    return path
        except OSError:
            continue
    return None


def _folders(folder: str, last: str) -> Iterator[str]:
    """The folder and those above it, up to the last one that is looked at."""
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder or os.path.realpath(folder) == os.path.realpath(last):
            return
        folder = parent


def _repository(folder: str) -> str | None:
    """The root of the repository that the folder is in; one of another owner counts as none."""
    for each in _folders(folder, os.sep):
        if os.path.exists(os.path.join(each, ".git")):
            return each if _owner(each) == _owner(folder) else None
    return None


def _candidate(folder: str) -> str | None:
    for name in (YAML, TOML):
        path = os.path.join(folder, name)
        if os.path.isfile(path) and (name == YAML or _mentions_us(path)):
            return path
    return None


def _is_own(folder: str, path: str | None) -> bool:
    mine = os.geteuid() if hasattr(os, "geteuid") else None
    return mine is None or (_owner(folder) == mine and (path is None or _owner(path) == mine))


def _owner(path: str) -> int:
    try:
        return os.stat(path).st_uid
    except OSError:
        return -1


def _mentions_us(path: str) -> bool:
    try:
        with open(path, "rb") as handle:
            start = handle.read(SMALL)
            return SECTION in start or (len(start) == SMALL and SECTION in start + _rest(handle))
    except OSError:
        return False


def _rest(handle: BinaryIO) -> bytes:
    """What a file holds beyond its start, up to the limit."""
    from advisor import limits

    return handle.read(limits.size(limits.TOML) - SMALL)


def load(path: str, opener: Opener | None = None) -> Values:
    """The values of a configuration file; the opener is for those of a commit. Raises UserError."""
    from advisor import limits

    toml = path.endswith(".toml")
    try:
        with opener(path) if opener else open(path, "rb") as handle:
            data = limits.read(handle, limits.TOML if toml else limits.SETTINGS, path)
    except OSError as error:
        raise UserError(f"{path}: {os_reason(error)}") from None
    except ValueError:
        raise UserError(f"{path!r}: not a file name") from None
    values = _toml(path, data) if toml else _yaml(path, data)
    if not isinstance(values, dict):
        raise UserError(f"{path}: must be a mapping of settings; see the README")
    return {str(key): value for key, value in values.items()}


def _toml(path: str, data: bytes) -> object:
    import re
    import tomllib

    try:
        tool = tomllib.loads(data.decode("utf-8")).get("tool", {})
    except RecursionError:
        raise UserError(f"{path}: not TOML: nested too deep") from None
    except ValueError as error:
        raise UserError(f"{path}: not TOML: {re.sub(KEYS_QUOTED, '…', ' '.join(str(error).split())[:200])}") from None
    return tool.get("kafka-advisor", {}) if isinstance(tool, dict) else tool


def _yaml(path: str, data: bytes) -> object:
    from advisor import yaml_file

    return yaml_file.load(data, path) or {}
