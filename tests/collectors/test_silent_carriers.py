"""Carriers that held a risk of which nothing was said: judged by now, or counted as not read; good ones raise no alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

KSQL = "bootstrap.servers=b1:9092,b2:9092\nksql.service.id=default_\nsecurity.protocol=SSL\n"
KSQL_IMAGE = "services:\n  ksql:\n    image: confluentinc/cp-ksqldb-server:7.5.0\n    environment:\n      KSQL_BOOTSTRAP_SERVERS: b:9092\n"
JAAS = 'KafkaServer {\n  org.apache.kafka.common.security.plain.PlainLoginModule required\n  username="admin"\n'
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: kafka}\ndata:\n"
NAIS = "apiVersion: kafka.nais.io/v1\nkind: Topic\nmetadata:\n  name: orders\nspec:\n  pool: p\n"
ARGO = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: kafka}
spec:
  source:
    repoURL: https://charts.bitnami.com/bitnami
    chart: kafka
    helm:
"""
HELMFILE = "releases:\n  - name: kafka\n    chart: bitnami/kafka\n"
PATCHES = "resources: [kafka.yaml]\n"
COMPOSE = "services:\n  k:\n    image: apache/kafka:3.9.0\n    environment: {KAFKA_NODE_ID: 1}\n"

CONNECTOR = """\
{"name": "x", "config": {"connector.class": "io.debezium.connector.mysql.MySqlConnector", "database.password": "hunter2Secret", "producer.override.acks": "1"}}
"""

