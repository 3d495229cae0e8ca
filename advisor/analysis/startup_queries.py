"""Whether settings start, asked in bulk: JSON Lines in, JSON Lines out, answered one by one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from advisor import catalog
from advisor.analysis.literal_entities import COMPONENTS, entity, kind_of
from advisor.analysis.startup import Starter
from advisor.catalog.target import release_of
from advisor.errors import BadQuery
from advisor.model import Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from advisor.analysis.startup import Said, Start
    from advisor.model import Version
    from advisor.rule import Rule

OF_BROKER = "broker:"
"""What stands before a setting of the broker that a topic is created on."""
NODE = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.quorum.voters": "1@b1:9093",
    "controller.listener.names": "CONTROLLER",
    "listeners": "PLAINTEXT://b1:9092,CONTROLLER://b1:9093",
    "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
}
ZOOKEEPER_NODE = {"zookeeper.connect": "zk1:2181", "broker.id": "1", "listeners": "PLAINTEXT://b1:9092"}
PLUG_IN = {
    "remote.log.storage.manager.class.name": "org.apache.kafka.server.log.remote.storage.NoOpRemoteStorageManager"
}
"""The brokers that a topic is created on where the question says nothing of them."""


WITH_DEFAULTS = (3, 6)
"""The first release that checks a topic's settings together with those that it has from its broker."""


def answers(lines: Iterable[str], rules: Iterable[Rule]) -> Iterator[dict[str, object]]:
    """One answer for each line that is not blank, in their order; `error` says why a line has none."""
    starter = Starter(rules)
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield answer(read(line), starter)
            except BadQuery as bad:
                yield {"id": bad.id, "error": f"line {number}: {bad}"}


def read(line: str) -> dict[str, Any]:
    """One question. Raises BadQuery."""
    try:
        query = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadQuery(f"not JSON: {error}") from None
    if not isinstance(query, dict):
        raise BadQuery("a question is a JSON object")
    id, settings = query.get("id"), query.get("settings", {})
    if not isinstance(query.get("component"), str) or query["component"] not in COMPONENTS:
        raise BadQuery(f"component is one of {', '.join(COMPONENTS)}", id)
    if not isinstance(settings, dict) or not all(isinstance(value, str) for value in settings.values()):
        raise BadQuery("settings is an object of texts", id)
    try:
        query["target"] = release_of(query["version"])[0]
    except (KeyError, ValueError, AttributeError) as bad:
        raise BadQuery(str(bad) if isinstance(bad, ValueError) else "version is a text such as 3.9", id) from None
    return query


def answer(query: Mapping[str, Any], starter: Starter) -> dict[str, object]:
    """What Kafka does with the settings of one question."""
    target, given = Target(query["target"], "asked for", given=True), query["settings"]
    if query["component"] == "topic":
        start = of_topic(given, target, starter)
    else:
        start = starter.start(entity(kind_of(query["component"], given), given, target), complete=True)
    return shown(query.get("id"), start)


def of_topic(given: Mapping[str, str], target: Target, starter: Starter) -> Start:
    """What a broker says of a topic; a broker that does not start takes no topic."""
    node = PLUG_IN | (NODE if target.version > catalog.LAST_ZOOKEEPER else ZOOKEEPER_NODE)
    node |= {key.removeprefix(OF_BROKER): value for key, value in given.items() if key.startswith(OF_BROKER)}
    own = {key: value for key, value in given.items() if not key.startswith(OF_BROKER)}
    broker = entity(kind_of("broker", node), node, target)
    start = starter.start(broker, complete=True)
    if start.refused is not False:
        for said in (*start.reasons, *start.unknown):
            said.key = OF_BROKER + said.key
        return start
    if target.version >= WITH_DEFAULTS:
        own = inherited(node, target.version) | own
    return starter.start(entity("topic", own, target), [broker], complete=True)


def inherited(node: Mapping[str, str], version: Version) -> dict[str, str]:
    """What the topic has from its broker, in the topic's words; the broker has been judged, so numbers are numbers."""
    found = {}
    for key in catalog.definitions("topic", version):
        stand_in = next((pair for pair in catalog.synonyms(key) if pair[0] in node), None)
        if stand_in is not None:
            text, factor = node[stand_in[0]].strip(), stand_in[1]
            found[key] = text if factor == 1 else str(int(text) * factor)
    return found


def shown(id: object, start: Start) -> dict[str, object]:
    """The answer of one line: `refused` is null where the settings alone cannot tell."""
    reasons = start.reasons or start.unknown
    return {
        "id": id,
        "refused": start.refused,
        "reasons": [{"key": said.key, "message": said.message} for said in reasons],
        "changed": [] if start.refused else keys(start.changed),
    }


def keys(said: Iterable[Said]) -> list[str]:
    """The keys, each once."""
    return list(dict.fromkeys(row.key for row in said))
