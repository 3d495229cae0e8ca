"""The same settings in other carriers, quotings, names and folders: judged alike, or said to be not judged."""

from __future__ import annotations

from pathlib import Path

import javaproperties
import pytest

from tests.extra.respell import carries, severe
from tests.support.commands import ROOT, run
from tests.support.respellings import respellings

BAD = {
    kind: ROOT / "examples/bad" / f"{name}.properties"
    for kind, name in (("broker", "server"), ("producer", "producer"))
}
WAYS = {
    f"{kind} {name}": (kind, files)
    for kind, path in BAD.items()
    for name, files in respellings(javaproperties.loads(path.read_text()), kind)
}
"""(kind, files) of every way to write the bad examples."""
NOT_JUDGED = ("name: target/", "name: venv/", "name: node_modules/", "variables: systemd", "variables: Nomad", "variables: exports",
              "variables: Terraform", "broker: MSK, a file", 
              "variables: Compose, variables with", "broker: --override of systemd", "carrier: Kustomize")  # fmt: skip
"""What may be said to be not judged; everything else is judged."""


@pytest.fixture(scope="module")
def wanted() -> dict[str, set[tuple[str, str, str | None]]]:
    return {kind: severe({"plain.properties": path.read_text()}, kind)[0] for kind, path in BAD.items()}


@pytest.mark.parametrize("way", WAYS)
def test_what_means_the_same_is_judged_alike_or_said_to_be_not_judged(
    way: str, wanted: dict[str, set[tuple[str, str, str | None]]]
) -> None:
    kind, files = WAYS[way]
    name = way.removeprefix(f"{kind} ")
    expected = {rule for rule, key, value in wanted[kind] if carries(name, key, value)}
    assert expected
    rows, not_judged = severe(files, None)
    missing = expected - {rule for rule, _, _ in rows}
    assert not missing or (not_judged and name.startswith(NOT_JUDGED)), missing


