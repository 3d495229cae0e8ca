"""What Bitnami's chart from its release 24 on makes of its values in KRaft mode: roles, ids, listeners, protocols, logins.

Source: bitnami/charts (kafka/templates/_helpers.tpl and the ConfigMaps of controllers and brokers, charts 24 to 32).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from advisor.model import is_whole_number
from advisor.secrets.placeholders import is_placeholder
from collectors.files.block import Block, make_setting, text_of
from collectors.files.helm.bitnami_until_23 import CERTIFICATES
from collectors.files.operators.common import MOST_SERVERS, switch
from collectors.files.operators.strimzi_listeners import LOGIN_MODULES
from collectors.files.syntax.tree import MAPPING, TreeNode

CONTROLLER, BROKER, COMBINED = "controller", "broker", "combined"
CONTAINERS = "defaultInitContainers"
SECTIONS = (
    *(CONTROLLER, BROKER, "sasl", "extraConfig", "extraConfigYaml", "overrideConfiguration", "kraftVersion"),
    CONTAINERS,
)
"""Sections that the chart does not have before its release 24."""
PARTS = {
    "client": ("CLIENT", "9092"),
    "interbroker": ("INTERNAL", "9094"),
    "controller": ("CONTROLLER", "9093"),
    "external": ("EXTERNAL", "9095"),
}
"""The sections of listeners, with the names and ports that they have where the values say none."""
DEFAULT_PROTOCOL, DEFAULT_MECHANISMS = "SASL_PLAINTEXT", "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512"
REPLICAS = {CONTROLLER: "3", BROKER: "0"}
FIRST_IDS = {CONTROLLER: "0", BROKER: "100"}
"""How many nodes of each role there are, and the id of the first, where the values do not say it."""
USERS = {"interbroker": "inter_broker_user", "controller": "controller_user"}
"""Who brokers and controllers log in as where the values do not say it."""
PASSWORD = "${password}"
QUORUMS = (
    ("kraft", "controllerQuorumVoters"),
    ("controller", "quorumVoters"),
    ("controller", "quorumBootstrapServers"),
)
"""Fields that say who the controllers are, in place of their number."""
OVERRIDES = {
    "listeners": "overrideListeners",
    "listener.security.protocol.map": "securityProtocolMap",
    "advertised.listeners": "advertisedListeners",
}
"""Fields of `listeners` that replace what the chart makes of the others."""
Path = tuple[str, ...]
Computed = dict[str, tuple[str, Path]]
"""Settings, and the field that each one is made of."""
FIELDS = {
    "listener.security.protocol.map": "listeners.<client, interbroker, controller, external>.protocol",
    "inter.broker.listener.name": "listeners.interbroker.name",
    "controller.listener.names": "listeners.controller.name",
    "advertised.listeners": "listeners.advertisedListeners",
    "listeners": "listeners.overrideListeners",
    "ssl.client.auth": "tls.sslClientAuth",
    "ssl.endpoint.identification.algorithm": "tls.endpointIdentificationAlgorithm",
    "sasl.enabled.mechanisms": "sasl.enabledMechanisms",
    "sasl.mechanism.inter.broker.protocol": "sasl.interBrokerMechanism",
    "sasl.mechanism.controller.protocol": "sasl.controllerMechanism",
    "process.roles=controller": "controller.controllerOnly: true",
}
"""What a user writes for a setting that the chart makes."""
CHARTS_VALUES = "the chart's own values"
"""What a setting is derived from of which these values have no field."""
FOLDER = "/bitnami/kafka"
"""Where the volumes are mounted unless the values say it."""
ZONE = "${ZONE}"
"""The zone of the machine, which the script that starts a node asks for where the values want it."""
POD = "${POD}"
"""The name of the pod, under which the script that starts it advertises its listeners."""


class Listener(NamedTuple):
    """A listener: the section that describes it, and what the chart makes of it."""

    field: Path
    name: str
    port: str
    protocol: str
    client_auth: str


def is_from_24(values: TreeNode) -> bool:
    """Whether values are those of a chart from 24 on."""
    listeners = values.get("listeners")
    return (listeners is not None and listeners.kind == MAPPING) or any(values.get(part) for part in SECTIONS)


def is_kraft(values: TreeNode) -> bool:
    """Whether no node has anything to do with ZooKeeper."""
    external = values.get("externalZookeeper", "servers")
    return (
        switch(values.string("kraft", "enabled") or "true") is True
        and switch(values.string("zookeeper", "enabled")) is False
        and not (external is not None and text_of(external))
    )


def text_or(values: TreeNode, default: str, *path: str) -> str:
    """The text of a field, or the chart's default where the values do not have it."""
    return values.string(*path) if values.key(*path) is not None else default


