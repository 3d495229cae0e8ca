"""Read Kafka's nodes in ZooKeeper. Source: Kafka 3.9, core/src/main/scala/kafka/zk/ZkData.scala."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from advisor.model.cluster import Node, ZooKeeperFacts
from collectors.zookeeper.four_letter_words import pairs_of, voters_of
from collectors.zookeeper.reader import UnreadNode, ZooKeeperReader, failures, reason_of

SECOND_LOOK = 3.0
"""Seconds between the two looks at topics that wait for their deletion."""
GUARDED = (
    "/", "/admin", "/admin/delete_topics", "/brokers", "/brokers/ids", "/brokers/topics", "/cluster", "/config",
    "/config/brokers", "/config/changes", "/config/clients", "/config/topics", "/config/users", "/consumers",
    "/controller", "/controller_epoch", "/delegation_token", "/feature", "/isr_change_notification", "/kafka-acl",
    "/kafka-acl-extended", "/latest_producer_id_block", "/log_dir_event_notification",
)  # fmt: skip
"""Nodes that only Kafka should change."""
LEVELS = ("topics", "clients", "users", "brokers", "ips")
TOPICS = "/brokers/topics"
WAITING = "/admin/delete_topics"


def read(client: Any, chroot: str, seconds: float, second_look: float = SECOND_LOOK) -> ZooKeeperFacts:
    """Read all nodes; failures go to `unread`. Waits `second_look` seconds if topics are to be deleted."""
    facts, reader = ZooKeeperFacts(), ZooKeeperReader(client, chroot, seconds)
    facts.chroot = chroot
    waiting: list[str] = []
    _attempt(facts, "delete_topics", lambda: waiting.extend(reader.children(WAITING)))
    looked = time.monotonic()
    for name, read_part in PARTS:
        _attempt(facts, name, partial(read_part, facts, reader))
    if waiting:
        _attempt(facts, "delete_topics", lambda: _stuck(facts, reader, waiting, looked + second_look))
    return facts


def _attempt(facts: ZooKeeperFacts, name: str, read_part: Callable[[], None]) -> None:
    try:
        read_part()
    except failures() as failure:
        facts.unread[name] = reason_of(failure)


def _cluster(facts: ZooKeeperFacts, reader: ZooKeeperReader) -> None:
    for node in reader.jsons(["/cluster/id"]).values():
        facts.cluster_id = str(node["id"])


def _controller(facts: ZooKeeperFacts, reader: ZooKeeperReader) -> None:
    for node in reader.jsons(["/controller"]).values():
        facts.controller = int(node["brokerid"])
        facts.migration |= int(node.get("kraftControllerEpoch", -1)) > 0


def _migration(facts: ZooKeeperFacts, reader: ZooKeeperReader) -> None:
    for node in reader.jsons(["/migration"]).values():
        facts.migration |= int(node.get("kraft_metadata_offset", -1)) > 0


def _controller_epoch(facts: ZooKeeperFacts, reader: ZooKeeperReader) -> None:
    text = reader.get("/controller_epoch")
    facts.controller_epoch = int(text) if text else None


def _brokers(facts: ZooKeeperFacts, reader: ZooKeeperReader) -> None:
    names = sorted(reader.children("/brokers/ids"), key=int)
    for path, node in reader.jsons(f"/brokers/ids/{name}" for name in names).items():
        id, host, port = int(path.rpartition("/")[2]), node.get("host"), int(node.get("port", -1))
        facts.endpoints[id] = tuple(node.get("endpoints", ()))
        facts.brokers += (Node(id, host or None, port if port > 0 else None, node.get("rack")),)


def _overrides(level: str, facts: ZooKeeperFacts, reader: ZooKeeperReader) -> None:
    root = f"/config/{level}"
    paths = [f"{root}/{name}" for name in reader.children(root)]
    if level == "users":
        clients = reader.families(f"{path}/clients" for path in paths)
        paths += [f"{path}/{name}" for path, names in clients.items() for name in names]
    for path, node in reader.jsons(paths).items():
        if keys := tuple(sorted(node.get("config") or {})):
            facts.overrides[path.removeprefix("/config/")] = keys


def _reassignments(facts: ZooKeeperFacts, reader: ZooKeeperReader) -> None:
    for node in reader.jsons(["/admin/reassign_partitions"]).values():
        facts.reassignments = tuple(
            (str(partition["topic"]), int(partition["partition"])) for partition in node.get("partitions", ())
        )


def _isr_changes(facts: ZooKeeperFacts, reader: ZooKeeperReader) -> None:
    facts.isr_changes = len(reader.children("/isr_change_notification"))


def _log_dir_events(facts: ZooKeeperFacts, reader: ZooKeeperReader) -> None:
    root = "/log_dir_event_notification"
    events = reader.jsons(f"{root}/{name}" for name in reader.children(root))
    facts.log_dir_events = tuple(sorted({int(event["broker"]) for event in events.values()}))


def _old_consumers(facts: ZooKeeperFacts, reader: ZooKeeperReader) -> None:
    groups = reader.children("/consumers")
    offsets = reader.families(f"/consumers/{group}/offsets" for group in groups)
    facts.old_consumers = tuple(group for group, topics in zip(groups, offsets.values(), strict=True) if topics)


def _open_nodes(facts: ZooKeeperFacts, reader: ZooKeeperReader) -> None:
    is_open, unread = reader.open_to_all(GUARDED)
    facts.open_nodes = tuple(path for path in GUARDED if is_open.get(path))
    if unread:
        reason = reason_of(next(iter(unread.values())))
        facts.unread["open_nodes"] = f"the ACLs of {', '.join(unread)}: {reason}"


def _ensemble(facts: ZooKeeperFacts, reader: ZooKeeperReader) -> None:
    facts.ensemble = voters_of(pairs_of(reader.get("/zookeeper/config", below=False) or ""))


def _stuck(facts: ZooKeeperFacts, reader: ZooKeeperReader, waiting: Sequence[str], again: float) -> None:
    """Topic deletions that a second look finds unchanged; a first look may come just before they are done."""
    if again > reader.until:
        raise UnreadNode("there was no time for a second look at the topics to be deleted")
    time.sleep(max(0.0, again - time.monotonic()))
    still = set(reader.children(WAITING))
    facts.deletions = tuple(name for name in waiting if name in still)


PARTS: tuple[tuple[str, Callable[[ZooKeeperFacts, ZooKeeperReader], None]], ...] = (
    ("cluster_id", _cluster),
    ("controller", _controller),
    ("controller_epoch", _controller_epoch),
    ("brokers", _brokers),
    ("reassignments", _reassignments),
    ("isr_changes", _isr_changes),
    ("log_dir_events", _log_dir_events),
    ("migration", _migration),
    ("old_consumers", _old_consumers),
    *((f"config/{level}", partial(_overrides, level)) for level in LEVELS),
    ("open_nodes", _open_nodes),
    ("ensemble", _ensemble),
)
