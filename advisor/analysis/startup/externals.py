"""External requirements of a startup: classes on the class path, key stores, host names, JVM properties."""

from __future__ import annotations

from advisor.analysis.startup.values import addresses, is_written, text
from advisor.cache import cached_if_long
from advisor.catalog.classes import exists
from advisor.facts import protocols_of
from advisor.model import CLIENT_KINDS, LITERAL, SERVER_KINDS, is_whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.config import Config

    Requirement = tuple[str, str]

CLASS_LISTS = (
    "interceptor.classes",
    "metric.reporters",
    "partition.assignment.strategy",
    "group.consumer.assignors",
    "group.share.assignors",
    "rest.extension.classes",
    "kafka.metrics.reporters",
)
"""Lists of classes; what names a single class ends with one of CLASS_ENDINGS or has the type class."""
CLASS_ENDINGS = (".class", ".class.name")
NOT_LOADED = ("group.share.persister.class.name", "group.share.dlq.manager.class.name", "task.assignor.class")
MOST_DOTS = 5
"""Of listener.name.NAME. where a name holds two."""
TIERED = "remote.log.storage.system.enable"
STORES = ("ssl.keystore.location", "ssl.truststore.location")
PEM = ("ssl.keystore.key", "ssl.keystore.certificate.chain", "ssl.truststore.certificates")
CERTIFICATES = ("keystore.location", "keystore.certificate.chain", "engine.factory.class")
JAVA = {
    "ssl.protocol": ("TLS", "TLSV1", "TLSV1.1", "TLSV1.2", "TLSV1.3"),
    "ssl.keymanager.algorithm": ("SUNX509", "NEWSUNX509", "PKIX"),
    "ssl.trustmanager.algorithm": ("PKIX", "SUNPKIX", "SUNX509", "X509"),
    "ssl.provider": (),
    "ssl.secure.random.implementation": (),
}
"""What the security of every JVM has, upper case, by the key that asks for it."""
SASL = ("SASL_PLAINTEXT", "SASL_SSL")
TLS = ("SSL", "SASL_SSL")
JAAS = "sasl.jaas.config"
OAUTH_URLS, ALLOWS_NO_URL = ("sasl.oauthbearer.token.endpoint.url", "sasl.oauthbearer.jwks.endpoint.url"), (4, 0)
"""What a login fetches tokens and keys from, and the first release whose JVM has to be told that it may (CVE-2025-27817)."""
PROVIDERS, OF_FILES = "config.providers", ".FileConfigProvider"
BOOTSTRAP = ("bootstrap.servers", "bootstrap.controllers")

IN_IMAGES = {
    "strimzi": ("io.strimzi.", "org.openpolicyagent.", "com.linkedin.kafka.cruisecontrol."),
    "cfk": ("io.confluent.",),
}
"""What the classes begin with that an operator's images bring, by the format of the file."""


def external_requirements(config: Config) -> Iterator[Requirement]:
    """(key, reason) of everything outside the file that a start depends on."""
    yield from foreign_classes(config)
    if config.librdkafka:
        return
    yield from provided_files(config)
    if config.entity.kind == "connect":
        yield from of_worker(config)
    elif config.entity.kind in CLIENT_KINDS:
        yield from of_client(config)
    elif config.entity.kind in SERVER_KINDS:
        yield from of_listeners(config) if config.entity.kind != "controller" else ()


def is_in_image(config: Config, name: str) -> bool:
    """Whether the image of an operator brings a class."""
    return name.startswith(IN_IMAGES.get(config.entity.format, ()))


def foreign_classes(config: Config) -> Iterator[Requirement]:
    """Third-party classes that have to be on the class path."""
    for key in (key for key in config.settings if names_classes(config, key)):
        setting = config.settings[key]
        if setting.shape == LITERAL and not setting.secret:
            definition = config.definition(key)
            usual = definition.default if definition else None
            for name in (entry.strip() for entry in setting.value.split(",")):
                known = name in (usual or "").split(",") or is_in_image(config, name)
                if "." in name and not known and exists(name, config.version) is None:
                    yield key, f"{name} has to be on the class path"


def names_classes(config: Config, key: str) -> bool:
    """Whether the value of a key names classes that a start loads."""
    definition = config.definition(key)
    if definition is None:
        return False
    bare = definition.name
    if bare.startswith("remote.log.") and text(config, TIERED).lower() != "true":
        return False
    if bare in CLASS_LISTS or definition.type == "class":
        return True
    return bare.endswith(CLASS_ENDINGS) and bare not in NOT_LOADED and definition.type == "string"


def provided_files(config: Config) -> Iterator[Requirement]:
    """The files that FileConfigProvider reads, without which Kafka makes no configuration."""
    declared = config.settings.get(PROVIDERS)
    if declared is None:
        return
    classes = {name: config.settings.get(f"{PROVIDERS}.{name.strip()}.class") for name in declared.value.split(",")}
    of_files = {name.strip() for name, each in classes.items() if each and each.value.strip().endswith(OF_FILES)}
    for key, setting in config.settings.items() if of_files else ():
        if setting.provider in of_files:
            yield key, f"the file that the provider {setting.provider} reads has to be there and readable"


