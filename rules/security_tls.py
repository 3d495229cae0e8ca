"""TLS of listeners: certificates, the authorities that are trusted, host names, protocols and ciphers."""

from __future__ import annotations

from advisor.facts import controller_listeners, inter_broker, listeners, protocol_map, roles, written
from advisor.rule import Problem, Problems, Subject, applies, fact, rule
from rules.security_listeners import TLS, decided_by, keys_for, of_listener

FAMILY = "security"
VERIFY = "ssl.endpoint.identification.algorithm"
OLD_TLS = ("SSL", "SSLV2", "SSLV2HELLO", "SSLV3", "TLSV1", "TLSV1.0", "TLSV1.1")
WEAK_CIPHERS = ("_NULL_", "_EXPORT_", "_ANON_", "_RC4_", "_DES_", "_3DES_", "_MD5")
TRUST = ("ssl.truststore.location", "ssl.truststore.certificates", "ssl.engine.factory.class")


def verification_keys(node: Subject) -> tuple[str, ...]:
    """Every ssl.endpoint.identification.algorithm of the file."""
    return keys_for(VERIFY, node)


def client_auth_keys(node: Subject) -> tuple[str, ...]:
    """Every ssl.client.auth of the file."""
    return keys_for("ssl.client.auth", node)


@rule(
    "KA606",
    "medium",
    dev="info",
    staging="low",
    regulated="critical",
    each=client_auth_keys,
    aim="by hand: credentials",
)
def no_authentication(node: Subject, key: str) -> Problems:
    """A TLS listener does not authenticate its clients.

    Why: with ssl.client.auth=none (the default) TLS only encrypts: every client is ANONYMOUS, and ACLs cannot tell
        them apart.
    Fix: set ssl.client.auth=required once every client has a certificate, or add a SASL_SSL listener.
    Care: with required, a restarted broker refuses every client without a certificate from an authority in its trust
        store. Set the trust store and ssl.client.auth=requested first, watch which clients are ANONYMOUS, and set
        required when none are; brokers need client certificates too if they use the listener.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        security.inter.broker.protocol=SSL
    Good:
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        security.inter.broker.protocol=SSL
        ssl.client.auth=required
    See: https://kafka.apache.org/documentation/#brokerconfigs_ssl.client.auth
    """
    tls = [listener for listener in decided_by(node, key, "ssl.client.auth") if listener.protocol == "SSL"]
    applies(tls, "no SSL listener")
    if node.str(key) == "none":
        yield Problem(key, f"clients of {tls[0].name} are not authenticated", "required")


@rule("KA607", "low", dev="info", regulated="medium", each=client_auth_keys, aim="by hand: credentials")
def client_auth_requested(node: Subject, key: str) -> Problems:
    """A TLS listener accepts clients with and without a certificate.

    Why: ssl.client.auth=requested is meant for a transition; a client without a certificate connects as ANONYMOUS.
    Fix: set ssl.client.auth=required once every client has a certificate.
    Care: required refuses every client that has no certificate yet. Watch the principals in the authorizer's or request
        log: clients that are ANONYMOUS would be cut off.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        security.inter.broker.protocol=SSL
        ssl.client.auth=requested
    Good:
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        security.inter.broker.protocol=SSL
        ssl.client.auth=required
    See: https://kafka.apache.org/documentation/#brokerconfigs_ssl.client.auth
    """
    applies(node.is_set(key), "left at its default")
    tls = [listener for listener in decided_by(node, key, "ssl.client.auth") if listener.protocol == "SSL"]
    applies(tls, "no SSL listener")
    if node.str(key) == "requested":
        yield Problem(key, f"clients of {tls[0].name} may connect without a certificate", "required")


