"""`kafka-advisor advise` on files: lines in each format's own spelling, diffs that do what they promise, nothing unsafe."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from advisor.edits.change import FileChange, Sibling
from advisor.edits.editor import is_edited, splices_of
from advisor.edits.text import FileText, read_text
from tests.support.commands import ROOT, run

SAMPLES = sorted((ROOT / "examples/inputs").iterdir())
CORPUS = ROOT.parent / "shared/corpus"
COMPOSE = """\
services:
  one:
    image: apache/kafka:4.0.0
    environment:
      KAFKA_NODE_ID: 1
      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: "true"
      KAFKA_PROCESS_ROLES: broker
  two:
    image: apache/kafka:4.0.0
    environment:
      - KAFKA_NODE_ID=2
      - KAFKA_PROCESS_ROLES=broker
  three:
    image: apache/kafka:4.0.0
    environment:
      - "KAFKA_NODE_ID=3"
      - "KAFKA_PROCESS_ROLES=broker"
"""
STRIMZI = """\
apiVersion: kafka.strimzi.io/v1beta2
kind: Kafka
metadata:
  name: events
spec:
  kafka:
    version: 3.9.0
    replicas: {replicas}
    listeners:
      - name: plain
        port: 9092
        type: internal
        tls: true
    config:
      offsets.topic.replication.factor: 1
      default.replication.factor: 1
    storage:
      type: persistent-claim
      size: 100Gi
  zookeeper:
    replicas: 3
    storage:
      type: persistent-claim
      size: 10Gi
"""


def plan(*files: Path) -> dict[str, Any]:
    """The plan for files as JSON; one without steps where nothing in them is judged."""
    ran = run("advise", "--no-config", *files, "--format", "json")
    assert ran.code in (0, 1, 3), ran.err
    return ran.json if ran.code != 3 else {"steps": [], "findings": {"before": 0, "after": 0}}


def patched(made: dict[str, Any], file: Path) -> None:
    """Carry out the diffs of a plan with patch."""
    for step in made["steps"]:
        if step["id"] == f"file:{file}":
            (file.parent / "plan.diff").write_bytes("".join(f"{line}\n" for line in step["how"]["diff"]).encode())
            command = ["patch", "--binary", str(file), str(file.parent / "plan.diff")]
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_a_diff_removes_what_it_promises(sample: Path, tmp_path: Path) -> None:
    assert keeps_its_promise(Path(shutil.copy(sample, tmp_path)))


def keeps_its_promise(file: Path) -> bool:
    """Whether judging again, after the diff of a file's plan, finds what the plan said would be left."""
    made = plan(file)
    patched(made, file)
    return bool(plan(file)["findings"]["before"] == made["findings"]["after"])


def test_the_diffs_of_the_corpus_keep_their_promises(tmp_path: Path) -> None:
    if not CORPUS.exists():
        pytest.skip("the corpus is not beside the project")
    files = [path for path in sorted(CORPUS.rglob("*")) if path.is_file() and path.parent != CORPUS]
    copies = [Path(shutil.copytree(path.parent, tmp_path / str(at))) / path.name for at, path in enumerate(files)]
    assert [copy for copy in copies if not keeps_its_promise(copy)] == []


def test_every_service_gets_its_own_lines_in_its_own_style(tmp_path: Path) -> None:
    file = tmp_path / "compose.yml"
    file.write_text(COMPOSE)
    patched(plan(file), file)
    after = file.read_text()
    assert after.count("KAFKA_DEFAULT_REPLICATION_FACTOR") == 3
    assert "      KAFKA_DEFAULT_REPLICATION_FACTOR: 3\n" in after
    assert "      - KAFKA_DEFAULT_REPLICATION_FACTOR=3\n" in after
    assert '      - "KAFKA_DEFAULT_REPLICATION_FACTOR=3"\n' in after
    assert "UNCLEAN" not in after


