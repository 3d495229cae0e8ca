"""Plans: an order that is safe, placement with the fewest moves, and promises that judging again keeps."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.analysis.advice.aims import REMOVE, SET, WORDS, parse_aim
from advisor.analysis.advice.changes import CLUSTER, ConfigChange, Reassignment, apply
from advisor.analysis.advice.cluster_plan import plan_for
from advisor.analysis.advice.commands import commands_of, config_command, file_lines, reassignment_file
from advisor.analysis.advice.placement import Brokers, NoRoom, place
from advisor.analysis.advice.plan import AdvicePlan
from advisor.analysis.advice.step import PlanStep
from advisor.analysis.advice.step_effect import missing_from
from advisor.catalog import lookup
from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.errors import UserError
from advisor.model import Snapshot, Topic
from advisor.model.cluster import LogDir, Partition
from advisor.model.finding import Finding, rank
from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import document
from rules import all_rules
from tests.support.broken_cluster import BROKEN
from tests.support.commands import run
from tests.support.simulation import MORE
from tests.support.strategies import snapshots

RULES = all_rules()
POLICY = Policy(RULES)


def findings(snapshots: Sequence[Snapshot]) -> Sequence[Finding]:
    return judge(snapshots, RULES, POLICY).findings


def plan(text: str, goal: str = "1-broker") -> AdvicePlan:
    return plan_for(parse_cluster(text), RULES, findings, goal, 50_000_000)


def step_of(made: AdvicePlan, id: str) -> PlanStep:
    (step,) = [step for step in made.steps if step.id == id]
    return step


def ids(made: AdvicePlan) -> list[str]:
    return [step.id for step in made.steps]


def test_every_severe_rule_has_an_aim_or_a_reason_why_not() -> None:
    for rule in (rule for rule in RULES if not rule.is_of_change):
        aim = parse_aim(rule.aim)
        assert aim.what in WORDS
        if rule.severity("production") in ("critical", "high"):
            assert rule.aim is not None, rule.id


def test_an_aim_that_is_none_is_refused() -> None:
    for text in ("replicas", "set acks", "lower it", "replicas=many"):
        with pytest.raises(ValueError, match="no such aim"):
            parse_aim(text)


def test_the_order_that_must_hold() -> None:
    made = plan(BROKEN)
    assert ids(made) == ["unclean-off", "internal-replicas", "replicas", "broker-files", "min-isr", "quorum"]
    assert made.steps[1].rules == {"KA410": 2}
    assert made.steps[2].rules == {"KA160": 2}
    assert made.steps[2].cost.bytes == 23_000_000_000


def test_offline_and_under_replicated_partitions_stop_the_plan() -> None:
    for partition in ("leader none replicas 2,3 isr 2", "leader 1 replicas 1,2,3 isr 1,2"):
        up = "1 !2 !3" if "none" in partition else "1 2 !3"
        made = plan(f"kafka 4.3\nbrokers {up}\nquorum leader=9 voters=9,8,7\ntopic a\n0: {partition}")
        assert ids(made) == ["recover"]
        assert made.stopped
        assert not made.steps[0].changes


def test_min_isr_is_never_all_replicas_and_only_where_there_are_three() -> None:
    made = plan("kafka 4.3\nbrokers 1 2\nquorum leader=9 voters=9,8,7\ntopic a\n0: leader 1 replicas 1,2 isr 1,2")
    assert "min-isr" not in ids(made)
    assert any("3 replicas need 3 live brokers, and there are 2" in row for row in made.obstacles)


def test_min_isr_is_set_by_topic_where_some_topic_has_too_few_replicas() -> None:
    text = (
        "kafka 4.3\nbrokers 1 2 3\nbroker * default.replication.factor=3\nquorum leader=9 voters=9,8,7\n"
        "topic a min.insync.replicas=1\n0: leader 1 replicas 1,2,3 isr 1,2,3\n"
        "topic b missing=not_permitted"
    )
    for step in plan(text).steps:
        assert not any(isinstance(change, ConfigChange) and change.scope == CLUSTER for change in step.changes if step.id == "min-isr")  # fmt: skip


def test_racks_come_before_replicas_that_are_spread_over_them() -> None:
    made = plan(BROKEN, "1-rack")
    assert ids(made).index("racks") < ids(made).index("replicas")
    spread = plan(
        "kafka 4.3\nbrokers 1/a 2/a 3/b 4/c\nquorum leader=9 voters=9,8,7\nfeatures metadata.version=29/29\n"
        "topic orders min.insync.replicas=2\n0: leader 1 replicas 1,2,3 isr 1,2,3 sizes 5,5,5",
        "1-rack",
    )
    (step,) = [step for step in spread.steps if step.id == "replicas"]
    (move,) = [change for change in step.changes if isinstance(change, Reassignment)]
    assert (move.old, move.new) == ((1, 2, 3), (1, 3, 4))


@pytest.mark.parametrize(
    ("brokers", "title"),
    [("1 2 3 4", "Set broker.rack on every broker"), ("1/a 2/b 3 4", "Set broker.rack on brokers 3, 4")],
)
def test_racks_are_asked_of_brokers_that_name_none(brokers: str, title: str) -> None:
    made = plan(
        f"kafka 4.3\nbrokers {brokers}\nquorum leader=9 voters=9,8,7\ntopic orders min.insync.replicas=2\n"
        "0: leader 1 replicas 1,2,3 isr 1,2,3 sizes 5,5,5",
        "1-rack",
    )
    assert [step.title for step in made.steps if step.id == "racks"] == [title]


@pytest.mark.parametrize("rule", ["KA162", "KA226", "KA310"])
def test_no_fix_for_replicas_in_known_racks_asks_for_racks(rule: str) -> None:
    fix = next(each for each in RULES if each.id == rule).documentation().text("Fix")
    assert "reassign the partition" in fix
    assert "broker.rack" not in fix
    assert "three racks" not in fix


def test_a_static_quorum_is_no_command() -> None:
    made = plan(BROKEN.replace("kraft.version=1/1", "kraft.version=0/1"))
    (step,) = [step for step in made.steps if step.id == "quorum"]
    assert "the quorum is static" in step.by_hand[0]
    assert not commands_of(step, 1)


def test_a_topic_that_requires_all_of_three_replicas_requires_two_before_anything_restarts() -> None:
    text = BROKEN + "topic strict min.insync.replicas=3\n0: leader 1 replicas 1,2,3 isr 1,2,3\n"
    made = plan(text)
    (step,) = [step for step in made.steps if step.id == "min-isr-below-replicas"]
    assert step.changes == (ConfigChange("topic", "strict", (("min.insync.replicas", "2"),)),)
    assert "is then lost after" in step.risk
    assert ids(made).index("min-isr-below-replicas") < ids(made).index("broker-files")
    assert not any("strict" in obstacle for obstacle in made.obstacles)


def test_features_that_were_not_read_stop_no_placement() -> None:
    snapshot = parse_cluster(BROKEN)
    assert snapshot.live is not None
    snapshot.live.features, snapshot.live.unread = None, {"features": "not authorized", "quorum": "not authorized"}
    made = plan_for(snapshot, RULES, findings, "1-broker", 50_000_000)
    assert {"internal-replicas", "replicas"} <= set(ids(made))
    assert made.unknown[:2] == ["features: not authorized", "quorum: not authorized"]


def test_no_replica_is_placed_on_a_broker_whose_log_directories_failed() -> None:
    snapshot = parse_cluster(BROKEN)
    assert snapshot.live is not None
    snapshot.live.log_dirs = {3: (LogDir("/data", "KafkaStorageException", None, None, 0),)}
    made = plan_for(snapshot, RULES, findings, "1-broker", 50_000_000)
    assert not [
        change
        for step in made.steps
        for change in step.changes
        if isinstance(change, Reassignment) and 3 in change.added
    ]
    assert any("has room for it" in obstacle for obstacle in made.obstacles)


def test_feature_levels_are_finalized_last_and_each_by_its_name() -> None:
    made = plan(BROKEN.replace("metadata.version=29/29", "metadata.version=25/29"))
    assert ids(made)[-1] == "features"
    (command,) = commands_of(made.steps[-1], 1)
    assert command.change.endswith(" upgrade --feature metadata.version=29")
    assert made.steps[-1].rules == {"KA543": 1}
    assert made.before.live and made.before.live.features and made.before.live.features["metadata.version"] == 25
    assert made.after and made.after.live and made.after.live.features == {"metadata.version": 29, "kraft.version": 1}


def test_what_was_not_read_is_not_assumed() -> None:
    made = plan(BROKEN + "topic ledger missing=not_permitted")
    assert not any(isinstance(change, Reassignment) for step in made.steps for change in step.changes)
    assert any("no replica is placed" in row for row in made.unknown)


def test_unknown_sizes_are_said() -> None:
    made = plan(BROKEN.replace(" sizes 1000000000", ""))
    (step,) = [step for step in made.steps if step.id == "replicas"]
    assert (step.cost.bytes, step.cost.minutes) == (None, None)


def test_a_plan_changes_nothing_that_it_was_given() -> None:
    snapshot = parse_cluster(BROKEN)
    before = json.dumps(document(snapshot))
    plan_for(snapshot, RULES, findings, "1-broker", 1)
    assert json.dumps(document(snapshot)) == before


@settings(max_examples=30 * MORE, deadline=None)
@given(snapshots())
def test_judging_again_after_all_steps_keeps_every_promise(snapshot: Snapshot) -> None:
    made = plan_for(snapshot, RULES, findings, "1-broker", 1_000_000)
    if made.stopped or made.after is None:
        return
    gone = {(row.rule, row.entity, row.key) for row in missing_from(made.findings, findings([made.after]))}
    promised = {(row.rule, row.entity, row.key) for step in made.steps for row in step.removes}
    assert gone <= promised
    worse = [row for row in missing_from(findings([made.after]), made.findings) if rank(row.severity) >= rank("medium")]
    announced = {row.rule for step in made.steps for row in step.adds}
    assert {row.rule for row in worse} <= announced


def brokers(racks: Sequence[str | None], replicas: Counter[int] | None = None, free: int | None = None) -> Brokers:
    alive = dict(enumerate(racks, 1))
    room = {broker: None if free is None else [free] for broker in alive}
    return Brokers(alive, replicas if replicas is not None else Counter(), room)


@st.composite
def layouts(draw: st.DrawFn) -> tuple[list[str], list[tuple[int, ...]], int]:
    count = draw(st.integers(2, 6))
    racks = [draw(st.sampled_from("abc")) for _ in range(count)]
    wanted = draw(st.integers(1, min(3, count)))
    rows = [
        tuple(draw(st.permutations(range(1, count + 1)))[: draw(st.integers(1, wanted))])
        for _ in range(draw(st.integers(1, 4)))
    ]
    return racks, rows, wanted


@settings(max_examples=150, deadline=None)
@given(layouts())
def test_as_few_replicas_move_as_an_exhaustive_search_needs(
    layout: tuple[list[str], list[tuple[int, ...]], int],
) -> None:
    racks, rows, wanted = layout
    partitions = [Partition(number, row[0], row, row) for number, row in enumerate(rows)]
    present = Counter(broker for row in rows for broker in row)
    try:
        moves = {move.partition: move for move in place("t", partitions, wanted, brokers(racks, present), spread=True)}
    except NoRoom:
        return
    most = -(-wanted // len(set(racks)))
    for number, row in enumerate(rows):
        new = moves[number].new if number in moves else row
        assert Counter(racks[broker - 1] for broker in new).most_common(1)[0][1] <= most or is_too_small(
            racks, wanted, most
        )
        assert len(set(new)) == wanted
        if not is_too_small(racks, wanted, most):
            fewest = min(
                len(set(other) - set(row))
                for other in itertools.combinations(range(1, len(racks) + 1), wanted)
                if Counter(racks[broker - 1] for broker in other).most_common(1)[0][1] <= most
            )
            assert len(set(new) - set(row)) == fewest


def is_too_small(racks: Sequence[str], wanted: int, most: int) -> bool:
    """Whether the racks have too few brokers for it."""
    return sum(min(most, count) for count in Counter(racks).values()) < wanted


@settings(max_examples=100, deadline=None)
@given(st.integers(3, 6), st.integers(1, 30))
def test_replicas_are_spread_evenly(count: int, partitions: int) -> None:
    rows = [
        Partition(number, 1 + number % count, (1 + number % count,), (1 + number % count,))
        for number in range(partitions)
    ]
    present = Counter(row.leader for row in rows)
    place("t", rows, 3, evenly := brokers([None] * count, present))
    assert max(evenly.replicas.values()) <= -(-3 * partitions // count) + 1
    assert sum(evenly.replicas.values()) == 3 * partitions


def test_a_disk_without_room_gets_no_replica() -> None:
    full = brokers(["a", "b", "c"], Counter({1: 1}), free=10)
    with pytest.raises(NoRoom, match="has room"):
        place("t", [Partition(0, 1, (1,), (1,), sizes=(11,))], 3, full)


@pytest.mark.parametrize(
    ("change", "command"),
    [
        (ConfigChange("topic", "a'b $(x)", (("cleanup.policy", "compact,delete"),)),
         """--entity-type topics --entity-name 'a'"'"'b $(x)' --add-config 'cleanup.policy=[compact,delete]'"""),
        (ConfigChange("broker", "1", (("log.retention.ms", None),)),
         "--entity-type brokers --entity-name 1 --delete-config log.retention.ms"),
        (ConfigChange("cluster", "", (("min.insync.replicas", "2"),)),
         "--entity-type brokers --entity-default --add-config min.insync.replicas=2"),
    ],
)  # fmt: skip
def test_commands_are_quoted_for_a_shell(change: ConfigChange, command: str) -> None:
    assert config_command(change).change == f'kafka-configs.sh --bootstrap-server "$BOOTSTRAP" --alter {command}'


def test_control_characters_go_into_no_command() -> None:
    step = PlanStep("replicas", "", "", (Reassignment("a\x1b[31m", 0, (1,), (1, 2), 5),))
    with pytest.raises(UserError, match="control characters"):
        reassignment_file(step)
    with pytest.raises(UserError, match="control characters"):
        config_command(ConfigChange("topic", "a\nb", (("x", "1"),)))


def test_the_reassignment_file_is_what_kafka_takes() -> None:
    made = plan(BROKEN)
    file = reassignment_file(made.steps[1])
    assert file is not None
    rows = json.loads(file.text)
    assert rows["version"] == 1
    assert rows["partitions"][0] == {"topic": "__consumer_offsets", "partition": 0, "replicas": [3, 2, 1]}


def test_applied_changes_are_what_would_be_read() -> None:
    snapshot = parse_cluster(BROKEN)
    after = apply([ConfigChange("cluster", "", (("min.insync.replicas", "2"),))], snapshot)
    topics = [entity for entity in after.entities if isinstance(entity, Topic)]
    assert {topic.settings["min.insync.replicas"].value for topic in topics} == {"2"}
    assert "min.insync.replicas" not in snapshot.entities[-1].settings


def test_two_brokers_get_no_default_of_three_replicas() -> None:
    made = plan("kafka 4.3\nbrokers 1 2\nquorum leader=9 voters=9,8,7\nfeatures metadata.version=29/29")
    assert not any("replication.factor" in key for step in made.steps for change in step.changes for key, _ in getattr(change, "settings", ()))  # fmt: skip
    assert any("there are 2" in row for row in made.obstacles)


def test_no_aim_lowers_durability_or_deletes_records() -> None:
    for rule in RULES:
        aim = parse_aim(rule.aim)
        assert aim.key != "cleanup.policy", rule.id
        assert rule.id != "KA214" or aim.what == "by hand"


UNHEALTHY = "kafka 4.3\nbrokers 1 2 !3\nquorum leader=9 voters=9,8,7\ntopic a\n0: leader 1 replicas 1,2,3 isr 1,2\ntopic b\n0: leader 1 replicas 1 isr 1"


@pytest.mark.parametrize("selected", [["KA160"], ["KA102", "KA103"]])
def test_what_is_down_stops_the_plan_whatever_rules_are_selected(selected: list[str]) -> None:
    policy = Policy(RULES, select=selected)
    made = plan_for(parse_cluster(UNHEALTHY), RULES, lambda each: judge(each, RULES, policy).findings, "1-broker", 1)
    assert ids(made) == ["recover"]
    assert made.stopped


def test_one_replica_under_min_isr_2_is_cured_by_a_reassignment() -> None:
    text = (
        "kafka 3.6 zookeeper\nbrokers 1 2 3\ncluster-wide min.insync.replicas=2\n"
        "topic a\n0: leader 1 replicas 1 isr 1 sizes 5"
    )
    assert ids(plan(text))[0] == "replicas"


def test_two_racks_stand_in_the_way_of_surviving_the_loss_of_one() -> None:
    text = (
        "kafka 4.3\nbrokers 1/a 2/a 3/b 4/b\nquorum leader=9 voters=9,8,7\nfeatures metadata.version=29/29\n"
        "topic orders\n0: leader 1 replicas 1 isr 1 sizes 5"
    )
    assert any("it takes a third rack" in row for row in plan(text, "1-rack").obstacles)
    assert not plan(text).obstacles


def test_a_restart_that_stops_writes_says_so() -> None:
    text = (
        "kafka 4.3\nbrokers 1 2 3\nbroker * auto.leader.rebalance.enable=false\nquorum leader=9 voters=9,8,7\n"
        "features metadata.version=29/29\ntopic ledger missing=not_permitted\n"
        "topic orders min.insync.replicas=2\n0: leader 1 replicas 1,2 isr 1,2"
    )
    (step,) = [step for step in plan(text).steps if step.id == "broker-files"]
    assert "restarts stop acks=all writes to 1 partition" in step.risk


def test_a_dynamic_quorum_grows_by_commands_and_an_unread_one_is_unknown() -> None:
    (step,) = [step for step in plan(BROKEN).steps if step.id == "quorum"]
    assert "add-controller" in step.by_hand[0]
    unread = plan(BROKEN.replace("features metadata.version=29/29 kraft.version=1/1", "unread features: not permitted"))
    assert "quorum" not in ids(unread)
    assert any("kraft.version" in row for row in unread.unknown)


def test_only_files_that_set_it_are_to_lose_the_line() -> None:
    on_topic = plan(BROKEN.replace("broker * unclean.leader.election.enable=true\n", ""))
    assert on_topic.steps[0].id == "unclean-off"
    assert "unclean" not in " ".join(file_lines(step_of(on_topic, "broker-files")))
    assert "remove unclean.leader.election.enable" in " ".join(file_lines(step_of(plan(BROKEN), "broker-files")))
    without_restarts = plan("kafka 4.3\nbrokers 1\nbroker * unclean.leader.election.enable=true\n")
    assert ids(without_restarts) == ["unclean-off"]
    assert "take the line out at the next restart" in without_restarts.steps[0].risk


def test_older_tools_take_other_options() -> None:
    assert any("2.6 and newer" in row for row in plan(BROKEN.replace("kafka 4.3", "kafka 2.4 zookeeper")).obstacles)


def test_min_isr_comes_after_replicas_also_where_some_topic_is_ready() -> None:
    made = plan(BROKEN + "topic ready\n0: leader 1 replicas 1,2,3 isr 1,2,3")
    assert ids(made).index("min-isr") > ids(made).index("broker-files") > ids(made).index("replicas")


def test_a_way_that_makes_something_worse_is_not_taken() -> None:
    text = (
        "kafka 4.3\nbrokers 1 2 3\nquorum leader=9 voters=9,8,7\nfeatures metadata.version=29/29\n"
        "topic orders\n0: leader 1 replicas 1,2,3 isr 1,2,3"
    )
    for step in plan(text).steps:
        assert not step.adds, step.id


def test_a_replica_fits_into_one_log_directory_and_a_tenth_stays_free() -> None:
    text = (
        "kafka 4.3\nbrokers 1 2 3\nquorum leader=9 voters=9,8,7\nfeatures metadata.version=29/29\n"
        "logdir 1 /a free=900 total=1000\nlogdir 2 /a free=900 total=1000\nlogdir 3 /a free={0} total=1000\n"
        "logdir 3 /b free={0} total=1000\ntopic orders\n0: leader 1 replicas 1 isr 1 sizes 500"
    )
    assert "replicas" not in ids(plan(text.format(400)))
    assert "replicas" not in ids(plan(text.format(599)))
    assert "replicas" in ids(plan(text.format(600)))


def test_what_could_not_be_placed_takes_no_room() -> None:
    disks = brokers(["a", "b", "c"], Counter({1: 2}), free=60)
    with pytest.raises(NoRoom):
        place("t", [Partition(0, 1, (1,), (1,), sizes=(40,)), Partition(1, 1, (1,), (1,), sizes=(40,))], 3, disks)
    assert len(place("u", [Partition(0, 1, (1,), (1,), sizes=(50,))], 3, disks)) == 1


def test_new_replicas_go_to_racks_that_have_none() -> None:
    (move,) = place("t", [Partition(0, 1, (1,), (1,))], 2, brokers(["a", "a", "b"]))
    assert move.new == (1, 3)


SEVEN = """
kafka 4.3
brokers 1 2 3 4
broker * unclean.leader.election.enable=true auto.leader.rebalance.enable=false offsets.topic.replication.factor=1
quorum leader=101 voters=101,102,103
features metadata.version=29/29 kraft.version=1/1
topic orders
0: leader 1 replicas 1 isr 1 sizes 1000000000
topic pay min.insync.replicas=3
0: leader 2 replicas 2,3,4 isr 2,3,4 sizes 1000,1000,1000
topic short retention.ms=1 segment.ms=10
0: leader 2 replicas 2,3,4 isr 2,3,4 sizes 1000,1000,1000
"""


def test_restarts_are_counted_in_nodes() -> None:
    step = step_of(plan(SEVEN), "broker-files")
    assert step.restarts[:4] == ("broker 1", "broker 2", "broker 3", "broker 4")
    assert step.restarts[4:] == ("controller 102", "controller 103", "active controller 101")
    assert step.cost.restarts == 7
    racks = step_of(plan(SEVEN, "1-rack"), "racks")
    assert (racks.restarts, racks.cost.restarts) == (("broker 1", "broker 2", "broker 3", "broker 4"), 4)


@pytest.mark.parametrize("text", [BROKEN, SEVEN])
@pytest.mark.parametrize("goal", ["1-broker", "1-rack"])
def test_no_step_undoes_another(text: str, goal: str) -> None:
    assert contradictions(plan(text, goal)) == []


AIMED_KEYS = sorted({aim.key for rule in RULES if (aim := parse_aim(rule.aim)).what in (SET, REMOVE) and aim.key})


@given(st.lists(st.tuples(st.sampled_from("*12"), st.sampled_from(AIMED_KEYS), st.sampled_from(["0", "1", "true", "false", "900000"]))))  # fmt: skip
@settings(max_examples=30 * MORE)
def test_no_step_of_any_settings_undoes_another(drawn: list[tuple[str, str, str]]) -> None:
    rows = {(id, key): f"broker {id} {key}={value}" for id, key, value in drawn}
    topics = {key: f"{key}={value}" for _, key, value in drawn if lookup("topic", (4, 3), key)}
    text = "\n".join(["kafka 4.3", "brokers 1 2 3", *rows.values(), " ".join(["topic orders", *topics.values()])])
    assert contradictions(plan(f"{text}\n0: leader 1 replicas 1,2,3 isr 1,2,3")) == []


def contradictions(made: AdvicePlan) -> list[tuple[str, str, str]]:
    """What a plan sets and removes, or sets to two values, at one level of one subject."""
    values: dict[tuple[str, str, str], set[str | None]] = {}
    for change in (change for step in made.steps for change in step.changes if isinstance(change, ConfigChange)):
        for key, value in change.settings:
            values.setdefault((change.scope, change.name, key), set()).add(value)
    return [place for place, wanted in values.items() if len(wanted) > 1]


def test_failures_are_named_as_operators_name_them() -> None:
    assert (
        "after a replica that falls behind, then 2 power losses (now after 3 power losses)"
        in step_of(plan(SEVEN), "min-isr-below-replicas").risk
    )


def test_many_files_are_judged_before_and_behind_the_plan_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        text = f"broker.id={number}\nzookeeper.connect=z:2181\nunclean.leader.election.enable=true\noffsets.topic.replication.factor=1\n"
        (tmp_path / f"b{number}.properties").write_text(text)
    one_by_one = run("advise", tmp_path, "--no-config", "--format", "json").json
    monkeypatch.setattr("advisor.analysis.advice.files.plan.MOST_JUDGED", 6 * 6 - 1)
    together = run("advise", tmp_path, "--no-config", "--format", "json").json
    assert [step["id"] for step in together["steps"]] == [step["id"] for step in one_by_one["steps"]]
    between = rows_of(one_by_one, "adds")
    assert rows_of(together, "removes") == rows_of(one_by_one, "removes") - between
    assert between and not rows_of(together, "adds")


def rows_of(plan: Any, effect: str) -> set[tuple[str, str, str]]:
    """(rule, name, key) of the findings that the steps of a plan remove, or add."""
    return {(row["rule"], row["name"], row["key"]) for step in plan["steps"] for row in step[effect]}
