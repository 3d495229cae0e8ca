"""What a Connect worker refuses while it starts, after its configuration was read."""

from __future__ import annotations

import re

from advisor.analysis.startup.check import startup_check
from advisor.analysis.startup.values import is_written, number, text
from advisor.catalog.classes import OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.analysis.startup.check import Requirement
    from advisor.config import Config
    from advisor.model.finding import Finding

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


def worker_refusals(config: Config) -> Iterator[Finding]:
    """What a distributed worker does not start with."""
    if config.entity.kind != "connect" or is_written(config, "offset.storage.file.filename"):
        return
    yield from rest_listener_malformed(config)
    yield from rest_address_malformed(config)
    yield from membership_times_contradict(config)
    yield from override_policy_unknown(config)
    yield from internal_converter_of_another_kind(config)
    yield from storage_topic_without_name(config)


@startup_check("KA1925")
def internal_converter_of_another_kind(config: Config) -> Iterator[Requirement]:
    """A converter of the worker's own topics is a class of Kafka's that is not a converter.

    Why: the worker makes its converters while it starts, and ends with a ClassCastException.
    Fix: remove the key: JSON without schemas is what Connect writes.
    Bad (connect, 2.8):
        bootstrap.servers=b1:9092
        group.id=connect
        key.converter=org.apache.kafka.connect.json.JsonConverter
        value.converter=org.apache.kafka.connect.json.JsonConverter
        config.storage.topic=c
        offset.storage.topic=o
        status.storage.topic=s
        internal.key.converter=org.apache.kafka.common.serialization.StringSerializer
    Good (connect, 2.8):
        bootstrap.servers=b1:9092
        group.id=connect
        key.converter=org.apache.kafka.connect.json.JsonConverter
        value.converter=org.apache.kafka.connect.json.JsonConverter
        config.storage.topic=c
        offset.storage.topic=o
        status.storage.topic=s
    See: KIP-174
    """
    for key in INTERNAL_CONVERTERS:
        name = text(config, key)
        if config.definition(key) and name.startswith(OWN) and not name.startswith(OF_CONNECT):
            yield key, f"{name} is no Converter"


@startup_check("KA1926")
def storage_topic_without_name(config: Config) -> Iterator[Requirement]:
    """A topic of the worker's own has no name.

    Why: the worker cannot subscribe to, nor create, a topic without a name, and ends.
    Fix: name the topic; all workers of a group have the same three.
    Bad (connect):
        bootstrap.servers=b1:9092
        group.id=connect
        key.converter=org.apache.kafka.connect.json.JsonConverter
        value.converter=org.apache.kafka.connect.json.JsonConverter
        config.storage.topic=c
        offset.storage.topic=o
        status.storage.topic=
    Good (connect):
        bootstrap.servers=b1:9092
        group.id=connect
        key.converter=org.apache.kafka.connect.json.JsonConverter
        value.converter=org.apache.kafka.connect.json.JsonConverter
        config.storage.topic=c
        offset.storage.topic=o
        status.storage.topic=s
    See: org.apache.kafka.connect.runtime.distributed.DistributedConfig
    """
    for key in TOPICS:
        if is_written(config, key) and not text(config, key):
            yield key, "the topic has no name"


@startup_check("KA1921")
def rest_listener_malformed(config: Config) -> Iterator[Requirement]:
    """A REST listener of the worker is not http://host:port or https://host:port.

    Why: the REST server is made before the worker joins its group, and refuses other listeners.
    Fix: write protocol://host:port, such as http://0.0.0.0:8083.
    Bad (connect):
        bootstrap.servers=b1:9092
        group.id=connect
        key.converter=org.apache.kafka.connect.json.JsonConverter
        value.converter=org.apache.kafka.connect.json.JsonConverter
        config.storage.topic=c
        offset.storage.topic=o
        status.storage.topic=s
        listeners=PLAINTEXT://:8083
    Good (connect):
        bootstrap.servers=b1:9092
        group.id=connect
        key.converter=org.apache.kafka.connect.json.JsonConverter
        value.converter=org.apache.kafka.connect.json.JsonConverter
        config.storage.topic=c
        offset.storage.topic=o
        status.storage.topic=s
        listeners=http://:8083
    See: KIP-208
    """
    for key in LISTENERS:
        if text(config, key) and not text(config, key).replace(",", " ").strip():
            yield key, "no listener between the commas"
        for listener in filter(None, (entry.strip() for entry in text(config, key).split(","))):
            address = ADDRESS.fullmatch(listener)
            if not address:
                yield key, f"{listener} is not protocol://hostname:port"
            elif address[1].lower() not in PROTOCOLS:
                yield key, f"{listener}: the protocol is http or https"


