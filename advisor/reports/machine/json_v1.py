"""`--format json`: version 1 of the JSON report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from advisor.reports.machine import json_document

if TYPE_CHECKING:
    from advisor.reports.context import RunResult


def chunks(run: RunResult) -> Iterator[str]:
    """The document piece by piece."""
    yield from json_document.chunks(run.report)
    yield "\n"


def unshown(run: RunResult) -> Iterator[str]:
    """Nothing: the document holds everything."""
    yield from ()