def test_each_warning_is_a_line_that_names_its_keys(tmp_path: Path) -> None:
    file = tmp_path / "kafka.yaml"
    file.write_text(STRIMZI.format(replicas=3))
    lines = run("advise", "--no-config", file).out.splitlines()
    risks = [line.partition("risk:")[2].strip() for line in lines if line.startswith("   risk:")]
    assert risks[1] == "restart brokers one by one, each when every replica is in sync again"
    assert len(risks) > 2 and all(line.partition(": ")[0].endswith(("factor", "replicas", "isr")) for line in risks[2:])


def test_a_cluster_of_one_broker_is_not_told_to_require_three(tmp_path: Path) -> None:
    file = tmp_path / "kafka.yaml"
    file.write_text(STRIMZI.format(replicas=1))
    made = plan(file)
    keys = [row["key"] for step in made["steps"] for row in step["change"]]
    assert not [key for key in keys if key.endswith(("replication.factor", "min.isr", "min.insync.replicas"))]
    assert any("three replicas require three brokers, and the cluster has 1" in row for row in made["obstacles"])
    file.write_text(STRIMZI.format(replicas=3))
    enough = plan(file)
    assert not enough["obstacles"]
    patched(enough, file)
    assert "      default.replication.factor: 3\n" in file.read_text()
    assert "      min.insync.replicas: 2\n" in file.read_text()
    assert "offsets.topic.replication.factor" not in file.read_text()


def test_an_obstacle_of_many_files_is_one_line_that_names_the_first(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"k{number}.yaml").write_text(STRIMZI.format(replicas=1))
    rows = [row for row in run("advise", "--no-config", tmp_path).out.splitlines() if "in the way: " in row]
    assert len(rows) == 1 and "k0.yaml" in rows[0] and "k4.yaml" not in rows[0] and "and 2 more" in rows[0]
    assert len(plan(tmp_path)["obstacles"]) == 5


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "server.properties",
            "process.roles=broker,controller\nnode.id=1\ncontroller.quorum.voters=1@localhost:9093\n",
        ),
        (
            "server.properties",
            "process.roles=broker,controller\nnode.id=1\ncontroller.quorum.voters=1@k1:9093,2@k2:9093\n",
        ),
        ("server.properties", "broker.id=1\nzookeeper.connect=localhost:2181/kafka\n"),
        (
            "msk.tf",
            'resource "aws_msk_cluster" "a" {\n  number_of_broker_nodes = 2\n}\n'
            'resource "aws_msk_configuration" "a" {\n  server_properties = <<EOT\nmin.insync.replicas = 1\nEOT\n}\n',
        ),
        (
            "topic.yaml",
            "apiVersion: kafka.strimzi.io/v1beta2\nkind: KafkaTopic\nmetadata:\n  name: a\nspec:\n  replicas: 2\n"
            "  config:\n    min.insync.replicas: 1\n",
        ),
    ],
)
def test_what_takes_three_replicas_is_not_told_to_fewer(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text + ("default.replication.factor=1\n" if name == "server.properties" else ""))
    made = plan(tmp_path / name)
    assert made["obstacles"]
    assert not [row["key"] for step in made["steps"] for row in step["change"]]


def test_no_line_with_a_secret_is_shown(tmp_path: Path) -> None:
    lines = [
        "process.roles=broker",
        "ssl.key.password=s3cr3t",
        "unclean.leader.election.enable=true",
        "ssl.keystore.password=s3cr3t",
    ]
    (tmp_path / "server.properties").write_text("\n".join(lines))
    for format in ("text", "json", "markdown", "html", "diff"):
        ran = run("advise", "--no-config", tmp_path / "server.properties", "--format", format)
        assert "unclean.leader.election.enable" in ran.out
        assert "s3cr3t" not in ran.out


def test_a_patch_of_a_folder_applies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a b").mkdir()
    text = "# Kafka\r\nprocess.roles=broker\r\nnode.id=1\r\nunclean.leader.election.enable=true"
    (tmp_path / "a b/server.properties").write_bytes(text.encode())
    (tmp_path / "server.properties").write_text("# Kafka\nprocess.roles=broker\nnode.id=1\nmin.insync.replicas=1")
    monkeypatch.chdir(tmp_path)
    ran = run("advise", "--no-config", ".", "--format", "diff")
    assert ran.code == 1
    patch = subprocess.run(["patch", "--binary", "-p1"], input=ran.out, capture_output=True, text=True, check=False)
    assert patch.returncode == 0, patch.stdout
    assert "unclean" not in (tmp_path / "a b/server.properties").read_text()
    assert "default.replication.factor=3\n" in (tmp_path / "server.properties").read_text()
    assert run("advise", "--no-config", ROOT / "examples/cluster.json", "--format", "diff").code == 2


