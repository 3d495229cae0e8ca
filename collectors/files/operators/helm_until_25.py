"""What Bitnami's chart up to its release 25 makes of its values: fields of settings, listeners, logins, ZooKeeper or KRaft.

Source: bitnami/charts (kafka/values.yaml, kafka/README.md, templates/statefulset.yaml of charts 11 to 23).
"""

from __future__ import annotations

from advisor.model import is_whole_number
from collectors.files.block import Block, text_of
from collectors.files.names import camel_case
from collectors.files.operators.common import MOST_SERVERS
from collectors.files.syntax.tree import SCALAR, TreeNode

DEFAULTS: dict[str, str | None] = {
    "default.replication.factor": "1",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "log.dirs": "/bitnami/kafka/data",
    "log.flush.interval.messages": "10000",
    "log.flush.interval.ms": "1000",
    "log.retention.bytes": "1073741824",
    "message.max.bytes": "1000012",
    "delete.topic.enable": "false",
    "zookeeper.connection.timeout.ms": "6000",
    "super.users": "User:admin",
    "allow.everyone.if.no.acl.found": "true",
}
"""The values of charts up to 25 that differ from Kafka's defaults."""
ALIASES = {
    "maxMessageBytes": "message.max.bytes",
    "logsDirs": "log.dirs",
    "logMessageFormatVersion": "log.message.format.version",
    "logRetentionCheckIntervalMs": "log.retention.check.interval.ms",
    "allowEveryoneIfNoAclFound": "allow.everyone.if.no.acl.found",
    "authorizerClassName": "authorizer.class.name",
    "superUsers": "super.users",
    "interBrokerListenerName": "inter.broker.listener.name",
}
FIELDS = frozenset((
    "deleteTopicEnable", "autoCreateTopicsEnable", "logFlushIntervalMessages", "logFlushIntervalMs", "logRetentionBytes",
    "logRetentionCheckIntervalMs", "logRetentionHours", "logSegmentBytes", "logsDirs", "maxMessageBytes",
    "defaultReplicationFactor", "offsetsTopicReplicationFactor", "transactionStateLogReplicationFactor",
    "transactionStateLogMinIsr", "numIoThreads", "numNetworkThreads", "numPartitions", "numRecoveryThreadsPerDataDir",
    "socketReceiveBufferBytes", "socketRequestMaxBytes", "socketSendBufferBytes", "zookeeperConnectionTimeoutMs",
    "authorizerClassName", "allowEveryoneIfNoAclFound", "superUsers", "listenerSecurityProtocolMap",
    "interBrokerListenerName", "listeners", "advertisedListeners",
))  # fmt: skip
"""The settings that charts up to 25 have a field for; all others are variables of the container, or lines of `config`."""
NAMES_OF_FIELDS = {
    **{key: field for field, key in ALIASES.items()},
    "ssl.keystore.location": "auth.tls.existingSecrets",
    "ssl.truststore.location": "auth.tls.existingSecrets",
}
"""Where charts up to 25 take a setting from that their own name does not tell."""
VARIABLE = "KAFKA_CFG_"
MECHANISMS = "plain,scram-sha-256,scram-sha-512"
"""The mechanisms of charts up to 25 whose values name none. Source: values.yaml, auth.sasl.mechanisms."""
PROTOCOLS = {"tls": "SSL", "mtls": "SSL", "sasl": "SASL_PLAINTEXT", "sasl_tls": "SASL_SSL"}
"""What charts up to 25 make of their words for a protocol; all others are PLAINTEXT."""
FIRST_OF_KRAFT, NEXT = (3, 4, 1), (3, 6)
"""The images of the charts 22 and 23, whose values switch KRaft on, as those of 21 do not."""
CERTIFICATES = "/opt/bitnami/kafka/config/certs"


def field_of(key: str) -> str:
    """The field of charts up to 25 for a setting, the variable of the container where there is none."""
    field = camel_case(key)
    return field if field in FIELDS else f"extraEnvVars[{VARIABLE}{key.upper().replace('.', '_')}]"


