"""`kafka-advisor advise`: every format, a script that runs in a POSIX shell, files and their diffs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from advisor.analysis.advice.step import PlanStep
from advisor.reports.advice.script import step_lines
from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import write
from tests.support.broken_cluster import BROKEN
from tests.support.commands import ROOT, run
from tests.support.hostile_text import HOSTILE

FORMATS = ("text", "json", "markdown", "html", "script")
SCHEMA = Draft202012Validator(json.loads((ROOT / "advisor/reports/advice/advice.schema.json").read_text()))
TOOLS = ("kafka-configs.sh", "kafka-reassign-partitions.sh", "kafka-topics.sh", "kafka-metadata-quorum.sh")
LAGS = (
    "[2026-11-25 00:23:53,124] INFO client.id = Leader\\nNodeId\\tDirectoryId\\tLogEndOffset\\tLag\\tLastFetchTimestamp\\tLastCaughtUpTimestamp\\tStatus  \\t\\n"
    "1\\tAAAA\\t90\\t0\\t1\\t1\\tLeader  \\t\\n2\\tBBBB\\t90\\t{}\\t1\\t1\\tFollower\\t\\n3\\tCCCC\\t0\\t90\\t1\\t1\\tObserver\\t\\n"
)
"""What kafka-metadata-quorum.sh prints, behind a line of a logger that writes to standard output."""
EXAMPLE = ROOT / "examples/cluster.json"
RESTARTED = ["broker 1", "broker 2", "broker 3", "active controller 101"]
FILE = "process.roles=broker\nnode.id=1\nunclean.leader.election.enable=true\nmin.insync.replicas=1\n"


@pytest.fixture
def cluster(tmp_path: Path) -> Path:
    write(str(tmp_path / "cluster.json.gz"), parse_cluster(BROKEN))
    return tmp_path / "cluster.json.gz"


@pytest.mark.parametrize("goal", ["survive=1-broker", "survive=1-rack"])
def test_the_document_holds_to_its_schema(cluster: Path, goal: str) -> None:
    ran = run("advise", cluster, "--goal", goal, "--format", "json")
    assert ran.code == 1
    SCHEMA.validate(ran.json)
    assert ran.json["findings"]["after"] < ran.json["findings"]["before"]


def test_steps_are_numbered_with_their_cost_and_risk(cluster: Path) -> None:
    lines = run("advise", cluster).out.splitlines()
    assert lines[0] == "cluster example: 6 steps towards surviving the loss of 1 broker"
    assert "2. Add replicas to internal topics" in lines
    assert "   cost:   23 GB to copy, about 6 minutes at the throttle" in lines
    assert "   after:  step 2" in lines
    assert any(line.startswith("   risk:   the replicas are copied over the clients' network") for line in lines)


def test_a_lower_throttle_takes_longer(cluster: Path) -> None:
    assert "about 30 minutes at the throttle" in run("advise", cluster, "--throttle", "10").out


@pytest.mark.parametrize("arguments", [(), ("--goal", "survive=2-brokers"), ("--throttle", "0"), ("--assume", "x=1")])
def test_wrong_usage_is_one_line(cluster: Path, arguments: tuple[str, ...]) -> None:
    ran = run("advise", *((cluster, *arguments) if arguments else ()))
    assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_a_file_is_changed_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "server.properties"
    file.write_text(FILE)
    ran = run("advise", file)
    assert ran.code == 1
    assert "-unclean.leader.election.enable=true" in ran.out
    assert "+default.replication.factor=3" in ran.out
    assert "Bring topics that exist to three replicas" in ran.out
    assert file.read_text() == FILE
    SCHEMA.validate(run("advise", file, "--format", "json").json)
    refused = run("advise", file, "--format", "script")
    assert (refused.code, refused.err.count("\n")) == (2, 1)


def test_yaml_is_changed_in_its_own_spelling(tmp_path: Path) -> None:
    (tmp_path / "compose.yml").write_text(
        "services:\n  broker:\n    image: apache/kafka:4.0.0\n    environment:\n"
        '      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: "true"\n'
    )
    out = run("advise", tmp_path / "compose.yml").out
    assert '   edit:   -      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: "true"' in out


def script(cluster: Path, folder: Path) -> Path:
    """The script, and tools on the PATH that write down how they were called."""
    (folder / "plan.sh").write_text(run("advise", cluster, "--format", "script").out)
    for tool in TOOLS:
        (folder / tool).write_text(f'#!/bin/sh\nprintf "%s|" {tool} "$@" >> {folder}/calls\necho >> {folder}/calls\n')
        (folder / tool).chmod(0o755)
    with (folder / TOOLS[3]).open("a") as quorum:
        quorum.write(f"printf '{LAGS.format(0)}'\n")
    return folder / "plan.sh"


def play(plan: Path, answers: str, *arguments: str) -> list[list[str]]:
    """The calls of tools when the script is played with these answers."""
    environment = {"BOOTSTRAP": "b1:9092", "PATH": f"{plan.parent}:{os.environ['PATH']}"}
    played = subprocess.run(
        ["sh", str(plan), *arguments], input=answers, env=environment, capture_output=True, text=True, check=False
    )
    assert played.returncode == 0, played.stderr
    calls = plan.parent / "calls"
    rows = [line.rstrip("|").split("|") for line in calls.read_text().splitlines()] if calls.exists() else []
    calls.unlink(missing_ok=True)
    return rows


def test_the_script_asks_before_each_change(cluster: Path, tmp_path: Path) -> None:
    plan = script(cluster, tmp_path)
    assert not changes(play(plan, "n\n" * 20))
    looked = play(plan, "", "--verify")
    assert not changes(looked)
    assert all("--preserve-throttles" in call for call in looked if "--verify" in call)
    changed = changes(play(plan, "y\n" * 20))
    assert [call[0] for call in changed] == [TOOLS[0], TOOLS[0], TOOLS[1], TOOLS[1], TOOLS[0]]
    assert changed[0][1:3] == ["--bootstrap-server", "b1:9092"]
    assert "unclean.leader.election.enable=false" in changed[0]


def changes(calls: list[list[str]]) -> list[list[str]]:
    """The calls that change something."""
    return [call for call in calls if {"--alter", "--execute"} & set(call)]


def test_what_needs_a_step_that_was_declined_is_left_out(cluster: Path, tmp_path: Path) -> None:
    plan = script(cluster, tmp_path)
    before = plan.read_text().partition("# 2. ")[0].partition("exit 0")[2].count("ask '")
    without_internal_replicas = changes(play(plan, "y\n" * before + "n\n" + "y\n" * 20))
    assert not any("min.insync.replicas=2" in call for call in without_internal_replicas)
    assert not any("internal-replicas.json" in call for call in without_internal_replicas)


def test_each_node_is_restarted_by_name_and_waited_for(tmp_path: Path) -> None:
    plan = script(EXAMPLE, tmp_path)
    text = plan.read_text()
    asked = [line for line in text.splitlines() if "restart" in line and "Is it running again?" in line]
    assert [line.partition("restart ")[2].partition(" now.")[0] for line in asked] == RESTARTED
    assert all("in_sync" in line for line in asked) and sum("caught_up" in line for line in asked) == 1
    calls = play(plan, "y\n" * 40)
    assert sum(call[0] == TOOLS[3] for call in calls) == 1
    assert text.count("in the file of every node: remove offsets.topic.replication.factor, remove") == 1


def test_every_act_is_one_question_under_the_number_of_the_plan(tmp_path: Path) -> None:
    steps = {line for line in run("advise", EXAMPLE).out.splitlines() if re.match(r"\d+\. ", line)}
    text = run("advise", EXAMPLE, "--format", "script").out
    assert {line.removeprefix("# ") for line in text.splitlines() if re.match(r"# \d+\. ", line)} == steps
    asked = re.findall(r"ask 'Step (\d+)(?:, by hand)?: (.*?)'(?: |;|$)", text, re.MULTILINE)
    acts = [number for number, question in asked if "Is it running again?" not in question]
    assert acts == [str(number) for number in range(1, len(steps) + 1)], "one for each step, beside its restarts"


def test_racks_are_set_with_a_restart_and_a_wait_for_each_broker(cluster: Path) -> None:
    text = run("advise", cluster, "--goal", "survive=1-rack", "--format", "script").out
    racks = text.partition("Set broker.rack on every broker")[2].partition("\n# 3. ")[0]
    assert racks.count("set broker.rack in the file of brokers 1, 2, 3. Is it done?") == 1
    assert re.findall(r"restart (broker \d) now.*?&& (in_sync) ", racks) == [
        (f"broker {id}", "in_sync") for id in (1, 2, 3)
    ]


def test_acts_that_follow_each_other_are_asked_one_by_one() -> None:
    step = PlanStep("security", "Secure", "why", by_hand=("add a listener.", "deploy the clients"), in_order=True)
    lines = [line for line in step_lines(2, step, [], 1) if "ask" in line]
    assert [line.partition("ask ")[2] for line in lines] == [
        "'Step 2, by hand: add a listener. Is it done?' && in_sync || ok=n; fi",
        "'Step 2, by hand: deploy the clients. Is it done?' && in_sync || ok=n; fi",
    ]


def test_what_only_looks_looks_once_at_the_same(cluster: Path) -> None:
    looked = run("advise", cluster, "--format", "script").out.partition("exit 0")[0].splitlines()
    commands = [line for line in looked if line.endswith("|| true")]
    assert len(commands) == len(set(commands)) > 2


@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_shells_parse_the_script(cluster: Path, shell: str) -> None:
    for goal in ("survive=1-broker", "survive=1-rack"):
        text = run("advise", cluster, "--goal", goal, "--format", "script").out
        subprocess.run([shell, "-n"], input=text, text=True, check=True)


def test_after_a_voter_that_stays_behind_nothing_else_is_restarted(tmp_path: Path) -> None:
    plan = script(EXAMPLE, tmp_path)
    plan.write_text(plan.read_text().replace("sleep 10", "sleep 0"))
    (tmp_path / TOOLS[3]).write_text(f"#!/bin/sh\nprintf '{LAGS.format(5000)}'\n")
    assert not any("min.insync.replicas=2" in call for call in changes(play(plan, "y\n" * 40)))


def test_nothing_is_changed_while_replicas_are_out_of_sync(cluster: Path, tmp_path: Path) -> None:
    plan = script(cluster, tmp_path)
    (tmp_path / TOOLS[2]).write_text("#!/bin/sh\necho 'Topic: a Partition: 0 Leader: 1 Replicas: 1,2 Isr: 1'\n")
    assert not changes(play(plan, "y\n" * 20))


def test_the_script_waits_until_a_reassignment_is_over(cluster: Path, tmp_path: Path) -> None:
    plan = script(cluster, tmp_path)
    plan.write_text(plan.read_text().replace("sleep 10", "sleep 0"))
    tool = tmp_path / TOOLS[1]
    log = tool.read_text().removeprefix("#!/bin/sh\n")
    tool.write_text(
        f'#!/bin/sh\n{log}case "$*" in *--verify*) [ -e {tmp_path}/over ] || '
        f"echo 'Reassignment of partition a-0 is still in progress'; touch {tmp_path}/over ;; esac\n"
    )
    verified = [call for call in play(plan, "y\n" * 20) if "--verify" in call]
    assert len(verified) == 3


def test_the_step_of_a_cluster_that_is_down_is_asked_for(tmp_path: Path) -> None:
    down = "kafka 4.3\nbrokers 1 2 !3\nquorum leader=9 voters=9,8,7\ntopic a\n0: leader 1 replicas 1,2,3 isr 1,2\n"
    write(str(tmp_path / "down.json.gz"), parse_cluster(down + "topic b\n0: leader none replicas 3 isr 3"))
    text = run("advise", tmp_path / "down.json.gz", "--format", "script").out
    assert "start broker 3 with its old disks" in text
    assert "if ready" not in text.partition("# 1. ")[2]
    assert "--election-type" not in text
    assert ".. Is it done" not in text


def test_a_reassignment_that_cannot_be_verified_keeps_its_file(cluster: Path, tmp_path: Path) -> None:
    plan = script(cluster, tmp_path)
    plan.write_text(plan.read_text().replace("sleep 10", "sleep 0"))
    tool = tmp_path / TOOLS[1]
    tool.write_text('#!/bin/sh\ncase "$*" in *--verify*) echo TimeoutException; exit 1 ;; esac\n')
    environment = {"BOOTSTRAP": "b1:9092", "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    played = subprocess.run(
        ["sh", str(plan)], input="y\n" * 20, env=environment, capture_output=True, text=True, check=False
    )
    assert played.returncode == 1
    assert "run kafka-reassign-partitions.sh --verify again" in played.stderr
    folder = Path(played.stderr.split("its files are in ")[1].split()[0])
    assert (folder / "internal-replicas.json").exists()
    shutil.rmtree(folder)


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_names_are_harmless_or_refused(tmp_path: Path, name: str) -> None:
    snapshot = parse_cluster(BROKEN)
    for entity in snapshot.entities:
        entity.name = name if entity.name == "orders" else entity.name
    write(str(tmp_path / "c.json"), snapshot)
    files = {format: tmp_path / f"plan.{format}" for format in FORMATS}
    ran = run("advise", tmp_path / "c.json", *(f"--format={format}={file}" for format, file in files.items()))
    assert ran.code in (1, 2)
    assert ran.code == 1 or "control characters" in ran.err
    for format, file in files.items():
        out = file.read_text() if ran.code == 1 else ""
        assert not any(character in out for character in "\x00\x07\x1b\x7f\x9b\u202e\u2066"), format
        assert format != "html" or not any(tag in out for tag in ("<script>a", "<img"))
    if ran.code == 1:
        subprocess.run(["sh", "-n", str(files["script"])], check=True)


def test_a_key_that_stands_twice_is_removed_from_both_lines(tmp_path: Path) -> None:
    file = tmp_path / "server.properties"
    file.write_text("process.roles=broker\nunclean.leader.election.enable=true\nunclean.leader.election.enable=true\n")
    out = run("advise", file).out
    assert out.count("-unclean.leader.election.enable=true") == 2


def test_a_declined_restart_holds_back_what_counts_for_new_topics(cluster: Path) -> None:
    (step,) = [step for step in run("advise", cluster, "--format", "json").json["steps"] if step["id"] == "min-isr"]
    assert "broker-files" in step["needs"]


TOPICS = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {name: orders}
spec:
  replicas: 3
  config:
    min.insync.replicas: 2
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {name: audit}
spec:
  replicas: REPLICAS
  config:
    unclean.leader.election.enable: true
    # kafka-advisor: ignore[KA151] records that can be made again
    min.insync.replicas: 1
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {name: payments}
spec:
  replicas: REPLICAS
  config:
    min.insync.replicas: 1
"""


def test_a_comment_counts_for_a_topic_that_is_not_the_first_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "topics.yaml").write_text(TOPICS.replace("REPLICAS", "3"))
    diff = run("advise", tmp_path / "topics.yaml", "--format", "diff").out
    changed = [line for line in diff.splitlines() if line[:1] in "+-" and line[:2] not in ("++", "--")]
    assert changed == [
        "-    unclean.leader.election.enable: true",
        "-    min.insync.replicas: 1",
        "+    min.insync.replicas: 2",
    ]


@pytest.mark.parametrize(
    ("replicas", "is_said"), [("replicas: 3", False), ("partitions: 6", False), ("replicas: 1", False)]
)
def test_topics_that_state_three_replicas_are_not_brought_to_them(tmp_path: Path, replicas: str, is_said: bool) -> None:
    (tmp_path / "topics.yaml").write_text(TOPICS.replace("replicas: REPLICAS", replicas))
    assert ("Bring topics that exist to three replicas" in run("advise", tmp_path / "topics.yaml").out) is is_said
