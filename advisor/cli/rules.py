"""`kafka-advisor rules`: list all rules, one line each or as JSON."""

from __future__ import annotations

from advisor.errors import ExitCode
from advisor.reports.rule_pages import page, row
from rules import all_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def run(options: argparse.Namespace) -> int:
    """Print the list of rules."""
    rules = all_rules(options.rules)
    if options.format == "json":
        from advisor.reports.json_text import dump

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
        print(f"  {rule.id:<7} {rule.name:<34} {rule.severity('production'):<9} {rule.documentation().title}")
    print(f"\n{len(rules)} rules; `kafka-advisor explain RULE` says more of one")
    return ExitCode.CLEAN
