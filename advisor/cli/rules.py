"""`kafka-advisor rules`: every rule in one line, or all of them for programs."""

from __future__ import annotations

from advisor.cli.explain import bounds
from advisor.cli.lint import load_rules
from advisor.rule import PROFILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from advisor.rule import Rule


def run(options: argparse.Namespace) -> int:
    """Print the list."""
    rules = load_rules(options.rules)
    if options.format == "json":
        import json

        print(json.dumps([row(rule) for rule in rules], indent=2, ensure_ascii=False))
        return 0
    if options.format == "markdown":
        print("\n".join(page(rules)))
        return 0
    family = ""
    for rule in rules:
        if rule.family != family:
            family = rule.family
            print(f"{'' if rule is rules[0] else chr(10)}{family}")
        print(f"  {rule.id:<7} {rule.name:<34} {rule.severity('production'):<9} {rule.documentation().title}")
    print(f"\n{len(rules)} rules; `kafka-advisor explain RULE` says more of one")
    return 0


def row(rule: Rule) -> dict[str, object]:
    """A rule for programs."""
    documentation = rule.documentation()
    return {
        "rule": rule.id,
        "name": rule.name,
        "family": rule.family,
        "title": documentation.title,
        "inputs": list(rule.inputs),
        "severity": dict(zip(PROFILES, rule.severities, strict=True)),
        "confidence": rule.confidence,
        "since": None if rule.since is None else f"{rule.since[0]}.{rule.since[1]}",
        "before": None if rule.before is None else f"{rule.before[0]}.{rule.before[1]}",
        **{name.lower(): documentation.text(name) for name in ("Why", "Fix", "See", "Proof")},
        "bad": [text for _, text in documentation.examples("Bad")],
        "good": [text for _, text in documentation.examples("Good")],
    }


def page(rules: Sequence[Rule]) -> Iterator[str]:
    """All rules as one page: a table of each family, then every rule with its documentation."""
    yield "# Rules"
    yield ""
    yield "Made by `kafka-advisor rules --format markdown` from the rules' docstrings; `make docs` writes it anew."
    yield f"{len(rules)} rules. The severity is that of the profile production."
    for family in dict.fromkeys(rule.family for rule in rules):
        yield from ("", f"## {family}", "", "| rule | name | severity | judges | what |", "|---|---|---|---|---|")
        for rule in rules:
            if rule.family == family:
                severity, what = rule.severity("production"), rule.documentation().title.replace("|", "\\|")
                yield f"| [{rule.id}](#{rule.id.lower()}) | {rule.name} | {severity} | {', '.join(rule.inputs)} | {what} |"
    for rule in rules:
        yield from section(rule)


def section(rule: Rule) -> Iterator[str]:
    """One rule's documentation."""
    documentation = rule.documentation()
    yield from ("", f"### {rule.id}", "", f"**{rule.name}**: {documentation.title}{bounds(rule)}")
    for name, text in documentation.sections.items():
        if name.startswith(("Bad", "Good")):
            yield from ("", f"{name}:", "", "```properties", *text.splitlines(), "```")
        else:
            yield from ("", f"{name}: {text}")
