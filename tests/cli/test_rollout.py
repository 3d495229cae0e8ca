"""`rollout` on the command line: what a side may be, exit codes, formats, and what is never shown."""

from __future__ import annotations

import json
import os
import re
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import write as write_snapshot
from tests.support.commands import ROOT, Ran, run
from tests.support.rollouts import AUTHORIZER, BROKERS, PLAIN, Change, asked, changed, listeners, separate, write

FORMATS = ("text", "json", "markdown", "html", "script")
SWITCHED: Change = {
    "listeners": listeners("PLAINTEXT", "INTERNAL"),
    "advertised.listeners": listeners("PLAINTEXT", "INTERNAL"),
    "inter.broker.listener.name": "INTERNAL",
}
COMMON = "log.dirs=/data controller.quorum.voters=101@c:9093 controller.listener.names=CONTROLLER"
CLUSTER = """kafka 4.3
brokers 1 2 3
broker 1 listeners=PLAINTEXT://b1:9092 {2} {0}
broker 2 listeners=PLAINTEXT://b2:9092 {2} {0}
broker 3 listeners=PLAINTEXT://b3:9092 {2} {0}
{1}
topic t
0: leader 1 replicas 1,2,3 isr 1,2,3
1: leader 2 replicas 2,3,1 isr 2,3,1
quorum leader=101 voters=101
features eligible.leader.replicas.version=1/1
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def of_running(file: str, dynamic: str, new: Change, extra: str = "") -> dict[str, Any]:
    """What `rollout` says of a running cluster whose brokers get the same file with other values."""
    write_snapshot(
        "cluster.json", parse_cluster(CLUSTER.format(file, dynamic, COMMON).rstrip() + f"\n{extra}".rstrip())
    )
    base = {"process.roles": "broker"} | dict(word.split("=", 1) for word in f"{COMMON} {file}".split())
    nodes = {id: {**base, "node.id": str(id), "listeners": f"PLAINTEXT://b{id}:9092"} for id in BROKERS}
    write(Path("new"), changed(nodes, new))
    document: dict[str, Any] = run("rollout", "cluster.json", "new", "--format", "json").json
    return document


CODES = [
    ("safe", {"num.io.threads": "16"}, "passes", 0),
    ("needs passes", SWITCHED, "passes", 1),
    ("needs passes, only stops count", SWITCHED, "stops", 0),
    ("stops", {"listeners": "PLAINTEXT://10.0.0.1:9300"}, "stops", 1),
    ("stops, only losses count", {"listeners": "PLAINTEXT://10.0.0.1:9300"}, "loses", 0),
    ("loses", {"log.dirs": "/new"}, "loses", 1),
    ("unknown", {"num.io.threads": "${IO}"}, "loses", 1),
]


@pytest.mark.parametrize(("change", "fail_on", "code"), [row[1:] for row in CODES], ids=[row[0] for row in CODES])
def test_exit_code(change: Change, fail_on: str, code: int) -> None:
    old = separate()
    assert asked(Path(), old, changed(old, change), "--fail-on", fail_on).code == code


USAGE = {
    "nothing": ((), "name OLD and NEW"),
    "one side": (("old",), "name OLD and NEW"),
    "two clusters": (("old", "new", "--bootstrap-server", "b:9092"), "either --bootstrap-server or OLD"),
    "a side that is not there": (("old", "away"), "away"),
}


@pytest.mark.parametrize("name", USAGE)
def test_wrong_usage_is_one_line(name: str) -> None:
    arguments, words = USAGE[name]
    write(Path("old"), separate())
    ran = run("rollout", *arguments)
    assert ran.code == 2
    assert words in ran.err
    assert "Traceback" not in ran.err


def test_a_snapshot_is_not_rolled_out() -> None:
    write_snapshot("cluster.json", parse_cluster(CLUSTER.format("", "", COMMON)))
    ran = run("rollout", "cluster.json", "cluster.json")
    assert (ran.code, "not a snapshot" in ran.err) == (2, True)


def git(*words: str) -> None:
    identity = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b"}
    committer = {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    subprocess.run(("git", *words), check=True, env={**os.environ, **identity, **committer}, capture_output=True)


def test_a_folder_of_a_commit_against_that_of_the_work_tree() -> None:
    old = separate()
    write(Path("kafka"), old)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "before")
    write(Path("kafka"), changed(old, SWITCHED))
    document = run("rollout", "HEAD:kafka", "kafka", "--format", "json").json
    assert document["verdict"] == "needs_passes"
    first = document["passes"][0]["files"][0]
    assert first["file"] == "kafka/node-1.properties"
    assert "-listeners=PLAINTEXT://10.0.0.1:9001" in first["diff"]


def test_lists_of_files() -> None:
    old = separate()
    new = changed(old, SWITCHED)
    write(Path("old"), old)
    write(Path("new"), new)
    words = [word for id in old for side in ("old", "new") for word in (f"--{side}", f"{side}/node-{id}.properties")]
    assert run("rollout", *words, "--format", "json").json["verdict"] == "needs_passes"


def test_one_file_stands_for_every_node() -> None:
    Path("old.properties").write_text(
        "process.roles=broker\nnode.id=1\nlisteners=PLAINTEXT://b1:9092\nlog.dirs=/data\n"
    )
    Path("new.properties").write_text("process.roles=broker\nnode.id=1\nlisteners=PLAINTEXT://b1:9092\nlog.dirs=/new\n")
    document = run("rollout", "old.properties", "new.properties", "--format", "json").json
    assert document["verdict"] == "loses_data"
    assert len(document["steps"]) == 3
    assert any("one configuration stands for every broker" in row["reason"] for row in document["unknown"])


def test_a_node_without_a_new_file_is_unknown() -> None:
    old = separate()
    new = changed(old, {"num.io.threads": "16"})
    del new[3]
    document = asked(Path(), old, new, "--format", "json").json
    assert document["verdict"] == "unknown"
    assert "its new file is not here" in document["unknown"][0]["reason"]


def test_a_thread_count_lets_all_dynamic_values_go() -> None:
    dynamic = "cluster-wide log.retention.ms=1209600000 num.io.threads=3 min.insync.replicas=2"
    document = of_running("num.io.threads=2", dynamic, {"num.io.threads": "8"})
    assert document["verdict"] == "loses_data"
    assert of_running("num.io.threads=2", dynamic, {"num.io.threads": "4"})["verdict"] == "no_effect"


def test_a_dynamic_value_stands_above_the_file() -> None:
    document = of_running("log.retention.ms=1000", "cluster-wide log.retention.ms=5000", {"log.retention.ms": "9000"})
    assert document["verdict"] == "no_effect"
    assert "stands above the file" in document["changes"][0]["why"]


def test_partitions_of_the_running_cluster_count() -> None:
    document = of_running(
        "", "", {"queued.max.requests": "100"}, "topic s min.insync.replicas=2\n0: leader 1 replicas 1,2 isr 1,2"
    )
    assert document["verdict"] == "unavailable_during"
    assert document["steps"][0]["refused"] == ["s-0"]
    assert document["steps"][2]["refused"] == []


GUARDED = f"authorizer.class.name={AUTHORIZER} super.users=hidden"
LEFT_OUT: Change = {"super.users": "User:admin"}
HIDDEN_RIGHTS: dict[str, tuple[Change, str, str]] = {
    "brokers among the super users": ({"super.users": "User:admin;User:ANONYMOUS"}, "", "safe"),
    "brokers left out": (LEFT_OUT, "", "unavailable_during"),
    "brokers left out, and allowed by an ACL": (LEFT_OUT, "acl User:ANONYMOUS cluster kafka-cluster CLUSTER_ACTION", "safe"),
    "another key as well": ({"super.users": "User:ANONYMOUS", "num.io.threads": "16"}, "", "safe"),
}  # fmt: skip


@pytest.mark.parametrize("name", HIDDEN_RIGHTS)
def test_super_users_that_a_running_cluster_hides(name: str) -> None:
    change, acl, verdict = HIDDEN_RIGHTS[name]
    assert of_running(GUARDED, "", change, acl)["verdict"] == verdict


def on_disks(partitions: int, free: int) -> str:
    """Three brokers with two directories each; as many replicas in the second one, and as many bytes free."""
    rows = [
        f"logdir {id} {path} total=9000000 free={free} partitions={count}"
        for id in BROKERS
        for path, count in (("/data", 1), ("/more", partitions))
    ]
    return "\n".join(["topic s", "0: leader 1 replicas 1,2,3 isr 1,2,3 sizes 4000000,4000000,4000000", *rows])


DISKS = {
    "an empty one goes": (0, 10, "/data", "safe", "no replica lies in the directories that go", ""),
    "one with replicas": (2, 6_000_000, "/data", "loses_data", "each node copies up to 3 MB over the network", ""),
    "too little room": (2, 10, "/data", "loses_data", "each node copies up to 4 MB over the network", "whether what goes fits: up to 4 MB are copied to /data, with 10 bytes free"),
    "a new one in its place": (2, 10, "/data,/new", "refuses_to_start", "each node copies up to 4 MB over the network", "whether /new has room for up to 4 MB of replicas"),
    "one is added": (2, 10, "/data,/more,/new", "refuses_to_start", "", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", DISKS)
def test_directories_of_a_running_cluster(name: str) -> None:
    partitions, free, directories, verdict, remark, unknown = DISKS[name]
    file = "log.dirs=/data,/more"
    document = of_running(file, "", {"log.dirs": directories}, on_disks(partitions, free))
    (row,) = [row for row in document["changes"] if row["key"] == "log.dirs"]
    assert (document["verdict"], row["remark"] or "") == (verdict, remark)
    assert unknown in str([row["reason"] for row in document["unknown"]])


def test_topics_that_no_acl_is_about() -> None:
    file = f"authorizer.class.name={AUTHORIZER} allow.everyone.if.no.acl.found=true super.users=User:ANONYMOUS"
    document = of_running(file, "", {"allow.everyone.if.no.acl.found": None}, "topic s\nacl User:a topic s READ")
    assert document["verdict"] == "unknown"
    assert "which clients use t: no ACL is about them" in str(document["unknown"])


def test_partitions_that_are_alike_are_all_named() -> None:
    document = of_running("", "", {"queued.max.requests": "100"}, "topic s\n0-2: leader 1 replicas 1,2,3 isr 1,2,3")
    assert {"t-0", "s-0", "s-1", "s-2"} <= document["steps"][0]["isr"].keys()


@pytest.mark.parametrize("format", FORMATS)
def test_no_format_shows_a_secret(format: str) -> None:
    old = separate()
    sasl: Change = {
        **SWITCHED,
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,INTERNAL:SASL_PLAINTEXT",
        "sasl.enabled.mechanisms": "PLAIN",
        "sasl.mechanism.inter.broker.protocol": "PLAIN",
        "listener.name.internal.plain.sasl.jaas.config": PLAIN,
        "ssl.keystore.password": "canary",
    }
    ran = asked(Path(), old, changed(old, sasl), "--format", format)
    assert "canary" not in ran.out + ran.err
    assert "INTERNAL" in ran.out
    if format == "json":
        lines = [line for each in ran.json["passes"] for file in each["files"] for line in file["diff"]]
        assert "+listener.name.internal.plain.sasl.jaas.config=<the value that the new file has>" in lines


def played(script: str, answers: str) -> Ran:
    """A script's questions, with tools that find every replica in sync."""
    tools = Path("tools")
    tools.mkdir(exist_ok=True)
    for tool in ("kafka-topics.sh", "kafka-metadata-quorum.sh", "kafka-configs.sh", "kafka-features.sh"):
        (tools / tool).write_text('#!/bin/sh\necho "$0 $*" >> log\nprintf "NodeId Lag Status\\n1 0 Leader\\n"\n')
        (tools / tool).chmod(0o755)
    (tools / "kafka-topics.sh").write_text("#!/bin/sh\n")
    environment = {**os.environ, "PATH": f"{tools.resolve()}:{os.environ['PATH']}", "BOOTSTRAP": "b:9092"}
    done = subprocess.run(
        ["sh", "-c", script], input=answers, capture_output=True, text=True, env=environment, check=False, timeout=60
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def test_the_script_asks_before_each_node_and_ends_where_it_is_told_no() -> None:
    old = separate()
    script = asked(Path(), old, changed(old, SWITCHED), "--format", "script").out
    done = played(script, "y\n" * 8)
    assert done.code == 0, done.err
    assert re.findall(r"Stop node (\d)", done.err) == ["1", "2", "3", "1", "2", "3"]
    stopped = played(script, "y\ny\nn\n")
    assert stopped.code == 1
    assert "stopped at: node 2" in stopped.err


def test_the_script_of_what_loses_records_waits_for_each_node() -> None:
    old = separate()
    script = asked(Path(), old, changed(old, {"log.dirs": lambda id: f"/new/{id}"}), "--format", "script").out
    assert "format /new/1" in script
    assert script.count("&& in_sync") == 3


def test_the_script_of_what_no_sequence_survives_does_nothing() -> None:
    old = separate()
    script = asked(Path(), old, changed(old, {"node.id": "11"}, (1,)), "--format", "script").out
    assert played(script, "").code == 1


def test_why_a_node_does_not_start_is_said_once_a_step() -> None:
    old = separate()
    out = asked(Path(), old, changed(old, {"num.io.threads": "-3"}), "--format", "text").out
    steps = out.partition("What serves at each step:")[2].partition("\n\n")[0]
    assert "1: does not start; " in steps and "       num.io.threads: -3: must be at least 1\n" in steps
    assert "does not start: " in out and "does not start: " not in steps


STORIES = re.findall(
    r"^\$ kafka-advisor (rollout examples.*)\n((?:.*\n)*?)```$", (ROOT / "docs/rollout.md").read_text(), re.MULTILINE
)


@pytest.mark.parametrize("number", range(3))
def test_the_stories_of_the_manual_are_what_is_said(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    arguments, shown = STORIES[number]
    assert run(*arguments.split()).out == shown


@pytest.mark.parametrize("story", ["tls-between-brokers", "moved-directories", "one-to-three-voters"])
def test_what_is_formatted_for_people_says_the_same(story: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples/rollouts" / story)
    texts = {name: run("rollout", "old", "new", "--kafka-version", "4.3", "--format", name).out for name in FORMATS}
    for title in (each["title"] for each in json.loads(texts["json"])["passes"]):
        assert all(title in unescape(texts[name]).replace("\\", "") for name in ("text", "markdown", "html", "script"))
    assert 'class="timeline"' in texts["html"]


def test_what_nothing_reads_is_no_command_either() -> None:
    """Every replica of a partition is needed at a restart, and there is nothing to restart for."""
    document = of_running("", "", {"num.io.thread": "100"}, "topic s\n0: leader 1 replicas 1 isr 1")
    assert document["verdict"] == "no_effect"


CONCERNED: dict[str, tuple[Change, str]] = {
    "a listener of brokers": (
        {
            "listeners": listeners("PLAINTEXT", "INTERNAL"),
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,INTERNAL:SASL_PLAINTEXT",
            "sasl.enabled.mechanisms": "PLAIN",
            "listener.name.internal.plain.sasl.jaas.config": PLAIN,
        },
        "safe",
    ),
    "the controllers' protocol": (
        {"listener.security.protocol.map": "CONTROLLER:SASL_PLAINTEXT,PLAINTEXT:PLAINTEXT"},
        "unknown",
    ),
}


@pytest.mark.parametrize("name", CONCERNED)
def test_controllers_without_a_file_have_a_part_in_what_is_of_their_listeners(name: str) -> None:
    """Files of brokers alone: their voters are known by controller.quorum.voters."""
    change, verdict = CONCERNED[name]
    old = {id: keys for id, keys in separate().items() if id in BROKERS}
    document = asked(Path(), old, changed(old, change), "--kafka-version", "4.3", "--format", "json").json
    assert document["verdict"] == verdict, document["unknown"]


def of_two_replicas(value: str) -> Change:
    return {"default.replication.factor": "2", "min.insync.replicas": value}


def test_partitions_have_the_replicas_that_the_files_give_topics() -> None:
    old = changed(separate(), of_two_replicas("1"))
    document = asked(
        Path(), old, changed(old, {"min.insync.replicas": "2"}), "--kafka-version", "3.9", "--format", "json"
    ).json
    assert document["verdict"] == "unavailable_during"
    assert [row["commands"] for row in document["changes"]] == [[]]


SCRAM: Change = {
    "inter.broker.listener.name": "SECURE",
    "listeners": lambda id: f"SECURE://10.0.0.{id}:{9000 + id}",
    "advertised.listeners": lambda id: f"SECURE://10.0.0.{id}:{9000 + id}",
    "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,SECURE:SASL_PLAINTEXT",
    "sasl.enabled.mechanisms": "PLAIN",
    "sasl.mechanism.inter.broker.protocol": "PLAIN",
    "listener.name.secure.plain.sasl.jaas.config": PLAIN,
    "listener.name.secure.scram-sha-512.sasl.jaas.config": PLAIN.replace("plain.Plain", "scram.Scram"),
}


def test_the_credential_comes_before_the_login() -> None:
    old = changed(separate(), SCRAM)
    new = changed(
        old,
        {"sasl.enabled.mechanisms": "SCRAM-SHA-512", "sasl.mechanism.inter.broker.protocol": "SCRAM-SHA-512"},
    )
    document = asked(Path(), old, new, "--format", "json").json
    firsts = [any("SCRAM-SHA-512=[password" in text for text in each["before"]) for each in document["passes"]]
    assert firsts == [False, True, False]
    assert any("SCRAM-SHA-512 credential" in row["reason"] for row in document["unknown"])


def test_a_pass_moves_no_line_that_it_does_not_change() -> None:
    plain = "listeners=PLAINTEXT://:9092,CONTROLLER://:9093\nadvertised.listeners=PLAINTEXT://h{0}:9092\n"
    login = "listener.name.sasl_plaintext.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username=b password=hunter2;\n"
    scram = (
        plain.replace("PLAINTEXT", "SASL_PLAINTEXT") + "security.inter.broker.protocol=SASL_PLAINTEXT\n"
        "sasl.enabled.mechanisms=SCRAM-SHA-512\nsasl.mechanism.inter.broker.protocol=SCRAM-SHA-512\n" + login
        + "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT\n"
    )  # fmt: skip
    node = (
        "process.roles=broker,controller\nnode.id={0}\ncontroller.quorum.voters=1@h1:9093,2@h2:9093,3@h3:9093\n"
        "controller.listener.names=CONTROLLER\nlog.dirs=/data\n"
    )
    for side, text in (("old", plain), ("new", scram)):
        Path(side).mkdir()
        for number in (1, 2, 3):
            Path(side, f"b{number}.properties").write_text((node + text).format(number))
    ran = run("rollout", "old", "new", "--format", "json")
    assert "hunter2" not in ran.out
    diffs = [file["diff"] for each in ran.json["passes"] for file in each["files"]]
    assert len(diffs) == 5 * 3
    for lines in diffs:
        removed, added = ({line[1:] for line in lines if line[:1] == mark and line[1:2] != mark} for mark in "-+")
        assert not removed & added


NODE = """\
process.roles=broker,controller
node.id={0}
controller.quorum.voters=1@h1:9093,2@h2:9093,3@h3:9093
controller.listener.names=CONTROLLER
listeners=SASL_SSL://h{0}:9092,CONTROLLER://h{0}:9093
listener.security.protocol.map=SASL_SSL:SASL_SSL,CONTROLLER:SSL
inter.broker.listener.name=SASL_SSL
"""
OF_PLAIN = """\
sasl.enabled.mechanisms=PLAIN
sasl.mechanism.inter.broker.protocol=PLAIN
listener.name.sasl_ssl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username=b password=hunter2 user_b=hunter2;
"""
OF_SCRAM = """\
sasl.enabled.mechanisms=SCRAM-SHA-512
sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username=b password=hunter2;
"""


@pytest.mark.parametrize("behind", ["", "\n# storage\nlog.dirs=/data\nmin.insync.replicas=2\n"])
def test_a_mechanism_is_added_where_the_new_file_has_it(behind: str) -> None:
    for side, text in (("old", OF_PLAIN), ("new", OF_SCRAM)):
        Path(side).mkdir()
        for number in (1, 2, 3):
            Path(side, f"b{number}.properties").write_text((NODE + text + behind).format(number))
    passes = run("rollout", "old", "new", "--format", "json").json["passes"]
    changed_keys = [
        [line.partition("=")[0] for line in each["files"][0]["diff"] if line[:1] in "-+" and line[1:2] not in "-+"]
        for each in passes
    ]
    enabled, mechanism = "sasl.enabled.mechanisms", "sasl.mechanism.inter.broker.protocol"
    login = "listener.name.sasl_ssl.{}.sasl.jaas.config"
    assert changed_keys == [
        [f"-{enabled}", f"+{enabled}", f"+{login.format('scram-sha-512')}"],
        [f"-{mechanism}", f"+{mechanism}"],
        [f"-{enabled}", f"+{enabled}", f"-{login.format('plain')}"],
    ]