def replicas(values: TreeNode, role: str) -> int | None:
    """How many nodes of a role there are; None where it is filled in later."""
    text = text_or(values, REPLICAS[role], role, "replicaCount")
    return int(text) if is_whole_number(text) else None


def first_id(values: TreeNode, role: str) -> str:
    """The id of the first node of a role."""
    return text_or(values, FIRST_IDS[role], role, "minId")


def kind_of(values: TreeNode, role: str) -> str:
    """The kind of a role's nodes; those that may be controllers are brokers as well, unless the values say otherwise."""
    if role == BROKER:
        return BROKER
    return CONTROLLER if switch(values.string(CONTROLLER, "controllerOnly")) else COMBINED


def brokers(values: TreeNode) -> tuple[int | None, Path | None]:
    """(how many brokers there are, the field that says it); None where none does, or where it is filled in later."""
    fields = ((BROKER, "replicaCount"), (CONTROLLER, "controllerOnly"), (CONTROLLER, "replicaCount"))
    is_only = switch(values.string(CONTROLLER, "controllerOnly"))
    field = next(
        (field for field in fields if values.key(*field) is not None and (is_only or field != fields[1])), None
    )
    controllers, own = replicas(values, CONTROLLER), replicas(values, BROKER)
    if field is None or is_only is None or own is None or (controllers is None and not is_only):
        return None, None
    return own + (0 if is_only else controllers or 0), field


def add_computed(block: Block, values: TreeNode, path: str, role: str, is_whole: bool) -> None:
    """Add what the chart writes of listeners, logins and the folder of the logs, each setting at its field, else where the listeners are.

    Values without a section of listeners, where there may be more of them, are a part of others: nothing is known then.
    """
    if not values.mapping("listeners") and not is_whole:
        return
    for key, (value, field) in _computed(values, role).items():
        _derive(block, values, path, key, value, (field, field[:1], ("listeners",)))
    if "log.dirs" not in block.settings:
        field = (role, "persistence", "mountPath")
        _derive(
            block, values, path, "log.dir", f"{text_or(values, FOLDER, *field)}/data", (field, field[:2], field[:1])
        )
    if switch(values.string("brokerRackAwareness", "enabled")) is not False:
        _derive(block, values, path, "broker.rack", ZONE, (("brokerRackAwareness", "enabled"),))
    _add_parts(block, values, path, listeners_of(values, kind_of(values, role)))


def add_roles(block: Block, values: TreeNode, path: str, role: str) -> None:
    """Add the role of a node, its id, and who the controllers are."""
    block.kind = kind_of(values, role)
    roles = "controller,broker" if block.kind == COMBINED else block.kind
    fields = ((role, "controllerOnly"), (role, "replicaCount"), (role,), ("listeners",))
    _derive(block, values, path, "process.roles", roles, fields)
    _derive(block, values, path, "node.id", first_id(values, role), ((role, "minId"), *fields[1:]))
    add_quorum(block, values, path, by_default=True)


def _derive(block: Block, values: TreeNode, path: str, key: str, value: str, fields: Sequence[Path]) -> None:
    """Add a setting that the values do not write themselves, at the first of some fields that is there, else at the first of all."""
    if key in block.settings:
        return
    field = next((field for field in fields if values.key(*field) is not None), None)
    place = values.key(*field) if field else next((node for node, _ in values.pairs().values()), None)
    if place is not None and field:
        block.derive(key, value, place, path + ".".join(field))
    elif place is not None:
        block.translate(key, value, place, path + FIELDS.get(key, ".".join(fields[0]))).derived = CHARTS_VALUES