def test_advice_that_would_make_it_worse_is_no_edit(tmp_path: Path) -> None:
    (tmp_path / "producer.properties").write_text(
        "bootstrap.servers=b:9092\nacks=0\nretries=0\nmax.in.flight.requests.per.connection=10\nenable.idempotence=false\n"
    )
    made = plan(tmp_path / "producer.properties")
    assert not [row for step in made["steps"] for row in step["adds"]]
    assert [row["key"] for step in made["steps"] for row in step["change"]] == ["acks"]


def test_librdkafkas_other_name_of_a_key_is_the_line_that_changes(tmp_path: Path) -> None:
    file = tmp_path / "rdkafka.properties"
    file.write_text(
        "bootstrap.servers=b:9092\nrequest.required.acks=1\nqueue.buffering.max.ms=5\nlog.connection.close=false\n"
    )
    patched(plan(file), file)
    assert "\nrequest.required.acks=all\n" in file.read_text()
    assert "\nacks=" not in file.read_text()


def test_words_that_stand_on_levels_of_their_own_are_no_form_for_others(tmp_path: Path) -> None:
    row = FileChange("a.yaml", None, "auto.offset.reset", "in.auto.offset.reset", None, "earliest", "a",
                     (Sibling(4, "in.enable.auto.commit", "true"),))  # fmt: skip
    assert not is_edited(FileText("a.yaml", b"in:\n  enable:\n    auto:\n      commit: true\n"), row)


def test_a_block_is_not_left_empty() -> None:
    row = FileChange("a.yaml", 2, "acks", "a.acks", "1", None, "a")
    assert not is_edited(FileText("a.yaml", b"a:\n  acks: 1\nb: 2\n"), row)
    assert is_edited(FileText("a.yaml", b"a:\n  acks: 1\n  b: 2\n"), row)


def test_files_of_several_clusters_are_one_plan(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"c{number}").mkdir()
        (tmp_path / f"c{number}/server.properties").write_text(
            f"process.roles=broker\nnode.id={number}\nunclean.leader.election.enable=true\n"
        )
    made = plan(tmp_path / "c1/server.properties", tmp_path / "c2/server.properties")
    assert len([step for step in made["steps"] if step["id"].startswith("file:")]) == 2


ADDED = (
    ("a.yml", "a:\n  retries: 1\n", "a.", "true", '  acks: "true"\n'),
    ("a.yml", "a:\n  retries: 'x'\n", "a.", "true", "  acks: 'true'\n"),
    ("a.yml", "a:\n  retries: 1", "a.", "all", "  acks: all\n"),
    ("a.yml", "a:\r\n  retries: 1\r\n", "a.", "all", "  acks: all\r\n"),
    ("a.toml", "[a]\nretries = 1\n", "a.", "5", "acks = 5\n"),
    ("a.toml", '[a]\nretries = "1"\n', "a.", "all", 'acks = "all"\n'),
    ("a.tf", '  config = {\n    "retries" = "1",\n  }\n', "a.config.", "all", '    "acks" = "all",\n'),
)


@pytest.mark.parametrize(("name", "text", "block", "value", "expected"), ADDED)
def test_a_new_line_is_written_like_its_sibling(
    tmp_path: Path, name: str, text: str, block: str, value: str, expected: str
) -> None:
    (tmp_path / name).write_bytes(text.encode())
    old = "x" if "'x'" in text else "1"
    sibling = Sibling(2, f"{block}retries", old)
    row = FileChange(str(tmp_path / name), None, "acks", f"{block}acks", None, value, "a", (sibling,))
    assert edited(row) == text.replace(text.splitlines(keepends=True)[1], expected_lines(text, expected))


