"""`kafka-advisor diff OLD NEW`: what a change of configuration does: settings, findings, odds."""

from __future__ import annotations

import json
import sys
import zlib

from advisor.analysis.comparison import Difference, Side
from advisor.cli.lint import Complaints, Refused, clusters, load_rules, policy_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from advisor.cli.settings import Choices
    from advisor.engine.policy import Policy
    from advisor.model import Snapshot
    from advisor.rule import Rule

CLEAN, FINDINGS, ERROR = 0, 1, 2
FORMAT = "kafka-advisor/1"


def run(options: argparse.Namespace) -> int:
    """Judge both sides, compare, show; 1 where findings at or above --fail-on appear."""
    from advisor.analysis.odds_comparison import odds_of_both
    from advisor.cli.settings import choices
    from advisor.simulator.odds import BadAssumption, assume

    chosen = choices(options)  # type: ignore[arg-type]
    rules = load_rules(chosen.rules)
    try:
        rates = assume(options.assume)
    except BadAssumption as bad:
        raise Refused(f"kafka-advisor diff: {bad}") from None
    try:
        old, new = (side(path, options, chosen, rules) for path in (options.old, options.new))
    except AlreadySaid:
        return ERROR
    found = Difference(old, new)
    found.odds = odds_of_both(found, rates)
    show(found, options.format)
    if old.crashed or new.crashed:
        return ERROR
    return FINDINGS if found.fails(chosen.fail_on) and not options.exit_zero else CLEAN


def side(path: str, options: argparse.Namespace, chosen: Choices, rules: list[Rule]) -> Side:
    """One side: a report as it is, anything else judged now. Raises Refused or AlreadySaid."""
    complaints = Complaints()
    main = complaints.read([path], chosen)
    report = report_in(complaints.saved[0][1]) if complaints.saved else None
    if report is not None:
        return from_report(path, report)
    found = (
        clusters(main, complaints.clients(options.with_, chosen), complaints, chosen)
        if main or complaints.saved
        else []
    )
    if complaints.errors or not found:
        raise AlreadySaid
    return judged(path, found, policy_of(chosen, rules), rules)


class AlreadySaid(Exception):
    """A side could not be read, and the user has been told why."""


def judged(path: str, found: list[Snapshot], policy: Policy, rules: list[Rule]) -> Side:
    """A side that is judged now."""
    from advisor.engine import judge
    from advisor.reports.json_document import finding

    report = judge(found, rules, policy)
    files = len({entity.file for snapshot in found for entity in snapshot.entities if entity.file})
    live = any(snapshot.live is not None for snapshot in found)
    rows: list[Any] = [finding(row) for row in report.findings]
    return Side(path, rows, len(report.unknown), files == 1 and not live, found, report.crashed)


def report_in(data: bytes) -> dict[str, Any] | None:
    """The report of a JSON file, None where it is something else."""
    import gzip

    try:
        found = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    except (ValueError, OSError, EOFError, zlib.error):
        return None
    return found if isinstance(found, dict) and found.get("format") == FORMAT else None


FIELDS = ("rule", "name", "severity", "refused_by_kafka", "message", "entity", "key", "evidence")


def from_report(path: str, report: dict[str, Any]) -> Side:
    """A side that was judged before."""
    try:
        rows = report["findings"]
        if not all({"kind", "name"} <= row["entity"].keys() and all(name in row for name in FIELDS) for row in rows):
            raise KeyError
        lone = [row["file"] is not None for row in report["inputs"]] == [True]
        return Side(path, rows, len(report["unknown"]), lone)
    except (KeyError, TypeError, AttributeError):
        raise Refused(f"kafka-advisor diff: {path}: a damaged report; write it anew with --format json") from None


def show(found: Difference, format: str) -> None:
    """Print the difference."""
    from advisor.reports import difference

    if format == "json":
        from advisor.reports.json_document import dumped

        print(dumped(difference.data(found), indent=2))
        return
    lines = difference.markdown(found) if format == "markdown" else difference.text(found)
    sys.stdout.write("\n".join(lines) + "\n")
