"""kafka-topics --describe, of any release: a line for each topic, a line for each partition.

Source: TopicCommand. Releases up to 2.2 write `Topic:orders` without a blank; ELR columns since 4.0; a filter such as
--under-replicated-partitions prints partitions alone. `Configs` are all that is not Kafka's default.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from advisor.model import DYNAMIC_TOPIC, TOPIC_OR_BROKER
from advisor.model.cluster import NOBODY, Partition
from collectors.outputs.facts import Described, Facts, TopicOutput
from collectors.outputs.numbers import broker_id

TOPIC = re.compile(r"Topic: ?(\S{1,249})\s")
FIELD = re.compile(r"([A-Z][A-Za-z]{1,30}(?: Replicas)?): ?")
NEXT_SETTING = re.compile(r",(?=[a-z][a-z.]{1,100}=)")
MOST_SETTINGS = 500


def read(lines: Sequence[str], facts: Facts) -> None:
    """Read the topics and partitions that some lines show."""
    described: set[str] = set()
    for line in lines:
        if "Topic:" not in line:
            continue
        match = TOPIC.search(line)
        if match is None:
            continue
        name, fields = match.group(1), _fields(line[match.start() :])
        if "PartitionCount" in fields:
            _topic(facts.topic(name), fields, " " not in line[match.start() : match.end() - 1])
            described.add(name)
        elif "Partition" in fields and "Replicas" in fields:
            _partition(name, fields, facts)
            facts.partial = facts.partial or name not in described


def _fields(line: str) -> dict[str, str]:
    """The values of a line by name; `Adding Replicas` is one name."""
    matches = list(FIELD.finditer(line))
    ends = [match.start() for match in matches[1:]] + [len(line)]
    fields: dict[str, str] = {}
    for match, end in zip(matches, ends, strict=True):
        fields.setdefault(match.group(1), line[match.end() : end].strip())
        if match.group(1) == "Configs":
            fields["Configs"] = line[match.end() :].strip()
            break
    return fields


def _topic(topic: TopicOutput, fields: dict[str, str], own_only: bool) -> None:
    """Take a topic's own line; its partitions follow, and settings that kafka-configs --all printed say more."""
    topic.partitions.clear()
    topic.replication_factor = broker_id(fields.get("ReplicationFactor", ""))
    if "Configs" in fields and not (topic.settings is not None and topic.settings.whole):
        topic.settings = settings_of(fields["Configs"], DYNAMIC_TOPIC if own_only else TOPIC_OR_BROKER)
        topic.settings.own_only = own_only


def settings_of(text: str, source: str) -> Described:
    """The settings of `a=b,c=d`, all of one source; a value may hold commas."""
    described = Described()
    for item in NEXT_SETTING.split(text)[:MOST_SETTINGS]:
        key, equals, value = item.partition("=")
        if equals:
            described.values[key] = value
            described.levels[key] = ((source, value),)
    return described


def _partition(topic: str, fields: dict[str, str], facts: Facts) -> None:
    id, replicas = broker_id(fields["Partition"]), _ids(fields["Replicas"])
    isr = _ids(fields.get("Isr", ""))
    if id is None or not replicas or isr is None:
        return
    leader = broker_id(fields.get("Leader", ""))
    elr, last_elr = (_ids(fields[name]) if name in fields else None for name in ("Elr", "LastKnownElr"))
    facts.topic(topic).partitions[id] = Partition(
        id, NOBODY if leader is None else leader, replicas, isr, elr, last_elr
    )
    if "Adding Replicas" in fields or "Removing Replicas" in fields:
        facts.reassignments.add((topic, id))


def _ids(text: str) -> tuple[int, ...] | None:
    """The broker ids of `1,2,3`; none of nothing, and None of N/A."""
    words = text.split(",") if text else []
    ids = [broker_id(word) for word in words]
    return None if any(id is None for id in ids) else tuple(id for id in ids if id is not None)
