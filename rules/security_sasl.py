"""SASL of listeners: mechanisms, the JAAS lines that they need, tokens, and passwords that cross the network in clear text."""

from __future__ import annotations

from advisor.facts import (
    KRAFT,
    controller_listeners,
    inter_broker,
    is_local,
    listeners,
    mode,
    protocol_map,
    voters,
    written,
)
from advisor.rule import PLACEHOLDER, Problem, Problems, Subject, Unknown, applies, rule
from rules.security_listeners import PLAINTEXT, PREFIX, SASL, SASL_PLAINTEXT, TLS, decided_by, keys_for, of_listener

FAMILY = "security"
MECHANISMS = "sasl.enabled.mechanisms"
KNOWN_MECHANISMS = ("GSSAPI", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER")
LDAP_ADDRESSES = ("java.naming.provider.url", "ldap.url", "ldap.server.url")


def mechanism_keys(node: Subject) -> tuple[str, ...]:
    """Every sasl.enabled.mechanisms of the file."""
    return keys_for(MECHANISMS, node)


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


def jaas_key(listener: str, mechanism: str) -> str:
    """The key of a listener's JAAS line for a mechanism."""
    return f"{PREFIX}{listener.lower()}.{mechanism.lower()}.sasl.jaas.config"


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
