"""Write what a command says in every format that is asked for: to standard output, or to a file."""

from __future__ import annotations

import sys

from advisor.errors import UnwritableOutput, os_reason, printable
from advisor.reports.formats import STDOUT, files_first, write_whole
from advisor.reports.plain_text import write_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Lines = Callable[[str], Iterable[str]]
    """The lines of a result in the format of that name."""

TEXT = "text"


def show(formats: Sequence[str], lines: Lines, verbatim: tuple[str, ...] = ()) -> None:
    """Write each NAME[=FILE]; text on a terminal is wrapped, but for tables and what begins like a verbatim line.

    Raises UnwritableOutput for the files that cannot be written, when the others are.
    """
    wrong = []
    for name, path in files_first(formats):
        if path == STDOUT:
            to_standard_output(name, lines(name), verbatim)
            continue
        try:
            write_whole(path, (f"{printable(line) if name == TEXT else line}\n" for line in lines(name)))
        except OSError as error:
            wrong.append(f"{path}: {os_reason(error)}")
    if wrong:
        raise UnwritableOutput("; ".join(wrong))


def to_standard_output(name: str, lines: Iterable[str], verbatim: tuple[str, ...]) -> None:
    """Print lines; those of text are kept from steering a log or a terminal."""
    if name == TEXT:
        write_text(lines, verbatim)
    else:
        sys.stdout.writelines(f"{line}\n" for line in lines)
