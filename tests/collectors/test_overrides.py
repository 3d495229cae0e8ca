"""What outranks a file's or a container's own settings: judged, or said to be unknown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collectors.files.variables import variables_of
from tests.support.commands import run

NODE = "KAFKA_NODE_ID: 1\n      KAFKA_PROCESS_ROLES: broker,controller\n      KAFKA_LISTENERS: SSL://:9092"
SERVICE = "services:\n  kafka:\n    image: apache/kafka:4.3.0\n    environment:\n      " + NODE + "\n"
START = "/opt/kafka/bin/kafka-server-start.sh /opt/kafka/config/server.properties"
UNCLEAN = "unclean.leader.election.enable=true"
POD = (
    "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: kafka}}\nspec:\n  template:\n    spec:\n      containers:\n"
    "      - name: kafka\n        image: apache/kafka:4.3.0\n        env:\n        - {{name: KAFKA_NODE_ID, value: '1'}}\n"
    "        - {{name: KAFKA_PROCESS_ROLES, value: broker}}\n{}"
)
APP = "services:\n  app:\n    image: registry.example.org/orders:1\n    environment:\n      SPRING_KAFKA_BOOTSTRAP_SERVERS: a:1,b:1\n{}"
JSON = json.dumps({"spring": {"kafka": {"producer": {"acks": "1"}}}})
FOUND = {
    "command as text": (SERVICE + f"    command: {START} --override {UNCLEAN}\n", "KA104"),
    "command as list": (SERVICE + f"    command: [{START.split()[0]}, f, --override, {UNCLEAN}]\n", "KA104"),
    "override with an equals sign": (SERVICE + f"    command: {START} --override={UNCLEAN}\n", "KA104"),
    "through a shell": (SERVICE + f"    command: sh -c '{START} --override {UNCLEAN}'\n", "KA104"),
    "shell as list": (SERVICE + f"    command: [sh, -c, '{START} --override {UNCLEAN}']\n", "KA104"),
    "entrypoint": (SERVICE + f"    entrypoint: {START} --override {UNCLEAN}\n", "KA104"),
    "two of them": (SERVICE + f"    command: {START} --override a.b=1 --override {UNCLEAN}\n", "KA104"),
    "extra flags": (SERVICE + f"      KAFKA_EXTRA_FLAGS: --override {UNCLEAN}\n", "KA104"),
    "over the variable": (
        SERVICE + f"      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'false'\n    command: {START} --override {UNCLEAN}\n", "KA104"),
    "a default within a default": (
        SERVICE + "      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: ${OWN:-${OURS:-${ALL:-true}}}\n", "KA104"),
    "args of a pod": (POD.format(f"        args: [--override, {UNCLEAN}]\n"), "KA104"),
    "command of a pod": (POD.format(f"        command: [sh, -c, '{START} --override {UNCLEAN}']\n"), "KA104"),
    "command in a block": (POD.format(f"        command:\n        - sh\n        - -c\n        - |\n          exec {START} \\\n            --override {UNCLEAN}\n"), "KA104"),
    "a variable of the service": (
        SERVICE + f"      LEADS: 'true'\n    command: sh -c '{START} --override unclean.leader.election.enable=$${{LEADS}}'\n", "KA104"),
    "a variable of the pod": (
        POD.format("        - {name: LEADS, value: 'true'}\n        args: [--override, unclean.leader.election.enable=$(LEADS)]\n"), "KA104"),
    "a variable of the pod in another one": (
        POD.format("        - {name: LEADS, value: 'true'}\n        - {name: KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE, value: $(LEADS)}\n"), "KA104"),
    "argument of Spring": (APP.format("    command: java -jar app.jar --spring.kafka.producer.acks=1\n"), "KA101"),
    "system property of Spring": (APP.format("    command: [java, -Dspring.kafka.producer.acks=1, -jar, app.jar]\n"), "KA101"),
    "tool options": (APP.format("      JAVA_TOOL_OPTIONS: -Xmx1g -Dspring.kafka.producer.acks=1\n"), "KA101"),
    "json": (APP.format(f"      SPRING_APPLICATION_JSON: '{JSON}'\n"), "KA101"),
    "connector's producer": (json.dumps({"name": "c", "config": {"connector.class": "x.Source", "producer.override.acks": "1"}}), "KA101"),
    "connector's consumer": (json.dumps({"name": "c", "config": {"connector.class": "x.Sink", "consumer.override.isolation.level": "read_comitted"}}), "KA1"),
    "configs with content": (f"services:\n  kafka:\n    image: apache/kafka:4.3.0\nconfigs:\n  server.properties:\n    content: |\n      process.roles=broker\n      node.id=1\n      log.dirs=/d\n      {UNCLEAN}\n", "KA104"),
}  # fmt: skip


@pytest.mark.parametrize("name", FOUND)
def test_what_outranks_the_file_is_judged(name: str, tmp_path: Path) -> None:
    text, rule = FOUND[name]
    (tmp_path / ("f.json" if text.startswith("{") else "f.yml")).write_text(text)
    assert rule in run("lint", tmp_path, "--no-config", "--format", "concise").out


def test_a_variable_that_is_a_secret_or_not_known_stays_one(tmp_path: Path) -> None:
    given = "      STORE_PASSWORD: hunter2\n      EMPTY:\n"
    keys = "--override ssl.keystore.location=/k/$${STORE_PASSWORD} --override unclean.leader.election.enable=$${EMPTY}"
    (tmp_path / "f.yml").write_text(SERVICE + given + f"    command: sh -c '{START} {keys}'\n")
    ran = run("lint", tmp_path, "--no-config", "--format", "json", "-v")
    assert "hunter2" not in ran.out + ran.err
    assert any("unclean.leader.election.enable is filled in later" in row["reason"] for row in ran.json["unknown"])


def test_a_variable_of_a_pod_that_is_a_secret_or_stands_behind_stays_a_reference(tmp_path: Path) -> None:
    secret = "        - {name: STORE_PASSWORD, value: hunter2}\n        - {name: KAFKA_BROKER_RACK, value: $(STORE_PASSWORD)}\n"
    behind = "        - {name: KAFKA_NUM_PARTITIONS, value: $(NUMBER)}\n        - {name: NUMBER, value: '0'}\n"
    (tmp_path / "f.yml").write_text(POD.format(secret + behind))
    for command in ("lint", "effective"):
        ran = run(command, tmp_path / "f.yml", *(("--no-config", "-v") if command == "lint" else ()))
        assert "hunter2" not in ran.out + ran.err and "must be" not in ran.out


@pytest.mark.parametrize(
    "command",
    [
        f"sh -c 'echo {UNCLEAN} >> /opt/kafka/config/server.properties && {START}'",
        f"sh -c 'echo {UNCLEAN} | tee -a /opt/kafka/config/server.properties; {START}'",
        f"sh -c 'sed -i s/false/true/ /opt/kafka/config/server.properties; {START}'",
        f"sh -c 'cat more.properties > /etc/kafka/server.properties; {START}'",
        f"sh -c 'cp /conf/my.properties /opt/kafka/config/server.properties && {START}'",
        f"sh -c 'mv /conf/my.properties /opt/kafka/config/server.properties; {START}'",
    ],
)
def test_what_a_command_writes_is_unknown(command: str, tmp_path: Path) -> None:
    (tmp_path / "f.yml").write_text(SERVICE + f"    command: {command}\n")
    ran = run("lint", tmp_path, "--no-config", "--format", "json").json
    assert any("the command changes the file of properties" in row["reason"] for row in ran["unknown"])
    rows = [row for row in ran["findings"] if row["value"] is None and row["severity"] in ("critical", "high")]
    assert {row["entity"]["kind"] for row in rows} <= {"deployment"}


OWN_SCRIPTS = {
    "an entrypoint": ("    entrypoint: /conf/entrypoint.sh\n", "entrypoint.sh"),
    "a command": ("    command: ./start-it.sh\n", "start-it.sh"),
    "behind a shell": ("    command: bash /conf/start.sh\n", "start.sh"),
    "in a list": ("    command: [bash, -c, /conf/start.sh]\n", "start.sh"),
    "before the image's own start": ("    command: bash -c '/conf/wait.sh && /etc/kafka/docker/run'\n", ""),
    "the image's own": ("    command: /etc/kafka/docker/run\n", ""),
    "the server's": (f"    command: {START}\n", ""),
    "none": ("", ""),
}


@pytest.mark.parametrize("case", OWN_SCRIPTS)
def test_what_a_script_starts_in_place_of_the_image_may_set_what_is_left_out(case: str, tmp_path: Path) -> None:
    command, script = OWN_SCRIPTS[case]
    (tmp_path / "f.yml").write_text(SERVICE + command)
    ran = run("lint", tmp_path, "--no-config", "--format", "json").json
    reasons = {row["reason"] for row in ran["unknown"] if row["rule"] == "KA103"}
    assert reasons == ({f"{script} starts it, and may set it"} if script else set())


DOCKERFILE = (
    "FROM apache/kafka:4.3.0\nARG LEADS=false\nENV KAFKA_NODE_ID=1 KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE=$LEADS\n"
)
BUILDS = {
    "compose": ("compose.yml", "services:\n  k:\n    build:\n      context: k\n      args: {LEADS: 'true'}\n", True),
    "a mapping": ("compose.yml", "services:\n  k:\n    build:\n      args:\n        LEADS: 'true'\n", True),
    "a list": ("compose.yml", "services:\n  k:\n    build:\n      args:\n      - OTHER=1\n      - LEADS=true\n", True),
    "a script": ("build.sh", "docker build --build-arg LEADS=true k\n", True),
    "buildx": ("Makefile", "image:\n\tdocker buildx build --build-arg=LEADS=true k\n", True),
    "a workflow": (
        "ci.yml",
        "steps:\n- uses: docker/build-push-action@v6\n  with:\n    build-args: |\n      OTHER=1\n      LEADS=true\n",
        True,
    ),
    "another argument": ("build.sh", "docker build --build-arg VERSION=1 k\n", False),
    "a variable of the same name": ("compose.yml", "services:\n  k:\n    environment:\n      LEADS: 'true'\n", False),
    "arguments of a command": (
        "pod.yml",
        "spec:\n  containers:\n  - args: [run]\n    env:\n    - name: LEADS\n",
        False,
    ),
}


@pytest.mark.parametrize("case", BUILDS)
def test_an_argument_that_a_build_passes_is_unknown(case: str, tmp_path: Path) -> None:
    name, text, is_passed = BUILDS[case]
    (tmp_path / "k").mkdir()
    (tmp_path / "k/Dockerfile").write_text(DOCKERFILE)
    (tmp_path / name).write_text(text)
    ran = run("lint", tmp_path, "--no-config", "--format", "json").json
    assert ("KA104" in {row["rule"] for row in ran["unknown"]}) is is_passed


OVERLAYS = {
    "docker-compose.yml": "docker-compose.override.yml",
    "docker-compose.yaml": "docker-compose.override.yaml",
    "compose.yml": "compose.override.yml",
    "compose.yaml": "compose.override.yaml",
}


@pytest.mark.parametrize("base", OVERLAYS)
def test_the_override_file_is_merged_as_compose_does(base: str, tmp_path: Path) -> None:
    (tmp_path / base).write_text(SERVICE + "      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'false'\n")
    over = tmp_path / OVERLAYS[base]
    over.write_text("services:\n  kafka:\n    environment:\n      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true'\n")
    for path in (tmp_path, tmp_path / base):
        ran = run("lint", path, "--no-config", "--format", "json").json
        (finding,) = [row for row in ran["findings"] if row["rule"] == "KA104"]
        assert (finding["file"], finding["line"]) == (str(over), 4)
    over.write_text("services:\n  kafka:\n    environment: [KAFKA_AUTO_CREATE_TOPICS_ENABLE=false]\n")
    ran = run("lint", tmp_path, "--no-config", "--format", "json").json
    assert not [row for row in ran["findings"] if row["rule"] == "KA104"]


def test_a_service_of_the_override_alone_is_judged(tmp_path: Path) -> None:
    (tmp_path / "compose.yml").write_text("services:\n  app:\n    image: x/app:1\n")
    (tmp_path / "compose.override.yml").write_text(SERVICE + "      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true'\n")
    assert "KA104" in run("lint", tmp_path, "--no-config", "--format", "concise").out


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('A="true"', "true"),
        ("A='true'", "true"),
        ('A="true" # why', "true"),
        ("A='true'   # why", "true"),
        ("A=true # why", "true"),
        ("A=true\t# why", "true"),
        ("A=a#b", "a#b"),
        ('A="a # b"', "a # b"),
        ("A='a \\\" b'", 'a \\" b'),
        ('A="a \\" b"', 'a " b'),
        ('A="a\\nb"', "a\nb"),
        ("export A=true", "true"),
        ("A = true", "true"),
        ("A=", ""),
        ('A=""', ""),
        ("  A=x  ", "x"),
        ('A=x"y"', 'x"y"'),
    ],
)
def test_env_files_are_read_as_compose_reads_them(line: str, value: str) -> None:
    assert variables_of(line + "\n") == {"A": value}


OVER = "services:\n  kafka:\n    image: confluentinc/cp-kafka:7.3.0\n    environment:\n      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true'\n"


@pytest.mark.parametrize(("name", "refused"), [("docker-compose.override.yml", False), ("docker-compose.yml", True)])
def test_what_an_override_leaves_out_the_missing_file_may_set(name: str, refused: bool, tmp_path: Path) -> None:
    (tmp_path / name).write_text(OVER)
    rows = run("lint", tmp_path, "--no-config", "--format", "json").json["findings"]
    assert any(row["refused_by_kafka"] for row in rows) is refused
    assert "KA104" in {row["rule"] for row in rows}


def test_an_override_that_is_judged_without_the_file_beside_it_is_not_refused(tmp_path: Path) -> None:
    (tmp_path / "compose.yml").write_text(SERVICE)
    (tmp_path / "compose.override.yml").write_text(OVER)
    rows = run("lint", tmp_path / "compose.override.yml", "--no-config", "--format", "json").json["findings"]
    assert "KA104" in {row["rule"] for row in rows}
    assert not any(row["refused_by_kafka"] for row in rows)


def test_the_containers_of_each_job_are_a_cluster_of_their_own(tmp_path: Path) -> None:
    broker = "    - image: apache/kafka:4.3.0\n      environment: {KAFKA_NODE_ID: 1, KAFKA_PROCESS_ROLES: 'broker,controller', KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093'}\n"
    jobs = "".join(f"  {name}:\n    docker:\n    - image: cimg/go\n{broker}    steps: [checkout]\n" for name in "abc")
    (tmp_path / ".circleci").mkdir()
    (tmp_path / ".circleci/config.yml").write_text(f"jobs:\n{jobs}")
    rules = {row["rule"] for row in run("lint", tmp_path, "--no-config", "--format", "json").json["findings"]}
    assert rules and "KA305" not in rules
