"""An application against the listener that it begins with: protocol, mechanism, certificates."""

from __future__ import annotations

from advisor.facts import Listener, is_wildcard
from advisor.facts import listeners as listeners_of
from advisor.rule import Problem, Problems, Subject, applies, fact, rule
from rules.security_clients import connections, given, protocol, written
from rules.security_listeners import MAP, of_listener

FAMILY = "security"
DEFAULT_MECHANISM = "GSSAPI"
SASL, TLS = ("SASL_PLAINTEXT", "SASL_SSL"), ("SSL", "SASL_SSL")
PROTOCOLS = ("PLAINTEXT", "SSL", *SASL)
KEY_STORES = (
    "ssl.keystore.location", "ssl.keystore.key", "ssl.certificate.location", "ssl.certificate.pem", "ssl.key.pem",
    "ssl.engine.factory.class",
)  # fmt: skip
TRUST_STORES = (
    "ssl.truststore.location", "ssl.truststore.certificates", "ssl.ca.location", "ssl.ca.pem", "ssl.engine.factory.class",
    "ssl.ca.certificate.stores",
)  # fmt: skip
OWN_CA = "/tmp/kafka/cluster.keystore.p12"
"""The key store that Strimzi fills with certificates of the cluster's own authority."""


@fact
def reached_at(cluster: Subject) -> tuple[tuple[str, str, str], ...]:
    """(listener, host, port) of what every node advertises, else listens on; the host is empty where it is not said."""
    rows = []
    for advertised, own in zip(cluster.values("advertised.listeners"), cluster.values("listeners"), strict=True):
        for entry in (advertised or own or "").split(","):
            name, _, address = entry.strip().partition("://")
            host, _, port = address.rpartition(":")
            rows.append((name.upper(), "" if is_wildcard(host.strip("[]")) else host.lower(), port))
    return tuple(dict.fromkeys(rows))


def listener_of(application: Subject, prefix: str, cluster: Subject) -> Listener:
    """The one listener that has an address of bootstrap.servers.

    A port is enough where the nodes say no host and the application connects to this cluster alone.
    """
    names: set[str] = set()
    is_of_one = len(connections(application)) == 1
    for entry in application.text(prefix + "bootstrap.servers").split(","):
        host, _, port = entry.rpartition("://")[2].strip().rpartition(":")
        rows = [row for row in reached_at(cluster) if row[2] == port]
        exact = {name for name, own, _ in rows if own == host.lower()}
        names |= exact or {name for name, own, _ in rows if not own and is_of_one}
    applies(len(names) == 1, "bootstrap.servers names no listener, or several")
    name = names.pop()
    every = [listener for listener in listeners_of(cluster) if listener.name == name and not listener.controller]
    applies(every and every[0].protocol in PROTOCOLS, f"the protocol of listener {name} is not said")
    return every[0]


def protocol_of(application: Subject, prefix: str) -> str:
    """The security protocol of a connection, upper case; a fragment that does not say it leaves it to code."""
    name = protocol(application, prefix)
    said = given(application, f"{prefix}security.protocol") or not application.fragment()
    applies(said, "the application may set security.protocol")
    return name


def says_mechanism(application: Subject, prefix: str) -> bool:
    """Whether it is known how a connection logs in; a fragment that does not say it leaves it to code."""
    return given(application, f"{prefix}sasl.mechanism") or not application.fragment()


def mechanism_of(application: Subject, prefix: str) -> str:
    """The SASL mechanism of a connection, upper case."""
    if not prefix:
        return application.str("sasl.mechanism").upper()
    keys = (f"{prefix}sasl.mechanism", "sasl.mechanism")
    return next((written(application, key) for key in keys if given(application, key)), DEFAULT_MECHANISM).upper()


@rule("KA665", "high", each=connections, aim="by hand: credentials")
def client_protocol_mismatch(application: Subject, cluster: Subject, prefix: str) -> Problems:
    """The client speaks another protocol than the listener that it connects to.

    Why: a listener speaks one protocol. A client that does not encrypt gets its connection closed by a TLS listener, one
        that encrypts sends what a plain listener takes for a request of some hundred megabytes, and one that does not log in
        is refused by a SASL listener: it never gets any metadata, and reports timeouts.
    Fix: set security.protocol to what listener.security.protocol.map says of the listener, or connect to another listener.
    Care: a client that cannot log in or trust the listener's certificate stops at its next start: hand both out first.
    Bad:
        [producer]
        bootstrap.servers=b1:9093,b2:9093
        acks=all
        [broker]
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        ssl.keystore.location=/etc/kafka/b1.p12
    Good:
        [producer]
        bootstrap.servers=b1:9093,b2:9093
        acks=all
        security.protocol=SSL
        [broker]
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        ssl.keystore.location=/etc/kafka/b1.p12
    See: https://kafka.apache.org/documentation/#security_overview
    """
    listener, own = listener_of(application, prefix, cluster), protocol_of(application, prefix)
    if own in PROTOCOLS and own != listener.protocol:
        text = f"listener {listener.name} speaks {listener.protocol}, this client {own}: it never connects"
        keys = [f"{prefix}security.protocol", f"{prefix}bootstrap.servers"]
        places = [application.at(keys[0]), cluster.at(MAP), application.at(keys[1])]
        yield Problem(places, text, listener.protocol)


