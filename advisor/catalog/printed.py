"""Reads what Kafka prints as *Valid Values* into constants; used when the modules are generated, never at run time."""

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
REALLY: tuple[tuple[tuple[str, ...], str, Version, Version, Valid], ...] = (
    (("broker",), "process.roles", (4, 2), FOR_EVER, ("in_nonempty", ("broker", "controller"))),
    (("broker",), "controller.quorum.voters", SINCE_EVER, FOR_EVER, ("voters",)),
    (("broker",), "controller.quorum.bootstrap.servers", SINCE_EVER, FOR_EVER, ("endpoints",)),
    (("broker",), REBALANCE, (3, 7), (3, 8), ("in", ("consumer", "classic", "unknown"))),
    (("broker",), REBALANCE, (3, 9), (3, 9), ("in", ("consumer", "classic", "share", "unknown"))),
    (("broker",), "max.connections.per.ip.overrides", SINCE_EVER, FOR_EVER, ("host_numbers",)),
    (("broker",), "offsets.topic.compression.codec", SINCE_EVER, FOR_EVER, ("range", 0, 4)),
    (("topic",), "local.retention.ms", SINCE_EVER, (3, 5), ("range", -2, None)),
    (("topic",), "local.retention.bytes", SINCE_EVER, (3, 5), ("range", -2, None)),
    (("consumer",), "share.acquire.mode", SINCE_EVER, FOR_EVER, ("in_ci", ("batch_optimized", "record_limit"))),
    (("consumer",), "group.instance.id", SINCE_EVER, FOR_EVER, ("nonempty",)),
    (("producer",), "compression.type", SINCE_EVER, (2, 0), ("in", ("none", "gzip", "snappy", "lz4"))),
    (("producer",), "compression.type", (2, 1), FOR_EVER, ("in", ("none", "gzip", "snappy", "lz4", "zstd"))),
    (CLIENTS, "security.protocol", SINCE_EVER, (3, 2), ("in_ci", PROTOCOLS)),
    (("admin",), "bootstrap.servers", (3, 7), FOR_EVER, ("endpoints",)),
    (CLIENTS, "bootstrap.servers", SINCE_EVER, FOR_EVER, ("bootstrap",)),
    (WORKERS, "admin.listeners", (2, 4), (4, 1), ("urls_or_empty",)),
)

# KIP-1161: since 4.2 these refuse an empty entry in any list, whatever they print.
CHECKED_LISTS = ("broker", "producer", "consumer", "admin")
KIP_1161 = (4, 2)


def valid(component: str, version: Version, key: str, kind: str, text: str | None) -> Valid:
    """The check that Kafka really makes, as a constant."""
    for owners, name, first, last, real in REALLY:
        if name == key and component in owners and first <= version <= last:
            return real
    if kind == "list" and text is None and version >= KIP_1161 and component in CHECKED_LISTS:
        return ("entries",)
    return None if text is None else _sentence(text)


def _sentence(text: str) -> Valid:
    if text in SENTENCES:
        return SENTENCES[text]
    if match := RANGE.fullmatch(text):
        low, high, extra = (_number(part) for part in match.groups())
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
    if any(part in entry["name"] for part in LIBRDKAFKA_SECRETS):
        kind = "password"
    return kind, entry["default"], False, check, entry["importance"], entry["scope"]


def _librdkafka_valid(kind: str, text: str) -> Valid:
    if kind == "boolean":
        return ("flag",)
    if not text:
        return None
    if " .. " in text:
        low, high = (_number(part.strip()) for part in text.split(" .. "))
        return ("range", low, high)
    return ("in_ci", tuple(text.split(", ")))
