"""`kafka-advisor audit-report`: write an audit, its drift and its history as an HTML page, and a page of each cluster."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from advisor.errors import ExitCode, UserError, os_reason, say
from spark_audit.commands.choose_engine import LOCAL, choose_engine
from spark_audit.results.history import PastAudit, history, open_audit

if TYPE_CHECKING:
    from spark_audit.html.render import Pages

Options = Any
STDOUT = "-"


def run(options: Options) -> int:
    """Write the pages; returns the exit code. Raises UserError."""
    gc.enable()
    with audit_opener(options) as open_past:
        audit = open_past(options.audit)
        audits = history(audit)
        earlier = open_past(options.since) if options.since else audits[-2] if len(audits) > 1 else None
        for past in (audit, earlier):
            if past is not None:
                warn_if_damaged(past)
        write_pages(audit, earlier, audits, options.html)
    if options.html != STDOUT:
        print(f"{audit.name}, {comparison(earlier)}, {len(audits)} in its history: {options.html}")
    return ExitCode.CLEAN


@contextlib.contextmanager
def audit_opener(options: Options) -> Iterator[Callable[[str], PastAudit]]:
    """What opens an audit by its name. Raises UserError where there is no Spark, or where it fails."""
    if choose_engine(options, [options.audit, *([options.since] if options.since else [])]) == LOCAL:
        yield lambda text: open_audit(text, options.option)
        return
    from spark_audit.spark.session import open_session

    with open_session(options.master, options.remote) as spark:
        from spark_audit.spark.past_audits import open_past_audit

        yield lambda text: open_past_audit(spark, text, options.option)


def write_pages(audit: PastAudit, earlier: PastAudit | None, audits: list[PastAudit], html: str) -> None:
    """Write the fleet's page, after those of its clusters. Raises UserError."""
    pages, folder = pages_of(audit), folder_of_clusters(html)
    text = pages.of_fleet(earlier, audits, folder and os.path.basename(folder))
    if html == STDOUT:
        sys.stdout.write(text)
        return
    if folder and pages.fleet.heat:
        make_folder(folder)
        for name, page in pages.of_clusters(html):
            write_page(os.path.join(folder, name), page)
    write_page(html, text)


def pages_of(audit: PastAudit) -> Pages:
    """The pages of an audit, with the style and the means of the reports."""
    from jinja2 import FunctionLoader

    from advisor import __version__
    from advisor.model.finding import WORST_FIRST
    from advisor.reports.html.page import environment, frame, source
    from advisor.reports.links import rule_url
    from advisor.reports.text.finding import first_sentence
    from spark_audit.html.render import SCRIPT, STYLE, Pages, resource

    templates = environment().overlay(loader=FunctionLoader(resource))
    templates.filters["first_sentence"] = first_sentence
    templates.globals["rule_url"] = rule_url
    values = frame(source("report.css") + resource(STYLE), resource(SCRIPT))
    return Pages(audit, templates, {"version": __version__, "severities": WORST_FIRST, **values})


def folder_of_clusters(html: str) -> str | None:
    """The folder of the clusters' pages beside the fleet's page; None for standard output and devices."""
    if html == STDOUT or (os.path.exists(html) and not os.path.isfile(html)):
        return None
    return f"{os.path.splitext(html)[0]}_clusters"


def make_folder(folder: str) -> None:
    """Make the folder of the clusters' pages. Raises UserError."""
    try:
        os.mkdir(folder)
    except FileExistsError:
        return
    except OSError as error:
        raise UserError(f"{folder}: {os_reason(error)}") from None


def write_page(path: str, text: str) -> None:
    """Write a page whole or not at all. Raises UserError."""
    from advisor.atomic_file import write

    try:
        write(path, [text.encode("utf-8", "backslashreplace")])
    except OSError as error:
        raise UserError(f"{path}: {os_reason(error)}") from None


def warn_if_damaged(audit: PastAudit) -> None:
    """Warn where rows of findings are missing: the page counts them all, and is right, but they cannot be looked up."""
    try:
        audit.check_complete()
    except UserError as damaged:
        say(f"{damaged}; the page has what was counted")


def comparison(earlier: PastAudit | None) -> str:
    """What the audit is compared with, in words."""
    return f"compared with {earlier.name}" if earlier else "compared with none: there is no audit before it"
