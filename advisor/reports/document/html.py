"""A document as one self-contained HTML page."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from pkgutil import get_data
from typing import NamedTuple

from jinja2 import Template

from advisor import __version__
from advisor.reports.document.blocks import Bar, Block, Cell, Document, bare_label, rows_left
from advisor.reports.html.page import STYLE, environment, frame, source

TEMPLATE, OWN_STYLE = "document.html.j2", "document.css"
ROWS_SHOWN = 1000
"""Rows of a list or a table on the page, unless text shows more; JSON has them all."""


class Segment(NamedTuple):
    """A piece of a bar, in percent, in the colour of a state."""

    css: str
    x: float
    width: float


def lines(documents: Iterable[Document]) -> Iterator[str]:
    """The page."""
    shown = list(documents)
    yield template().render(version=__version__, documents=shown, **frame(source(STYLE) + own(OWN_STYLE), ""))


@functools.cache
def template() -> Template:
    """The compiled page: compiling costs more than most documents do."""
    page = environment()
    page.filters["kind"] = kind
    page.filters["segments"] = segments
    page.filters["css"] = css_class
    page.filters["cell"] = cell_lines
    page.globals |= {"limit": limit, "bare_label": bare_label, "rows_left": rows_left}
    return page.from_string(own(TEMPLATE))


def own(name: str) -> str:
    """A file beside this module."""
    content = get_data(__name__, name)
    assert content is not None
    return content.decode()


def kind(block: Block) -> str:
    """What a block is."""
    return type(block).__name__


def limit(shown: int) -> int:
    """How many rows of a list or a table the page has."""
    return max(shown, ROWS_SHOWN)


def segments(bar: Bar) -> list[Segment]:
    """The pieces of a stacked bar, in the order of its counts."""
    total, x, pieces = sum(bar.counts.values()), 0.0, []
    for state, count in bar.counts.items():
        width = 100 * count / total if count else 0.0
        if width:
            pieces.append(Segment(css_class(state), round(x, 3), round(width, 3)))
        x += width
    return pieces


def css_class(state: str) -> str:
    """The class of a state's colour."""
    return state.replace(" ", "-").replace("=", "-")


def cell_lines(cell: Cell) -> list[str] | Bar:
    """The lines of a cell, or its bar."""
    if isinstance(cell, Bar):
        return cell
    return [cell] if isinstance(cell, str) else list(cell)
