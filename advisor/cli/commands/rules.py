"""`kafka-advisor rules`: list all rules, one line each or as JSON."""

from __future__ import annotations

from advisor.errors import ExitCode, UserError
from advisor.model.finding import OFF, rank
from advisor.reports.manual.key_pages import judges
from advisor.reports.manual.rule_pages import page, row
from rules import all_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from advisor.rule import Rule


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
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="default: text")
    parser.add_argument(
        "--rules", action="append", default=[], metavar="PATH", help="a Python module with rules of your own"
    )


def run(options: argparse.Namespace) -> int:
    """Print the list of rules."""
    rules = _chosen(all_rules(options.rules), options)
    if options.format == "json":
        from advisor.reports.machine.json_text import dump

        print(dump([row(rule) for rule in rules], indent=2))
        return ExitCode.CLEAN
    if options.format == "markdown":
        print("\n".join(page(rules)))
        return ExitCode.CLEAN
    family = ""
    for rule in rules:
        if rule.family != family:
            family = rule.family
            print(f"{'' if rule is rules[0] else chr(10)}{family}")
        print(f"  {rule.id:<7} {rule.name:<34} {rule.severity(options.profile):<9} {rule.documentation().title}")
    print(f"\n{len(rules)} rule{'' if len(rules) == 1 else 's'}; `kafka-advisor explain RULE` says more of one")
    return ExitCode.CLEAN


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
