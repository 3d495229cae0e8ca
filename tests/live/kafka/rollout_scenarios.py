"""Changes that `make test-rollout` rolls out on real clusters, node by node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.live.kafka.node import Node
from tests.live.kafka.rollout_clusters import COMBINED, DYNAMIC, KRAFT, THREE, ZOOKEEPER, Values

Change = Callable[[Node], Values]
BROKERS, CONTROLLERS, ALL = "brokers", "controllers", "all"
AUTHORIZER = {"authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer"}
ANONYMOUS = {"super.users": "User:ANONYMOUS"}
STEP = 300
"""How far a node's second port is from its first one."""
PLAIN = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="b" user_a="b";'
GONE = None
"""A key that is taken away."""


@dataclass(eq=False)
class Scenario:
    """A change: of which nodes, from which configuration on, with what formatted; patient or not, in the passes planned."""

    name: str
    change: Change
    nodes: str | tuple[int, ...] = BROKERS
    kind: str = KRAFT
    before: Change = field(default=lambda node: {})
    formats: Callable[[Node], list[Path]] = field(default=lambda node: [])
    patient: bool = False
    planned: bool = False
    elr: bool = True
    tls: bool = False
    joins: tuple[int, ...] = ()
    """Controllers that the new files add."""


def same(**values: object) -> Change:
    """The same values on every node; names with underscores for dots."""
    named = {key.replace("__", "-").replace("_", "."): value for key, value in values.items()}
    return lambda node: named


def port_of(node: Node) -> int:
    """The node's port of the start, which its number is kept by."""
    return node.first_port


def entry(name: str, node: Node, step: int = 0) -> str:
    """One listener."""
    return f"{name}://127.0.0.1:{port_of(node) + step}"


def mapped(**protocols: str) -> dict[str, object]:
    """The map of listeners to protocols."""
    every = {"CONTROLLER": "PLAINTEXT", "PLAINTEXT": "PLAINTEXT", **protocols}
    return {"listener.security.protocol.map": ",".join(f"{name}:{protocol}" for name, protocol in every.items())}


def two_listeners(node: Node, protocol: str = "PLAINTEXT") -> dict[str, object]:
    """A second listener beside the first one."""
    both = f"{entry('PLAINTEXT', node)},{entry('INTERNAL', node, STEP)}"
    return {"listeners": both, "advertised.listeners": both, **mapped(INTERNAL=protocol), **login(protocol)}


def login(protocol: str) -> dict[str, object]:
    """What nodes log in with on the second listener."""
    if not protocol.startswith("SASL"):
        return {}
    return {
        "sasl.enabled.mechanisms": "PLAIN",
        "sasl.mechanism.inter.broker.protocol": "PLAIN",
        "listener.name.internal.plain.sasl.jaas.config": PLAIN,
    }


def one_listener(name: str, step: int) -> Change:
    """Another listener in place of the first one."""

    def change(node: Node) -> Values:
        address = entry(name, node, step)
        return {
            "listeners": address,
            "advertised.listeners": address,
            "inter.broker.listener.name": name,
            **mapped(**{name: "PLAINTEXT"}),
        }

    return change


def switched(node: Node, protocol: str = "PLAINTEXT") -> Values:
    """The second listener, used between brokers at once."""
    return {**two_listeners(node, protocol), "inter.broker.listener.name": "INTERNAL"}


def directory(node: Node, name: str) -> Path:
    """A directory of a node."""
    return node.folder / name


def moved(node: Node) -> Values:
    """All log directories are others."""
    return {"log.dirs": directory(node, "moved")}


def added(node: Node) -> Values:
    """One more log directory."""
    return {"log.dirs": f"{node.data},{directory(node, 'more')}"}


def swapped(node: Node) -> Values:
    """The directories in another order."""
    return {"log.dirs": f"{directory(node, 'more')},{node.data}"}


def more(node: Node) -> list[Path]:
    """The second directory."""
    return [directory(node, "more")]


def controllers_port(node: Node) -> str:
    """The voters of three controllers, the last of them on another port."""
    voters = str(node.config["controller.quorum.voters"]).split(",")
    head, _, port = voters[-1].rpartition(":")
    return ",".join([*voters[:-1], f"{head}:{int(port) + STEP}"])


def last_voter_moved(node: Node) -> Values:
    """One voter of three gets another port."""
    own = {"listeners": entry("CONTROLLER", node, STEP)} if node.id == 103 else {}
    return {"controller.quorum.voters": controllers_port(node), **own}


def controller_renamed(node: Node) -> Values:
    """The controllers' listener gets another name on its port."""
    own = {"listeners": entry("CTRL", node)} if node.id > 100 else {}
    return {**own, "controller.listener.names": "CTRL", **mapped(CTRL="PLAINTEXT")}


def as_bootstrap(node: Node) -> Values:
    """Servers to begin with in place of the voters."""
    voters = str(node.config["controller.quorum.voters"]).split(",")
    servers = ",".join(voter.partition("@")[2] for voter in voters)
    return {"controller.quorum.voters": GONE, "controller.quorum.bootstrap.servers": servers}


def only_first_votes(node: Node) -> Values:
    """Of three combined nodes the first one alone stays a controller."""
    first = {"controller.quorum.voters": str(node.config["controller.quorum.voters"]).split(",")[0]}
    if node.id == 1:
        return first
    return {**first, "process.roles": "broker", "listeners": entry("PLAINTEXT", node)}


