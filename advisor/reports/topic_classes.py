"""Output of `simulate` for a whole snapshot: a row for each class of topics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from advisor.analysis.topic_classes import TopicClass
from advisor.errors import printable as clean
from advisor.reports.machine.json_text import dump
from advisor.reports.odds_sentences import how_often, significant
from advisor.simulator.odds import losses_a_year
from advisor.simulator.summary import data_of

FORMAT = "kafka-advisor-topic-classes/1"
NAMES = 3
HEAD = (
    "topics",
    "configuration",
    "failures to a loss",
    "to a stop of writes",
    "records lost",
    "minutes without writes",
)


def in_format(name: str, classes: Sequence[TopicClass], unread: Sequence[str], format: str) -> Iterator[str]:
    """The classes in a format."""
    if format == "json":
        return iter([dump(data(name, classes, unread), indent=2)])
    return lines(name, classes, unread)


def lines(name: str, classes: Sequence[TopicClass], unread: Sequence[str]) -> Iterator[str]:
    """A table, and the topics of each row."""
    yield f"cluster {clean(name)}: topics by what the simulator needs to know of them, with every replica in sync (simulate --topic NAME says how)"
    yield ""
    rows = [HEAD, *map(cells, classes)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    yield ""
    for each in classes:
        more = f" and {len(each.topics) - NAMES:,} more" if len(each.topics) > NAMES else ""
        yield f"{configuration(each)}: {', '.join(map(clean, each.topics[:NAMES]))}{more}"
    yield from (f"unknown: {clean(row)}" for row in unread)


def cells(each: TopicClass) -> tuple[str, ...]:
    """A row of the table."""
    return (
        f"{len(each.topics):,}",
        configuration(each),
        each.failures["loss"],
        each.failures["writes"],
        how_often(losses_a_year(each.odds)),
        f"{significant(each.odds['minutes_without_writes'])} a year",
    )


def configuration(each: TopicClass) -> str:
    """What the topics of a class have in common."""
    scenario = each.scenario
    words = [f"RF {scenario.replicas}", f"min.isr {scenario.min_isr}", f"acks={scenario.acks}"]
    words += ["unclean election"] if scenario.unclean else []
    words += ["ELR"] if scenario.elr else []
    words += [f"{each.racks} rack{'s' if each.racks != 1 else ''}"] if each.racks else []
    return ", ".join(words)


def data(name: str, classes: Sequence[TopicClass], unread: Sequence[str]) -> dict[str, Any]:
    """The same as JSON data, with all names."""
    return {
        "format": FORMAT,
        "cluster": name,
        "classes": [
            {
                "configuration": {**data_of(each.scenario), "racks": each.racks},
                "topics": list(each.topics),
                "failures_until": each.failures,
                "odds": each.odds,
            }
            for each in classes
        ],
        "unknown": list(unread),
    }