JUDGED = {
    "Argo CD, values": ({"a.yaml": ARGO + "      values: |\n        overrideConfiguration:\n          min.insync.replicas: 1\n"}, "KA102"),
    "Argo CD, values as an object": ({"a.yaml": ARGO + "      valuesObject:\n        overrideConfiguration:\n          unclean.leader.election.enable: true\n"}, "KA104"),
    "Argo CD, parameters": ({"a.yaml": ARGO + '      parameters:\n        - {name: overrideConfiguration.min\\.insync\\.replicas, value: "1"}\n'}, "KA102"),
    "Argo CD, parameters in lines": ({"a.yaml": ARGO + '      parameters:\n      - name: "controller.config.unclean\\\\.leader\\\\.election\\\\.enable"\n        value: "true"\n'}, "KA104"),
    "helmfile, values": ({"helmfile.yaml": HELMFILE + "    values:\n      - overrideConfiguration:\n          unclean.leader.election.enable: true\n"}, "KA104"),
    "helmfile, set": ({"helmfile.yaml": HELMFILE + "    set:\n      - name: overrideConfiguration.min\\.insync\\.replicas\n        value: 1\n"}, "KA102"),
    "ksqlDB's producers": ({"ksql-server.properties": KSQL + "ksql.streams.producer.acks=0\n"}, "KA1209"),
    "ksqlDB's state": ({"ksql-server.properties": KSQL + "ksql.streams.replication.factor=1\n"}, "KA1201"),
    "nais, min.insync.replicas": ({"t.yaml": NAIS + "  config:\n    minimumInSyncReplicas: 1\n    replication: 3\n"}, "KA151"),
    "nais, replication": ({"t.yaml": NAIS + "  config:\n    replication: 1\n    minimumInSyncReplicas: 1\n"}, "KA156"),
    "nais, as JSON": ({"t.json": '{"apiVersion": "kafka.nais.io/v1", "kind": "Topic", "metadata": {"name": "o"}, "spec": {"config": {"minimumInSyncReplicas": 1}}}'}, "KA151"),
    "a topic in a resource of Crossplane's": ({"t.yaml": "apiVersion: kubernetes.crossplane.io/v1alpha2\nkind: Object\nspec: {forProvider: {manifest: {apiVersion: kafka.strimzi.io/v1, kind: KafkaTopic, spec: {replicas: 1}}}}\n"}, "KA156"),
}  # fmt: skip
NOT_READ = {
    "helm in a script": {"i.sh": "helm install k oci://x/kafka --set controller.persistence.enabled=false\n"},
    "helm over several lines": {"i.sh": "helm upgrade --install k bitnami/kafka \\\n  -f values.txt\n"},
    "helm in a Makefile": {"Makefile": "up:\n\thelm install kafka bitnami/kafka --values v.yaml\n"},
    "helm in a workflow": {".github/workflows/d.yml": "on: push\njobs: {a: {runs-on: x, steps: [{run: helm upgrade kafka b/kafka --set replicaCount=1}]}}\n"},
    "a patch of a topic": {"a.sh": "kubectl patch kafkatopic orders --type merge -p '{\"spec\":{\"replicas\":1}}'\n"},
    "Compose in UTF-16 without a mark": {"compose.yml": "s\0e\0r\0v\0i\0c\0e\0s\0:\0 \0{\0k\0a\0f\0k\0a\0:\0 \0{\0i\0m\0a\0g\0e\0:\0 \0a\0p\0a\0c\0h\0e\0/\0k\0a\0f\0k\0a\0}\0}\0"},
    "ksqlDB in Compose, a list": {"compose.yml": KSQL_IMAGE.rpartition("      ")[0] + "    - KSQL_KSQL_STREAMS_REPLICATION_FACTOR=1\n"},
    "JAAS with a password": {"kafka_jaas.conf": JAAS + '  password="hunter2secret";\n};\n'},
    "JAAS with users": {"jaas.conf": JAAS + '  user_admin="hunter2secret";\n};\n'},
    "JAAS without quotes": {"jaas.conf": JAAS + "  password=hunter2secret;\n};\n"},
    "kustomize, patches": {"kustomization.yaml": PATCHES + "patches:\n  - patch: |-\n      - op: replace\n        path: /spec/kafka/config/unclean.leader.election.enable\n        value: true\n"},
    "kustomize, strategic merge": {"kustomization.yaml": PATCHES + "patchesStrategicMerge:\n  - |-\n    kind: Kafka\n    spec: {kafka: {config: {min.insync.replicas: 1}}}\n"},
    "base64 of a Secret that is broken": {"s.yaml": SECRET + "  server.properties: c2VydmVy!!\n"},
    "gzip of a Secret that is broken": {"s.yaml": SECRET + "  server.properties.gz: H4sIAAAAAAAAA0tJLEkEAGNhdGU=\n"},
    "a Secret that is filled in": {"s.yaml": SECRET + "  server.properties: ${SERVER_PROPERTIES}\n"},
    "Compose's file elsewhere": {"x.yml": COMPOSE, "below/.env": "COMPOSE_FILE=../x.yml\n"},
}  # fmt: skip
QUIET = {
    "a Secret with a file of an application's": {"s.yaml": SECRET + "  application.properties: YS5iPWMKeD15Cg==\n"},
    "ksqlDB's own file for production": {"ksql-server.properties": KSQL + "ksql.internal.topic.replicas=3\nksql.streams.producer.acks=all\nksql.streams.replication.factor=3\nksql.streams.processing.guarantee=exactly_once_v2\n"},
    "ksqlDB without Streams' settings": {"ksql-server.properties": KSQL + "ksql.internal.topic.replicas=3\nlisteners=http://0.0.0.0:8088\n"},
    "ksqlDB's image alone": {"compose.yml": KSQL_IMAGE},
    "JAAS filled in later": {"jaas.conf": JAAS + '  password="${PASSWORD}";\n};\n'},
    "JAAS in a comment": {"jaas.conf": JAAS + '  # password="hunter2secret"\n;\n};\n'},
    "nais with its defaults": {"t.yaml": NAIS},
    "nais, good": {"t.yaml": NAIS + "  config:\n    minimumInSyncReplicas: 2\n    replication: 3\n    partitions: 6\n    retentionHours: 168\n"},
    "a Topic of others": {"t.yaml": "apiVersion: example.org/v1\nkind: Topic\nmetadata: {name: kafka}\nspec: {config: {replication: 1}}\n"},
    "names with dots": {"m.yaml": "metrics:\n  - name: kafka.server.requests\n  - name: app.kubernetes.io\n"},
    "Compose's file of others": {"x.yml": "services:\n  a:\n    image: nginx\n", "below/.env": "COMPOSE_FILE=../x.yml\n"},
}  # fmt: skip


