"""What is read from ZooKeeper, from a tree in memory and from servers that answer as told."""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from kazoo import exceptions

from advisor.errors import BadSettings, UnreachableCluster
from advisor.model.cluster import ZooKeeperFacts
from collectors.zookeeper import ensemble, znodes
from collectors.zookeeper.ensemble import addresses_of, collect
from collectors.zookeeper.four_letter_words import ensemble_of, servers_of
from collectors.zookeeper.reader import ZooKeeperReader

SECRET = "c4nary-s3cret"
TREE: dict[str, Any] = {
    "/cluster/id": {"version": "1", "id": "abc"},
    "/controller": {"version": 2, "brokerid": 1, "timestamp": "1", "kraftControllerEpoch": -1},
    "/controller_epoch": "37",
    "/brokers/ids/10": {"version": 1, "host": "b10", "port": 9092},
    "/brokers/ids/2": {
        "version": 5,
        "host": None,
        "port": -1,
        "endpoints": ["SSL://b2:9093", "SASL_SSL://b2:9094"],
        "rack": "az1",
    },
    "/brokers/topics/t": {"version": 3, "partitions": {"0": [2, 10], "1": [10]}, "adding_replicas": {"0": [10]}},
    "/brokers/topics/t/partitions/0/state": {
        "leader": 2,
        "isr": [2],
        "leader_epoch": 5,
        "leader_recovery_state": 1,
    },
    "/admin/reassign_partitions": {"version": 1, "partitions": [{"topic": "t", "partition": 0, "replicas": [2]}]},
    "/isr_change_notification/isr_change_1": {"version": 1},
    "/isr_change_notification/isr_change_2": {"version": 1},
    "/log_dir_event_notification/log_dir_event_1": {"version": 1, "broker": 10, "event": 1},
    "/log_dir_event_notification/log_dir_event_2": {"version": 1, "broker": 2, "event": 1},
    "/log_dir_event_notification/log_dir_event_3": {"version": 1, "broker": 10, "event": 1},
    "/config/topics/t": {"version": 1, "config": {"retention.ms": "1", "cleanup.policy": "compact"}},
    "/config/topics/plain": {"version": 1, "config": {}},
    "/config/users/ann": {"version": 1, "config": {"SCRAM-SHA-512": SECRET}},
    "/config/users/ann/clients/app": {"version": 1, "config": {"producer_byte_rate": "1"}},
    "/config/clients/<default>": {"version": 1, "config": {"consumer_byte_rate": "1"}},
    "/config/brokers/2": {"version": 1, "config": {"ssl.keystore.password": SECRET}},
    "/config/ips/1.2.3.4": {"version": 1, "config": {"connection_creation_rate": "1"}},
    "/config/changes/config_change_1": {"version": 2, "entity_path": "topics/t"},
    "/consumers/old/offsets/t/0": "17",
    "/consumers/empty/ids": "",
    "/zookeeper/config": "server.1=a:1:2:participant;0.0.0.0:2181\nserver.2=b:1:2\nserver.3=c:1:2:observer\nversion=0",
}


class Answer:
    """What an asynchronous call of kazoo gives back."""

    def __init__(self, result: object) -> None:
        self.result = result

    def get(self, timeout: float) -> object:
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


class Tree:
    """A kazoo client over nodes in memory; `broken` nodes raise, `closed` ones may not be changed by anybody."""

    def __init__(
        self,
        nodes: Mapping[str, object] = TREE,
        chroot: str = "",
        broken: Mapping[str, Exception] | None = None,
        closed: tuple[str, ...] = (),
    ) -> None:
        self.nodes: dict[str, bytes | None] = {"/": b""}
        self.chroot, self.broken, self.closed = chroot, dict(broken or {}), closed
        for path, value in nodes.items():
            self.put(path if path.startswith("/zookeeper") else chroot + path, value)

    def put(self, path: str, value: object) -> None:
        for at in range(2, len(path)):
            if path[at] == "/":
                self.nodes.setdefault(path[:at], None)
        self.nodes[path] = (value if isinstance(value, str) else json.dumps(value)).encode()

    def answer(self, path: str, result: object) -> Answer:
        inside = path.removeprefix(self.chroot)
        if inside in self.broken:
            return Answer(self.broken[inside])
        return Answer(result if path in self.nodes else exceptions.NoNodeError())

    def get_async(self, path: str) -> Answer:
        return self.answer(path, (self.nodes.get(path), SimpleNamespace()))

    def get_children_async(self, path: str) -> Answer:
        start = path.rstrip("/") + "/"
        return self.answer(
            path, list({p[len(start) :].split("/")[0] for p in self.nodes if p.startswith(start)} - {""})
        )

    def get_acls_async(self, path: str) -> Answer:
        anybody = SimpleNamespace(
            perms=1 if path in self.closed else 31, id=SimpleNamespace(scheme="world", id="anyone")
        )
        kafka = SimpleNamespace(perms=31, id=SimpleNamespace(scheme="sasl", id="kafka"))
        return self.answer(path, ([kafka, anybody], SimpleNamespace()))


