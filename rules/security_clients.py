"""Security of clients, Connect workers, Streams applications and MirrorMaker: encryption, logins, REST."""

from __future__ import annotations

from advisor.catalog.keys import CLIENTS, OF_APPLICATIONS, STREAMS_OF_SERVERS
from advisor.facts import advertised, is_connector, is_local, is_whole_number, is_wildcard, key_names, servers
from advisor.facts import written as written_down
from advisor.rule import (
    CLIENT_KINDS,
    PLACEHOLDER,
    SERVER_KINDS,
    Problem,
    Problems,
    Subject,
    Unknown,
    applies,
    fact,
    rule,
)

FAMILY = "security"
LIBRDKAFKA = "librdkafka"
CLEAR = ("PLAINTEXT", "SASL_PLAINTEXT")
TLS = ("SSL", "SASL_SSL")
SASL = ("SASL_PLAINTEXT", "SASL_SSL")
LEGACY_TLS = ("TLSV1", "TLSV1.1", "SSLV2", "SSLV3", "SSL", "SSLV2HELLO")
MODULES = {
    "PlainLoginModule": ("PLAIN",),
    "ScramLoginModule": ("SCRAM-SHA-256", "SCRAM-SHA-512"),
    "OAuthBearerLoginModule": ("OAUTHBEARER",),
    "Krb5LoginModule": ("GSSAPI",),
}
"""The mechanisms that Kafka's own login modules are for."""


def written(config: Subject, key: str) -> str:
    """What is written for a key of any name; unknown where it is filled in later."""
    if config.shape(key) == PLACEHOLDER:
        raise Unknown(f"{key} is filled in later: {config.text(key)}")
    return config.text(key).strip()


def given(config: Subject, key: str) -> bool:
    """Whether a key of any name is written down; one without a prefix also under its other spelling."""
    return key in key_names(config) or (key in ("bootstrap.servers", "sasl.mechanism") and config.is_set(key))


def connections(config: Subject) -> tuple[str, ...]:
    """The prefixes of a file's own connections to Kafka: none, or one of each mirrored cluster or client with a protocol."""
    if config.kind() in CLIENT_KINDS:
        own = tuple(prefix for prefix in OF_APPLICATIONS if given(config, prefix + "security.protocol"))
        has_streams = any(given(config, prefix + "security.protocol") for prefix in STREAMS_OF_SERVERS)
        return own if (own or has_streams) and not given(config, "security.protocol") else ("",)
    if config.kind() in ("connect", "streams"):
        return () if is_connector(config) else ("",)
    if config.kind() != "mirror":
        return ()
    ending = ".bootstrap.servers"
    found = [key[: -len(ending) + 1] for key in config.keys() if key.endswith(ending)]
    return tuple(prefix for prefix in found if prefix not in CLIENTS and prefix.count(".") == 1)


def keys_ending(config: Subject, *endings: str) -> tuple[str, ...]:
    """Every key with such an ending in a file that is not a server's: clients, their overrides, plug-ins' own clients."""
    if config.kind() in (*SERVER_KINDS, "topic", "zookeeper"):
        return ()
    return tuple(key for key in config.keys() if key.endswith(endings))


def mechanism_keys(config: Subject) -> tuple[str, ...]:
    """The keys that choose a SASL mechanism."""
    return keys_ending(config, "sasl.mechanism", "sasl.mechanisms")


def endpoint_keys(config: Subject) -> tuple[str, ...]:
    """The keys that choose how host names are verified."""
    return keys_ending(config, "ssl.endpoint.identification.algorithm")


def certificate_keys(config: Subject) -> tuple[str, ...]:
    """The keys that switch the verification of certificates."""
    return keys_ending(config, "enable.ssl.certificate.verification")


def tls_version_keys(config: Subject) -> tuple[str, ...]:
    """The keys that choose TLS versions."""
    return keys_ending(config, "ssl.enabled.protocols", "ssl.protocol")


def jaas_keys(config: Subject) -> tuple[str, ...]:
    """The keys that hold a JAAS line."""
    return keys_ending(config, "sasl.jaas.config")