def lint(folder: Path, files: dict[str, str]) -> tuple[set[str], str]:
    """(severe rules, what the walk said) of a folder; a secret is in no output."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    ran = run("lint", folder / "below" if (folder / "below").is_dir() else folder, "--no-config", "--format", "json")
    assert "hunter2" not in ran.out + ran.err
    found = ran.json["findings"] if ran.out else []
    return {row["rule"] for row in found if row["severity"] in ("critical", "high")}, ran.err


def test_risks_are_judged(tmp_path: Path) -> None:
    missed = [name for name, (files, rule) in JUDGED.items() if rule not in lint(tmp_path / name, files)[0]]
    assert not missed


def test_risks_that_are_not_judged_are_counted(tmp_path: Path) -> None:
    missed = [name for name, files in NOT_READ.items() if "not read" not in lint(tmp_path / name, files)[1]]
    assert not missed


def test_a_file_of_logins_is_called_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "jaas.conf").write_text(NOT_READ["JAAS with users"]["jaas.conf"])
    assert "this is JAAS, not a properties file" in run("lint", tmp_path / "jaas.conf", "--no-config").err


def test_utf_16_is_not_passed_over(tmp_path: Path) -> None:
    text = "process.roles=broker\nnode.id=1\nmin.insync.replicas=1\n"
    for encoding in ("utf-16", "utf-16-be"):
        mark = "" if encoding == "utf-16" else "\ufeff"
        (tmp_path / "server.properties").write_bytes((mark + text).encode(encoding))
        (tmp_path / "broker.conf").write_bytes((mark + text).encode(encoding))
        said = run("lint", tmp_path, "--no-config").err
        assert "server.properties: is UTF-16" in said
        assert "broker.conf: not read: it names " in said


def test_a_line_with_the_secret_of_another_entity_is_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "connector.json"
    file.write_text(CONNECTOR)
    for arguments in (("--format", "text"), ("--format", "diff"), ("--format", "html")):
        ran = run("advise", file, *arguments)
        assert "hunter2" not in ran.out + ran.err


def test_what_is_good_raises_no_alarm(tmp_path: Path) -> None:
    said = {name: lint(tmp_path / name, files) for name, files in QUIET.items()}
    assert {name: row for name, row in said.items() if row[0] or "not read" in row[1]} == {}


AUTOMQ = """services:
  server:
    image: automqinc/automq:1.6.0
    command:
      - bash
      - -c
      - |
        /opt/automq/kafka/bin/kafka-server-start.sh \\
        /opt/automq/kafka/config/kraft/server.properties \\
        --override node.id=0 \\
        --override controller.quorum.voters=0@server:9093 \\
        --override unclean.leader.election.enable=true{}
"""
WORKER_VALUES = "image:\n  repository: confluentinc/cp-kafka-connect\nconfigurationOverrides:\n  offset.storage.replication.factor: '{}'\n"
OF_OTHERS = {
    "a command over several lines": ("compose.yml", AUTOMQ.format(""), "KA501", True),
    "the folder of a node": ("compose.yml", AUTOMQ.format(""), "KA1701", True),
    "object storage": ("compose.yml", AUTOMQ.format(" --override s3.data.buckets=0@s3://b"), "KA1701", False),
    "a chart of workers": ("values.yaml", WORKER_VALUES.format(1), "KA1201", True),
    "a good chart of workers": ("values.yaml", WORKER_VALUES.format(3), "KA1201", False),
    "a chart of workers among others": ("values.yaml", "cp-kafka-connect:\n  configurationOverrides: {offset.storage.replication.factor: '1'}\n", "KA1201", True),
    "workers are no brokers": ("values.yaml", WORKER_VALUES.format(3), "KA1401", False),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_OTHERS)
def test_carriers_that_are_judged(name: str, tmp_path: Path) -> None:
    file, text, rule, is_found = OF_OTHERS[name]
    (tmp_path / file).write_text(text)
    rows = run("lint", tmp_path / file, "--no-config", "--format", "json").json["findings"]
    assert (rule in {row["rule"] for row in rows}) == is_found


NAMED = {
    "lensesio/box": "image: lensesio/box:latest",
    "landoop/fast-data-dev": "image: landoop/fast-data-dev:3.3",
    "landoop/kafka-lenses-dev": "image: landoop/kafka-lenses-dev",
    "ubuntu/kafka": "image: ubuntu/kafka:3.1-22.04_beta",
}


@pytest.mark.parametrize("image", NAMED)
def test_a_file_that_is_named_is_not_passed_over(image: str, tmp_path: Path) -> None:
    (tmp_path / "compose.yml").write_text(f"services:\n  kafka:\n    {NAMED[image]}\n")
    ran = run("lint", tmp_path / "compose.yml", "--no-config")
    assert f"not read: it names {image}" in ran.err and ran.code == 3
    (tmp_path / "compose.yml").write_text(
        "services:\n  redpanda:\n    image: redpandadata/redpanda:v24\n    environment: {KAFKA_NODE_ID: 1, KAFKA_LISTENERS: 'PLAINTEXT://:1'}\n"
    )
    assert "broker" not in run("lint", tmp_path / "compose.yml", "--no-config").out
