"""Output of `advise`: as text, JSON, Markdown, HTML, as a script that asks before each change, and as a patch of files."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from advisor.reports.plain_text import write_text

if TYPE_CHECKING:
    from advisor.analysis.advice import Plan
    from advisor.simulator.odds import Rates

MODULES = {
    "text": "text",
    "json": "document",
    "markdown": "markdown",
    "html": "page",
    "script": "script",
    "diff": "patch",
}


def show(plan: Plan, rates: Rates, format: str) -> None:
    """Print a plan; lines of text are kept from steering a log."""
    module = import_module(f"{__name__}.{MODULES[format]}")
    lines = module.text(plan, rates)
    if format == "text":
        write_text(lines, module.VERBATIM)
    else:
        sys.stdout.writelines(f"{line}\n" for line in lines)