def read(tree: Tree, seconds: float = 5, second_look: float = 0.01) -> ZooKeeperFacts:
    return znodes.read(tree, tree.chroot, seconds, second_look)


@pytest.mark.parametrize("chroot", ["", "/kafka", "/teams/a"])
def test_facts(chroot: str) -> None:
    facts = read(Tree(chroot=chroot))
    assert facts.unread == {}
    assert (facts.chroot, facts.cluster_id, facts.controller, facts.controller_epoch) == (chroot, "abc", 1, 37)
    assert [(node.id, node.host, node.port, node.rack) for node in facts.brokers] == [
        (2, None, None, "az1"),
        (10, "b10", 9092, None),
    ]
    assert facts.endpoints == {2: ("SSL://b2:9093", "SASL_SSL://b2:9094"), 10: ()}
    assert (facts.isr_changes, facts.log_dir_events, facts.old_consumers) == (2, (2, 10), ("old",))
    assert (facts.reassignments, facts.deletions, facts.migration) == ((("t", 0),), (), False)
    assert facts.ensemble == 2


def test_keys_of_overrides_at_every_level_and_no_value() -> None:
    facts = read(Tree())
    assert facts.overrides == {
        "topics/t": ("cleanup.policy", "retention.ms"),
        "users/ann": ("SCRAM-SHA-512",),
        "users/ann/clients/app": ("producer_byte_rate",),
        "clients/<default>": ("consumer_byte_rate",),
        "brokers/2": ("ssl.keystore.password",),
        "ips/1.2.3.4": ("connection_creation_rate",),
    }
    assert SECRET not in str([getattr(facts, name) for name in facts.__slots__])


def test_nothing_there_is_nothing_found() -> None:
    facts = read(Tree({}))
    assert facts.unread == {}
    assert (facts.controller, facts.brokers, facts.overrides, facts.ensemble) == (None, (), {}, None)
    assert facts.open_nodes == ("/",)


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("/controller", {"brokerid": 3000, "kraftControllerEpoch": 4}, True),
        ("/migration", {"kraft_metadata_offset": 1234}, True),
        ("/migration", {"kraft_metadata_offset": -1}, False),
    ],
)
def test_migration(path: str, value: object, expected: bool) -> None:
    assert read(Tree({**TREE, path: value})).migration is expected


BROKEN = {
    "users": ("/config/users", exceptions.NoAuthError(), {"config/users": "no permission (its ACL)"}),
    "one user": ("/config/users/ann", exceptions.NoAuthError(), {"config/users": "no permission (its ACL)"}),
    "lost": ("/brokers/ids", exceptions.ConnectionLoss(), {"brokers": "the connection was lost"}),
    "deletions": ("/admin/delete_topics", exceptions.NoAuthError(), {"delete_topics": "no permission (its ACL)"}),
    "other": ("/controller", exceptions.MarshallingError(), {"controller": "MarshallingError"}),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_fails_is_unread_and_the_rest_is_read(case: str) -> None:
    path, error, unread = BROKEN[case]
    facts = read(Tree(broken={path: error}))
    assert unread.items() <= facts.unread.items()
    assert set(facts.unread) <= {*unread, "open_nodes"}
    assert facts.cluster_id == "abc"
    assert "topics/t" in facts.overrides
    assert (facts.controller is None) == (path == "/controller")


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("/controller", "{", "controller"),
        ("/controller", "[1]", "controller"),
        ("/controller_epoch", "x", "controller_epoch"),
        ("/brokers/ids/x", "{}", "brokers"),
        ("/config/topics/t", '{"config": 1}', "config/topics"),
        ("/log_dir_event_notification/log_dir_event_1", '{"version": 1}', "log_dir_events"),
    ],
)
def test_what_kafka_does_not_write_is_unread(path: str, text: str, name: str) -> None:
    assert read(Tree({**TREE, path: text})).unread == {name: "holds what Kafka does not write there"}


def test_nodes_that_anybody_may_change() -> None:
    closed = ("/", "/config", "/config/users", "/kafka-acl")
    facts = read(Tree({**TREE, "/kafka-acl/Topic/t": {}}, closed=closed))
    assert {"/brokers/ids", "/config/topics", "/controller"} <= set(facts.open_nodes)
    assert not {*closed, "/delegation_token"} & set(facts.open_nodes)
    unread = read(Tree(broken={"/config/users": exceptions.NoAuthError()})).unread
    assert unread["open_nodes"] == "the ACLs of /config/users: no permission (its ACL)"


