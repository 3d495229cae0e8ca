"""What Bitnami's chart up to its release 23 makes of its values: fields of settings, listeners, logins, ZooKeeper or KRaft.

Source: bitnami/charts (kafka/values.yaml, kafka/README.md, templates/statefulset.yaml of charts 11 to 23).
"""

from __future__ import annotations

from advisor.model import is_whole_number
from collectors.files.block import Block, text_of
from collectors.files.names import camel_case
from collectors.files.operators.common import MOST_SERVERS
from collectors.files.operators.common import protocol as protocol_of
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
"""The values of charts up to 23 that differ from Kafka's defaults."""
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
"""The settings that charts up to 23 have a field for; all others are variables of the container, or lines of `config`."""
NAMES_OF_FIELDS = {
    **{key: field for field, key in ALIASES.items()},
    "ssl.keystore.location": "auth.tls.existingSecrets",
    "ssl.truststore.location": "auth.tls.existingSecrets",
}
"""Where charts up to 23 take a setting from that their own name does not tell."""
VARIABLE = "KAFKA_CFG_"
MECHANISMS = "plain,scram-sha-256,scram-sha-512"
"""The mechanisms of charts up to 23 whose values name none. Source: values.yaml, auth.sasl.mechanisms."""
NAMES = {"internal": "INTERNAL", "client": "CLIENT", "controller": "CONTROLLER", "external": "EXTERNAL"}
WORDS = {"internal": "interBroker", "client": "client", "controller": "controller", "external": "externalClient"}
"""The listeners, and what the fields of their protocols in `auth` begin with."""
PORTS_UNTIL_21 = {"internal": "9093", "client": "9092", "controller": "9095", "external": "9094"}
PORTS_FROM_22 = {"internal": "9094", "client": "9092", "controller": "9093", "external": "9095"}
PROTOCOLS = {"tls": "SSL", "mtls": "SSL", "sasl": "SASL_PLAINTEXT", "sasl_tls": "SASL_SSL"}
"""What charts up to 23 make of their words for a protocol; all others are PLAINTEXT."""
FIRST_OF_KRAFT, NEXT = (3, 4, 1), (3, 6)
"""The images of the charts 22 and 23, whose values switch KRaft on, as those of 21 do not."""
CERTIFICATES = "/opt/bitnami/kafka/config/certs"
FIRST_IDS, VOTERS = (("minId",), ("minBrokerId",)), ("kraft", "controllerQuorumVoters")
"""The fields of the first node's id, the later name first, and of voters that are not computed."""
SWITCH, TLS_PORT = ("auth", "enabled"), "9093"
"""The switch for all logins of charts up to 10, and the port of their listener for certificates."""
Path = tuple[str, ...]
Computed = dict[str, tuple[str, Path]]
"""Settings, and the field that each one is made of; none where it is made of several."""
STORES: Computed = {"ssl.keystore.location": (f"{CERTIFICATES}/kafka.keystore.jks", ())}
"""Where the chart mounts the key stores, where a listener needs them."""


def field_of(key: str) -> str:
    """The field of charts up to 23 for a setting, the variable of the container where there is none."""
    field = camel_case(key)
    return field if field in FIELDS else f"extraEnvVars[{VARIABLE}{key.upper().replace('.', '_')}]"


def add_computed(block: Block, values: TreeNode, path: str) -> None:
    """What charts up to 23 compute where the values leave it empty: ZooKeeper's address, or roles, voters and listeners of KRaft."""
    _add_variables(block, values, path)
    tag = values.key("image", "tag")
    if tag is not None and _may_be_either(values):
        for key in (key for key in _kraft(values) if key not in block.settings):
            block.translate(key, "${kraft.enabled}", tag, f"{path}image.tag")
    elif values.string("kraft", "enabled").lower() == "true":
        _add(block, values, path, _kraft(values), ("kraft", "enabled"))
    else:
        _add_zookeeper(block, values, path)


def _add(block: Block, values: TreeNode, path: str, computed: Computed, otherwise: Path) -> None:
    """Add settings that the values do not write themselves, each at its own field, else at one that is there."""
    for key, (value, own) in computed.items():
        field = own if own and values.key(*own) is not None else otherwise
        place = values.key(*field)
        if key not in block.settings and place is not None:
            block.translate(key, value, place, path + ".".join(field))


def _add_zookeeper(block: Block, values: TreeNode, path: str) -> None:
    """Add ZooKeeper's address, and the listeners."""
    external = values.key("externalZookeeper", "servers")
    servers = text_of(values.get("externalZookeeper", "servers") or TreeNode(SCALAR, 0, 0, ""))
    first = next((key for key, _ in values.pairs().values()), None)
    if external is not None and servers:
        block.translate("zookeeper.connect", servers, external, f"{path}externalZookeeper.servers")
    elif "zookeeper.connect" not in block.settings and first is not None:
        address = "zookeeper:2181" if values.string("zookeeper", "enabled").lower() != "false" else "${zookeeper}"
        block.translate("zookeeper.connect", address, values.key("zookeeper") or first, f"{path}zookeeper.enabled")
    names = (("interBrokerListenerName",), ("auth",))
    said = next((each for each in names if values.key(*each) is not None), None)
    if values.key(*SWITCH) is not None:
        _add(block, values, path, _listeners_until_10(values), SWITCH)
    elif said is not None:
        _add(block, values, path, _listeners(values, in_kraft=False), said)


