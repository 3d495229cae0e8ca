"""Carriers beside files of Kafka's own: .NET in any case, two roles in a container, CI, files of variables, COMPOSE_FILE."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import Ran, run

UNCLEAN = "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE"
NODE = {"KAFKA_NODE_ID": "1", "KAFKA_PROCESS_ROLES": "broker", "KAFKA_LISTENERS": "SSL://:9092"}
WORKER = {
    "CONNECT_BOOTSTRAP_SERVERS": "a:1,b:1",
    "CONNECT_GROUP_ID": "c",
    "CONNECT_CONFIG_STORAGE_TOPIC": "x",
    "CONNECT_CONFIG_STORAGE_REPLICATION_FACTOR": "1",
}
BAD = {**NODE, UNCLEAN: "true"}


def lint(folder: Path, files: dict[str, str]) -> Ran:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    ran = run("lint", folder, "--no-config", "--format", "json")
    assert "internal error" not in ran.err
    return ran


def rules(ran: Ran) -> set[str]:
    return {row["rule"] for row in ran.json["findings"]} if ran.out else set()


def variables(values: dict[str, str], indent: int, form: str = "{}: '{}'") -> str:
    return "".join(" " * indent + form.format(name, value) + "\n" for name, value in values.items())


def service(image: str, values: dict[str, str], more: str = "") -> str:
    return f"services:\n  k:\n    image: {image}\n    environment:\n{variables(values, 6)}{more}"


ACKS = "KA101"
CLIENT = {"BootstrapServers": "a:1,b:1", "Acks": "None"}
DOTNET: dict[str, object] = {
    "Pascal case": {"Kafka": {"Producer": CLIENT}},
    "camel case": {"kafka": {"producer": {"bootstrapServers": "a:1", "acks": "none"}}},
    "lower case": {"kafka": {"producer": {"bootstrapservers": "a:1", "acks": "none"}}},
    "upper case": {"KAFKA": {"PRODUCER": {"BOOTSTRAPSERVERS": "a:1", "ACKS": "NONE"}}},
    "a name of its own": {"kafkaProducerConfig": {"bootstrapServers": "a:1", "acks": "Leader"}},
    "camel case without a section's name": {"bus": {"bootstrapServers": "a:1", "acks": "0"}},
    "paths": {"Kafka:ProducerConfig:BootstrapServers": "a:1", "Kafka:ProducerConfig:Acks": "None"},
    "paths in camel case": {"kafka:producerConfig:bootstrapServers": "a:1", "kafka:producerConfig:acks": "none"},
    "paths in a section": {"Kafka": {"Producer:BootstrapServers": "a:1", "Producer:Acks": "None"}},
    "paths beside sections": {"Kafka:Producer": {"BootstrapServers": "a:1", "Acks": "None"}},
    "paths in two cases": {"Kafka:Producer:BootstrapServers": "a:1", "KAFKA:PRODUCER:ACKS": "None"},
    "one property": {"Kafka": {"Producer": {"Acks": "None"}}},
    "one property by its path": {"Kafka:Producer:Acks": "None"},
    "a list": {"Kafka": {"Producers": [{"BootstrapServers": "a:1", "Acks": "None"}]}},
}
VARIABLES = {
    "Pascal case": {"Kafka__Producer__BootstrapServers": "a:1", "Kafka__Producer__Acks": "None"},
    "upper case": {"KAFKA__PRODUCER__BOOTSTRAPSERVERS": "a:1", "KAFKA__PRODUCER__ACKS": "None"},
    "lower case": {"kafka__producer__bootstrapservers": "a:1", "kafka__producer__acks": "none"},
    "one": {"Kafka__Producer__Acks": "None"},
    "a section of its own": {"Bus__ProducerConfig__BootstrapServers": "a:1", "Bus__ProducerConfig__Acks": "Leader"},
}


@pytest.mark.parametrize("name", DOTNET)
def test_properties_of_dotnet_in_any_case_and_as_paths(name: str, tmp_path: Path) -> None:
    assert ACKS in rules(lint(tmp_path, {"appsettings.json": json.dumps(DOTNET[name], indent=1)}))


@pytest.mark.parametrize("name", VARIABLES)
@pytest.mark.parametrize("carrier", ["compose.yml", "pod.yml", ".env"])
def test_variables_of_dotnet(carrier: str, name: str, tmp_path: Path) -> None:
    values = VARIABLES[name]
    rows = "".join(f"    - {{name: {key}, value: '{value}'}}\n" for key, value in values.items())
    pod = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: app}}\nspec:\n  containers:\n  - name: app\n    image: x/app:1\n    env:\n{rows}"
    text = {"compose.yml": service("x/app:1", values), "pod.yml": pod, ".env": variables(values, 0, "{}={}")}[carrier]
    ran = lint(tmp_path, {carrier: text})
    (row,) = [row for row in ran.json["findings"] if row["rule"] == ACKS]
    assert row["key"].replace("_", "").lower() in {each.replace("_", "").lower() for each in values}


@pytest.mark.parametrize(
    "text",
    [
        '{"groupId": "org.example", "artifactId": "kafka"}',
        '{"kafka": {"topic": "a", "clientId": "b", "brokers": ["c:1"]}}',
        '{"producer": {"name": "kafka", "retries": 3, "size": 1}}',
        '{"Kafka": {"Topic": "a"}}',
        '{"Kafka:Topic": "a"}',
        '{"consumer": {"debug": true, "color": "kafka", "x": 1}}',
    ],
)
def test_other_objects_are_not_dotnets(text: str, tmp_path: Path) -> None:
    assert rules(lint(tmp_path, {"settings.json": text})) == set()


POD = "apiVersion: v1\nkind: Pod\nmetadata: {{name: k}}\nspec:\n  containers:\n{}"


def container(name: str, image: str, values: dict[str, str]) -> str:
    rows = "".join(f"    - {{name: {key}, value: '{value}'}}\n" for key, value in values.items())
    return f"  - name: {name}\n    image: {image}\n    env:\n{rows}"


DEPLOYMENT = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: k}\nspec:\n  template:\n    spec:\n      containers:\n"
)
BOTH = {
    "one environment": service("x/all:1", {**BAD, **WORKER}),
    "no image": service("x/all:1", {**BAD, **WORKER}).replace("image: x/all:1", "build: ."),
    "a pod": POD.format(container("k", "x/all:1", {**BAD, **WORKER})),
    "a Deployment": DEPLOYMENT + "".join(f"    {line}\n" for line in container("k", "x/all:1", {**BAD, **WORKER}).splitlines()),
    "two containers": POD.format(container("k", "apache/kafka:4.3.0", BAD) + container("c", "confluentinc/cp-kafka-connect:8.0.0", WORKER)),
    "two containers of unknown images": POD.format(container("k", "x/k:1", BAD) + container("c", "x/c:1", WORKER)),
    "the worker first": POD.format(container("c", "x/c:1", WORKER) + container("k", "x/k:1", BAD)),
    "two services": service("x/k:1", BAD) + f"  c:\n    image: x/c:1\n    environment:\n{variables(WORKER, 6)}",
    "a command that starts the worker, too": service("confluentinc/cp-kafka:8.0.0", {**BAD, **WORKER}, "    command: sh -c 'connect-distributed c.cfg & /etc/confluent/docker/run'\n"),
    "a worker's command that starts the broker, too": service("confluentinc/cp-kafka-connect:8.0.0", {**BAD, **WORKER}, "    command: sh -c 'kafka-server-start k.cfg & connect-distributed c.cfg'\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", BOTH)
def test_two_roles_are_both_judged(name: str, tmp_path: Path) -> None:
    assert {"KA104", "KA1201"} <= rules(lint(tmp_path, {"f.yml": BOTH[name]}))


@pytest.mark.parametrize(
    ("image", "is_broker"),
    [
        ("x/kafka:1", True),
        ("x/kafka-ui:1", False),
        ("x/ui-kafka:1", False),
        ("x/kafka-console:1", False),
        ("x/kafka_ui:1", False),
        ("x/kafka-webui:1", False),
        ("x/console:1", False),
        ("ui.example.org/console/kafka:1", True),
        ("x/kafka-build:1", True),
        ("x/guild-kafka:1", True),
        ("provectuslabs/kafka-ui:v1", False),
    ],
)
def test_user_interfaces_are_not_brokers(image: str, is_broker: bool, tmp_path: Path) -> None:
    assert ("KA104" in rules(lint(tmp_path, {"c.yml": service(image, BAD)}))) == is_broker


GITHUB = "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n{}    steps:\n    - run: make\n"
KAFKA = "apache/kafka:4.3.0"
GITLAB = "test:\n  script: [make]\n"
WORKFLOWS = {
    "a service": (".github/workflows/ci.yml", GITHUB.format(f"    services:\n      kafka:\n        image: {KAFKA}\n        env:\n{variables(BAD, 10)}")),
    "another ending": (".github/workflows/ci.yaml", GITHUB.format(f"    services:\n      kafka:\n        image: {KAFKA}\n        env:\n{variables(BAD, 10)}")),
    "an unknown image": (".github/workflows/ci.yml", GITHUB.format(f"    services:\n      k:\n        image: x/y:1\n        env:\n{variables(BAD, 10)}")),
    "the second service": (".github/workflows/ci.yml", GITHUB.format(f"    services:\n      db:\n        image: postgres:16\n      kafka:\n        image: {KAFKA}\n        env:\n{variables(BAD, 10)}")),
    "the job's container": (".github/workflows/ci.yml", GITHUB.format(f"    container:\n      image: {KAFKA}\n      env:\n{variables(BAD, 8)}")),
    "variables as a map in one line": (".github/workflows/ci.yml", GITHUB.format(f"    services:\n      kafka:\n        image: {KAFKA}\n        env: {json.dumps(BAD)}\n")),
    "the second job": (".github/workflows/ci.yml", GITHUB.format("") + f"  more:\n    services:\n      kafka:\n        image: {KAFKA}\n        env:\n{variables(BAD, 10)}"),
    "a reusable workflow's file": (".github/workflows/kafka.yml", "on: workflow_call\n" + GITHUB.format(f"    services:\n      kafka:\n        image: {KAFKA}\n        env:\n{variables(BAD, 10)}").partition("\n")[2]),
    "GitLab's own variables": (".gitlab-ci.yml", f"test:\n  services:\n  - name: {KAFKA}\n    alias: kafka\n    variables:\n{variables(BAD, 6)}  script: [make]\n"),
    "GitLab's job": (".gitlab-ci.yml", f"test:\n  variables:\n{variables(BAD, 4)}  services:\n  - {KAFKA}\n  script: [make]\n"),
    "GitLab's variables of all jobs": (".gitlab-ci.yml", f"variables:\n{variables(BAD, 2)}test:\n  services: ['{KAFKA}']\n  script: [make]\n"),
    "GitLab's services of all jobs": (".gitlab-ci.yml", f"services: ['{KAFKA}']\nvariables:\n{variables(BAD, 2)}{GITLAB}"),
    "GitLab's default": (".gitlab-ci.yml", f"default:\n  services: ['{KAFKA}']\nvariables:\n{variables(BAD, 2)}{GITLAB}"),
    "GitLab's described variable": (".gitlab-ci.yml", f"variables:\n{variables(NODE, 2)}  {UNCLEAN}:\n    value: 'true'\n    description: x\ntest:\n  services: ['{KAFKA}']\n  script: [make]\n"),
    "a job over all jobs": (".gitlab-ci.yml", f"variables:\n{variables({**BAD, UNCLEAN: 'false'}, 2)}test:\n  variables:\n    {UNCLEAN}: 'true'\n  services: ['{KAFKA}']\n  script: [make]\n"),
    "CircleCI": (".circleci/config.yml", f"jobs:\n  t:\n    docker:\n    - image: cimg/base:1\n    - image: {KAFKA}\n      environment:\n{variables(BAD, 8)}    steps: [checkout]\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", WORKFLOWS)
def test_services_of_continuous_integration(name: str, tmp_path: Path) -> None:
    path, text = WORKFLOWS[name]
    assert "KA104" in rules(lint(tmp_path, {path: text}))


STEP = GITHUB.format("")
COMMANDS = {
    "GitHub's step": (".github/workflows/ci.yml", STEP + "    - run: export KAFKA_MIN_INSYNC_REPLICAS=1\n"),
    "a tool": (".github/workflows/ci.yml", STEP + "    - run: |\n        kafka-configs.sh --alter --add-config a=b\n"),
    "variables of a step": (".github/workflows/ci.yml", STEP + f"    - run: ./start.sh\n      env:\n        {UNCLEAN}: 'true'\n"),
    "GitLab's script": (".gitlab-ci.yml", "test:\n  script:\n  - kafka-configs.sh --alter --add-config min.insync.replicas=1\n"),
    "CircleCI's command": (".circleci/config.yml", "jobs:\n  t:\n    docker: [{image: 'cimg/base:1'}]\n    steps:\n    - run: {command: 'kafka-configs --alter --add-config a=b'}\n"),
    "beside a service": (".github/workflows/ci.yml", WORKFLOWS["a service"][1] + "    - run: kafka-configs.sh --alter --add-config a=b\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_of_jobs_are_said_to_be_not_read(name: str, tmp_path: Path) -> None:
    path, text = COMMANDS[name]
    ran = lint(tmp_path, {path: text})
    assert "not read" in ran.err and "a job that" in ran.err
    assert ("KA104" in rules(ran)) == (name == "beside a service")


@pytest.mark.parametrize(
    ("step", "line"),
    [
        ("    - run: kafka-topics.sh --create --topic a --partitions 3 --replication-factor 1\n", 6),
        (
            "    - name: x\n      run: |\n        make\n        kafka-topics.sh --create --topic a --partitions 3 --replication-factor 1\n",
            9,
        ),
    ],
)
def test_commands_of_jobs_are_followed_as_scripts_are(step: str, line: int, tmp_path: Path) -> None:
    rows = lint(tmp_path, {".github/workflows/ci.yml": STEP.replace("    - run: make\n", "") + step}).json["findings"]
    assert ("KA156", line) in {(row["rule"], row["line"]) for row in rows}


@pytest.mark.parametrize(
    "text", [GITHUB.format(""), GITHUB.format("") + "    - run: pip install kafka-python\n", GITLAB]
)
def test_other_jobs_are_not_kafkas(text: str, tmp_path: Path) -> None:
    ran = lint(tmp_path, {"ci.yml": text})
    assert rules(ran) == set() and "not read" not in ran.err


LONE = {
    ".env": variables(BAD, 0, "{}={}"),
    "kafka.env": variables(BAD, 0, "{}={}"),
    ".env.prod": variables(BAD, 0, "{}={}"),
    "broker.properties": variables(BAD, 0, "{}={}"),
    "exported.env": variables(BAD, 0, "export {}={}"),
    "quoted.env": variables(BAD, 0, '{}="{}"'),
    "few.env": f"{UNCLEAN}=true\n",
    "mixed.env": f"DB_HOST=a\nPORT=1\n{UNCLEAN}=true\n",
    "bitnami.env": f"KAFKA_CFG_NODE_ID=1\nKAFKA_CFG_PROCESS_ROLES=broker\n{UNCLEAN.replace('KAFKA_', 'KAFKA_CFG_')}=true\n",
    "few-bitnami.env": f"{UNCLEAN.replace('KAFKA_', 'KAFKA_CFG_')}=true\n",
    "deploy/.env": variables(BAD, 0, "{}={}"),
    "sysconfig": variables(BAD, 0, "{}={}"),
    "comments.env": "# Kafka\n\n" + variables(BAD, 0, "{}={}  # why"),
}


@pytest.mark.parametrize("name", LONE)
def test_a_file_of_variables_alone_is_judged(name: str, tmp_path: Path) -> None:
    assert "KA104" in rules(lint(tmp_path, {name: LONE[name]}))


def test_other_files_of_variables(tmp_path: Path) -> None:
    assert "KA1201" in rules(lint(tmp_path / "a", {"connect.env": variables(WORKER, 0, "{}={}")}))
    assert ACKS in rules(
        lint(tmp_path / "b", {"app.env": "SPRING_KAFKA_BOOTSTRAP_SERVERS=a:1\nSPRING_KAFKA_PRODUCER_ACKS=1\n"})
    )
    apps = "KAFKA_BOOTSTRAP_SERVERS=a:1\nKAFKA_TOPIC=x\nKAFKA_GROUP_ID=y\nKAFKA_HEAP_OPTS=-Xmx1g\n"
    assert rules(lint(tmp_path / "c", {".env": apps})) == set()
    assert rules(lint(tmp_path / "d", {".env": f"{UNCLEAN}=false\n"})) == set()


@pytest.mark.parametrize(("compose", "name"), [("compose.yml", "k.env"), ("compose.yml", "env/k.env")])
def test_a_file_of_variables_that_compose_takes_is_judged_there_once(compose: str, name: str, tmp_path: Path) -> None:
    text = f"services:\n  k:\n    image: {KAFKA}\n    env_file: {name}\n"
    ran = lint(tmp_path, {compose: text, name: variables(BAD, 0, "{}={}")})
    assert [row["rule"] for row in ran.json["findings"]].count("KA104") == 1


ON, OFF = service(KAFKA, BAD), service(KAFKA, {**NODE, UNCLEAN: "false"})
OVER_ON = f"services:\n  k:\n    environment:\n      {UNCLEAN}: 'true'\n"
OVER_OFF = OVER_ON.replace("true", "false")
COMPOSE_FILES = {
    "the base alone": ("COMPOSE_FILE=base.yml\n", {"base.yml": ON}, True),
    "one over another": ("COMPOSE_FILE=base.yml:prod.yml\n", {"base.yml": OFF, "prod.yml": OVER_ON}, True),
    "off over on": ("COMPOSE_FILE=base.yml:prod.yml\n", {"base.yml": ON, "prod.yml": OVER_OFF}, False),
    "three": ("COMPOSE_FILE=a.yml:b.yml:c.yml\n", {"a.yml": OFF, "b.yml": OVER_OFF, "c.yml": OVER_ON}, True),
    "three, off at last": ("COMPOSE_FILE=a.yml:b.yml:c.yml\n", {"a.yml": OFF, "b.yml": OVER_ON, "c.yml": OVER_OFF}, False),
    "the order is the list's": ("COMPOSE_FILE=z.yml:a.yml\n", {"z.yml": OFF, "a.yml": OVER_ON}, True),
    "the order is the list's, off": ("COMPOSE_FILE=z.yml:a.yml\n", {"z.yml": ON, "a.yml": OVER_OFF}, False),
    "quotes": ('COMPOSE_FILE="base.yml:prod.yml"\n', {"base.yml": OFF, "prod.yml": OVER_ON}, True),
    "dots before the names": ("COMPOSE_FILE=./base.yml:./prod.yml\n", {"base.yml": OFF, "prod.yml": OVER_ON}, True),
    "another separator": ("COMPOSE_PATH_SEPARATOR=,\nCOMPOSE_FILE=base.yml,prod.yml\n", {"base.yml": OFF, "prod.yml": OVER_ON}, True),
    "below the folder": ("COMPOSE_FILE=base.yml:over/prod.yml\n", {"base.yml": OFF, "over/prod.yml": OVER_ON}, True),
    "in place of the override file": ("COMPOSE_FILE=compose.yml\n", {"compose.yml": OFF, "compose.override.yml": OVER_OFF}, False),
    "the override file named": ("COMPOSE_FILE=compose.yml:compose.override.yml\n", {"compose.yml": OFF, "compose.override.yml": OVER_ON}, True),
    "a service of the second alone": ("COMPOSE_FILE=base.yml:prod.yml\n", {"base.yml": "services:\n  app:\n    image: x/a:1\n", "prod.yml": ON}, True),
    "a service of the second alone, third over it": ("COMPOSE_FILE=a.yml:b.yml:c.yml\n", {"a.yml": "services:\n  app:\n    image: x/a:1\n", "b.yml": OFF, "c.yml": OVER_ON}, True),
    "no such variable": ("X=1\n", {"compose.yml": OFF, "compose.override.yml": OVER_ON}, True),
    "an empty one": ("COMPOSE_FILE=\n", {"compose.yml": OFF, "compose.override.yml": OVER_ON}, True),
    "a file that is missing": ("COMPOSE_FILE=base.yml:gone.yml\n", {"base.yml": ON}, True),
    "a list in place of a map": ("COMPOSE_FILE=base.yml:prod.yml\n", {"base.yml": OFF, "prod.yml": f"services:\n  k:\n    environment: ['{UNCLEAN}=true']\n"}, True),
    "a file beside that is not named": ("COMPOSE_FILE=base.yml\n", {"base.yml": OFF, "other.yml": ON}, True),
}  # fmt: skip


@pytest.mark.parametrize("name", COMPOSE_FILES)
def test_compose_file_names_what_is_merged(name: str, tmp_path: Path) -> None:
    env, files, fires = COMPOSE_FILES[name]
    ran = lint(tmp_path, {**files, ".env": env})
    assert [row["rule"] for row in ran.json["findings"]].count("KA104") == fires


UNIT = "[Service]\nExecStart=/opt/kafka/bin/kafka-server-start.sh /etc/kafka/server.properties {}\n"
UNITS = {
    "a unit": ("kafka.service", UNIT.format("--override min.insync.replicas=1"), [("KA102", 2)]),
    "over two lines": ("kafka.service", UNIT.format("\\\n  --override min.insync.replicas=1"), [("KA102", 2)]),
    "a drop-in": ("kafka.service.d/override.conf", UNIT.format("--override min.insync.replicas=1"), [("KA102", 2)]),
    "a file alone": ("kafka.service", UNIT.format(""), []),
}


@pytest.mark.parametrize("case", UNITS)
def test_what_a_unit_of_systemd_overrides_is_judged(case: str, tmp_path: Path) -> None:
    name, text, expected = UNITS[case]
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    ran = run("lint", tmp_path, "--format", "json", "--no-config")
    assert [(row["rule"], row["line"]) for row in (ran.json["findings"] if ran.out else [])] == expected


def test_a_file_of_logins_that_the_jvm_is_told_is_not_asked_for(tmp_path: Path) -> None:
    sasl = "KAFKA_LISTENERS: SASL_SSL://:9092\n      KAFKA_SASL_ENABLED_MECHANISMS: PLAIN\n      KAFKA_PROCESS_ROLES: broker\n"
    text = f"services:\n  k:\n    image: apache/kafka:3.9.0\n    environment:\n      {sasl}"
    for options, found in (("", True), ("      KAFKA_OPTS: -Djava.security.auth.login.config=/etc/jaas.conf\n", False)):
        (tmp_path / "compose.yml").write_text(text + options)
        rows = run("lint", tmp_path, "--format", "json", "--no-config").json["findings"]
        assert any(row["rule"] == "KA630" for row in rows) == found


MIRROR = "#!/bin/sh\nexec bin/kafka-mirror-maker.sh --consumer.config c --producer.config p --whitelist '.*' {}\n"
MIRRORS = {
    "goes on": ("--abort.on.send.failure false", ["KA1229"]),
    "goes on, by an equals sign": ("--abort.on.send.failure=false", ["KA1229"]),
    "ends": ("--abort.on.send.failure true", []),
    "says nothing": ("", []),
}


@pytest.mark.parametrize("case", MIRRORS)
def test_how_a_script_starts_mirrormaker_1(case: str, tmp_path: Path) -> None:
    option, expected = MIRRORS[case]
    (tmp_path / "mirror.sh").write_text(MIRROR.format(option))
    ran = run("lint", tmp_path, "--format", "json", "--no-config")
    assert [row["rule"] for row in (ran.json["findings"] if ran.out else [])] == expected


UNCLEAN = "unclean.leader.election.enable"
SUB = (
    "Resources:\n  C:\n    Type: AWS::MSK::Configuration\n    Properties:\n      ServerProperties: !Sub\n        - |\n"
)
IN_MAP = "          min.insync.replicas=2\n          default.replication.factor=3\n          " + UNCLEAN + "=${U}\n"
STATE: dict[str, Any] = {
    "version": 4,
    "terraform_version": "1.9.0",
    "resources": [{"mode": "managed", "type": "aws_msk_configuration", "name": "c"}],
}
PROPERTIES = {
    "Sub with a map": ("t.yml", f"{SUB}{IN_MAP}        - {{U: true}}\n", ["KA104"]),
    "Sub with another value": ("t.yml", f"{SUB}{IN_MAP}        - {{U: false}}\n", []),
    "Sub with another name": ("t.yml", f"{SUB}{IN_MAP}        - {{V: true}}\n", ["unknown KA104"]),
    "a state": ("terraform.tfstate", f"{UNCLEAN}=true\n", ["KA104"]),
    "a state's base64": ("terraform.tfstate", b64encode(f"{UNCLEAN}=true\n".encode()).decode(), ["KA104"]),
}


@pytest.mark.parametrize("case", PROPERTIES)
def test_server_properties_of_amazon_msk(case: str, tmp_path: Path) -> None:
    name, text, expected = PROPERTIES[case]
    if name.endswith("tfstate"):
        (resource,) = STATE["resources"]
        instances = [{"attributes": {"name": "c", "server_properties": text}}]
        text = json.dumps({**STATE, "resources": [{**resource, "instances": instances}]})
    (tmp_path / name).write_text(text)
    report = run("lint", tmp_path, "--format", "json", "--no-config").json
    found = [row["rule"] for row in report["findings"]] + [f"unknown {row['rule']}" for row in report["unknown"]]
    assert [row for row in found if row.endswith("KA104")] == expected
