"""`kafka-advisor rules`: list all rules, one line each or as JSON."""

from __future__ import annotations

from itertools import groupby

from advisor.cli.argument_types import add_format
from advisor.errors import ExitCode, UserError
from advisor.model.finding import OFF, rank
from advisor.reports.document.blocks import Document, Section, Table
from advisor.reports.manual.key_pages import judges
from advisor.reports.manual.rule_pages import page, row
from advisor.reports.show import in_json, show
from rules import all_rules, by_family

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from advisor.rule import Rule

WIDTHS = (6, 33, 8)
"""Least widths of a rule's id, name and severity."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rules`."""
    parser.epilog = (
        "examples:\n  kafka-advisor rules --family security --severity high\n  kafka-advisor rules --key acks"
    )
    from advisor.model.finding import SEVERITIES
    from advisor.rule import FAMILIES, PROFILES

    chosen = parser.add_argument_group("which rules (default: all)")
    chosen.add_argument("--family", choices=FAMILIES, metavar="FAMILY", help=", ".join(FAMILIES))
    chosen.add_argument(
        "--severity", choices=SEVERITIES, metavar="S", help="at least this severe: critical, high, medium, low, info"
    )
    chosen.add_argument(
        "--profile", choices=PROFILES, default="production", help="whose severities (default: production)"
    )
    chosen.add_argument("--key", metavar="KEY", help="that judge this key of Kafka's, such as acks")
    add_format(parser, ("text", "json", "markdown"))
    parser.add_argument(
        "--rules", action="append", default=[], metavar="PATH", help="a Python module with rules of your own"
    )


def run(options: argparse.Namespace) -> int:
    """Print the list of rules."""
    rules = _chosen(by_family(all_rules(options.rules)), options)
    show(
        options.format,
        lambda: [document(rules, options.profile)],
        json=lambda: in_json([[row(rule) for rule in rules]]),
        markdown=lambda: page(rules),
    )
    return ExitCode.CLEAN


def document(rules: Sequence[Rule], profile: str) -> Document:
    """The rules by family."""
    families = groupby(rules, key=lambda rule: rule.family)
    return Document(
        sections=[
            Section(family, [rule_table(list(group), profile)], apart=number > 0)
            for number, (family, group) in enumerate(families)
        ],
        summary=f"{len(rules)} rule{'' if len(rules) == 1 else 's'}; `kafka-advisor explain RULE` says more of one",
    )


def rule_table(rules: Sequence[Rule], profile: str) -> Table:
    """The rules of a family."""
    rows = [(rule.id, rule.name, rule.severity(profile), rule.documentation().title) for rule in rules]
    return Table(("rule", "name", "severity", "title"), rows, shown=len(rows), has_head=False, widths=WIDTHS)


def _chosen(rules: Sequence[Rule], options: argparse.Namespace) -> list[Rule]:
    """The rules of a family, of a severity or above, about a key. Raises UserError for a key that no catalog has."""
    chosen = [rule for rule in rules if options.family in (None, rule.family)]
    if options.severity is not None:
        chosen = [rule for rule in chosen if _is_at_least(rule.severity(options.profile), options.severity)]
    if options.key is None:
        return chosen
    from advisor.catalog import all_keys, closest, known_anywhere

    if not known_anywhere(options.key):
        nearest = closest(options.key, all_keys())
        raise UserError(f"--key {options.key}: no such key" + (f"; did you mean {nearest}?" if nearest else ""))
    return [rule for rule in chosen if judges(rule, options.key)]


def _is_at_least(severity: str, least: str) -> bool:
    """Whether a rule's severity, which may be off in a profile, is another one or above."""
    return severity != OFF and rank(severity) >= rank(least)