def store_keys(config: Subject) -> tuple[str, ...]:
    """The keys that name certificates."""
    return keys_ending(config, "ssl.truststore.location", "ssl.keystore.location", "ssl.ca.location")


def token_keys(config: Subject) -> tuple[str, ...]:
    """The keys that say where tokens come from."""
    return keys_ending(config, "sasl.oauthbearer.token.endpoint.url", "sasl.oauthbearer.jwks.endpoint.url")


@fact
def protocol(config: Subject, prefix: str) -> str:
    """The security protocol of the connection with this prefix, upper case."""
    for place in (prefix, *_inherited(config.kind(), prefix)):
        key = place + "security.protocol"
        if given(config, key):
            return written(config, key).upper()
    return "PLAINTEXT"


def _inherited(kind: str, prefix: str) -> tuple[str, ...]:
    if kind in CLIENT_KINDS:
        return ("client.", "")
    if not prefix or kind not in ("streams", "mirror"):
        return ()
    head = prefix.partition(".")[0] + "."
    return (head, "") if head != prefix and kind == "mirror" else ("",)


@fact
def hosts(config: Subject, prefix: str) -> tuple[str | None, ...]:
    """The hosts of the connection with this prefix, None where they are filled in later or set in code."""
    inherited = ("",) if config.kind() in CLIENT_KINDS else ()
    keys = (f"{each}bootstrap.servers" for each in (prefix, *inherited))
    key = next((each for each in keys if given(config, each)), None)
    return tuple(server.host for server in servers(config, key)) if key is not None else (None,)


PUBLIC, LOCAL, UNSAID, OTHER = "public", "local", "unsaid", "other"


@fact
def reach(config: Subject, prefix: str) -> str:
    """Where the connection with this prefix leads: PUBLIC to some address, LOCAL to this machine alone, UNSAID in part."""
    reached = hosts(config, prefix)
    if any(is_public(host) for host in reached):
        return PUBLIC
    if None in reached:
        return UNSAID
    return LOCAL if all(is_local(host) for host in reached) else OTHER


def is_public(host: str | None) -> bool:
    """Whether an address is an IPv4 address that the whole internet can reach."""
    parts = (host or "").split(".")
    if len(parts) != 4 or not all(is_whole_number(part) and int(part) < 256 for part in parts):
        return False
    first, second = int(parts[0]), int(parts[1])
    private = first in (0, 10, 127) or first >= 224 or (first, second) in ((192, 168), (169, 254))
    return not (private or (first == 172 and 16 <= second < 32) or (first == 100 and 64 <= second < 128))


def _protocol_place(config: Subject, prefix: str) -> str:
    own = f"{prefix}security.protocol"
    return own if not prefix or given(config, own) else f"{prefix}bootstrap.servers"


@rule("KA650", "medium", dev="info", regulated="critical", each=connections, aim="by hand: credentials")
def plaintext_client(config: Subject, prefix: str) -> Problems:
    """The connection to the brokers is not encrypted.

    Why: anyone on the network path can read and change records, and logins over SASL_PLAINTEXT.
    Fix: set security.protocol=SASL_SSL (or SSL with client certificates); on the loopback address encryption matters
        less.
    Care: a client with TLS cannot connect to a port without TLS: add a TLS listener to the brokers first.
    Bad (producer):
        bootstrap.servers=b1.example.org:9092,b2.example.org:9092
        acks=all
    Good (producer):
        bootstrap.servers=b1.example.org:9093,b2.example.org:9093
        acks=all
        security.protocol=SASL_SSL
    See: https://kafka.apache.org/documentation/#security_ssl
    """
    key = prefix + "security.protocol"
    applies(given(config, key) or given(config, prefix + "bootstrap.servers"), "address and protocol are set in code")
    used, way = protocol(config, prefix), reach(config, prefix)
    applies(way != PUBLIC, "the address is public: plaintext-public reports it")
    if used in CLEAR:
        near = way in (UNSAID, LOCAL)
        message = "records cross the network unencrypted"
        message += ", and so do logins" if used == "SASL_PLAINTEXT" else ""
        yield Problem([_protocol_place(config, prefix), key], message, "SASL_SSL", step=-1 if near else 0)


