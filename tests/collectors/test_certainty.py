"""What a file does not decide is not certain: branches of templates, placeholders, keys of another client, what a platform adds."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from tests.support.commands import run

UNCLEAN = "unclean.leader.election.enable"
NODE = "process.roles=broker\nnode.id=1\nlog.dirs=/d\n"
BRANCHES = {
    "Jinja": (".j2", f"{NODE}{{% if dev %}}\n{UNCLEAN}=true\n{{% endif %}}\n", "likely"),
    "ERB": (".erb", f"{NODE}<% if @dev %>\n{UNCLEAN}=true\n<% end %>\n", "likely"),
    "Go": (".tmpl", f"{NODE}{{{{ if .Dev }}}}\n{UNCLEAN}=true\n{{{{ end }}}}\n", "likely"),
    "FreeMarker": (".ftl", f"{NODE}<#if dev>\n{UNCLEAN}=true\n</#if>\n", "likely"),
    "a loop": (".j2", f"{NODE}{{% for x in y %}}\n{UNCLEAN}=true\n{{% endfor %}}\n", "likely"),
    "two deep": (".j2", f"{NODE}{{% if a %}}\n{{% if b %}}\n{UNCLEAN}=true\n{{% endif %}}\n{{% endif %}}\n", "likely"),
    "after the branch": (".j2", f"{NODE}{{% if a %}}\nbroker.rack=a\n{{% endif %}}\n{UNCLEAN}=true\n", "certain"),
    "the whole file": (".j2", f"{{% if a %}}\n{NODE}{UNCLEAN}=true\n{{% endif %}}\n", "certain"),
    "no template": ("", f"{NODE}{UNCLEAN}=true\n", "certain"),
}


def findings(folder: Path, *options: str) -> list[dict[str, object]]:
    ran = run("lint", folder, "--no-config", "--format", "json", *options)
    return list(ran.json["findings"]) if ran.out else []


@pytest.mark.parametrize("name", BRANCHES)
def test_a_value_in_one_branch_is_likely(name: str, tmp_path: Path) -> None:
    ending, text, confidence = BRANCHES[name]
    (tmp_path / f"server.properties{ending}").write_text(text)
    assert [row["confidence"] for row in findings(tmp_path) if row["rule"] == "KA104"] == [confidence]


def test_what_one_branch_says_is_not_certainly_refused(tmp_path: Path) -> None:
    text = f"{NODE}min.insync.replicas=0\n"
    (tmp_path / "a.properties").write_text(text)
    assert any(row["refused_by_kafka"] for row in findings(tmp_path) if row["key"] == "min.insync.replicas")
    (tmp_path / "a.properties").write_text(f"{NODE}{{% if dev %}}\nmin.insync.replicas=0\n{{% endif %}}\n")
    rows = [row for row in findings(tmp_path) if row["key"] == "min.insync.replicas" and row["rule"] == "KA1409"]
    assert [(row["refused_by_kafka"], row["confidence"]) for row in rows] == [(False, "likely")]


CHART = "apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata:\n  name: k\nspec:\n  kafka:\n    config:\n      min.insync.replicas: 2\n{}"


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        (CHART.format(f"      {{{{- if .Values.dev }}}}\n      {UNCLEAN}: true\n      {{{{- end }}}}\n"), "likely"),
        (CHART.format(f"      {UNCLEAN}: true\n"), "certain"),
        ("{{- if .Values.kafka }}\n" + CHART.format(f"      {UNCLEAN}: true\n") + "{{- end }}\n", "certain"),
        ("{{- if .Values.kafka }}\r\n" + CHART.format(f"      {UNCLEAN}: true\r\n") + "{{- end }}\r\n", "certain"),
    ],
)
def test_a_value_in_a_branch_of_a_chart_is_likely(text: str, confidence: str, tmp_path: Path) -> None:
    (tmp_path / "kafka.yaml").write_text(text)
    assert [row["confidence"] for row in findings(tmp_path) if row["rule"] == "KA104"] == [confidence]


@pytest.mark.parametrize(
    ("value", "is_secret"),
    [
        ("REPLACE_WITH_PASSWORD", False), ("[KAFKA_PASSWORD]", False), ("REPLACE_ME", False), ("YOUR_PASSWORD", False), ("INSERT_PASSWORD_HERE", False),
        ("CHANGE_ME", False), ("your-password", False), ("your_password", False), ("TO_BE_REPLACED", False), ("hunter2", True),
        ("changeit", True), ("changeme", True), ("s3cr3t_YOURS", True), ("MYREPLACE_X", True),
    ],
)  # fmt: skip
def test_words_that_are_to_be_replaced_are_no_secrets(value: str, is_secret: bool, tmp_path: Path) -> None:
    jaas = f'org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="{value}";'
    (tmp_path / "p.properties").write_text(
        f"bootstrap.servers=a:1\nacks=all\nssl.keystore.password={value}\nsasl.jaas.config={jaas}\n"
    )
    keys = {row["key"] for row in findings(tmp_path) if row["rule"] == "KA616"}
    assert keys == ({"ssl.keystore.password", "sasl.jaas.config"} if is_secret else set())


SERIALIZERS = "key.serializer=a.B\nvalue.serializer=a.B\n"
DESERIALIZERS = "key.deserializer=a.B\nvalue.deserializer=a.B\n"
BOTH = "acks=all\nretries=1\nlinger.ms=1\ngroup.id=\nenable.auto.commit=true\n"


@pytest.mark.parametrize(
    ("text", "kinds", "judged"),
    [
        (SERIALIZERS + BOTH, {"producer"}, False),
        (DESERIALIZERS + BOTH, {"consumer"}, True),
        (SERIALIZERS + DESERIALIZERS + BOTH, {"client"}, True),
        (BOTH, {"client"}, True),
    ],
)
def test_keys_of_a_consumer_in_a_producers_file_are_judged_as_ignored(
    text: str, kinds: set[str], judged: bool, tmp_path: Path
) -> None:
    (tmp_path / "c.properties").write_text(f"bootstrap.servers=a:1\n{text}")
    rows = findings(tmp_path)
    assert {row["entity"]["kind"] for row in rows} == kinds  # type: ignore[index]
    assert any(row["rule"] == "KA1107" for row in rows) == judged


POD = "apiVersion: v1\nkind: Service\nmetadata: {{name: kafka}}\nspec: {}\n---\n" + (
    "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: kafka}}\nspec:\n  template:\n    spec:\n      containers:\n"
    "      - name: kafka\n        image: confluentinc/cp-kafka:7.9.0\n        env:\n        - {{name: KAFKA_NODE_ID, value: '1'}}\n"
)


@pytest.mark.parametrize(("spec", "links"), [("{clusterIP: None}", False), ("{}", True), ("{type: NodePort}", True)])
def test_a_headless_service_adds_no_variables(spec: str, links: bool, tmp_path: Path) -> None:
    (tmp_path / "k.yaml").write_text(POD.format(spec))
    assert any(row["rule"] == "KA1710" for row in findings(tmp_path)) == links


LISTENERS = "listeners:\n  client: {protocol: SSL}\nreplicaCount: 3\n"


@pytest.mark.parametrize(
    ("text", "zookeeper"),
    [
        (LISTENERS + "zookeeper: {persistence: {size: 1Gi}}\n", False),
        (LISTENERS + "zookeeper: {enabled: false}\n", False),
        (LISTENERS + "zookeeper: {enabled: true}\n", True),
        (LISTENERS + "zookeeper: {enabled: yes}\n", True),
    ],
)
def test_charts_with_listeners_are_in_kraft_unless_zookeeper_is_on(text: str, zookeeper: bool, tmp_path: Path) -> None:
    (tmp_path / "values.yaml").write_text(text)
    assert any(row["rule"] == "KA522" for row in findings(tmp_path)) == zookeeper


STRIMZI = "apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nmetadata: {{name: k}}\nspec:\n  kafka: {{replicas: 3}}\n  zookeeper: {}\n"


@pytest.mark.parametrize(
    ("zookeeper", "single"),
    [("{replicas: 1}", True), ("{}", True), ("{replicas: 3}", False), ("{replicas: '${ZK}'}", False)],
)
def test_a_placeholder_for_the_number_of_servers_is_unknown(zookeeper: str, single: bool, tmp_path: Path) -> None:
    (tmp_path / "k.yaml").write_text(STRIMZI.format(zookeeper))
    assert any(row["rule"] == "KA523" for row in findings(tmp_path, "--kafka-version", "3.9")) == single


@pytest.mark.parametrize(
    ("image", "takes"),
    [("confluentinc/cp-kafka:7.9.0", False), ("apache/kafka:3.9.0", False), ("bitnamilegacy/kafka:3.9", True)],
)
def test_the_cluster_id_has_the_name_that_the_image_reads(image: str, takes: bool, tmp_path: Path) -> None:
    (tmp_path / "c.yml").write_text(
        f"services:\n  k:\n    image: {image}\n    environment:\n      KAFKA_NODE_ID: 1\n      KAFKA_CFG_NODE_ID: 1\n      KAFKA_CLUSTER_ID: abc\n"
    )
    rows = [row for row in findings(tmp_path) if row["key"] == "KAFKA_CLUSTER_ID"]
    assert ([row["required"] for row in rows] == ["CLUSTER_ID"]) == (not takes)


VARIABLES = "    image: ${IMAGE}\n    environment:\n      KAFKA_NODE_ID: 1\n      KAFKA_PROCESS_ROLES: broker,controller\n      KAFKA_CONTROLLER_LISTENER_NAMES: C\n      KAFKA_CONTROLLER_QUORUM_VOTERS: 1@k:9093\n"
FROM = "FROM apache/kafka:4.3.1\nENV KAFKA_NODE_ID=1\nENV KAFKA_PROCESS_ROLES=broker,controller\nENV KAFKA_CONTROLLER_LISTENER_NAMES=C\n"
AUTHORIZED = "apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: {name: k}\nspec:\n  kafka:\n    version: 4.1.0\n    authorization: {type: simple}\n"
TOOL = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: r}\nspec:\n  template:\n    spec:\n      containers:\n        - name: t\n          image: apache/kafka:4.1.0\n          command: [sh, -c, kafka-topics --create --topic a --replication-factor 3 --bootstrap-server b:9092]\n"
HOCON = 'exporter {\n  security.protocol = "SASL_SSL"\n  sasl.mechanism = "PLAIN"\n  bootstrap.servers = "a:1,b:1"\n}\n'
EMBEDDED = "connector.name=c\nkey.converter=org.apache.kafka.connect.json.JsonConverter\nvalue.converter=org.apache.kafka.connect.json.JsonConverter\noffset.backing.store.dir=/d\n"
WORKLOAD = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: r}}\nspec:\n  template:\n    spec:\n      containers:\n        - name: c\n          image: {image}\n          volumeMounts: [{{name: d, mountPath: /data}}]\n          env:\n{env}"
ROLE = "process.roles=broker\nnode.id=1\n"
SHARED = '    {{- include "kafka.shared" . | nindent 4 }}\n'
NOT_REFUSED = {
    "a node whose controllers a helper of the chart adds": ("configmap.yaml", f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: k}}\ndata:\n  server.properties: |-\n    process.roles=broker\n    node.id=1\n{SHARED}"),
    "a node whose controllers a loop adds": ("server.properties.j2", ROLE + "{% for key in keys %}\n{{ key }}={{ keys[key] }}\n{% endfor %}\n"),
    "names in capitals that begin with an underscore": ("server.properties", "zookeeper.connect=_ZOOKEEPER\nbroker.id=_BROKER_ID\nnum.partitions=_PARTITIONS\nauto.create.topics.enable=_CREATES\nlog.cleanup.policy=_POLICY\nlisteners=PLAINTEXT://_HOST:_PORT\n"),
    "names between colons": ("server.properties", "zookeeper.connect=z:2181\nbroker.id=:ID:\nnum.partitions=:PARTITIONS:\n"),
    "a patch of a worker": ("patch.yaml", WORKLOAD.replace("          image: {image}\n", "").format(env="            - {name: CONNECT_GROUP_ID, value: g}\n            - {name: CONNECT_BOOTSTRAP_SERVERS, value: TBD}\n")),
    "what is to be written": ("server.properties", "zookeeper.connect=z:2181\nbroker.id=TBD\nauto.create.topics.enable=TODO\nlog.cleanup.policy=FIXME\n"),
    "a chart whose super user is admin": ("values.yaml", "kafka:\n  replicaCount: 3\n  kraft: {enabled: true}\n  persistence: {size: 8Gi}\n  allowEveryoneIfNoAclFound: false\n  authorizerClassName: org.apache.kafka.metadata.authorizer.StandardAuthorizer\n"),
    "conversions of printf": ("sink.json", '{"name": "%s", "config": {"connector.class": "io.debezium.connector.mysql.MySqlConnector", "tasks.max": "%d", "topics": "%s"}}'),
    "a chart's own listeners": ("values.yaml", "kafka:\n  replicaCount: 3\n  image: {repository: bitnami/kafka, tag: 3.3.1}\n  listeners: []\n  interBrokerListenerName: INTERNAL\n  auth: {interBrokerProtocol: plaintext}\n  zookeeper: {enabled: true, replicaCount: 3}\n"),
    "a chart's number with underscores": ("values.yaml", "kafka:\n  replicaCount: 3\n  image: {repository: bitnami/kafka, tag: 3.4.0}\n  persistence: {size: 8Gi}\n  logRetentionBytes: _15_000_000_000\n"),
    "an image that may map the listeners": ("compose.yml", f"services:\n  k:\n{VARIABLES}      KAFKA_LISTENERS: HOST://:9092,C://:9093\n"),
    "a Dockerfile that leaves the listeners to its user": ("Dockerfile", FROM),
    "Strimzi with its pools elsewhere": ("kafka.yaml", AUTHORIZED),
    "a pod that only runs a tool": ("pod.yaml", TOOL),
    "a tool's own configuration": ("application.conf", HOCON),
    "a client of a tool, with the quotes of HOCON": ("kafka-producer.conf", 'bootstrap.servers = "kafka-host:9092"\nsasl.jaas.config = "a.B required password=hunter2;"\nacks = all\nlinger.ms = 5\n'),
    "a tool's own configuration in a ConfigMap": ("map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: exporter}\ndata:\n  application.conf: |\n" + indent(HOCON, "    ")),
    "a tool's own configuration that Terraform fills in": ("exporter.tf", f'resource "kubernetes_config_map" "exporter" {{\n  metadata {{\n    name = "exporter"\n  }}\n  data = {{\n    "application.conf" = <<-EOT\n{HOCON}EOT\n  }}\n}}\n'),
    "addresses that are crossed out": ("consumer.properties", "bootstrap.servers=SSL://xxx:xxx,SSL://xxx.example.com:xxxx\ngroup.id=xxx\nmax.poll.records=xxx\n"),
    "a program that embeds a worker": ("config.properties", EMBEDDED),
    "a worker whose variables a loop adds": ("t.yaml", WORKLOAD.format(image="confluentinc/cp-kafka-connect:7.9.0", env="            - {name: CONNECT_GROUP_ID, value: g}\n            {{- range $key, $value := .Values.settings }}\n            - name: {{ printf \"CONNECT_%s\" $key | quote }}\n              value: {{ $value | quote }}\n            {{- end }}\n")),
    "a replicator": ("replicator.properties", "topic.whitelist=a\nconfig.storage.replication.factor=3\noffset.storage.replication.factor=3\nstatus.storage.replication.factor=3\n"),
}  # fmt: skip


def test_what_decides_elsewhere_refuses_nothing(tmp_path: Path) -> None:
    for number, (case, (name, text)) in enumerate(NOT_REFUSED.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / name).write_text(text)
        ran = run("lint", folder, "--no-config", "--format", "json")
        assert ran.code in (0, 1, 3), case
        refused = [row["message"] for row in findings(folder) if row["refused_by_kafka"]]
        assert not refused, case
        assert not [row for row in findings(folder) if row["rule"] in ("KA1409", "KA612")], case
    (tmp_path / "whole.yml").write_text(
        NOT_REFUSED["an image that may map the listeners"][1].replace("${IMAGE}", "apache/kafka:4.1.0")
    )
    assert any(row["rule"] == "KA1307" and row["refused_by_kafka"] for row in findings(tmp_path / "whole.yml"))


@pytest.mark.parametrize(
    ("address", "is_known"),
    [("xxx:9092", False), ("b1:XXXX", False), ("b1:port,b2:port", False), ("maxxxi:report", True)],
)
def test_an_address_that_is_crossed_out_is_filled_in_later(address: str, is_known: bool, tmp_path: Path) -> None:
    (tmp_path / "consumer.properties").write_text(f"bootstrap.servers={address}\ngroup.id=g\n")
    assert any(row["rule"] == "KA1409" for row in findings(tmp_path)) == is_known


CHART_OF_CLIENT = "replicaCount: 1\nimage: confluentinc/cp-schema-registry\nimageTag: 7.9.0\nconfigurationOverrides: {}\nkafka:\n  bootstrapServers: b:9092\n"
FOLDERS = (
    WORKLOAD.format(image="confluentinc/cp-kafka:7.9.0", env="            - {name: KAFKA_LOG_DIRS, value: '%s'}\n")
    + "      volumes: [{name: d, persistentVolumeClaim: {claimName: d}}]\n"
)


def test_what_a_chart_fills_in_is_no_finding(tmp_path: Path) -> None:
    for text, rule, is_found in (
        (CHART_OF_CLIENT, "KA1702", False),
        (CHART_OF_CLIENT.replace("cp-schema-registry", "cp-kafka").replace("kafka:\n  bootstrapServers: b:9092\n", ""), "KA1702", True),
        (FOLDERS % "{{ .Values.folders }}", "KA1701", False),
        (FOLDERS % "/elsewhere", "KA1701", True),
    ):  # fmt: skip
        (tmp_path / "values.yaml").write_text(text)
        assert any(row["rule"] == rule for row in findings(tmp_path)) == is_found, text


@pytest.mark.parametrize("key", ["elasticstream.enable=true", "s3.data.buckets=0@s3://b?region=r"])
def test_records_in_object_storage_need_no_replicas(key: str, tmp_path: Path) -> None:
    """AutoMQ gives every partition one replica, and keeps its records where no broker's disk matters."""
    text = f"{NODE}default.replication.factor=1\noffsets.topic.replication.factor=1\n"
    of_replicas = {"KA102", "KA103", "KA401", "KA402"}
    (tmp_path / "server.properties").write_text(text)
    assert of_replicas & {str(row["rule"]) for row in findings(tmp_path)}
    (tmp_path / "server.properties").write_text(f"{text}{key}\n")
    assert not of_replicas & {str(row["rule"]) for row in findings(tmp_path)}