def add_quorum(block: Block, values: TreeNode, path: str, by_default: bool = False) -> None:
    """The voters, or the servers that a dynamic quorum is found by: those of a number that the values name, or of the chart's own."""
    own = next((field for field in QUORUMS if values.string(*field)), None)
    number = (CONTROLLER, "replicaCount")
    named = next((each for each in (number, ("kraftVersion",)) if values.key(*each) is not None), None)
    field = own or named or (number if by_default else None)
    count, first, port = (
        replicas(values, CONTROLLER),
        first_id(values, CONTROLLER),
        listener_of(values, "controller").port,
    )
    if field is None or not count or not is_whole_number(first):
        return
    is_dynamic = values.string("kraftVersion") == "1"
    servers = [f"controller-{index}:{port}" for index in range(min(count, MOST_SERVERS))]
    voters = [f"{int(first) + index}@{server}" for index, server in enumerate(servers)]
    text = values.string(*own) if own else ",".join(servers if is_dynamic else voters)
    is_dynamic = is_dynamic or "@" not in text
    key = "controller.quorum.bootstrap.servers" if is_dynamic else "controller.quorum.voters"
    _derive(block, values, path, key, text, (field,))


def listeners_of(values: TreeNode, kind: str) -> list[Listener]:
    """The listeners of a node."""
    outside = ["external"] if switch(values.string("externalAccess", "enabled")) else []
    parts = {
        BROKER: ["client", "interbroker", *outside],
        COMBINED: ["client", "interbroker", *outside, "controller"],
        CONTROLLER: ["controller"],
    }[kind]
    extra = [] if kind == CONTROLLER else values.items("listeners", "extraListeners")
    return [*(listener_of(values, part) for part in parts), *(_extra(listener) for listener in extra)]


def listener_of(values: TreeNode, part: str) -> Listener:
    """The listener of a section, with the chart's defaults where the values leave something out."""
    name, port = PARTS[part]
    field = ("listeners", part)
    return Listener(
        field,
        text_or(values, name, *field, "name").upper(),
        text_or(values, port, *field, "containerPort"),
        text_or(values, DEFAULT_PROTOCOL, *field, "protocol").upper(),
        values.string(*field, "sslClientAuth"),
    )


def _extra(listener: TreeNode) -> Listener:
    name, port, protocol = (listener.string(field) for field in ("name", "containerPort", "protocol"))
    field = ("listeners", "extraListeners")
    return Listener(field, name.upper(), port, protocol.upper(), listener.string("sslClientAuth"))


def _computed(values: TreeNode, role: str) -> Computed:
    """The settings of a node's listeners."""
    kind = kind_of(values, role)
    own = listeners_of(values, kind)
    controller, interbroker = listener_of(values, "controller"), listener_of(values, "interbroker")
    mapped = own if kind != BROKER else [*own, controller]
    computed: Computed = {
        "listeners": (",".join(f"{each.name}://:{each.port}" for each in own), ("listeners",)),
        "listener.security.protocol.map": (
            ",".join(f"{each.name}:{each.protocol}" for each in mapped),
            ("listeners",),
        ),
        "controller.listener.names": (controller.name, ("listeners", "controller", "name")),
    }
    if kind != CONTROLLER:
        computed["inter.broker.listener.name"] = (interbroker.name, ("listeners", "interbroker", "name"))
        advertised = ",".join(f"{each.name}://{POD}:{each.port}" for each in own if each.name != controller.name)
        computed["advertised.listeners"] = (advertised, ("listeners",))
    computed |= {
        key: (text, ("listeners", field))
        for key, field in OVERRIDES.items()
        if (text := values.string("listeners", field)) and not (key == "advertised.listeners" and kind == CONTROLLER)
    }
    return computed | dict(_security(values, mapped))


