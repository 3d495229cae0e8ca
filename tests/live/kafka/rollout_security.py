"""Changes of mechanisms, principals and protocols of listeners that brokers and clients use."""

from __future__ import annotations

from tests.live.kafka.node import Node
from tests.live.kafka.rollout_changes import (
    AUTHORIZER,
    GONE,
    PLAIN,
    SCRAM,
    STEP,
    Change,
    entry,
    mapped,
    stores,
    switched,
)
from tests.live.kafka.rollout_clusters import SECOND, Values

MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule"


def scram(node: Node) -> Values:
    """Brokers log in by SCRAM in place of PLAIN."""
    return {
        "sasl.enabled.mechanisms": "SCRAM-SHA-512",
        "sasl.mechanism.inter.broker.protocol": "SCRAM-SHA-512",
        "listener.name.internal.plain.sasl.jaas.config": GONE,
        "listener.name.internal.scram-sha-512.sasl.jaas.config": SCRAM,
    }


def authorized(*users: str) -> Change:
    """An authorizer with super users, on brokers with a second listener that is logged in to."""

    def change(node: Node) -> Values:
        own = switched(node, "SASL_PLAINTEXT") if node.id < 100 else {}
        return {**own, **AUTHORIZER, "super.users": ";".join(users)}

    return change


def only_secured(node: Node) -> Values:
    """One listener with certificates and logins in place of the plain one, for clients as well."""
    address = entry("SECURED", node, STEP)
    return {
        **stores(node),
        "listeners": address,
        "advertised.listeners": address,
        "inter.broker.listener.name": "SECURED",
        **mapped(SECURED="SASL_SSL"),
        "sasl.enabled.mechanisms": "PLAIN",
        "sasl.mechanism.inter.broker.protocol": "PLAIN",
        "listener.name.secured.plain.sasl.jaas.config": PLAIN,
    }


def by_protocol(protocol: str) -> Change:
    """Listeners called by their protocols, one of which brokers use."""

    def change(node: Node) -> Values:
        both = f"{entry('PLAINTEXT', node)},{entry('SASL_PLAINTEXT', node, STEP)}"
        secured = protocol != "PLAINTEXT"
        return {
            "listeners": both if secured else entry("PLAINTEXT", node),
            "advertised.listeners": both if secured else entry("PLAINTEXT", node),
            "inter.broker.listener.name": GONE,
            "security.inter.broker.protocol": protocol,
            **mapped(SASL_PLAINTEXT="SASL_PLAINTEXT"),
            "sasl.enabled.mechanisms": "PLAIN",
            "sasl.mechanism.inter.broker.protocol": "PLAIN",
            "listener.name.sasl_plaintext.plain.sasl.jaas.config": PLAIN,
        }

    return change


def known(*users: str, **values: object) -> Change:
    """Brokers that an authorizer knows by certificate on a second listener, and other values of theirs."""

    def change(node: Node) -> Values:
        own = {**switched(node, "SSL"), "ssl.client.auth": "required", **by_key(values)} if node.id < 100 else {}
        return {**own, **AUTHORIZER, "super.users": ";".join(("User:ANONYMOUS", *users))}

    return change


def by_key(values: Values) -> dict[str, object]:
    """Values by names with underscores for dots."""
    return {name.replace("_", "."): value for name, value in values.items()}


def second_certificate(*users: str) -> Change:
    """Brokers with the other certificate."""

    def change(node: Node) -> Values:
        store = {"ssl.keystore.location": node.folder.parent / f"{SECOND}.p12"} if node.id < 100 else {}
        return {**known(*users)(node), **store}

    return change


def logged_in(user: str) -> Change:
    """Brokers that log in as a user on a second listener, which is the super user beside those without a login."""

    def change(node: Node) -> Values:
        line = PLAIN.replace('username="a"', f'username="{user}"').replace(";", ' user_c="b";')
        login = {"listener.name.internal.plain.sasl.jaas.config": line} if node.id < 100 else {}
        return {**authorized("User:ANONYMOUS", f"User:{user}")(node), **login}

    return change


def plain(user: str, password: str = "b") -> Change:
    """Brokers that log in as a user by PLAIN on a second listener, and let in nobody else."""
    line = f'{MODULE} required username="{user}" password="{password}" user_{user}="{password}";'

    def change(node: Node) -> Values:
        return {**switched(node, "SASL_PLAINTEXT"), "listener.name.internal.plain.sasl.jaas.config": line}

    return change


def tls(version: str) -> Change:
    """Brokers that encrypt by one version of TLS on a second listener."""
    return lambda node: {**switched(node, "SSL"), "ssl.enabled.protocols": version}
