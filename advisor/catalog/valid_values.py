"""Parse the *Valid Values* that Kafka documents into constants; used by the build, never at run time."""

from __future__ import annotations

import re
from typing import Any

Valid = tuple[Any, ...] | None
Version = tuple[int, int]
RANGE = re.compile(r"\[(-?[\d.]+),\.\.\.(?:,(-?[\d.]+))?\](?: or (-?\d+))?")
CHOICE = re.compile(r"(\(case insensitive\) )?\[(.*)\]")
DURATION = "by_duration:PnDTnHnMn.nS"
ALONE = ("all", "none")
POSITIVE_OR_DEFAULT = ("range_or", 1, None, -1)
HASHES = ("MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512", "SHA512/224", "SHA512/256")
SHA3 = ("SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512")
KEY_GENERATORS = (
    "AES",
    "ARCFOUR",
    "Blowfish",
    "ChaCha20",
    "DES",
    "DESede",
    "RC2",
    *(f"Hmac{name}" for name in HASHES + SHA3),
)
MACS = (
    *(f"Hmac{name}" for name in HASHES + SHA3),
    *(f"PBEWithHmac{name}" for name in HASHES[1:6]),
    *(f"HmacPBE{name}" for name in HASHES[1:]),
)
# What every JDK from 17 on brings.

SENTENCES: dict[str, Valid] = {
    "non-null string": None,
    "non-empty string": ("nonempty",),
    "non-empty string without ISO control characters": ("nonempty_no_control",),
    "org.apache.kafka.common.config.ConfigDef$NonEmptyStringWithoutControlChars": ("nonempty_no_control",),
    "non-empty list": ("nonempty_list",),
    "non-null string, unique predicate aliases": ("unique",),
    "non-null string, unique topic creation groups": ("unique",),
    "non-null string, unique transformation aliases": ("unique",),
    "org.apache.kafka.common.config.ConfigDef$CompositeValidator": ("unique",),
    "List containing maximum of 5 elements": ("at_most_entries", 5),
    "List of comma-separated URLs, ex: http://localhost:8080,https://localhost:8443.": ("urls",),
    "org.apache.kafka.connect.runtime.WorkerConfig$AdminListenersValidator": ("urls_or_empty",),
    "Any KeyGenerator algorithm supported by the worker JVM": ("in_ci", KEY_GENERATORS),
    "Any MAC algorithm supported by the worker JVM": ("in_ci", MACS),
    "A list of one or more MAC algorithms, each supported by the worker JVM": ("in_ci_nonempty", MACS),
    "Comma-separated header rules, where each header rule is of the form '[action] [header name]:[header value]' and"
    " optionally surrounded by double quotes if any part of a header rule contains a comma": ("header_rules",),
    "[partitionId],[brokerId]:[partitionId],[brokerId]:...": ("throttled_replicas",),
    "[partitionId]:[brokerId],[partitionId]:[brokerId],...": ("throttled_replicas",),
    "Positive number, or -1 to use the broker's default": POSITIVE_OR_DEFAULT,
    "Positive number not larger than the number of brokers in the Kafka cluster, or -1 to use the broker's default": (
        POSITIVE_OR_DEFAULT
    ),
    "The default value of -1 means that this will be set to the configured value of"
    " remote.log.manager.thread.pool.size, if available; otherwise, it defaults to 10.": POSITIVE_OR_DEFAULT,
}
SINCE_EVER, FOR_EVER = (0, 0), (99, 0)
REBALANCE = "group.coordinator.rebalance.protocols"

