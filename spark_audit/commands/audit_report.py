"""`kafka-advisor audit-report`: an audit, its drift and its history as one HTML page; from the small tables alone."""

from __future__ import annotations

import gc
import sys
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING

from advisor.errors import ExitCode, UserError, os_reason, say
from spark_audit.results.history import history, opened
from spark_audit.schema.snapshots import OK, UNREACHABLE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from spark_audit.results.history import Past

    Options = Any

STDOUT = "-"
TEMPLATE, STYLE, SCRIPT = "fleet.html.j2", "fleet.css", "fleet.js"


def run(options: Options) -> int:
    """Read, write; 0, or Refused."""
    from advisor.atomic_file import write

    if find_spec("jinja2") is None:
        raise UserError("jinja2 is not installed: the HTML report needs `pip install 'kafka-advisor[html]'`")
    gc.enable()
    audit = opened(options.audit)
    past = history(audit)
    since = opened(options.since) if options.since else past[-2] if len(past) > 1 else None
    for each in (audit, since):
        if each is not None:
            remark(each)
    text = page(audit, since, past)
    if options.html == STDOUT:
        sys.stdout.write(text)
        return ExitCode.CLEAN
    try:
        write(options.html, [text.encode("utf-8", "backslashreplace")])
    except OSError as error:
        raise UserError(f"{options.html}: {os_reason(error)}") from None
    print(f"{audit.name}, {compared(since)}, {len(past)} in its history: {options.html}")
    return ExitCode.CLEAN


def remark(audit: Past) -> None:
    """One line where findings are missing: the page counts them all, and is right, but nobody can look them up."""
    try:
        audit.whole()
    except UserError as damaged:
        say(f"{damaged}; the page has what was counted")


def compared(since: Past | None) -> str:
    """What it is compared with, in words."""
    return f"compared with {since.name}" if since else "compared with none: there is no audit before it"


def page(audit: Past, since: Past | None, past: Sequence[Past]) -> str:
    """The page. Raises Refused."""
    from jinja2 import FunctionLoader
    from markupsafe import Markup

    from advisor import __version__
    from advisor.model.finding import WORST_FIRST
    from advisor.reports.html_page import digest, environment, source
    from spark_audit.html.drift import Moved
    from spark_audit.html.page import Fleet
    from spark_audit.html.trend import trend

    style, script = source("report.css") + beside(STYLE), beside(SCRIPT)
    template = environment().overlay(loader=FunctionLoader(beside)).get_template(TEMPLATE)
    text: str = template.render(
        version=__version__,
        audit=audit,
        fleet=Fleet(audit),
        moved=Moved(since, audit) if since else None,
        trend=trend(past),
        severities=WORST_FIRST,
        ok=OK,
        unreachable=UNREACHABLE,
        style=Markup(style),
        script=Markup(script),
        policy=f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; base-uri 'none'; "
        "form-action 'none'",
    )
    return text + "\n"


def beside(name: str) -> str:
    """A file of this package, in a zip, too."""
    return files("spark_audit.html").joinpath(name).read_text("utf-8")
