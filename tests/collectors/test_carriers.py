"""Other carriers of a broker's configuration: Secrets, binary data, Dockerfiles; scripts are said to be not read."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from tests.support.canary import CANARY
from tests.support.commands import run

TEXT = f"process.roles=broker\nnode.id=1\nlog.dirs=/d\nunclean.leader.election.enable=true\nssl.keystore.password={CANARY}\n"
ENCODED = b64encode(TEXT.encode()).decode()
HEAD = "apiVersion: v1\nkind: {}\nmetadata: {{name: k}}\n"
INDENTED = "".join(f"    {line}\n" for line in TEXT.splitlines())
MANIFESTS = {
    "data of a Secret": HEAD.format("Secret") + f"data:\n  server.properties: {ENCODED}\n",
    "folded data": HEAD.format("Secret") + f"data:\n  server.properties: >-\n    {ENCODED[:40]}\n    {ENCODED[40:]}\n",
    "stringData": HEAD.format("Secret") + f"stringData:\n  server.properties: |\n{INDENTED}",
    "binaryData": HEAD.format("ConfigMap") + f"binaryData:\n  server.properties: {ENCODED}\n",
    "data of a ConfigMap": HEAD.format("ConfigMap") + f"data:\n  server.properties: |\n{INDENTED}",
    "in a List": "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: k}\n"
    f"  data:\n    server.properties: {ENCODED}\n",
}
FROM = "FROM apache/kafka:4.3.0\n"
UNCLEAN = "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE"
IDS = "ENV KAFKA_NODE_ID=1 KAFKA_PROCESS_ROLES=broker\n"
DOCKERFILES = {
    "one line": FROM + f"ENV KAFKA_NODE_ID=1 KAFKA_PROCESS_ROLES=broker {UNCLEAN}=true\n",
    "several": FROM + IDS + f"ENV {UNCLEAN}=true\n",
    "the older form": FROM + IDS + f"ENV {UNCLEAN} true\n",
    "quotes": FROM + IDS + f'ENV {UNCLEAN}="true"\n',
    "continued": FROM + f"ENV KAFKA_NODE_ID=1 \\\n  # why\n  KAFKA_PROCESS_ROLES=broker \\\n  {UNCLEAN}=true\n",
    "lower case": FROM.lower() + IDS + f"env {UNCLEAN}=true\n",
    "an argument": "ARG TAG=4.3.0\nFROM apache/kafka:${TAG}\n" + IDS + f"ENV {UNCLEAN}=true\n",
    "an argument as value": FROM + f"ARG ON=true\n{IDS}ENV {UNCLEAN}=$ON\n",
    "the last stage": "FROM golang:1 AS build\nRUN make\n" + FROM + IDS + f"ENV {UNCLEAN}=true\n",
    "a platform": FROM.replace("FROM", "FROM --platform=linux/amd64") + IDS + f"ENV {UNCLEAN}=true\n",
    "a command": FROM + IDS + 'CMD ["/opt/kafka/bin/kafka-server-start.sh", "f", "--override", "unclean.leader.election.enable=true"]\n',
    "a command of the shell": FROM + IDS + "CMD /opt/kafka/bin/kafka-server-start.sh f --override unclean.leader.election.enable=true\n",
    "replaced": FROM + IDS + f"ENV {UNCLEAN}=false\nENV {UNCLEAN}=true\n",
}  # fmt: skip
SAFE = {
    "replaced": FROM + IDS + f"ENV {UNCLEAN}=true\nENV {UNCLEAN}=false\n",
    "another stage": FROM + IDS + f"ENV {UNCLEAN}=true\nFROM scratch\nCOPY a b\n",
    "no broker": f"FROM python:3.12\nENV {UNCLEAN}=true\n",
    "a client": "FROM python:3.12\nENV KAFKA_URL=a:9092\nCMD [\"python\", \"app.py\"]\n",
    "what is not set": FROM + IDS,
}  # fmt: skip
SCRIPTS = {
    "configs": ("run", "#!/bin/bash\nkafka-configs --alter --add-config a=b\n"),
    "variables": ("env.sh", "export KAFKA_MIN_INSYNC_REPLICAS=1\n"),
    "docker compose": ("up.sh", "KAFKA_NODE_ID=1 docker compose up\n"),
    "a file": ("init.sh", "echo min.insync.replicas=1 >> /etc/kafka/server.properties\n"),
    "PowerShell": ("up.ps1", "$env:KAFKA_NODE_ID=1\n"),
}


def rules(folder: Path) -> str:
    return run("lint", folder, "--no-config", "--format", "concise").out


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_brokers_file_in_a_manifest_is_judged_and_its_secrets_are_not_shown(name: str, tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(MANIFESTS[name])
    assert "KA104" in rules(tmp_path)
    for format in ("text", "json", "html", "sarif", "markdown"):
        ran = run("lint", tmp_path, "--no-config", "-v", "--format", format)
        assert CANARY not in ran.out + ran.err and ENCODED[-12:] not in ran.out


@pytest.mark.parametrize(
    "text", ["!!", "AAAA", "/w==", "x" * 5, b64encode(b"\xff\xfe\x00").decode(), b64encode(b"plain text").decode()]
)
def test_what_is_no_configuration_is_left_alone(text: str, tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(HEAD.format("Secret") + f"data:\n  server.properties: '{text}'\n")
    ran = run("lint", tmp_path, "--no-config")
    assert ran.code == 3 and "internal error" not in ran.err


@pytest.mark.parametrize("name", ["Dockerfile", "Dockerfile.kafka", "kafka.dockerfile", "Containerfile"])
@pytest.mark.parametrize("case", DOCKERFILES)
def test_a_dockerfile_is_read(case: str, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(DOCKERFILES[case])
    assert "KA104" in rules(tmp_path)


@pytest.mark.parametrize("case", SAFE)
def test_a_dockerfile_without_the_risk(case: str, tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text(SAFE[case])
    ran = run("lint", tmp_path, "--no-config", "--format", "json")
    assert not ran.out or not [row for row in ran.json["findings"] if row["severity"] in ("critical", "high")]


@pytest.mark.parametrize("case", SCRIPTS)
def test_a_script_that_sets_kafka_up_is_said_to_be_not_read(case: str, tmp_path: Path) -> None:
    name, text = SCRIPTS[case]
    (tmp_path / name).write_text(text)
    (tmp_path / "p.properties").write_text(
        "acks=all\nbootstrap.servers=a:1\nkey.serializer=a.B\nvalue.serializer=a.B\n"
    )
    ran = run("lint", tmp_path, "--no-config")
    assert f"{tmp_path / name}: not read: a script" in ran.err and "1 not read" in ran.err


@pytest.mark.parametrize(
    "text", ["echo hello\n", "export KAFKA_HEAP_OPTS=-Xmx1g\n", "pip install kafka-python\n", "# kafka\n"]
)
def test_other_scripts_are_not_kafkas(text: str, tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(text)
    ran = run("lint", tmp_path, "--no-config")
    assert ran.code == 3 and "not read" not in ran.err


@pytest.mark.parametrize(
    ("image", "is_broker"),
    [
        ("registry.example.org/console/kafka-custom:1", True),
        ("example/kafka-console:1", False),
        ("redpandadata/console:v2", False),
    ],
)
def test_a_word_in_the_registrys_path_makes_no_other_image(image: str, is_broker: bool, tmp_path: Path) -> None:
    (tmp_path / "c.yml").write_text(
        f"services:\n  k:\n    image: {image}\n    environment:\n      KAFKA_NODE_ID: 1\n      KAFKA_PROCESS_ROLES: broker\n"
        f"      KAFKA_LISTENERS: SSL://:9092\n      {UNCLEAN}: 'true'\n"
    )
    assert ("KA104" in rules(tmp_path)) == is_broker
