"""Required client settings: those that are missing, and those that others depend on."""

from __future__ import annotations

from advisor import catalog
from advisor.analysis.startup.check import startup_check
from advisor.analysis.startup.externals import BOOTSTRAP, JAAS, SASL, TLS, has_tls_listener
from advisor.analysis.startup.streams import streams_refusals
from advisor.analysis.startup.values import is_set, is_written, text
from advisor.cache import cached
from advisor.catalog.classes import OWN
from advisor.catalog.keys import component_of
from advisor.model import CLIENT_KINDS, EMPTY, SERVER_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.analysis.startup.check import Requirement
    from advisor.config import Config
    from advisor.model import Version
    from advisor.model.finding import Finding

RACK_AWARE = "partitioner.rack.aware"
GROUP, COMMIT = "group.id", "enable.auto.commit"
PEM_KEYS = {
    "ssl.keystore.key": "ssl.keystore.type",
    "ssl.keystore.certificate.chain": "ssl.keystore.type",
    "ssl.truststore.certificates": "ssl.truststore.type",
}
PROTOCOL, CREATION_WAITS = "group.protocol", (4, 2)
"""The first release whose consumers of the newer group protocol wait for the thread that makes the connections."""
TLS_CLASSES = ("ssl.engine.factory.class",)
SASL_CLASSES = ("sasl.login.class", "sasl.login.callback.handler.class", "sasl.client.callback.handler.class")
OF_CONNECTIONS = "org.apache.kafka.common.security."
MECHANISM = "sasl.mechanism"
PASSWORD_MODULES = ("PlainLoginModule", "ScramLoginModule")
PEM = (2, 7)
"""The first release that reads PEM."""


@cached(100)
def required_keys(component: str, version: Version) -> tuple[str, ...]:
    """The keys of a component without a default."""
    return tuple(key for key, row in catalog.definitions(component, version).items() if row[2])


def missing_required_keys(config: Config) -> list[str]:
    """The keys that a client's definitions require and that the file does not set."""
    if config.entity.kind not in CLIENT_KINDS or config.librdkafka or config.template:
        return []
    rows = catalog.definitions(component_of(config.entity), config.version)
    keys = [key for key in required_keys(component_of(config.entity), config.version) if not is_set(config, key)]
    if "bootstrap.servers" in rows and not is_set(config, "bootstrap.servers"):
        keys = ["bootstrap.servers", *(key for key in keys if key != "bootstrap.servers")]
    if config.entity.kind == "admin" and "bootstrap.servers" in rows:
        bare = not any(key in rows and text(config, key) for key in BOOTSTRAP)
        return ["bootstrap.servers"] if bare else [key for key in keys if key != "bootstrap.servers"]
    return keys


def missing_settings(config: Config) -> Iterator[Finding]:
    """Settings without which the startup is refused."""
    yield from required_key_missing(config)
    yield from auto_commit_without_group(config)
    yield from contradictions(config)


@startup_check("KA1901")
def required_key_missing(config: Config) -> Iterator[Requirement]:
    """A key without a default is not set, so the client cannot be created.

    Why: Kafka's definition of the key has no default value: the constructor of the client throws a ConfigException before
        any connection is made.
    Fix: set the key; bootstrap.servers and the (de)serializers are those that every client needs.
    Bad (producer):
        acks=all
    Good (producer):
        bootstrap.servers=b1:9092,b2:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        value.serializer=org.apache.kafka.common.serialization.StringSerializer
    See: org.apache.kafka.common.config.ConfigDef
    """
    for key in missing_required_keys(config):
        yield key, f"{key} is required and not set"


@startup_check("KA1902")
def auto_commit_without_group(config: Config) -> Iterator[Requirement]:
    """A consumer without a group is told to commit offsets.

    Why: offsets are committed for a group; with enable.auto.commit=true and no group.id the constructor throws an
        InvalidConfigurationException.
    Fix: set group.id, or enable.auto.commit=false.
    Bad (consumer):
        bootstrap.servers=b1:9092
        key.deserializer=a.B
        value.deserializer=a.B
        enable.auto.commit=true
    Good (consumer):
        bootstrap.servers=b1:9092
        key.deserializer=org.apache.kafka.common.serialization.StringDeserializer
        value.deserializer=org.apache.kafka.common.serialization.StringDeserializer
        enable.auto.commit=true
        group.id=billing
    See: KIP-289
    """
    if config.entity.kind == "consumer" and not is_set(config, GROUP) and config.version >= (2, 2):
        setting = config.settings.get(COMMIT)
        if setting is not None and setting.value.strip().lower() == "true":
            yield COMMIT, "cannot be true without a group.id"


def contradictions(config: Config) -> Iterator[Finding]:
    """Security settings that need another setting."""
    yield from streams_refusals(config)
    of_listener = any(key.startswith("listener.name.") for key in config.settings)
    if config.entity.kind in SERVER_KINDS and has_tls_listener(config) and not of_listener:
        yield from store_incomplete(config)
    if config.entity.kind not in CLIENT_KINDS or config.librdkafka:
        return
    yield from rack_aware_without_rack(config)
    if connects_later(config):
        return
    protocol = text(config, "security.protocol").upper()
    if protocol in TLS:
        yield from store_incomplete(config)
    if protocol in SASL:
        yield from login_does_not_fit(config)
    yield from class_not_for_connections(config)


