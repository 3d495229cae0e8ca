"""A document as lines of text; for a terminal, sentences, lists and the last column of a table are wrapped."""

from __future__ import annotations

from advisor.errors import printable
from advisor.reports.document.blocks import Bar, Items, Sentence, Steps, Table, rows_left
from advisor.reports.plain_text import wrapped_line
from advisor.reports.text.finding import wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.reports.document.blocks import Block, Cell, Document, Step

MORE = "(--format json has them all)"
GAP = "  "
"""Between two columns."""
NARROWEST = 30
"""Columns of the screen that the last column of a table is wrapped to at least."""


def lines(documents: Iterable[Document], width: int | None = None) -> Iterator[str]:
    """Every document, its lines no wider than a terminal of that width where they can be."""
    for number, document in enumerate(documents):
        yield from [""] if number else ()
        yield from TextRenderer(width).document(document)


class TextRenderer:
    """Renders blocks for a screen of some width, None for a file or a pipe."""

    def __init__(self, width: int | None) -> None:
        self.width = width

    def prose(self, line: str) -> list[str]:
        """A line, wrapped."""
        shown = printable(line)
        return wrapped_line(shown, self.width) if self.width else [shown]

    def document(self, document: Document) -> Iterator[str]:
        """One document: what it is about, its title, its sections, and its summary last."""
        title = document.title
        if document.about:
            yield from self.prose(document.about)
            title += "" if title.endswith((".", ":")) else ":"
        yield from self.prose(title) if title else []
        yield from self.blocks(document.blocks)
        for section in document.sections:
            yield from [""] if section.apart else []
            yield from self.prose(f"{section.title}:") if section.title and section.titled else []
            yield from self.blocks(section.blocks)
        if document.summary:
            yield from ("", *self.prose(document.summary))

    def blocks(self, blocks: Iterable[Block]) -> Iterator[str]:
        """Blocks one below the other; bars and pictures are left out."""
        for block in blocks:
            if isinstance(block, Sentence):
                yield from self.prose(f"{block.label}: {block.text}" if block.label else block.text)
            elif isinstance(block, Items):
                yield from self.items(block)
            elif isinstance(block, Steps):
                yield from self.steps(block)
            elif isinstance(block, Table):
                yield from self.table(block)

    def items(self, items: Items, indent: int | None = None) -> Iterator[str]:
        """A list."""
        before = " " * (items.indent if indent is None else indent)
        for row in items.rows[: items.shown]:
            text, below = (row, ()) if isinstance(row, str) else (row.text, row.below)
            for line in (f"{before}{items.mark}{text}", *(f"{before}  {line}" for line in below)):
                yield from self.prose(line)
        if len(items.rows) > items.shown:
            yield from self.prose(f"{before}{rows_left(len(items.rows) - items.shown, items.what)} {MORE}")

    def steps(self, steps: Steps) -> Iterator[str]:
        """Steps with their numbers; those with fields are apart from each other."""
        has_fields = any(step.fields for step in steps.steps)
        for number, step in enumerate(steps.steps, 1):
            if has_fields and number > 1:
                yield ""
            yield from self.prose(f"{number}. {step.title}" if has_fields else f"{number:>3}. {step.title}")
            yield from self.fields(step)
            yield from self.items(step.below, indent=7)

    def fields(self, step: Step) -> Iterator[str]:
        """What a step takes, a labelled line each; the remark stands behind the first."""
        for number, field in enumerate(step.fields):
            remark = f" {step.remark}" if step.remark and number == 0 else ""
            label = f"{field.label}:" if field.label else ""
            line = f"   {label:<7} {field.text}{remark}"
            yield from [printable(line)] if field.is_code else self.prose(line)

    def table(self, table: Table) -> Iterator[str]:
        """A table as aligned columns, or by its lines."""
        if table.lines is None:
            yield from self.columns(table)
        else:
            for row_lines in table.lines[: table.shown]:
                for line in row_lines:
                    yield from self.prose(line)
        left = table.total - table.shown
        if left > 0:
            more = table.more(table.shown) if table.more else rows_left(left, table.what)
            yield from self.prose(f"{' ' * table.indent}{more} {MORE}")

    def columns(self, table: Table) -> Iterator[str]:
        """Rows in columns as wide as their longest cell; a column of empty cells is left out.

        Below a head the first column is indented.
        """
        indent = " " * table.indent
        rows = [[cell_lines(cell) for cell in row] for row in table.rows[: table.shown]]
        for row in rows:
            row[0] = [indent + line for line in row[0]]
        rows = [[cell_lines(cell) for cell in table.head], *rows] if table.has_head else rows
        columns = [number for number in range(len(table.head)) if any(row[number] != [""] for row in rows)]
        widths = {number: max(len(row[number][0]) for row in rows) for number in columns}
        for number, least in enumerate(table.widths):
            widths[number] = max(widths[number], least + (table.indent if number == 0 else 0))
        for row in rows:
            yield from self.row([row[number] for number in columns], list(widths.items()), table.numbers)

    def row(
        self, cells: Sequence[Sequence[str]], widths: Sequence[tuple[int, int]], numbers: frozenset[int]
    ) -> Iterator[str]:
        """One row; further lines of its last cell stand below the first one."""
        *others, last = cells
        before = ""
        for (first, *_), (number, width) in zip(others, widths, strict=False):
            before += (first.rjust(width) if number in numbers else first.ljust(width)) + GAP
        number, width = widths[-1]
        start = len(before)
        for line in [last[0].rjust(width) if number in numbers else last[0], *last[1:]]:
            shown = [line]
            if self.width and start + NARROWEST < self.width:
                shown = wrapped(line.split(" "), self.width, start, start)
            shown[0] = before + shown[0]
            yield from (text.rstrip() for text in shown)
            before = " " * start


def cell_lines(cell: Cell) -> list[str]:
    """The lines of a cell; a bar is drawn in HTML alone."""
    if isinstance(cell, str):
        return [printable(cell)]
    return [""] if isinstance(cell, Bar) else [printable(line) for line in cell] or [""]
