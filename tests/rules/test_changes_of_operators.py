"""What Strimzi's operators make of a change: each rule fires, stays silent on the harmless direction, and is unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.changes import change, changes, resource
from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check_all

UNMANAGED = ', annotations: {strimzi.io/managed: "false"}'
SKIPPED = ', annotations: {strimzi.io/skip-broker-scaledown-check: "true"}'
PAUSED = ', annotations: {strimzi.io/pause-reconciliation: "true"}'
IN_KRAFT = ", annotations: {strimzi.io/kraft: enabled}"
OF_ZOOKEEPER = ", zookeeper: {replicas: 3}"
VOLUME = "{{id: {}, type: persistent-claim, size: {}{}}}"
ZERO, ONE = VOLUME.format(0, "100Gi", ""), VOLUME.format(1, "100Gi", "")
MARK = ", kraftMetadata: shared"
READ = "{resource: {type: topic, name: %s, patternType: %s}, operations: [%s]}"


def topic(spec: str, name: str = "orders", more: str = "") -> str:
    return resource("KafkaTopic", name, spec, more)


def pool(roles: str = "broker", replicas: object = 3, volumes: str = ZERO) -> str:
    spec = f"replicas: {replicas}, roles: [{roles}], storage: {{type: jbod, volumes: [{volumes}]}}"
    return resource("KafkaNodePool", "a", spec)


def kafka(release: str = "4.1.0", level: str = "", type: str = "internal", beside: str = "", more: str = "") -> str:
    listeners = f"listeners: [{{name: tls, port: 9093, type: {type}, tls: true}}]"
    return resource("Kafka", "k", f"kafka: {{version: {release}{level}, {listeners}}}{beside}", more)


def mirror(patterns: str) -> str:
    mirrors = f"mirrors: [{{source: {{alias: s, bootstrapServers: 's:9092'}}, {patterns}}}]"
    return resource("KafkaMirrorMaker2", "m", f"target: {{alias: t, bootstrapServers: 't:9092'}}, {mirrors}")


def mirror_until_0_48(more: str = "") -> str:
    mirrors = "mirrors: [{sourceCluster: s, targetCluster: t}]"
    return resource(
        "KafkaMirrorMaker2", "m", f"connectCluster: t, clusters: [{{alias: s}}, {{alias: t{more}}}], {mirrors}"
    )


def mirror_with_topic(topic: str) -> str:
    return mirror("topicsPattern: a").replace("alias: t,", f"alias: t, offsetStorageTopic: {topic},")


def user(login: str = "tls", acls: str | None = None, quota: str = "", more: str = "") -> str:
    access = f", authorization: {{type: simple, acls: [{acls}]}}" if acls is not None else ""
    return resource("KafkaUser", "app", f"authentication: {{type: {login}}}{access}{quota}", more)


def entities(*names: str) -> str:
    return f", entityOperator: {{{', '.join(f'{name}Operator: {{}}' for name in names)}}}"


def quota(number: object) -> str:
    return f", quotas: {{producerByteRate: {number}}}"


def side(format: str, before: str, after: str) -> str:
    return f"{REGISTRY}{change(before, after)}" if format == "registry" else change(before, after)


OLD_LISTENERS = resource("Kafka", "k", "kafka: {version: 2.1.0, listeners: {plain: {}, tls: {}}%s}")
SIX, V1 = "partitions: 6, replicas: 3", "topicName: orders.v1, partitions: 6, replicas: 3"
OTHER_LABEL = user().replace("strimzi.io/cluster: k", "strimzi.io/cluster: other")
TURNS = [
    ("KA1897", mirror_until_0_48(), mirror_with_topic("o"), mirror_with_topic("mirrormaker2-cluster-offsets"), "critical"),
    ("KA1897", mirror_until_0_48(", config: {offset.storage.topic: o}"), mirror_with_topic("p"), mirror_with_topic("o"), "critical"),
    ("KA1834", topic(V1), topic(V1.replace("v1", "v2")), topic(V1 + ", config: {retention.ms: 1}"), "medium"),
    ("KA1834", topic(SIX), topic(SIX.replace("6", "3")), topic(SIX.replace("6", "12")), "medium"),
    ("KA1834", topic(SIX), topic(SIX.replace("6", "3")), topic(SIX.replace("6", "3"), more=UNMANAGED), "medium"),
    ("KA1819", topic(V1), topic(V1, "orders-v1"), topic(V1), "critical"),
    ("KA1818", topic(SIX, more=UNMANAGED), topic(SIX), topic(SIX, more=UNMANAGED), "medium"),
    ("KA1835", pool(), pool(volumes=VOLUME.format(0, "100Gi", ", class: fast")), pool(volumes=VOLUME.format(0, "200Gi", "")), "medium"),
    ("KA1835", pool(), pool(volumes=VOLUME.format(0, "50Gi", "")), pool(volumes=VOLUME.format(0, "0.1Ti", "")), "medium"),
    ("KA1835", pool(), resource("KafkaNodePool", "a", "replicas: 3, roles: [broker], storage: {type: ephemeral}"), pool(), "medium"),
    ("KA1836", pool(volumes=f"{ZERO}, {ONE}"), pool(volumes=ZERO), pool(volumes=f"{ONE}, {ZERO}"), "high"),
    ("KA1836", pool(volumes=f"{ZERO}, {ONE}"), pool(volumes=VOLUME.format(0, "100Gi", ", deleteClaim: true")), pool(volumes=f"{ONE}, {ZERO}"), "critical"),
    ("KA1837", pool("controller", 1, f"{ZERO}, {ONE}"), pool("controller", 1, f"{ZERO}, {VOLUME.format(1, '100Gi', MARK)}"), pool("controller", 1, f"{VOLUME.format(0, '100Gi', MARK)}, {ONE}"), "critical"),
    ("KA1837", pool("controller", 3, f"{ZERO}, {ONE}"), pool("controller", 3, f"{ZERO}, {VOLUME.format(1, '100Gi', MARK)}"), pool("controller", 3, f"{ONE}, {ZERO}"), "high"),
    ("KA1838", pool("controller", 3), pool("controller", 5), pool("controller", 3, f"{ZERO}, {ONE}"), "high"),
    ("KA1838", pool("broker", 3), pool("broker, controller", 3), pool("broker", 4), "high"),
    ("KA1839", pool("broker, controller"), pool("controller"), pool("controller, broker"), "medium"),
    ("KA1806", kafka(), kafka(more=SKIPPED), kafka(more=SKIPPED.replace("true", "false")), "high"),
    ("KA1807", kafka(), kafka("4.2.0"), kafka("4.1.1"), "high"),
    ("KA1807", kafka(), kafka("4.2.0"), kafka("4.2.0", ", metadataVersion: 4.1-IV1"), "high"),
    ("KA1808", kafka(level=", metadataVersion: 4.1-IV1"), kafka(level=", metadataVersion: 4.0-IV3"), kafka(level=", metadataVersion: 4.1"), "medium"),
    ("KA1809", kafka(), kafka(type="loadbalancer"), kafka(level=", metadataVersion: 4.1"), "high"),
    ("KA2114", kafka("3.9.0", beside=OF_ZOOKEEPER), kafka("3.9.0", more=IN_KRAFT), kafka("3.9.0", beside=OF_ZOOKEEPER, more=IN_KRAFT.replace("enabled", "migration")), "medium"),
    ("KA1829", kafka(), kafka(more=PAUSED), kafka(more=PAUSED.replace("true", "false")), "low"),
    ("KA1849", kafka(beside=entities("topic", "user")), kafka(beside=entities("topic")), kafka(beside=entities("user", "topic")), "medium"),
    ("KA1859", kafka(beside=entities("topic")), kafka(beside=entities("topic", "user")), kafka(), "high"),
    ("KA1876", user(), user("scram-sha-512"), user(quota=quota(1)), "critical"),
    ("KA1877", user(acls=READ % ("orders", "prefix", "Read, Write")), user(acls=READ % ("orders", "prefix", "Read")), user(acls=READ % ("o", "prefix", "Read, Write")), "high"),
    ("KA1877", user(acls=READ % ("orders", "prefix", "Read")), user(acls=READ % ("orders", "literal", "Read")), user(acls=READ % ("'*'", "literal", "Read")), "high"),
    ("KA1877", user(acls=READ % ("orders", "literal", "Describe")), user(), user(acls=READ % ("orders", "literal", "Write")), "high"),
    ("KA1877", user(acls=READ % ("orders", "literal", "Read")), user(acls=READ % ("payments", "literal", "Read")), user(acls=READ % ("orders", "literal", "All")), "high"),
    ("KA1877", user(acls=READ % ("orders", "literal", "Read")), user(acls=READ % ("pay", "prefix", "Read")), user(acls=READ % ("ord", "prefix", "Read")), "high"),
    ("KA1877", user(acls=READ % ("ord", "prefix", "Read")), user(acls=READ % ("orders", "prefix", "Read")), user(acls=READ % ("o", "prefix", "All")), "high"),
    ("KA1878", user(), user().replace(", labels: {strimzi.io/cluster: k}", ""), user(quota=quota(1)), "critical"),
    ("KA1878", user(), OTHER_LABEL, user(more=", annotations: {a: b}"), "critical"),
    ("KA1879", user(quota=quota(2048)), user(quota=quota(1024)), user(quota=quota(4096)), "medium"),
    ("KA1879", user(quota=quota(2048)), user(), user(quota=quota("2048.0")), "low"),
]  # fmt: skip
"""A rule, a resource before, one that it objects to, one that it does not, and the severity."""
FILLED_IN = "'${X}'"
UNKNOWN_TURNS = [
    ("KA1819", topic(V1), topic(V1, "'orders-${X}'")),
    ("KA1818", topic(V1, FILLED_IN, UNMANAGED), topic(V1, FILLED_IN)),
    ("KA1835", pool(), pool(volumes=VOLUME.format(0, FILLED_IN, ""))),
    ("KA1837", pool("controller"), pool("controller", volumes=VOLUME.format(FILLED_IN, "1Gi", ""))),
    ("KA1839", pool("broker, controller"), pool(FILLED_IN)),
    ("KA1806", kafka(), kafka(more=SKIPPED.replace('"true"', FILLED_IN))),
    ("KA1807", kafka(), kafka(FILLED_IN)),
    ("KA1808", kafka(level=", metadataVersion: 4.1"), kafka(level=f", metadataVersion: {FILLED_IN}")),
    ("KA1809", kafka(), kafka(type=FILLED_IN)),
    ("KA2114", kafka("3.9.0", beside=OF_ZOOKEEPER), kafka("3.9.0", more=IN_KRAFT.replace("enabled", FILLED_IN))),
    ("KA1829", kafka(), kafka(more=PAUSED.replace('"true"', FILLED_IN))),
    ("KA1876", user(), user(FILLED_IN)),
    ("KA1878", user(), user().replace("strimzi.io/cluster: k", f"strimzi.io/cluster: {FILLED_IN}")),
    ("KA1834", topic(SIX), topic(SIX.replace("6", "'${N}'"))),
    ("KA1836", pool(volumes=f"{ZERO}, {ONE}").replace("[broker]", "['${ROLE}']"), pool()),
    ("KA1838", pool("controller"), pool("controller", "'${N}'")),
    ("KA1877", user(acls=READ % ("orders", "literal", "Read")), user(acls=READ % ("'${T}'", "literal", "Read"))),
    ("KA1879", user(quota=quota(1024)), user(quota=quota("'${Q}'"))),
]
REGISTRY = "kafkastore.bootstrap.servers=PLAINTEXT://b1:9092\n"
LEVEL, ELIGIBLE = "schema.compatibility.level=", "leader.eligibility="
CHART = "image: {repository: bitnami/kafka, tag: 4.0.0}\nsasl: {client: {users: %s%s}}\n"
GIVEN = ', passwords: "x,y"'
PLATFORM = [
    (
        "KA1887",
        "kafkastore.topic=_schemas",
        "kafkastore.topic=other",
        "kafkastore.topic.replication.factor=3",
        "critical",
    ),
    ("KA1887", "", "schema.registry.group.id=b", "schema.registry.group.id=schema-registry", "critical"),
    ("KA1887", "", f"{ELIGIBLE}false", "master.eligibility=true", "high"),
    ("KA1888", f"{LEVEL}full", f"{LEVEL}none", f"{LEVEL}full_transitive", "high"),
    ("KA1888", "", f"{LEVEL}forward", f"{LEVEL}BACKWARD", "medium"),
    ("KA1888", f"{LEVEL}full_transitive", f"{LEVEL}full", "avro.compatibility.level=full_transitive", "medium"),
]
"""As above, of a schema registry."""
OF_CHARTS = [
    ("KA1889", CHART % ("[a, b]", ""), CHART % ("[a, b, c]", ""), CHART % ("[a, c]", ""), "critical"),
    ("KA1889", CHART % ("[a]", ""), CHART % ("[]", ""), CHART % ("[a]", GIVEN), "critical"),
]
CASES = [
    each
    for rule, before, objected, accepted, severity in TURNS
    for each in (
        Case(rule, FIRES, change(before, objected), "strimzi", severity=severity),
        Case(rule, SILENT, change(before, accepted), "strimzi"),
    )
] + [Case(rule, UNKNOWN, change(before, after), "strimzi") for rule, before, after in UNKNOWN_TURNS]
CASES += [
    each
    for format, rows in (("registry", PLATFORM), ("helm", OF_CHARTS))
    for rule, before, objected, accepted, severity in rows
    for each in (
        Case(rule, FIRES, side(format, before, objected), format, severity=severity),
        Case(rule, SILENT, side(format, before, accepted), format),
    )
]
CASES += [
    Case("KA1887", UNKNOWN, side("registry", "", "kafkastore.topic=${TOPIC}"), "registry"),
    Case("KA1888", UNKNOWN, side("registry", "", f"{LEVEL}${{LEVEL}}"), "registry"),
    Case("KA1889", UNKNOWN, side("helm", CHART % ("[a]", ""), CHART % ('["${USER}"]', "")), "helm"),
]


LISTENER = "tls: true}"


def with_pools(*pools: str) -> str:
    """A cluster and its pools of nodes."""
    return "\n---\n".join((kafka(), *pools))


TWO, BALANCED = "partitions: 6, replicas: 2", kafka(beside=", cruiseControl: {}") + "\n---\n"
CONTROLLERS = pool("controller").replace("name: a", "name: controllers")
BROKERS, OTHERS = pool().replace("name: a", "name: brokers"), pool().replace("name: a", "name: others")
OF_J = BROKERS.replace("strimzi.io/cluster: k", "strimzi.io/cluster: j")
SHORT_LIVED = "{id: 0, type: ephemeral}"
CASES += [
    Case("KA1832", FIRES, change(with_pools(BROKERS, OTHERS), with_pools(BROKERS, OTHERS.replace("3", "2"))), "strimzi", "spec.replicas", "medium", "1 of 3 brokers go: the operator puts the number back"),
    Case("KA1832", FIRES, change(with_pools(BROKERS, OTHERS), with_pools(BROKERS.replace("3", "5"), OTHERS.replace("3", "2"))), "strimzi", "spec.replicas"),
    Case("KA1832", SILENT, change(with_pools(BROKERS, OTHERS), with_pools(BROKERS)), "strimzi"),
    Case("KA1832", SILENT, change(with_pools(BROKERS), with_pools(OTHERS.replace("3", "1"))), "strimzi"),
    Case("KA1832", UNKNOWN, change(with_pools(BROKERS, OTHERS), with_pools(BROKERS, OTHERS.replace("3", FILLED_IN))), "strimzi"),
    Case("KA1810", SILENT, change(with_pools(BROKERS, CONTROLLERS), with_pools(BROKERS, CONTROLLERS.replace("[controller]", "[controller, broker]"))), "strimzi"),
    Case("KA1847", FIRES, change(with_pools(topic(SIX)), with_pools(topic(TWO))), "strimzi", "spec.replicas", "medium", "the topic operator refuses it (NotSupported)"),
    Case("KA1847", FIRES, change(BALANCED + topic(SIX), BALANCED + topic(TWO)), "strimzi", says="1 of 3 replicas go"),
    Case("KA1847", SILENT, change(with_pools(topic(SIX)), with_pools(topic(SIX + ", config: {retention.ms: 1}"))), "strimzi"),
    Case("KA1847", SILENT, change(with_pools(topic(SIX, more=UNMANAGED)), with_pools(topic(TWO, more=UNMANAGED))), "strimzi"),
    Case("KA1847", UNKNOWN, change(topic(SIX), topic(TWO)), "strimzi", says="not among the files"),
    Case("KA2111", SILENT, change(with_pools(BROKERS, OTHERS), with_pools(BROKERS)), "strimzi"),
    Case("KA1853", FIRES, change(with_pools(BROKERS, OTHERS), with_pools(BROKERS)), "strimzi", severity="critical"),
    Case("KA1811", FIRES, change(kafka(), kafka().replace(LISTENER, "tls: true, authentication: {type: tls}}")), "strimzi", severity="high"),
    Case("KA1811", FIRES, change(kafka(), kafka().replace(LISTENER, "tls: false}")), "strimzi", severity="high"),
    Case("KA1811", SILENT, change(kafka(), kafka(release="4.1.1")), "strimzi"),
    Case("KA1855", FIRES, change(kafka() + "\n---\n" + kafka().replace("name: k,", "name: j,", 1), kafka()), "strimzi", severity="critical", says="does not start on its disks"),
    Case("KA1855", FIRES, change(kafka() + "\n---\n" + kafka().replace("name: k,", "name: j,", 1).replace("kafka: {", "kafka: {storage: {type: ephemeral}, ", 1), kafka()), "strimzi", severity="critical", says="deleted with every topic in it"),
    Case("KA1855", FIRES, change(kafka().replace("name: k,", "name: j,", 1) + "\n---\n" + OF_J.replace(ZERO, SHORT_LIVED) + "\n---\n" + kafka(), kafka()), "strimzi", severity="critical", says="deleted with every topic in it"),
    Case("KA1855", FIRES, change(kafka().replace("name: k,", "name: j,", 1) + "\n---\n" + OF_J + "\n---\n" + OF_J.replace(ZERO, SHORT_LIVED).replace("name: brokers", "name: b") + "\n---\n" + kafka(), kafka()), "strimzi", severity="critical", says="does not start on its disks"),
    Case("KA1825", FIRES, change(OLD_LISTENERS % "", OLD_LISTENERS % ", authorization: {type: simple}"), "strimzi", severity="critical", says="clients are denied"),
    Case("KA1855", SILENT, change(kafka(), kafka() + "\n---\n" + kafka().replace("name: k,", "name: j,", 1)), "strimzi"),
    Case("KA1856", FIRES, change(kafka(more=", namespace: a"), kafka(more=", namespace: b")), "strimzi", severity="critical", says="b/k is a new cluster"),
    Case("KA1856", SILENT, change(kafka(more=", namespace: a"), kafka()), "strimzi"),
    Case("KA1898", FIRES, change(mirror("topicsPattern: '.*'"), mirror("topicsPattern: 'orders'")), "strimzi", severity="high"),
    Case("KA1898", SILENT, change(mirror("topicsPattern: 'orders'"), mirror("topicsPattern: '.*'")), "strimzi"),
]  # fmt: skip


def test_cases() -> None:
    check_all(CASES)


ALONE = [
    (pool(), pool("controller"), {"KA1838", "KA1839"}),
    (pool("controller"), pool("controller", 5), {"KA1838"}),
    (pool(), pool(volumes=VOLUME.format(0, "100Gi", ", class: fast")), {"KA1835"}),
    (pool(), resource("KafkaNodePool", "a", "replicas: 3, roles: [broker], storage: {type: ephemeral}"), {"KA1835"}),
    (topic(V1), topic(V1.replace("v1", "v2")), {"KA1834"}),
    (topic(V1), topic(V1, "orders-v1"), {"KA1819"}),
    (topic(SIX), topic(SIX, "payments"), {"KA1850"}),
]


@pytest.mark.parametrize(("before", "after", "rules"), ALONE)
def test_what_the_operator_does_not_do_is_not_said(tmp_path: Path, before: str, after: str, rules: set[str]) -> None:
    others = f"{kafka(level=', metadataVersion: 4.1')}\n---\n{pool('controller').replace('name: a', 'name: c')}\n---\n"
    assert changes(tmp_path, "kafka.yaml", others + before, others + after).keys() == rules
