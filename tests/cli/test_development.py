"""What looks like a development set-up is asked about in one line; nothing changes by itself."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest

from tests.support.commands import run

FACTORS = "      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: 1\n      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: 1\n"
NODE = (
    "  {name}:\n    image: apache/kafka:4.3.0\n    environment:\n      KAFKA_NODE_ID: {id}\n      KAFKA_PROCESS_ROLES: broker,controller\n"
    "      KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER\n      KAFKA_CONTROLLER_QUORUM_VOTERS: {voters}\n"
    "      KAFKA_LISTENERS: PLAINTEXT://:9092,CONTROLLER://:9093\n"
)
ONE = "services:\n" + NODE.format(name="kafka", id=1, voters="1@kafka:9093")
THREE = "services:\n" + "".join(
    NODE.format(name=f"k{id}", id=id, voters="1@k1:9093,2@k2:9093,3@k3:9093") + FACTORS for id in (1, 2, 3)
)
QUESTION = re.compile(
    r"^(One broker, [^:]+|“\w+” in its name): for development\? --profile dev: (.+)\. To keep it, in kafka-advisor.yaml: (paths: \{.*\})$",
    re.M,
)
HINTED = {
    "one broker, factors of 1": ("docker-compose.yml", ONE + FACTORS, "One broker, factors of 1", "docker-compose*"),
    "localhost": ("compose.yml", ONE + "      KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://localhost:9092\n", "One broker, advertised at localhost", "*compose*"),
    "an image with factors of 1": ("compose.yml", "services:\n  kafka:\n    image: quay.io/debezium/kafka:3.0\n    environment:\n      - NODE_ID=1\n      - KAFKA_CONTROLLER_QUORUM_VOTERS=1@kafka:9093\n", "One broker, factors of 1", "*compose*"),
    "a folder": ("dev/a.yml", ONE, "“dev” in its name", "dev/a.yml"),
    "a name": ("kafka-local.yml", ONE, "“local” in its name", "kafka-local.yml"),
    "testcontainers": ("src/test/resources/a.yml", ONE, "“test” in its name", "src/test/resources/a.yml"),
    "properties": ("server.properties", "process.roles=broker,controller\nnode.id=1\ndefault.replication.factor=1\nmin.insync.replicas=1\n", "One broker, factors of 1", "server.properties"),
}  # fmt: skip
PLAIN = {
    "three brokers": ("docker-compose.yml", THREE),
    "factors unset": ("docker-compose.yml", ONE),
    "another word": ("latest/protested.yml", ONE),
    "a client": ("producer.properties", "acks=1\nbootstrap.servers=a:1,b:1\n"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


@pytest.mark.parametrize("case", HINTED)
def test_a_development_set_up_is_asked_about_and_the_answer_holds(case: str) -> None:
    name, text, sign, pattern = HINTED[case]
    write(name, text)
    asked = QUESTION.search(run("lint", name).out)
    assert asked is not None and asked[1] == sign and f'"{pattern}"' in asked[3]
    under_dev = run("lint", name, "--profile", "dev").out.splitlines()[0]
    assert f": {asked[2]}" in under_dev
    Path("kafka-advisor.yaml").write_text(f"{asked[3]}\n")
    kept = run("lint", name)
    assert f": {asked[2]}" in kept.out.splitlines()[0] and "for development?" not in kept.out


def test_of_several_files_those_that_look_like_development_are_named_and_the_others_keep_their_profile() -> None:
    write("docker-compose.yml", ONE + FACTORS)
    write("config/producer.properties", PLAIN["a client"][1])
    out = run("lint", ".").out
    asked = re.search(
        r"^One broker, factors of 1 \(docker-compose.yml\): for development\? With profile dev there: (.+)\. To have it, in kafka-advisor.yaml: (paths: .*)$",
        out,
        re.M,
    )
    assert asked is not None and "1 high" in asked[1], "the producer's acks=1 stays"
    Path("kafka-advisor.yaml").write_text(f"{asked[2]}\n")
    assert f": {asked[1]}" in run("lint", ".").out.splitlines()[0]


@pytest.mark.parametrize("case", PLAIN)
def test_what_may_be_for_production_is_not_asked_about(case: str) -> None:
    write(*PLAIN[case])
    assert "for development?" not in run("lint", PLAIN[case][0]).out


ONE_NODE = "process.roles=broker,controller\nnode.id=1\ndefault.replication.factor=1\nmin.insync.replicas=1\n"


def test_a_pipe_of_a_shell_is_not_asked_about() -> None:
    reader, writer = os.pipe()
    os.write(writer, ONE_NODE.encode())
    os.close(writer)
    ran = run("lint", f"/dev/fd/{reader}")
    os.close(reader)
    assert ran.code == 1 and "for development?" not in ran.out


@pytest.mark.parametrize("name", ["../dev/server.properties", "../server.properties"])
def test_a_file_outside_of_the_folder_has_nothing_to_keep_and_its_folders_say_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(f"test/{name}", ONE_NODE)
    monkeypatch.chdir("test")
    for path in (name, os.path.abspath(name)):
        ran = run("lint", path)
        (asked,) = [line for line in ran.out.splitlines() if "for development?" in line]
        assert asked.startswith("One broker, factors of 1: for development? --profile dev: ")
        assert "To keep it" not in ran.out
    write("../dev/producer.properties", PLAIN["a client"][1])
    assert "for development?" not in run("lint", "../dev/producer.properties").out


def test_standard_input_has_nothing_to_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ONE_NODE.encode())))
    out = run("lint", "-").out
    assert "for development?" in out and "To keep it" not in out


def test_the_answer_holds_in_the_configuration_above(monkeypatch: pytest.MonkeyPatch) -> None:
    write("kafka-advisor.yaml", "fail-on: critical\n")
    write("deploy/a/server.properties", ONE_NODE)
    monkeypatch.chdir("deploy")
    asked = QUESTION.search(run("lint", "a/server.properties").out)
    assert asked is not None and '"deploy/a/server.properties"' in asked[3]
    write("../kafka-advisor.yaml", f"fail-on: critical\n{asked[3]}\n")
    assert "for development?" not in run("lint", "a/server.properties").out


def test_whoever_chose_a_profile_or_reads_by_program_is_not_asked() -> None:
    write("docker-compose.yml", ONE + FACTORS)
    for options in (
        ("--profile", "production"),
        ("--profile", "staging"),
        ("-q",),
        ("--format", "json"),
        ("--format", "concise"),
    ):
        assert "for development?" not in run("lint", "docker-compose.yml", *options).out


def test_a_pattern_covers_no_file_that_is_for_something_else() -> None:
    for folder in ("config", "."):
        write(f"{folder}/local-a.properties", PLAIN["a client"][1])
        write(f"{folder}/local-b.properties", PLAIN["a client"][1])
        write(f"{folder}/server.properties", "process.roles=broker\nnode.id=1\n")
    out = run("lint", ".").out
    assert "in kafka-advisor.yaml: the paths that kafka-advisor init writes" in out
    proposed = run("init").out
    assert '"config/local-a.properties"' in proposed and '"config/*"' not in proposed and '"*"' not in proposed


TERRAFORM = """\
resource "aws_msk_configuration" "main" {
  kafka_versions    = ["3.6.0"]
  name              = "main"
  server_properties = "min.insync.replicas = 1\\ndefault.replication.factor = 3\\n"
}
resource "aws_msk_cluster" "example" {
  cluster_name           = "payments"
  kafka_version          = "3.6.0"
  number_of_broker_nodes = 3
  configuration_info {
    arn      = aws_msk_configuration.main.arn
    revision = 1
  }
}
"""


@pytest.mark.parametrize(("path", "is_asked"), [("main.tf", False), ("dev/main.tf", True), ("example/prod.tf", False)])
def test_a_label_of_terraform_says_nothing_and_production_is_production(path: str, is_asked: bool) -> None:
    write(path, TERRAFORM)
    assert ("for development?" in run("lint", path).out) == is_asked


WORKFLOW = "jobs:\n  test:\n    services:\n      kafka:\n        image: apache/kafka:4.3.0\n        env:\n          KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true'\n    steps: []\n"
OF_JOBS = {
    "nobody says a profile": ([], "", "dev"),
    "an option": (["--profile", "production"], "", "production"),
    "a profile of the repository": ([], "profile: regulated\n", "regulated"),
    "a profile of a path": ([], 'paths: {"**/ci.yml": {profile: staging}}\n', "staging"),
}


@pytest.mark.parametrize("case", OF_JOBS)
def test_containers_beside_jobs_are_for_development(case: str, tmp_path: Path) -> None:
    options, configuration, profile = OF_JOBS[case]
    (tmp_path / ".github/workflows").mkdir(parents=True)
    (tmp_path / ".github/workflows/ci.yml").write_text(WORKFLOW)
    (tmp_path / "kafka-advisor.yaml").write_text(configuration)
    os.chdir(tmp_path)
    ran = run("lint", ".", *options)
    assert f", {profile}\n" in ran.out.partition("\n")[0] + "\n"
    assert "for development?" not in ran.out


TOPIC = "kafka-topics.sh --bootstrap-server {} --create --topic a --partitions 1 --replication-factor 1"
CREATED = {
    "in the service": (TOPIC.format("kafka:9092"), "dev"),
    "on the host of the job": (TOPIC.format("localhost:9092"), "dev"),
    "on the host of the job, in a container": (f"docker exec k {TOPIC.format('127.0.0.1:9092')}", "dev"),
    "elsewhere": (TOPIC.format("kafka.example.org:9092"), "production"),
    "in a pod": (f"kubectl exec k-0 -- {TOPIC.format('localhost:9092')}", "production"),
    "who knows where": (TOPIC.format("$BOOTSTRAP"), "production"),
}


@pytest.mark.parametrize("case", CREATED)
def test_topics_that_a_job_creates_beside_itself_are_for_development(case: str, tmp_path: Path) -> None:
    command, profile = CREATED[case]
    (tmp_path / ".github/workflows").mkdir(parents=True)
    (tmp_path / ".github/workflows/ci.yml").write_text(WORKFLOW.replace("steps: []", f"steps: [{{run: '{command}'}}]"))
    os.chdir(tmp_path)
    assert f", {profile}" in run("lint", ".", "--no-config").out.partition("\n")[0]
