"""`kafka-advisor audit-report`: write an audit, its drift and its history as an HTML page, from the small tables."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from advisor.errors import ExitCode, UserError, os_reason, say
from spark_audit.results.history import PastAudit, history, open_audit
from spark_audit.schema.snapshots import OK, UNREACHABLE

Options = Any
STDOUT = "-"
TEMPLATE, STYLE, SCRIPT = "fleet.html.j2", "fleet.css", "fleet.js"


def run(options: Options) -> int:
    """Write the page; returns the exit code. Raises UserError."""
    from advisor.atomic_file import write

    if find_spec("jinja2") is None:
        raise UserError("jinja2 is not installed: the HTML report needs `pip install 'kafka-advisor[html]'`")
    gc.enable()
    audit = open_audit(options.audit)
    audits = history(audit)
    earlier = open_audit(options.since) if options.since else audits[-2] if len(audits) > 1 else None
    for past in (audit, earlier):
        if past is not None:
            warn_if_damaged(past)
    text = page(audit, earlier, audits)
    if options.html == STDOUT:
        sys.stdout.write(text)
        return ExitCode.CLEAN
    try:
        write(options.html, [text.encode("utf-8", "backslashreplace")])
    except OSError as error:
        raise UserError(f"{options.html}: {os_reason(error)}") from None
    print(f"{audit.name}, {comparison(earlier)}, {len(audits)} in its history: {options.html}")
    return ExitCode.CLEAN


def warn_if_damaged(audit: PastAudit) -> None:
    """Warn where rows of findings are missing: the page counts them all, and is right, but they cannot be looked up."""
    try:
        audit.check_complete()
    except UserError as damaged:
        say(f"{damaged}; the page has what was counted")


def comparison(earlier: PastAudit | None) -> str:
    """What the audit is compared with, in words."""
    return f"compared with {earlier.name}" if earlier else "compared with none: there is no audit before it"


def page(audit: PastAudit, earlier: PastAudit | None, audits: Sequence[PastAudit]) -> str:
    """Render the page. Raises UserError."""
    from jinja2 import FunctionLoader
    from markupsafe import Markup

    from advisor import __version__
    from advisor.model.finding import WORST_FIRST
    from advisor.reports.html_page import digest, environment, source
    from spark_audit.html.drift import DriftSection
    from spark_audit.html.page import FleetSection
    from spark_audit.html.trend import trend

    style, script = source("report.css") + resource(STYLE), resource(SCRIPT)
    template = environment().overlay(loader=FunctionLoader(resource)).get_template(TEMPLATE)
    text: str = template.render(
        version=__version__,
        audit=audit,
        fleet=FleetSection(audit),
        moved=DriftSection(earlier, audit) if earlier else None,
        trend=trend(audits),
        severities=WORST_FIRST,
        ok=OK,
        unreachable=UNREACHABLE,
        style=Markup(style),
        script=Markup(script),
        policy=f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; base-uri 'none'; "
        "form-action 'none'",
    )
    return text + "\n"


def resource(name: str) -> str:
    """The text of a file in spark_audit.html, which may be in a zip."""
    return files("spark_audit.html").joinpath(name).read_text("utf-8")