SCENARIOS = (
    Scenario("listener added", two_listeners),
    Scenario("inter-broker listener switched at once", switched),
    Scenario("inter-broker listener switched as planned", switched, planned=True),
    Scenario("inter-broker listener to SASL as planned", lambda node: switched(node, "SASL_PLAINTEXT"), planned=True),
    Scenario(
        "inter-broker listener switched, both there",
        lambda node: {"inter.broker.listener.name": "INTERNAL"},
        before=two_listeners,
    ),
    Scenario(
        "protocol of the inter-broker listener",
        lambda node: {**mapped(INTERNAL="SASL_PLAINTEXT"), **login("SASL_PLAINTEXT")},
        before=switched,
    ),
    Scenario(
        "protocol of the inter-broker listener as planned",
        lambda node: {**mapped(INTERNAL="SASL_PLAINTEXT"), **login("SASL_PLAINTEXT")},
        before=switched,
        planned=True,
    ),
    Scenario("listener renamed on its port", one_listener("CLIENTS", 0)),
    Scenario("listener renamed on its port as planned", one_listener("CLIENTS", 0), planned=True),
    Scenario("ports moved", one_listener("PLAINTEXT", STEP)),
    Scenario("port listened on moved alone", lambda node: {"listeners": entry("PLAINTEXT", node, STEP)}),
    Scenario("port advertised moved alone", lambda node: {"advertised.listeners": entry("PLAINTEXT", node, STEP)}),
    Scenario("log directory added, not formatted", added, nodes=(1,)),
    Scenario("log directory added, formatted", added, formats=more, patient=True),
    Scenario("log directories in another order", swapped, before=added, formats=more),
    Scenario("log directory removed", lambda node: {"log.dirs": node.data}, before=added, formats=more, patient=True),
    Scenario("log directories moved, patient", moved, formats=lambda node: [directory(node, "moved")], patient=True),
    Scenario("authorizer without super users", same(authorizer_class_name=AUTHORIZER["authorizer.class.name"]), ALL),
    Scenario("authorizer with super users", lambda node: {**AUTHORIZER, **ANONYMOUS}, ALL),
    Scenario("authorizer on brokers alone", lambda node: AUTHORIZER),
    Scenario(
        "super users lost", lambda node: {"super.users": "User:b"}, ALL, before=lambda node: {**AUTHORIZER, **ANONYMOUS}
    ),
    Scenario("authorizer open to everyone", lambda node: {**AUTHORIZER, "allow.everyone.if.no.acl.found": "true"}, ALL),
    Scenario("io threads doubled", same(num_io_threads=4)),
    Scenario("message.max.bytes up", same(message_max_bytes=5_242_880)),
    Scenario(
        "retention and segments", same(log_retention_hours=336, log_segment_bytes=2_097_152, compression_type="zstd")
    ),
    Scenario("retention in another unit", same(log_retention_ms=604_800_000)),
    Scenario("a misspelt key", same(num_io_thread=4)),
    Scenario("an invalid value", same(num_io_threads=0), nodes=(1,)),
    Scenario("session timeout on brokers alone", same(broker_session_timeout_ms=30_000)),
    Scenario("session timeout on all", same(broker_session_timeout_ms=9_000), ALL),
    Scenario("heartbeat above the session", same(broker_heartbeat_interval_ms=8_000)),
    Scenario("racks", lambda node: {"broker.rack": f"r{node.id}"}),
    Scenario("node ids", lambda node: {"node.id": node.id + 10}, nodes=(1,)),
    Scenario("min.insync.replicas up, with ELR", same(min_insync_replicas=3), ALL),
    Scenario("min.insync.replicas up, without ELR", same(min_insync_replicas=3), ALL, elr=False),
    Scenario("unclean election on brokers alone", same(unclean_leader_election_enable="true")),
    Scenario("voters to servers", as_bootstrap, ALL),
    Scenario("a voter's port", last_voter_moved, ALL, THREE),
    Scenario("controller listener renamed", controller_renamed, ALL, THREE),
    Scenario("controller listener renamed as planned", controller_renamed, ALL, THREE, planned=True),
    Scenario("session timeout on three controllers", same(broker_session_timeout_ms=9_000), ALL, THREE),
    Scenario(
        "combined to broker",
        lambda node: {"process.roles": "broker", "listeners": entry("PLAINTEXT", node)},
        (1,),
        COMBINED,
    ),
    Scenario("three voters to one", only_first_votes, kind=COMBINED),
    Scenario("combined, harmless", same(num_io_threads=4, log_retention_hours=336), kind=COMBINED),
    Scenario("ZooKeeper: inter-broker listener switched at once", switched, kind=ZOOKEEPER),
    Scenario("ZooKeeper: inter-broker listener switched as planned", switched, kind=ZOOKEEPER, planned=True),
    Scenario("ZooKeeper: harmless", same(num_io_threads=4, log_retention_hours=336), kind=ZOOKEEPER),
    Scenario("ZooKeeper: broker ids", lambda node: {"broker.id": node.id + 10}, (1,), ZOOKEEPER),
    Scenario("ZooKeeper: log directory added", added, kind=ZOOKEEPER),
)
