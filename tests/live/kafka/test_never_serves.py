"""Rules that say of a file that its cluster never comes up: a real cluster of that file does not."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live.kafka.harness import Cluster, Node, needs_kafka
from tests.live.kafka.node import until
from tests.live.kafka.ports import answers
from tests.live.kafka.security import ADMIN, AUTHORIZER, MECHANISM, PASSWORD, jaas
from tests.support.rule_cases import FIRES, Case, check

ZOOKEEPER = "3.9.2"
VERSIONS = (ZOOKEEPER, "4.3.1") if os.environ.get("ALL_KINDS") else ("4.3.1",)
"""The suite plays the newest release, `make test-never-serves` both."""
ACL_AUTHORIZER = "kafka.security.authorizer.AclAuthorizer"
LEADER = "Completed transition to Leader"


@contextlib.contextmanager
def started(cluster: Cluster) -> Iterator[Cluster]:
    """Every process started, whether or not it ever serves."""
    try:
        for group in (cluster.servers, cluster.controllers, cluster.nodes):
            for node in group.values():
                node.start(wait=node.id in cluster.servers)
        yield cluster
    finally:
        cluster.close()


def says(node: Node, text: str) -> None:
    """Wait until the node's log says so."""
    until(lambda: node.log.exists() and text in node.log.read_text(errors="replace"), lambda: f"{text}: {node.tail()}")


def ends(node: Node, text: str) -> None:
    """Wait until the process has ended, for that reason."""
    until(lambda: not node.running(), lambda: f"node {node.id} ends: {node.tail()}")
    assert text in node.log.read_text(errors="replace")


def found(rule: str, node: Node, version: str) -> None:
    """The rule fires on the node's file."""
    check(Case(rule, FIRES, node.properties.read_text(), version.rpartition(".")[0]))


@pytest.mark.parametrize("version", VERSIONS)
def test_controllers_that_deny_the_brokers(tmp_path: Path, version: str) -> None:
    needs_kafka(version)
    config = {"authorizer.class.name": AUTHORIZER, "super.users": "User:admin"}
    with started(Cluster.kraft(tmp_path, brokers=1, version=version, config=config, controller_config=config)) as it:
        ends(it.nodes[1], "ClusterAuthorizationException")
        found("KA625", it.controllers[101], version)


@pytest.mark.parametrize("version", VERSIONS)
def test_three_controllers_let_in_super_users_alone(tmp_path: Path, version: str) -> None:
    needs_kafka(version)
    config = {"authorizer.class.name": AUTHORIZER, "allow.everyone.if.no.acl.found": "true"}
    cluster = Cluster.kraft(tmp_path, brokers=0, controllers=3, version=version, controller_config=config)
    with started(cluster):
        for node in cluster.controllers.values():
            says(node, "AuthorizerNotReadyException")
        assert no_leader(cluster)
        found("KA625", cluster.controllers[101], version)


@pytest.mark.parametrize("version", VERSIONS)
def test_controllers_whose_own_user_is_no_super_user(tmp_path: Path, version: str) -> None:
    needs_kafka(version)
    module = "org.apache.kafka.common.security.plain.PlainLoginModule"
    config = {
        "authorizer.class.name": AUTHORIZER,
        "super.users": "User:admin",
        "listener.security.protocol.map": "CONTROLLER:SASL_PLAINTEXT",
        "sasl.enabled.mechanisms": "PLAIN",
        "sasl.mechanism.controller.protocol": "PLAIN",
        "listener.name.controller.plain.sasl.jaas.config": f'{module} required username="c" password="p" user_c="p";',
    }
    cluster = Cluster.kraft(tmp_path, brokers=0, controllers=3, version=version, controller_config=config)
    with started(cluster):
        for node in cluster.controllers.values():
            says(node, "AuthorizerNotReadyException")
        assert no_leader(cluster)
        found("KA625", cluster.controllers[101], version)


def no_leader(cluster: Cluster, seconds: float = 6) -> bool:
    """Whether no controller has become leader, some elections later."""
    time.sleep(seconds)
    return not any(LEADER in node.log.read_text(errors="replace") for node in cluster.controllers.values())


