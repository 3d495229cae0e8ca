"""`kafka-advisor rules`: list all rules, one line each or as JSON."""

from __future__ import annotations

from advisor.cli.argument_types import add_format
from advisor.errors import ExitCode, UserError
from advisor.model.finding import OFF, rank
from advisor.reports.manual.key_pages import judges
from advisor.reports.manual.rule_pages import page, row
from advisor.reports.show import show
from rules import all_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

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
    add_format(parser, ("text", "json", "markdown"))
    parser.add_argument(
        "--rules", action="append", default=[], metavar="PATH", help="a Python module with rules of your own"
    )


def run(options: argparse.Namespace) -> int:
    """Print the list of rules."""
    rules = _chosen(all_rules(options.rules), options)
    show(options.format, lambda format: report(rules, options.profile, format))
    return ExitCode.CLEAN


def report(rules: Sequence[Rule], profile: str, format: str) -> Iterator[str]:
    """The rules in a format."""
    if format == "json":
        from advisor.reports.machine.json_text import dump

        return iter([dump([row(rule) for rule in rules], indent=2)])
    return iter(page(rules)) if format == "markdown" else listed(rules, profile)


def listed(rules: Sequence[Rule], profile: str) -> Iterator[str]:
    """The rules as lines of text, by family."""
    family = ""
    for rule in rules:
        if rule.family != family:
            family = rule.family
            yield from ([] if rule is rules[0] else [""])
            yield family
        yield f"  {rule.id:<7} {rule.name:<34} {rule.severity(profile):<9} {rule.documentation().title}"
    yield ""
    yield f"{len(rules)} rule{'' if len(rules) == 1 else 's'}; `kafka-advisor explain RULE` says more of one"


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
