"""The blocks of a document: a command builds one, and renderers own width, escaping and how much is shown."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ROWS_SHOWN = 50
"""Rows of a list or a table that text and Markdown show; JSON has them all."""


class Sentence:
    """A sentence; a label says what kind it is of, such as assumed or unknown."""

    __slots__ = ("label", "text")

    def __init__(self, text: str, label: str = "") -> None:
        self.text = text
        self.label = label


class Item:
    """A row of a list, and lines below it."""

    __slots__ = ("below", "text")

    def __init__(self, text: str, below: tuple[str, ...] = ()) -> None:
        self.text = text
        self.below = below


class Items:
    """A list of `what`. Text shows the first `shown` rows, indented by `indent`, each behind its mark."""

    __slots__ = ("indent", "mark", "rows", "shown", "what")

    def __init__(
        self, rows: Sequence[str | Item], what: str = "", shown: int = ROWS_SHOWN, indent: int = 2, mark: str = ""
    ) -> None:
        self.rows = rows
        self.what = what
        self.shown = shown
        self.indent = indent
        self.mark = mark


class Field:
    """A labelled line of a step; code is copied as it is."""

    __slots__ = ("is_code", "label", "text")

    def __init__(self, label: str, text: str, is_code: bool = False) -> None:
        self.label = label
        self.text = text
        self.is_code = is_code


class Step:
    """One of several steps; `remark` stands behind its first field, `state` beside it where there is room for it."""

    __slots__ = ("below", "fields", "remark", "state", "title")

    def __init__(
        self, title: str, fields: tuple[Field, ...] = (), below: Items | None = None, remark: str = "", state: str = ""
    ) -> None:
        self.title = title
        self.fields = fields
        self.below = below or Items(())
        self.remark = remark
        self.state = state


class Steps:
    """Numbered steps: to tick off, or those of a story that happened."""

    __slots__ = ("steps", "to_do")

    def __init__(self, steps: Sequence[Step], to_do: bool = True) -> None:
        self.steps = steps
        self.to_do = to_do


class Bar:
    """A stacked bar: how many of each state, in this order. Drawn in HTML alone."""

    __slots__ = ("counts", "label")

    def __init__(self, counts: Mapping[str, int], label: str) -> None:
        self.counts = counts
        self.label = label


class Legend:
    """The colours of states. Drawn in HTML alone."""

    __slots__ = ("states",)

    def __init__(self, states: Sequence[str]) -> None:
        self.states = states


class Tile:
    """A broker in a picture of racks."""

    __slots__ = ("bar", "is_up", "text", "title")

    def __init__(self, title: str, is_up: bool, text: str, bar: Bar) -> None:
        self.title = title
        self.is_up = is_up
        self.text = text
        self.bar = bar


class Racks:
    """Brokers by rack, in a picture for each moment. Drawn in HTML alone."""

    __slots__ = ("pictures",)

    def __init__(self, pictures: Mapping[str, Sequence[tuple[str, Sequence[Tile]]]]) -> None:
        self.pictures = pictures


class Timeline:
    """States over time: a row of them for each name, a column for each moment. Drawn in HTML alone."""

    __slots__ = ("label", "rows")

    def __init__(self, rows: Sequence[tuple[str, Sequence[str]]], label: str) -> None:
        self.rows = rows
        self.label = label


Cell = str | tuple[str, ...] | Bar
"""A cell: one line, several, or a bar."""


class Table:
    """A table of `what`. Columns in `numbers` are aligned to the right; `widths` are the least ones of the first columns.

    Text shows `lines` in place of cells if they are given, several for a row, the head if `has_head`, and the first `shown`
    rows; `more` says what the rows from a number on are, and `row_count` how many rows there are where not all were made.
    """

    __slots__ = (
        "has_head",
        "head",
        "indent",
        "lines",
        "more",
        "numbers",
        "row_count",
        "rows",
        "shown",
        "what",
        "widths",
    )

    def __init__(
        self,
        head: tuple[str, ...],
        rows: Sequence[tuple[Cell, ...]],
        what: str = "",
        lines: Sequence[tuple[str, ...]] | None = None,
        shown: int = ROWS_SHOWN,
        has_head: bool = True,
        numbers: frozenset[int] = frozenset(),
        widths: tuple[int, ...] = (),
        indent: int = 2,
        more: Callable[[int], str] | None = None,
        row_count: int | None = None,
    ) -> None:
        self.head = head
        self.rows = rows
        self.what = what
        self.lines = lines
        self.shown = shown
        self.has_head = has_head
        self.numbers = numbers
        self.widths = widths
        self.indent = indent
        self.more = more
        self.row_count = row_count

    @property
    def total(self) -> int:
        """How many rows there are."""
        return len(self.rows) if self.row_count is None else self.row_count


Block = Sentence | Items | Steps | Table | Bar | Legend | Racks | Timeline


class Section:
    """Blocks under a title. Text has a blank line before it where it is `apart`, and its title where it is `titled`.

    `row_count` is the number of rows, which stands beside the title where rows may be cut off.
    """

    __slots__ = ("apart", "blocks", "row_count", "title", "titled")

    def __init__(
        self, title: str, blocks: Sequence[Block], row_count: int | None = None, apart: bool = True, titled: bool = True
    ) -> None:
        self.title = title
        self.blocks = blocks
        self.row_count = row_count
        self.apart = apart
        self.titled = titled


class Document:
    """What a command says of one thing: what it is about, a title, blocks under it, sections, and a summary."""

    __slots__ = ("about", "blocks", "sections", "summary", "title")

    def __init__(
        self,
        title: str = "",
        about: str = "",
        blocks: Sequence[Block] = (),
        sections: Sequence[Section] = (),
        summary: str = "",
    ) -> None:
        self.title = title
        self.about = about
        self.blocks = blocks
        self.sections = sections
        self.summary = summary


def bare_label(sentence: Sentence, title: str) -> str:
    """The label of a sentence with its colon, nothing where it repeats the title above."""
    return f"{sentence.label}: " if sentence.label and sentence.label.lower() != title.lower() else ""


def rows_left(count: int, what: str) -> str:
    """How many rows are not shown."""
    if count == 1:
        what = f"{what[:-3]}y" if what.endswith("ies") else what.removesuffix("s")
    return f"… and {count:,} more{f' {what}' if what else ''}"
