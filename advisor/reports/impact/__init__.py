"""Output of `impact`: as text, JSON, Markdown and HTML; only the format that is asked for is loaded."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.analysis.impact.cluster_impact import Impact
    from advisor.analysis.impact.rolling_restart import RollingRestart

MODULES = {"text": "text", "json": "document", "markdown": "markdown", "html": "page"}


def impact_lines(impact: Impact, format: str) -> Iterator[str]:
    """What a failure does, in a format."""
    text: Iterator[str] = import_module(f"{__name__}.{MODULES[format]}").text(impact)
    return text


def restart_lines(order: RollingRestart, format: str) -> Iterator[str]:
    """An order of restarts, in a format."""
    text: Iterator[str] = import_module(f"{__name__}.restart_{MODULES[format]}").text(order)
    return text
