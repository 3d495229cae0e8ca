"""Report formats: parse --format NAME[=FILE], and write each report to its file or standard output."""

from __future__ import annotations

import os
import sys

from advisor.errors import BadFormat, UnwritableOutput, os_reason, say
from advisor.reports.screen import shows_color

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import ModuleType

    from advisor.reports.context import RunResult

MODULES = {
    "text": "text.text_format",
    "concise": "machine.concise",
    "json": "machine.json_v1",
    "sarif": "machine.sarif",
    "junit": "machine.junit",
    "gitlab": "machine.gitlab",
    "github": "machine.github",
    "csv": "machine.csv_table",
    "markdown": "markdown",
    "prometheus": "machine.prometheus",
    "html": "html.page",
}
"""The module behind each format: `chunks(run)` yields its text, `unshown(run)` says what its reader will not show."""
OF_FINDINGS = ("sarif", "junit", "gitlab", "github")
"""The formats for programs that any command with findings writes."""
STDOUT = "-"


def parse(text: str, names: Sequence[str]) -> tuple[str, str]:
    """Parse NAME[=FILE] into (format, file); the file is - for standard output. Raises BadFormat."""
    name, named, path = text.partition("=")
    if name not in names:
        raise BadFormat(f"no such format: {name} (there are {', '.join(names)})")
    if named and not path:
        raise BadFormat(f"{name}=: name the file behind the equals sign")
    return name, path or STDOUT


def parse_all(texts: Iterable[str], names: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Parse all outputs of a run, in the formats of `lint` if no others are named. Raises BadFormat if two share a target."""
    outputs = [parse(text, names or tuple(MODULES)) for text in texts]
    format_of_target: dict[str, str] = {}
    for name, path in outputs:
        target = path if path == STDOUT else os.path.realpath(path)
        if target in format_of_target:
            where = "standard output" if path == STDOUT else path
            raise BadFormat(
                f"{format_of_target[target]} and {name} both go to {where}: give one a file, as in {name}=report.out"
            )
        format_of_target[target] = name
    return outputs


def write(run: RunResult, texts: Sequence[str], files_only: bool = False) -> None:
    """Write every output; what a format cannot show is reported on standard error.

    Raises Unwritable for the files that cannot be written, when the others are.
    """
    wrong = []
    for name, path in files_first(texts):
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


def files_first(texts: Iterable[str]) -> list[tuple[str, str]]:
    """The parsed outputs as (format, file), standard output last: the formats were checked when they were read."""
    outputs = [(name, path or STDOUT) for name, _, path in (text.partition("=") for text in texts)]
    return sorted(outputs, key=lambda output: output[1] == STDOUT)


def load(name: str) -> ModuleType:
    """Import the module of a format."""
    module: ModuleType = __import__(f"advisor.reports.{MODULES[name]}", fromlist=("chunks",))
    return module


def _print(module: ModuleType, run: RunResult) -> None:
    if hasattr(module, "show") and (sys.stdout.isatty() or shows_color(False)):
        module.show(run)
        return
    for chunk in module.chunks(run):
        sys.stdout.write(chunk)


def of_findings(run: Callable[[], RunResult]) -> dict[str, Callable[[], list[str]]]:
    """The lines of each format for programs, of a command that has findings."""
    from functools import partial

    return {name: partial(lines_of, name, run) for name in OF_FINDINGS}


def lines_of(name: str, run: Callable[[], RunResult]) -> list[str]:
    """The lines of a run's report in the format of that name; what it cannot show is said on standard error."""
    module, result = load(name), run()
    for line in module.unshown(result):
        say(f"{name}: {line}")
    return "".join(module.chunks(result)).removesuffix("\n").split("\n")


def write_whole(path: str, chunks: Iterable[str]) -> None:
    """Write a report atomically. Raises OSError."""
    from advisor.atomic_file import write

    write(path, (chunk.encode("utf-8", "backslashreplace") for chunk in chunks))
