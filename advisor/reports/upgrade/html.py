"""`upgrade --format html`: a self-contained page with every row."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.upgrade.plan import Plan
from advisor.reports.html.page import STYLE, environment, frame, source
from advisor.reports.upgrade.words import TITLES, headline, line, path_title, present_lines, stage_line

TEMPLATE = "upgrade.html.j2"


def text(plan: Plan) -> Iterator[str]:
    """The page."""
    paths = [(path_title(path), [stage_line(stage) for stage in path.stages]) for path in plan.paths]
    parts = [(title, [line(row) for row in plan.rows[part]]) for part, title in TITLES.items() if plan.rows[part]]
    template = environment().get_template(TEMPLATE)
    yield template.render(
        headline=headline(plan),
        presents=list(present_lines(plan)),
        paths=paths,
        parts=parts,
        **frame(source(STYLE), ""),
    )