class Deleting(Tree):
    """Deletes one of two topics between the first look and the second."""

    looks = 0

    def get_children_async(self, path: str) -> Answer:
        found = super().get_children_async(path)
        if path == "/admin/delete_topics":
            self.looks += 1
            self.nodes.pop("/admin/delete_topics/going", None)
            self.put("/admin/delete_topics/coming", "")
        return found


def test_a_deletion_is_stuck_if_two_looks_find_it() -> None:
    waiting = {"/admin/delete_topics/going": "", "/admin/delete_topics/stuck": ""}
    tree = Deleting({**TREE, **waiting})
    facts = read(tree)
    assert (facts.deletions, facts.unread, tree.looks) == (("stuck",), {}, 2)


def test_without_time_for_a_second_look_there_is_no_verdict() -> None:
    tree = Tree({**TREE, "/admin/delete_topics/going": ""})
    began = time.monotonic()
    facts = read(tree, seconds=2, second_look=3)
    assert time.monotonic() - began < 1
    assert facts.deletions == ()
    assert facts.unread == {"delete_topics": "there was no time for a second look at the topics to be deleted"}


def test_many_nodes_are_asked_for_in_portions() -> None:
    topics = {f"/brokers/topics/t{n}": {"partitions": {"0": [1]}} for n in range(1234)}
    assert len(ZooKeeperReader(Tree(topics), "", 5).jsons(topics)) == 1234


@pytest.mark.parametrize(
    ("connect", "addresses", "chroot"),
    [
        ("a:1", [("a", 1)], ""),
        ("a", [("a", 2181)], ""),
        ("a:1,b:2/", [("a", 1), ("b", 2)], ""),
        (" a:1, b:2/kafka/x/ ", [("a", 1), ("b", 2)], "/kafka/x"),
        ("[::1]:7,[::2]", [("::1", 7), ("::2", 2181)], ""),
    ],
)
def test_addresses(connect: str, addresses: list[tuple[str, int]], chroot: str) -> None:
    assert addresses_of(connect) == (addresses, chroot)


@pytest.mark.parametrize(
    ("connect", "says"),
    [
        ("a:1/k,b:1/k", "a:1/k,b:1/k: the chroot stands once, at the end: h1:2181,h2:2181/k"),
        ("", "'': no address; write host:port,host:port/chroot as in zookeeper.connect"),
        ("/kafka", "'/kafka': no address"),
        ("a:x", "a:x: a:x is not an address; write host:port,host:port/chroot"),
        ("a:0", "a:0: a:0 is not an address"),
        ("::1:2181", "::1:2181: ::1:2181 is not an address"),
    ],
)
def test_what_is_no_address_is_refused(connect: str, says: str) -> None:
    with pytest.raises(BadSettings) as refused:
        addresses_of(connect)
    assert str(refused.value).startswith(says)


SRVR = "Zookeeper version: 3.8.4-9316c2a7a97e1666d8f4593f34dd6fc36ecc436c, built on 2024-02-12 22:16 UTC\nMode: {}\n"
CONF = "tickTime=2000\nserver.1=a:1:2:participant;1\nserver.2=b:1:2:participant;1\nserver.3=c:1:2:observer;1\n"
REFUSED = " is not executed because it is not in the whitelist.\n"


class Talker:
    """Answers four-letter words as told; None says nothing, and goes on saying nothing."""

    def __init__(self, **answers: str | None) -> None:
        self.answers = answers
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = self.socket.getsockname()[:2]
        self.kept: list[socket.socket] = []

    def serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.socket.accept()
                answer = self.answers.get(client.recv(4).decode(), "")
                if answer is None:
                    self.kept.append(client)
                    continue
                client.sendall(answer.encode())
                client.close()


@contextlib.contextmanager
def talking(**answers: str | None) -> Iterator[tuple[str, int]]:
    talker = Talker(**answers)
    thread = threading.Thread(target=talker.serve)
    thread.start()
    try:
        yield talker.address
    finally:
        talker.socket.shutdown(socket.SHUT_RDWR)
        talker.socket.close()
        thread.join()
        for client in talker.kept:
            client.close()


def test_a_server_that_answers_every_word() -> None:
    with talking(srvr=SRVR.format("leader"), conf=CONF, mntr="zk_avg_latency\t0.1\nzk_other\t1\n") as address:
        (server,) = servers_of([address], 5)
    assert (server.mode, server.version, server.unread, server.unanswered) == ("leader", "3.8.4", None, {})
    assert (server.conf["tickTime"], server.stats) == ("2000", {"zk_avg_latency": "0.1"})
    assert ensemble_of([server]) == 2