# Where Kafka does not do what it prints, or checks what it does not print: (components, key, first and last version,
# what it does). Each is seen in catalog/start-refusals.jsonl or, where it says so, read in the source.
# process.roles, from 4.2: an empty list is refused.
# controller.quorum.*: an empty list passes and each entry is parsed; that one of both is missing is a later check.
# group.coordinator.rebalance.protocols, to 3.9: the enum has a member UNKNOWN that is not printed.
# share.acquire.mode: ShareAcquireMode.of ignores case [source].
# admin.listeners: may be empty, which switches the admin endpoints off [source].
# bootstrap.servers, compression.type, security.protocol, group.instance.id: the constructor of the client refuses.
# offsets.topic.compression.codec: the id of a codec, 0 to 4.
CLIENTS = ("producer", "consumer", "admin")
WORKERS = ("connect", "connect-worker", "connect-standalone", "mirror-maker")
PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
# Keys that no documentation holds, so that nothing is printed of them; seen in the ConfigDefs of 2.8 to 4.4.
POSITIVE: Valid = ("range", 1, None)
NOT_NEGATIVE: Valid = ("range", 0, None)
UNPRINTED: dict[str, Valid] = {
    "share.coordinator.snapshot.update.records.per.snapshot": ("range", 0, 500),
    "metadata.log.segment.min.bytes": ("range", 12, None),
    "remote.log.manager.task.retry.backoff.ms": POSITIVE,
    "remote.log.manager.task.retry.backoff.max.ms": POSITIVE,
    "remote.log.manager.task.retry.jitter": ("range", 0, 0.5),
    "remote.log.index.file.cache.ttl.ms": ("range", -1, None),
    "server.max.startup.time.ms": NOT_NEGATIVE,
    "zookeeper.metadata.migration.min.batch.size": POSITIVE,
    "unclean.leader.election.interval.ms": POSITIVE,
    "log.initial.task.delay.ms": NOT_NEGATIVE,
    "producer.id.expiration.check.interval.ms": POSITIVE,
    "controller.performance.sample.period.ms": ("range", 100, None),
    "controller.performance.always.log.threshold.ms": NOT_NEGATIVE,
    "share.coordinator.state.topic.prune.interval.ms": POSITIVE,
    "share.coordinator.cold.partition.snapshot.interval.ms": POSITIVE,
    "group.consumer.regex.refresh.interval.ms": ("range", 10_000, None),
    "group.share.initialize.retry.interval.ms": POSITIVE,
    "group.streams.task.offset.interval.ms": POSITIVE,
    "group.streams.min.task.offset.interval.ms": POSITIVE,
    "group.streams.num.warmup.replicas": NOT_NEGATIVE,
    "group.streams.max.warmup.replicas": NOT_NEGATIVE,
    "group.streams.acceptable.recovery.lag": NOT_NEGATIVE,
}
EARLY_REMOTE_TEXTS = (
    "remote.log.storage.manager.impl.prefix",
    "remote.log.storage.manager.class.name",
    "remote.log.storage.manager.class.path",
    "remote.log.metadata.manager.impl.prefix",
    "remote.log.metadata.manager.class.name",
    "remote.log.metadata.manager.class.path",
    "remote.log.metadata.manager.listener.name",
)
EARLY_REMOTE_NUMBERS = (
    "remote.log.index.file.cache.total.size.bytes",
    "remote.log.manager.thread.pool.size",
    "remote.log.manager.task.interval.ms",
    "remote.log.reader.threads",
    "remote.log.reader.max.pending.tasks",
)
REALLY: tuple[tuple[tuple[str, ...], str, Version, Version, Valid], ...] = (
    (("broker",), "process.roles", (4, 2), FOR_EVER, ("in_nonempty", ("broker", "controller"))),
    (("broker",), "controller.quorum.voters", SINCE_EVER, (3, 9), ("voters", True)),
    (("broker",), "controller.quorum.voters", (4, 0), FOR_EVER, ("voters",)),
    (("broker",), "controller.quorum.bootstrap.servers", SINCE_EVER, (3, 9), ("endpoints", True)),
    (("broker",), "controller.quorum.bootstrap.servers", (4, 0), FOR_EVER, ("endpoints",)),
    (("broker",), REBALANCE, (3, 7), (3, 8), ("in", ("consumer", "classic", "unknown"))),
    (("broker",), REBALANCE, (3, 9), (3, 9), ("in", ("consumer", "classic", "share", "unknown"))),
    (("broker",), "max.connections.per.ip.overrides", SINCE_EVER, FOR_EVER, ("host_numbers",)),
    (("broker",), "offsets.topic.compression.codec", SINCE_EVER, FOR_EVER, ("range", 0, 4)),
    (("topic",), "local.retention.ms", SINCE_EVER, (3, 5), ("range", -2, None)),
    (("topic",), "local.retention.bytes", SINCE_EVER, (3, 5), ("range", -2, None)),
    (("consumer",), "share.acquire.mode", SINCE_EVER, FOR_EVER, ("in_ci", ("batch_optimized", "record_limit"))),
    (("producer",), "compression.type", SINCE_EVER, (2, 0), ("in", ("none", "gzip", "snappy", "lz4"))),
    (("producer",), "compression.type", (2, 1), FOR_EVER, ("in", ("none", "gzip", "snappy", "lz4", "zstd"))),
    (CLIENTS, "security.protocol", SINCE_EVER, (3, 2), ("in_ci", PROTOCOLS)),
    (("consumer",), "group.instance.id", SINCE_EVER, FOR_EVER, ("resource_name",)),
    *((("admin",), name, (3, 7), (3, 9), ("endpoints", True)) for name in ("bootstrap.servers", "bootstrap.controllers")),
    *((("admin",), name, (4, 0), FOR_EVER, ("endpoints",)) for name in ("bootstrap.servers", "bootstrap.controllers")),
    (("connect", "connect-standalone"), "plugin.path", (4, 4), FOR_EVER, ("nonempty_list",)),
    (CLIENTS, "bootstrap.servers", SINCE_EVER, (3, 9), ("bootstrap", True)),
    (CLIENTS, "bootstrap.servers", (4, 0), (4, 1), ("bootstrap",)),
    (CLIENTS, "bootstrap.servers", (4, 2), FOR_EVER, ("bootstrap", False, False)),
    (WORKERS, "admin.listeners", (2, 4), (4, 1), ("urls_or_empty",)),
    (WORKERS, "admin.listeners", (4, 2), FOR_EVER, ("entries",)),
    (WORKERS, "connect.protocol", SINCE_EVER, FOR_EVER, ("in_ci", ("eager", "compatible", "sessioned"))),
    (("connect", "connect-standalone", "streams"), "bootstrap.servers", (4, 4), FOR_EVER, ("nonempty_list",)),
    (("producer",), "buffer.memory.allocation.strategy", SINCE_EVER, FOR_EVER, ("in_ci", ("full", "incremental"))),
    (("broker",), "process.roles", SINCE_EVER, (2, 8), ("in", ("broker", "controller"))),
    (("broker",), "compression.type", SINCE_EVER, (2, 0), ("in_ci", ("uncompressed", "snappy", "lz4", "gzip", "producer"))),
    (("broker",), "compression.type", (2, 1), (3, 2), ("in_ci", ("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"))),
    (("broker",), "group.streams.rack.aware.assignment.tags", SINCE_EVER, FOR_EVER, ("unique_entries",)),
    *(
        (("broker", "remote-log-manager"), f"remote.log.manager.{name}.thread.pool.size", (3, 8), (3, 8), ("range", 1, None))
        for name in ("copier", "expiration")
    ),
    (("broker",), "log.roll.ms", SINCE_EVER, FOR_EVER, ("range", 1, None)),
    (("broker",), "log.roll.jitter.ms", SINCE_EVER, FOR_EVER, ("range", 0, None)),
    (("broker",), "share.coordinator.state.topic.compression.codec", SINCE_EVER, FOR_EVER, ("range", 0, 4)),
    (("broker",), "group.consumer.migration.policy", SINCE_EVER, FOR_EVER,
     ("in_ci", ("disabled", "downgrade", "upgrade", "bidirectional"))),
    *((("broker", "remote-log-manager"), name, SINCE_EVER, FOR_EVER, check) for name, check in UNPRINTED.items()),
    *((("broker",), name, SINCE_EVER, (3, 5), ("nonempty",)) for name in EARLY_REMOTE_TEXTS),
    *((("broker",), name, SINCE_EVER, (3, 5), ("range", 1, None)) for name in EARLY_REMOTE_NUMBERS),
)  # fmt: skip

