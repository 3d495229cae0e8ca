"""SARIF rule descriptors: docstring as help, severity and confidence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from advisor.errors import printable as clean
from advisor.model.finding import Finding
from advisor.reports.links import explain_command, rule_url

if TYPE_CHECKING:
    from advisor.rule import Rule

    Json = dict[str, object]

PROBLEMS = {
    "critical": "error",
    "high": "error",
    "medium": "warning",
    "low": "recommendation",
    "info": "recommendation",
    "off": "recommendation",
}
LEVELS = {"error": "error", "warning": "warning", "recommendation": "note"}
PRECISIONS = {"certain": "very-high", "likely": "high", "guess": "medium"}
SECURITY = {"critical": "9.5", "high": "8.0", "medium": "5.5", "low": "2.0"}
"""Only rules of the family security have one: it makes a result a security alert."""
LONGEST_DESCRIPTION = 1024
"""Characters of a description that GitHub takes."""


def rule_descriptor(rule: Rule | None, example: Finding) -> Json:
    """A rule's descriptor; a finding of the tool itself has one made from it."""
    if rule is None:
        return _own(example)
    documentation = rule.documentation()
    problem = PROBLEMS[rule.severity("production")]
    url = rule_url(rule.id, rule.name)
    return {
        "id": rule.id,
        "name": rule.name,
        **({"helpUri": url} if url else {}),
        "shortDescription": {"text": documentation.title[:LONGEST_DESCRIPTION] or rule.name},
        "fullDescription": {
            "text": (documentation.text("Why") or documentation.title or rule.name)[:LONGEST_DESCRIPTION]
        },
        "help": {"text": "\n".join(help_text(rule)) or rule.name, "markdown": "\n".join(markdown(rule)) or rule.name},
        "defaultConfiguration": {"level": LEVELS[problem]},
        "properties": _properties(rule, problem),
    }


def _properties(rule: Rule, problem: str) -> Json:
    severity = rule.severity("production")
    security = {"security-severity": SECURITY[severity]} if rule.family == "security" and severity in SECURITY else {}
    return {
        "tags": [rule.family],
        "precision": PRECISIONS[rule.confidence],
        "problem.severity": problem,
        **security,
    }


def _own(example: Finding) -> Json:
    text = {"text": clean(example.why)[:LONGEST_DESCRIPTION] or example.name}
    return {
        "id": example.rule,
        "name": example.name,
        "shortDescription": {"text": example.name},
        "fullDescription": text,
        "help": {"text": clean(example.fix) or example.name},
        "properties": {"tags": ["tool"], "precision": "very-high", "problem.severity": PROBLEMS[example.severity]},
    }


def help_text(rule: Rule) -> Iterator[str]:
    """The documentation as plain text."""
    documentation = rule.documentation()
    for name in ("Why", "Fix", "Care", "See"):
        if documentation.text(name):
            yield f"{name}: {documentation.text(name)}"
    if not rule_url(rule.id, rule.name):
        yield f"More: {explain_command(rule)}"


def markdown(rule: Rule) -> Iterator[str]:
    """The documentation as Markdown, with its examples."""
    documentation = rule.documentation()
    for name, text in documentation.sections.items():
        if name.startswith(("Bad", "Good")):
            yield from (f"**{name}**", "", "```properties", text, "```", "")
        else:
            yield from (f"**{name}**: {text}", "")
    if not rule_url(rule.id, rule.name):
        yield f"**More**: `{explain_command(rule)}`"