def test_words_that_are_not_allowed_are_unanswered() -> None:
    with talking(srvr=SRVR.format("standalone"), conf="conf" + REFUSED, mntr="mntr" + REFUSED) as address:
        (server,) = servers_of([address], 5)
    assert (server.mode, server.unread) == ("standalone", None)
    assert set(server.unanswered.values()) == {"is not in its 4lw.commands.whitelist"}
    assert (set(server.unanswered), ensemble_of([server])) == ({"conf", "mntr"}, 1)


def test_the_size_of_an_ensemble_may_be_unknown() -> None:
    with talking(srvr=SRVR.format("follower"), conf="conf" + REFUSED, mntr="") as address:
        assert ensemble_of(servers_of([address], 5)) is None


SILENT: dict[str, tuple[dict[str, str | None], str]] = {
    "refuses": ({"srvr": "srvr" + REFUSED, "conf": CONF}, "is not in its 4lw.commands.whitelist"),
    "has no quorum": (
        {"srvr": "This ZooKeeper instance is not currently serving requests\n"},
        "this zookeeper instance is not currently serving requests",
    ),
    "hangs up": ({"srvr": ""}, "closes the connection without an answer; only a port without TLS can be read"),
    "is silent": ({"srvr": None}, "no answer in time"),
}


@pytest.mark.parametrize("case", SILENT)
def test_a_server_that_does_not_say_how_it_is(case: str) -> None:
    answers, reason = SILENT[case]
    began = time.monotonic()
    with talking(**answers) as address:
        (server,) = servers_of([address], 0.5)
    assert (server.mode, server.unread) == (None, reason)
    assert (server.conf != {}) == ("conf" in answers)
    assert (server.unanswered != {}) == (case in ("refuses", "has no quorum"))
    assert time.monotonic() - began < 1.5


def test_silent_servers_are_waited_for_together() -> None:
    began = time.monotonic()
    with talking(srvr=None) as one, talking(srvr=None) as two, talking(srvr=SRVR.format("leader")) as three:
        modes = [server.mode for server in servers_of([one, two, three], 0.5)]
    assert modes == [None, None, "leader"]
    assert time.monotonic() - began < 1.5


@pytest.mark.parametrize("function", [collect])
def test_nobody_there_is_said_of_every_address(function: Any) -> None:
    with talking(srvr=None) as (_, port), pytest.raises(UnreachableCluster) as failed:
        function(f"127.0.0.1:1,127.0.0.1:{port}/kafka", 1.5)
    assert str(failed.value) == f"127.0.0.1:1: connection refused; 127.0.0.1:{port}: no answer in time"


def test_a_server_that_gives_no_session_is_left_within_the_deadline() -> None:
    before, began = set(threading.enumerate()), time.monotonic()
    with talking(srvr=SRVR.format("leader")) as (_, port), pytest.raises(UnreachableCluster, match=r"gives no session"):
        collect(f"127.0.0.1:{port}", 2)
    assert time.monotonic() - began < 2.5
    assert set(threading.enumerate()) <= before


def test_without_the_library_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kazoo.client", None)
    with (
        talking(srvr=SRVR.format("leader")) as (_, port),
        pytest.raises(BadSettings, match=r"^reading ZooKeeper needs"),
    ):
        collect(f"127.0.0.1:{port}", 2)


@pytest.mark.parametrize(
    ("chroot", "says"),
    [
        ("", "h: this ZooKeeper has no Kafka cluster in the root; it has one in /teams"),
        ("/x", "h: this ZooKeeper has no Kafka cluster in the chroot /x; it has one in /teams"),
    ],
)
def test_a_wrong_chroot_is_said(chroot: str, says: str) -> None:
    opened = ensemble.Session(Tree(chroot="/teams"), chroot, (), time.monotonic() + 5)
    with pytest.raises(UnreachableCluster) as failed:
        ensemble._must_hold_kafka(opened, "h")
    assert str(failed.value) == says


class Watched(Tree):
    """Remembers which nodes were read, and nothing else may be asked for."""

    def __init__(self, chroot: str) -> None:
        super().__init__(chroot=chroot)
        self.read: list[str] = []

    def get_async(self, path: str) -> Answer:
        self.read.append(path)
        return super().get_async(path)

    def get_children_async(self, path: str) -> Answer:
        raise AssertionError(f"looked below {path}")


@pytest.mark.parametrize("chroot", ["", "/kafka", "/a/b"])
def test_in_the_right_chroot_one_look_at_the_brokers_is_enough(chroot: str) -> None:
    tree = Watched(chroot)
    ensemble._must_hold_kafka(ensemble.Session(tree, chroot, (), time.monotonic() + 5), "h")
    assert tree.read == [f"{chroot}/brokers"]