@rule("KA651", "high", dev="medium", regulated="critical", each=connections, aim="by hand: credentials")
def plaintext_public(config: Subject, prefix: str) -> Problems:
    """The client connects to a public address without encryption.

    Why: the connection crosses the internet. Without TLS anyone on the path can read and change the records, and with
        PLAINTEXT, which has no login, any client that finds the port can connect.
    Fix: set security.protocol=SASL_SSL on the client, and the same protocol on the brokers' listener.
    Care: a client with TLS cannot connect to a port without TLS: add a TLS listener to the brokers first.
    Bad (producer):
        bootstrap.servers=134.79.23.1:9092
        acks=all
    Good (producer):
        bootstrap.servers=134.79.23.1:9093
        acks=all
        security.protocol=SASL_SSL
    See: https://kafka.apache.org/documentation/#security_ssl
    """
    key = prefix + "bootstrap.servers"
    if protocol(config, prefix) in CLEAR and reach(config, prefix) == PUBLIC:
        step = 0 if protocol(config, prefix) == "PLAINTEXT" else -1
        message = f"{protocol(config, prefix)} to a public address: the internet can read the records"
        yield Problem([key, prefix + "security.protocol"], message, "SASL_SSL", step=step)


@rule("KA652", "high", dev="medium", regulated="critical", each=mechanism_keys, aim="by hand: credentials")
def plain_without_tls(config: Subject, key: str) -> Problems:
    """The client sends its password in clear text: SASL/PLAIN over a connection without TLS.

    Why: PLAIN sends user name and password unencrypted, so anyone who sees one login can log in.
    Fix: set security.protocol=SASL_SSL, or at least sasl.mechanism=SCRAM-SHA-512.
    Care: a client with TLS cannot connect to a port without TLS: add a SASL_SSL listener to the brokers first. Change
        the password afterwards, since it has been readable.
    Bad (producer):
        bootstrap.servers=b1:9092,b2:9092
        security.protocol=SASL_PLAINTEXT
        sasl.mechanism=PLAIN
    Good (producer):
        bootstrap.servers=b1:9093,b2:9093
        security.protocol=SASL_SSL
        sasl.mechanism=PLAIN
    See: https://kafka.apache.org/documentation/#security_sasl_plain
    """
    prefix = key[: key.rindex("sasl.mechanism")]
    applies(written(config, key).upper() == "PLAIN", "another mechanism")
    if protocol(config, prefix) == "SASL_PLAINTEXT":
        near = reach(config, prefix) == LOCAL
        message = "the password crosses the network in clear text"
        yield Problem([key, prefix + "security.protocol"], message, step=-1 if near else 0)


@rule(
    "KA653",
    "medium",
    dev="low",
    regulated="high",
    each=endpoint_keys,
    aim="by hand: credentials",
    fix="unsafe: set",
)
def hostname_verification_off(config: Subject, key: str) -> Problems:
    """The client does not verify that the broker's certificate belongs to its host.

    Why: any certificate of a trusted authority is accepted, so another host can impersonate a broker.
    Fix: put the host names into the brokers' certificates, then remove ssl.endpoint.identification.algorithm (default
        https; none in librdkafka before 2.0, where it must be set).
    Care: a client that verifies host names refuses brokers whose certificate lacks the advertised name. Check the
        certificates' subject alternative names first.
    Bad (producer):
        bootstrap.servers=b1:9093,b2:9093
        security.protocol=SSL
        ssl.endpoint.identification.algorithm=
    Good (producer):
        bootstrap.servers=b1:9093,b2:9093
        security.protocol=SSL
        ssl.endpoint.identification.algorithm=https
    See: KIP-294, https://kafka.apache.org/documentation/#producerconfigs_ssl.endpoint.identification.algorithm
    """
    prefix = key[: key.rindex("ssl.endpoint")]
    applies(protocol(config, prefix) in TLS, "the connection does not use TLS")
    off = ("none",) if config.family() == LIBRDKAFKA else ("",)
    if written(config, key).lower() in off:
        yield Problem(key, "another host can impersonate a broker", "https", fix=f"set {key}=https")


