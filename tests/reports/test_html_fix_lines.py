"""The lines that the HTML report says to write: in the file's own spelling, as `lint --fix` and `advise` write them."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from tests.support.commands import ROOT, run

INPUTS = ROOT / "examples/inputs"
COMPOSE = """services:
  kafka:
    image: apache/kafka:4.1.0
    environment:
      KAFKA_NODE_ID: 1
      KAFKA_PROCESS_ROLES: "broker,controller"
      KAFKA_LISTENERS: "PLAINTEXT://:9092,CONTROLLER://:9093"
      KAFKA_CONTROLLER_LISTENER_NAMES: "CONTROLLER"
      KAFKA_CONTROLLER_QUORUM_VOTERS: "1@kafka:9093"
      KAFKA_MIN_INSYNC_REPLICAS: "1"{comment}
"""


def written(file: Path, folder: Path) -> list[str]:
    """The lines that Copy copies, in the order of the page."""
    page = folder / "page.html"
    run("lint", "--no-config", file, "--format", f"html={page}")
    return [unescape(text) for text in re.findall(r'<code id="[^"]+-line">(.*?)</code>', page.read_text(), re.DOTALL)]


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("compose-two-services.yml", "      - KAFKA_DEFAULT_REPLICATION_FACTOR=3"),
        ("kafka.env", "KAFKA_MIN_INSYNC_REPLICAS=2"),
        ("spring-profiles.yml", "      acks: all"),
        ("kubernetes-statefulset.yaml", '            - name: KAFKA_MIN_INSYNC_REPLICAS\n              value: "2"'),
        ("helm-values.yaml", "  offsetsTopicReplicationFactor: 3"),
        ("strimzi-pools.yaml", "      min.insync.replicas: 2"),
        ("msk.tf", "    unclean.leader.election.enable = false"),
        ("ansible-vars.yml", "      unclean.leader.election.enable: false"),
        ("appsettings.json", '      "EnableIdempotence": true,'),
        ("vector.toml", '"request.required.acks" = "all"'),
        ("quarkus.properties", "mp.messaging.outgoing.prices.acks=all"),
    ],
)
def test_the_line_is_spelled_as_its_file_spells_it(file: str, line: str, tmp_path: Path) -> None:
    assert line in written(INPUTS / file, tmp_path)


@pytest.mark.parametrize(
    ("file", "fix"),
    [
        ("compose-two-services.yml", "set KAFKA_DEFAULT_REPLICATION_FACTOR=3, in KRaft"),
        ("compose-two-services.yml", "remove KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE (default false)"),
        ("spring-profiles.yml", "set acks: all (the default"),
        ("kubernetes-statefulset.yaml", 'set name: KAFKA_MIN_INSYNC_REPLICAS, value: "2" with'),
        ("strimzi-pools.yaml", "set min.insync.replicas: 2 with"),
        ("strimzi-pools.yaml", "in spec.kafka.listeners[] (tls: true, and authentication); keep PLAINTEXT"),
        ("compose-two-services.yml", "SASL_SSL or SSL in KAFKA_LISTENER_SECURITY_PROTOCOL_MAP; keep PLAINTEXT"),
    ],
)
def test_other_formats_spell_the_fix_as_the_file_does(file: str, fix: str) -> None:
    for format in ("text", "github", "gitlab", "sarif"):
        out = run("lint", "--no-config", INPUTS / file, "--format", format).out.replace('\\"', '"')
        assert fix in " ".join(out.split()).replace("%25", "%"), format


@pytest.mark.parametrize(
    ("file", "fix"),
    [
        ("compose-two-services.yml", "in KAFKA_SUPER_USERS, then set KAFKA_AUTHORIZER_CLASS_NAME and add"),
        (
            "strimzi-connect-and-cluster.yaml",
            "in spec.kafka.authorization.superUsers, then set spec.kafka.authorization and",
        ),
        ("server.properties", "in super.users, then set authorizer.class.name and add"),
    ],
)
def test_every_key_of_a_fix_is_spelled_as_the_file_does(file: str, fix: str, tmp_path: Path) -> None:
    texts = {
        "strimzi-connect-and-cluster.yaml": STRIMZI,
        "server.properties": "process.roles=broker\nnode.id=1\nlisteners=PLAINTEXT://:9092\n",
    }
    path = INPUTS / file
    if file in texts:
        path = tmp_path / file
        path.write_text(texts[file])
    assert fix in " ".join(run("lint", "--no-config", path).out.split())


STRIMZI = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {name: both, labels: {strimzi.io/cluster: c}}
spec: {replicas: 3, roles: [controller, broker], storage: {type: persistent-claim, size: 10Gi}}
---
apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: c}
spec:
  kafka:
    version: 4.1.0
    listeners: [{name: plain, port: 9092, type: internal, tls: false}]
"""


