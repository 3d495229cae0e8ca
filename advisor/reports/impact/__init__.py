"""Output of `impact`: as text, JSON, Markdown and HTML; only the format that is asked for is loaded."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from advisor.reports.plain_text import write_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.analysis.impact import Impact
    from advisor.analysis.impact.rolling_restart import RollingRestart

MODULES = {"text": "text", "json": "document", "markdown": "markdown", "html": "page"}


def show_impact(impact: Impact, format: str) -> None:
    """Print what a failure does."""
    show(import_module(f"{__name__}.{MODULES[format]}").text(impact), format)


def show_restart(order: RollingRestart, format: str) -> None:
    """Print an order of restarts."""
    show(import_module(f"{__name__}.restart_{MODULES[format]}").text(order), format)


def show(lines: Iterator[str], format: str) -> None:
    """Print lines; those of text are kept from steering a log."""
    if format == "text":
        write_text(lines)
    else:
        sys.stdout.writelines(f"{line}\n" for line in lines)
