"""What decides over a start and stands in no file: foreign classes, key stores, names to resolve, the JVM's properties."""

from __future__ import annotations

from advisor.model import CLIENT_KINDS, LITERAL, SERVER_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.config import Config

    Said = tuple[str, str]

CLASS_LISTS = (
    "interceptor.classes",
    "metric.reporters",
    "partition.assignment.strategy",
    "group.consumer.assignors",
    "group.share.assignors",
    "rest.extension.classes",
    "kafka.metrics.reporters",
    "security.providers",
)
"""Lists of classes; what names a single class ends with one of CLASS_ENDINGS or has the type class."""
CLASS_ENDINGS = (".class", ".class.name")
NOT_LOADED = ("group.share.persister.class.name",)
OWN = ("org.apache.kafka.", "kafka.")
"""How the names of Kafka's own classes begin."""
STORES = ("ssl.keystore.location", "ssl.truststore.location")
PEM = ("ssl.keystore.key", "ssl.keystore.certificate.chain", "ssl.truststore.certificates")
CERTIFICATES = ("keystore.location", "keystore.certificate.chain", "engine.factory.class")
SASL = ("SASL_PLAINTEXT", "SASL_SSL")
TLS = ("SSL", "SASL_SSL")
JAAS = "sasl.jaas.config"
BOOTSTRAP = ("bootstrap.servers", "bootstrap.controllers")


def elsewhere(config: Config) -> Iterator[Said]:
    """(key, reason) of everything outside the file that the start depends on."""
    yield from foreign_classes(config)
    if config.librdkafka:
        return
    if config.entity.kind in CLIENT_KINDS:
        yield from of_client(config)
    elif config.entity.kind in SERVER_KINDS:
        yield from of_listeners(config)


def text(config: Config, key: str) -> str:
    """The trimmed value that is written for a key, empty where there is none."""
    setting = config.settings.get(key)
    return setting.value.strip() if setting else ""


def foreign_classes(config: Config) -> Iterator[Said]:
    """Classes that are not Kafka's own: nobody knows whether they are on the class path."""
    for key, setting in config.settings.items():
        if setting.shape == LITERAL and not setting.secret and names_classes(config, key):
            for name in (part.strip() for part in setting.value.split(",")):
                if "." in name and not name.startswith(OWN):
                    yield key, f"{name} is not one of Kafka's own classes: it has to be on the class path"


def names_classes(config: Config, key: str) -> bool:
    """Whether the value of a key names classes that a start loads."""
    definition = config.definition(key)
    if definition is None:
        return False
    bare = definition.name
    if bare in CLASS_LISTS or definition.type == "class":
        return True
    return bare.endswith(CLASS_ENDINGS) and bare not in NOT_LOADED and definition.type == "string"


def of_client(config: Config) -> Iterator[Said]:
    """What a client looks up while it is created."""
    for key in BOOTSTRAP:
        for entry in filter(None, (part.strip() for part in text(config, key).split(","))):
            host = entry.rpartition("://")[2].rpartition(":")[0].strip("[]")
            if host and not is_address(host):
                yield key, f"{host} has to be resolvable where the client runs"
                break
    protocol = text(config, "security.protocol").upper()
    if protocol in SASL and not text(config, JAAS):
        yield JAAS, "not in the file: the login has to come from the JVM's java.security.auth.login.config"
    if protocol in TLS:
        yield from stores(config, "")


def stores(config: Config, prefix: str) -> Iterator[Said]:
    """Key stores that have to be there and readable."""
    for key in (prefix + name for name in STORES):
        if text(config, key):
            yield key, f"{text(config, key)} has to be there and readable"
    for key in (prefix + name for name in PEM):
        if key in config.settings:
            yield key, "the certificates have to be well formed"


def is_address(host: str) -> bool:
    """Whether a host needs no name service."""
    parts = host.split(".")
    four = len(parts) == 4 and all(part.isdecimal() and int(part) < 256 for part in parts)
    return four or ":" in host or host == "localhost"


def of_listeners(config: Config) -> Iterator[Said]:
    """Brokers that talk to each other by TLS need a key store, which may come from a plug-in."""
    name = text(config, "inter.broker.listener.name").upper()
    pairs = (pair.rpartition(":") for pair in text(config, "listener.security.protocol.map").upper().split(","))
    mapped = {listener.strip(): protocol.strip() for listener, _, protocol in pairs}
    protocol = mapped.get(name, name) if name else text(config, "security.inter.broker.protocol").upper()
    if protocol in TLS and not any(key.endswith(CERTIFICATES) for key in config.settings):
        yield "ssl.keystore.location", "not in the file: a TLS listener has no certificate without a key store"
