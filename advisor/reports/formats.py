"""Which formats there are, and how a run writes several of them: each to its own file, one to standard output."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from advisor.errors import BadFormat, UnwritableOutput, os_reason, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import ModuleType

    from advisor.reports.context import Run

MODULES = {
    "text": "text_report",
    "json": "json_v1",
    "sarif": "sarif",
    "junit": "junit",
    "gitlab": "gitlab",
    "github": "github",
    "csv": "csv_table",
    "markdown": "markdown",
    "prometheus": "prometheus",
    "html": "html_page",
}
"""The module behind each format: `chunks(run)` yields its text, `unshown(run)` says what its reader will not show."""
STDOUT = "-"


def parse(text: str) -> tuple[str, str]:
    """(format, file) of NAME[=FILE]; the file is - for standard output. Raises BadFormat."""
    name, named, path = text.partition("=")
    if name not in MODULES:
        raise BadFormat(f"no such format: {name} (there are {', '.join(MODULES)})")
    if named and not path:
        raise BadFormat(f"{name}=: name the file behind the equals sign")
    if name == "html":
        _needs_jinja()
    return name, path or STDOUT


def _needs_jinja() -> None:
    from importlib.util import find_spec

    if find_spec("jinja2") is None:
        raise BadFormat("html: jinja2 is not installed: the HTML report needs `pip install 'kafka-advisor[html]'`")


def parse_all(texts: Iterable[str]) -> list[tuple[str, str]]:
    """The outputs of a run, none of which stands in another's way. Raises BadFormat."""
    outputs = [parse(text) for text in texts]
    places: dict[str, str] = {}
    for name, path in outputs:
        place = path if path == STDOUT else os.path.realpath(path)
        if place in places:
            where = "standard output" if path == STDOUT else path
            raise BadFormat(f"{places[place]} and {name} both go to {where}: give one a file, as in {name}=report.out")
        places[place] = name
    return outputs


def write(run: Run, texts: Sequence[str], files_only: bool = False) -> None:
    """Write every output; what a format's reader cannot show is said on standard error.

    Raises Unwritable for the files that cannot be written, when the others are.
    """
    wrong = []
    for name, path in parse_all(texts):
        if files_only and path == STDOUT:
            continue
        module = load(name)
        if path == STDOUT:
            _print(module, run)
        else:
            try:
                write_whole(path, module.chunks(run))
            except OSError as error:
                wrong.append(f"{path}: {os_reason(error)}")
                continue
        for line in module.unshown(run):
            say(f"{name}: {line}")
    if wrong:
        raise UnwritableOutput("; ".join(wrong))


def load(name: str) -> ModuleType:
    """The module of a format."""
    found: ModuleType = __import__(f"advisor.reports.{MODULES[name]}", fromlist=("chunks",))
    return found


def _print(module: ModuleType, run: Run) -> None:
    if sys.stdout.isatty() and hasattr(module, "show"):
        module.show(run)
        return
    for chunk in module.chunks(run):
        sys.stdout.write(chunk)


def write_whole(path: str, chunks: Iterable[str]) -> None:
    """Write a report that appears whole or not at all. Raises OSError."""
    from advisor.atomic_file import write

    write(path, (chunk.encode("utf-8", "backslashreplace") for chunk in chunks))