@rule(
    "KA654",
    "high",
    dev="medium",
    regulated="critical",
    each=certificate_keys,
    aim="by hand: credentials",
    fix="unsafe: set",
)
def certificate_verification_off(config: Subject, key: str) -> Problems:
    """The client accepts any certificate.

    Why: without verification any host can impersonate a broker and read what the client sends.
    Fix: set ssl.ca.location to the brokers' authority, then remove enable.ssl.certificate.verification=false.
    Bad (producer):
        metadata.broker.list=b1:9093,b2:9093
        security.protocol=ssl
        acks=all
        enable.ssl.certificate.verification=false
    Good (producer):
        metadata.broker.list=b1:9093,b2:9093
        security.protocol=ssl
        acks=all
        enable.ssl.certificate.verification=true
    See: https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md
    """
    applies(config.family() == LIBRDKAFKA and protocol(config, "") in TLS, "the connection does not use TLS")
    if not config.bool(key):
        yield Problem(key, "any host can impersonate a broker", "true", fix=f"set {key}=true")


@rule("KA655", "medium", regulated="high", each=tls_version_keys, aim="by hand: clients", fix="unsafe: set")
def legacy_tls(config: Subject, key: str) -> Problems:
    """An outdated TLS version is enabled.

    Why: SSLv3, TLS 1.0 and 1.1 are broken or deprecated (RFC 8996); current JVMs refuse them anyway.
    Fix: from Kafka 2.5 on remove ssl.enabled.protocols and ssl.protocol. Before 2.5 set ssl.enabled.protocols=TLSv1.2,
        because the default includes TLS 1.0 and 1.1.
    Care: the client cannot connect to brokers that offer only older versions; Kafka's brokers offer TLSv1.2 by default.
    Bad (producer):
        bootstrap.servers=b1:9093,b2:9093
        security.protocol=SSL
        ssl.enabled.protocols=TLSv1.1,TLSv1.2
    Good (producer):
        bootstrap.servers=b1:9093,b2:9093
        security.protocol=SSL
        ssl.enabled.protocols=TLSv1.2,TLSv1.3
    See: KIP-553, https://kafka.apache.org/documentation/#producerconfigs_ssl.enabled.protocols
    """
    old = [name.strip() for name in written(config, key).split(",") if name.strip().upper() in LEGACY_TLS]
    if old:
        text = f"a connection may use {' or '.join(old)}"
        names = [name.strip() for name in written(config, key).split(",")]
        kept = ",".join(name for name in names if name and name not in old) or "TLSv1.2"
        yield Problem(key, text, "TLSv1.2,TLSv1.3", fix=f"set {key}={kept}")


@rule("KA656", "high", dev="medium", each=jaas_keys, aim="by hand: credentials", fix="unsafe: set")
def login_module_mismatch(config: Subject, key: str) -> Problems:
    """The login module does not match the SASL mechanism: the login fails.

    Why: sasl.mechanism is GSSAPI unless it is set, and each mechanism takes its credentials from its own login module.
    Fix: set sasl.mechanism to the mechanism of the module in sasl.jaas.config.
    Bad (producer):
        bootstrap.servers=b1:9093,b2:9093
        security.protocol=SASL_SSL
        sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="${P}";
    Good (producer):
        bootstrap.servers=b1:9093,b2:9093
        security.protocol=SASL_SSL
        sasl.mechanism=PLAIN
        sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="${P}";
    See: https://kafka.apache.org/documentation/#security_sasl
    """
    prefix = key[: key.rindex("sasl.jaas.config")]
    applies(protocol(config, prefix) in SASL, "the connection does not use SASL")
    modules, _ = config.jaas(key) or ((), None)
    applies(modules, "no login module is written here")
    wanted = MODULES.get(modules[0].rpartition(".")[2])
    applies(wanted and modules[0].startswith(("org.apache.kafka.", "com.sun.")), "not one of Kafka's own login modules")
    name = prefix + "sasl.mechanism"
    chosen = written(config, name).upper() if given(config, name) else "GSSAPI"
    if wanted and chosen not in wanted:
        message = f"the login fails: sasl.mechanism is {chosen}, the login module is for {wanted[0]}"
        at = [name, key] if given(config, name) else [key, name]
        yield Problem(at, message, wanted[0], fix=f"set {name}={wanted[0]}" if len(wanted) == 1 else "")


