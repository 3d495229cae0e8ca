"""`kafka-advisor explain RULE`: a rule's documentation, made from its docstring."""

from __future__ import annotations

from advisor.lint import Refused, load_rules
from advisor.rule import PROFILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from advisor.rule import Rule


def run(options: argparse.Namespace) -> int:
    """Print what a rule is about."""
    rules = load_rules(options.rules)
    print("\n\n".join("\n".join(lines(rule)) for rule in find(rules, options.rule)))
    return 0


def find(rules: Sequence[Rule], wanted: str) -> list[Rule]:
    """The rules of that id or name; several rules may share a name, for different kinds of input."""
    found = [rule for rule in rules if wanted.upper() == rule.id or wanted.lower().replace("_", "-") == rule.name]
    if found:
        return found
    from difflib import get_close_matches

    known = {name for rule in rules for name in (rule.id, rule.name)}
    close = get_close_matches(wanted, known, 1) or get_close_matches(wanted.upper(), known, 1)
    hint = f"did you mean {close[0]}?" if close else "see `kafka-advisor rules`"
    raise Refused(f"kafka-advisor: {wanted}: no such rule; {hint}")


def lines(rule: Rule) -> Iterator[str]:
    """A rule's page as plain text."""
    documentation = rule.documentation()
    yield f"{rule.id} {rule.name}"
    yield documentation.title
    yield ""
    severities = ", ".join(f"{profile} {severity}" for profile, severity in zip(PROFILES, rule.severities, strict=True))
    yield f"Judges:     {' with '.join(rule.inputs)}{bounds(rule)}"
    yield f"Severity:   {severities}"
    yield f"Confidence: {rule.confidence}"
    for section, text in documentation.sections.items():
        yield ""
        if section.startswith(("Bad", "Good")):
            yield f"{section}:"
            yield from (f"    {line}" for line in text.splitlines())
        else:
            yield f"{section}: {text}"
    yield from story(rule)


def story(rule: Rule) -> Iterator[str]:
    """How the simulator shows what the rule claims of its Bad block."""
    from advisor.examples import claim_of
    from advisor.simulator.claims import prove, story_of

    claim = claim_of(rule)
    if claim is not None:
        yield ""
        yield f"Shown by simulation: {prove(claim)['summary']}"
        yield from (f"    {number}. {line}" for number, line in enumerate(story_of(claim), 1))


def bounds(rule: Rule) -> str:
    """The versions that a rule holds for, if not for all."""
    since = f", from Kafka {rule.since[0]}.{rule.since[1]} on" if rule.since else ""
    before = f", before Kafka {rule.before[0]}.{rule.before[1]}" if rule.before else ""
    return since + before
