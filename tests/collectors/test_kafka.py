"""What the collectors make of answers: releases, levels, hidden values, reasons; and that nothing is ever written."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import collectors
from advisor import catalog
from advisor.catalog.features import LEVELS
from advisor.facts.cluster import partition_of
from advisor.model import DYNAMIC_DEFAULT_BROKER, DYNAMIC_TOPIC, HIDDEN, MASK, STATIC_BROKER, Target
from advisor.model.cluster import ALIVE, DEAD, Live, Partition
from collectors.kafka.confluent import plain, unread_because
from collectors.kafka.deadline import Deadline, Unread, persistent
from collectors.kafka.entities import (
    InternedTopics,
    brokers_of,
    by_keys,
    has_authorizer,
    release_of,
    settings_of,
)
from collectors.kafka.kafka_python import add_sizes as add_sizes_of_directory
from collectors.kafka.kafka_python import log_dir_of, quorum_of
from collectors.kafka.topics import add_sizes, hidden_topics, nodes_of, partitions_of

DENIED = Unread("settings of broker 2: not permitted")


def entry(value: str | None, source: int = 4, sensitive: bool = False) -> SimpleNamespace:
    """A described setting, as confluent-kafka gives it."""
    return SimpleNamespace(value=value, source=source, is_sensitive=sensitive)


def described(**settings: SimpleNamespace) -> dict[str, SimpleNamespace]:
    return {key.replace("_", "."): row for key, row in settings.items()}


@pytest.mark.parametrize("version", catalog.VERSIONS)
def test_a_release_is_known_by_the_settings_that_its_brokers_describe(version: tuple[int, int]) -> None:
    keys = dict.fromkeys(catalog.definitions("broker", version))
    found = by_keys(keys)
    assert set(catalog.definitions("broker", found)) == set(keys)
    assert by_keys({**keys, "own.plugin.key": None}) == found


@pytest.mark.parametrize(
    ("level", "version"), [(1, (3, 0)), (7, (3, 3)), (21, (3, 9)), (25, (4, 0)), (30, (4, 3)), (99, (4, 4))]
)
def test_without_settings_the_highest_metadata_version_says_the_release(level: int, version: tuple[int, int]) -> None:
    live = Live("a:1", "id", "now", None)
    live.supported = {"metadata.version": level}
    assert release_of({1: DENIED}, live).version == version
    assert sorted(LEVELS.values()) == list(LEVELS.values())


def test_levels_of_settings() -> None:
    found = settings_of(
        described(a_file=entry("1"), b_default=entry("2", 5), c_cluster=entry("3", 3), d_topic=entry("4", 1)), {}
    )
    assert {key: (setting.value, setting.source) for key, setting in found.items()} == {
        "a.file": ("1", STATIC_BROKER),
        "c.cluster": ("3", DYNAMIC_DEFAULT_BROKER),
        "d.topic": ("4", DYNAMIC_TOPIC),
    }


@pytest.mark.parametrize(
    ("key", "row"),
    [
        ("super.users", entry(None, 4, True)),
        ("ssl.key.password", entry(None, 4, True)),
        ("own.plugin.password", entry("canary-Pa55word")),
        ("sasl.jaas.config", entry("canary-Pa55word")),
    ],
)
def test_what_a_cluster_keeps_to_itself_is_hidden_and_a_secret_is_masked(key: str, row: SimpleNamespace) -> None:
    setting = settings_of({key: row}, {})[key]
    assert (setting.value, setting.shape, setting.secret) == (MASK, HIDDEN, True)


def test_a_sensitive_key_that_is_not_set_is_not_set() -> None:
    assert settings_of({"ssl.key.password": entry(None, 5, True)}, {}) == {}


def test_topics_with_equal_settings_share_them() -> None:
    interned = InternedTopics(catalog_target(), "id")
    one = interned.topic("one", (), described(retention_ms=entry("1", 1), min_insync_replicas=entry("1", 5)))
    two = interned.topic("two", (), described(retention_ms=entry("1", 1), min_insync_replicas=entry("1", 5)))
    other = interned.topic("other", (), described(retention_ms=entry("2", 1), min_insync_replicas=entry("1", 5)))
    assert one.settings is two.settings
    assert one.described is other.described
    assert other.settings is not one.settings
    assert interned.topic("denied", (), DENIED).missing == str(DENIED)


def catalog_target() -> Target:
    live = Live("a:1", "id", "now", None)
    return release_of({}, live)


def test_brokers_that_are_down_or_deny_have_a_reason() -> None:
    live = Live("a:1", "id", "now", "kraft")
    nodes = [SimpleNamespace(id=1, host="a", port=1, rack="r"), SimpleNamespace(id=2, host="b", port=1, rack=None)]
    replica = SimpleNamespace(replicas=[1, 3], leader=-1, isrs=[3])
    metadata = SimpleNamespace(topics={"t": SimpleNamespace(partitions={0: replica}, error=None)})
    live.nodes = nodes_of(SimpleNamespace(nodes=nodes), metadata)
    assert [(node.id, node.state, node.rack) for node in live.nodes] == [
        (1, ALIVE, "r"),
        (2, ALIVE, None),
        (3, DEAD, None),
    ]
    configs: dict[int, Any] = {
        1: described(process_roles=entry("broker"), node_id=entry("1"), broker_id=entry("1")),
        2: DENIED,
    }
    brokers = brokers_of(live, configs, catalog_target(), {1: {"a": (("STATIC_BROKER", "1"),)}})
    assert [(broker.name, broker.missing) for broker in brokers] == [
        ("1", None),
        ("2", str(DENIED)),
        ("3", "the broker is down"),
    ]
    assert "broker.id" not in brokers[0].settings
    assert brokers[0].overridden == {}
    assert [partition.isr for partition in partitions_of(metadata, None)["t"] or ()] == [(3,)]


def test_a_topic_that_brokers_name_with_an_error_has_no_partitions_that_could_be_read() -> None:
    metadata = SimpleNamespace(topics={"t": SimpleNamespace(partitions={}, error="TOPIC_AUTHORIZATION_FAILED")})
    assert partitions_of(metadata, None) == {"t": None}


@pytest.mark.parametrize(
    ("configs", "expected"),
    [
        ({1: described(authorizer_class_name=entry("org.x.Y"))}, True),
        ({1: described(authorizer_class_name=entry("", 5))}, False),
        ({1: DENIED, 2: described(authorizer_class_name=entry(None, 5))}, False),
        ({1: DENIED}, None),
        ({}, None),
    ],
)
def test_whether_there_is_an_authorizer(configs: dict[int, Any], expected: bool | None) -> None:
    assert has_authorizer(configs) is expected


def test_topics_that_are_hidden_are_found_in_the_log_directories() -> None:
    live = Live("a:1", "id", "now", "kraft")
    assert list(hidden_topics(live, ["a"], {"a", "secret", "__cluster_metadata"}, True)) == ["secret"]
    assert hidden_topics(live, ["a"], None, False) == {}
    assert live.unread == {}
    hidden_topics(live, ["a"], None, None)
    assert "cannot be told" in live.unread["topics"]


def test_sizes_of_replicas_are_those_of_their_log_directories() -> None:
    sizes: dict[str, dict[tuple[int, int], int]] = {}
    row = {"partition_index": 0, "partition_size": 70, "is_future_key": False}
    add_sizes_of_directory(sizes, 1, [{"name": "a", "partitions": [row, {**row, "is_future_key": True}]}])
    add_sizes_of_directory(sizes, 2, [{"name": "a", "partitions": [{**row, "partition_size": 60}]}])
    partition = Partition(0, 1, (2, 1, 3), (1, 2))
    add_sizes({"a": [partition], "b": None}, {**sizes, "b": {(0, 1): 5}})
    assert partition.sizes == (60, 70, None)


def test_a_quorum_answer() -> None:
    def voter(id: int, end: int, caught_up: int) -> dict[str, int]:
        return {
            "replica_id": id,
            "log_end_offset": end,
            "last_fetch_timestamp": 5000,
            "last_caught_up_timestamp": caught_up,
        }

    quorum = quorum_of(
        {"leader_id": 1, "leader_epoch": 3, "current_voters": [voter(1, 9, 5000), voter(2, 4, 1000), voter(3, -1, -1)],
         "observers": [voter(7, 9, 4990)]}
    )  # fmt: skip
    rows = [(member.id, member.voter, member.lag, member.silent_ms) for member in quorum.members]
    assert rows == [(1, True, 0, 0), (2, True, 5, 4000), (3, True, None, None), (7, False, 0, 10)]


def test_a_log_directory_of_an_old_release_says_no_size() -> None:
    dir = log_dir_of({"log_dir": "/d", "error_code": 56, "topics": [{"name": "t", "partitions": [1, 2]}]})
    assert (dir.total, dir.free, dir.partitions) == (None, None, 2)
    assert dir.error == "KafkaStorageError"


@pytest.mark.parametrize(
    ("name", "says", "again"),
    [
        ("TOPIC_AUTHORIZATION_FAILED", "not permitted (TOPIC_AUTHORIZATION_FAILED); this principal needs X", False),
        ("_TIMED_OUT", "went wrong (TIMED_OUT)", True),
        ("INVALID_REQUEST", "went wrong (INVALID_REQUEST)", False),
    ],
)
def test_an_error_becomes_a_reason(name: str, says: str, again: bool) -> None:
    unread = unread_because(SimpleNamespace(name=lambda: name, str=lambda: "went wrong"), "topics", "X")
    assert str(unread) == f"topics: {says}"
    assert unread.again is again


def test_words_of_librdkafka_lose_the_name_of_the_thread() -> None:
    assert plain("[thrd:sasl_ssl://h:1/2]: sasl_ssl://h:1/2: no\n  way") == "sasl_ssl://h:1/2: no way"


@pytest.mark.parametrize(
    ("java", "partitions", "expected"),
    [("g", 5, 3), ("pay", 50, 10), ("größe", 50, 7), ("orders-😀-group-with-a-long-name", 50, 37), ("", 50, 0)],
)
def test_the_partition_a_group_lives_on(java: str, partitions: int, expected: int) -> None:
    assert partition_of(java, partitions) == expected


def test_what_may_pass_is_tried_again_and_what_may_not_is_not() -> None:
    calls: list[float] = []

    def call(seconds: float) -> str:
        calls.append(seconds)
        if len(calls) < 3:
            raise Unread("busy", again=True)
        return "done"

    assert persistent(Deadline(30), call) == "done"
    with pytest.raises(Unread, match="denied"):
        persistent(Deadline(30), lambda _: (_ for _ in ()).throw(Unread("denied")))


def test_nothing_is_asked_after_the_deadline() -> None:
    with pytest.raises(Unread, match="not read within the 0 s"):
        persistent(Deadline(0), lambda _: pytest.fail("asked"))


READS = ("describe", "list", "get", "api_versions")


def test_collectors_call_nothing_that_writes() -> None:
    for file in Path(collectors.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Attribute, ast.Name)):
                owner = node.value.attr if isinstance(node.value, ast.Attribute) else node.value.id
                if owner in ("admin", "_admin", "zk"):
                    assert node.attr.startswith((*READS, "poll", "close", "AdminClient")), f"{file.name}: {node.attr}"
                if file.name.startswith(("kafka", "confluent")):
                    assert node.attr not in ("controller", "controller_id"), "in KRaft it is any broker"
                assert node.attr != "describe_user_scram_credentials", (
                    "it aborts the process of a principal without rights"
                )
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "list_topics":
                assert not node.args, "with a name it creates the topic"
                assert [keyword.arg for keyword in node.keywords] == ["timeout"]
