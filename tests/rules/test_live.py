"""Rules about running clusters: what fires, what stays silent, what no one could read."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.samples.cluster_text import parse_cluster
from rules import all_rules
from tests.support.commands import ROOT, run
from tests.support.rule_cases import FIRES, RULES, SILENT, UNKNOWN, Case, check_all

HIDDEN = "brokers 1 2 3\nunread topics: topics are hidden from this principal"
NO_SETTINGS = "brokers 1 2 3\ntopic orders missing=not_permitted\n0: leader 1 replicas 1,2,3 isr 1,2,3"
ONE_SEEN = "brokers 1/a 2 3\ntopic orders\n0: leader 1 replicas 1,2,3 isr 1,2,3"
HEALTHY = """
kafka 4.3
brokers 1/a 2/b 3/c
cluster-wide min.insync.replicas=2
topic orders
0-2: leader 1 replicas 1,2,3 isr 1,2,3
topic __consumer_offsets cleanup.policy=compact
0-2: leader 2 replicas 2,3,1 isr 1,2,3
group pay state=STABLE members=2 committed=orders/0:5 lag=7
quorum leader=101 voters=101,102,103 observers=1,2,3
features metadata.version=30/30
logdir 1 /data free=900 total=1000
logdir 2 /data free=900 total=1000
logdir 3 /data free=900 total=1000
acl User:app topic orders WRITE
[producer orders]
bootstrap.servers=b1:9092,b2:9092
acks=all
"""
ZOOKEEPER = "kafka 3.9 zookeeper\nbrokers 1 2 3\nensemble voters=3 up=3"
NO_ENSEMBLE = "kafka 3.9 zookeeper\nbrokers 1 2 3\nunread zookeeper: no answer"
PARTITION = ["KA160", "KA161", "KA162", "KA220", "KA221", "KA222", "KA223", "KA224", "KA225", "KA226", "KA227", "KA310",
             "KA311", "KA312", "KA410", "KA413"]  # fmt: skip
CLUSTER = ["KA313", "KA314", "KA411", "KA543", "KA680"]
GROUP = ["KA412", "KA1160", "KA1161", "KA1162", "KA1163"]
BROKER = ["KA165", "KA166", "KA228", "KA229", "KA230", "KA780"]
QUORUM = ["KA540", "KA541", "KA542"]
ENSEMBLE = [f"KA{number}" for number in range(544, 553)]
PRODUCER = "\n[producer orders]\nbootstrap.servers=b1:9092,b2:9092\nacks={}"

CASES = [
    *(Case(id, SILENT, HEALTHY) for id in [*PARTITION, *CLUSTER, *GROUP, *BROKER, *QUORUM, "KA163", "KA164"]),
    *(Case(id, SILENT, ZOOKEEPER) for id in ENSEMBLE),
    *(Case(id, UNKNOWN, HIDDEN, says="hidden from this principal") for id in PARTITION),
    *(Case(id, UNKNOWN, NO_SETTINGS, says="not permitted") for id in ("KA161", "KA221", "KA222", "KA224", "KA227")),
    *(Case(id, UNKNOWN, ONE_SEEN, says="not every broker says its rack") for id in ("KA162", "KA226", "KA310", "KA311")),
    *(Case(id, UNKNOWN, "brokers 1 2 3\nunread groups: not permitted", says="not permitted") for id in GROUP),
    *(Case(id, UNKNOWN, "brokers 1 2 3\nunread quorum: not permitted", says="not permitted") for id in QUORUM),
    *(Case(id, UNKNOWN, NO_ENSEMBLE, says="no answer") for id in ENSEMBLE),
    Case("KA163", UNKNOWN, NO_SETTINGS + PRODUCER.format("all"), says="not permitted"),
    Case("KA164", UNKNOWN, NO_SETTINGS + PRODUCER.format("1"), says="not permitted"),
    Case("KA165", UNKNOWN, "brokers 1 2 3\nbroker 1 unreadable not permitted", says="not permitted"),
    Case("KA165", UNKNOWN, "brokers 1 2 3\nunread levels: no answer", says="no answer"),
    Case("KA166", UNKNOWN, "brokers 1 2 3\nbroker 1 unreadable not permitted", says="not permitted"),
    Case("KA166", UNKNOWN, "brokers 1\ncluster-wide num.io.threads=3\nunread levels: no answer", says="no answer"),
    Case("KA166", FIRES, "brokers 1\ncluster-wide log.cleaner.threads=3", says="1 in the file"),
    Case("KA166", FIRES, "brokers 1\nbroker * num.io.threads=2\ncluster-wide num.io.threads=5", severity="high"),
    Case("KA166", SILENT, "brokers 1\nbroker * num.io.threads=2\ncluster-wide num.io.threads=1"),
    Case("KA229", UNKNOWN, HIDDEN, says="hidden"),
    *(Case(id, UNKNOWN, "brokers 1 2 3\ntopic secret missing=not_permitted", says="not permitted") for id in PARTITION),
    Case("KA229", UNKNOWN, NO_SETTINGS, says="not permitted"),
    Case("KA229", UNKNOWN, "brokers 1 2 3\ntopic secret missing=not_permitted", says="not permitted"),
    Case("KA314", UNKNOWN, "brokers 1 2 3\ntopic secret missing=not_permitted", says="not permitted"),
    Case("KA1162", UNKNOWN, HIDDEN + "\ngroup pay state=STABLE members=1 committed=orders/0:5", says="hidden"),
    Case("KA542", FIRES, "brokers 1 2\nquorum leader=101 voters=101,102,103 unheard=103", severity="critical"),
    Case("KA542", UNKNOWN, "brokers 1 2\nquorum leader=101 voters=101,102,103 unheard=101,102,103", says="KIP-836"),
    Case("KA230", UNKNOWN, "brokers 1\nunread log dirs: not permitted", says="not permitted"),
    Case("KA780", UNKNOWN, "brokers 1\nunread log dirs: not permitted", says="not permitted"),
    Case("KA313", UNKNOWN, HIDDEN, says="hidden"),
    Case("KA314", UNKNOWN, HIDDEN, says="hidden"),
    Case("KA411", UNKNOWN, HIDDEN, says="hidden"),
    Case("KA543", UNKNOWN, "brokers 1\nunread features: no answer", says="no answer"),
    Case("KA680", UNKNOWN, "brokers 1\nunread acls: not permitted", says="not permitted"),
    # a single broker is not a cluster: what it cannot have is not missed
    Case("KA160", SILENT, "brokers 1\ntopic orders\n0: leader 1 replicas 1 isr 1"),
    Case("KA410", SILENT, "brokers 1\ntopic __consumer_offsets\n0: leader 1 replicas 1 isr 1"),
    Case("KA160", FIRES, "brokers 1 2\ntopic orders\n0: leader 1 replicas 1,2 isr 1,2", severity="medium"),
    Case("KA410", FIRES, "brokers 1 2 3\ntopic __transaction_state\n0: leader 1 replicas 1,2 isr 1,2", severity="medium"),
    Case("KA410", FIRES, "brokers 1 2 3\nbroker * offsets.topic.replication.factor=3\n"
                         "topic __consumer_offsets\n0: leader 1 replicas 1 isr 1", severity="critical", key="replicas"),
    # each partition has one finding of availability: the worst
    Case("KA221", SILENT, "brokers 1 !2\ntopic orders\n0: leader none replicas 2 isr 2"),
    Case("KA223", SILENT, "brokers 1 2 !3\ntopic orders min.insync.replicas=2\n0: leader 1 replicas 1,2,3 isr 1,2"),
    Case("KA222", SILENT, "brokers 1 !2 !3\ntopic orders min.insync.replicas=2\n0: leader 1 replicas 1,2,3 isr 1"),
    # min.isr above the number of replicas: capped from 3.7 on, never writable before
    Case("KA221", SILENT, "kafka 3.9\nbrokers 1 2\ntopic orders min.insync.replicas=3\n0: leader 1 replicas 1,2 isr 1,2"),
    Case("KA221", FIRES, "kafka 3.6\nbrokers 1 2\ntopic orders min.insync.replicas=3\n0: leader 1 replicas 1,2 isr 1,2"),
    # an ELR member keeps what was acknowledged
    Case("KA161", SILENT, "brokers 1 2 !3\ncluster-wide min.insync.replicas=2\ntopic orders\n"
                          "0: leader 1 replicas 1,2,3 isr 1,2 elr 3"),
    # unclean election: reads go on, records do not
    Case("KA225", SILENT, "brokers 1 2 3\ntopic orders unclean.leader.election.enable=true\n0: leader 1 replicas 1,2,3 isr 1"),
    # KRaft counts registered brokers, ZooKeeper live ones
    Case("KA411", SILENT, "kafka 3.9\nbrokers 1 2 !3\nbroker * offsets.topic.replication.factor=3\nunread registrations: old"),
    Case("KA411", FIRES, "kafka 3.9 zookeeper\nbrokers 1 2 !3\nbroker * offsets.topic.replication.factor=3", severity="high"),
    Case("KA411", FIRES, "kafka 4.3\nbrokers 1 2", severity="medium"),
    Case("KA1405", FIRES, "kafka 3.6\nbrokers 1 2 3"),
    Case("KA411", FIRES, "kafka 4.3\nbrokers 1 2 !3\nbroker * offsets.topic.replication.factor=3"),
    Case("KA411", SILENT, "kafka 4.3\nbrokers 1 2 ~3\nbroker * offsets.topic.replication.factor=3"),
    Case("KA228", FIRES, "brokers 1 2 ~3", says="fenced"),
    Case("KA304", FIRES, "brokers 1 2\nbroker 1 num.partitions=3\nbroker 2 num.partitions=6"),
    Case("KA304", SILENT, "brokers 1 !2\nbroker 1 num.partitions=3\nbroker 2 num.partitions=6"),
    Case("KA310", SILENT, "brokers 1/a 2/a\ntopic orders\n0: leader 1 replicas 1,2 isr 1,2"),
    Case("KA311", SILENT, "brokers 1/a 2/a 3/b\ntopic orders\n0: leader 1 replicas 1,2,3 isr 1,2,3"),
    Case("KA542", FIRES, "brokers 1 2\nquorum leader=101 voters=101,102,103,104,105 behind=105", severity="high"),
    Case("KA542", FIRES, "brokers 1 2\nquorum leader=101 voters=101,102,103 behind=103", severity="critical"),
    Case("KA546", UNKNOWN, "kafka 3.9 zookeeper\nbrokers 1\nensemble voters=3 srvr=refused", says="whitelist"),
    Case("KA547", UNKNOWN, "kafka 3.9 zookeeper\nbrokers 1\nensemble voters=3 unread=delete_topics", says="does not answer"),
    Case("KA780", FIRES, "brokers 1\nlogdir 1 /data free=3 total=100", severity="high"),
    Case("KA543", FIRES, "brokers 1 2 3\nfeatures metadata.version=25/30", severity="low"),
]  # fmt: skip


def test_what_is_so_for_the_whole_cluster_is_not_said_of_every_topic() -> None:
    topics = "".join(f"topic t{n}\n0: leader 1 replicas 1,2,3 isr 1,2,3\n" for n in range(5))
    shared = "cluster-wide min.insync.replicas=1 unclean.leader.election.enable=true message.max.bytes=200000000\n"
    report = judge([parse_cluster(f"kafka 3.6\nbrokers 1 2 3\n{shared}{topics}")], all_rules(), Policy())
    assert {row.rule for row in report.findings if row.entity[0] == "topic"} == set()
    assert {row.rule for row in report.findings} >= {"KA102", "KA1405"}


def test_what_runs_was_not_refused() -> None:
    text = "brokers 1\nbroker 1 controller.quorum.voters=abc\ntopic t retention.ms=-2\n0: leader 1 replicas 1 isr 1"
    report = judge([parse_cluster(text)], all_rules(), Policy())
    assert {row.rule for row in report.findings} >= {"KA512"}
    assert [row.rule for row in report.findings if row.refused] == []


@pytest.mark.parametrize(
    ("id", "section", "words"),
    [
        ("KA540", "Fix", ("from 3.9 on", "add-controller", "kraft.version 0", "4.1")),
        ("KA543", "Fix", ("--bootstrap-server", "--release-version X.Y (4.0", "--metadata X.Y (3.3 to 3.9)")),
        ("KA543", "Care", ("cannot be lowered", "kraft.version")),
    ],
)
def test_what_the_fix_says_of_releases(id: str, section: str, words: tuple[str, ...]) -> None:
    text = RULES[id].documentation().text(section)
    assert [word for word in words if word not in text] == []


def test_cases() -> None:
    check_all(CASES)


def test_a_client_beside_a_running_cluster_is_judged_for_the_ids_that_its_instances_share(tmp_path: Path) -> None:
    (tmp_path / "producer.properties").write_text("bootstrap.servers=b1:9092,b2:9092\ntransactional.id=orders\n")
    rules = {
        row["rule"]
        for row in run(
            "lint", ROOT / "examples/cluster.json", "--with", tmp_path / "producer.properties", "--format", "json"
        ).json["findings"]
    }
    assert "KA1015" in rules
