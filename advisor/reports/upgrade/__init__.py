"""Output of `upgrade`: as text, JSON, Markdown and HTML; only the format that is asked for is loaded."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.analysis.upgrade.plan import Plan

MODULES = {"text": "text", "json": "document", "markdown": "markdown", "html": "html"}


def lines(plan: Plan, format: str) -> Iterable[str]:
    """The plan in a format."""
    text: Iterable[str] = import_module(f"{__name__}.{MODULES[format]}").text(plan)
    return text
