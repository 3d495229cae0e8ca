"""kafka-configs --describe, with --all or without: the settings of brokers and topics, with their levels.

Source: ConfigCommand. Values may hold blanks; a sensitive value is null; up to 2.4 through ZooKeeper `a=b,c=d` in one line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from advisor.model import DYNAMIC_BROKER, DYNAMIC_DEFAULT_BROKER, DYNAMIC_TOPIC, STATIC_BROKER
from collectors.outputs.facts import Described, Facts, Level
from collectors.outputs.numbers import broker_id
from collectors.outputs.topics import settings_of

HEADER = re.compile(r"\b(All|Dynamic) configs for (broker|topic)s? '?([^\s']{1,249})'? are:\s*$")
DEFAULTS = re.compile(r"\bDefault configs for brokers in the cluster are:\s*$")
IN_ONE_LINE = re.compile(r"\bConfigs for topics? '([^\s']{1,249})' are (\S.*)$")
KEY = re.compile(r"[A-Za-z][\w.-]{1,150}")
NEXT_LEVEL = re.compile(r", (?=[A-Z_]{1,40}_CONFIG:)")
SOURCES = {
    "DYNAMIC_TOPIC_CONFIG": DYNAMIC_TOPIC,
    "DYNAMIC_BROKER_CONFIG": DYNAMIC_BROKER,
    "DYNAMIC_DEFAULT_BROKER_CONFIG": DYNAMIC_DEFAULT_BROKER,
    "STATIC_BROKER_CONFIG": STATIC_BROKER,
}
"""Levels above Kafka's own default, by the names that the tool prints."""


def read(lines: Sequence[str], facts: Facts) -> None:
    """Read the settings that some lines show."""
    current: Described | None = None
    for line in lines:
        if "sensitive=" in line:
            if current is not None:
                _row(line, current)
        elif "onfigs for " in line:
            current = _opened(line, facts)


def _opened(line: str, facts: Facts) -> Described | None:
    """The settings that the lines below a header are of."""
    header = HEADER.search(line)
    if header is not None:
        return _described(header.group(2), header.group(3), header.group(1) == "All", facts)
    if DEFAULTS.search(line):
        facts.cluster_wide = Described()
        return facts.cluster_wide
    in_one_line = IN_ONE_LINE.search(line)
    if in_one_line is not None:
        topic = facts.topic(in_one_line.group(1))
        topic.settings = settings_of(in_one_line.group(2), DYNAMIC_TOPIC)
        topic.settings.own_only = True
    return None


def _described(what: str, name: str, whole: bool, facts: Facts) -> Described | None:
    if what == "topic":
        topic = facts.topic(name)
        topic.settings = Described(whole=whole, own_only=not whole)
        return topic.settings
    id = broker_id(name)
    before = facts.brokers.get(id) if id is not None else None
    if id is None or (before is not None and before.whole and not whole):
        return None
    facts.answered(id)
    facts.brokers[id] = Described(whole=whole)
    return facts.brokers[id]


def _row(line: str, described: Described) -> None:
    head, _, synonyms = line.rstrip().rpartition(" synonyms={")
    setting, _, sensitive = head.rpartition(" sensitive=")
    written, equals, value = setting.partition("=")
    key = written.rsplit(maxsplit=1)[-1] if written.strip() else ""
    if not equals or not synonyms.endswith("}") or KEY.fullmatch(key) is None or sensitive not in ("true", "false"):
        return
    synonyms = synonyms[:-1]
    described.values[key] = None if value == "null" else value
    described.levels[key] = _levels(synonyms)
    if sensitive == "true":
        described.hidden.add(key)


def _levels(synonyms: str) -> tuple[Level, ...]:
    levels = []
    for item in NEXT_LEVEL.split(synonyms) if synonyms else ():
        level, _, pair = item.partition(":")
        value = pair.partition("=")[2]
        if level in SOURCES:
            levels.append((SOURCES[level], None if value == "null" else value))
    return tuple(levels)
