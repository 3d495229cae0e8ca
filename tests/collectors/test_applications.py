"""Application frameworks: what is found in their files, under the file's own name of the key, and what stays silent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import ROOT, run

DATA = ROOT / "examples" / "inputs"
EXPECTED = [
    ("quarkus.properties", "acks-not-all", "mp.messaging.outgoing.prices.acks", 8, "high"),
    ("quarkus.properties", "acks-not-all", "mp.messaging.outgoing.audit.acks", None, "medium"),
    ("quarkus.properties", "plaintext-client", "%dev.kafka.security.protocol", 4, "medium"),
    ("quarkus.properties", "auto-commit", "mp.messaging.incoming.orders.enable.auto.commit", 13, "medium"),
    (
        "quarkus.properties",
        "session-timeout-high",
        "%prod.mp.messaging.incoming.orders.session.timeout.ms",
        14,
        "medium",
    ),
    ("quarkus.properties", "invalid-value", "kafka-streams.processing.guarantee", 19, "high"),
    ("micronaut.yml", "acks-not-all", "kafka.producers.default.acks", 9, "high"),
    ("micronaut.yml", "auto-commit", "kafka.consumers.orders.enable.auto.commit", 15, "medium"),
    ("micronaut.yml", "session-timeout-high", "kafka.consumers.orders.session.timeout.ms", 18, "medium"),
    ("micronaut.yml", "plaintext-client", "kafka.security.protocol", None, "medium"),
    ("spring-cloud-stream.yml", "acks-not-all", "spring.cloud.stream.kafka.binder.required-acks", 8, "high"),
    (
        "spring-cloud-stream.yml",
        "acks-not-all",
        "spring.cloud.stream.kafka.bindings.audit-out-0.producer.configuration.acks",
        18,
        "high",
    ),
    (
        "spring-cloud-stream.yml",
        "session-timeout-high",
        "spring.cloud.stream.kafka.binder.consumer-properties.session.timeout.ms",
        13,
        "medium",
    ),
    ("appsettings.json", "acks-not-all", "Kafka:Producer:Acks", 10, "medium"),
    ("appsettings.json", "idempotence-off", "Kafka:Producer:EnableIdempotence", 11, "medium"),
    ("appsettings.json", "plain-without-tls", "Kafka:SaslMechanism", 6, "high"),
    ("appsettings.json", "secret-in-config", "Kafka:SaslPassword", 8, "medium"),
    ("appsettings.json", "auto-commit", "Kafka:Consumer:EnableAutoCommit", 18, "medium"),
    ("debezium-server.properties", "acks-not-all", "debezium.sink.kafka.producer.acks", 4, "high"),
    ("debezium-server.properties", "secret-in-config", "debezium.source.database.password", 11, "medium"),
]
CHANNEL = (
    "mp.messaging.outgoing.p.connector=smallrye-kafka\nkafka.bootstrap.servers=a:1,b:1\nkafka.security.protocol=SSL\n"
)
READING = CHANNEL.replace("outgoing", "incoming")
BINDER = "spring.cloud.stream.kafka.binder."
BINDINGS = "spring.cloud.stream.kafka.bindings."
COMPOSE = "services:\n  shop:\n    image: example/shop:1\n    environment:\n"


def findings(tmp_path: Path, text: str, name: str = "application.properties") -> list[dict[str, Any]]:
    (tmp_path / name).write_text(text)
    ran = run("lint", tmp_path / name, "--no-config", "--format", "json")
    assert "internal error" not in ran.err
    return list(ran.json["findings"]) if ran.out else []


def findings_of(tmp_path: Path, text: str, name: str = "application.properties") -> set[tuple[str, str, int | None]]:
    return {(row["name"], row["key"], row["line"]) for row in findings(tmp_path, text, name)}


@pytest.mark.parametrize(("name", "rule", "key", "line", "severity"), EXPECTED)
def test_what_is_found(name: str, rule: str, key: str, line: int | None, severity: str) -> None:
    rows = run("lint", DATA / name, "--no-config", "--format", "json").json["findings"]
    assert (rule, key, line, severity) in {(row["name"], row["key"], row["line"], row["severity"]) for row in rows}


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("mp.messaging.outgoing.p.acks=1\n", True),
        ("kafka.acks=1\n", True),
        ("kafka.acks=1\nmp.messaging.outgoing.p.acks=all\n", False),
        ("kafka.acks=1\nmp.messaging.connector.smallrye-kafka.acks=all\n", False),
        ("kafka.acks=all\nmp.messaging.connector.smallrye-kafka.acks=1\n", True),
        ("mp.messaging.outgoing.p.acks=${ACKS:1}\n", True),
        ("mp.messaging.outgoing.p.acks=${ACKS}\n", False),
        ("mp.messaging.outgoing.p.acks=1\nmp.messaging.outgoing.p.connector=smallrye-amqp\n", False),
        ("mp.messaging.outgoing.p.acks=1\nmp.messaging.outgoing.p.enabled=false\n", False),
        ("mp.messaging.outgoing.q.acks=1\n", True),
        ("mp.messaging.outgoing.q.acks=1\nmp.messaging.incoming.x.connector=smallrye-amqp\n", False),
        ('mp.messaging.outgoing."a.b".acks=1\n', True),
        ("mp.messaging.outgoing.a.b.acks=1\nmp.messaging.outgoing.a.b.topic=t\n", True),
        ("mp.messaging.outgoing.p.acks=1\n%prod.mp.messaging.outgoing.p.acks=all\n", False),
        ("mp.messaging.outgoing.p.acks=1\n%dev.mp.messaging.outgoing.p.acks=all\n", True),
        ("mp.messaging.outgoing.p.acks=all\n%{dev,staging}.mp.messaging.outgoing.p.acks=1\n", True),
        ("mp.messaging.outgoing.p.acks=all\n%prod.kafka.acks=1\n", False),
    ],
)
def test_a_channel_has_what_stands_nearest(tmp_path: Path, text: str, fires: bool) -> None:
    rows = [row for row in findings(tmp_path, CHANNEL + text) if row["name"] == "acks-not-all"]
    assert any(row["line"] is not None for row in rows) == fires


def test_a_consumer_of_quarkus_has_a_group_serializers_and_commits_itself(tmp_path: Path) -> None:
    text = f"{READING}mp.messaging.incoming.p.topic=t\nmp.messaging.incoming.p.auto.offset.reset=earliest\n"
    text += "mp.messaging.incoming.p.value.deserializer=a.B\nmp.messaging.incoming.p.commit-strategy=latest\n"
    text += (
        "mp.messaging.incoming.p.throttled.unprocessed-record-max-age.ms=1\nmp.messaging.incoming.p.broadcast=true\n"
    )
    assert findings_of(tmp_path, text) == set()


def test_settings_of_all_clients_concern_those_that_know_them(tmp_path: Path) -> None:
    assert findings_of(tmp_path, f"{READING}mp.messaging.incoming.p.auto.offset.reset=latest\nkafka.acks=0\n") == {
        ("offset-reset-latest", "mp.messaging.incoming.p.auto.offset.reset", 4)
    }


def test_an_application_without_channels_is_judged_by_what_is_common(tmp_path: Path) -> None:
    text = "quarkus.application.name=a\nkafka.bootstrap.servers=b1:1,b2:1\n%prod.kafka.security.protocol=PLAINTEXT\n"
    assert ("plaintext-client", "%prod.kafka.security.protocol", 3) in findings_of(tmp_path, text)


def test_yaml_of_quarkus(tmp_path: Path) -> None:
    text = (
        "kafka:\n  bootstrap:\n    servers: [a:1, b:1]\n'%prod':\n  kafka.security.protocol: SSL\nmp:\n  messaging:\n"
        "    outgoing:\n      a.b:\n        connector: smallrye-kafka\n        acks: 0\nquarkus:\n  log:\n    ~: x\n"
    )
    assert ("acks-not-all", "mp.messaging.outgoing.a.b.acks", 11) in findings_of(tmp_path, text, "application.yaml")


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("kafka.producers.default.acks=1\n", True),
        ("kafka.acks=1\nkafka.producers.default.linger.ms=5\n", True),
        ("kafka.acks=1\nkafka.producers.default.acks=all\n", False),
        ("kafka.producers.default.acks=1\nkafka.producers.x.acks=all\n", True),
        ("kafka.producers.default.linger.ms=5\n", False),
        ("kafka.producers.x.acks=${ACKS:1}\n", True),
    ],
)
def test_a_producer_of_micronaut_has_the_common_and_its_own(tmp_path: Path, text: str, fires: bool) -> None:
    rows = findings_of(tmp_path, f"micronaut.application.name=a\nkafka.bootstrap.servers=b1:1,b2:1\n{text}")
    assert ("acks-not-all" in {row[0] for row in rows}) == fires


def test_micronaut_is_known_by_addresses_and_a_key_of_one_word(tmp_path: Path) -> None:
    text = "kafka:\n  bootstrap: {servers: 'b1:1,b2:1'}\n  producers:\n    orders:\n      acks: 0\n"
    assert ("acks-not-all", "kafka.producers.orders.acks", 5) in findings_of(tmp_path, text, "application.yml")


def test_what_annotations_decide_is_not_judged(tmp_path: Path) -> None:
    text = (
        "kafka.bootstrap.servers=b1:1,b2:1\nkafka.security.protocol=SSL\nkafka.consumers.g.session.timeout.ms=45000\n"
    )
    assert findings_of(tmp_path, text) == set()


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        (f"{BINDER}required-acks=1\n", True),
        (f"{BINDER}requiredAcks=1\n", True),
        (f"{BINDER}required-acks=1\nspring.kafka.producer.acks=all\n", False),
        (f"{BINDER}required-acks=1\n{BINDER}configuration.acks=all\n", False),
        (f"{BINDER}configuration.acks=1\n{BINDER}producer-properties.acks=all\n", False),
        (f"{BINDER}producer-properties.acks=1\n", True),
        (f"{BINDINGS}a-out-0.producer.configuration.acks=1\n", True),
        (f"{BINDER}required-acks=1\n{BINDINGS}a-out-0.producer.configuration.acks=all\n", False),
        ("spring.cloud.stream.kafka.default.producer.configuration.acks=1\n", True),
        (f"{BINDER}consumer-properties.acks=1\n", False),
        (f"{BINDINGS}a-out-0.producer.sync=true\n", False),
    ],
)
def test_a_binding_has_what_stands_nearest(tmp_path: Path, text: str, fires: bool) -> None:
    rows = findings_of(tmp_path, f"{BINDER}brokers=b1,b2\n{BINDER}configuration.security.protocol=SSL\n{text}")
    assert ("acks-not-all" in {row[0] for row in rows}) == fires


def test_a_good_binder_stays_silent(tmp_path: Path) -> None:
    text = f"{BINDER}brokers=b1,b2:9093\n{BINDER}configuration.security.protocol=SSL\n{BINDER}required-acks=all\n"
    text += f"spring.cloud.stream.bindings.a-in-0.group=g\n{BINDINGS}a-in-0.consumer.start-offset=earliest\n"
    text += f"{BINDER}consumer-properties.enable.auto.commit=true\n{BINDER}consumer-properties.group.id=x\n"
    text += "spring.cloud.stream.bindings.a-in-0.destination=t\n"
    assert findings_of(tmp_path, text) == set()


def test_binders_with_an_environment_and_kafka_streams(tmp_path: Path) -> None:
    environment = "spring.cloud.stream.binders.one.environment."
    text = f"{environment}{BINDER}brokers=a:1,b:1\n{environment}{BINDER}producer-properties.acks=1\n"
    text += "spring.cloud.stream.binders.two.environment.spring.kafka.producer.acks=0\n"
    text += "spring.cloud.stream.kafka.streams.binder.configuration.processing.guarantee=exactly_once\n"
    text += "spring.cloud.stream.kafka.streams.binder.functions.f.configuration.commit.interval.ms=1\n"
    text += "spring.cloud.stream.bindings.f-in-0.destination=a\n"
    rows = {(name, key, line) for name, key, line in findings_of(tmp_path, text) if line is not None}
    assert rows >= {
        ("acks-not-all", f"{environment}{BINDER}producer-properties.acks", 2),
        ("acks-not-all", "spring.cloud.stream.binders.two.environment.spring.kafka.producer.acks", 3),
        ("invalid-value", "spring.cloud.stream.kafka.streams.binder.configuration.processing.guarantee", 4),
    }


def test_a_client_of_its_own_is_no_key_that_stands_twice(tmp_path: Path) -> None:
    text = "spring.kafka.bootstrap-servers=a:1,b:1\nspring.kafka.producer.bootstrap-servers=c:1,d:1\n"
    assert findings_of(tmp_path, f"{text}spring.kafka.security.protocol=SSL\nspring.kafka.producer.acks=all\n") == set()


@pytest.mark.parametrize(
    ("variable", "rule"),
    [
        ("SPRING_KAFKA_PRODUCER_ACKS: 0", "acks-not-all"),
        ("SPRING_KAFKA_PRODUCER_PROPERTIES_ACKS: 0", "acks-not-all"),
        ("SPRING_KAFKA_CONSUMER_ENABLE_AUTO_COMMIT: 'true'", "auto-commit"),
        ("SPRING_KAFKA_CONSUMER_ENABLEAUTOCOMMIT: 'true'", "auto-commit"),
        ("SPRING_KAFKA_PROPERTIES_SECURITY_PROTOCOL: PLAINTEXT", "plaintext-client"),
        ("SPRING_KAFKA_SSL_KEY_STORE_PASSWORD: hunter2222", "secret-in-config"),
        ("SPRING_KAFKA_SSL_TRUSTSTOREPASSWORD: hunter2222", "secret-in-config"),
    ],
)
def test_variables_that_spring_boot_binds(tmp_path: Path, variable: str, rule: str) -> None:
    rows = findings_of(
        tmp_path, f"{COMPOSE}      SPRING_KAFKA_BOOTSTRAP_SERVERS: a:1,b:1\n      {variable}\n", "compose.yml"
    )
    assert (rule, variable.partition(":")[0], 6) in rows


@pytest.mark.parametrize("value", ["yes", "on", "Yes", "true", '"yes"'])
def test_a_boolean_of_spring_boot_has_many_forms(tmp_path: Path, value: str) -> None:
    text = f"spring:\n  kafka:\n    bootstrap-servers: a:1,b:1\n    consumer:\n      group-id: a\n      enable-auto-commit: {value}\n"
    rules = {rule for rule, *_ in findings_of(tmp_path, text, "application.yml")}
    assert "auto-commit" in rules
    assert "invalid-value" not in rules


def test_variables_in_a_list_and_in_a_pod(tmp_path: Path) -> None:
    listed = f"{COMPOSE}      - SPRING_KAFKA_PRODUCER_ACKS=0\n"
    assert ("acks-not-all", "SPRING_KAFKA_PRODUCER_ACKS", 5) in findings_of(tmp_path, listed, "compose.yml")
    pod = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n    - name: shop\n      env:\n"
        "        - name: SPRING_KAFKA_PRODUCER_ACKS\n          value: '0'\n"
    )
    assert ("acks-not-all", "SPRING_KAFKA_PRODUCER_ACKS", 8) in findings_of(tmp_path, pod, "pod.yml")


@pytest.mark.parametrize(
    "variables",
    [
        "      KAFKA_BOOTSTRAP_SERVERS: b1:9092\n      KAFKA_SECURITY_PROTOCOL: PLAINTEXT\n",
        "      SPRING_KAFKA_TOPIC: orders\n      SPRING_KAFKA_: x\n      SPRING_KAFKA_PRODUCER: y\n",
        "      SPRING_KAFKA_PRODUCER_ACKS: all\n      SPRING_KAFKA_CONSUMER_GROUPID: g\n",
        "      SPRING_KAFKA_PRODUCER_ACKS: ${ACKS}\n      SPRING_KAFKA_SSL_KEYSTOREPASSWORD: ${PASSWORD}\n",
        "      SPRING_KAFKA_LISTENER_ACKMODE: manual\n",
    ],
)
def test_variables_that_are_no_risk_and_no_broker(tmp_path: Path, variables: str) -> None:
    assert findings_of(tmp_path, COMPOSE + variables, "compose.yml") == set()


def test_a_file_name_of_dotnet_need_not_be_known_and_kafkas_name_stands_beside(tmp_path: Path) -> None:
    rows = findings(tmp_path, '{"ProducerSettings": {"BootstrapServers": "a:1,b:1", "Acks": "None"}}', "kafka.json")
    assert [(row["key"], row["kafka_key"], row["value"]) for row in rows if row["name"] == "acks-not-all"] == [
        ("ProducerSettings:Acks", "acks", "0")
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{"Kafka": {"Producer": {"Acks": "All", "EnableIdempotence": true, "SecurityProtocol": "SaslSsl"}}}',
        '{"Kafka": {"Producer": {"Acks": "all", "CompressionType": "Zstd", "SaslMechanism": "ScramSha256"}}}',
        '{"ConsumerConfig": {"GroupId": "g", "IsolationLevel": "ReadCommitted", "AutoOffsetReset": "Earliest"}}',
        '{"ConsumerConfig": {"GroupId": "g", "PartitionAssignmentStrategy": "CooperativeSticky"}}',
        '{"ConsumerConfig": {"GroupId": "g", "EnableAutoCommit": false, "SecurityProtocol": 3}}',
        '{"ProducerConfig": {"Acks": -1, "LingerMs": 5, "Partitioner": "Murmur2Random"}}',
        '{"Mail": {"Acks": "None", "Host": "a", "Port": 25}, "Topics": {"kafka": 1}}',
        '{"Shop": {"ClientId": "a", "Retries": 1, "Url": "b", "Name": "c", "Color": "d"}, "kafka": {}}',
        '{"kafka": {"acks": "1", "groupId": "a"}}',
        '{"Kafka": {"BootstrapServers": "${SERVERS}", "SaslPassword": "#{Password}#", "GroupId": "g"}}',
    ],
)
def test_objects_of_dotnet_that_are_good_or_not_kafkas(tmp_path: Path, text: str) -> None:
    assert findings_of(tmp_path, text, "appsettings.json") == set()


def test_comments_and_trailing_commas_of_appsettings(tmp_path: Path) -> None:
    text = '{ // "Acks": "All"\n"Kafka": { /* " */ "BootstrapServers": "http://a:1", // b\n "Acks": "None", } }\n'
    assert ("acks-not-all", "Kafka:Acks", 3) in findings_of(tmp_path, text, "appsettings.json")


def test_dotted_keys_beside_properties_of_dotnet_are_judged_too(tmp_path: Path) -> None:
    text = (
        '{"A": {"Acks": "None", "LingerMs": 1},\n"B": {"bootstrap.servers": "b:1,c:1", "acks": "0",\n"linger.ms": "5"}}'
    )
    assert {key for name, key, _ in findings_of(tmp_path, text, "a.json") if name == "acks-not-all"} == {
        "A:Acks",
        "B.acks",
    }


def test_a_good_server_of_debezium_stays_silent(tmp_path: Path) -> None:
    text = (DATA / "debezium-server.properties").read_text().replace("acks=1", "acks=all")
    text = text.replace("hunter2-hunter2", "${DATABASE_PASSWORD}")
    assert {name for name, _, _ in findings_of(tmp_path, text)} <= {"unknown-key"}
    assert (
        findings_of(tmp_path, "debezium.sink.type=kinesis\ndebezium.source.database.password=hunter2-hunter2\n")
        == set()
    )
    nested = "debezium:\n  sink:\n    kafka:\n      producer:\n        bootstrap.servers: a:1,b:1\n        acks: 0\n"
    assert ("acks-not-all", "debezium.sink.kafka.producer.acks", 6) in findings_of(tmp_path, nested, "application.yaml")


SHAPES = ("1", "null", "[]", "[1, {a: b}]", "{}", "text", "{a: {a: {a: [1]}}}", "${X}")
PATHS = [
    "micronaut", "kafka", "kafka.producers", "kafka.producers.default", "kafka.producers.default.acks", "kafka.streams",
    "quarkus", "mp", "mp.messaging", "mp.messaging.outgoing", "mp.messaging.outgoing.p", "mp.messaging.outgoing.p.acks",
    "mp.messaging.outgoing.p.connector", "quarkus.kafka-streams", "'%dev'", "'%dev'.kafka", "spring", "spring.cloud",
    "spring.cloud.stream", "spring.cloud.stream.binders", "spring.cloud.stream.binders.a.environment",
    "spring.cloud.stream.kafka.streams", "spring.cloud.stream.kafka.streams.binder",
    "spring.cloud.stream.kafka.streams.binder.functions.f", "spring.cloud.stream.kafka", "spring.cloud.stream.kafka.binder", f"{BINDER}brokers",
    f"{BINDER}configuration", "spring.cloud.stream.kafka.bindings", f"{BINDINGS}a", f"{BINDINGS}a.producer",
    "debezium", "debezium.sink.kafka.producer", "debezium.source", "debezium.source.connector.class", "Kafka",
    "Kafka.Producer", "Kafka.Producer.Acks", "spring.cloud.stream.kafka.default.producer", "spring.cloud.stream.bindings", "spring.cloud.stream.bindings.a.group",
]  # fmt: skip


TOPS = ("micronaut: {a: 1}\n", "quarkus: {a: 1}\nkafka: {acks: 0}\n", "spring: {a: 1}\n")


def of_any_shape(path: str) -> Iterator[tuple[str, str]]:
    """The endings and texts of files that have something of any shape at a path."""
    nested = "".join(f"{'  ' * depth}{part}:\n" for depth, part in enumerate(path.split("."))).rstrip()
    for shape in SHAPES:
        yield "properties", f"{path}={shape}\n{path}.=1\n{path}..x=1\n%.a=1\n%{{}}.b=1\nquarkus.a=1\n"
        for top in TOPS:
            yield "yml", f"# kafka\n{'' if nested.startswith(top[:6]) else top}{nested} {shape}\n"


@pytest.mark.parametrize("path", PATHS)
def test_any_shape_anywhere_is_no_internal_error(tmp_path: Path, path: str) -> None:
    files = [tmp_path / f"{number}.{ending}" for number, (ending, _) in enumerate(of_any_shape(path))]
    for file, (_, text) in zip(files, of_any_shape(path), strict=True):
        file.write_text(text)
    err = run("lint", *files, "--no-config", "--format", "json").err
    wrong = [line for line in err.splitlines() if "internal error" in line]
    assert wrong == [], [file.read_text() for file in files if any(f"{file}:" in line for line in wrong)]


@pytest.mark.parametrize("top", ["spring", "quarkus", "micronaut"])
def test_aliases_without_end_are_one_line(tmp_path: Path, top: str) -> None:
    laughs = "a0: &a0 {kafka: {acks: 1}}\n"
    laughs += "".join(f"a{n}: &a{n} {{{', '.join(f'k{m}: *a{n - 1}' for m in range(9))}}}\n" for n in range(1, 30))
    (tmp_path / "a.yml").write_text(
        f"{laughs}{top}:\n  kafka: *a29\nkafka: {{acks: 1, producers: {{a: {{linger.ms: 1}}}}}}\n"
    )
    ran = run("lint", tmp_path / "a.yml", "--no-config")
    assert len(ran.err.splitlines()) == 1
    assert "over 50,000 values" in ran.err or "in a form that is not followed" in ran.err
    (tmp_path / "b.yml").write_text(f"{top}: &s\n  kafka: *s\n  acks: 1\nkafka: &k\n  self: *k\n")
    assert "internal error" not in run("lint", tmp_path / "b.yml", "--no-config").err