def test_every_line_is_one_that_the_fix_of_the_command_line_writes(tmp_path: Path) -> None:
    file = tmp_path / "producer.properties"
    file.write_text("bootstrap.servers: b1:9092,b2:9092\nack: all\nenable.idempotence = true\nacks = 1\n")
    fixed = run("lint", "--no-config", file, "--diff", "--unsafe-fixes").out.splitlines()
    assert written(file, tmp_path)
    assert {f"+{line}" for line in written(file, tmp_path)} <= set(fixed)


def test_what_the_editor_does_not_write_is_no_line_to_copy(tmp_path: Path) -> None:
    lines = written(INPUTS / "topicctl.yaml", tmp_path)
    assert lines == ["  replicationFactor: 3"]
    page = (tmp_path / "page.html").read_text()
    assert "required: <code>retention.ms=604800000</code>" in page, "minutes are no milliseconds"


def test_a_line_that_holds_a_secret_is_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "compose.yml"
    file.write_text(COMPOSE.format(comment=""))
    assert '      KAFKA_MIN_INSYNC_REPLICAS: "2"' in written(file, tmp_path)
    file.write_text(COMPOSE.format(comment="  # password=hunter2"))
    assert "hunter2" not in "".join(written(file, tmp_path))
    assert "hunter2" not in (tmp_path / "page.html").read_text()
    flow = "services: {kafka: {image: 'apache/kafka:4.1.0', environment: {TOKEN: hunter2, KAFKA_PROCESS_ROLES: broker, KAFKA_MIN_INSYNC_REPLICAS: 1}}}\n"
    file.write_text(flow)
    assert "hunter2" not in "".join(written(file, tmp_path))
    assert "hunter2" not in (tmp_path / "page.html").read_text()


def test_text_of_a_refused_client_says_that_it_cannot_be_created(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run("lint", "--no-config", ROOT / "examples/bad/consumer.properties", "--format", f"html={page}")
    assert "The client cannot be created (Kafka 4.4)." in page.read_text()
    assert "does not start with this" not in page.read_text()


def test_each_service_without_a_line_is_named(tmp_path: Path) -> None:
    service = COMPOSE.partition("\n")[2].format(comment="").replace('      KAFKA_MIN_INSYNC_REPLICAS: "1"\n', "")
    (tmp_path / "compose.yml").write_text(f"services:\n{service}{service.replace('  kafka:', '  second:', 1)}")
    page = tmp_path / "page.html"
    run("lint", "--no-config", tmp_path / "compose.yml", "--format", f"html={page}")
    assert {"kafka", "second"} <= set(re.findall(r"compose\.yml: (\w+)</a>", page.read_text()))


def test_no_key_is_removed_of_which_the_chart_has_a_default_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "values.yaml"
    file.write_text(OLD_CHART)
    fixes = [row["fix"] for row in run("lint", "--no-config", file, "--format", "json").json["findings"]]
    assert [fix for fix in fixes if fix.startswith("set offsets.topic.replication.factor=3 on a cluster of three")]
    assert [fix for fix in fixes if fix.startswith("set transaction.state.log.min.isr=2, with three replicas")]
    assert "set offsetsTopicReplicationFactor: 3 on a cluster" in run("lint", "--no-config", file).out


OLD_CHART = """image:
  repository: bitnami/kafka
  tag: 3.4.0-debian-11-r0
replicaCount: 3
offsetsTopicReplicationFactor: 1
logsDirs: /bitnami/kafka/data
"""
