"""Security of listeners: who may connect, how the connection is protected, and secrets in files."""

from __future__ import annotations

from advisor.cache import cached
from advisor.facts import (
    KRAFT,
    ZOOKEEPER,
    Listener,
    Value,
    controller_listeners,
    filled_in_later,
    inter_broker,
    is_local,
    is_named_by_provider,
    listeners,
    mode,
    protocol_map,
    roles,
    voters,
    written,
)
from advisor.rule import LITERAL, PLACEHOLDER, Problem, Problems, Subject, Unknown, applies, fact, rule

PLAINTEXT, SASL_PLAINTEXT, TLS, SASL = (
    "PLAINTEXT",
    "SASL_PLAINTEXT",
    ("SSL", "SASL_SSL"),
    ("SASL_PLAINTEXT", "SASL_SSL"),
)
MAP, MECHANISMS, VERIFY = (
    "listener.security.protocol.map",
    "sasl.enabled.mechanisms",
    "ssl.endpoint.identification.algorithm",
)
KNOWN_MECHANISMS = ("GSSAPI", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER")
OLD_TLS = ("SSL", "SSLV2", "SSLV2HELLO", "SSLV3", "TLSV1", "TLSV1.0", "TLSV1.1")
WEAK_CIPHERS = ("_NULL_", "_EXPORT_", "_ANON_", "_RC4_", "_DES_", "_3DES_", "_MD5")
LDAP_ADDRESSES = ("java.naming.provider.url", "ldap.url", "ldap.server.url")


def of_listener(node: Subject, listener: str, key: str) -> str:
    """The key that decides for one listener: its own with the prefix listener.name.<listener>., else the plain one."""
    own = f"listener.name.{listener.lower()}.{key}"
    return own if written(node, own) else key


def keys_for(key: str, node: Subject) -> tuple[str, ...]:
    """The plain key and every listener's own one that is written down."""
    own = tuple(name for name in node.keys() if name.startswith("listener.name.") and name.endswith("." + key))
    return (key, *own)


def mechanism_keys(node: Subject) -> tuple[str, ...]:
    """Every sasl.enabled.mechanisms of the file."""
    return keys_for(MECHANISMS, node)


def verification_keys(node: Subject) -> tuple[str, ...]:
    """Every ssl.endpoint.identification.algorithm of the file."""
    return keys_for(VERIFY, node)


def client_auth_keys(node: Subject) -> tuple[str, ...]:
    """Every ssl.client.auth of the file."""
    return keys_for("ssl.client.auth", node)


class ListenersByKey(Value):
    """The listeners that each of their keys decides for."""

    __slots__ = ("of_key",)

    def __init__(self, *pairs: tuple[str, Listener]) -> None:
        super().__init__(*pairs)
        self.of_key: dict[str, list[Listener]] = {}
        for key, listener in pairs:
            self.of_key.setdefault(key, []).append(listener)


@fact
def listeners_by_key(node: Subject, base: str) -> ListenersByKey:
    """The listeners by the key that decides for them: a listener's own key before the plain one."""
    return ListenersByKey(*((of_listener(node, listener.name, base), listener) for listener in listeners(node)))


@fact
def decided_by(node: Subject, key: str, base: str) -> tuple[Listener, ...]:
    """The listeners that the key decides for."""
    return tuple(listeners_by_key(node, base).of_key.get(key, ()))


def protocol_keys(node: Subject) -> tuple[str, ...]:
    """What may make a listener PLAINTEXT, its name or the map; unknown, once, where the listeners are."""
    listeners(node)
    return ("listeners", MAP)


@rule(
    "KA601", "medium", dev="info", staging="low", regulated="critical", each=protocol_keys, aim="by hand: credentials"
)
def plaintext_listener(broker: Subject, key: str) -> Problems:
    """A listener for clients has neither encryption nor authentication.

    Why: any client that reaches the port reads and writes as ANONYMOUS, and anyone on the network can read the records.
        Beside a secured listener, such a listener is a back door.
    Fix: set the listener's protocol to SASL_SSL or SSL in listener.security.protocol.map; keep PLAINTEXT only where no
        other host reaches the port.
    Care: a listener that changes its protocol cuts off every client that still uses the old one. Add a second listener
        with TLS on another port, restart the brokers one by one, move the clients and the brokers' own traffic, and
        remove the plain listener in another rolling restart.
    Bad:
        process.roles=broker
        node.id=1
        listeners=PLAINTEXT://:9092
    Good:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://:9093
        security.inter.broker.protocol=SASL_SSL
    See: https://kafka.apache.org/documentation/#security
    """
    open_ones = [each for each in listeners(broker) if each.protocol == PLAINTEXT and not each.controller]
    of_key = [each for each in open_ones if each.mapped == (key == MAP)]
    if of_key:
        names = ", ".join(listener.name for listener in open_ones)
        lower = -1 if all(is_local(listener.host) for listener in of_key) else 0
        verb = "has" if len(open_ones) == 1 else "have"
        message = f"{names} {verb} neither encryption nor authentication"
        yield Problem(key, message, "SASL_SSL or SSL", step=lower, part=of_key[0].name)


@rule("KA602", "medium", dev="info", staging="low", regulated="critical", aim="by hand: credentials")
def plaintext_controller(node: Subject) -> Problems:
    """Traffic to the controllers is not encrypted.

    Why: SCRAM credentials and ACLs pass through the controllers' listener. With PLAINTEXT any client that reaches the
        port can also register brokers and change the cluster's metadata.
    Fix: map the controllers' listener to SSL or SASL_SSL in listener.security.protocol.map, on every node.
    Care: the controllers' listener cannot change its protocol in one rolling restart: nodes with the old and the new
        protocol cannot connect to each other, and the quorum may lose its majority. With an authorizer, first name the
        nodes' new principals in super.users. Then add a second name to controller.listener.names, the listeners of
        controllers and the protocol map, and restart all nodes one by one; make it the first name (with its port in
        controller.quorum.voters or bootstrap.servers) and restart again; remove the old name in a third round.
    Bad:
        process.roles=controller
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=CONTROLLER://:9093
    Good:
        process.roles=controller
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=CONTROLLER://:9093
        listener.security.protocol.map=CONTROLLER:SSL
    See: https://kafka.apache.org/documentation/#security_configbroker
    """
    names = controller_listeners(node)
    applies(mode(node) == KRAFT and names, "no controllers")
    protocol = dict(protocol_map(node)).get(names[0])
    if protocol in (PLAINTEXT, SASL_PLAINTEXT):
        key = MAP if written(node, MAP) or names[0] not in (PLAINTEXT, SASL_PLAINTEXT) else "controller.listener.names"
        behind, step = who_reads(node, protocol)
        yield Problem(key, f"{names[0]} is {protocol}{behind}", "SSL or SASL_SSL", step=step)


def who_reads(node: Subject, protocol: str) -> tuple[str, int]:
    """Who reads what passes through an unencrypted listener of the controllers, and what that does to the severity."""
    opened = [listener.host for listener in listeners(node) if listener.controller]
    if opened and all(is_local(host) for host in opened):
        return ", on the loopback interface alone", -1
    if protocol == PLAINTEXT and clients_are_secured(node):
        return ": a back door past the secured listeners", 1
    return ": anyone on the network can read the traffic", -int(protocol == SASL_PLAINTEXT)


def clients_are_secured(node: Subject) -> bool:
    """Whether the node opens listeners for clients, all of them with TLS."""
    protocols = [listener.protocol for listener in listeners(node) if not listener.controller]
    return bool(protocols) and all(protocol in TLS for protocol in protocols)


@rule("KA603", "medium", dev="info", staging="low", regulated="critical", aim="by hand: credentials")
def plaintext_inter_broker(broker: Subject) -> Problems:
    """Brokers replicate over unencrypted connections.

    Why: every record crosses that connection once per follower; with PLAINTEXT brokers do not even authenticate.
    Fix: map the listener between the brokers to SSL or SASL_SSL in listener.security.protocol.map; where
        inter.broker.listener.name is not set, set security.inter.broker.protocol.
    Care: brokers with the old and the new protocol cannot replicate from each other. Add a second listener with TLS on
        all brokers in a rolling restart; then, in another, set inter.broker.listener.name to it (with an authorizer,
        name the brokers' new principals in super.users first); remove the old listener last.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SASL_PLAINTEXT://b1:9092
        security.inter.broker.protocol=SASL_PLAINTEXT
    Good:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9092
        security.inter.broker.protocol=SASL_SSL
    See: https://kafka.apache.org/documentation/#brokerconfigs_security.inter.broker.protocol
    """
    named = written(broker, "inter.broker.listener.name")
    key = "inter.broker.listener.name" if named else "security.inter.broker.protocol"
    applies(written(broker, key), "left at its default")
    protocol = inter_broker(broker)[1]
    if protocol in (PLAINTEXT, SASL_PLAINTEXT):
        yield Problem(key, f"brokers replicate over {protocol}, unencrypted", "SSL or SASL_SSL")


@rule(
    "KA604",
    "high",
    dev="low",
    staging="medium",
    regulated="critical",
    each=mechanism_keys,
    aim="by hand: credentials",
)
def plain_without_tls(node: Subject, key: str) -> Problems:
    """SASL/PLAIN is enabled on a listener without TLS, so passwords cross the network in clear text.

    Why: PLAIN sends user name and password unencrypted, so anyone who can read the traffic can log in.
    Fix: set the listener's protocol to SASL_SSL in listener.security.protocol.map.
    Care: a listener that changes its protocol cuts off every client that still uses the old one. Add a SASL_SSL
        listener, move the clients, remove the old one; then change the passwords, since they have been readable.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SASL_PLAINTEXT://b1:9092
        security.inter.broker.protocol=SASL_PLAINTEXT
        sasl.enabled.mechanisms=PLAIN
    Good:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9092
        security.inter.broker.protocol=SASL_SSL
        sasl.enabled.mechanisms=PLAIN
    See: https://kafka.apache.org/documentation/#security_sasl_plain
    """
    applies(node.shape(key) == PLACEHOLDER or "PLAIN" in node.list(key), "PLAIN is not offered")
    clear = [listener for listener in decided_by(node, key, MECHANISMS) if listener.protocol == SASL_PLAINTEXT]
    applies(clear, "no SASL_PLAINTEXT listener")
    if "PLAIN" in node.list(key):
        names = ", ".join(listener.name for listener in clear)
        lower = -2 if all(is_local(listener.host) for listener in clear) else 0
        yield Problem(key, f"PLAIN sends passwords in clear text on {names}", "SASL_SSL", step=lower)


@rule(
    "KA605", "medium", dev="info", staging="low", regulated="critical", each=mechanism_keys, aim="by hand: credentials"
)
def scram_without_tls(node: Subject, key: str) -> Problems:
    """SCRAM or OAUTHBEARER is enabled on a listener without TLS.

    Why: anyone who can read the traffic can use an OAUTHBEARER token, or guess a password offline from a SCRAM
        exchange. The records are not encrypted either.
    Fix: set the listener's protocol to SASL_SSL in listener.security.protocol.map.
    Care: a listener that changes its protocol cuts off every client that still uses the old one. Add a SASL_SSL
        listener, move the clients, remove the old one.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SASL_PLAINTEXT://b1:9092
        security.inter.broker.protocol=SASL_PLAINTEXT
        sasl.enabled.mechanisms=SCRAM-SHA-512
    Good:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9092
        security.inter.broker.protocol=SASL_SSL
        sasl.enabled.mechanisms=SCRAM-SHA-512
    See: https://kafka.apache.org/documentation/#security_sasl_scram_security
    """
    applies(node.shape(key) == PLACEHOLDER or without_password(node.list(key)), "not offered, or PLAIN beside it")
    clear = [listener for listener in decided_by(node, key, MECHANISMS) if listener.protocol == SASL_PLAINTEXT]
    applies(clear, "no SASL_PLAINTEXT listener")
    offered = without_password(node.list(key))
    if offered:
        yield Problem(key, f"{offered[0]} and the records cross {clear[0].name} without TLS", "SASL_SSL")


def without_password(offered: tuple[str, ...]) -> tuple[str, ...]:
    """The mechanisms that do not send the password, none where PLAIN is offered as well."""
    found = tuple(name for name in offered if name.startswith("SCRAM-") or name == "OAUTHBEARER")
    return () if "PLAIN" in offered else found


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


def secret_keys(config: Subject) -> tuple[str, ...]:
    """The keys of the file whose values are secrets; of one store's passwords the key store's stands for the others."""
    keys = [key for key in config.keys() if config.is_secret(key) and not is_named_by_provider(key)]
    literal = {key for key in keys if config.shape(key) == LITERAL}
    return tuple(key for key in keys if key_store_password(key) not in literal)


def key_store_password(key: str) -> str:
    """The key store's password beside a key's or a trust store's; empty for other keys."""
    for ending in ("ssl.key.password", "ssl.truststore.password"):
        if key.endswith(ending):
            return f"{key.removesuffix(ending)}ssl.keystore.password"
    return ""


@rule("KA616", "medium", dev="info", staging="low", regulated="critical", each=secret_keys, aim="by hand: credentials")
def secret_in_config(config: Subject, key: str) -> Problems:
    """The file contains a secret in clear text.

    Why: anyone who can read the file, its backup or its repository can use the secret.
    Fix: fill the secret in at deployment (Spring and Quarkus take ${KAFKA_PASSWORD} from the environment), or, in a file
        that Kafka itself reads, name a configuration provider: ${file:/etc/kafka/secrets.properties:password} (KIP-421:
        brokers and clients resolve it from 2.3 on); then change the secret.
    Bad:
        process.roles=broker
        node.id=1
        ssl.keystore.password=topsecret
    Good:
        process.roles=broker
        node.id=1
        config.providers=file
        config.providers.file.class=org.apache.kafka.common.config.provider.FileConfigProvider
        ssl.keystore.password=${file:/etc/kafka/secrets.properties:keystore}
    See: KIP-297, https://kafka.apache.org/documentation/#config_providers
    """
    if config.shape(key) == LITERAL:
        trust = key.endswith("ssl.truststore.password")
        text = "anyone who can read the file has the secret"
        yield Problem(key, text, "a configuration provider", step=-1 if trust else 0)


def ldap_keys(node: Subject) -> tuple[str, ...]:
    """The keys of the file that hold the address of an LDAP server."""
    return tuple(key for key in node.keys() if key.endswith(LDAP_ADDRESSES))


@rule("KA617", "medium", dev="low", regulated="critical", each=ldap_keys, aim="by hand: credentials")
def ldap_cleartext(node: Subject, key: str) -> Problems:
    """The broker logs in to the LDAP server without TLS.

    Why: over ldap:// the bind password and the password of every user who logs in cross the network in clear text.
    Fix: make the broker trust the LDAP server's certificate, then change the address to ldaps://.
    Bad:
        process.roles=broker
        node.id=1
        ldap.java.naming.provider.url=ldap://ldap.example.org:389
    Good:
        process.roles=broker
        node.id=1
        ldap.java.naming.provider.url=ldaps://ldap.example.org:636
    See: https://docs.confluent.io/platform/current/security/authentication/ldap/overview.html
    """
    text = node.text(key).strip().lower()
    if node.shape(key) == PLACEHOLDER and not text.startswith("ldap"):
        raise Unknown(f"{key} is filled in later: {node.text(key)}")
    host = text.removeprefix("ldap://").partition(":")[0].partition("/")[0]
    if text.startswith("ldap://") and not is_local(host):
        yield Problem(key, "passwords reach the LDAP server in clear text", "ldaps://")


@rule("KA618", "critical", refuses=True, aim="by hand: credentials")
def inter_broker_mechanism(node: Subject) -> Problems:
    """The brokers' SASL mechanism is not enabled on the inter-broker listener, and Kafka refuses to start.

    Why: brokers are clients of each other: sasl.mechanism.inter.broker.protocol (GSSAPI by default) must be one of
        the listener's sasl.enabled.mechanisms, in the same spelling.
    Fix: add the mechanism to sasl.enabled.mechanisms, with its JAAS line, or set sasl.mechanism.inter.broker.protocol
        to one that is enabled.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9092
        security.inter.broker.protocol=SASL_SSL
        sasl.mechanism.inter.broker.protocol=PLAIN
    Good:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9092
        security.inter.broker.protocol=SASL_SSL
        sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
        sasl.enabled.mechanisms=SCRAM-SHA-512
    See: kafka.server.KafkaConfig.validateValues
    """
    applies(mechanism_names(node), "all mechanisms are left at the default, GSSAPI")
    name, protocol = inter_broker(node)
    applies(protocol in SASL, "brokers do not use SASL")
    enabled = of_listener(node, name, MECHANISMS)
    mechanism = node.str("sasl.mechanism.inter.broker.protocol")
    if mechanism not in node.list(enabled):
        keys = ["sasl.mechanism.inter.broker.protocol", enabled]
        text = f"brokers log in with {mechanism}, which {name} does not enable"
        yield Problem(list(keys), text, "an enabled mechanism", refused=True)


def mechanism_names(node: Subject) -> tuple[str, ...]:
    """The keys of the file that hold names of SASL mechanisms."""
    ends = (MECHANISMS, "sasl.mechanism.inter.broker.protocol", "sasl.mechanism.controller.protocol")
    return tuple(key for key in node.keys() if key.endswith(ends) and not key.startswith("confluent."))


@rule("KA619", "high", dev="medium", each=mechanism_names, aim="by hand: credentials")
def invalid_value(node: Subject, key: str) -> Problems:
    """A value is not the name of a SASL mechanism.

    Why: SASL_SSL and SASL_PLAINTEXT are security protocols; mechanisms must be spelled exactly, so plain and
        SCRAM-SHA256 are unknown. A login with an unknown mechanism fails.
    Fix: set the key to GSSAPI, PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9092
        security.inter.broker.protocol=SASL_SSL
        sasl.mechanism.inter.broker.protocol=SASL_SSL
    Good:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9092
        security.inter.broker.protocol=SASL_SSL
        sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
        sasl.enabled.mechanisms=SCRAM-SHA-512
    See: https://kafka.apache.org/documentation/#brokerconfigs_sasl.enabled.mechanisms
    """
    wrong = [name for name in node.list(key) if name not in KNOWN_MECHANISMS and mistaken(name)]
    if wrong:
        one_of_many = -1 if key.endswith(MECHANISMS) else 0
        says = "is not a SASL mechanism" if len(wrong) == 1 else "are not SASL mechanisms"
        yield Problem(key, f"{', '.join(wrong)} {says}", ", ".join(KNOWN_MECHANISMS), step=one_of_many)


def mistaken(name: str) -> bool:
    """Whether the name is a security protocol or a mechanism in other letters; other names may be of one's own."""
    bare = "".join(letter for letter in name.upper() if letter.isalnum())
    known = {"".join(letter for letter in each if letter.isalnum()) for each in KNOWN_MECHANISMS}
    return name.upper() in (PLAINTEXT, *TLS, *SASL) or bare in known or bare in ("SCRAM", "KERBEROS", "OAUTH")


def jaas_keys(node: Subject) -> tuple[str, ...]:
    """The keys of the file that hold a JAAS line which is there to be read."""
    return tuple(key for key in node.keys() if key.endswith("sasl.jaas.config"))


@rule("KA620", "high", dev="medium", each=jaas_keys, aim="by hand: credentials")
def jaas_unreadable(node: Subject, key: str) -> Problems:
    """A JAAS line cannot be parsed, so the login fails when the listener starts.

    Why: Kafka expects a module class, a control flag, options as name="value", and a semicolon at the end.
    Fix: set sasl.jaas.config to a line such as org.example.LoginModule required username="…" password="…";
    Bad:
        process.roles=broker
        node.id=1
        sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="b"
    Good:
        process.roles=broker
        node.id=1
        sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="b";
    See: org.apache.kafka.common.security.JaasConfig
    """
    line = node.jaas(key)
    applies(line is not None, "nothing is set")
    modules, problem = line or ((), None)
    if not modules or "LoginModule" not in modules[0]:
        raise Unknown(f"{key} is filled in later")
    if problem:
        yield Problem(key, problem, "a JAAS line", likely=node.shape(key) == PLACEHOLDER)


@rule("KA621", "medium", dev="info", regulated="high", aim="by hand: clients")
def auto_create_topics(broker: Subject) -> Problems:
    """Any client that names a topic creates it, even by a typo.

    Why: a misspelled name becomes a topic with default settings, and the producer gets no error for writing to the
        wrong topic.
    Fix: create the topics that applications need, then set auto.create.topics.enable=false.
    Care: applications that rely on automatic creation, source connectors included, fail with UNKNOWN_TOPIC_OR_PARTITION
        on topics that do not exist yet. List those topics first.
    Bad:
        process.roles=broker
        node.id=1
        auto.create.topics.enable=true
    Good:
        process.roles=broker
        node.id=1
        auto.create.topics.enable=false
    See: https://kafka.apache.org/documentation/#brokerconfigs_auto.create.topics.enable
    """
    if broker.bool("auto.create.topics.enable"):
        step = 0 if broker.is_set("auto.create.topics.enable") else -2
        yield Problem("auto.create.topics.enable", "a misspelled name creates a topic", "false", step=step)


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


@rule("KA623", "critical", dev="high", since=(3, 1), aim="by hand: credentials")
def controller_mechanism(controller: Subject) -> Problems:
    """The SASL mechanism for controller connections is not enabled on the controllers' listener.

    Why: controllers and brokers log in to the controllers' listener with sasl.mechanism.controller.protocol (GSSAPI
        by default); the listener refuses a mechanism that is not in its sasl.enabled.mechanisms.
    Fix: add the mechanism to sasl.enabled.mechanisms, with its JAAS line, or set sasl.mechanism.controller.protocol to
        one that is enabled.
    Bad:
        process.roles=controller
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=CONTROLLER://:9093
        listener.security.protocol.map=CONTROLLER:SASL_SSL
        sasl.mechanism.controller.protocol=PLAIN
    Good:
        process.roles=controller
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=CONTROLLER://:9093
        listener.security.protocol.map=CONTROLLER:SASL_SSL
        sasl.mechanism.controller.protocol=PLAIN
        sasl.enabled.mechanisms=PLAIN
    See: KIP-631, https://kafka.apache.org/documentation/#brokerconfigs_sasl.mechanism.controller.protocol
    """
    applies(mechanism_names(controller), "all mechanisms are left at the default, GSSAPI")
    names = [name for name, protocol in protocol_map(controller) if protocol in SASL]
    first = next((name for name in controller_listeners(controller) if name in names), None)
    applies(first, "controllers do not use SASL")
    enabled = of_listener(controller, str(first), MECHANISMS)
    mechanism = controller.str("sasl.mechanism.controller.protocol")
    if mechanism not in controller.list(enabled):
        yield Problem(
            ["sasl.mechanism.controller.protocol", enabled],
            f"nodes log in with {mechanism}, which {first} does not enable",
            "an enabled mechanism",
        )


@rule("KA624", "medium", dev="info", regulated="high", since=(3, 1), aim="by hand: credentials")
def oauth_unverified(node: Subject) -> Problems:
    """The listener does not check a token's issuer, or the service it was issued for.

    Why: with a JWKS but without an expected audience and issuer any token that the provider signed is accepted, even
        one for another service. Kafka 4.4 does not open such a listener.
    Fix: set sasl.oauthbearer.expected.audience and sasl.oauthbearer.expected.issuer.
    Care: tokens with other claims are refused from the restart on, the brokers' own included: compare aud and iss of
        the tokens in use first.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9092
        security.inter.broker.protocol=SASL_SSL
        sasl.enabled.mechanisms=OAUTHBEARER
        sasl.mechanism.inter.broker.protocol=OAUTHBEARER
        sasl.oauthbearer.jwks.endpoint.url=https://id.example.org/keys
    Good:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9092
        security.inter.broker.protocol=SASL_SSL
        sasl.enabled.mechanisms=OAUTHBEARER
        sasl.mechanism.inter.broker.protocol=OAUTHBEARER
        sasl.oauthbearer.jwks.endpoint.url=https://id.example.org/keys
        sasl.oauthbearer.expected.audience=kafka
        sasl.oauthbearer.expected.issuer=https://id.example.org
    See: KIP-768, https://kafka.apache.org/documentation/#brokerconfigs_sasl.oauthbearer.expected.audience
    """
    applies(node.str("sasl.oauthbearer.jwks.endpoint.url"), "no key set")
    wanted = [f"sasl.oauthbearer.expected.{what}" for what in ("audience", "issuer") if not allows_any(node, what)]
    missing = [key for key in wanted if not node.str(key)]
    if missing:
        closed = node.at_least((4, 4))
        accepted = "tokens for any service" if "audience" in missing[0] else "tokens of any issuer"
        text = "the listener does not open" if closed else f"the listener accepts {accepted}"
        yield Problem(missing, text, "the cluster's own", step=1 if closed else 0)


def allows_any(node: Subject, what: str) -> bool:
    """Whether the file says that any audience or issuer will do (from 4.4 on)."""
    key = f"sasl.oauthbearer.allow.unverified.{what}"
    return node.definition(key) is not None and node.bool(key)


STANDARD_AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
ACL_AUTHORIZER = "kafka.security.authorizer.AclAuthorizer"
OWN_AUTHORIZERS = (STANDARD_AUTHORIZER, ACL_AUTHORIZER, "kafka.security.auth.SimpleAclAuthorizer")
"""The authorizers that Kafka itself brings."""
PREFIX = "listener.name."
TRUST = ("ssl.truststore.location", "ssl.truststore.certificates", "ssl.engine.factory.class")


def jaas_key(listener: str, mechanism: str) -> str:
    """The key of a listener's JAAS line for a mechanism."""
    return f"{PREFIX}{listener.lower()}.{mechanism.lower()}.sasl.jaas.config"


def listener_prefixes(node: Subject) -> tuple[str, ...]:
    """The names of listeners, as written, that keys listener.name.<name>.… are prefixed with."""
    return tuple(keys_by_prefix(node.keys()))


@cached(16)
def keys_by_prefix(keys: tuple[str, ...]) -> dict[str, list[str]]:
    """The keys listener.name.<name>.… by the name, as written."""
    keys_by_name: dict[str, list[str]] = {}
    for key in keys:
        if key.startswith(PREFIX):
            keys_by_name.setdefault(key.removeprefix(PREFIX).partition(".")[0], []).append(key)
    return keys_by_name


@rule("KA628", "high", dev="medium", each=listener_prefixes, aim="by hand: address")
def listener_prefix_ignored(node: Subject, name: str) -> Problems:
    """Settings of one listener are silently ignored, because no listener has that prefix.

    Why: Kafka looks for listener.name.<name>. with the name in lower case and ignores other spellings and names without
        a listener: the listener runs with the node's general settings, without the certificate, mechanism or client
        authentication that the key sets.
    Fix: write the prefix with a name from listeners in lower case, such as listener.name.external.ssl.client.auth for
        EXTERNAL.
    Care: once the settings take effect, clients that do not meet them (no certificate, another mechanism) are cut off.
    Bad:
        process.roles=broker
        node.id=1
        listeners=EXTERNAL://:9093
        listener.security.protocol.map=EXTERNAL:SSL
        inter.broker.listener.name=EXTERNAL
        listener.name.EXTERNAL.ssl.client.auth=required
    Good:
        process.roles=broker
        node.id=1
        listeners=EXTERNAL://:9093
        listener.security.protocol.map=EXTERNAL:SSL
        inter.broker.listener.name=EXTERNAL
        listener.name.external.ssl.client.auth=required
    See: KIP-226, org.apache.kafka.common.network.ListenerName.configPrefix
    """
    if filled_in_later(name):
        raise Unknown(f"{PREFIX}{name} is filled in later")
    keys = [key for key in keys_by_prefix(node.keys())[name] if key.startswith(f"{PREFIX}{name}.")]
    if name != name.lower():
        yield Problem(
            list(keys), f"Kafka ignores the key, because {name} is not in lower case", f"{PREFIX}{name.lower()}.…"
        )
        return
    applies(written(node, "listeners"), "the listeners are not in this file")
    if name.upper() not in listener_names(node):
        if node.fragment() and mode(node) == KRAFT and not written(node, "controller.listener.names"):
            raise Unknown("the name of the controllers' listener is not in this file")
        yield Problem(
            list(keys), f"Kafka ignores the key, because there is no listener {name.upper()}", "a listener's name"
        )


@fact
def listener_names(node: Subject) -> frozenset[str]:
    """Every name of a listener in the file, those of other nodes and of the protocol map included."""
    own = {listener.name for listener in listeners(node)}
    mapped = {name for name, _ in protocol_map(node)}
    return frozenset({*own, *mapped, *controller_listeners(node), inter_broker(node)[0]})


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


LOGIN_FILE = "java.security.auth.login.config"
"""The JVM's option that names a file of logins."""


@rule("KA630", "medium", dev="low", confidence="likely", aim="by hand: credentials")
def jaas_missing(node: Subject) -> Problems:
    """A SASL listener enables a mechanism without a JAAS line for it, and the node does not start.

    Why: a listener reads its login from listener.name.<listener>.<mechanism>.sasl.jaas.config, with both names in lower
        case, or from the file of the JVM option java.security.auth.login.config. Brokers and controllers ignore a plain
        sasl.jaas.config.
    Fix: set listener.name.<listener>.<mechanism>.sasl.jaas.config for each mechanism of each SASL listener, or name a
        JAAS file with a KafkaServer section in KAFKA_OPTS.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9092
        security.inter.broker.protocol=SASL_SSL
        sasl.enabled.mechanisms=PLAIN
        sasl.mechanism.inter.broker.protocol=PLAIN
        sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="${file:/s:a}";
    Good:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9092
        security.inter.broker.protocol=SASL_SSL
        sasl.enabled.mechanisms=PLAIN
        sasl.mechanism.inter.broker.protocol=PLAIN
        listener.name.sasl_ssl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="${file:/s:a}";
    See: KIP-85, org.apache.kafka.common.security.JaasContext.loadServerContext
    """
    applies(written(node, "listeners") and not node.running(), "the listeners are not in a file, or are open")
    applies(LOGIN_FILE not in node.keys(), "the JVM's option names a JAAS file")
    missing = without_jaas(node)
    if missing:
        own = [key for key in node.keys() if key.endswith("sasl.jaas.config")]
        elsewhere = next((key for key in own if key.startswith((PREFIX, "sasl.jaas.config"))), None)
        where = [missing[0], elsewhere] if elsewhere else [missing[0]]
        message = "no JAAS line: the node does not start"
        message = message if elsewhere else "no JAAS line: the JVM's java.security.auth.login.config must have it"
        yield Problem(list(where), message, "a JAAS line", step=0 if elsewhere else -2)


def without_jaas(node: Subject) -> list[str]:
    """The keys that would hold the JAAS line of a mechanism of a listener, and are not set."""
    pairs = [
        (listener.name, mechanism)
        for listener in listeners(node)
        if listener.protocol in SASL
        for mechanism in node.list(of_listener(node, listener.name, MECHANISMS))
    ]
    wanted = [jaas_key(name, mechanism) for name, mechanism in pairs]
    return [key for key in wanted if not written(node, key)]


@rule("KA631", "critical", dev="high", since=(3, 1), aim="by hand: credentials")
def scram_between_controllers(node: Subject) -> Problems:
    """Controllers log in to each other with SCRAM: once all of them are down, they cannot elect a leader again.

    Why: SCRAM credentials are in the metadata log. A starting controller learns them only from the leader, and no
        leader is elected before the controllers have logged in to each other; credentials written when the storage is
        formatted do not help.
    Fix: use SSL with ssl.client.auth=required, or PLAIN or GSSAPI over SASL_SSL, between controllers; keep SCRAM for
        brokers and clients.
    Care: controllers with different mechanisms cannot log in to each other, so use two rolling restarts while the
        quorum has a leader: first enable PLAIN beside SCRAM (with its JAAS line) on every controller, then change
        sasl.mechanism.controller.protocol on every node, the leader last.
    Bad:
        process.roles=controller
        node.id=1
        controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093
        controller.listener.names=CONTROLLER
        listeners=CONTROLLER://c1:9093
        listener.security.protocol.map=CONTROLLER:SASL_SSL
        sasl.enabled.mechanisms=SCRAM-SHA-512
        sasl.mechanism.controller.protocol=SCRAM-SHA-512
    Good:
        process.roles=controller
        node.id=1
        controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093
        controller.listener.names=CONTROLLER
        listeners=CONTROLLER://c1:9093
        listener.security.protocol.map=CONTROLLER:SASL_SSL
        sasl.enabled.mechanisms=PLAIN
        sasl.mechanism.controller.protocol=PLAIN
    See: KIP-900, org.apache.kafka.image.publisher.ScramPublisher
    """
    key = "sasl.mechanism.controller.protocol"
    applies(mode(node) == KRAFT and written(node, key), "left at its default")
    names = controller_listeners(node)
    applies(names and dict(protocol_map(node)).get(names[0]) in SASL, "controllers do not use SASL")
    quorum = "controller.quorum.bootstrap.servers"
    several = len(voters(node)) > 1 or (node.at_least((3, 9)) and len(node.list(quorum)) > 1)
    applies(several, "one controller elects itself")
    if node.str(key).startswith("SCRAM-"):
        text = "controllers know no SCRAM users when they start, so they cannot elect a leader"
        yield Problem(key, text, "PLAIN")


@rule("KA632", "low", dev="info", staging="info", regulated="medium", before=(4, 0), aim="by hand: credentials")
def zookeeper_open(node: Subject) -> Problems:
    """Kafka checks users and ACLs, but keeps both in ZooKeeper, where any client may change them.

    Why: with zookeeper.set.acl=false (the default) every znode is open to any client that reaches ZooKeeper: a new
        SCRAM password or ACL written there takes effect at once, past every authorizer.
    Fix: let brokers log in to ZooKeeper (SASL, or TLS with certificates), set zookeeper.set.acl=true and run
        zookeeper-security-migration.sh for the existing znodes; at the least, let only brokers reach ZooKeeper.
    Care: brokers and tools that do not log in to ZooKeeper can change nothing once the znodes are protected. Enable the
        login on all brokers first, then set zookeeper.set.acl, then run the migration tool.
    Bad (3.9):
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=1
        listeners=SASL_SSL://b1:9093
        security.inter.broker.protocol=SASL_SSL
        sasl.enabled.mechanisms=SCRAM-SHA-512
        sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
    Good (3.9):
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=1
        listeners=SASL_SSL://b1:9093
        security.inter.broker.protocol=SASL_SSL
        sasl.enabled.mechanisms=SCRAM-SHA-512
        sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
        zookeeper.set.acl=true
    See: https://kafka.apache.org/documentation/#zk_authz
    """
    applies(mode(node) == ZOOKEEPER, "no ZooKeeper")
    if node.bool("zookeeper.set.acl"):
        return
    users = [key for key in mechanism_keys(node) if any(name.startswith("SCRAM-") for name in node.list(key))]
    authorizer = node.str("authorizer.class.name") in OWN_AUTHORIZERS
    applies(users or authorizer, "neither users nor ACLs are in ZooKeeper")
    what = " and ".join([*(["SCRAM users"] if users else []), *(["ACLs"] if authorizer else [])])
    places = ["zookeeper.set.acl", *users, *(["authorizer.class.name"] if authorizer else [])]
    yield Problem(list(places), f"{what} are open to any client that reaches ZooKeeper", "true")


@rule("KA633", "info", regulated="medium", since=(2, 2), aim="by hand: credentials")
def login_never_renewed(node: Subject) -> Problems:
    """A connection outlives its token: a client that may no longer log in stays connected.

    Why: with connections.max.reauth.ms=0 (the default) a listener checks a token only when a connection opens. A client
        whose token expired or was revoked stays until it closes the connection, which may take weeks.
    Fix: set connections.max.reauth.ms=3600000 (or listener.name.<listener>.<mechanism>.connections.max.reauth.ms).
    Care: clients that cannot reauthenticate on an open connection (Java clients before 2.2) are disconnected each time.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9093
        security.inter.broker.protocol=SASL_SSL
        sasl.enabled.mechanisms=OAUTHBEARER
        sasl.mechanism.inter.broker.protocol=OAUTHBEARER
    Good:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9093
        security.inter.broker.protocol=SASL_SSL
        sasl.enabled.mechanisms=OAUTHBEARER
        sasl.mechanism.inter.broker.protocol=OAUTHBEARER
        connections.max.reauth.ms=3600000
    See: KIP-368, https://kafka.apache.org/documentation/#brokerconfigs_connections.max.reauth.ms
    """
    with_tokens = [
        listener.name
        for listener in listeners(node)
        if listener.protocol in SASL and "OAUTHBEARER" in node.list(of_listener(node, listener.name, MECHANISMS))
    ]
    applies(with_tokens, "no listener accepts tokens")
    bare = [name for name in with_tokens if not renewed(node, name)]
    if bare:
        text = f"{bare[0]} checks a token once, when the connection opens"
        yield Problem("connections.max.reauth.ms", text, "3600000")


def renewed(node: Subject, listener: str) -> bool:
    """Whether connections of the listener have to log in with a new token one day."""
    key, prefix = "connections.max.reauth.ms", f"{PREFIX}{listener.lower()}."
    own = [name for name in (f"{prefix}oauthbearer.{key}", f"{prefix}{key}") if written(node, name)]
    return bool(own) or node.int(key) > 0
