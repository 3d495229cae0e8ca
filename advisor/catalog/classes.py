"""Kafka's own classes by the interface that a key asks for; seen in the jars of 2.8 to 4.4.

A class that did not exist all the time stands with (last release seen without it before, first seen without it after).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Version = tuple[int, int]
    Span = tuple[Version | None, Version | None]

OWN = ("org.apache.kafka.", "kafka.", "java.")
"""How the names of classes begin that everybody has who has Kafka."""
SHORT_NAMES = ("range", "roundrobin", "sticky", "cooperative-sticky", "cooperative_sticky", "uniform")
"""Assignors as other clients and newer groups call them, which the Java client takes for names of classes."""
SEEN = ((2, 8), (3, 0), (3, 1), (3, 2), (3, 3), (3, 9), (4, 0), (4, 1), (4, 3), (4, 4))
COMMON = "org.apache.kafka.common.serialization."
TYPES = ("ByteArray", "ByteBuffer", "Bytes", "Double", "Float", "Integer", "Long", "Short", "String", "UUID", "Void")
ALWAYS: Span = (None, None)


def _of(prefix: str, *names: str) -> dict[str, Span]:
    return {prefix + name: ALWAYS for name in names}


def _serializers(kind: str) -> dict[str, Span]:
    return {
        **_of(COMMON, *(name + kind for name in TYPES)),
        COMMON + "List" + kind: ((2, 8), None),
        COMMON + "Boolean" + kind: ((3, 3), None),
        **_of("org.apache.kafka.connect.json.", "Json" + kind),
        **_of("org.apache.kafka.streams.kstream.", "SessionWindowed" + kind, "TimeWindowed" + kind),
    }


CLASSES: dict[str, dict[str, Span]] = {
    "Serializer": _serializers("Serializer"),
    "Deserializer": _serializers("Deserializer"),
    "Partitioner": {
        "org.apache.kafka.clients.producer.RoundRobinPartitioner": ALWAYS,
        "org.apache.kafka.clients.producer.UniformStickyPartitioner": (None, (4, 0)),
        "org.apache.kafka.clients.producer.internals.DefaultPartitioner": (None, (4, 0)),
    },
    "ConsumerPartitionAssignor": {
        **_of(
            "org.apache.kafka.clients.consumer.",
            *("RangeAssignor", "RoundRobinAssignor", "StickyAssignor", "CooperativeStickyAssignor"),
        ),
        "org.apache.kafka.streams.processor.internals.StreamsPartitionAssignor": ALWAYS,
    },
    "MetricsReporter": {
        "org.apache.kafka.common.metrics.JmxReporter": ALWAYS,
        "org.apache.kafka.tools.PushHttpMetricsReporter": (None, (3, 9)),
    },
    "Authorizer": {
        "kafka.security.auth.SimpleAclAuthorizer": (None, (3, 0)),
        "kafka.security.authorizer.AclAuthorizer": (None, (4, 0)),
        "org.apache.kafka.metadata.authorizer.StandardAuthorizer": ((3, 1), None),
    },
    "KafkaPrincipalBuilder": {
        "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder": ALWAYS,
    },
    "ProducerInterceptor": {},
    "ConsumerInterceptor": {},
}
OTHERS: dict[str, Span] = {
    **_of(COMMON, *("Serializer", "Deserializer", "Serde", "Serdes", "Serdes$WrapperSerde")),
    **_of(COMMON + "Serdes$", *(name + "Serde" for name in TYPES)),
    COMMON + "Serdes$ListSerde": ((2, 8), None),
    COMMON + "Serdes$BooleanSerde": ((3, 3), None),
    **_of(
        "org.apache.kafka.connect.converters.",
        *(name + "Converter" for name in ("ByteArray", "Double", "Float", "Integer", "Long", "Short", "Number")),
    ),
    "org.apache.kafka.connect.converters.BooleanConverter": ((3, 3), None),
    **_of("org.apache.kafka.connect.json.", "JsonConverter", "JsonConverterConfig", "DecimalFormat", "JsonSchema"),
    **_of("org.apache.kafka.connect.storage.", "StringConverter", "SimpleHeaderConverter"),
    **_of(
        "org.apache.kafka.streams.errors.",
        *("LogAndContinueExceptionHandler", "LogAndFailExceptionHandler", "DefaultProductionExceptionHandler"),
    ),
    "org.apache.kafka.streams.errors.LogAndContinueProcessingExceptionHandler": ((3, 3), None),
    "org.apache.kafka.streams.errors.LogAndFailProcessingExceptionHandler": ((3, 3), None),
    **_of(
        "org.apache.kafka.streams.processor.",
        *("FailOnInvalidTimestamp", "LogAndSkipOnInvalidTimestamp", "UsePartitionTimeOnInvalidTimestamp"),
        "WallclockTimestampExtractor",
    ),
    "org.apache.kafka.streams.processor.UsePreviousTimeOnInvalidTimestamp": (None, (3, 0)),
    **_of("org.apache.kafka.streams.kstream.WindowedSerdes$", "TimeWindowedSerde", "SessionWindowedSerde"),
    "org.apache.kafka.common.replica.RackAwareReplicaSelector": ALWAYS,
    "org.apache.kafka.common.security.ssl.DefaultSslEngineFactory": ALWAYS,
    "org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager": ((3, 3), None),
    "org.apache.kafka.server.log.remote.storage.NoOpRemoteStorageManager": ALWAYS,
    "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler": ((3, 3), None),
    "org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler": ((3, 3), None),
    "org.apache.kafka.common.security.oauthbearer.secured.OAuthBearerLoginCallbackHandler": ((3, 0), (4, 0)),
    "org.apache.kafka.common.security.oauthbearer.secured.OAuthBearerValidatorCallbackHandler": ((3, 0), (4, 0)),
    **_of("org.apache.kafka.coordinator.group.assignor.", "RangeAssignor", "UniformAssignor", "SimpleAssignor"),
}
"""Further classes that configurations name."""
WHOLE = (COMMON, "org.apache.kafka.connect.converters.", "org.apache.kafka.connect.json.")
"""Packages of which every class is listed here."""
ROLES = {
    "key.serializer": "Serializer",
    "value.serializer": "Serializer",
    "key.deserializer": "Deserializer",
    "value.deserializer": "Deserializer",
    "partitioner.class": "Partitioner",
    "partition.assignment.strategy": "ConsumerPartitionAssignor",
    "metric.reporters": "MetricsReporter",
    "authorizer.class.name": "Authorizer",
    "principal.builder.class": "KafkaPrincipalBuilder",
}
"""The interface of what a key names, where the start makes an object of it."""


def fits(role: str, name: str, version: Version) -> bool | None:
    """Whether a class of Kafka's own implements the role in a release; None between two that were seen."""
    span = CLASSES[role].get(name)
    return False if span is None else _within(span, version)


def _within(span: Span, version: Version) -> bool | None:
    before, after = span
    if (before and version <= before) or (after and version >= after):
        return False
    first = SEEN[SEEN.index(before) + 1] if before else version
    last = SEEN[SEEN.index(after) - 1] if after else version
    return True if first <= version <= last else None


def exists(name: str, version: Version) -> bool | None:
    """Whether a release has the class; None where that release's jars were not looked at."""
    if not name.startswith(OWN):
        return None
    spans = (table[name] for table in (*CLASSES.values(), OTHERS) if name in table)
    span = next(spans, None)
    if span is None:
        return False if name.startswith(WHOLE) else True if name.startswith("java.lang.") else None
    return _within(span, version)


def may_have_no_package(name: str) -> bool:
    """Whether the text is written as a class of the default package, and is no class of Kafka's without its package."""
    if not (name.isidentifier() and name[:1].isupper()):
        return False
    classes = (each for table in (*CLASSES.values(), OTHERS) for each in table)
    return all(each.replace("$", ".").rpartition(".")[2] != name for each in classes)


def is_class_name(name: str) -> bool:
    """Whether the text can be a fully qualified class name."""
    return "." in name and all(word.isidentifier() for word in name.replace("$", "_").split("."))