def of_worker(config: Config) -> Iterator[Requirement]:
    """The key size of a Connect worker's internal request signing, where only the JVM knows the algorithm."""
    algorithm = text(config, "inter.worker.key.generation.algorithm") or "HmacSHA256"
    if text(config, "inter.worker.key.size") and not algorithm.upper().startswith("HMACSHA"):
        yield "inter.worker.key.size", f"the JVM has to take this length for {algorithm}"


def of_client(config: Config) -> Iterator[Requirement]:
    """What a client looks up when it is created: host names, logins, key stores."""
    for key in BOOTSTRAP:
        entries = (entry.strip().rpartition("://")[2] for entry in addresses(config, key).split(","))
        hosts = [entry.rpartition(":")[0].strip("[]") for entry in entries]
        if any(host and not is_address(host) for host in hosts):
            yield key, "its host names have to be resolvable where the client runs"
    protocol = text(config, "security.protocol").upper()
    if protocol in SASL and not text(config, JAAS):
        yield JAAS, "not in the file: the login has to come from the JVM's java.security.auth.login.config"
    if protocol in SASL:
        yield from foreign_login(config)
        yield from allowed_urls(config)
    if protocol in TLS:
        yield from key_stores(config)
        yield from of_java(config)


def allowed_urls(config: Config) -> Iterator[Requirement]:
    """The URLs of OAuth that a property of the JVM has to allow."""
    for key in config.settings if config.version >= ALLOWS_NO_URL else ():
        if key.endswith(OAUTH_URLS) and text(config, key):
            yield key, "the JVM has to allow the URL: -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=URL"


def foreign_login(config: Config) -> Iterator[Requirement]:
    """Third-party login modules; what stands in a line that is no JAAS line may be a password."""
    setting = config.settings.get(JAAS)
    for module in setting.jaas.modules if setting and setting.jaas and not setting.jaas.problem else ():
        if not module.startswith("org.apache.kafka.common.security."):
            yield JAAS, f"{module} has to log in while the client is created"


def key_stores(config: Config) -> Iterator[Requirement]:
    """Key stores and trust stores that have to exist and be readable."""
    for key in STORES:
        if is_written(config, key):
            yield key, f"{text(config, key) or 'the store'} has to be there and readable"
    yield from certificates(config)


def listener_protocols(config: Config) -> dict[str, str]:
    """The protocol of each name in the protocol map, upper case."""
    return dict(protocols_of(text(config, "listener.security.protocol.map")))


def has_tls_listener(config: Config) -> bool:
    """Whether a node listens with TLS."""
    mapped = listener_protocols(config)
    return any(mapped.get(name, name) in TLS for name in listener_names(config))


def listener_names(config: Config) -> tuple[str, ...]:
    """The names of a node's listeners, upper case."""
    return names_of_list(addresses(config, "listeners"))


@cached_if_long
def names_of_list(text: str) -> tuple[str, ...]:
    """The names in a list of listeners, upper case."""
    return tuple(entry.strip().partition("://")[0] for entry in text.upper().split(",") if "://" in entry)


def certificates(config: Config) -> Iterator[Requirement]:
    """Certificates in the file itself."""
    for key in PEM:
        if is_written(config, key):
            yield key, "the certificates have to be well formed"


def of_java(config: Config) -> Iterator[Requirement]:
    """Algorithm and provider names that the JVM's security providers have to know."""
    for key, names in JAVA.items():
        if is_written(config, key) and text(config, key).upper() not in names:
            yield key, f"the JVM has to know {text(config, key) or 'the empty name'}"


def is_address(host: str) -> bool:
    """Whether a host is an IP address or localhost, which need no name service."""
    numbers = host.split(".")
    four = len(numbers) == 4 and all(is_whole_number(number) and int(number) < 256 for number in numbers)
    return four or ":" in host or host == "localhost"


def of_listeners(config: Config) -> Iterator[Requirement]:
    """A key store for TLS between brokers, which may come from a plug-in, and logins, which may come from the JVM's file."""
    name = (text(config, "inter.broker.listener.name") or text(config, "security.inter.broker.protocol")).upper()
    mapped = listener_protocols(config)
    if has_tls_listener(config):
        yield from certificates(config)
        yield from of_java(config)
    if mapped.get(name, name) in TLS and not any(key.endswith(CERTIFICATES) for key in config.settings):
        yield "ssl.keystore.location", "not in the file: a TLS listener has no certificate without a key store"
    yield from allowed_urls(config)
    with_login = prefixes_with_login(config)
    for listener in listener_names(config):
        if mapped.get(listener, listener) in SASL and f"listener.name.{listener.lower()}." not in with_login:
            yield (
                JAAS,
                f"not in the file for {listener}: the login has to come from the JVM's java.security.auth.login.config",
            )


def prefixes_with_login(config: Config) -> set[str]:
    """What the keys of JAAS lines begin with: listener.name.NAME., in which a name may hold a dot or two."""
    logins = (key.split(".", MOST_DOTS) for key in config.settings if key.endswith(JAAS))
    return {".".join(parts[:count]) + "." for parts in logins for count in range(3, MOST_DOTS + 1)}
