"""`kafka-advisor explain RULE|KEY`: print a rule's documentation, or what Kafka's catalogs say of a key."""

from __future__ import annotations

from advisor.analysis.findings import OF_COMMANDS, OF_TOOL
from advisor.catalog import all_keys
from advisor.catalog.target import target_of
from advisor.errors import ExitCode, UserError
from advisor.reports.manual.rule_pages import lines
from advisor.reports.plain_text import write_text
from rules import all_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from advisor.rule import Rule


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `explain`."""
    parser.epilog = (
        "examples:\n  kafka-advisor explain KA101\n  kafka-advisor explain min.insync.replicas --kafka-version 3.9"
    )
    parser.add_argument(
        "rule",
        metavar="RULE|KEY",
        help="id or name of a rule, such as KA101 or acks-not-all, or a key of Kafka's, such as linger.ms",
    )
    parser.add_argument(
        "--kafka-version", metavar="V", help="of a key, what holds in this release: 3.9, 4.0.2, cp7.9, msk3.6"
    )
    parser.add_argument(
        "--rules", action="append", default=[], metavar="PATH", help="a Python module with rules of your own"
    )


def run(options: argparse.Namespace) -> int:
    """Print the documentation of the named rules, or of a key."""
    own = next((own for own in (*OF_TOOL, *OF_COMMANDS) if wanted_by(options.rule, own.id, own.name)), None)
    if own:
        print("\n".join((f"{own.id} {own.name}", own.title, "", f"Why: {own.why}", "", f"Fix: {own.fix}")))
        return ExitCode.CLEAN
    rules = all_rules(options.rules)
    release = target_of(options.kafka_version, "--kafka-version").version if options.kafka_version else None
    from advisor.reports.manual.key_pages import key_lines

    page = list(key_lines(options.rule, rules, release))
    if page:
        write_text(page)
        return ExitCode.CLEAN
    from advisor.analysis.startup.judge import all_checks
    from advisor.reports.manual.check_pages import check_lines

    check = next((each for each in all_checks() if wanted_by(options.rule, each.id, each.name)), None)
    if check is not None:
        write_text(check_lines(check))
        return ExitCode.CLEAN
    for number, rule in enumerate(find_rules(rules, options.rule)):
        write_text(([""] if number else []) + list(lines(rule)))
    return ExitCode.CLEAN


def wanted_by(text: str, id: str, name: str) -> bool:
    """Whether a text is the id or the name."""
    return text.upper() == id or text.lower().replace("_", "-") == name


def find_rules(rules: Sequence[Rule], wanted: str) -> list[Rule]:
    """The rules with that id or name; rules for different kinds of input may share a name."""
    name = wanted.lower().replace("_", "-")
    matching = [rule for rule in rules if wanted.upper() == rule.id or name in (rule.name, rule.family)]
    if matching:
        return matching
    from advisor.catalog.spelling import closest

    names = {name for rule in rules for name in (rule.id, rule.name)} | set(all_keys())
    close = closest(wanted, names) or closest(wanted.upper(), names)
    hint = f"did you mean {close}?" if close else "see `kafka-advisor rules`"
    raise UserError(f"{wanted}: no such rule or key; {hint}")
