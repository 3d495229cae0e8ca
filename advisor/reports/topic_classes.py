"""Output of `simulate` for a whole snapshot, as a document and as JSON data: a row for each class of topics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from advisor.analysis.topic_classes import TopicClass
from advisor.reports.document.blocks import Block, Document, Items, Section, Sentence, Table
from advisor.reports.odds_sentences import how_often, significant
from advisor.simulator.odds import losses_a_year
from advisor.simulator.summary import data_of

TOPIC_CLASSES_FORMAT = "kafka-advisor-topic-classes/1"
NAMES_SHOWN = 3
HEAD = (
    "topics",
    "configuration",
    "failures to a loss",
    "to a stop of writes",
    "records lost",
    "minutes without writes",
)


def document(name: str, classes: Sequence[TopicClass], unread: Sequence[str]) -> Document:
    """A table, and the topics of each row."""
    table = Table(HEAD, [cells(each) for each in classes], indent=0, shown=len(classes))
    names = [f"{configuration(each)}: {names_text(each.topics)}" for each in classes]
    topics: list[Block] = [Items(names, shown=len(names), indent=0), *(Sentence(row, "unknown") for row in unread)]
    return Document(
        f"cluster {name}: topics by what the simulator needs to know of them, with every replica in sync "
        "(simulate --topic NAME says how)",
        sections=[Section("", [table]), Section("", topics)],
    )


def names_text(topics: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(topics) - NAMES_SHOWN:,} more" if len(topics) > NAMES_SHOWN else ""
    return f"{', '.join(topics[:NAMES_SHOWN])}{more}"


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
        "format": TOPIC_CLASSES_FORMAT,
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