OF_ROLES = (
    "controller:\n  replicaCount: 3\n  extraConfig: |\n    num.io.threads=8\n    log.retention.hours=2\n"
    "broker:\n  replicaCount: 3\n  extraConfig: |\n    num.io.threads=8\n    log.retention.hours=3\n"
)


def test_nodes_of_each_role_of_a_chart_have_settings_of_their_own(tmp_path: Path) -> None:
    """What controllers and brokers are both given is given twice, and no line of it may go."""
    file = tmp_path / "values.yaml"
    file.write_text(OF_ROLES)
    assert [row for row in findings(file) if row["rule"] == "KA1407"] == []
    hours = {row["value"] for row in findings(file) if row["rule"] == "KA704"}
    assert hours == {"2", "3"}
    run("lint", file, "--no-config", "--fix")
    assert file.read_text() == OF_ROLES


@pytest.mark.parametrize(("repository", "release"), [("bitnami/kafka", "3.6"), ("acme/stream", "4.4 assumed")])
def test_the_tag_of_an_image_of_another_program_is_no_release_of_kafka(
    repository: str, release: str, tmp_path: Path
) -> None:
    (tmp_path / "values.yaml").write_text(f"{OF_ROLES}image: {{repository: {repository}, tag: 3.6.1}}\n")
    assert f"Kafka {release}" in run("lint", tmp_path / "values.yaml", "--no-config").out