@startup_check("KA1922")
def rest_address_malformed(config: Config) -> Iterator[Requirement]:
    """The address that a worker advertises to the others is not part of a URL.

    Why: the worker makes a URL of it while it starts, and ends where that cannot be.
    Fix: name http or https in rest.advertised.listener, and a port from 1 to 65535.
    Bad (connect):
        bootstrap.servers=b1:9092
        group.id=connect
        key.converter=org.apache.kafka.connect.json.JsonConverter
        value.converter=org.apache.kafka.connect.json.JsonConverter
        config.storage.topic=c
        offset.storage.topic=o
        status.storage.topic=s
        rest.advertised.port=-2
    Good (connect):
        bootstrap.servers=b1:9092
        group.id=connect
        key.converter=org.apache.kafka.connect.json.JsonConverter
        value.converter=org.apache.kafka.connect.json.JsonConverter
        config.storage.topic=c
        offset.storage.topic=o
        status.storage.topic=s
        rest.advertised.port=8083
    See: org.apache.kafka.connect.runtime.rest.RestServer
    """
    if is_written(config, ADVERTISED) and not SCHEME.fullmatch(text(config, ADVERTISED).lower()):
        yield ADVERTISED, f"{text(config, ADVERTISED) or 'the empty name'} is not a protocol of a URL"
    port = number(config, PORT) if is_written(config, PORT) else None
    if port is not None and port < -1:
        yield PORT, f"{port} is not a port"


@startup_check("KA1923")
def membership_times_contradict(config: Config) -> Iterator[Requirement]:
    """The times of the worker's membership contradict each other, or are negative.

    Why: heartbeats must come several times in a session; the member refuses times in the wrong order.
    Fix: keep heartbeat.interval.ms at a third of session.timeout.ms.
    Bad (connect):
        bootstrap.servers=b1:9092
        group.id=connect
        key.converter=org.apache.kafka.connect.json.JsonConverter
        value.converter=org.apache.kafka.connect.json.JsonConverter
        config.storage.topic=c
        offset.storage.topic=o
        status.storage.topic=s
        session.timeout.ms=3000
        heartbeat.interval.ms=3000
    Good (connect):
        bootstrap.servers=b1:9092
        group.id=connect
        key.converter=org.apache.kafka.connect.json.JsonConverter
        value.converter=org.apache.kafka.connect.json.JsonConverter
        config.storage.topic=c
        offset.storage.topic=o
        status.storage.topic=s
        session.timeout.ms=10000
        heartbeat.interval.ms=3000
    See: org.apache.kafka.clients.consumer.internals.Heartbeat
    """
    session, heartbeat, rebalance = (number(config, key) for key in (SESSION, HEARTBEAT, REBALANCE))
    if session is not None and heartbeat is not None and heartbeat >= session:
        key = HEARTBEAT if is_written(config, HEARTBEAT) else SESSION
        yield key, f"{HEARTBEAT} ({heartbeat}) must be below {SESSION} ({session})"
    for key, time in ((SESSION, session), (HEARTBEAT, heartbeat), (REBALANCE, rebalance)):
        if time is not None and time < 0:
            yield key, f"{time} ms is negative"


@startup_check("KA1924")
def override_policy_unknown(config: Config) -> Iterator[Requirement]:
    """connector.client.config.override.policy is neither a policy's name nor a class.

    Why: the worker looks the policy up among its plug-ins while it starts, and finds none.
    Fix: set All (the default), None, Principal, or a class that is on the plugin.path.
    Bad (connect):
        bootstrap.servers=b1:9092
        group.id=connect
        key.converter=org.apache.kafka.connect.json.JsonConverter
        value.converter=org.apache.kafka.connect.json.JsonConverter
        config.storage.topic=c
        offset.storage.topic=o
        status.storage.topic=s
        connector.client.config.override.policy=Nobody
    Good (connect):
        bootstrap.servers=b1:9092
        group.id=connect
        key.converter=org.apache.kafka.connect.json.JsonConverter
        value.converter=org.apache.kafka.connect.json.JsonConverter
        config.storage.topic=c
        offset.storage.topic=o
        status.storage.topic=s
        connector.client.config.override.policy=None
    See: KIP-458
    """
    name = text(config, POLICY)
    since, newer = NEWER_POLICIES
    names = POLICIES + (newer if config.version >= since else ())
    known = {full for short in names for full in (short, short + POLICY_CLASS)}
    if is_written(config, POLICY) and config.definition(POLICY) and name not in known and "." not in name:
        yield POLICY, f"{name or 'the empty name'} is no {POLICY_CLASS}"
