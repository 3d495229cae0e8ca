"""Output of `advise`: as text, JSON, Markdown, HTML, and as a script that asks before each change."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from advisor.errors import write_lines

if TYPE_CHECKING:
    from advisor.analysis.advice import Plan
    from advisor.simulator.odds import Rates

MODULES = {"text": "text", "json": "document", "markdown": "markdown", "html": "page", "script": "script"}


def show(plan: Plan, rates: Rates, format: str) -> None:
    """Print a plan; lines of text are kept from steering a log."""
    lines = import_module(f"{__name__}.{MODULES[format]}").text(plan, rates)
    if format == "text":
        write_lines(lines)
    else:
        sys.stdout.writelines(f"{line}\n" for line in lines)
