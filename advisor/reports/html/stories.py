"""Simulated stories of the HTML report: each different one is drawn once for a rule."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.model.finding import Finding
from advisor.reports.context import STORIES
from advisor.reports.html.trace_svg import Picture, picture

STORIES_OF_CARD = 3


class Story:
    """What was proved, and its picture where it is drawn."""

    def __init__(self, summary: str, picture: Picture | None) -> None:
        self.summary = summary
        self.picture = picture


class Stories:
    """The stories of a page, of which a limited number is drawn."""

    def __init__(self) -> None:
        self._pictures: dict[str, Picture | None] = {}

    def of(self, findings: Iterable[Finding]) -> list[Story]:
        """The different stories of a rule's findings, the first few."""
        stories: dict[str, Story] = {}
        for row in findings:
            if row.claim is not None and row.proof is not None and row.claim.key not in stories:
                stories[row.claim.key] = Story(str(row.proof["summary"]), self._picture(row))
            if len(stories) == STORIES_OF_CARD:
                break
        return list(stories.values())

    def _picture(self, finding: Finding) -> Picture | None:
        claim = finding.claim
        if claim is not None and claim.key not in self._pictures and len(self._pictures) < STORIES:
            self._pictures[claim.key] = picture(claim)
        return None if claim is None else self._pictures.get(claim.key)
