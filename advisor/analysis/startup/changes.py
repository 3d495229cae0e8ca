"""Values that Kafka replaces while it starts: defaults that follow other settings, and settings that it ignores."""

from __future__ import annotations

from advisor.analysis.startup.values import is_set, is_written, number, text
from advisor.analysis.startup.verdict import replaced
from advisor.catalog.java import LIMITS
from advisor.model import CLIENT_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.config import Config
    from advisor.model.finding import Finding

GROUP, COMMIT = "group.id", "enable.auto.commit"
DELIVERY, LINGER, REQUEST, API = "delivery.timeout.ms", "linger.ms", "request.timeout.ms", "default.api.timeout.ms"
FIRST, LONGEST = "reconnect.backoff.ms", "reconnect.backoff.max.ms"
SERVES = ("broker", "combined")
GROWING = (
    ("retry.backoff.ms", "retry.backoff.max.ms"),
    ("socket.connection.setup.timeout.ms", "socket.connection.setup.timeout.max.ms"),
)
IDEMPOTENCE, TRANSACTIONAL, IDEMPOTENT_BY_DEFAULT = "enable.idempotence", "transactional.id", (3, 0)
STATIC_SINCE = (3, 7)
"""KIP-580."""
OLD_CACHE, NEW_CACHE = "cache.max.bytes.buffering", "statestore.cache.max.bytes"
MESSAGE_FORMAT, PROTOCOL = "log.message.format.version", "inter.broker.protocol.version"
MESSAGE_FORMAT_USED, MESSAGE_FORMAT_IGNORED = "3.0-IV1", (3, 0)
"""What a broker goes on with, and the first inter.broker.protocol.version with which it ignores the message format."""
INTERVAL, GUARANTEE, EXACTLY_ONCE_INTERVAL = "commit.interval.ms", "processing.guarantee", "100"


def changed_settings(config: Config) -> Iterator[Finding]:
    """A finding for each value that is replaced without a rule's objection."""
    if config.librdkafka:
        return
    yield from reconnect_backoff_max(config)
    yield from static_backoff(config)
    kind = config.entity.kind
    if kind == "consumer":
        yield from autocommit_without_group(config)
    elif kind == "producer":
        yield from delivery_timeout(config)
        yield from idempotence_of_transactions(config)
    elif kind == "admin":
        yield from api_timeout(config)
    elif kind == "streams":
        yield from commit_interval(config)
        yield from cache_size(config)
    elif kind in SERVES:
        yield from message_format(config)


def autocommit_without_group(config: Config) -> Iterator[Finding]:
    """enable.auto.commit is off because there is no group.id."""
    if config.version >= (2, 2) and not is_set(config, GROUP) and not is_set(config, COMMIT):
        yield replaced(COMMIT, "counts as false: there is no group.id", used="false")


def reconnect_backoff_max(config: Config) -> Iterator[Finding]:
    """reconnect.backoff.max.ms follows reconnect.backoff.ms."""
    clients = (*CLIENT_KINDS, "connect", "streams")
    if config.entity.kind in clients and is_written(config, FIRST) and not is_written(config, LONGEST):
        used = text(config, FIRST)
        if number(config, FIRST) is not None:
            yield replaced(LONGEST, f"becomes {used}, as {FIRST}: the pause does not grow", used=used)


def idempotence_of_transactions(config: Config) -> Iterator[Finding]:
    """A transactional producer is idempotent, where idempotence is off by default."""
    if (
        config.version < IDEMPOTENT_BY_DEFAULT
        and is_written(config, TRANSACTIONAL)
        and not is_written(config, IDEMPOTENCE)
    ):
        yield replaced(IDEMPOTENCE, f"becomes true: {TRANSACTIONAL} is set", used="true")


def static_backoff(config: Config) -> Iterator[Finding]:
    """A pause or timeout that is to grow starts at its maximum, where that is smaller."""
    if config.entity.kind not in (*CLIENT_KINDS, "connect") or config.version < STATIC_SINCE:
        return
    for key, most in GROWING:
        if key not in config.settings and most not in config.settings:
            continue
        first, longest = number(config, key), number(config, most)
        if first is not None and longest is not None and first > longest:
            yield replaced(key, f"{longest} instead of {first}: {most} is smaller", used=str(longest))


def cache_size(config: Config) -> Iterator[Finding]:
    """The older name of the size of the caches does nothing beside the newer one."""
    both = is_written(config, OLD_CACHE) and is_written(config, NEW_CACHE)
    if both and number(config, OLD_CACHE) != number(config, NEW_CACHE) and config.definition(NEW_CACHE):
        yield replaced(OLD_CACHE, f"ignored: {NEW_CACHE} is set")


def delivery_timeout(config: Config) -> Iterator[Finding]:
    """delivery.timeout.ms is raised to linger.ms + request.timeout.ms, where it is a default."""
    if is_written(config, DELIVERY) or config.settings.keys().isdisjoint((LINGER, REQUEST)):
        return
    delivery, linger, request = (number(config, key) for key in (DELIVERY, LINGER, REQUEST))
    if delivery is None or linger is None or request is None:
        return
    longest = LIMITS["int"][1]
    least = min(min(linger, longest) + request, longest)
    if delivery < least:
        yield replaced(DELIVERY, f"raised from {delivery} to {least}: {LINGER} + {REQUEST}", used=str(least))


def api_timeout(config: Config) -> Iterator[Finding]:
    """default.api.timeout.ms is raised to request.timeout.ms, where it is a default."""
    if is_written(config, API) or REQUEST not in config.settings:
        return
    api, request = number(config, API), number(config, REQUEST)
    if api is not None and request is not None and api < request:
        yield replaced(API, f"raised from {api} to {request}, as {REQUEST}", used=str(request))


def commit_interval(config: Config) -> Iterator[Finding]:
    """commit.interval.ms is shorter with exactly-once, where it is a default."""
    if text(config, GUARANTEE).startswith("exactly_once") and not is_written(config, INTERVAL):
        yield replaced(INTERVAL, f"becomes {EXACTLY_ONCE_INTERVAL}: exactly-once", used=EXACTLY_ONCE_INTERVAL)


def message_format(config: Config) -> Iterator[Finding]:
    """log.message.format.version is ignored with a current inter.broker.protocol.version."""
    written = text(config, MESSAGE_FORMAT)
    if not written or config.version < MESSAGE_FORMAT_IGNORED or config.definition(MESSAGE_FORMAT) is None:
        return
    protocol = text(config, PROTOCOL)
    if protocol and release(protocol) < MESSAGE_FORMAT_IGNORED:
        return
    if release(written) != MESSAGE_FORMAT_IGNORED:
        why = f"ignored from {PROTOCOL}=3.0 on"
        yield replaced(MESSAGE_FORMAT, why, written=written, used=MESSAGE_FORMAT_USED)


def release(version: str) -> tuple[int, int]:
    """The first two numbers of a version such as 2.8-IV1; (0, 0) of what is none."""
    major, _, rest = version.partition(".")
    minor = rest.partition("-")[0].partition(".")[0]
    return (int(major), int(minor)) if major.isdecimal() and minor.isdecimal() else (0, 0)