@rule(
    "KA613",
    "medium",
    dev="info",
    staging="low",
    regulated="high",
    each=verification_keys,
    aim="by hand: credentials",
    fix="unsafe: set",
)
def hostname_verification_off(node: Subject, key: str) -> Problems:
    """Nodes do not verify each other's host names when they connect over TLS.

    Why: with an empty ssl.endpoint.identification.algorithm any certificate of a trusted authority is accepted, so
        another host can impersonate a broker.
    Fix: put the host names into the certificates, then remove ssl.endpoint.identification.algorithm (default https).
    Care: a node that verifies host names refuses brokers and controllers whose certificate lacks the name it connects
        to. Check every certificate's subject alternative names first.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        security.inter.broker.protocol=SSL
        ssl.endpoint.identification.algorithm=
    Good:
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        security.inter.broker.protocol=SSL
    See: https://kafka.apache.org/documentation/#brokerconfigs_ssl.endpoint.identification.algorithm
    """
    applies(written(node, key), "left at its default")
    users = [name for name, protocol in connects_to(node) if protocol in TLS and of_listener(node, name, VERIFY) == key]
    applies(users, "the node does not connect to others with TLS")
    if not node.str(key):
        message = f"another host can impersonate a node on {users[0]}"
        yield Problem(key, message, "https", fix=f"set {key}=https")


@fact
def connects_to(node: Subject) -> tuple[tuple[str, str | None], ...]:
    """The listeners of other nodes that this one connects to: the brokers' and the controllers', with their protocols."""
    known = dict(protocol_map(node))
    return (inter_broker(node), *((name, known.get(name)) for name in controller_listeners(node)))


@rule(
    "KA614",
    "medium",
    dev="low",
    regulated="high",
    each=("ssl.enabled.protocols", "ssl.protocol"),
    aim="by hand: clients",
    fix="unsafe: set",
)
def legacy_tls(node: Subject, key: str) -> Problems:
    """A TLS version with known weaknesses is enabled.

    Why: SSL 3, TLS 1.0 and TLS 1.1 are broken or retired; an attacker can choose any version that is enabled.
    Fix: from Kafka 2.5 on remove ssl.enabled.protocols and ssl.protocol (TLSv1.2 by default, and from 2.6 on TLSv1.3
        with Java 11). Before 2.5 set ssl.enabled.protocols=TLSv1.2, because the default includes TLS 1.0 and 1.1.
    Care: clients that support only TLS 1.0 or 1.1 are cut off: find and upgrade them first.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        security.inter.broker.protocol=SSL
        ssl.enabled.protocols=TLSv1.2,TLSv1.1
    Good:
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        security.inter.broker.protocol=SSL
        ssl.enabled.protocols=TLSv1.2,TLSv1.3
    See: RFC 8996, KIP-553
    """
    applies(written(node, key), "left at its default")
    applies(any(listener.protocol in TLS for listener in listeners(node)), "no TLS listener")
    old = [name for name in node.list(key) if name.upper() in OLD_TLS]
    if old:
        text = f"an attacker can choose {' or '.join(old)}"
        wanted = "TLSv1.2,TLSv1.3" if key.endswith("protocols") else "TLSv1.3"
        kept = ",".join(name for name in node.list(key) if name not in old) or "TLSv1.2"
        yield Problem(key, text, wanted, fix=f"set {key}={kept}")


@rule("KA615", "medium", dev="low", regulated="high", aim="by hand: clients")
def weak_cipher(node: Subject) -> Problems:
    """An enabled cipher suite does not protect the traffic.

    Why: with NULL, EXPORT, anonymous key exchange, RC4, DES or MD5 traffic can be read or forged.
    Fix: remove ssl.cipher.suites, or list only AES-GCM and CHACHA20 suites.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        security.inter.broker.protocol=SSL
        ssl.cipher.suites=TLS_RSA_WITH_RC4_128_SHA
    Good:
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        security.inter.broker.protocol=SSL
        ssl.cipher.suites=TLS_AES_256_GCM_SHA384
    See: https://kafka.apache.org/documentation/#brokerconfigs_ssl.cipher.suites
    """
    applies(written(node, "ssl.cipher.suites"), "left at its default")
    applies(any(listener.protocol in TLS for listener in listeners(node)), "no TLS listener")
    named = node.list("ssl.cipher.suites")
    weak = [name for name in named if any(part in f"_{name.upper()}_" for part in WEAK_CIPHERS)]
    if weak:
        yield Problem("ssl.cipher.suites", f"{weak[0]} does not protect the traffic", "AES-GCM or CHACHA20 suites")