@rule("KA657", "high", each=jaas_keys, refuses=True, aim="by hand: credentials")
def jaas_malformed(config: Subject, key: str) -> Problems:
    """The JAAS line cannot be parsed, and the client is not created.

    Why: the line must have one login module, a control flag such as `required`, options, and a semicolon at the end.
    Fix: set sasl.jaas.config to a line such as `Module required name="value" …;`.
    Bad (producer):
        bootstrap.servers=b1:9093,b2:9093
        security.protocol=SASL_SSL
        sasl.mechanism=PLAIN
        sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="b"
    Good (producer):
        bootstrap.servers=b1:9093,b2:9093
        security.protocol=SASL_SSL
        sasl.mechanism=PLAIN
        sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="b";
    See: KIP-85, org.apache.kafka.common.security.JaasConfig
    """
    prefix = key[: key.rindex("sasl.jaas.config")]
    applies(config.family() != LIBRDKAFKA and protocol(config, prefix) in SASL, "the line is not used")
    modules, problem = config.jaas(key) or ((), None)
    if problem is None and len(modules) > 1:
        problem = "the JAAS line names more than one login module"
    if problem and config.shape(key) == PLACEHOLDER:
        raise Unknown(f"{key} is filled in later")
    if problem:
        yield Problem(key, problem, refused=config.kind() in CLIENT_KINDS)


@rule("KA658", "medium", since=(3, 3), refuses=True, aim="by hand: credentials")
def sasl_mechanism_empty(client: Subject) -> Problems:
    """SASL is enabled but its mechanism is empty, so the client is not created.

    Why: an empty sasl.mechanism does not mean the default.
    Fix: set sasl.mechanism, or remove it for GSSAPI.
    Bad (producer):
        bootstrap.servers=b1:9093,b2:9093
        security.protocol=SASL_SSL
        sasl.mechanism=
    Good (producer):
        bootstrap.servers=b1:9093,b2:9093
        security.protocol=SASL_SSL
        sasl.mechanism=SCRAM-SHA-512
    See: org.apache.kafka.clients.CommonClientConfigs
    """
    applies(client.family() != LIBRDKAFKA and protocol(client, "") in SASL, "the connection does not use SASL")
    if not client.str("sasl.mechanism"):
        yield Problem(
            "sasl.mechanism", "the client has no SASL mechanism to log in with", "SCRAM-SHA-512", refused=True
        )


@rule("KA659", "low", dev="info", regulated="medium", each=store_keys, aim="by hand: credentials")
def certificates_unused(config: Subject, key: str) -> Problems:
    """Certificates are configured for a connection that does not use TLS.

    Why: security.protocol decides: without SSL or SASL_SSL the stores are never opened and records cross the network
        unencrypted, although the file looks secure.
    Fix: set security.protocol=SSL or SASL_SSL, or remove the stores.
    Care: a client with TLS cannot connect to a port without TLS: add a TLS listener to the brokers first.
    Bad (producer):
        bootstrap.servers=b1:9093,b2:9093
        acks=all
        ssl.truststore.location=/etc/kafka/trust.p12
    Good (producer):
        bootstrap.servers=b1:9093,b2:9093
        acks=all
        security.protocol=SSL
        ssl.truststore.location=/etc/kafka/trust.p12
    See: https://kafka.apache.org/documentation/#security_configclients
    """
    prefix = key[: key.rindex("ssl.")]
    applies(prefix in ("", *OF_APPLICATIONS, *connections(config)), "not a connection to Kafka")
    applies(config.kind() != "connect" or not prefix, "connectors may set the protocol themselves")
    if protocol(config, prefix) in CLEAR:
        yield Problem(
            [key, prefix + "security.protocol"],
            "the client does not use it: security.protocol does not enable TLS",
            likely=True,
        )