@rule("KA666", "high", each=connections, aim="by hand: credentials")
def client_mechanism_mismatch(application: Subject, cluster: Subject, prefix: str) -> Problems:
    """The client logs in by a mechanism that the listener does not offer.

    Why: the broker answers the handshake with the mechanisms that are enabled for the listener, and the client ends with
        UnsupportedSaslMechanismException.
    Fix: set sasl.mechanism to one that sasl.enabled.mechanisms of the listener names, with its JAAS line, or enable the
        client's.
    Bad:
        [producer]
        bootstrap.servers=b1:9093,b2:9093
        acks=all
        security.protocol=SASL_SSL
        sasl.mechanism=PLAIN
        [broker]
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9093
        sasl.enabled.mechanisms=SCRAM-SHA-512
    Good:
        [producer]
        bootstrap.servers=b1:9093,b2:9093
        acks=all
        security.protocol=SASL_SSL
        sasl.mechanism=SCRAM-SHA-512
        [broker]
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9093
        sasl.enabled.mechanisms=SCRAM-SHA-512
    See: https://kafka.apache.org/documentation/#brokerconfigs_sasl.enabled.mechanisms
    """
    listener = listener_of(application, prefix, cluster)
    applies(
        listener.protocol in SASL and protocol_of(application, prefix) == listener.protocol, "no login at this listener"
    )
    key = of_listener(cluster, listener.name, "sasl.enabled.mechanisms")
    applies(says_mechanism(application, prefix), "the application may set sasl.mechanism")
    offered, own = [name.upper() for name in cluster.list(key)], mechanism_of(application, prefix)
    if offered and own not in offered:
        text = f"listener {listener.name} takes {', '.join(offered)}, not {own}: the login fails"
        yield Problem([application.at(f"{prefix}sasl.mechanism"), cluster.at(key)], text, offered[0])


@rule("KA667", "high", each=connections, aim="by hand: credentials")
def client_certificate_missing(application: Subject, cluster: Subject, prefix: str) -> Problems:
    """The listener asks for a client's certificate, and the client has none.

    Why: with ssl.client.auth=required the TLS handshake ends without a certificate, before any request.
    Fix: set ssl.keystore.location, or ssl.keystore.certificate.chain and ssl.keystore.key, on the client.
    Bad:
        [producer]
        bootstrap.servers=b1:9093,b2:9093
        acks=all
        security.protocol=SSL
        [broker]
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        ssl.client.auth=required
    Good:
        [producer]
        bootstrap.servers=b1:9093,b2:9093
        acks=all
        security.protocol=SSL
        ssl.keystore.location=/etc/client.p12
        [broker]
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        ssl.client.auth=required
    See: https://kafka.apache.org/documentation/#brokerconfigs_ssl.client.auth
    """
    listener = listener_of(application, prefix, cluster)
    applies(
        listener.protocol in TLS and protocol_of(application, prefix) == listener.protocol, "no TLS at this listener"
    )
    key = of_listener(cluster, listener.name, "ssl.client.auth")
    applies(listener.protocol == "SSL" or key != "ssl.client.auth", "a login takes the certificate's place (KIP-684)")
    applies(cluster.str(key).lower() == "required", "the listener asks for no certificate")
    applies(not application.fragment(), "the application may set a key store")
    if not has_any(application, prefix, KEY_STORES):
        text = f"listener {listener.name} asks for a certificate, and this client has none: the handshake fails"
        yield Problem([application.at(f"{prefix}security.protocol"), cluster.at(key)], text, "a key store")


@rule("KA668", "high", dev="medium", each=connections, aim="by hand: credentials")
def client_trust_missing(application: Subject, cluster: Subject, prefix: str) -> Problems:
    """The listener's certificate is signed by the cluster's own authority, which the client does not trust.

    Why: Strimzi makes an authority for each cluster, and signs the brokers' certificates with it. The certificates that Java
        and the operating system bring do not include it: without a trust store of its own the client breaks the
        handshake off.
    Fix: mount the secret NAME-cluster-ca-cert, and set ssl.truststore.location (or ssl.truststore.certificates; librdkafka:
        ssl.ca.location) to its ca.p12 or ca.crt.
    Bad:
        [producer]
        bootstrap.servers=b1:9093,b2:9093
        acks=all
        security.protocol=SSL
        [broker]
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        ssl.keystore.location=/tmp/kafka/cluster.keystore.p12
    Good:
        [producer]
        bootstrap.servers=b1:9093,b2:9093
        acks=all
        security.protocol=SSL
        ssl.truststore.location=/etc/ca.p12
        [broker]
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        ssl.keystore.location=/tmp/kafka/cluster.keystore.p12
    See: https://strimzi.io/docs/operators/latest/deploying#con-security-clients-str
    """
    listener = listener_of(application, prefix, cluster)
    applies(
        listener.protocol in TLS and protocol_of(application, prefix) == listener.protocol, "no TLS at this listener"
    )
    key = of_listener(cluster, listener.name, "ssl.keystore.location")
    applies(cluster.str(key) == OWN_CA, "it is not known who signs the listener's certificate")
    applies(not application.fragment(), "the application may set a trust store")
    if not has_any(application, prefix, TRUST_STORES):
        text = f"listener {listener.name} has a certificate of the cluster's own authority: the handshake fails"
        yield Problem([application.at(f"{prefix}security.protocol"), cluster.at(key)], text, "a trust store")


def has_any(application: Subject, prefix: str, keys: tuple[str, ...]) -> bool:
    """Whether one of the keys is written down for a connection."""
    own = {*keys, *(prefix + key for key in keys)}
    return any(key in own for key in application.keys())
