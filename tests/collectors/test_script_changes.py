"""Scripts beside a file of properties, or in the manifests that hold it, which change it before the server reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import run

NODE = (
    "process.roles=broker\ncontroller.listener.names=CONTROLLER\ncontroller.quorum.voters=9@c:9093\n"
    "listeners=PLAINTEXT://0.0.0.0:9092\noffsets.topic.replication.factor=1\n"
)
APPENDS = '#!/bin/sh\necho "node.id=$ID" >> /opt/kafka/config/server.properties\n'
EDITS = "sed -i 's|^listeners=.*|listeners=PLAINTEXT://'$HOST':9092|; s/^#node\\.id=.*/node.id=1/' $CONF/server.properties\n"
OVERRIDES = (
    'exec kafka-server-start.sh server.properties --override node.id=${HOSTNAME##*-} --override listeners="$L"\n'
)
COMPUTED = 'for key in $KEYS; do echo "$key=$value" >> server.properties; done\n'
ADVERTISES = 'echo "advertised.listeners=PLAINTEXT://$HOST:9092" >> server.properties\n'
CASES: dict[str, tuple[str, str, set[str]]] = {
    "appends the id": ("entrypoint.sh", APPENDS, {"listeners"}),
    "appends all that is missing": ("entrypoint.sh", APPENDS + ADVERTISES, set()),
    "in a file without an ending": ("start-kafka", APPENDS + ADVERTISES, set()),
    "below the folder": ("bin/start.sh", APPENDS + ADVERTISES, set()),
    "edits in place": ("entrypoint.sh", EDITS, set()),
    "overrides at the start": ("run.sh", OVERRIDES, set()),
    "keys of variables": ("run.sh", COMPUTED, set()),
    "of an image that copies it": (
        "Dockerfile",
        f"FROM a\nCOPY server.properties /k/\nRUN {APPENDS[10:]}",
        {"listeners"},
    ),
    "of an image that does not": ("Dockerfile", f"FROM a\nRUN {APPENDS[10:]}", {"listeners", "node.id"}),
    "of another file": ("run.sh", APPENDS.replace("server", "broker"), {"listeners", "node.id"}),
    "only reads": ("run.sh", "kafka-server-start.sh server.properties\n", {"listeners", "node.id"}),
    "too far away": ("a/b/c/run.sh", APPENDS, {"listeners", "node.id"}),
}


def refused(folder: Path) -> tuple[set[str], dict[str, Any]]:
    document = run("lint", folder, "--no-config", "--format", "json").json
    return {row["key"] for row in document["findings"] if row["refused_by_kafka"] and not row["cause"]}, document


@pytest.mark.parametrize("case", CASES)
def test_what_a_script_sets_is_not_refused(case: str, tmp_path: Path) -> None:
    name, script, keys = CASES[case]
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text(script)
    (tmp_path / "server.properties").write_text(NODE)
    found, document = refused(tmp_path)
    assert found == keys
    assert any(row["rule"] == "KA401" for row in document["findings"])
    assert ("node.id" in keys) != any(
        "node.id" in row["reason"] or name in row["reason"] for row in document["unknown"]
    )


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


@pytest.mark.parametrize(
    ("script", "keys"), [(APPENDS, {"listeners"}), (EDITS, set()), ("echo ok\n", {"listeners", "node.id"})]
)
def test_what_a_script_of_a_config_map_sets_is_not_refused(script: str, keys: set[str], tmp_path: Path) -> None:
    texts = f"  init.sh: |\n{indented(script)}  server.properties: |\n{indented(NODE)}"
    (tmp_path / "map.yaml").write_text(f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: kafka}}\ndata:\n{texts}")
    found, document = refused(tmp_path)
    assert found == keys
    reasons = {row["reason"] for row in document["unknown"]}
    assert any("${script}" in reason for reason in reasons) is ("node.id" not in keys)


WORKLOAD = (
    "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: kafka}}\nspec:\n  replicas: {replicas}\n  template:\n    spec:\n"
    "      containers: [{{name: k, image: acme/k, command: [a]}}]\n      volumes: [{{name: c, configMap: {{name: kafka}}}}]\n"
)


@pytest.mark.parametrize(
    ("workload", "is_created"),
    [("", True), (WORKLOAD.format(replicas=3), True), (WORKLOAD.format(replicas=1), False)],
)
def test_a_config_map_is_for_as_many_brokers_as_mount_it(workload: str, is_created: bool, tmp_path: Path) -> None:
    head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kafka}\ndata:\n  server.properties: |\n"
    (tmp_path / "map.yaml").write_text(head + indented(NODE) + workload)
    _, document = refused(tmp_path)
    assert any(row["rule"] == "KA1706" for row in document["findings"]) is not is_created


def test_the_start_of_one_broker_says_nothing_of_the_start_of_another(tmp_path: Path) -> None:
    for number in "12":
        start = f"kafka-server-start.sh server.properties --override broker.id={number} --override log.dirs=/tmp/k{number}\n"
        (tmp_path / f"start{number}.sh").write_text(start)
    rows = run("lint", tmp_path, "--no-config", "--format", "json").json["findings"]
    assert [(row["key"], row["value"]) for row in rows if row["rule"] == "KA701"] == [
        ("log.dirs", "/tmp/k1"),
        ("log.dirs", "/tmp/k2"),
    ]


SERVERS = 'for i in 1 2 3; do echo "server.$i=zk$i:2888:3888" >> {}; done\n'
ENSEMBLES = {
    "a loop": ("zookeeper.properties", SERVERS.format("zookeeper.properties"), False),
    "zoo.cfg": ("zoo.cfg", SERVERS.format("/conf/zoo.cfg"), False),
    "a fixed line": ("zoo.cfg", "echo server.2=zk2:2888:3888 >> /conf/zoo.cfg\n", False),
    "of another file": ("zoo.cfg", SERVERS.format("/conf/other.cfg"), True),
    "another key": ("zoo.cfg", "echo dataDir=/d >> /conf/zoo.cfg\n", True),
    "only reads": ("zoo.cfg", "grep server.1= /conf/zoo.cfg\n", True),
}


@pytest.mark.parametrize("case", ENSEMBLES)
def test_servers_that_a_script_adds_are_an_ensemble(case: str, tmp_path: Path) -> None:
    name, script, is_alone = ENSEMBLES[case]
    (tmp_path / name).write_text("tickTime=2000\ndataDir=/d\nclientPort=2181\n")
    (tmp_path / "start.sh").write_text(script)
    report = run("lint", tmp_path, "--no-config", "--format", "json").json
    assert ("KA1230" in {row["rule"] for row in report["findings"]}) is is_alone
    assert ("KA1230" in {row["rule"] for row in report["unknown"]}) is not is_alone