@pytest.mark.parametrize("version", VERSIONS)
def test_followers_that_the_leader_denies(tmp_path: Path, version: str) -> None:
    needs_kafka(version)
    everybody = {"authorizer.class.name": AUTHORIZER, "super.users": "User:ANONYMOUS"}
    options = {2: {"super.users": "User:admin"}}
    cluster = Cluster.kraft(
        tmp_path, brokers=2, version=version, config=everybody, controller_config=everybody, node_config=options
    )
    with cluster:
        with contextlib.suppress(TimeoutError):  # its leader answers nobody
            cluster.create("t", assignment=[[2, 1]], timeout=10)
        until(lambda: set(cluster.seen_by(cluster.nodes[1], "t")[0].isr) == {2}, lambda: "the follower leaves the ISR")
        found("KA626", cluster.nodes[2], version)


def test_authorizers_of_the_other_mode(tmp_path: Path) -> None:
    needs_kafka(ZOOKEEPER)
    config = {"authorizer.class.name": AUTHORIZER, "super.users": "User:ANONYMOUS"}
    with started(Cluster.zookeeper(tmp_path / "zookeeper", brokers=1, version=ZOOKEEPER, config=config)) as it:
        says(it.nodes[1], "Start processing authorizer futures")
        time.sleep(5)
        assert not answers(it.nodes[1].port)
        found("KA627", it.nodes[1], ZOOKEEPER)
    config["authorizer.class.name"] = ACL_AUTHORIZER
    with started(Cluster.kraft(tmp_path / "kraft", brokers=1, version=ZOOKEEPER, config=config)) as it:
        ends(it.nodes[1], "NullPointerException")
        found("KA627", it.nodes[1], ZOOKEEPER)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_sasl_listener_without_jaas(tmp_path: Path, version: str) -> None:
    needs_kafka(version)
    config = {"sasl.enabled.mechanisms": "PLAIN", "sasl.mechanism.inter.broker.protocol": "PLAIN"}
    cluster = Cluster.kraft(tmp_path, brokers=1, version=version, config=config)
    settings = cluster.nodes[1].config
    for key in ("listeners", "advertised.listeners", "inter.broker.listener.name", "listener.security.protocol.map"):
        settings[key] = str(settings[key]).replace("PLAINTEXT", "SASL_PLAINTEXT")
    settings["listener.security.protocol.map"] = "CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT"
    with started(cluster):
        ends(cluster.nodes[1], "entry in the JAAS configuration")
        found("KA630", cluster.nodes[1], version)


@pytest.mark.parametrize("version", VERSIONS)
def test_controllers_that_log_in_by_scram(tmp_path: Path, version: str) -> None:
    """The user is written when the storage is formatted, and known to nobody before there is a leader."""
    needs_kafka(version)
    config = {
        "listener.security.protocol.map": "CONTROLLER:SASL_PLAINTEXT",
        "sasl.enabled.mechanisms": MECHANISM,
        "sasl.mechanism.controller.protocol": MECHANISM,
        f"listener.name.controller.{MECHANISM.lower()}.sasl.jaas.config": jaas(ADMIN, PASSWORD),
    }
    cluster = Cluster.kraft(tmp_path, brokers=0, controllers=3, version=version, controller_config=config, secured=True)
    with started(cluster):
        for node in cluster.controllers.values():
            says(node, f"invalid credentials with SASL mechanism {MECHANISM}")
        assert no_leader(cluster)
        found("KA631", cluster.controllers[101], version)


@pytest.mark.parametrize("version", VERSIONS)
def test_voters_at_ports_where_no_controller_listens(tmp_path: Path, version: str) -> None:
    needs_kafka(version)
    cluster = Cluster.kraft(tmp_path, brokers=0, controllers=3, version=version)
    voters = ",".join(f"{id}@127.0.0.1:{cluster.ports.take()}" for id in cluster.controllers)
    for node in cluster.controllers.values():
        node.config["controller.quorum.voters"] = voters
    with started(cluster):
        for node in cluster.controllers.values():
            says(node, "Connection to node")
        assert no_leader(cluster)
        found("KA554", cluster.controllers[101], version)
