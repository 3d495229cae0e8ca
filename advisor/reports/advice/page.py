"""Output of `advise` as one HTML page."""

from __future__ import annotations

from collections.abc import Iterator
from pkgutil import get_data

from advisor import __version__
from advisor.analysis.advice.plan import Plan
from advisor.reports.advice.text import actions, by_hand_lines, cost_text, headline, last_line, odds_lines, removed
from advisor.reports.html.page import STYLE, environment, frame, source
from advisor.simulator.odds import Rates

TEMPLATE = "page.html.j2"


def text(plan: Plan, rates: Rates) -> Iterator[str]:
    """The page."""
    template = get_data(__name__, TEMPLATE)
    assert template is not None
    yield (
        environment()
        .from_string(template.decode())
        .render(
            version=__version__,
            title=headline(plan),
            summary=last_line(plan),
            plan=plan,
            steps=[
                (step, removed(step), [line for _, line in actions(step, plan.throttle)], cost_text(step))
                for step in plan.steps
            ],
            odds=[line.strip() for line in odds_lines(plan, rates) if line],
            by_hand=[line.strip() for line in by_hand_lines(plan.by_hand) if line][1:],
            **frame(source(STYLE), ""),
        )
    )