CREATE = "kafka-topics.sh --bootstrap-server b:9092 --create --topic orders --partitions 3 --replication-factor 1"
HEAD = "services:\n  kafka:\n    image: apache/kafka:3.9.0\n  setup:\n    image: apache/kafka:3.9.0\n"
SCRIPTS = {
    "create.sh": f"#!/bin/sh\n{CREATE}\n",
    "bin/create": f"#!/usr/bin/env bash\nset -e\n/opt/kafka/bin/{CREATE} --config retention.ms=1000\n",
    "continued.sh": CREATE.replace(" --", " \\\n  --"),
    "in-docker.sh": f"docker exec -it kafka /opt/kafka/bin/{CREATE}\n",
    "in-pod.bash": f"kubectl exec kafka-0 -- {CREATE} && echo done\n",
    "equals.sh": CREATE.replace("--replication-factor 1", "--replication-factor=1"),
    "loop.sh": f"for t in a b; do {CREATE}; done\n",
    "if.sh": f"if true; then\n  {CREATE} || exit 1\nfi\n",
    "compose.yml": f"{HEAD}    command: {CREATE}\n",
    "docker-compose.yml": f"{HEAD}    command: sh -c 'sleep 9 && {CREATE}'\n",
    "docker-compose.yaml": f"{HEAD}    entrypoint: [sh, -c]\n    command: |\n      '\n      {CREATE}\n      '\n",
    "list.yml": f"{HEAD}    command:\n    - bash\n    - -c\n    - |\n      /etc/confluent/docker/configure && cub kafka-ready 1 20\n      {CREATE}\n"
    "    environment: {KAFKA_BROKER_ID: ignored, KAFKA_ZOOKEEPER_CONNECT: ignored}\n",
    "words.yml": f"{HEAD}    command: [{', '.join(CREATE.split()[:-1])}, '1']\n",
    "job.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: setup}\nspec:\n  containers:\n  - name: a\n    image: apache/kafka:3.9.0\n"
    f"    command: [sh, -c, '{CREATE}']\n",
}  # fmt: skip


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_topic_that_a_command_creates_is_judged(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(SCRIPTS[name])
    ran = run("lint", tmp_path, "--no-config", "--format", "json").json
    rows = [row for row in ran["findings"] if row["key"] == "--replication-factor"]
    assert [(row["entity"]["name"], row["value"], row["severity"]) for row in rows] == [("orders", "1", "high")]
    assert "kafka-topics" in file.read_text().splitlines()[rows[0]["line"] - 1]


@pytest.mark.parametrize(
    "text",
    [
        CREATE.replace("factor 1", "factor 3"),
        CREATE.replace("--create", "--describe"),
        CREATE.replace(" --replication-factor 1", ""),
        f"# {CREATE}",
        CREATE.replace("factor 1", 'factor "$RF"'),
        CREATE.replace("factor 1", "factor ${RF:-1}"),
    ],
)
def test_other_commands_have_no_finding_of_a_factor(text: str, tmp_path: Path) -> None:
    (tmp_path / "s.sh").write_text(text + "\n")
    ran = run("lint", tmp_path, "--no-config", "--format", "json")
    rows = ran.json["findings"] if ran.out else []
    assert not [row for row in rows if row["key"] == "--replication-factor"]


def test_a_script_that_does_more_is_judged_and_said_to_be_not_read_whole(tmp_path: Path) -> None:
    (tmp_path / "s.sh").write_text(f"{CREATE}\necho acks=1 >> producer.properties\n")
    ran = run("lint", tmp_path, "--no-config", "--format", "json")
    assert [
        row["name"] for row in ran.json["findings"] if row["severity"] == "high"
    ] and "s.sh: not read in full: a script" in ran.err
    assert run("lint", tmp_path, "--no-config", "--fail-on", "critical").code == 0
    assert run("lint", tmp_path, "--no-config", "--fail-on", "critical", "--fail-on-unknown").code == 1


UNFOLLOWED = {
    "kafka.service": "[Service]\nEnvironment=KAFKA_MIN_INSYNC_REPLICAS=1\nExecStart=/x\n",
    "kafka@.service": "[Service]\nExecStart=/opt/kafka/bin/kafka-server-start.sh /etc/kafka.properties\n",
    "job.nomad": 'env {\n  KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE = "true"\n}\n',
    "Makefile": "up:\n\tdocker run -e KAFKA_LOG_DIRS=/tmp/x kafka\n",
    "Jenkinsfile": "sh 'min.insync.replicas=1'\n",
    "logstash.conf": 'output { kafka { bootstrap_servers => "a:9092" client_id => "x" } }\n',
    "site.pp": "class { 'kafka::broker':\n  config => { 'unclean.leader.election.enable' => true }\n}\n",
    "default.cfg": "[kafka]\nmin.insync.replicas = 1\n[other]\nx = 1\ny = 2\nz = 3\nw = 4\n",
    "application.conf": 'kafka { "min.insync.replicas": 1 }\nother {\n a = 1\n b = 2\n}\n',
    "x.yaml": "a:\n  min.insync.replicas: 1\n  b: 2\n  c: 3\n",
}


@pytest.mark.parametrize("name", UNFOLLOWED)
def test_settings_in_a_form_that_is_not_followed_are_not_passed_over(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(UNFOLLOWED[name])
    (tmp_path / "ok.properties").write_text("process.roles=broker\n")
    ran = run("lint", tmp_path, "--no-config")
    read = f"{tmp_path / name}: not read: " in ran.err or name in ran.out
    assert read == (name != "logstash.conf")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("README.md", "Set min.insync.replicas=1 and `docker run -e KAFKA_LOG_DIRS=/x`.\n"),
        ("notes.txt", "We use kafka with min.insync.replicas = 2 now.\n"),
        ("jmx.yml", "rules:\n- pattern: kafka.server<type=ReplicaManager, name=UnderReplicatedPartitions><>Value\n  name: kafka_isr\n"),
        ("alerts.yml", "groups:\n- name: kafka\n  rules:\n  - alert: A\n    expr: kafka_server_replicamanager_underreplicatedpartitions > 0\n"),
        ("app.env", "KAFKA_CLIENT_ID=x\nKAFKA_SECURITY_PROTOCOL=SSL\nKAFKA_HEAP_OPTS=-Xmx1g\n"),
        ("env.sh", "# KAFKA_LOG_DIRS=/x\nKAFKA_HOME=/opt/kafka\n"),
        ("log4j.properties", "log4j.logger.kafka=INFO\nlog4j.logger.kafka.controller=TRACE\n"),
        ("messages.conf", "title.kafka = Kafka\nkafka.error = it failed\n"),
    ],
)  # fmt: skip
def test_what_sets_nothing_of_kafkas_is_not_said_to_be_unread(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    ran = run("lint", tmp_path, "--no-config")
    assert "not read" not in ran.err and ran.code == 3