def add_computed(block: Block, values: TreeNode, path: str) -> None:
    """What charts up to 25 compute where the values leave it empty: ZooKeeper's address, or roles, voters and listeners of KRaft."""
    _add_variables(block, values, path)
    tag = values.key("image", "tag")
    if tag is not None and _may_be_either(values):
        for key in (key for key in _kraft(values) if key not in block.settings):
            block.translate(key, "${kraft.enabled}", tag, f"{path}image.tag")
        return
    place = values.key("kraft", "enabled")
    if values.string("kraft", "enabled").lower() == "true" and place is not None:
        for key, value in _kraft(values).items():
            if key not in block.settings:
                block.translate(key, value, place, f"{path}kraft.enabled")
        return
    external = values.key("externalZookeeper", "servers")
    servers = text_of(values.get("externalZookeeper", "servers") or TreeNode(SCALAR, 0, 0, ""))
    first = next((key for key, _ in values.pairs().values()), None)
    if external is not None and servers:
        block.translate("zookeeper.connect", servers, external, f"{path}externalZookeeper.servers")
    elif "zookeeper.connect" not in block.settings and first is not None:
        address = "zookeeper:2181" if values.string("zookeeper", "enabled").lower() != "false" else "${zookeeper}"
        block.translate("zookeeper.connect", address, values.key("zookeeper") or first, f"{path}zookeeper.enabled")
    _add_listeners(block, values, path)


def _add_variables(block: Block, values: TreeNode, path: str) -> None:
    """The settings that the values give the container as variables, which stand over the chart's own."""
    for variable in values.items("extraEnvVars"):
        name, place = variable.string("name"), variable.key("value")
        if name.startswith(VARIABLE) and place is not None:
            key = name.removeprefix(VARIABLE).lower().replace("_", ".")
            block.set(key, variable.string("value"), place, variable.get("value"), f"{path}extraEnvVars[{name}]")


def _may_be_either(values: TreeNode) -> bool:
    """Whether the values say nothing of ZooKeeper and KRaft, for an image that charts with either default have."""
    says = (("zookeeper", "enabled"), ("externalZookeeper", "servers"), ("kraft", "enabled"))
    tag = values.string("image", "tag").partition("-")[0].split(".")
    numbers = tuple(int(part) for part in tag if is_whole_number(part))
    return FIRST_OF_KRAFT <= numbers < NEXT and not any(values.key(*each) for each in says)


def _add_listeners(block: Block, values: TreeNode, path: str) -> None:
    """The listeners in ZooKeeper mode. Source: templates/statefulset.yaml of charts 11 to 23."""
    names = ("interBrokerListenerName", "auth")
    name = next((each for each in names if values.key(each) is not None), "")
    place = values.key(name)
    if place is None:
        return
    internal, client, outside = (_protocol(values, part) for part in ("interBroker", "client", "externalClient"))
    ports, protocols = "INTERNAL://:9093,CLIENT://:9092", f"INTERNAL:{internal},CLIENT:{client}"
    if values.string("externalAccess", "enabled").lower() == "true":
        ports, protocols = f"{ports},EXTERNAL://:9094", f"{protocols},EXTERNAL:{outside or client}"
    computed = {
        "listeners": ports,
        "listener.security.protocol.map": protocols,
        "inter.broker.listener.name": "INTERNAL",
        **_logins(values, protocols),
        **_stores(protocols),
    }
    for key, value in computed.items():
        if key not in block.settings:
            block.translate(key, value, place, path + name)


def _stores(protocols: str) -> dict[str, str]:
    """Where the chart mounts the key stores, where a listener needs them."""
    return {"ssl.keystore.location": f"{CERTIFICATES}/kafka.keystore.jks"} if "SSL" in protocols else {}


def _logins(values: TreeNode, protocols: str) -> dict[str, str]:
    """How brokers and clients log in where a listener asks for it."""
    if ":SASL" not in protocols:
        return {}
    return {
        "sasl.enabled.mechanisms": (values.string("auth", "sasl", "mechanisms") or MECHANISMS).upper(),
        "sasl.mechanism.inter.broker.protocol": (
            values.string("auth", "sasl", "interBrokerMechanism") or "plain"
        ).upper(),
    }


def _protocol(values: TreeNode, part: str) -> str:
    """The protocol that charts up to 23 make of a word for it: PLAINTEXT of an unknown one, empty where none is written."""
    word = values.string("auth", f"{part}Protocol")
    return PROTOCOLS.get(word, "PLAINTEXT") if word or part != "externalClient" else ""


def _kraft(values: TreeNode) -> dict[str, str]:
    """The settings of a node in KRaft mode. Source: templates/statefulset.yaml and values.yaml of charts 20 to 23."""
    internal, client = _protocol(values, "interBroker"), _protocol(values, "client")
    replicas = min(values.whole("replicaCount") or 1, MOST_SERVERS)
    return {
        "process.roles": "broker,controller",
        "node.id": "0",
        "controller.quorum.voters": ",".join(f"{number}@kafka-{number}:9093" for number in range(replicas)),
        "controller.listener.names": "CONTROLLER",
        "listeners": "INTERNAL://:9094,CLIENT://:9092,CONTROLLER://:9093",
        "listener.security.protocol.map": f"INTERNAL:{internal},CLIENT:{client},CONTROLLER:{internal}",
        "inter.broker.listener.name": "INTERNAL",
        **_stores(internal + client),
    }
