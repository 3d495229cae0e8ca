"""Output of `impact --rolling-restart` as one HTML page."""

from __future__ import annotations

from collections.abc import Iterator

from advisor import __version__
from advisor.analysis.impact.restart_changes import changes_of
from advisor.analysis.impact.rolling_restart import RollingRestart
from advisor.reports.html.page import STYLE, environment, frame, source
from advisor.reports.impact.page import OWN_STYLE, own
from advisor.reports.impact.restart_text import CONDITION, blocked_lines, broken_lines, step_line, verdict
from advisor.reports.impact.words import mode_of

TEMPLATE = "restart_page.html.j2"


def text(order: RollingRestart) -> Iterator[str]:
    """The page."""
    yield (
        environment()
        .from_string(own(TEMPLATE))
        .render(
            version=__version__,
            header=f"cluster {order.live.name} ({mode_of(order.live)}), read {order.live.collected}",
            verdict=verdict(order),
            broken=list(broken_lines(order)),
            steps=[
                (step_line(number, step).partition(". ")[2], step.is_safe, list(blocked_lines(step.blocked)))
                for number, step in enumerate(order.steps, 1)
            ],
            condition=CONDITION,
            changes=changes_of(order),
            unknown=order.unknown,
            **frame(source(STYLE) + own(OWN_STYLE), ""),
        )
    )
