"""Listeners of Strimzi's Kafka resource: what the operator makes of them, worked out once for all node pools of a cluster."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from advisor.cache import cached_if_long
from advisor.model import Setting
from advisor.secrets.placeholders import is_placeholder
from collectors.files.block import Block, make_setting, text_of
from collectors.files.operators.common import protocol, switch
from collectors.files.operators.strimzi_fields import SCRAM
from collectors.files.syntax.tree import MAPPING, TreeNode

REPLICATION, CONTROL = "REPLICATION-9091", "CONTROLPLANE-9090"
LOGIN_MODULES = {
    "SCRAM-SHA-256": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "SCRAM-SHA-512": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "OAUTHBEARER": "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule",
    "PLAIN": "org.apache.kafka.common.security.plain.PlainLoginModule",
}
"""The modules of the JAAS lines that the operator writes for its listeners."""
STORES = {"ssl.keystore.location": "cluster.keystore.p12", "ssl.truststore.location": "cluster.truststore.p12"}
OF_OPERATOR = "/tmp/kafka"
"""What the operator makes of the cluster's own authority, and where; from 0.49 on as PEM, in place of these files."""
OWN_CERTIFICATE = "brokerCertChainAndKey"
FIELD = "spec.kafka.listeners"


class Listener(NamedTuple):
    """One listener. `key` is where its protocol stands, `login` its authentication, at `where`."""

    node: TreeNode
    name: str
    written: str
    protocol: str
    key: TreeNode
    login: str
    where: TreeNode | None

    @property
    def prefix(self) -> str:
        """What its settings begin with."""
        return f"listener.name.{self.name.lower()}."


class Listeners:
    """The listeners of a cluster, whose settings are those of all its brokers."""

    def __init__(self, kafka: TreeNode, file: str) -> None:
        self._kafka = kafka
        self._file = file
        self._place = kafka.key("listeners")

    def add_to(self, block: Block) -> None:
        """Add the settings of listeners and of their key stores to nodes, by their roles."""
        if block.kind == "controller" and self._place is not None:
            _controller_listener(block, self._place)
        elif self._place is not None and self._every:
            self._add_listeners(block, self._place)
        self._add_stores(block)

    def _add_listeners(self, block: Block, place: TreeNode) -> None:
        addresses = f"{self._addresses},{address_of(CONTROL)}" if block.kind == "combined" else self._addresses
        block.translate("listeners", addresses, place, FIELD)
        mapped = block.translate("listener.security.protocol.map", self._protocols, place, FIELD)
        mapped.parts = self._parts
        block.translate("inter.broker.listener.name", REPLICATION, place, FIELD)
        for name in (REPLICATION, CONTROL):
            block.translate(f"listener.name.{name.lower()}.ssl.client.auth", "required", place, FIELD)
        assert block.spelling is not None
        block.spelling.names = {**block.spelling.names, **self._fields}
        for listener in self._with_settings:
            _add_authentication(block, listener)

    def _add_stores(self, block: Block) -> None:
        """The key stores of the listeners with TLS, but for those with a certificate of their own."""
        protocols = block.settings.get("listener.security.protocol.map")
        for name in encrypted(protocols.value) if protocols is not None else ():
            is_own = name in self._certified
            for key, file in STORES.items():
                of_listener = f"listener.name.{name.lower()}.{key}"
                path = f"{OF_OPERATOR}/{f'custom-{name.lower()}.keystore.p12' if is_own else file}"
                if not is_own or key == "ssl.keystore.location":
                    block.settings[of_listener] = made(block, of_listener, path, self._kafka)

    @cached_property
    def _every(self) -> list[Listener]:
        nodes = self._kafka.items("listeners") if self._place is not None else ()
        return [_listener(node, self._place) for node in nodes if node.kind == MAPPING and self._place is not None]

    @cached_property
    def _addresses(self) -> str:
        """Where brokers listen."""
        return ",".join(map(address_of, (*(listener.name for listener in self._every), REPLICATION)))

    @cached_property
    def _protocols(self) -> str:
        pairs = (f"{listener.name}:{listener.protocol}" for listener in self._every)
        return ",".join((*pairs, f"{REPLICATION}:SSL", f"{CONTROL}:SSL"))

    @cached_property
    def _parts(self) -> dict[str, Setting]:
        """What says whether a listener has TLS, by its name."""
        return {listener.name: self._part(listener) for listener in self._every}

    def _part(self, listener: Listener) -> Setting:
        value = listener.node.string("tls") or "false"
        part = make_setting("listener.security.protocol.map", value, self._file, listener.key, None)
        part.written = f"{listener.written}.tls"
        return part

    @cached_property
    def _fields(self) -> dict[str, str]:
        """The keys by which listeners ask for certificates of clients, and what the file calls each."""
        return {f"{each.prefix}ssl.client.auth": f"{each.written}.authentication" for each in self._every}

    @cached_property
    def _with_settings(self) -> list[Listener]:
        return [each for each in self._every if each.where is not None or each.protocol == "SSL"]

    @cached_property
    def _certified(self) -> set[str]:
        """The listeners with a certificate of their own."""
        nodes = self._kafka.items("listeners")
        return {_name(node) for node in nodes if node.get("configuration", OWN_CERTIFICATE) is not None}