def expected_lines(text: str, expected: str) -> str:
    """The new line below its sibling; above it where that is the last one and has no end."""
    line = text.splitlines(keepends=True)[1]
    return line + expected if line.endswith("\n") else expected + line


def edited(change: FileChange) -> str:
    """The text of a file after a change."""
    text = read_text(change.file)
    assert text is not None
    return text.spliced(splices_of(text, [change])).decode()


def test_a_bare_word_stands_in_quotes_in_toml(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("[a]\nretries = 1\n")
    row = FileChange(
        str(tmp_path / "a.toml"), None, "acks", "a.acks", None, "all", "a", (Sibling(2, "a.retries", "1"),)
    )
    assert edited(row) == '[a]\nretries = 1\nacks = "all"\n'


@pytest.mark.parametrize(("file", "restarts"), [("strimzi-pools.yaml", 6), ("helm-values.yaml", 3)])
def test_a_file_restarts_all_the_nodes_that_it_describes(file: str, restarts: int) -> None:
    steps = run("advise", ROOT / "examples/inputs" / file, "--format", "json").json["steps"]
    assert [step["cost"]["restarts"] for step in steps if step["id"].startswith("file:")] == [restarts]


def test_a_file_of_one_node_restarts_one(tmp_path: Path) -> None:
    files = [tmp_path / f"server-{id}.properties" for id in (1, 2, 3)]
    for id, file in enumerate(files, 1):
        file.write_text(
            f"process.roles=broker\nnode.id={id}\ncontroller.quorum.voters=11@c1:9093,12@c2:9093,13@c3:9093\n"
            "controller.listener.names=CONTROLLER\nauto.leader.rebalance.enable=false\n"
        )
    steps = run("advise", *files, "--format", "json").json["steps"]
    assert [step["cost"]["restarts"] for step in steps if step["id"].startswith("file:")] == [1, 1, 1]


BITNAMI = "services:\n" + "".join(
    f"""\
  k{number}:
    image: bitnami/kafka:3.6
    environment:
      KAFKA_CFG_NODE_ID: {number}
      KAFKA_CFG_PROCESS_ROLES: controller,broker
      KAFKA_CFG_CONTROLLER_QUORUM_VOTERS: 0@k0:9093,1@k1:9093,2@k2:9093
      KAFKA_CFG_CONTROLLER_LISTENER_NAMES: CONTROLLER
      KAFKA_CFG_LISTENERS: PLAINTEXT://:9092,CONTROLLER://:9093
      KAFKA_KRAFT_CLUSTER_ID: abcdefghijklmnopqrstuv
"""
    for number in range(3)
)


def test_min_isr_2_comes_with_the_factors_of_internal_topics_that_an_image_leaves_at_1(tmp_path: Path) -> None:
    (tmp_path / "compose.yml").write_text(BITNAMI)
    diff = run("advise", tmp_path / "compose.yml", "--format", "diff").out
    for line in ("MIN_INSYNC_REPLICAS: 2", "OFFSETS_TOPIC_REPLICATION_FACTOR: 3",
                 "TRANSACTION_STATE_LOG_REPLICATION_FACTOR: 3"):  # fmt: skip
        assert diff.count(f"+      KAFKA_CFG_{line}\n") == 3


@pytest.mark.parametrize("language", ["properties", "msk"])
def test_a_line_without_effect_is_dropped_as_lint_drops_it(tmp_path: Path, language: str) -> None:
    lines = "log.retention.hours=24\nlog.retention.ms=604800000\n"
    msk = f'resource "aws_msk_configuration" "a" {{\n  server_properties = <<P\n{lines}P\n}}\n'
    path = tmp_path / ("a.properties" if language == "properties" else "a.tf")
    path.write_text(msk if language == "msk" else f"process.roles=broker\nnode.id=1\n{lines}")
    edits = [
        line
        for line in run("advise", path, "--no-config").out.splitlines()
        if "log.retention" in line and "edit:" in line
    ]
    assert [line.split("edit:")[1].strip() for line in edits] == ["-log.retention.hours=24"]


CONTROLLER = "process.roles=controller\nnode.id={0}\ncontroller.quorum.voters=101@c1:9093,102@c2:9093,103@c3:9093\n"
BROKER = CONTROLLER.replace("controller\n", "broker\n", 1) + "default.replication.factor=3\nmin.insync.replicas=2\n"


@pytest.mark.parametrize(("release", "commands"), [("4.0", 0), ("4.1", 1)])
def test_a_running_cluster_with_elr_takes_min_isr_by_a_command(tmp_path: Path, release: str, commands: int) -> None:
    for node in (1, 2, 3):
        (tmp_path / f"b{node}").write_text(BROKER.format(node))
        (tmp_path / f"c{node}").write_text(CONTROLLER.format(100 + node) + "default.replication.factor=3\n")
    steps = run("advise", tmp_path, "--kafka-version", release, "--format", "json").json["steps"]
    assert sum("--entity-default --add-config min.insync.replicas=2" in str(step) for step in steps) == commands


NODE = (
    "process.roles={roles}\nnode.id={id}\ncontroller.quorum.voters=1@h1:9093,2@h2:9093,3@h3:9093\n"
    "controller.listener.names=CONTROLLER\nlisteners={listeners}\nlog.dirs=/data\n"
)
SERVICE = (
    "  k{id}:\n    image: apache/kafka:3.9.0\n    volumes: ['v{id}:/var/lib/kafka/data']\n    environment:\n"
    "      KAFKA_PROCESS_ROLES: {roles}\n      KAFKA_NODE_ID: {id}\n      KAFKA_LISTENERS: '{listeners}'\n"
    "      KAFKA_CONTROLLER_QUORUM_VOTERS: 1@k1:9093,2@k2:9093,3@k3:9093\n"
    "      KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER\n      KAFKA_LOG_DIRS: /var/lib/kafka/data\n"
)
UNCLEAN = ("unclean.leader.election.enable", "true", "KA104")
ONE_REPLICA = ("min.insync.replicas", "1", "KA102")


def nodes_of(number: int, combined: int, text: str) -> list[str]:
    """Nodes of which the first are controllers, too."""
    roles = ["broker,controller" if id <= combined else "broker" for id in range(1, number + 1)]
    own = ["PLAINTEXT://:9092,CONTROLLER://:9093" if "," in each else "PLAINTEXT://:9092" for each in roles]
    rows = enumerate(zip(roles, own, strict=True), 1)
    return [text.format(id=id, roles=each, listeners=listeners) for id, (each, listeners) in rows]


@pytest.mark.parametrize("layout", ["files", "compose"])
@pytest.mark.parametrize(("key", "value", "rule"), [UNCLEAN, ONE_REPLICA])
@pytest.mark.parametrize(("number", "combined"), [(3, 3), (4, 3), (7, 3)])
def test_a_key_that_controllers_alone_heed_is_changed_on_all_nodes_that_write_it(
    layout: str, key: str, value: str, rule: str, number: int, combined: int, tmp_path: Path
) -> None:
    variable = "KAFKA_" + key.replace(".", "_").upper()
    if layout == "files":
        for at, text in enumerate(nodes_of(number, combined, NODE), 1):
            common = f"default.replication.factor=3\noffsets.topic.replication.factor=3\n{key}={value}\n"
            (tmp_path / f"n{at}.properties").write_text(text + common)
    else:
        common = f"      KAFKA_DEFAULT_REPLICATION_FACTOR: 3\n      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: 3\n      {variable}: '{value}'\n"
        text = "".join(service + common for service in nodes_of(number, combined, SERVICE))
        volumes = "".join(f"  v{at}: {{}}\n" for at in range(1, number + 1))
        (tmp_path / "compose.yml").write_text(f"services:\n{text}volumes:\n{volumes}")
    made = plan(tmp_path)
    changed = [row for step in made["steps"] for row in step["change"] if row["key"] == key]
    assert len(changed) == number
    assert sum(step["cost"]["restarts"] for step in made["steps"]) == number
    assert rule not in {row["rule"] for row in made["by_hand"]}
    ids = [step["id"] for step in made["steps"]]
    assert all(need in ids[: ids.index(step["id"])] for step in made["steps"] for need in step["needs"])