def _add_variables(block: Block, values: TreeNode, path: str) -> None:
    """The settings that the values give the container as variables, which stand over the chart's own, and the list of listeners."""
    own, name = values.key("listeners"), text_of(values.get("listeners") or TreeNode(SCALAR, 0, 0, ""))
    if own is not None and name:
        block.set("listeners", name, own, values.get("listeners"), f"{path}listeners")
    for variable in values.items("extraEnvVars"):
        name, place = variable.string("name"), variable.key("value")
        if name.startswith(VARIABLE) and place is not None:
            key = name.removeprefix(VARIABLE).lower().replace("_", ".")
            block.set(key, variable.string("value"), place, variable.get("value"), f"{path}extraEnvVars[{name}]")


def _may_be_either(values: TreeNode) -> bool:
    """Whether the values say nothing of ZooKeeper and KRaft, for an image that charts with either default have."""
    says = (("zookeeper", "enabled"), ("externalZookeeper", "servers"), ("kraft", "enabled"))
    return FIRST_OF_KRAFT <= _release(values) < NEXT and not any(values.key(*each) for each in says)


def _release(values: TreeNode) -> tuple[int, ...]:
    """The release of Kafka in the image's tag; empty where it says none."""
    numbers = values.string("image", "tag").partition("-")[0].split(".")
    return tuple(int(part) for part in numbers if is_whole_number(part))


def _listeners(values: TreeNode, in_kraft: bool) -> Computed:
    """The listeners, with how brokers and clients log in. Source: templates/statefulset.yaml of charts 11 to 23."""
    is_outside = values.string("externalAccess", "enabled").lower() == "true"
    parts = ["internal", "client", *(["controller"] if in_kraft else []), *(["external"] if is_outside else [])]
    protocols = {part: _protocol(values, WORDS[part]) or _protocol(values, "client") for part in parts}
    used = [protocol for part, protocol in protocols.items() if part != "controller"]
    return {
        "listeners": (",".join(f"{NAMES[part]}://:{_port(values, part, in_kraft)}" for part in parts), ()),
        "listener.security.protocol.map": (",".join(f"{NAMES[part]}:{protocols[part]}" for part in parts), ()),
        "inter.broker.listener.name": ("INTERNAL", ()),
        **(_logins(values) if any(protocol.startswith("SASL") for protocol in used) else {}),
        **(STORES if any(protocol.endswith("SSL") for protocol in protocols.values()) else {}),
    }


def _listeners_until_10(values: TreeNode) -> Computed:
    """The listeners of charts with one switch for all logins. Source: templates/statefulset.yaml of chart 10."""
    logs_in = values.string(*SWITCH).lower() == "true"
    encrypts = values.string("auth", "ssl").lower() == "true"
    if values.string("externalAccess", "enabled").lower() == "true":
        return {}
    protocol = protocol_of(tls=encrypts, sasl=logs_in)
    own = f"{protocol}://:{'9092' if logs_in or not encrypts else TLS_PORT}"
    return {
        "listeners": (f"{own},SSL://:{TLS_PORT}" if logs_in and encrypts else own, ()),
        "security.inter.broker.protocol": (protocol, ()),
        **(_logins(values) if logs_in else {}),
        **(STORES if encrypts else {}),
    }


def _port(values: TreeNode, part: str, in_kraft: bool) -> str:
    """The port of a listener: the image tells the charts from 22 on, where it says nothing their mode does."""
    is_later = _release(values) >= FIRST_OF_KRAFT if _release(values) else in_kraft
    return values.string("containerPorts", part) or (PORTS_FROM_22 if is_later else PORTS_UNTIL_21)[part]


def _logins(values: TreeNode) -> Computed:
    """How brokers and clients log in where a listener asks for it."""
    mechanisms = values.string("auth", "sasl", "mechanisms") or MECHANISMS
    between = values.string("auth", "sasl", "interBrokerMechanism") or "plain"
    return {
        "sasl.enabled.mechanisms": (mechanisms.upper(), ()),
        "sasl.mechanism.inter.broker.protocol": (between.upper(), ()),
    }


def _protocol(values: TreeNode, part: str) -> str:
    """The protocol that charts up to 23 make of a word for it: PLAINTEXT of an unknown one, empty where none is written."""
    word = values.string("auth", f"{part}Protocol")
    return PROTOCOLS.get(word, "PLAINTEXT") if word or part != "externalClient" else ""


def _kraft(values: TreeNode) -> Computed:
    """The settings of a node in KRaft mode. Source: templates/statefulset.yaml, scripts-configmap.yaml of charts 21 to 23."""
    roles = values.string("kraft", "processRoles") or "broker,controller"
    first = next((field for field in FIRST_IDS if is_whole_number(values.string(*field))), FIRST_IDS[0])
    computed: Computed = {
        "process.roles": (roles, ("kraft", "processRoles")),
        "node.id": (values.string(*first) or "0", first),
        "controller.listener.names": (
            values.string("kraft", "controllerListenerNames") or "CONTROLLER",
            ("kraft", "controllerListenerNames"),
        ),
        **_listeners(values, in_kraft=True),
    }
    own = values.string("kraft", "controllerQuorumVoters")
    is_computed = "controller" in roles and (not own or () < _release(values) < FIRST_OF_KRAFT)
    voters = _voters(values, int(computed["node.id"][0])) if is_computed else own
    return computed | ({"controller.quorum.voters": (voters, () if is_computed else VOTERS)} if voters else {})


def _voters(values: TreeNode, first: int) -> str:
    """The voters that the script of a pod makes of the number of replicas."""
    port, replicas = _port(values, "controller", True), min(values.whole("replicaCount") or 1, MOST_SERVERS)
    return ",".join(f"{first + number}@kafka-{number}:{port}" for number in range(replicas))