# KIP-1161: since 4.2 these refuse an empty entry in any list, whatever they print.
CHECKED_LISTS = ("broker", "producer", "consumer", "admin", "connect", "connect-standalone", "streams")
KIP_1161 = (4, 2)


def valid(component: str, version: Version, key: str, kind: str, text: str | None) -> Valid:
    """The check that Kafka really makes, as a constant."""
    for owners, name, first, last, real in REALLY:
        if name == key and component in owners and first <= version <= last:
            return real
    if kind == "list" and text is None and version >= KIP_1161 and component in CHECKED_LISTS:
        return ("entries",)
    check = None if text is None else _sentence(text)
    return (*check, version) if check and check[0] == "kafka_version" else check


def _sentence(text: str) -> Valid:
    if text in SENTENCES:
        return SENTENCES[text]
    if match := RANGE.fullmatch(text):
        low, high, extra = (_number(number) for number in match.groups())
        return ("range", low, high) if extra is None else ("range_or", low, high, extra)
    if match := CHOICE.fullmatch(text):
        return _choice(match[1] is not None, tuple(match[2].split(", ")))
    return ("text", text)


def _choice(any_case: bool, values: tuple[str, ...]) -> Valid:
    if DURATION in values:
        return ("in_or_duration", tuple(value for value in values if value != DURATION))
    if values[0] == "0.8.0":
        return ("kafka_version", values)
    if values[:2] == ALONE and len(values) > 2:
        return ("one_or_some", values[:2], values[2:])
    return ("in_ci" if any_case else "in", tuple(None if value == "null" else value for value in values))


def _number(text: str | None) -> int | float | None:
    if text is None:
        return None
    return float(text) if "." in text else int(text)


LIBRDKAFKA_TYPES = {
    "integer": "long",
    "boolean": "boolean",
    "float": "double",
    "enum value": "string",
    "CSV flags": "list",
    "pattern list": "list",
    "see dedicated API": "callback",
}
LIBRDKAFKA_SECRETS = ("password", "secret", "ssl.key.pem", "ssl.keystore.pem", "private.key.pem", "passphrase")
LIBRDKAFKA_ACKS = ("acks", "request.required.acks")


def librdkafka(entry: dict[str, Any]) -> tuple[object, ...]:
    """One librdkafka property as a definition; the scope stands where Kafka has the update mode."""
    kind = LIBRDKAFKA_TYPES.get(entry["type"], "string")
    check = _librdkafka_valid(kind, entry["range"])
    if entry["name"] in LIBRDKAFKA_ACKS:  # an integer that is also written "all"
        kind, check = "string", None
    if any(mark in entry["name"] for mark in LIBRDKAFKA_SECRETS):
        kind = "password"
    return kind, entry["default"], False, check, entry["importance"], entry["scope"]


def _librdkafka_valid(kind: str, text: str) -> Valid:
    if kind == "boolean":
        return ("flag",)
    if not text:
        return None
    if " .. " in text:
        low, high = (_number(number.strip()) for number in text.split(" .. "))
        return ("range", low, high)
    return ("in_ci", tuple(text.split(", ")))
