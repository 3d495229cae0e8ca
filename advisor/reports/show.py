"""Write what a command says in every format that is asked for: to standard output, or to a file."""

from __future__ import annotations

import sys

from advisor.errors import UnwritableOutput, os_reason
from advisor.reports.formats import STDOUT, files_first, write_whole
from advisor.reports.screen import size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from advisor.reports.document.blocks import Document

    Lines = Callable[[], Iterable[str]]

TEXT, MARKDOWN, HTML = "text", "markdown", "html"
OF_DOCUMENTS = (TEXT, MARKDOWN, HTML)
"""The formats that render documents."""
DEFAULT_SIZE = (100, 24)


def show(formats: Sequence[str], documents: Callable[[], Sequence[Document]], **lines_by_format: Lines) -> None:
    """Write each NAME[=FILE]: of documents, or the lines of a format of the command's own; only text on a terminal is wrapped.

    Raises UnwritableOutput for the files that cannot be written, when the others are.
    """
    wrong = []
    for name, path in files_first(formats):
        lines = lines_by_format[name]() if name in lines_by_format else rendered(name, path, documents())
        rows = (f"{line}\n" for line in lines)
        if path == STDOUT:
            sys.stdout.writelines(rows)
            continue
        try:
            write_whole(path, rows)
        except OSError as error:
            wrong.append(f"{path}: {os_reason(error)}")
    if wrong:
        raise UnwritableOutput("; ".join(wrong))


def in_json(documents: Iterable[object]) -> Iterable[str]:
    """One document as JSON, or several as a list."""
    from advisor.reports.machine.json_text import dump_documents

    return [dump_documents(list(documents))]


def rendered(name: str, path: str, documents: Sequence[Document]) -> Iterable[str]:
    """The documents in one of the formats for people."""
    if name == TEXT:
        from advisor.reports.document import text

        on_terminal = path == STDOUT and sys.stdout.isatty()
        return text.lines(documents, size(DEFAULT_SIZE)[0] if on_terminal else None)
    if name == MARKDOWN:
        from advisor.reports.document import markdown

        return markdown.lines(documents)
    from advisor.reports.document import html

    return html.lines(documents)
