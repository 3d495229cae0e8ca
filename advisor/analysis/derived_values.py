"""Derived values: what Kafka itself uses instead of a setting or a default because of other settings."""

from __future__ import annotations

from advisor.facts import KRAFT, controller_listeners, inter_broker, mode, protocol_map, written
from advisor.model import CLIENT_KINDS, SERVER_KINDS
from advisor.rule.subject import NotApplicable, Subject, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from advisor.config import Config

    Derived = tuple[str, str, str]

GROUP, COMMIT = "group.id", "enable.auto.commit"
BACKOFF, LONGEST = "reconnect.backoff.ms", "reconnect.backoff.max.ms"
EXACTLY_ONCE = ("exactly_once", "exactly_once_beta", "exactly_once_v2")
DELIVERY, LINGER, REQUEST = "delivery.timeout.ms", "linger.ms", "request.timeout.ms"
STORED = ("config", "offset", "status")
INT = 2**31 - 1
EXACT = {
    "commit.interval.ms": "100",
    "producer.delivery.timeout.ms": str(INT),
    "producer.transaction.timeout.ms": "10000",
}
"""What Streams sets with exactly-once unless the file does."""
FIXED = {"producer.enable.idempotence": "true", "consumer.isolation.level": "read_committed"}
"""What it sets in any case."""


def derived_settings(config: Config) -> Iterator[Derived]:
    """(key, value, why) of every value that Kafka derives from other settings; unknown ones are left out."""
    if config.librdkafka:
        return
    subject = Subject(0, config, [])
    for derivation in DERIVATIONS.get(config.entity.kind, ()):
        try:
            yield from derivation(subject)
        except (Unknown, NotApplicable):
            continue


def of_listeners(node: Subject) -> Iterator[Derived]:
    """Values that a server derives from its listeners."""
    controllers = controller_listeners(node)
    if not written(node, "advertised.listeners") and node.is_set("listeners") and node.kind() != "controller":
        entries = [entry.strip() for entry in node.text("listeners").split(",")]
        advertised = [entry for entry in entries if entry.partition("://")[0].upper() not in controllers]
        yield "advertised.listeners", ",".join(advertised), "listeners, without those of controllers"
    key = "listener.security.protocol.map"
    if not node.is_set(key) and mode(node) == KRAFT:
        pairs = ",".join(f"{name}:{protocol}" for name, protocol in protocol_map(node))
        if pairs != node.text(key):
            yield key, pairs, "controllers' listeners are PLAINTEXT where nothing maps them"
    is_left_open = node.fragment() and not node.is_set("security.inter.broker.protocol")
    if node.kind() != "controller" and not written(node, "inter.broker.listener.name") and not is_left_open:
        yield "inter.broker.listener.name", inter_broker(node)[0], "security.inter.broker.protocol"


def of_controller_listeners(node: Subject) -> Iterator[Derived]:
    """The controller listener that a broker uses: the first of controller.listener.names."""
    names = controller_listeners(node)
    if mode(node) == KRAFT and len(names) > 1:
        yield "controller.listener.names", names[0], "a broker uses the first"


def of_log_dirs(node: Subject) -> Iterator[Derived]:
    """The metadata.log.dir that a KRaft server uses: the first of log.dirs."""
    if mode(node) == KRAFT and not written(node, "metadata.log.dir"):
        is_left_open = node.fragment() and not any(node.is_set(key) for key in ("log.dirs", "log.dir"))
        directories = node.list("log.dirs")
        if directories and not is_left_open:
            yield "metadata.log.dir", directories[0], "the first of log.dirs"


def of_group(consumer: Subject) -> Iterator[Derived]:
    """enable.auto.commit of a consumer without a group.id: false."""
    if not (consumer.is_set(GROUP) or consumer.is_set(COMMIT)):
        yield COMMIT, "false", "there is no group.id"


def of_reconnect_backoff(client: Subject) -> Iterator[Derived]:
    """reconnect.backoff.max.ms of a client that sets only reconnect.backoff.ms."""
    if client.is_set(BACKOFF) and not client.is_set(LONGEST):
        yield LONGEST, str(client.int(BACKOFF)), f"follows {BACKOFF}"


def of_idempotence(producer: Subject) -> Iterator[Derived]:
    """enable.idempotence of a producer, where another setting switches it on or off."""
    key = "enable.idempotence"
    if producer.is_set(key):
        return
    if producer.version() < (3, 0):
        if producer.is_set("transactional.id"):
            yield key, "true", "transactional.id"
    elif producer.str("acks") not in ("all", "-1"):
        yield key, "false", f"acks={producer.str('acks')} rules it out"
    elif producer.int("retries") == 0:
        yield key, "false", "retries=0 rules it out"
    elif producer.int("max.in.flight.requests.per.connection") > 5 and producer.version() < (4, 0):
        yield key, "false", "more than 5 requests in flight rule it out"


def of_delivery(producer: Subject) -> Iterator[Derived]:
    """delivery.timeout.ms of a producer, raised where linger.ms and request.timeout.ms need more."""
    if producer.version() >= (2, 1) and not producer.is_set(DELIVERY):
        least = min(min(producer.int(LINGER), INT) + producer.int(REQUEST), INT)
        if producer.int(DELIVERY) < least:
            yield DELIVERY, str(least), f"raised to {LINGER} + {REQUEST}"


def of_exactly_once(streams: Subject) -> Iterator[Derived]:
    """Settings that Kafka Streams overrides, with exactly-once and always."""
    yield "consumer.enable.auto.commit", "false", "Streams commits itself"
    if streams.str("processing.guarantee") in EXACTLY_ONCE:
        keys = streams.keys()
        for key, value in EXACT.items():
            if key not in keys and key.removeprefix("producer.") not in keys:
                yield key, value, "exactly-once"
        for key, value in FIXED.items():
            yield key, value, "exactly-once"


def of_storage(connect: Subject) -> Iterator[Derived]:
    """Internal topic settings that a Connect worker does not take from its file."""
    keys = connect.keys()
    if "config.storage.partitions" in keys:
        yield "config.storage.partitions", "1", "always"
    for key in (f"{name}.storage.cleanup.policy" for name in STORED):
        if key in keys:
            yield key, "compact", "always"


DERIVATIONS: dict[str, tuple[Callable[[Subject], Iterator[Derived]], ...]] = {
    **dict.fromkeys(SERVER_KINDS, (of_listeners, of_log_dirs)),
    **dict.fromkeys(CLIENT_KINDS, (of_reconnect_backoff,)),
    "broker": (of_listeners, of_controller_listeners, of_log_dirs),
    "consumer": (of_group, of_reconnect_backoff),
    "producer": (of_reconnect_backoff, of_idempotence, of_delivery),
    "streams": (of_exactly_once,),
    "connect": (of_storage,),
}
"""What is derived, by the kind of an entity."""
