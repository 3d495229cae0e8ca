"""Cards of the HTML report: one for each rule that fails, with every place where it does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from advisor.engine.fix_first import first_steps
from advisor.model.finding import Finding, rank
from advisor.reports.context import RunResult
from advisor.reports.file_fixes import FileFixes
from advisor.reports.html.places import Anchors, Place
from advisor.reports.html.references import Link, Links
from advisor.reports.html.stories import Stories, Story
from advisor.reports.links import explain_command, rule_url
from advisor.reports.text.causes import fold
from advisor.reports.text.finding import place, refusal

PLACES = 200
"""Places of a card that are listed."""
OPEN = 5
"""Places of a card that are shown at once; the others unfold."""
EVIDENCE = 20
"""Places of a card that say what they rest on."""


class Card:
    """A rule that fails: what to change, why, how it goes wrong, and where."""

    def __init__(
        self, run: RunResult, findings: Sequence[Finding], places: list[Place], stories: list[Story], links: list[Link]
    ) -> None:
        worst = findings[0]
        self.id, self.name = worst.rule, worst.name
        self.url = rule_url(worst.rule, worst.name)
        self.command = "" if self.url else explain_command(worst)
        self.family = run.family(worst.rule)
        self.severity, self.refused = worst.severity, worst.refused
        self.fix, self.care, self.why = worst.fix, worst.care, worst.why
        self.refusals = refusals(findings)
        self.confidence = " or ".join(dict.fromkeys(row.confidence for row in findings))
        self.title = title(run, findings)
        self.count = len(findings)
        self.shown, self.folded = places[:OPEN], places[OPEN:]
        self.unlisted = len(findings) - len(places)
        self.stories = stories
        self.links = links


def refusals(findings: Sequence[Finding]) -> str:
    """What Kafka does with the subjects that it refuses: of some of them, or by several releases, with their places."""
    places_of: dict[str, list[str]] = {}
    for row in findings:
        if row.refused:
            places_of.setdefault(refusal(row), []).append(place(row))
    if len(places_of) == 1 and all(row.refused for row in findings):
        sentences = [f"{sentence}." for sentence in places_of]
    else:
        sentences = [f"{sentence}: {', '.join(dict.fromkeys(places))}." for sentence, places in places_of.items()]
    return " ".join(sentence[0].upper() + sentence[1:] for sentence in sentences)


def title(run: RunResult, findings: Sequence[Finding]) -> str:
    """What all places have in common: their message, else the rule's title."""
    messages = {row.message for row in findings}
    rule = run.rules.get(findings[0].rule)
    return findings[0].message if len(messages) == 1 or rule is None else rule.documentation().title.rstrip(".")


def cards(run: RunResult, folder: str) -> list[Card]:
    """The cards of the page, in the order in which rules are to be fixed; places are named within its folder."""
    alone, consequences = fold(run.report.findings)
    anchors, fixes, stories, links = Anchors(folder), FileFixes(run.report), Stories(), Links()
    shown = []
    for group in in_order(run, by_rule(alone)):
        places = [
            Place(row, anchors, fixes, consequences.get(id(row), ()), with_evidence=number < EVIDENCE)
            for number, row in enumerate(group[:PLACES])
        ]
        rule = run.rules.get(group[0].rule)
        shown.append(Card(run, group, places, stories.of(group), links.of(rule) if rule else []))
    return shown


def by_rule(findings: Iterable[Finding]) -> list[list[Finding]]:
    """The findings of each rule, the worst first."""
    groups: dict[str, list[Finding]] = {}
    for row in findings:
        groups.setdefault(row.rule, []).append(row)
    return [sorted(group, key=lambda row: (not row.refused, -rank(row.severity))) for group in groups.values()]


def in_order(run: RunResult, groups: list[list[Finding]]) -> list[list[Finding]]:
    """Groups as first_steps orders rules; those of info, which no step names, at the end."""
    steps = first_steps(run.report, most=len(run.report.findings))
    position = {step.finding.rule: number for number, step in enumerate(steps)}
    return sorted(groups, key=lambda group: (position.get(group[0].rule, len(steps)), -rank(group[0].severity)))
