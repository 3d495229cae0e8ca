"""Required client settings: those that are missing, and those that others depend on."""

from __future__ import annotations

from advisor import catalog
from advisor.analysis.startup.externals import BOOTSTRAP, JAAS, SASL, TLS, has_tls_listener
from advisor.analysis.startup.streams import streams_refusals
from advisor.analysis.startup.values import is_written, text
from advisor.catalog.classes import OWN
from advisor.catalog.keys import component_of
from advisor.model import CLIENT_KINDS, EMPTY, SERVER_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from advisor.analysis.startup.externals import Requirement
    from advisor.config import Config

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


def missing_required_keys(config: Config) -> list[str]:
    """The keys that a client's definitions require and that the file does not set."""
    if config.entity.kind not in CLIENT_KINDS or config.librdkafka or config.template:
        return []
    rows = catalog.definitions(component_of(config.entity), config.version)
    keys = [key for key, row in rows.items() if row[2] and not is_written(config, key)]
    if "bootstrap.servers" in rows and not is_written(config, "bootstrap.servers"):
        keys = ["bootstrap.servers", *(key for key in keys if key != "bootstrap.servers")]
    if config.entity.kind == "admin" and "bootstrap.servers" in rows:
        bare = not any(key in rows and text(config, key) for key in BOOTSTRAP)
        return ["bootstrap.servers"] if bare else [key for key in keys if key != "bootstrap.servers"]
    return keys


def missing_settings(config: Config) -> Iterator[Requirement]:
    """(key, reason) of settings without which the startup is refused."""
    for key in missing_required_keys(config):
        yield key, f"{key} is required and not set"
    if config.entity.kind == "consumer" and not is_written(config, GROUP) and config.version >= (2, 2):
        setting = config.settings.get(COMMIT)
        if setting is not None and setting.value.strip().lower() == "true":
            yield COMMIT, "cannot be true without a group.id"
    yield from contradictions(config)


def contradictions(config: Config) -> Iterator[Requirement]:
    """(key, reason) of security settings that need another setting."""
    yield from streams_refusals(config)
    of_listener = any(key.startswith("listener.name.") for key in config.settings)
    if config.entity.kind in SERVER_KINDS and has_tls_listener(config) and not of_listener:
        yield from of_stores(config)
    if config.entity.kind not in CLIENT_KINDS or config.librdkafka:
        return
    if text(config, RACK_AWARE).lower() == "true" and config.definition(RACK_AWARE) and not text(config, "client.rack"):
        yield "client.rack", f"{RACK_AWARE} is on and client.rack is not set"
    if connects_later(config):
        return
    protocol = text(config, "security.protocol").upper()
    if protocol in TLS:
        yield from of_stores(config)
        yield from of_classes(config, TLS_CLASSES)
    if protocol in SASL:
        yield from of_login(config)
        yield from of_classes(config, SASL_CLASSES)


def connects_later(config: Config) -> bool:
    """Whether a consumer is created before its own thread makes its connections, and nobody waits for that."""
    new = config.definition(PROTOCOL) is not None and text(config, PROTOCOL).lower() == "consumer"
    return config.entity.kind == "consumer" and new and config.version < CREATION_WAITS


def of_classes(config: Config, keys: Iterable[str]) -> Iterator[Requirement]:
    """Classes of Kafka's own or Java's that are not made for connections: those are all in one package."""
    for key in keys:
        name = text(config, key)
        if config.definition(key) and name.startswith(OWN) and not name.startswith(OF_CONNECTIONS):
            yield key, f"{name} is not made for connections"


def of_stores(config: Config) -> Iterator[Requirement]:
    """A store without its password, a password without its store, or PEM text without the type PEM."""
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


def of_login(config: Config) -> Iterator[Requirement]:
    """A login module that does not fit the SASL mechanism, which is GSSAPI by default."""
    setting = config.settings.get(JAAS)
    if setting is None or setting.jaas is None or setting.shape == EMPTY or len(setting.jaas.modules) != 1:
        return
    module = setting.jaas.modules[0].rpartition(".")[2]
    mechanism = text(config, MECHANISM) if is_written(config, MECHANISM) else "GSSAPI"
    if module == "OAuthBearerLoginModule" and mechanism != "OAUTHBEARER":
        yield "sasl.mechanism", f"{module} does not log in with {mechanism}"
    elif mechanism == "GSSAPI" and module in PASSWORD_MODULES and not text(config, "sasl.kerberos.service.name"):
        yield "sasl.mechanism", f"{module} does not log in with GSSAPI: there is no sasl.kerberos.service.name"