@rule("KA622", "medium", dev="low", confidence="likely", refuses=True, aim="by hand: credentials")
def tls_without_keystore(node: Subject) -> Problems:
    """A TLS listener has no certificate and private key.

    Why: a TLS listener needs a certificate and its private key: ssl.keystore.location, or ssl.keystore.key as PEM text
        (from 2.7 on). Without them it does not open, unless a plug-in or a dynamic setting provides them. If brokers talk
        to each other by it, the broker tries its own certificate at the start, and ends.
    Fix: set ssl.keystore.location (or listener.name.<listener>.ssl.keystore.location) and its password.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        security.inter.broker.protocol=SSL
    Good:
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        security.inter.broker.protocol=SSL
        ssl.keystore.location=/etc/kafka/b1.p12
    See: KIP-651, https://kafka.apache.org/documentation/#brokerconfigs_ssl.keystore.location
    """
    ends = ("ssl.keystore.location", "ssl.keystore.key", "ssl.engine.factory.class")
    if not any(key.endswith(ends) for key in node.keys()):
        tls = [listener.name for listener in listeners(node) if listener.protocol in TLS]
        applies(tls, "no TLS listener")
        name = inter_broker(node)[0] if "broker" in roles(node) else ""
        between = name in tls
        effect = "the broker ends at the start" if between else "the listener does not open"
        listener = name if between else tls[0]
        yield Problem(
            "ssl.keystore.location", f"{listener} has no certificate: {effect}", "a key store", refused=between
        )


@rule(
    "KA629",
    "medium",
    dev="info",
    staging="low",
    regulated="high",
    confidence="likely",
    each=client_auth_keys,
    aim="by hand: credentials",
)
def public_authorities_trusted(node: Subject, key: str) -> Problems:
    """Clients must present a certificate, but the listener accepts one from any public authority.

    Why: without its own trust store the listener uses that of the Java runtime: hundreds of public authorities can
        issue client certificates, and certificates of a private authority are refused.
    Fix: set ssl.truststore.location (or ssl.truststore.certificates) to contain only the authority that issues the
        clients' certificates.
    Care: clients and brokers whose authority is missing from the trust store are cut off: list all their authorities
        first.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        security.inter.broker.protocol=SSL
        ssl.keystore.location=/etc/kafka/b1.p12
        ssl.client.auth=required
    Good:
        process.roles=broker
        node.id=1
        listeners=SSL://b1:9093
        security.inter.broker.protocol=SSL
        ssl.keystore.location=/etc/kafka/b1.p12
        ssl.truststore.location=/etc/kafka/clients-ca.p12
        ssl.client.auth=required
    See: KIP-651, org.apache.kafka.common.security.ssl.DefaultSslEngineFactory
    """
    applies(written(node, key) and node.str(key) in ("required", "requested"), "clients show no certificate")
    applies(any(name.endswith(("ssl.keystore.location", "ssl.keystore.key")) for name in node.keys()), "no key store")
    tls = [listener.name for listener in decided_by(node, key, "ssl.client.auth") if listener.protocol == "SSL"]
    applies(tls, "no SSL listener")
    bare = [name for name in tls if not any(written(node, of_listener(node, name, store)) for store in TRUST)]
    if bare:
        yield Problem(["ssl.truststore.location", key], f"{bare[0]} trusts every public authority", "a trust store")
