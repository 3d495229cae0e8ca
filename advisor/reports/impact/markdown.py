"""Output of `impact` as Markdown, for an incident's page: the lines of the text, and a table of topics."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.impact.cluster_impact import Impact
from advisor.analysis.impact.partition_outcome import UNTOUCHED
from advisor.reports.impact.cluster_text import client_lines, cluster_lines, group_lines
from advisor.reports.impact.text import details, ranked_topics, rows_of_topic, unknown_lines
from advisor.reports.impact.words import ids_text, order_of_events, states_text, what_fails
from advisor.reports.markdown import escape

SHOWN = 50
"""Rows of the table; JSON has them all."""


def text(impact: Impact) -> Iterator[str]:
    """The impact as lines of Markdown."""
    yield f"### {escape(what_fails(impact.failure), 300)}"
    yield ""
    yield f"Cluster {escape(impact.live.name, 100)}, read {impact.live.collected}."
    yield f"Partitions: {states_text(impact.states()) or 'none'}."
    yield from table(impact)
    yield ""
    for line in (*impact.failure.notes, *client_lines(impact), *group_lines(impact), *cluster_lines(impact)):
        yield f"* {escape(line, 500)}"
    yield ""
    yield f"Assumed: {order_of_events(impact)}."
    yield from (escape(line, 500) for line in unknown_lines(impact.unknown))


def table(impact: Impact) -> Iterator[str]:
    """The partitions that the failure hits, the worst first."""
    rows = [(topic, row) for topic in ranked_topics(impact.topics) for row in rows_of_topic(topic)]
    rows = [row for row in rows if row[1][0].state != UNTOUCHED]
    if rows:
        yield from ("", "| topic | partitions | after | |", "|---|---|---|---|")
    for topic, (outcome, partitions) in rows[:SHOWN]:
        ids = ids_text(partition.id for partition in partitions)
        yield f"| {escape(topic.name, 100)} | {ids} | {outcome.state} | {escape(details(outcome).lstrip(': '), 300)} |"
    if len(rows) > SHOWN:
        yield f"| {len(rows) - SHOWN:,} more rows are in `--format json` | | | |"
