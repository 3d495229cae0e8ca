"""The ZooKeeper collector on a real Kafka 3.9 with a real ZooKeeper."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import (
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    ResourceType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from advisor.errors import UnreachableCluster
from collectors.zookeeper.ensemble import collect
from tests.live.kafka.harness import Cluster, needs_kafka
from tests.live.kafka.node import until
from tests.live.kafka.zookeeper import said

VERSION = "3.9.2"
SECRET = "c4nary-s3cret"
ONLY_KAFKA = "the ACLs of /config/users: no permission (its ACL)"


def test_a_cluster_below_a_chroot(tmp_path: Path) -> None:
    needs_kafka(VERSION)
    racks = {1: "a", 2: "b", 3: "c"}
    with Cluster.zookeeper(tmp_path, brokers=3, version=VERSION, chroot="/kafka", racks=racks) as cluster:
        cluster.create("t", assignment=[[1, 2, 3], [2, 3, 1]], config={"retention.ms": 3_600_000})
        cluster.create("gone", assignment=[[3, 1, 2]])
        set_more(cluster)
        is_read(cluster)
        nothing_is_written(cluster)
        wrong_chroots_are_said(cluster)
        what_is_forbidden_is_unread(cluster)
        a_dead_broker_and_its_stuck_deletion(cluster)
        a_stalled_server_is_left(cluster)


def set_more(cluster: Cluster) -> None:
    admin = cluster.admin()
    entry = ConfigEntry("log.cleaner.threads", "2", incremental_operation=AlterConfigOpType.SET)
    broker = ConfigResource(ResourceType.BROKER, "2", incremental_configs=[entry])
    admin.incremental_alter_configs([broker])[broker].result(20)
    credential = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096)
    change = UserScramCredentialUpsertion("ann", credential, SECRET.encode())
    admin.alter_user_scram_credentials([change])["ann"].result(20)
    with writing(cluster) as client:
        client.create("/kafka/consumers/relic/offsets/t/0", b"17", makepath=True)


def is_read(cluster: Cluster) -> None:
    facts = collect(cluster.zookeeper_connect, 20)
    assert facts.unread == {}
    assert (facts.chroot, facts.ensemble, facts.migration, facts.deletions) == ("/kafka", 1, False, ())
    admin = cluster.admin()
    assert facts.cluster_id == admin.describe_cluster().result(20).cluster_id
    assert facts.controller in cluster.nodes
    assert facts.controller_epoch == 1
    assert [(node.id, node.host, node.port, node.rack) for node in facts.brokers] == [
        (id, "127.0.0.1", cluster.nodes[id].port, rack) for id, rack in ((1, "a"), (2, "b"), (3, "c"))
    ]
    assert facts.endpoints[1] == (f"PLAINTEXT://127.0.0.1:{cluster.nodes[1].port}",)
    assert facts.overrides["topics/t"] == ("retention.ms",)
    assert facts.overrides["brokers/2"] == ("log.cleaner.threads",)
    assert facts.overrides["users/ann"] == ("SCRAM-SHA-512",)
    assert (facts.old_consumers, facts.log_dir_events) == (("relic",), ())
    assert {"/", "/config/users", "/brokers/ids", "/controller"} <= set(facts.open_nodes)
    (server,) = facts.servers
    assert (server.mode, server.version, server.unread) == ("standalone", "3.8.4", None)
    assert (server.conf["tickTime"], server.stats["zk_server_state"]) == ("500", "standalone")
    before = set(threading.enumerate())
    collect(cluster.zookeeper_connect, 20)
    assert set(threading.enumerate()) <= before


def nothing_is_written(cluster: Cluster) -> None:
    with writing(cluster) as client:
        before = tree(client)
        collect(cluster.zookeeper_connect, 20)
        assert tree(client) == before
    # To begin and to end a session are transactions of ZooKeeper's own: two, and no third.
    until(lambda: transactions_of_a_reading(cluster) == 2, lambda: "a reading costs two transactions")


def transactions_of_a_reading(cluster: Cluster) -> int:
    before = zxid(cluster)
    collect(cluster.zookeeper_connect, 20)
    return zxid(cluster) - before


def zxid(cluster: Cluster) -> int:
    lines = said(cluster.servers[201], "srvr").splitlines()
    return next(int(line.removeprefix("Zxid: "), 16) for line in lines if line.startswith("Zxid: "))


def tree(client: Any, path: str = "/") -> dict[str, tuple[int, int, int]]:
    """When each node, its children and its ACL were last changed."""
    stat = client.exists(path)
    found = {path: (stat.mzxid, stat.cversion, stat.aversion)}
    for name in client.get_children(path):
        found |= tree(client, f"{path.rstrip('/')}/{name}")
    return found


def wrong_chroots_are_said(cluster: Cluster) -> None:
    root = cluster.zookeeper_connect.removesuffix("/kafka")
    says = f"{root}: this ZooKeeper has no Kafka cluster in the root; it has one in /kafka"
    with pytest.raises(UnreachableCluster, match=f"^{says}$"):
        collect(root, 20)
    says = f"{root}/x: this ZooKeeper has no Kafka cluster in the chroot /x; it has one in /kafka"
    with pytest.raises(UnreachableCluster, match=f"^{says}$"):
        collect(f"{root}/x", 20)


def what_is_forbidden_is_unread(cluster: Cluster) -> None:
    from kazoo.security import OPEN_ACL_UNSAFE, make_digest_acl

    with writing(cluster) as client:
        client.add_auth("digest", "kafka:x")
        client.set_acls("/kafka/config/users", [make_digest_acl("kafka", "x", all=True)])
        facts = collect(cluster.zookeeper_connect, 20)
        client.set_acls("/kafka/config/users", OPEN_ACL_UNSAFE)
    assert facts.unread == {"config/users": "no permission (its ACL)", "open_nodes": ONLY_KAFKA}
    assert "/config/users" not in facts.open_nodes
    assert facts.overrides["topics/t"] == ("retention.ms",)


def a_dead_broker_and_its_stuck_deletion(cluster: Cluster) -> None:
    cluster.nodes[3].kill()
    cluster.wait("t", 0, leader=1, isr={1, 2})
    cluster.wait("t", 1, leader=2, isr={1, 2})
    cluster.wait("gone", 0, leader=1, isr={1, 2})
    admin = cluster.admin()
    admin.delete_topics(["gone"])["gone"].result(20)
    facts = collect(cluster.zookeeper_connect, 20)
    assert ([node.id for node in facts.brokers], facts.deletions, facts.unread) == ([1, 2], ("gone",), {})


def a_stalled_server_is_left(cluster: Cluster) -> None:
    cluster.servers[201].pause()
    began = time.monotonic()
    with pytest.raises(UnreachableCluster, match=r"^127.0.0.1:\d+: no answer in time$"):
        collect(cluster.zookeeper_connect, 3)
    assert time.monotonic() - began < 3
    cluster.servers[201].resume()


def test_an_ensemble(tmp_path: Path) -> None:
    needs_kafka(VERSION)
    cluster = Cluster.zookeeper(tmp_path, brokers=1, servers=3, version=VERSION)
    for server in cluster.servers.values():
        server.config["4lw.commands.whitelist"] = "srvr, dump"
    with cluster:
        facts = collect(cluster.zookeeper_connect, 20)
        assert (facts.ensemble, facts.unread) == (3, {})
        assert sorted(str(server.mode) for server in facts.servers) == ["follower", "follower", "leader"]
        assert {tuple(server.unanswered) for server in facts.servers} == {("conf", "mntr")}
        cluster.servers[203].kill()
        until(lambda: modes(cluster) == ["follower", "leader"], lambda: "two of three serve")
        facts = collect(cluster.zookeeper_connect, 20)
        assert (facts.ensemble, facts.servers[2].unread, facts.unread) == (3, "connection refused", {})
        cluster.servers[202].kill()
        until(lambda: "not currently serving" in said(cluster.servers[201], "srvr"), lambda: "the quorum is lost")
        with pytest.raises(
            UnreachableCluster, match=r"not currently serving requests; .*: connection refused; .*refused$"
        ):
            collect(cluster.zookeeper_connect, 5)


def modes(cluster: Cluster) -> list[str]:
    lines = "".join(said(server, "srvr") for server in cluster.servers.values() if server.alive()).splitlines()
    return sorted(line.removeprefix("Mode: ") for line in lines if line.startswith("Mode: "))


@contextmanager
def writing(cluster: Cluster) -> Iterator[Any]:
    """A client of the test's own."""
    from kazoo.client import KazooClient

    client = KazooClient(cluster.zookeeper_connect.partition("/")[0])
    client.start()
    try:
        yield client
    finally:
        client.stop()
        client.close()