@pytest.mark.parametrize(
    ("image", "is_judged"),
    [
        ("repository: bitnami/kafka, tag: 3.7.1", True),
        ("repository: mirror.example.org/bitnami/kafka, tag: 3.7.1", True),
        ("repository: kafkace/kafka, tag: v3.7.1", False),
        ("repository: apache/kafka, tag: 3.7.1", False),
    ],
)
def test_defaults_of_bitnamis_old_chart_are_those_of_its_image(image: str, is_judged: bool, tmp_path: Path) -> None:
    (tmp_path / "values.yaml").write_text(f"image: {{{image}}}\n")
    assert bool([row for row in findings(tmp_path) if row["severity"] == "high"]) is is_judged


CP_CHARTS = 'resource "helm_release" "c" {{\n  name = "c"\n  chart = "{chart}"\n  set {{\n    name = "{name}"\n    value = "3"\n  }}\n}}\n'
OF_OTHER_PROGRAMS = {
    "Confluent's charts": ("c.tf", CP_CHARTS.format(chart="cp-helm-charts", name="cp-kafka.brokers")),
    "Confluent's chart of brokers": ("c.tf", CP_CHARTS.format(chart="cp-kafka", name="brokers")),
    "values with a part for ZooKeeper": (
        "values.j2",
        "druid_image: a\ndruid_port: 1\n"
        + "".join(f"druid_{n}: {n}\n" for n in range(9))
        + "tickTime: 2000\ninitLimit: 10\n",
    ),
    "a container that only calls tools": (
        "compose.yml",
        "services:\n  init:\n    image: apache/kafka:4.3.0\n    entrypoint: sh /conf/acls.sh\n    environment: {KAFKA_BOOTSTRAP_SERVERS: 'k:9092'}\n",
    ),
}


