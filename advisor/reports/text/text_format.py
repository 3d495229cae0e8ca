"""`--format text`: the text report, in colour on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from advisor.reports.text.finding import Layout
from advisor.reports.text.report import lines, page

if TYPE_CHECKING:
    from advisor.reports.context import RunResult


def chunks(run: RunResult) -> Iterator[str]:
    """The report line by line."""
    layout = Layout(size=page(), verbose=run.verbose, all=run.all, by_rule=run.by_rule)
    return (f"{line}\n" for line in lines(run.report, layout, run.quiet, run.least))


def show(run: RunResult) -> None:
    """The report on a terminal."""
    from advisor.reports.text.terminal import show as show_on_terminal

    show_on_terminal(run)


def unshown(run: RunResult) -> Iterator[str]:
    """Nothing: the text report shows everything."""
    yield from ()
