"""Rule documentation from docstrings: as text, as JSON, as Markdown on one page or a page per rule."""

from __future__ import annotations

from advisor.reports.links import rule_url
from advisor.rule import PROFILES
from advisor.simulator.claims import prove, story_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.rule import Rule

NOTE = "Made from the code by `make docs`; do not edit."


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
    if rule.fix:
        yield f"Fixed:      {rule.fix_text.replace('`', '')}"
    if rule_url(rule.id, rule.name):
        yield f"Page:       {rule_url(rule.id, rule.name)}"
    for section, text in documentation.sections.items():
        yield ""
        if section.startswith(("Bad", "Good")):
            yield f"{section}:"
            yield from (f"    {line}" for line in text.splitlines())
        else:
            yield f"{section}: {text}"
    yield from story(rule)


def story(rule: Rule) -> Iterator[str]:
    """The simulated story of what the rule claims about its Bad example."""
    from advisor.samples.rule_examples import claim_of

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
        "fixed": rule.fix.partition(":")[0] or None,
        "url": rule_url(rule.id, rule.name) or None,
        "since": None if rule.since is None else f"{rule.since[0]}.{rule.since[1]}",
        "before": None if rule.before is None else f"{rule.before[0]}.{rule.before[1]}",
        **{name.lower(): documentation.text(name) for name in ("Why", "Fix", "Care", "See", "Proof")},
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


def index(rules: list[Rule]) -> Iterator[str]:
    """All rules in a table."""
    yield from ("# Rules", "", NOTE, "", f"{len(rules)} rules; the severity is that of the profile production.")
    for family in dict.fromkeys(rule.family for rule in rules):
        yield from ("", f"## {family}", "", "| rule | name | severity | how sure | what |", "|---|---|---|---|---|")
        for rule in rules:
            if rule.family == family:
                title = cell(rule.documentation().title)
                sure = f"{rule.severity('production')} | {rule.confidence}"
                yield f"| [{rule.id}]({rule.id}.md) | {rule.name} | {sure} | {title} |"


def rule_page(rule: Rule) -> Iterator[str]:
    """One rule's page."""
    documentation = rule.documentation()
    yield from (f"# {rule.id} {rule.name}", "", documentation.title, "", NOTE, "", "| | |", "|---|---|")
    yield f"| judges | {' with '.join(rule.inputs)}{bounds(rule)} |"
    yield from (
        f"| severity, {profile} | {severity} |" for profile, severity in zip(PROFILES, rule.severities, strict=True)
    )
    yield f"| how sure | {rule.confidence} |"
    if rule.fix:
        yield f"| [fixed](../fixes.md) | {cell(rule.fix_text)} |"
    yield f"| family | [{rule.family}](README.md#{rule.family}) |"
    for section, text in documentation.sections.items():
        yield from ("", f"## {section}", "")
        if section.startswith(("Bad", "Good")):
            yield from ("```properties", text, "```")
        else:
            yield link_addresses(text) if section == "See" else text
    steps = list(story(rule))
    if steps:
        yield from ("", "## The simulated story", "", "```", *(line.removeprefix("    ") for line in steps[1:]), "```")


def cell(text: str) -> str:
    """Text in a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def link_addresses(text: str) -> str:
    """Turn addresses into Markdown links."""
    return " ".join(f"<{word.rstrip(',.;')}>{word[len(word.rstrip(',.;')) :]}" if word.startswith("https://") else word
                    for word in text.split(" "))  # fmt: skip
