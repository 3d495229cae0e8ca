from __future__ import annotations

import pytest

from tests.support.rule_cases import FIRES, RULES, SILENT, UNKNOWN, Case, check, check_all

B = "process.roles=broker\nnode.id=1\n"
ZK = "zookeeper.connect=z1:2181\nbroker.id=1\n"
C = "bootstrap.servers=b1:9092\ngroup.id=g\n"
P = "bootstrap.servers=b1:9092\nacks=all\n"
LC = "metadata.broker.list=b1:9092\ngroup.id=g\ndebug=x\n"
LP = "metadata.broker.list=b1:9092\nlinger.ms=5\n"
X = "=${X}"

CASES = [
    Case("KA903", FIRES, B + "group.share.partition.max.record.locks=10000", "4.3", severity="critical"),
    Case(
        "KA903",
        FIRES,
        B + "group.consumer.min.assignment.interval.ms=9000\ngroup.consumer.max.assignment.interval.ms=8000",
        "4.3",
    ),
    Case("KA903", FIRES, B + "group.streams.assignment.interval.ms=90000000", "4.3", severity="critical"),
    Case("KA903", SILENT, B + "group.consumer.assignment.interval.ms=90000000", "4.0"),
    Case("KA903", FIRES, B + "group.consumer.session.timeout.ms=70000", "3.9", severity="critical"),
    Case("KA903", FIRES, B + "group.consumer.min.session.timeout.ms=70000", "3.6", severity="critical"),
    Case("KA903", FIRES, B + "group.share.record.lock.duration.ms=1000", "3.9", severity="critical"),
    Case("KA903", FIRES, B + "group.share.delivery.count.limit=11", "4.3", severity="critical"),
    Case("KA903", FIRES, B + "group.share.max.share.sessions=100", "4.1", severity="critical"),
    Case("KA903", FIRES, B + "group.streams.num.standby.replicas=3", "4.1", severity="critical"),
    Case("KA903", FIRES, B + "group.streams.session.timeout.ms=70000", "4.1", severity="critical"),
    Case("KA903", SILENT, B + "group.streams.session.timeout.ms=70000", "4.0"),
    Case(
        "KA903",
        FIRES,
        B + "group.consumer.heartbeat.interval.ms=45000\ngroup.consumer.max.heartbeat.interval.ms=60000",
        "4.0",
        severity="critical",
    ),
    Case(
        "KA903",
        SILENT,
        B + "group.consumer.heartbeat.interval.ms=45000\ngroup.consumer.max.heartbeat.interval.ms=60000",
        "3.9",
    ),
    Case("KA903", SILENT, B + "group.consumer.session.timeout.ms=50000"),
    Case("KA903", UNKNOWN, B + "group.consumer.session.timeout.ms" + X),
    Case("KA932", FIRES, B + "request.timeout.ms=-1", severity="critical"),
    Case("KA932", FIRES, ZK + "request.timeout.ms=-5", "2.8", severity="critical"),
    Case("KA932", SILENT, B + "request.timeout.ms=0"),
    Case("KA932", UNKNOWN, B + "request.timeout.ms" + X),
    Case("KA905", FIRES, ZK + "group.initial.rebalance.delay.ms=0", "3.9", severity="low"),
    Case("KA905", SILENT, B),
    Case("KA905", UNKNOWN, B + "group.initial.rebalance.delay.ms" + X),
    Case("KA908", SILENT, "[producer]\n" + P + "[broker]\n" + B),
    Case("KA908", FIRES, "[producer]\n" + P + "connections.max.idle.ms=-1\n[broker]\n" + B, severity="low"),
    Case("KA908", UNKNOWN, "[producer]\n" + P + "[broker]\n" + B + "connections.max.idle.ms" + X),
    Case("KA909", SILENT, C + "connections.max.idle.ms=60000", "consumer 4.3"),
    Case("KA909", SILENT, C, "consumer"),
    Case("KA909", UNKNOWN, C + "connections.max.idle.ms" + X, "consumer"),
    Case("KA910", FIRES, P + "delivery.timeout.ms=1000", "producer 2.1", "delivery.timeout.ms", "critical"),
    Case("KA910", FIRES, P + "delivery.timeout.ms=30000", "producer 4.0", severity="critical"),
    Case("KA910", FIRES, P + "delivery.timeout.ms=30000", "producer 3.9", severity="low"),
    Case("KA910", FIRES, P + "request.timeout.ms=120000", "producer", "request.timeout.ms", "low"),
    Case("KA910", SILENT, P + "request.timeout.ms=60000", "producer"),
    Case("KA910", SILENT, LP + "request.timeout.ms=400000", "producer"),
    Case("KA910", UNKNOWN, P + "delivery.timeout.ms" + X, "producer"),
    Case("KA911", FIRES, LP + "delivery.timeout.ms=5", "producer", "linger.ms", "critical"),
    Case("KA911", FIRES, LP + "delivery.timeout.ms=70000\ntransactional.id=t", "producer", severity="critical"),
    Case("KA911", SILENT, LP + "transactional.id=t", "producer"),
    Case("KA911", SILENT, LP + "message.timeout.ms=0", "producer"),
    Case("KA911", SILENT, P + "delivery.timeout.ms=5", "producer"),
    Case("KA911", UNKNOWN, LP + "message.timeout.ms" + X, "producer"),
    Case("KA912", FIRES, C + "request.timeout.ms=8000", "consumer", severity="low"),
    Case("KA912", FIRES, LC + "socket.timeout.ms=1000", "consumer", "socket.timeout.ms", "medium"),
    Case("KA912", SILENT, C, "consumer"),
    Case("KA912", UNKNOWN, C + "request.timeout.ms" + X, "consumer"),
    Case("KA913", SILENT, LC + "fetch.wait.max.ms=60000\nsocket.timeout.ms=400", "consumer"),
    Case("KA913", FIRES, C + "request.timeout.ms=500", "consumer", "request.timeout.ms", "medium"),
    Case("KA913", SILENT, C + "request.timeout.ms=1000\nfetch.max.wait.ms=900", "consumer"),
    Case("KA913", UNKNOWN, C + "fetch.max.wait.ms" + X, "consumer"),
    Case("KA914", FIRES, "bootstrap.servers=b:1\ndefault.api.timeout.ms=1000", "admin 2.5", severity="critical"),
    Case("KA914", FIRES, C + "default.api.timeout.ms=1000", "consumer", severity="low"),
    Case("KA914", SILENT, "bootstrap.servers=b:1\nrequest.timeout.ms=90000", "admin"),
    Case("KA914", UNKNOWN, "bootstrap.servers=b:1\ndefault.api.timeout.ms" + X, "admin"),
    Case("KA915", FIRES, C + "session.timeout.ms=3000", "consumer", "session.timeout.ms", "critical"),
    Case("KA915", FIRES, "auto.offset.reset=earliest\nsession.timeout.ms=3000", "consumer", severity="high"),
    Case("KA915", FIRES, LC + "heartbeat.interval.ms=60000", "consumer", "heartbeat.interval.ms", "high"),
    Case("KA915", FIRES, C + "heartbeat.interval.ms=20000", "consumer", "heartbeat.interval.ms", "low"),
    Case("KA915", SILENT, C + "heartbeat.interval.ms=100\nsession.timeout.ms=900", "consumer"),
    Case("KA915", SILENT, C + "group.protocol=consumer\nheartbeat.interval.ms=60000", "consumer"),
    Case("KA915", SILENT, C, "consumer 2.0"),
    Case("KA915", UNKNOWN, C + "session.timeout.ms" + X, "consumer"),
    Case("KA916", SILENT, C, "consumer"),
    Case("KA916", UNKNOWN, C + "heartbeat.interval.ms" + X, "consumer"),
    Case("KA917", FIRES, C + "session.timeout.ms=900", "consumer", "session.timeout.ms", "high"),
    Case("KA917", FIRES, C + "session.timeout.ms=600000", "consumer 2.2", severity="high"),
    Case("KA917", SILENT, C + "session.timeout.ms=600000", "consumer 2.3"),
    Case("KA917", UNKNOWN, C + "session.timeout.ms" + X, "consumer"),
    Case("KA918", SILENT, "[consumer]\n" + C + "[broker]\n" + B),
    Case("KA918", UNKNOWN, "[consumer]\n" + C + "[broker]\n" + B + "group.max.session.timeout.ms" + X),
    Case("KA919", FIRES, C + "session.timeout.ms=90000", "consumer", severity="low"),
    Case("KA919", SILENT, C + "session.timeout.ms=240000\ngroup.instance.id=a", "consumer"),
    Case("KA919", SILENT, C + "session.timeout.ms=60000", "consumer"),
    Case("KA919", UNKNOWN, C + "session.timeout.ms" + X, "consumer"),
    Case("KA920", FIRES, C + "max.poll.interval.ms=20000", "consumer", "max.poll.interval.ms", "low"),
    Case("KA920", FIRES, LC + "max.poll.interval.ms=20000", "consumer", severity="critical"),
    Case("KA920", FIRES, C + "max.poll.interval.ms=86400000", "consumer", severity="low"),
    Case(
        "KA920",
        FIRES,
        C + "max.poll.interval.ms=50000\nmax.poll.records=20000",
        "consumer",
        severity="low",
        says="2.5 ms a record",
    ),
    Case("KA920", SILENT, C + "max.poll.interval.ms=50000\nmax.poll.records=2000", "consumer"),
    Case("KA920", SILENT, C + "max.poll.records=100000", "consumer"),
    Case("KA920", SILENT, LC + "max.poll.interval.ms=50000", "consumer"),
    Case("KA920", SILENT, C, "consumer"),
    Case("KA920", UNKNOWN, C + "max.poll.interval.ms" + X, "consumer"),
    Case("KA921", FIRES, C + "reconnect.backoff.ms=0", "consumer", "reconnect.backoff.ms", "medium"),
    Case("KA921", FIRES, P + "retry.backoff.ms=0", "producer", "retry.backoff.ms", "medium"),
    Case("KA921", SILENT, C, "consumer"),
    Case("KA921", SILENT, ZK, "3.9"),
    Case("KA921", UNKNOWN, C + "retry.backoff.ms" + X, "consumer"),
    Case("KA922", FIRES, C + "reconnect.backoff.ms=1000\nreconnect.backoff.max.ms=10", "consumer", severity="low"),
    Case("KA922", FIRES, LC + "reconnect.backoff.ms=20000", "consumer", severity="critical"),
    Case("KA922", SILENT, C + "reconnect.backoff.ms=20000", "consumer"),
    Case("KA922", SILENT, C + "retry.backoff.ms=5000", "consumer 3.6"),
    Case("KA922", UNKNOWN, C + "retry.backoff.ms" + X, "consumer"),
    Case("KA923", SILENT, "[producer]\ntransaction.timeout.ms=900001\n" + P + "[broker]\n" + B),
    Case("KA923", SILENT, "[producer]\ntransactional.id=t\n" + P + "[broker]\n" + B),
    Case("KA923", UNKNOWN, "[producer]\ntransactional.id=t\n[broker]\n" + B + "transaction.max.timeout.ms" + X),
    Case("KA924", SILENT, P + "transaction.timeout.ms=900000", "producer"),
    Case("KA924", UNKNOWN, P + "transaction.timeout.ms" + X, "producer"),
    Case(
        "KA925", FIRES, "[producer]\nacks=all\nrequest.timeout.ms=10000\n[broker]\n" + B, says="a follower that hangs"
    ),
    Case("KA925", SILENT, "[producer]\nacks=1\nrequest.timeout.ms=1\n[broker]\n" + B),
    Case("KA925", UNKNOWN, "[producer]\n" + P + "[broker]\n" + B + "replica.lag.time.max.ms" + X),
    Case("KA926", SILENT, B),
    Case("KA926", UNKNOWN, B + "transactional.id.expiration.ms" + X),
    Case("KA927", SILENT, B),
    Case("KA927", UNKNOWN, B + "producer.id.expiration.ms" + X),
    Case("KA928", FIRES, B + "transaction.max.timeout.ms=86400000", severity="low", says="1440 minutes"),
    Case("KA928", SILENT, B + "transaction.max.timeout.ms=3600000"),
    Case("KA928", SILENT, B),
    Case("KA928", UNKNOWN, B + "transaction.max.timeout.ms" + X),
    Case("KA929", FIRES, P + "transactional.id=a\ndelivery.timeout.ms=90000", "producer", severity="low"),
    Case("KA929", SILENT, P + "transactional.id=a", "producer"),
    Case("KA929", SILENT, P + "delivery.timeout.ms=90000", "producer"),
    Case("KA929", SILENT, P + "transactional.id=a\ndelivery.timeout.ms=60000", "producer"),
    Case("KA929", SILENT, LP + "transactional.id=a\ndelivery.timeout.ms=90000", "producer"),
    Case("KA929", UNKNOWN, P + "transactional.id=a\ndelivery.timeout.ms" + X, "producer"),
    Case("KA930", FIRES, C + "metadata.max.age.ms=7200000", "consumer", severity="low", says="120 minutes"),
    Case("KA930", FIRES, LC + "topic.metadata.refresh.interval.ms=-1", "consumer", says="never"),
    Case("KA930", SILENT, C + "metadata.max.age.ms=60000", "consumer"),
    Case("KA930", SILENT, LC, "consumer"),
    Case("KA930", UNKNOWN, C + "metadata.max.age.ms" + X, "consumer"),
    Case("KA931", FIRES, LP + "delivery.timeout.ms=0", "producer", severity="low"),
    Case("KA931", SILENT, LP, "producer"),
    Case("KA931", SILENT, P, "producer"),
    Case("KA931", UNKNOWN, LP + "message.timeout.ms" + X, "producer"),
]


@pytest.mark.parametrize("id", ["KA205", "KA925"])
def test_a_dead_follower_leaves_with_its_session(id: str) -> None:
    why = RULES[id].documentation().text("Why")
    assert "hangs" in why or "does not catch up" in why
    assert "session ends" in why


def test_the_title_of_producer_state_says_what_is_compared() -> None:
    assert "less than an hour" in RULES["KA927"].documentation().title
    border = B + "producer.id.expiration.ms="
    check(Case("KA927", FIRES, border + "3599999"))
    check(Case("KA927", SILENT, border + "3600000"))


def test_cases() -> None:
    check_all(CASES)