@rule("KA660", "medium", dev="info", regulated="high", aim="by hand: address")
def rest_plaintext(connect: Subject) -> Problems:
    """The worker's REST API listens on the network without TLS.

    Why: any client that reaches the API can read connector configurations (often with passwords), change or delete
        connectors, and make the worker read files and run plug-ins. By itself the API requires no login.
    Fix: set listeners=https://… with listeners.https.ssl.*, or listen on the loopback address behind a proxy that
        authenticates (a single worker only, since workers must reach each other).
    Care: workers that forward requests to each other and callers of the API lose the http listener: set
        rest.advertised.listener=https on all workers, and move the callers before you remove it.
    Bad (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        listeners=http://0.0.0.0:8083
    Good (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        listeners=https://0.0.0.0:8443
    See: KIP-208, https://kafka.apache.org/documentation/#connectconfigs_listeners
    """
    applies(not is_connector(connect), "a connector has no REST API of its own")
    text = written(connect, "listeners") if connect.is_set("listeners") else connect.text("listeners")
    entries = [entry.strip().lower() for entry in text.split(",")]
    clear = [entry for entry in entries if entry.startswith("http://") and not _is_loopback(entry)]
    if clear:
        everywhere = any(is_wildcard(_host(entry)) for entry in clear)
        message = f"the REST API at {clear[0]}{', on all interfaces,' if everywhere else ''} has no TLS"
        yield Problem("listeners", message, step=0 if connect.is_set("listeners") else -1)


def _host(entry: str) -> str:
    return entry.partition("://")[2].rpartition(":")[0].strip("[]")


def _is_loopback(entry: str) -> bool:
    return is_local(_host(entry))


@rule("KA661", "low", dev="info", staging="info", regulated="medium", since=(2, 3), aim="by hand: credentials")
def connector_override_all(connect: Subject) -> Problems:
    """Any connector may override any setting of its clients.

    Why: with connector.client.config.override.policy=All (the default since 3.0) a user who may create a connector can
        choose addresses, login modules and callback classes of clients that run inside the worker.
    Fix: set connector.client.config.override.policy=None, or from 4.2 on Allowlist.
    Care: a connector with a setting producer.override.*, consumer.override.* or admin.override.* that the policy does
        not allow fails when its tasks start. List those settings in the connectors' configurations first.
    Bad (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        connector.client.config.override.policy=All
    Good (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        connector.client.config.override.policy=None
    See: KIP-458, KIP-722, CVE-2023-25194
    """
    key = "connector.client.config.override.policy"
    if connect.str(key).rpartition(".")[2] in ("All", "AllConnectorClientConfigOverridePolicy"):
        text = "a connector may choose its clients' addresses, login modules and classes"
        yield Problem(key, text, "None", step=0 if connect.is_set(key) else -1)


@rule(
    "KA662", "low", regulated="medium", confidence="likely", each=("producer.", "consumer."), aim="by hand: credentials"
)
def connector_clients_unsecured(connect: Subject, prefix: str) -> Problems:
    """The worker's own connection is secured, but its connectors' clients are not.

    Why: connectors' producers and consumers inherit only bootstrap.servers from the worker's own settings. Without
        producer.security.protocol and consumer.security.protocol they use PLAINTEXT, and fail on a secured listener.
    Fix: repeat the security settings with the prefixes producer. and consumer. (and admin. for dead letter queues).
    Bad (connect):
        bootstrap.servers=b1:9093,b2:9093
        group.id=connect
        security.protocol=SASL_SSL
    Good (connect):
        bootstrap.servers=b1:9093,b2:9093
        group.id=connect
        security.protocol=SASL_SSL
        producer.security.protocol=SASL_SSL
        consumer.security.protocol=SASL_SSL
    See: https://docs.confluent.io/platform/current/connect/security.html
    """
    applies(protocol(connect, "") != "PLAINTEXT", "the worker connects without TLS")
    if not connect.is_set(prefix + "security.protocol"):
        places = [prefix + "security.protocol", "security.protocol"]
        yield Problem(places, f"connectors' {prefix[:-1]}s use PLAINTEXT", protocol(connect, ""))