@pytest.mark.parametrize("case", OF_OTHER_PROGRAMS)
def test_what_is_no_broker_of_bitnamis_chart_nor_an_ensemble_is_not_judged_as_one(case: str, tmp_path: Path) -> None:
    name, text = OF_OTHER_PROGRAMS[case]
    (tmp_path / name).write_text(text)
    assert not [row for row in findings(tmp_path) if row["severity"] in ("critical", "high")]


def test_a_key_that_ends_like_a_column_of_kafkas_tools_is_none(tmp_path: Path) -> None:
    text = f"{OF_ROLES}transactionStateLogMinIsr: 1\nnumPartitions: 1\ndefaultReplicationFactor: 1\n"
    (tmp_path / "values.j2").write_text(text)
    assert "KA103" in {row["rule"] for row in findings(tmp_path)}


SPRING = "spring:\n  kafka:\n    producer:\n      retries: 5\n      acks: {}\n"
COMPOSED = (
    "services:\n  k:\n    image: apache/kafka:4.3.0\n    environment:\n      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: {}\n"
)
OF_SERVICE = "spring:\n  kafka:\n    producer: {{acks: 1, retries: {}}}\n"
DEFAULTS = {
    "Spring": ("application.yml", SPRING.format("${ACKS:1}"), "acks", "ACKS"),
    "Spring in quotes": ("application.yml", SPRING.format('"${app.acks:1}"'), "acks", "app.acks"),
    "Spring's properties": ("application.properties", "spring.kafka.producer.acks=${ACKS:1}\n", "acks", "ACKS"),
    "Compose": ("compose.yml", COMPOSED.format("${UNCLEAN:-true}"), UNCLEAN, "UNCLEAN"),
    "a value": ("application.yml", SPRING.format("1"), "acks", None),
    "beside another one": ("application.yml", OF_SERVICE.format('"${RETRIES:0}"'), "acks", None),
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_default_of_a_variable_is_not_certainly_the_value(name: str, tmp_path: Path) -> None:
    file, text, key, variable = DEFAULTS[name]
    (tmp_path / file).write_text(text)
    (row,) = [row for row in findings(tmp_path) if row["rule"] in ("KA101", "KA104")]
    assert row["confidence"] == ("likely" if variable else "certain")
    assert str(row["message"]).endswith(f" (unless {variable} is set)") == bool(variable)
    line = next(line for line in run("effective", tmp_path / file).out.splitlines() if f"  {key} " in line)
    assert (f"; unless {variable} is set" in line) == bool(variable)


def test_a_variable_that_is_given_is_no_default(tmp_path: Path) -> None:
    (tmp_path / "compose.yml").write_text(COMPOSED.format("${UNCLEAN:-false}"))
    (tmp_path / ".env").write_text("UNCLEAN=true\n")
    (row,) = [row for row in findings(tmp_path) if row["rule"] == "KA104"]
    assert row["confidence"] == "certain" and "unless" not in str(row["message"])


COPY = (
    "process.roles=broker,controller\nnode.id={id}\ncontroller.quorum.voters=1@kafka1:9093,2@kafka2:9093,3@kafka3:9093\n"
    "controller.listener.names=C\nlisteners=PLAINTEXT://:9092,C://:9093\nadvertised.listeners=PLAINTEXT://kafka{id}:9092\n"
)
OF_ONE_CLUSTER = {"KA304", "KA305"}


@pytest.mark.parametrize(
    ("folders", "is_one_cluster"),
    [
        ({"prod": (1, 2, 3), "staging": (1, 2, 3)}, False),
        ({"prod": (1, 2, 3), "staging": (1, 2)}, True),
        ({"a": (1,), "b": (2,), "c": (2,)}, True),
    ],
)
def test_copies_of_a_cluster_in_folders_are_clusters_of_their_own(
    tmp_path: Path, folders: dict[str, tuple[int, ...]], is_one_cluster: bool
) -> None:
    for folder, ids in folders.items():
        (tmp_path / folder).mkdir()
        for id in ids:
            (tmp_path / folder / f"server-{id}.properties").write_text(COPY.format(id=id))
    rules = {row["rule"] for row in run("lint", tmp_path, "--no-config", "--format", "json").json["findings"]}
    assert bool(rules & OF_ONE_CLUSTER) == is_one_cluster


DUMPED = "log.retention.hours=168\nnum.io.threads=8\nnum.network.threads=3\n"


@pytest.mark.parametrize(
    ("name", "text", "is_second_node"),
    [
        ("effective.properties", COPY.format(id=1) + DUMPED, False),
        ("server.dump", COPY.format(id=1) + DUMPED.replace("=3", "=6"), False),
        ("other.properties", COPY.format(id=1), True),
        ("other.properties", COPY.format(id=1) + "broker.rack=b\n", True),
        ("other.properties", COPY.format(id=1).replace("kafka1:9092", "kafka9:9092") + DUMPED, True),
        ("other.properties", COPY.format(id=1).replace("node.id=1", "node.id=2") + DUMPED, True),
    ],
)
def test_a_dump_beside_the_file_of_its_node_is_no_second_node(
    tmp_path: Path, name: str, text: str, is_second_node: bool
) -> None:
    (tmp_path / "server.properties").write_text(COPY.format(id=1))
    (tmp_path / name).write_text(text)
    assert any(row["rule"] == "KA305" for row in findings(tmp_path)) == is_second_node


RAFT = "node.id=0\nlisteners=PLAINTEXT://localhost:9092\ncontroller.listener.names=PLAINTEXT\ncontroller.quorum.voters=0@localhost:9092\n"


@pytest.mark.parametrize(
    ("name", "text", "is_node"),
    [
        ("kraft.properties", RAFT, False),
        ("server.properties", RAFT, True),
        ("kraft.properties", RAFT + "process.roles=controller\n", True),
        ("kraft.properties", RAFT.replace("names=PLAINTEXT", "names=C"), True),
    ],
)
def test_the_file_of_kafkas_test_server_is_no_nodes(tmp_path: Path, name: str, text: str, is_node: bool) -> None:
    (tmp_path / name).write_text(text)
    assert bool(findings(tmp_path)) == is_node
    assert "not read" not in run("lint", tmp_path).err
