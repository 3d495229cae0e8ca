"""Bulk startup checks: JSON Lines in, JSON Lines out, answered one by one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from advisor import catalog, limits
from advisor.analysis.literal_entities import COMPONENTS, entity, kind_of
from advisor.analysis.startup.judge import StartupJudge
from advisor.analysis.startup.verdict import StartupVerdict
from advisor.catalog.target import KNOWN, release_of
from advisor.errors import BadQuery
from advisor.model import Target, Version
from advisor.model.finding import Finding
from advisor.rule import Rule

OF_BROKER = "broker:"
"""What stands before a setting of the broker that a topic is created on."""
READ_FIRST = ("connect", "streams")
"""Components that read their configuration, and go on to their parts later: `start` in an answer is the verdict on both."""
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
    """Answer each line that is not blank, in order; `error` says why a line has no answer."""
    judge = StartupJudge(rules)
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield answer(read(line), judge)
            except BadQuery as bad:
                yield {"id": bad.id, "error": f"line {number}: {bad}"}


def read(line: str) -> dict[str, Any]:
    """Parse one query. Raises BadQuery."""
    if len(line) > limits.QUERY_LENGTH:
        raise BadQuery(f"longer than {limits.QUERY_LENGTH} characters")
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
        query["target"], unknown = release_of(query["version"])
    except (KeyError, ValueError, AttributeError) as bad:
        raise BadQuery(str(bad) if isinstance(bad, ValueError) else "version is a text such as 3.9", id) from None
    if unknown:
        raise BadQuery(f"{unknown.partition(': judged as')[0]}; {KNOWN}", id)
    return query


def answer(query: Mapping[str, Any], judge: StartupJudge) -> dict[str, object]:
    """Judge the settings of one query."""
    target, given = Target(query["target"], "asked for", given=True), query.get("settings", {})
    if query["component"] == "topic":
        verdict = judge_topic(given, target, judge)
    else:
        verdict = judge.judge(entity(kind_of(query["component"], given), given, target), complete=True)
    if query["component"] not in READ_FIRST:
        return answer_row(query.get("id"), verdict)
    row = answer_row(query.get("id"), verdict.of_configuration())
    return row | {"start": {name: value for name, value in answer_row(None, verdict).items() if name != "id"}}


def judge_topic(given: Mapping[str, str], target: Target, judge: StartupJudge) -> StartupVerdict:
    """Whether a broker accepts a topic; a broker that does not start accepts none."""
    node = PLUG_IN | (NODE if target.version > catalog.LAST_ZOOKEEPER else ZOOKEEPER_NODE)
    node |= {key.removeprefix(OF_BROKER): value for key, value in given.items() if key.startswith(OF_BROKER)}
    own = {key: value for key, value in given.items() if not key.startswith(OF_BROKER)}
    broker = entity(kind_of("broker", node), node, target)
    verdict = judge.judge(broker, complete=True)
    if verdict.refused is not False:
        for row in verdict.grounds:
            row.key = OF_BROKER + (row.key or "")
        return verdict
    if target.version >= WITH_DEFAULTS:
        own = inherited_from_broker(node, target.version) | own
    return judge.judge(entity("topic", own, target), [broker], complete=True)


def inherited_from_broker(node: Mapping[str, str], version: Version) -> dict[str, str]:
    """The values that a topic inherits from its broker, under the topic's keys; the broker was judged before."""
    values = {}
    for key in catalog.definitions("topic", version):
        stand_in = next((pair for pair in catalog.synonyms(key) if pair[0] in node), None)
        if stand_in is not None:
            text, factor = node[stand_in[0]].strip(), stand_in[1]
            values[key] = text if factor == 1 else str(int(text) * factor)
    return values


def answer_row(id: object, verdict: StartupVerdict) -> dict[str, object]:
    """The JSON answer to one query: `refused` is null where the settings alone cannot tell."""
    return {
        "id": id,
        "refused": verdict.refused,
        "reasons": [{"key": row.key or "", "message": row.message} for row in verdict.grounds],
        "changed": [] if verdict.refused else keys(verdict.changed),
        "changes": [] if verdict.refused else [change(finding) for finding in verdict.changed],
    }


def change(finding: Finding) -> dict[str, str | None]:
    """A changed value as JSON data: null is a key that is not written, or a value that is not used."""
    return {"key": finding.key or "", "written": finding.value, "used": finding.used, "message": finding.message}


def keys(findings: Iterable[Finding]) -> list[str]:
    """The keys of the findings, each once."""
    return list(dict.fromkeys(finding.key or "" for finding in findings))