@startup_check("KA1903")
def rack_aware_without_rack(config: Config) -> Iterator[Requirement]:
    """The producer's partitioner is to prefer its own rack, and no rack is named.

    Why: partitioner.rack.aware=true without client.rack is refused by the constructor with a ConfigException.
    Fix: set client.rack to the rack in which the client runs, as the brokers spell it in broker.rack.
    Bad (producer, 4.4):
        bootstrap.servers=b1:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        value.serializer=org.apache.kafka.common.serialization.StringSerializer
        partitioner.rack.aware=true
    Good (producer, 4.4):
        bootstrap.servers=b1:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        value.serializer=org.apache.kafka.common.serialization.StringSerializer
        partitioner.rack.aware=true
        client.rack=eu-1a
    See: KIP-1123
    """
    if text(config, RACK_AWARE).lower() == "true" and config.definition(RACK_AWARE) and not text(config, "client.rack"):
        yield "client.rack", f"{RACK_AWARE} is on and client.rack is not set"


def connects_later(config: Config) -> bool:
    """Whether a consumer is created before its own thread makes its connections, and the constructor does not wait for that."""
    new = config.definition(PROTOCOL) is not None and text(config, PROTOCOL).lower() == "consumer"
    return config.entity.kind == "consumer" and new and config.version < CREATION_WAITS


@startup_check("KA1904")
def class_not_for_connections(config: Config) -> Iterator[Requirement]:
    """A class of Kafka's own or Java's is named where a connection needs one of another kind.

    Why: the class exists and does not implement what the key asks for: the client fails with a ClassCastException or a
        KafkaException when it makes its channel builder.
    Fix: remove the key, or name a class that implements the interface in the key's documentation.
    Bad (producer):
        bootstrap.servers=b1:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        value.serializer=org.apache.kafka.common.serialization.StringSerializer
        security.protocol=SSL
        ssl.engine.factory.class=org.apache.kafka.common.serialization.StringSerializer
    Good (producer):
        bootstrap.servers=b1:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        value.serializer=org.apache.kafka.common.serialization.StringSerializer
        security.protocol=SSL
    See: KIP-519
    """
    protocol = text(config, "security.protocol").upper()
    for key in (*(TLS_CLASSES if protocol in TLS else ()), *(SASL_CLASSES if protocol in SASL else ())):
        name = text(config, key)
        if config.definition(key) and name.startswith(OWN) and not name.startswith(OF_CONNECTIONS):
            yield key, f"{name} is not made for connections"


@startup_check("KA1905")
def store_incomplete(config: Config) -> Iterator[Requirement]:
    """A key store without its password, a password without its store, or PEM text without the type PEM.

    Why: the TLS engine reads its stores when the first channel is configured, and refuses a half-configured one.
    Fix: set location, password and type of the same store together; PEM text needs ssl.keystore.type=PEM.
    Bad (producer):
        bootstrap.servers=b1:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        value.serializer=org.apache.kafka.common.serialization.StringSerializer
        security.protocol=SSL
        ssl.keystore.location=/etc/kafka/client.jks
    Good (producer):
        bootstrap.servers=b1:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        value.serializer=org.apache.kafka.common.serialization.StringSerializer
        security.protocol=SSL
        ssl.truststore.location=/etc/kafka/trust.jks
    See: KIP-651, org.apache.kafka.common.security.ssl.DefaultSslEngineFactory
    """
    for name in ("keystore", "truststore"):
        location, password = f"ssl.{name}.location", f"ssl.{name}.password"
        pem = text(config, f"ssl.{name}.type").upper() == "PEM"
        if not is_written(config, location) and is_written(config, password):
            yield location, f"{password} is set and {location} is not"
        if name == "keystore" and not pem and is_written(config, location) and not is_written(config, password):
            yield password, f"{location} is set and {password} is not"
    for key, kind in PEM_KEYS.items():
        if is_written(config, key) and config.version >= PEM and text(config, kind).upper() != "PEM":
            yield kind, f"{key} is only taken with {kind}=PEM"


@startup_check("KA1906")
def login_does_not_fit(config: Config) -> Iterator[Requirement]:
    """The login module of sasl.jaas.config does not fit sasl.mechanism, which is GSSAPI where it is left out.

    Why: the login succeeds only with the credentials of its own mechanism; the constructor throws a KafkaException.
    Fix: set sasl.mechanism to the mechanism of the module: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER.
    Bad (producer):
        bootstrap.servers=b1:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        value.serializer=org.apache.kafka.common.serialization.StringSerializer
        security.protocol=SASL_SSL
        sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="${P}";
    Good (producer):
        bootstrap.servers=b1:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        value.serializer=org.apache.kafka.common.serialization.StringSerializer
        security.protocol=SASL_SSL
        sasl.mechanism=PLAIN
        sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="${P}";
    See: org.apache.kafka.common.security.JaasContext
    """
    setting = config.settings.get(JAAS)
    if setting is None or setting.jaas is None or setting.shape == EMPTY or len(setting.jaas.modules) != 1:
        return
    module = setting.jaas.modules[0].rpartition(".")[2]
    mechanism = text(config, MECHANISM) if is_written(config, MECHANISM) else "GSSAPI"
    if module == "OAuthBearerLoginModule" and mechanism != "OAUTHBEARER":
        yield "sasl.mechanism", f"{module} does not log in with {mechanism}"
    elif mechanism == "GSSAPI" and module in PASSWORD_MODULES and not text(config, "sasl.kerberos.service.name"):
        yield "sasl.mechanism", f"{module} does not log in with GSSAPI: there is no sasl.kerberos.service.name"
