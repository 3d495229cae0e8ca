"""Settings in carriers as repositories hold them: each is judged, or said to be not read; its good twin raises no alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

VARIABLE = "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE"
FROM = "FROM apache/kafka:4.3.0 AS base\n"
NODE = "ENV KAFKA_NODE_ID=1 KAFKA_PROCESS_ROLES=broker KAFKA_LISTENERS=SSL://:9092"
OPTIONS = "-e KAFKA_NODE_ID=1 -e KAFKA_PROCESS_ROLES=broker -e KAFKA_LISTENERS=SSL://:9092"
IMAGE = "apache/kafka:4.3.0"
VARIABLES = "KAFKA_NODE_ID: '1', KAFKA_PROCESS_ROLES: broker, KAFKA_LISTENERS: 'SSL://:9092'"
PAIRS = "{name: KAFKA_NODE_ID, value: '1'}, {name: KAFKA_PROCESS_ROLES, value: broker}, {name: KAFKA_LISTENERS, value: 'SSL://:9092'}"
STRIMZI = "kubectl -n a apply -f - <<EOF\napiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nmetadata: {name: k}\nspec: {kafka: {config: {unclean.leader.election.enable: {}}}}\nEOF\n"
SPRING = "SPRING_KAFKA_PRODUCER_ACKS"
APP = "services:\n  app:\n    image: acme/orders:1\n    command: {}\n"
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n"
UNCLEAN, ACKS = "KA104", "KA101"
JUDGED = {
    "options in one text": ("compose.yml", APP.format("--spring.kafka.producer.acks={} --server.port=80"), ACKS),
    "options in quotes": ("compose.yml", APP.format("'--spring.kafka.producer.acks=\"{}\" --server.port=80'"), ACKS),
    "a list of options": ("compose.yml", APP.format("['--spring.kafka.producer.acks={}', --server.port=80]"), ACKS),
    "a stage that is built upon": ("Dockerfile", f"{FROM}{NODE} {VARIABLE}={{}}\nFROM base\nRUN true\n", UNCLEAN),
    "a stage upon a stage": ("Dockerfile", f"{FROM}{NODE}\nFROM base AS b\nENV {VARIABLE}={{}}\nFROM b AS c\n", UNCLEAN),
    "a stage that is changed": ("Dockerfile", f"{FROM}{NODE} {VARIABLE}=no\nFROM base\nENV {VARIABLE}={{}}\n", UNCLEAN),
    "several arguments": ("Dockerfile", f"{FROM}ARG A=x U={{}}\n{NODE} {VARIABLE}=$U\n", UNCLEAN),
    "an argument in quotes": ("Dockerfile", f'{FROM}ARG U="{{}}"\n{NODE} {VARIABLE}=$U\n', UNCLEAN),
    "docker container run": ("up.sh", f"docker container run {OPTIONS} -e {VARIABLE}={{}} apache/kafka:4.3.0\n", UNCLEAN),
    "docker create": ("up.sh", f"docker create {OPTIONS} -e {VARIABLE}={{}} apache/kafka:4.3.0\n", UNCLEAN),
    "an option without a space": ("up.sh", f"sudo podman run {OPTIONS} -e{VARIABLE}={{}} apache/kafka:4.3.0\n", UNCLEAN),
    "a long option": ("up.sh", f"podman run {OPTIONS} --env={VARIABLE}={{}} apache/kafka:4.3.0\n", UNCLEAN),
    "Spring in a ConfigMap": ("m.yaml", MAP + "  application.yml: |\n    spring:\n      kafka:\n        producer:\n          acks: {}\n", ACKS),
    "a profile in a ConfigMap": ("m.yaml", MAP + "  application.yml: |\n    spring.kafka.producer.acks: all\n  application-prod.yml: |\n    spring.kafka.producer.acks: {}\n", ACKS),
    "two documents in a ConfigMap": ("m.yaml", MAP + "  application.yaml: |\n    server.port: 80\n    ---\n    spring.kafka.producer.acks: {}\n", ACKS),
    "properties in a ConfigMap": ("m.yaml", MAP + "  application-prod.properties: |\n    spring.kafka.producer.acks={}\n", ACKS),
    "properties in quotes in a ConfigMap": ("m.yaml", MAP + '  application.properties: "spring.kafka.producer.acks={}\\n"\n', ACKS),
    "Quarkus in a ConfigMap": ("m.yaml", MAP + "  application.properties: |\n    mp.messaging.outgoing.x.connector=smallrye-kafka\n    mp.messaging.outgoing.x.acks={}\n", ACKS),
    "Micronaut in a ConfigMap": ("m.yaml", MAP + "  application.yml: |\n    kafka:\n      producers:\n        a:\n          acks: {}\n", ACKS),
    "a variable with dots": ("compose.yml", APP.format("[a]\n    environment: {spring.kafka.producer.acks: '{}'}"), ACKS),
    "a variable in small letters": ("compose.yml", APP.format("[a]\n    environment: [spring_kafka_producer_acks={}]"), ACKS),
    "options of GitHub's service": ("ci.yml", f"jobs:\n  t:\n    services:\n      k:\n        image: {IMAGE}\n        options: >-\n          {OPTIONS}\n          --health-cmd 'nc -z l 9092' -e {VARIABLE}={{}} --name k\n", UNCLEAN),
    "an option in one word": ("ci.yml", f"jobs:\n  t:\n    services:\n      k: {{image: '{IMAGE}', options: {OPTIONS} -d -e={VARIABLE}={{}}}}\n", UNCLEAN),
    "an option behind others": ("up.sh", f"docker run -dp 9092:9092 --health-cmd 'nc -z l' {OPTIONS} -ite {VARIABLE}={{}} {IMAGE}\n", UNCLEAN),
    "an action's steps": ("action.yml", f"runs:\n  using: composite\n  steps:\n  - run: docker run {OPTIONS} -e {VARIABLE}={{}} {IMAGE}\n", UNCLEAN),
    "GitLab's alias": (".gitlab-ci.yml", f"t:\n  services:\n  - name: {IMAGE}\n    alias: k\n  variables: {{{VARIABLES}, {VARIABLE}: '{{}}'}}\n", UNCLEAN),
    "GitLab's anchor": (".gitlab-ci.yml", f".k: &k\n  variables: {{{VARIABLES}, {VARIABLE}: '{{}}'}}\nt:\n  <<: *k\n  services: ['{IMAGE}']\n", UNCLEAN),
    "what GitLab extends": (".gitlab-ci.yml", f".k:\n  variables: {{{VARIABLES}, {VARIABLE}: '{{}}'}}\nt:\n  extends: .k\n  variables: {{A: b}}\n  services: ['{IMAGE}']\n", UNCLEAN),
    "what GitLab extends twice": (".gitlab-ci.yml", f".k:\n  services: ['{IMAGE}']\n.l:\n  extends: .k\n  variables: {{{VARIABLE}: '{{}}'}}\nt:\n  extends: [.l]\n  variables: {{{VARIABLES}}}\n", UNCLEAN),
    "Azure's containers": ("azure-pipelines.yml", f"resources:\n  containers:\n  - container: k\n    image: {IMAGE}\n    env: {{{VARIABLES}, {VARIABLE}: {{}}}}\n", UNCLEAN),
    "Bitbucket's services": ("bitbucket-pipelines.yml", f"definitions:\n  services:\n    k:\n      image: {IMAGE}\n      variables: {{{VARIABLES}, {VARIABLE}: '{{}}'}}\n", UNCLEAN),
    "Drone's services": (".drone.yml", f"kind: pipeline\nservices:\n- name: k\n  image: {IMAGE}\n  environment: {{{VARIABLES}, {VARIABLE}: '{{}}'}}\n", UNCLEAN),
    "Tekton's sidecars": ("t.yaml", f"apiVersion: tekton.dev/v1\nkind: Task\nspec:\n  sidecars:\n  - name: k\n    image: {IMAGE}\n    env: [{PAIRS}, {{name: {VARIABLE}, value: '{{}}'}}]\n", UNCLEAN),
    "an image that is built inline": ("compose.yml", f"services:\n  k:\n    build:\n      dockerfile_inline: |\n        FROM {IMAGE}\n        {NODE} {VARIABLE}={{}}\n    volumes: [d:/tmp/kafka-logs]\nvolumes: {{d: }}\n", UNCLEAN),
    "Spring within a chart's values": ("values.yaml", "app:\n  config:\n    spring: {kafka: {producer: {acks: '{}'}}}\n", ACKS),
    "a chart's list of variables": ("values.yaml", f"app:\n  extraEnvVars:\n  - name: A\n  - {{name: {SPRING}, value: '{{}}'}}\n", ACKS),
    "a chart's mapping of variables": ("values.yaml", f"env:\n  {SPRING}: '{{}}'\n", ACKS),
    "variables of a workflow": ("ci.yml", f"env:\n  {SPRING}: '{{}}'\njobs: {{t: {{steps: [{{run: java -jar a.jar}}]}}}}\n", ACKS),
    "variables of Cloud Foundry": ("manifest.yml", f"applications:\n- name: a\n  env: {{{SPRING}: '{{}}'}}\n", ACKS),
    "variables of Heroku": ("app.json", f'{{"env": {{"{SPRING}": {{"value": "{{}}"}}}}}}\n', ACKS),
    "variables of a development container": ("devcontainer.json", f'{{"containerEnv": {{"{SPRING}": "{{}}"}}}}\n', ACKS),
    "variables of Serverless": ("serverless.yml", f"provider:\n  environment:\n    {SPRING}: {{}}\n", ACKS),
    "a unit's variable": ("a.service", f'[Service]\nEnvironment="A=b" "{SPRING}={{}}"\nExecStart=/bin/java -jar a.jar\n', ACKS),
    "a unit's argument": ("a.service", "[Service]\nExecStart=/bin/java -Dspring.kafka.producer.acks={} -jar a.jar\n", ACKS),
    "a script's variable": ("a.sh", f"export {SPRING}={{}}\nexec java -jar a.jar\n", ACKS),
    "one of two applications": ("a.sh", f"{SPRING}={{}} java -jar a.jar &\n{SPRING}=all java -jar b.jar\n", ACKS),
    "variables of a function": ("m.tf", f'resource "aws_lambda_function" "f" {{\n  environment {{\n    variables = {{ {SPRING} = "{{}}" }}\n  }}\n}}\n', ACKS),
    "a block of a variable": ("m.tf", f'resource "google_cloud_run_v2_job" "f" {{\n  template {{\n    env {{\n      name = "{SPRING}"\n      value = "{{}}"\n    }}\n  }}\n}}\n', ACKS),
    "a unit of Quadlet": ("k.container", f'[Container]\nImage={IMAGE}\nEnvironment=KAFKA_NODE_ID=1 KAFKA_PROCESS_ROLES=broker \\\n  KAFKA_LISTENERS=SSL://:9092\nEnvironment="{VARIABLE}={{}}"\n', UNCLEAN),
    "literals of a kustomization": ("kustomization.yaml", f"configMapGenerator:\n- name: k\n  literals:\n  - {VARIABLE}={{}}\n", UNCLEAN),
    "a literal in quotes": ("kustomization.yaml", f"secretGenerator:\n- name: k\n  literals: ['{VARIABLE}=\"{{}}\"']\n", UNCLEAN),
    "a text of Fn::Sub": ("cfn.yaml", "Resources:\n  T:\n    Type: AWS::MSK::Configuration\n    Properties:\n      ServerProperties: !Sub |\n        unclean.leader.election.enable={}\n        log.dirs=${D}\n", UNCLEAN),
    "a script in a ConfigMap": ("m.yaml", MAP + "  init.sh: |\n    cat > /etc/kafka/server.properties <<EOF\n    unclean.leader.election.enable={}\n    broker.id=1\n    log.dirs=/d\n    zookeeper.connect=a:1\n    EOF\n", UNCLEAN),
    "resources that a script applies": ("up.sh", STRIMZI, UNCLEAN),
    "resources through a pipe": ("up.sh", STRIMZI.replace("kubectl -n a apply -f - <<EOF", "cat <<'EOF' | oc apply --filename=-"), UNCLEAN),
}  # fmt: skip
"""(file, its text, the rule) of a risk that is judged, by the carrier."""
SAID = {
    "an option without a space": ("up.fish", f"podman run -e{VARIABLE}={{}} acme/streaming\n"),
    "Log4j's appender": ("log4j.properties", "log4j.appender.k=org.apache.kafka.log4jappender.KafkaLog4jAppender\nlog4j.appender.k.requiredNumAcks={}\n"),
    "names within names of YAML": ("config.yml", "kafka:\n  min:\n    insync:\n      # replicas\n      replicas: {}\n"),
    "names within names of JSON": ("node.json", '{"kafka": {"broker": {"unclean": {"leader": {"election": {"enable": {}}}}}}}'),
    "names within names of HOCON": ("app.conf", "kafka {\n  unclean { leader { election { enable = {} } } }\n}\n"),
    "paths of .NET in XML": ("App.config", '<configuration><appSettings><add key="kafka:acks" value="{}"/></appSettings></configuration>\n'),
}  # fmt: skip
"""(file, its text) of a risk that is said to be not read."""
VALUES = {UNCLEAN: ("true", "false"), ACKS: ("0", "all")}


def lint(folder: Path, name: str, text: str) -> tuple[set[str], str]:
    """(rules, what was said beside the report) of a folder with one file."""
    (folder / name).write_text(text)
    ran = run("lint", folder, "--no-config", "--format", "json")
    rows = ran.json["findings"] if ran.out else []
    return {row["rule"] for row in rows if row["severity"] in ("critical", "high", "medium")}, ran.err


@pytest.mark.parametrize("case", JUDGED)
def test_a_risk_is_judged_and_what_is_good_is_none(case: str, tmp_path: Path) -> None:
    name, text, rule = JUDGED[case]
    bad, good = VALUES[rule]
    assert rule in lint(tmp_path, name, text.replace("{}", bad))[0]
    rules, said = lint(tmp_path, name, text.replace("{}", good))
    assert rules.isdisjoint((rule, "KA1701", "KA1702")) and "not read" not in said


@pytest.mark.parametrize("case", SAID)
def test_a_risk_that_is_not_judged_is_said_to_be_not_read(case: str, tmp_path: Path) -> None:
    name, text = SAID[case]
    assert "not read" in lint(tmp_path, name, text.replace("{}", "0"))[1]


SERVICE = f"services:\n  k:\n    {{}}\n    environment: {{{{{VARIABLES}{{}}}}}}\n    volumes: [d:/tmp/kafka-logs]\nvolumes: {{{{d: }}}}\n"
TOGETHER = {
    "a variable that is handed on": {"compose.yml": SERVICE.format(f"image: {IMAGE}", f", {VARIABLE}: "), ".env": f"{VARIABLE}=%s\n"},
    "a variable's name alone": {"compose.yml": f"services:\n  k:\n    image: {IMAGE}\n    environment: [KAFKA_NODE_ID=1, KAFKA_PROCESS_ROLES=broker, {VARIABLE}]\n", ".env": f"{VARIABLE}=%s\n"},
    "an image that is built beside": {"compose.yml": SERVICE.format("build: .", f", {VARIABLE}: %s"), "Dockerfile": f"FROM {IMAGE}\n"},
    "variables of a built image": {"compose.yml": SERVICE.format("build: {context: ., dockerfile: d, target: base}", ""), "d": f"{FROM}ENV {VARIABLE}=%s\nFROM scratch\n"},
}  # fmt: skip
"""Files of a folder, %s for the value of the variable in one of them."""


@pytest.mark.parametrize("case", TOGETHER)
def test_what_compose_takes_from_files_beside_it_is_judged(case: str, tmp_path: Path) -> None:
    for value, is_found in (("true", True), ("false", False)):
        for name, text in TOGETHER[case].items():
            (tmp_path / name).write_text(text.replace("%s", value))
        rows = run("lint", tmp_path / "compose.yml", "--no-config", "--format", "json").json["findings"]
        assert (UNCLEAN in {row["rule"] for row in rows}) == is_found


PLACES = {
    "run.sh": ("a=b\n    export SPRING_KAFKA_PRODUCER_ACKS=0\n", (7, 1)),
    "application.yml": ("spring:\n      kafka:\n        producer:\n          acks: 0\n", (9, 11)),
    "application.properties": ("a=b\n    spring.kafka.producer.acks=0\n", (7, 5)),
}


@pytest.mark.parametrize("entry", PLACES)
def test_a_finding_in_a_text_stands_at_its_own_place(entry: str, tmp_path: Path) -> None:
    text, place = PLACES[entry]
    (tmp_path / "m.yaml").write_text(f"{MAP}  {entry}: |\n    {text}")
    rows = run("lint", tmp_path / "m.yaml", "--no-config", "--format", "json").json["findings"]
    assert [(row["line"], row["column"]) for row in rows if row["rule"] == ACKS] == [place]