def _listener(node: TreeNode, place: TreeNode) -> Listener:
    return Listener(
        node,
        _name(node),
        f"{FIELD}[{node.string('name')}]",
        protocol_of(node),
        node.key("tls") or node.key("name") or place,
        node.string("authentication", "type"),
        node.key("authentication"),
    )


def _name(node: TreeNode) -> str:
    return f"{node.string('name').upper()}-{node.string('port')}"


def protocol_of(node: TreeNode) -> str:
    """The protocol of a listener."""
    tls = True if node.string("type") == "route" else switch(node.string("tls"))
    login = node.string("authentication", "type")
    if login == "custom":
        return protocol(tls, switch(node.string("authentication", "sasl")))
    return protocol(tls, None if is_placeholder(login) else login in SCRAM)


def _controller_listener(block: Block, place: TreeNode) -> None:
    block.translate("listeners", f"{CONTROL}://:9090", place, FIELD)
    block.translate("listener.security.protocol.map", f"{CONTROL}:SSL", place, FIELD)
    block.translate(f"listener.name.{CONTROL.lower()}.ssl.client.auth", "required", place, FIELD)


def _add_authentication(block: Block, listener: Listener) -> None:
    prefix, where, written = listener.prefix, listener.where, f"{listener.written}.authentication"
    if where is None:
        block.translate(f"{prefix}ssl.client.auth", "none", listener.key, written)
    elif listener.login == "tls":
        block.translate(f"{prefix}ssl.client.auth", "required", where, written)
    elif listener.login in SCRAM:
        mechanism = SCRAM[listener.login]
        block.translate(f"{prefix}sasl.enabled.mechanisms", mechanism, where, written)
        line = f"{LOGIN_MODULES[mechanism]} required;"
        block.translate(f"{prefix}{mechanism.lower()}.sasl.jaas.config", line, where, written)
    elif listener.login == "custom":
        fields = listener.node.mapping("authentication", "listenerConfig")
        for name, (place, value) in fields.items():
            block.set(f"{prefix}{name}", text_of(value), place, value, f"{written}.listenerConfig")


def address_of(name: str) -> str:
    """A listener that ends with its port, on every interface."""
    return f"{name}://:{name.rpartition('-')[2]}"


@cached_if_long
def encrypted(protocols: str) -> list[str]:
    """The listeners with TLS."""
    pairs = (pair.partition(":") for pair in protocols.split(","))
    return [name for name, _, protocol in pairs if protocol.endswith("SSL")]


def made(block: Block, key: str, value: str, place: TreeNode) -> Setting:
    """A setting that the operator adds by itself."""
    setting = make_setting(key, value, block.file, place, None)
    setting.written = block.written + key
    return setting