@rule("KA663", "medium", dev="low", regulated="critical", each=token_keys, aim="by hand: credentials")
def token_endpoint_plaintext(config: Subject, key: str) -> Problems:
    """The client's secret, or the keys that verify tokens, cross the network in clear text.

    Why: over http:// anyone on the network path can read the client secret and the token, or substitute other keys.
    Fix: set sasl.oauthbearer.token.endpoint.url and sasl.oauthbearer.jwks.endpoint.url to https:// addresses.
    Bad (producer):
        bootstrap.servers=b1:9093,b2:9093
        security.protocol=SASL_SSL
        sasl.mechanism=OAUTHBEARER
        sasl.oauthbearer.token.endpoint.url=http://login.example.org/token
    Good (producer):
        bootstrap.servers=b1:9093,b2:9093
        security.protocol=SASL_SSL
        sasl.mechanism=OAUTHBEARER
        sasl.oauthbearer.token.endpoint.url=https://login.example.org/token
    See: KIP-768
    """
    address = written(config, key).lower()
    if address.startswith("http://"):
        near = is_local(address[7:].partition("/")[0].partition(":")[0])
        text = "secrets and keys cross the network in clear text"
        yield Problem(key, text, "https://…", step=-1 if near else 0)


@rule("KA664", "high", dev="medium", each=("PLAINTEXT", "SASL_PLAINTEXT"), aim="by hand: credentials")
def public_listener_in_clear(broker: Subject, protocol: str) -> Problems:
    """A broker advertises a public address without encryption.

    Why: anyone on the network path can read and change the records, and over SASL_PLAINTEXT the logins; with PLAINTEXT
        any client that finds the port can connect.
    Fix: map the listener to SASL_SSL (or SSL) in listener.security.protocol.map, or set advertised.listeners to a
        private address.
    Care: a listener that changes its protocol cuts off every client that still uses the old one: open a second listener
        with SASL_SSL on another port, move the clients, then remove the old listener.
    Bad:
        process.roles=broker
        node.id=1
        listeners=EXTERNAL://:9092
        advertised.listeners=EXTERNAL://134.79.23.1:9092
        listener.security.protocol.map=EXTERNAL:PLAINTEXT,CONTROLLER:SSL
        inter.broker.listener.name=EXTERNAL
    Good:
        process.roles=broker
        node.id=1
        listeners=EXTERNAL://:9092
        advertised.listeners=EXTERNAL://134.79.23.1:9092
        listener.security.protocol.map=EXTERNAL:SASL_SSL,CONTROLLER:SSL
        inter.broker.listener.name=EXTERNAL
    See: https://kafka.apache.org/documentation/#brokerconfigs_advertised.listeners
    """
    shown = [listener for listener in advertised(broker) if listener.protocol == protocol]
    applies(shown, f"nothing is advertised as {protocol}")
    public = [listener for listener in shown if is_public(listener.host)]
    if public:
        key = "advertised.listeners" if written_down(broker, "advertised.listeners") else "listeners"
        step = 0 if protocol == "PLAINTEXT" else -1
        message = f"{public[0].name} is {protocol} at a public address: the internet can read the records"
        yield Problem(key, message, "SASL_SSL", step=step)


TRUSTED = "spring.json.trusted.packages"


@rule("KA671", "low", dev="info", regulated="medium", aim="by hand: application")
def every_class_trusted(consumer: Subject) -> Problems:
    """A consumer creates objects of any class that a record's header names.

    Why: Spring's JsonDeserializer takes the class from a header of the record. With spring.json.trusted.packages=* whoever may write to
        the topic chooses which class of the application is created and what its setters are called with.
    Fix: list the packages of your own events, or set spring.json.use.type.headers=false with spring.json.value.default.type.
    Bad (consumer):
        bootstrap.servers=b1:9092,b2:9092
        spring.json.trusted.packages=*
    Good (consumer):
        bootstrap.servers=b1:9092,b2:9092
        spring.json.trusted.packages=com.example.events
    See: https://docs.spring.io/spring-kafka/reference/kafka/serdes.html
    """
    applies(TRUSTED in consumer.keys(), "no packages are listed")
    if written(consumer, TRUSTED) == "*":
        yield Problem(TRUSTED, "a record's header chooses the class that is created", "packages of your own")
