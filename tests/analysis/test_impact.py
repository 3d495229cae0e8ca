"""What a failure does to a cluster: partitions, groups, quorum, racks, and what was not read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from advisor.analysis.impact.cluster_impact import Impact, impact_of
from advisor.analysis.impact.failure import parse_failure
from advisor.analysis.impact.partition_outcome import PartitionOutcome
from advisor.analysis.impact.rolling_restart import RollingRestart, rolling_restart
from advisor.errors import UserError
from advisor.facts.cluster import PartitionCounts
from advisor.model import Snapshot, Topic
from advisor.reports.impact.document import details
from advisor.samples.cluster_text import parse_cluster
from tests.support.simulation import MORE
from tests.support.strategies import snapshots

HEALTHY = """
brokers 1/a 2/b 3/c
quorum leader=1 voters=1,2,3
topic orders min.insync.replicas=2
0: leader 1 replicas 1,2,3 isr 1,2,3
1: leader 2 replicas 2,3,1 isr 2,3,1
"""


def impact(text: str, down: str, how: str = "kill") -> Impact:
    snapshot = parse_cluster(text)
    assert snapshot.live is not None
    return impact_of(snapshot, parse_failure(down, how, snapshot.live))


def outcome(text: str, down: str, how: str = "kill", topic: str = "orders", partition: int = 0) -> PartitionOutcome:
    after = impact(text, down, how)
    (row,) = (row for row in after.topics if row.name == topic)
    return next(out for out, rows in row.partitions.items() if any(each.id == partition for each in rows))


@pytest.mark.parametrize(
    ("partition", "options", "down", "how", "state", "leader"),
    [
        ("leader 1 replicas 1,2,3 isr 1,2,3", "min.insync.replicas=2", "broker:3", "kill", "keeps serving", 1),
        ("leader 1 replicas 1,2,3 isr 1,2,3", "min.insync.replicas=2", "broker:1", "kill", "keeps serving", 2),
        ("leader 1 replicas 1,2 isr 1,2", "min.insync.replicas=2", "broker:3", "kill", "untouched", 1),
        ("leader 1 replicas 1,2 isr 1,2", "min.insync.replicas=2", "broker:2", "kill", "refuses acks=all", 1),
        ("leader 1 replicas 1,2,3 isr 1,2", "min.insync.replicas=2", "broker:2", "kill", "may refuse acks=all", 1),
        ("leader 2 replicas 2 isr 2", "", "broker:2", "kill", "stops", -1),
        ("leader 2 replicas 2 isr 2", "", "broker:2", "power-loss", "may lose records", -1),
        ("leader 2 replicas 2 isr 2", "", "broker:2", "disk-loss", "loses records", -1),
        ("leader 1 replicas 1,2,3 isr 1", "unclean.leader.election.enable=true", "broker:1", "kill", "may lose records", 2),
        ("leader 1 replicas 1,2,3 isr 1,2,3", "min.insync.replicas=2", "broker:1,broker:2", "kill", "refuses acks=all", 3),
        ("leader none replicas 1,2 isr 2", "", "broker:1", "kill", "stops", -1),
    ],
)  # fmt: skip
def test_what_becomes_of_a_partition(
    partition: str, options: str, down: str, how: str, state: str, leader: int
) -> None:
    up = "1 2 3" if "leader none" not in partition else "1 !2 3"
    text = f"brokers {up}\nquorum leader=101 voters=101,102,103\ntopic orders {options}\n0: {partition}"
    row = outcome(text, down, how)
    assert (row.state, row.leader) == (state, leader)


RETURNS = (
    ("leader 1 replicas 1,2,3 isr 1,2", "", "broker:1,broker:2", "3.9", (1, 2), 1, 2,
     "both brokers 1 and 2 are back, or the one of them that was in sync last"),
    ("leader 1 replicas 1,2,3 isr 1,2,3", "", "broker:1,broker:2,broker:3", "3.9", (1, 2, 3), 1, 3,
     "all of brokers 1-3 are back, or the one of them that was in sync last"),
    ("leader 2 replicas 1,2 isr 2", "", "broker:1,broker:2", "3.9", (2,), 1, 1, "broker 2 is back"),
    ("leader 1 replicas 1,2 isr 1", "unclean.leader.election.enable=true", "broker:1,broker:2", "4.3", (1, 2), 1, 1,
     "one of brokers 1-2 is back"),
    ("leader 1 replicas 1,2,3 isr 1,2,3", "min.insync.replicas=3", "broker:2,broker:3", "3.9", (2, 3), 2, 2,
     "both brokers 2 and 3 are back in sync"),
    ("leader 1 replicas 1,2,3 isr 1,2,3", "min.insync.replicas=2", "broker:2,broker:3", "3.9", (2, 3), 1, 1,
     "one of brokers 2-3 is back in sync"),
    ("leader 1 replicas 1,2,3 isr 1,2,3", "min.insync.replicas=3", "broker:3", "3.9", (3,), 1, 1, "broker 3 is back in sync"),
    ("leader 1 replicas 1,2,3,4 isr 1,2,3,4", "min.insync.replicas=3", "broker:2,broker:3,broker:4", "3.9", (2, 3, 4), 2, 2,
     "2 of brokers 2-4 are back in sync"),
)  # fmt: skip


@pytest.mark.parametrize(("partition", "options", "down", "release", "returns", "least", "most", "words"), RETURNS)
def test_how_many_brokers_must_be_back(
    partition: str, options: str, down: str, release: str, returns: tuple[int, ...], least: int, most: int, words: str
) -> None:
    text = f"kafka {release}\nbrokers 1 2 3 4\nquorum leader=101 voters=101,102,103\ntopic orders {options}\n0: {partition}"
    row = outcome(text, down)
    assert (row.returns, row.returns_least, row.returns_most) == (returns, least, most)
    assert words in details(row)


def test_an_eligible_leader_replica_is_elected_when_the_isr_is_gone() -> None:
    text = (
        "brokers 1 2 3\nquorum leader=101 voters=101\nfeatures eligible.leader.replicas.version=1\n"
        "topic orders min.insync.replicas=2\n0: leader 1 replicas 1,2,3 isr 1 elr 3"
    )
    row = outcome(text, "broker:1")
    assert (row.leader, row.election, row.lost_all) == (3, "eligible", "none")


@pytest.mark.parametrize("release", ["3.8", "3.9"])
def test_kraft_before_3_9_elects_nobody_uncleanly(release: str) -> None:
    text = (
        f"kafka {release}\nbrokers 1 2\nquorum leader=101 voters=101\n"
        "topic orders unclean.leader.election.enable=true\n0: leader 1 replicas 1,2 isr 1"
    )
    assert outcome(text, "broker:1").leader == (2 if release == "3.9" else -1)


def test_below_min_isr_records_are_unreadable_only_since_3_7() -> None:
    text = "kafka {} zookeeper\nbrokers 1 2\ntopic orders min.insync.replicas=2\n0: leader 1 replicas 1,2 isr 1,2"
    assert outcome(text.format("3.6"), "broker:2").newest == "yes"
    assert outcome(text.format("3.7"), "broker:2").newest == "no"


def test_a_combined_node_takes_its_controller_along_and_without_a_majority_nobody_is_elected() -> None:
    one = impact(HEALTHY, "broker:2")
    assert "broker 2 is controller 2 as well" in one.failure.notes
    assert (one.quorum.after, one.quorum.keeps) == (2, True)
    assert one.worse() == 0
    two = impact(HEALTHY, "broker:2,broker:3")
    assert two.quorum.keeps is False
    assert outcome(HEALTHY, "broker:2,broker:3", partition=1).readable == "no"
    assert outcome(HEALTHY, "controllers").state == "stops"


def test_brokers_apart_from_the_quorum_fail_without_it() -> None:
    text = HEALTHY.replace("leader=1 voters=1,2,3", "leader=101 voters=101,102,103")
    assert impact(text, "controllers").states() == {"keeps serving": 2}
    assert impact(text, "controller:101").quorum.keeps is True
    assert impact(text, "broker:2").failure.controllers == set()


def test_a_rack_fails_as_a_whole() -> None:
    text = "brokers 1/a 2/a 3/b 4\nquorum leader=9 voters=9\ntopic orders\n0: leader 1 replicas 1,2,3 isr 1,2,3"
    after = impact(text, "rack:a", "power-loss")
    assert after.failure.brokers == {1, 2}
    assert "broker 4 does not say its rack: it is taken to be elsewhere" in after.failure.notes
    assert [(rack.name, rack.up_before, rack.up_after) for rack in after.racks] == [("a", 2, 0), ("b", 1, 1), ("no rack", 1, 1)]  # fmt: skip
    assert after.states() == {"keeps serving": 1}


def test_groups_stop_with_the_partition_that_coordinates_them() -> None:
    text = (
        "brokers 1 2\nquorum leader=9 voters=9\ngroup pay members=1\ntopic __consumer_offsets\n"
        "0-1: leader 1 replicas 1 isr 1\n2-3: leader 2 replicas 2 isr 2"
    )
    (first,), (second,) = impact(text, "broker:1").groups, impact(text, "broker:2").groups
    assert first.partition == second.partition
    assert {first.state, second.state} == {"stops", "untouched"}
    (unseen,) = impact("brokers 1\nquorum leader=9 voters=9\ngroup pay members=1", "broker:1").groups
    assert (unseen.state, unseen.unknown) == ("unknown", ("__consumer_offsets cannot be seen",))


def test_a_client_with_acks_1_may_lose_the_newest_records() -> None:
    client = "[producer orders]\nbootstrap.servers=b1:9092\nacks={}"
    (one,) = impact(HEALTHY + client.format("1"), "broker:1").clients
    (all_,) = impact(HEALTHY + client.format("all"), "broker:1").clients
    assert (one.states, one.newest_lost) == ({"keeps serving": 2}, 1)
    assert all_.newest_lost == 0


def test_bytes_to_take_over_and_bytes_free() -> None:
    text = (
        "brokers 1 2\nquorum leader=9 voters=9\nlogdir 1 /data free=500 total=900\nlogdir 2 /data free=7 total=9\n"
        "topic orders\n0: leader 2 replicas 2,1 isr 2,1 sizes 70,60\n1: leader 1 replicas 1 isr 1 sizes 5"
    )
    disks = impact(text, "broker:2").disks
    assert (disks.bytes, disks.free, disks.unknown) == (70, 500, None)
    without = impact(text.replace(" sizes 70,60", ""), "broker:2").disks
    assert without.bytes is None
    assert without.unknown


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        ("topic orders missing=not_permitted\n0: leader 1 replicas 1,2 isr 1,2", "topic orders: not permitted"),
        ("topic orders missing=not_permitted", "topic orders: not permitted"),
        ("unread topics: hidden from this principal", "topics: hidden from this principal"),
    ],
)
def test_what_was_not_read_is_unknown_and_says_why(extra: str, says: str) -> None:
    after = impact(f"brokers 1 2 3\nquorum leader=9 voters=9\n{extra}", "broker:2")
    assert says in after.unknown
    assert not set(after.states()) & {"keeps serving", "untouched"}


def test_settings_that_do_not_matter_need_not_be_known() -> None:
    text = "brokers 1 2\nquorum leader=9 voters=9\ntopic orders missing=not_permitted\n0: leader 2 replicas 2 isr 2"
    assert outcome(text, "broker:2").state == "stops"


def test_an_unread_quorum_leaves_open_who_is_elected() -> None:
    text = "brokers 1 2\nunread quorum: not permitted\ntopic orders\n0: leader 1 replicas 1,2 isr 1,2"
    after = impact(text, "broker:1")
    assert after.quorum.keeps is None
    assert after.states() == {"unknown": 1}
    assert "not permitted" in after.unknown[0]


@pytest.mark.parametrize(
    ("down", "says"),
    [
        ("broker:9", "--down broker:9: there is none; brokers: 1, 2, 3"),
        ("broker:x", "--down broker:x: there is none"),
        ("rack:z", "--down rack:z: no broker is there; racks: a, b, c"),
        ("controller:7", "--down controller:7: there is none; voters: 1, 2, 3"),
        ("host:1", "what fails is broker:N, rack:NAME, controller:N or controllers"),
        ("", "--down: name what fails"),
    ],
)
def test_what_is_not_there_cannot_fail(down: str, says: str) -> None:
    with pytest.raises(UserError, match=says.replace("[", r"\[")):
        impact(HEALTHY, down)


def test_zookeeper_has_no_controllers_to_name() -> None:
    text = "kafka 3.9 zookeeper\nbrokers 1 2\ntopic orders\n0: leader 1 replicas 1,2 isr 1,2"
    with pytest.raises(UserError, match="in ZooKeeper mode a broker is the controller"):
        impact(text, "controller:1")
    assert impact(text, "controllers").quorum.keeps is False


def order(text: str) -> RollingRestart:
    return rolling_restart(parse_cluster(text))


def test_a_healthy_cluster_restarts_broker_by_broker_the_active_controller_last() -> None:
    restart = order(HEALTHY)
    assert restart.is_safe is True
    assert [(step.id, step.role) for step in restart.steps] == [
        (2, "broker and controller"), (3, "broker and controller"), (1, "active controller"),
    ]  # fmt: skip


def test_a_restart_of_the_only_voter_leaves_no_quorum() -> None:
    restart = order(HEALTHY.replace("voters=1,2,3", "voters=1"))
    assert [step.is_safe for step in restart.steps] == [True, True, False]


def test_partitions_that_need_every_replica_and_those_that_miss_one_stop_a_restart() -> None:
    restart = order(
        "brokers 1 2 3\nquorum leader=101 voters=101,102,103\ntopic orders min.insync.replicas=2\n"
        "0: leader 1 replicas 1,2 isr 1,2\ntopic pay min.insync.replicas=2\n0: leader 2 replicas 1,2,3 isr 2,3"
    )
    assert {step.id: [row.topic for row in step.blocked] for step in restart.steps if step.blocked} == {
        1: ["orders"], 2: ["pay", "orders"], 3: ["pay"],
    }  # fmt: skip


def test_what_does_not_serve_now_comes_first() -> None:
    restart = order("brokers 1 !2\nquorum leader=9 voters=9,8,7\ntopic a\n0: leader none replicas 2 isr 2")
    assert restart.is_safe is False
    assert restart.down == [2]
    assert [row.topic for row in restart.broken] == ["a"]


def test_a_restart_order_is_unknown_where_a_topic_was_not_read() -> None:
    restart = order(HEALTHY + "topic ledger missing=not_permitted")
    assert restart.is_safe is None
    assert restart.unknown == ["topic ledger: not permitted"]


@settings(max_examples=100 * MORE, deadline=None)
@given(snapshots())
def test_a_restart_stops_what_the_rule_restart_is_unsafe_counts(snapshot: Snapshot) -> None:
    assert snapshot.live is not None
    counts = PartitionCounts(snapshot.live, [entity for entity in snapshot.entities if isinstance(entity, Topic)])
    for step in rolling_restart(snapshot).steps:
        healthy = sum(len(row.partitions) for row in step.blocked if not row.by_design)
        by_design = sum(len(row.partitions) for row in step.blocked if row.by_design)
        assert (healthy, by_design) == (counts.deprived.get(step.id, 0), counts.stops.get(step.id, 0))


@settings(max_examples=100 * MORE, deadline=None)
@given(snapshots())
def test_one_broker_that_restarts_safely_refuses_nothing_when_it_is_killed(snapshot: Snapshot) -> None:
    assert snapshot.live is not None
    restart = rolling_restart(snapshot)
    for step in restart.steps:
        if not step.blocked and not restart.unknown and not restart.broken:
            after = impact_of(snapshot, parse_failure(f"broker:{step.id}", "kill", snapshot.live))
            assert not set(after.states()) & {"stops", "refuses acks=all", "loses records"}
