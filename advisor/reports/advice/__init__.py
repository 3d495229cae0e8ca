"""Output of `advise`: as text, JSON, Markdown, HTML, as a script that asks before each change, and as a patch of files."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.analysis.advice.plan import Plan
    from advisor.simulator.odds import Rates

MODULES = {
    "text": "text",
    "json": "document",
    "markdown": "markdown",
    "html": "page",
    "script": "script",
    "diff": "patch",
}


def lines(plan: Plan, rates: Rates, format: str) -> Iterator[str]:
    """The plan in a format."""
    text: Iterator[str] = import_module(f"{__name__}.{MODULES[format]}").text(plan, rates)
    return text