def _security(values: TreeNode, own: Sequence[Listener]) -> Iterator[tuple[str, tuple[str, Path]]]:
    """The settings of TLS and of logins, which every node gets where any listener asks for them."""
    every = listeners_of(values, COMBINED)
    if any(is_placeholder(listener.protocol) for listener in every):
        return
    if any("SSL" in listener.protocol for listener in every):
        yield from _tls(values)
    if any("SASL" in listener.protocol for listener in every):
        yield from _logins(values, own)


def _tls(values: TreeNode) -> Iterator[tuple[str, tuple[str, Path]]]:
    yield "ssl.keystore.type", ("JKS", ("tls", "type"))
    yield "ssl.truststore.type", ("JKS", ("tls", "type"))
    yield "ssl.keystore.location", (f"{CERTIFICATES}/kafka.keystore.jks", ("tls", "existingSecret"))
    yield "ssl.truststore.location", (f"{CERTIFICATES}/kafka.truststore.jks", ("tls", "existingSecret"))
    for key, default in (("ssl.client.auth", "required"), ("ssl.endpoint.identification.algorithm", "https")):
        field = tuple(FIELDS[key].split("."))
        yield key, (text_or(values, default, *field), field)


def _logins(values: TreeNode, own: Sequence[Listener]) -> Iterator[tuple[str, tuple[str, Path]]]:
    mechanisms = text_or(values, DEFAULT_MECHANISMS, "sasl", "enabledMechanisms").upper()
    yield "sasl.enabled.mechanisms", (mechanisms, ("sasl", "enabledMechanisms"))
    for part, field, key in (
        ("interbroker", "interBrokerMechanism", "sasl.mechanism.inter.broker.protocol"),
        ("controller", "controllerMechanism", "sasl.mechanism.controller.protocol"),
    ):
        if "SASL" in listener_of(values, part).protocol:
            yield key, (text_or(values, "PLAIN", "sasl", field).upper(), ("sasl", field))
    for listener in own:
        prefix = f"listener.name.{listener.name.lower()}."
        if listener.client_auth and "SSL" in listener.protocol:
            yield f"{prefix}ssl.client.auth", (listener.client_auth, (*listener.field, "sslClientAuth"))
        if "SASL" in listener.protocol:
            for mechanism in mechanisms.split(","):
                yield from _jaas(values, listener, mechanism)


def _jaas(values: TreeNode, listener: Listener, mechanism: str) -> Iterator[tuple[str, tuple[str, Path]]]:
    """The login of a listener, with the passwords left open: they are filled in from a Secret when a pod starts."""
    part, module = listener.field[-1], LOGIN_MODULES.get(mechanism)
    if module is None:
        return
    user = text_or(values, USERS[part], "sasl", part, "user") if part in USERS else ""
    login = ("clientId", "clientSecret") if mechanism == "OAUTHBEARER" else ("username", "password")
    words = [f'{login[0]}="{user}"', f'{login[1]}="{PASSWORD}"'] if user else []
    if mechanism == "PLAIN":
        clients = [item.text for item in values.items("sasl", "client", "users")] or ["user1"]
        words += [f'user_{name}="{PASSWORD}"' for name in ([user] if user else []) + clients]
    key = f"listener.name.{listener.name.lower()}.{mechanism.lower()}.sasl.jaas.config"
    field = (part, "user") if user else ("client", "users")
    yield key, (f"{' '.join([module, 'required', *words])};", ("sasl", *field))


def _add_parts(block: Block, values: TreeNode, path: str, listeners: Sequence[Listener]) -> None:
    """Say of each listener where its protocol stands."""
    mapped = block.settings.get("listener.security.protocol.map")
    if mapped is None or mapped.derived != f"{path}listeners":
        return
    mapped.parts = {}
    for listener in listeners:
        place = values.key(*listener.field, "protocol")
        if place is not None:
            part = make_setting(mapped.key, listener.protocol, block.file, place, None)
            part.written = f"{path}{'.'.join(listener.field)}.protocol"
            mapped.parts[listener.name] = part
