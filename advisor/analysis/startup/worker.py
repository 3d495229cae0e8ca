"""What a Connect worker refuses while it starts, after its configuration was read."""

from __future__ import annotations

import re

from advisor.analysis.startup.values import is_written, number, text
from advisor.catalog.classes import OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.analysis.startup.externals import Requirement
    from advisor.config import Config

LISTENERS = ("listeners", "admin.listeners")
ADDRESS = re.compile(r"(.*)://\[?([0-9a-zA-Z\-%._:]*)\]?:(-?[0-9]+)")
"""What RestServer takes as a listener."""
PROTOCOLS = ("http", "https")
TOPICS = ("config.storage.topic", "offset.storage.topic", "status.storage.topic")
INTERNAL_CONVERTERS, OF_CONNECT = ("internal.key.converter", "internal.value.converter"), "org.apache.kafka.connect."
SESSION, HEARTBEAT, REBALANCE = "session.timeout.ms", "heartbeat.interval.ms", "rebalance.timeout.ms"
ADVERTISED, PORT = "rest.advertised.listener", "rest.advertised.port"
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")
POLICY = "connector.client.config.override.policy"
POLICIES = ("All", "None", "Principal")
NEWER_POLICIES = ((4, 2), ("Allowlist",))
POLICY_CLASS = "ConnectorClientConfigOverridePolicy"


def worker_refusals(config: Config) -> Iterator[Requirement]:
    """(key, reason) of what a distributed worker does not start with."""
    if config.entity.kind != "connect" or is_written(config, "offset.storage.file.filename"):
        return
    yield from listeners(config)
    yield from advertised(config)
    yield from membership(config)
    yield from policy(config)
    for key in INTERNAL_CONVERTERS:
        name = text(config, key)
        if config.definition(key) and name.startswith(OWN) and not name.startswith(OF_CONNECT):
            yield key, f"{name} is no Converter"
    for key in TOPICS:
        if is_written(config, key) and not text(config, key):
            yield key, "the topic has no name"


def listeners(config: Config) -> Iterator[Requirement]:
    """REST listeners that are no URL of the right protocol."""
    for key in LISTENERS:
        if text(config, key) and not text(config, key).replace(",", " ").strip():
            yield key, "no listener between the commas"
        for listener in filter(None, (entry.strip() for entry in text(config, key).split(","))):
            address = ADDRESS.fullmatch(listener)
            if not address:
                yield key, f"{listener} is not protocol://hostname:port"
            elif address[1].lower() not in PROTOCOLS:
                yield key, f"{listener}: the protocol is http or https"


def advertised(config: Config) -> Iterator[Requirement]:
    """An advertised address that is no part of a URL."""
    if is_written(config, ADVERTISED) and not SCHEME.fullmatch(text(config, ADVERTISED).lower()):
        yield ADVERTISED, f"{text(config, ADVERTISED) or 'the empty name'} is no protocol of a URL"
    port = number(config, PORT) if is_written(config, PORT) else None
    if port is not None and port < -1:
        yield PORT, f"{port} is no port"


def membership(config: Config) -> Iterator[Requirement]:
    """Times of a group's member that contradict each other."""
    session, heartbeat, rebalance = (number(config, key) for key in (SESSION, HEARTBEAT, REBALANCE))
    if session is not None and heartbeat is not None and heartbeat >= session:
        key = HEARTBEAT if is_written(config, HEARTBEAT) else SESSION
        yield key, f"{HEARTBEAT} ({heartbeat}) must be below {SESSION} ({session})"
    for key, time in ((SESSION, session), (HEARTBEAT, heartbeat), (REBALANCE, rebalance)):
        if time is not None and time < 0:
            yield key, f"{time} ms is negative"


def policy(config: Config) -> Iterator[Requirement]:
    """A policy for the clients of connectors that is neither a name nor a class."""
    name = text(config, POLICY)
    since, newer = NEWER_POLICIES
    names = POLICIES + (newer if config.version >= since else ())
    known = {full for short in names for full in (short, short + POLICY_CLASS)}
    if is_written(config, POLICY) and config.definition(POLICY) and name not in known and "." not in name:
        yield POLICY, f"{name or 'the empty name'} is no {POLICY_CLASS}"
