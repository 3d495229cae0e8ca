"""A document as Markdown: for a comment of a pull request, a ticket or a page of a wiki."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from advisor.errors import printable
from advisor.reports.document.blocks import (
    ROWS_SHOWN,
    Bar,
    Block,
    Cell,
    Document,
    Field,
    Items,
    Section,
    Sentence,
    Step,
    Steps,
    Table,
    bare_label,
    rows_left,
)
from advisor.reports.markdown import escape

LONGEST_TEXT = 500
"""Characters of a sentence, a row or a cell."""
ROOM = 60_000
"""Characters of all: GitHub takes comments of up to 65,536."""
IN_JSON = "(`--format json` has them all)"


def lines(documents: Iterable[Document]) -> Iterator[str]:
    """Every document, as many lines as a comment takes; no two empty lines follow each other."""
    used, before = 0, ""
    for line in (line for document in documents for line in document_lines(document)):
        used += len(line) + 1
        if used > ROOM:
            yield from ("", "… and more (`--format json` has it all)")
            return
        if line or before:
            yield line
        before = line


def document_lines(document: Document) -> Iterator[str]:
    """One document: its title, what it is about and its summary, then its sections."""
    yield from ("", f"### kafka-advisor: {text(document.title.rstrip(':'))}")
    yield from (line for words in (document.about, document.summary) if words for line in ("", text(words)))
    yield from block_lines(document.blocks)
    for section in document.sections:
        yield from section_lines(section)


def section_lines(section: Section) -> Iterator[str]:
    """The blocks of a section below its title, nothing where none of them is text."""
    shown = list(block_lines(section.blocks, section.title))
    if any(shown) and section.title:
        yield from ("", f"**{text(section.title)}**{'' if section.row_count is None else f' ({section.row_count:,})'}")
    yield from shown


def block_lines(blocks: Iterable[Block], title: str = "") -> Iterator[str]:
    """Blocks one below the other; bars and pictures are left out."""
    for block in blocks:
        if isinstance(block, Sentence):
            yield from ("", f"{bare_label(block, title)}{text(block.text)}")
        elif isinstance(block, Items):
            yield from ("", *item_lines(block))
        elif isinstance(block, Steps):
            yield from ("", *step_lines(block))
        elif isinstance(block, Table):
            yield from ("", *table_lines(block))


def item_lines(items: Items, indent: str = "") -> Iterator[str]:
    """A list."""
    shown = items.rows[: max(items.shown, ROWS_SHOWN)]
    for row in shown:
        first, below = (row, ()) if isinstance(row, str) else (row.text, row.below)
        yield f"{indent}* {text(first)}"
        yield from (f"{indent}  * {text(line)}" for line in below)
    if len(items.rows) > len(shown):
        yield f"{indent}* {rows_left(len(items.rows) - len(shown), items.what)} {IN_JSON}"


def step_lines(steps: Steps) -> Iterator[str]:
    """Steps: boxes to tick, or a numbered list of what happened."""
    for number, step in enumerate(steps.steps, 1):
        if steps.to_do and step.fields and number > 1:
            yield ""
        remark = f" {text(step.remark)}" if step.remark else ""
        title, indent = (
            (f"- [ ] **{number}. {text(step.title)}**", "  ")
            if steps.to_do
            else (f"{number}. {text(step.title)}", " " * len(f"{number}. "))
        )
        yield f"{title}{remark}{'  ' if step.fields and not steps.to_do else ''}"
        yield from field_lines(step, indent)
        yield from item_lines(step.below, indent)


def field_lines(step: Step, indent: str) -> Iterator[str]:
    """What a step takes: a line each, code between fences."""
    code: list[str] = []
    for field in (*step.fields, Field("", "")):
        if field.is_code:
            code.append(field.text)
            continue
        if code:
            yield from fenced(code, indent)
            code = []
        if field.text:
            yield f"{indent}{field.label.capitalize()}: {text(field.text)}  "


def fenced(code: list[str], indent: str) -> Iterator[str]:
    """Lines as code, in a fence longer than any in them."""
    runs = [len(word) for line in code for word in line.split() if set(word) == {"`"}]
    fence = indent + "`" * max([3, *(run + 1 for run in runs)])
    yield from (fence, *(f"{indent}{printable(line).replace('```', chr(39) * 3)}" for line in code), fence)


def table_lines(table: Table) -> Iterator[str]:
    """A table; columns of bars are left out."""
    rows = table.rows[: max(table.shown, ROWS_SHOWN)]
    columns = [number for number in range(len(table.head)) if not any(isinstance(row[number], Bar) for row in rows)]
    if rows:
        yield f"| {' | '.join(text(table.head[number]) for number in columns)} |"
        yield f"|{'|'.join('---:' if number in table.numbers else '---' for number in columns)}|"
    for row in rows:
        yield f"| {' | '.join(cell_text(row[number]) for number in columns)} |"
    if table.total > len(rows):
        yield from ("", f"{rows_left(table.total - len(rows), table.what)} {IN_JSON}")


def cell_text(cell: Cell) -> str:
    """A cell, its lines below each other."""
    if isinstance(cell, str):
        return text(cell)
    return "" if isinstance(cell, Bar) else "<br>".join(map(text, cell))


def text(words: str) -> str:
    """Words without Markdown in them, cut to a maximum length."""
    return escape(words, LONGEST_TEXT)
