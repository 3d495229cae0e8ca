"""Around Kafka: Connect workers, MirrorMaker 2, every client's addresses, the replicas of all their topics."""

from __future__ import annotations

from advisor.catalog.host_aliases import MANY_ADDRESSES
from advisor.catalog.keys import CLIENTS
from advisor.facts import is_connector, is_local, is_temporary, key_names, servers
from advisor.rule import CLIENT_KINDS, PLACEHOLDER, Problem, Problems, Subject, Unknown, applies, fact, rule
from rules import count
from rules.internal_topics import KSQL_TOPICS, is_vendor_factor, number

STORAGE = tuple(f"{name}.storage.replication.factor" for name in ("config", "offset", "status"))
STORAGE_TOPICS = (
    "config.storage.topic",
    "offset.storage.topic",
    "status.storage.topic",
    "offset.storage.file.filename",
)
MIRROR_TOPICS = tuple(f"{name}.topic.replication.factor" for name in ("offset-syncs", "heartbeats", "checkpoints"))
REST = ("listeners", "rest.advertised.host.name", "rest.advertised.port", "rest.advertised.listener")
"""What a node of MirrorMaker is given to be reached by others."""
KSQL_DEFAULT = 1
"""What ksql.internal.topic.replicas is where nothing sets it. Source: KsqlConfig of confluentinc/ksql."""
SYNC = "sync.group.offsets.enabled"
ABORTS = "abort.on.send.failure"


def ending(config: Subject, *endings: str) -> tuple[str, ...]:
    """The keys that are written with one of the endings behind a prefix."""
    return tuple(key for key in config.keys() if key.endswith(tuple("." + end for end in endings)))


OF_DEAD_LETTERS = "errors.deadletterqueue.topic.replication.factor"
CREATED = "topic.creation."
"""What the settings of the topics that a connector creates begin with."""


def internal_factors(config: Subject) -> tuple[str, ...]:
    """The settings that say how many replicas the topics of a worker, a mirror, a Streams application or a vendor's program get."""
    vendors = tuple(key for key in config.keys() if is_vendor_factor(key))
    if config.kind() == "connect":
        return vendors if "offset.storage.file.filename" in config.keys() else (*STORAGE, *vendors)
    if config.kind() == "admin":
        return (*vendors, *((KSQL_TOPICS,) if is_ksql_server(config) else ()))
    if config.kind() == "streams":
        return ("replication.factor",)
    if config.kind() != "mirror":
        return ()
    return (*MIRROR_TOPICS, *STORAGE, *ending(config, *MIRROR_TOPICS, *STORAGE))


def is_ksql_server(config: Subject) -> bool:
    """Whether a file is that of a server of ksqlDB."""
    return any(key in config.keys() for key in (KSQL_TOPICS, "ksql.service.id"))


def ksql_replicas(config: Subject) -> int:
    """How many replicas ksqlDB's own topics get: one, where nothing is written and there are several brokers."""
    if KSQL_TOPICS in config.keys():
        return number(config, KSQL_TOPICS)
    applies(not config.fragment(), "what else sets it is not in the file")
    applies(len(config.list("bootstrap.servers")) > 1, "there may be one broker")
    return KSQL_DEFAULT


def mirrored_factors(mirror: Subject) -> tuple[str, ...]:
    """The settings that say how many replicas mirrored topics get."""
    found = tuple(key for key in ending(mirror, "replication.factor") if key.count(".") == 2)
    on = [key for key in ending(mirror, "enabled") if "->" in key and key.count(".") == 1]
    flows = [key.removesuffix("enabled") for key in on if mirror.text(key).strip().lower() != "false"]
    factors = set(found)
    covered = flows and all(flow + "replication.factor" in factors for flow in flows)
    return found if covered else ("replication.factor", *found)


@fact
def aliases(mirror: Subject) -> frozenset[str]:
    """The names of the clusters."""
    return frozenset(mirror.list("clusters"))


def pair_keys(mirror: Subject) -> tuple[str, ...]:
    """The keys of one direction of mirroring."""
    return tuple(key for key in mirror.keys() if "->" in key)


def checkpoint_keys(mirror: Subject) -> tuple[str, ...]:
    """The keys that switch checkpoints."""
    return ("emit.checkpoints.enabled", *ending(mirror, "emit.checkpoints.enabled"))


def created_factors(connect: Subject) -> tuple[str, ...]:
    """The replication factors of the groups of topics that a connector creates, and of its queue of dead letters."""
    keys = (key for key in connect.keys() if key.startswith(CREATED) or key == OF_DEAD_LETTERS)
    return tuple(key for key in keys if key.endswith(".replication.factor")) or (
        f"{CREATED}default.replication.factor",
    )


def policy_keys(mirror: Subject) -> tuple[str, ...]:
    """The keys that choose how mirrored topics are called."""
    return ("replication.policy.class", *ending(mirror, "replication.policy.class"))


def address_keys(config: Subject) -> tuple[str, ...]:
    """The keys that name the brokers to start from."""
    if config.kind() in (*CLIENT_KINDS, "connect", "streams"):
        return ("bootstrap.servers",) if config.is_set("bootstrap.servers") and not is_connector(config) else ()
    if config.kind() != "mirror":
        return ()
    return tuple(key for key in ending(config, "bootstrap.servers") if not key.startswith(tuple(CLIENTS)))


def acks_keys(config: Subject) -> tuple[str, ...]:
    """The keys by which a worker, a mirror or a Streams application changes its producers' acks."""
    found = {"streams": ("acks", "producer.acks"), "connect": ("producer.acks",)}.get(config.kind(), ())
    if config.kind() == "mirror":
        targets = targets_of(config)
        found = tuple(key for key in config.keys() if is_of_record_producer(key, targets))
    return tuple(key for key in found if key in config.keys())


def targets_of(mirror: Subject) -> set[str]:
    """The clusters that flows are written to."""
    flows = [key.removesuffix(".enabled") for key in ending(mirror, "enabled") if "->" in key and key.count(".") == 1]
    return {flow.partition("->")[2] for flow in flows}


def is_of_record_producer(key: str, targets: set[str]) -> bool:
    """Whether a key is the acks of the producer that writes mirrored records.

    It is that of the worker at the target, or the connector's override; A->B.producer. and the source's are of the producers of
    offset syncs and heartbeats alone. Source: MirrorMakerConfig.connectorBaseConfig, MirrorConnectorConfig.sourceProducerConfig.
    """
    if "->" in key:
        return key.endswith(".producer.override.acks")
    alias, _, bare = key.partition(".")
    return key == "producer.acks" or (bare == "producer.acks" and (alias in targets or not targets))


def ignored_topic_settings(connect: Subject) -> tuple[str, ...]:
    """The settings of its storage topics that a worker writes down and ignores."""
    names = (
        "config.storage.partitions",
        *(f"{name}.storage.cleanup.policy" for name in ("config", "offset", "status")),
    )
    return tuple(name for name in names if name in connect.keys())


@fact
def flows(mirror: Subject) -> tuple[str, ...]:
    """The directions that are switched on, as A->B."""
    enabled = [key for key in pair_keys(mirror) if key.endswith(".enabled") and key.count(".") == 1]
    return tuple(key[: -len(".enabled")] for key in enabled if mirror.bool(key))


@rule("KA1201", "high", dev="low", regulated="critical", each=internal_factors, aim="by hand: hardware")
def internal_topic_rf(config: Subject, key: str) -> Problems:
    """An internal topic of a worker, a mirror or a Streams application has too few replicas.

    Why: these topics hold connector configurations, source offsets, translated consumer offsets, ksqlDB's statements or state. With one
        replica they are lost with its disk, and everything stops while its broker is down. ksqlDB's
        ksql.internal.topic.replicas is 1 where nothing sets it.
    Fix: set the replication factor to 3, and reassign topics that exist already. -1 means the brokers'
        default.replication.factor, which brokers support from 2.4, Connect from 2.6 and Streams from 3.0 on; Connect
        2.5 and older refuses it.
    Care: with a factor of 3 on fewer than three brokers the worker or application cannot create the topic and does not
        start. An existing topic keeps its replicas: reassign it to three.
    Bad (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        config.storage.replication.factor=1
    Good (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        config.storage.replication.factor=3
    See: https://kafka.apache.org/documentation/#connectconfigs_config.storage.replication.factor
    """
    is_vendors = is_vendor_factor(key)
    if key == KSQL_TOPICS:
        replicas = ksql_replicas(config)
    else:
        replicas = number(config, key) if is_vendors else config.int(key)
    if 0 < replicas < 3:
        lower = -(replicas == 2) - is_vendors
        yield Problem(key, f"the topic gets {count(replicas, 'replica')} instead of 3", "3", step=lower)


@rule("KA1202", "high", dev="low", regulated="critical", each=mirrored_factors, aim="set replication.factor=3")
def topic_rf_low(mirror: Subject, key: str) -> Problems:
    """Mirrored topics get too few replicas in the target cluster.

    Why: MirrorMaker creates topics with its own factor (default 2), whatever the source has. A single replica is lost
        with its disk, and the mirror is meant for disasters.
    Fix: set replication.factor=3, or -1 for the default of the target brokers (2.4 and newer).
    Care: with a factor of 3 on fewer than three brokers MirrorMaker cannot create new topics. Topics that exist in the
        target keep their replicas: reassign them, with --throttle.
    Bad:
        clusters=a,b
        a->b.enabled=true
        replication.factor=1
    Good:
        clusters=a,b
        a->b.enabled=true
        replication.factor=3
    See: https://kafka.apache.org/documentation/#mirrorsourceconfigs_replication.factor
    """
    replicas = mirror.int(key)
    if 0 < replicas < 3:
        yield Problem(
            key, f"mirrored topics get {count(replicas, 'replica')} instead of 3", "3", step=0 if replicas == 1 else -2
        )


@rule("KA1217", "high", dev="low", regulated="critical", each=created_factors, aim="by hand: hardware")
def connector_topic_rf_low(connect: Subject, key: str) -> Problems:
    """A connector creates its topics with too few replicas.

    Why: a source connector's topics are created by the worker with these values, not with the brokers' defaults, and so
        is the topic to which a sink writes the records that it cannot handle. One replica is lost with its disk, and
        while its broker is down the connector's task fails.
    Fix: set the replication factor to 3, or to -1 for the brokers' default.replication.factor.
    Care: on fewer than three brokers the worker cannot create a topic with a factor of 3, and the task fails. A topic
        that exists keeps its replicas: reassign its partitions, with --throttle.
    Bad (connect):
        connector.class=org.example.Source
        topic.creation.default.replication.factor=1
        topic.creation.default.partitions=6
    Good (connect):
        connector.class=org.example.Source
        topic.creation.default.replication.factor=3
        topic.creation.default.partitions=6
    See: KIP-158, https://kafka.apache.org/documentation/#connect_userguide
    """
    applies(key in connect.keys(), "no topics with settings of their own")
    is_used = key != OF_DEAD_LETTERS or connect.str("errors.deadletterqueue.topic.name")
    applies(bool(is_used), "no topic for what the connector cannot handle")
    replicas = connect.int(key)
    if 0 < replicas < 3:
        which = "the topic of dead letters gets" if key == OF_DEAD_LETTERS else "new topics get"
        step = 0 if replicas == 1 else -2
        yield Problem(key, f"{which} {count(replicas, 'replica')} instead of 3", "3", step=step)


@rule("KA1203", "low", dev="info", each=policy_keys)
def identity_policy(mirror: Subject, key: str) -> Problems:
    """Mirrored topics keep their names, so nothing tells a mirrored record from an original one.

    Why: MirrorMaker recognizes mirrored topics by the cluster alias in front of the name. Without it, mirroring in both
        directions copies records in circles.
    Fix: set replication.policy.class to DefaultReplicationPolicy (the default), or never mirror the same topics back.
    Bad:
        clusters=a,b
        a->b.enabled=true
        replication.policy.class=org.apache.kafka.connect.mirror.IdentityReplicationPolicy
    Good:
        clusters=a,b
        a->b.enabled=true
        replication.policy.class=org.apache.kafka.connect.mirror.DefaultReplicationPolicy
    See: KIP-690, KIP-382
    """
    if mirror.str(key).endswith("IdentityReplicationPolicy"):
        text = "a mirrored topic cannot be told from an original one"
        yield Problem(key, text, "DefaultReplicationPolicy", step=0 if goes_both_ways(mirror) else -1)


def goes_both_ways(mirror: Subject) -> bool:
    """Whether two clusters mirror to each other."""
    enabled = {tuple(flow.split("->")) for flow in flows(mirror)}
    return any(direction[::-1] in enabled for direction in enabled)


@rule("KA1204", "high", dev="medium", confidence="likely", aim="by hand: choice")
def mirror_cycle(mirror: Subject) -> Problems:
    """Two clusters mirror the same topics to each other under the same names, so records circulate forever.

    Why: with IdentityReplicationPolicy each side mistakes mirrored records for new ones.
    Fix: set replication.policy.class to DefaultReplicationPolicy, or mirror in one direction only, or different topics
        in each.
    Bad:
        clusters=a,b
        a->b.enabled=true
        b->a.enabled=true
        replication.policy.class=org.apache.kafka.connect.mirror.IdentityReplicationPolicy
    Good:
        clusters=a,b
        a->b.enabled=true
        b->a.enabled=true
    See: KIP-382
    """
    identity = mirror.str("replication.policy.class").endswith("IdentityReplicationPolicy")
    applies(identity, "names carry the alias of their origin")
    for flow in flows(mirror):
        back = "->".join(reversed(flow.split("->")))
        if back in flows(mirror):
            same = _topics(mirror, flow) == _topics(mirror, back)
            places = ["replication.policy.class", f"{flow}.enabled", f"{back}.enabled"]
            yield Problem(places, f"records circulate forever between {flow} and {back}", step=0 if same else -1)
            return


def _topics(mirror: Subject, flow: str) -> str:
    return mirror.text(f"{flow}.topics" if f"{flow}.topics" in key_names(mirror) else "topics").strip()


@rule("KA1205", "low", dev="info", each=checkpoint_keys, aim="set emit.checkpoints.enabled=true")
def no_checkpoints(mirror: Subject, key: str) -> Problems:
    """Without checkpoints consumer groups have no offsets in the target cluster.

    Why: offsets differ between the clusters, and checkpoints translate them. Without checkpoints a group that fails
        over starts at the beginning or at the end.
    Fix: set emit.checkpoints.enabled=true (the default), and consider sync.group.offsets.enabled=true.
    Bad:
        clusters=a,b
        a->b.enabled=true
        a->b.emit.checkpoints.enabled=false
    Good:
        clusters=a,b
        a->b.enabled=true
        a->b.emit.checkpoints.enabled=true
    See: KIP-382, KIP-545
    """
    if not mirror.bool(key):
        yield Problem(key, "consumer groups cannot fail over", "true")


@rule("KA1206", "medium", dev="low", each=pair_keys)
def unknown_alias(mirror: Subject, key: str) -> Problems:
    """A direction names a cluster that is not in `clusters`: the key has no effect.

    Why: MirrorMaker looks only for pairs of the aliases in `clusters`, and silently ignores any other.
    Fix: correct the alias in the key, or add it to `clusters`.
    Bad:
        clusters=primary,backup
        primary->bakup.enabled=true
    Good:
        clusters=primary,backup
        primary->backup.enabled=true
    See: https://kafka.apache.org/documentation/#georeplication-flow-create
    """
    if mirror.shape("clusters") == PLACEHOLDER:
        raise Unknown(f"clusters is filled in later: {mirror.text('clusters')}")
    applies(mirror.is_set("clusters"), "no clusters are named")
    source, _, rest = key.partition("->")
    strange = [alias for alias in (source, rest.partition(".")[0]) if alias not in aliases(mirror)]
    if strange:
        yield Problem([key, "clusters"], f"MirrorMaker ignores the key, because {strange[0]} is not in clusters")


@rule("KA1207", "medium", dev="low")
def nothing_mirrored(mirror: Subject) -> Problems:
    """No direction is enabled: MirrorMaker runs and mirrors nothing.

    Why: a direction is disabled unless A->B.enabled=true is set.
    Fix: set A->B.enabled=true, with the aliases of the source and the target cluster.
    Bad:
        clusters=a,b
        a->b.topics=.*
    Good:
        clusters=a,b
        a->b.enabled=true
        a->b.topics=.*
    See: https://kafka.apache.org/documentation/#georeplication-flow-create
    """
    applies("enabled" not in key_names(mirror), "enabled for all directions at once")
    if not flows(mirror):
        yield Problem("clusters", "MirrorMaker mirrors nothing: no direction has .enabled=true")


@rule("KA1208", "low", dev="info", each=address_keys, aim="by hand: address")
def single_bootstrap(config: Subject, key: str) -> Problems:
    """The client knows a single address: while that broker is down the client cannot start.

    Why: a client asks any broker of the list for all the others. With one address, the client cannot start during that
        broker's maintenance. A DNS name of several brokers is as good as a list.
    Fix: set bootstrap.servers to two or three brokers.
    Bad (producer):
        bootstrap.servers=b1:9092
        acks=all
    Good (producer):
        bootstrap.servers=b1:9092,b2:9092,b3:9092
        acks=all
    See: https://kafka.apache.org/documentation/#producerconfigs_bootstrap.servers
    """
    found = servers(config, key)
    if any(server.host is None for server in found) or config.shape(key) == PLACEHOLDER:
        raise Unknown(f"{key} is filled in later: {config.text(key)}")
    if len(found) == 1 and not any(mark in (found[0].host or "") for mark in MANY_ADDRESSES):
        yield Problem(key, "the client cannot start while this broker is down", "two or more")


@rule("KA1209", "high", dev="medium", regulated="critical", each=acks_keys, aim="remove")
def acks_not_all(config: Subject, key: str) -> Problems:
    """The producers inside a worker, a mirror or a Streams application do not wait for all in-sync replicas.

    Why: Connect, MirrorMaker and Streams set acks=all themselves and count a record as written when it is acknowledged.
        With acks=0 or 1, offsets and state move on although a leader failure may lose the records. Exactly-once needs
        acks=all: with exactly.once.source.support=enabled every source task fails ("Must set acks to all in order to use
        the idempotent producer"), while the worker runs.
    Fix: remove the override of acks (default all).
    Bad (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        producer.acks=1
    Good (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        producer.acks=all
    See: KIP-679, KIP-618
    """
    acks = config.str(key).lower()
    if acks in ("0", "1"):
        failure = failure_without_all(config, key)
        words = failure or "a record counts as written before the followers have it"
        yield Problem(key, words, "all", step=int(acks == "0" or bool(failure)))


def failure_without_all(config: Subject, key: str) -> str:
    """What fails, rather than lose records, with acks below all; empty where nothing does."""
    worker, _, _ = key.rpartition("producer.")
    idempotence, exactly_once = key.removesuffix("acks") + "enable.idempotence", worker + "exactly.once.source.support"
    if is_written_as(config, idempotence, "true"):
        return f"{idempotence}=true needs acks=all: no producer can be created"
    if config.kind() == "streams" and config.str("processing.guarantee").startswith("exactly_once"):
        return "exactly-once needs acks=all: the application fails at its start"
    if config.kind() != "streams" and is_written_as(config, exactly_once, "enabled"):
        return f"{exactly_once}=enabled needs acks=all: every source task fails at its start"
    return ""


def is_written_as(config: Subject, key: str, value: str) -> bool:
    """Whether a key is written down with this value, in whatever letters."""
    return key in config.keys() and config.text(key).strip().lower() == value


@rule("KA1210", "high", dev="medium", aim="by hand: choice")
def storage_topics_shared(connect: Subject) -> Problems:
    """Two of the worker's storage topics are the same topic.

    Why: configurations, offsets and statuses are read back by key from the start of their topic; in a shared topic the
        worker reads records of another kind, and compaction mixes them.
    Fix: set config.storage.topic, offset.storage.topic and status.storage.topic to different topics.
    Bad:
        group.id=connect
        config.storage.topic=connect
        offset.storage.topic=connect
        status.storage.topic=connect-status
    Good:
        group.id=connect
        config.storage.topic=connect-configs
        offset.storage.topic=connect-offsets
        status.storage.topic=connect-status
    See: https://kafka.apache.org/documentation/#connectconfigs_config.storage.topic
    """
    keys = [f"{name}.storage.topic" for name in ("config", "offset", "status")]
    names = {key: connect.str(key) for key in keys if connect.is_set(key)}
    shared = [key for key in names if list(names.values()).count(names[key]) > 1]
    if shared:
        message = (
            f"{' and '.join(shared)} share one topic" if len(shared) == 2 else "all the worker's data share one topic"
        )
        yield Problem(shared, message, "one topic each")


@rule("KA1211", "low", dev="info", each=ignored_topic_settings, changes=True, fix="safe: drop")
def storage_setting_ignored(connect: Subject, key: str) -> Problems:
    """A setting of a storage topic is ignored, because the worker depends on it.

    Why: the configuration topic has one partition and all three storage topics are compacted, whatever the file says.
    Fix: remove the key from the worker's file.
    Bad (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        config.storage.partitions=3
    Good (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        config.storage.partitions=1
    See: org.apache.kafka.connect.runtime.distributed.DistributedConfig
    """
    if connect.shape(key) == PLACEHOLDER:
        raise Unknown(f"{key} is filled in later: {connect.text(key)}")
    kept = "1" if key.endswith("partitions") else "compact"
    if connect.text(key).strip() != kept:
        yield Problem(key, f"the worker ignores it and uses {kept}", "unset", changes=True, used=kept)


@rule("KA1212", "medium", dev="low")
def worker_heartbeat_order(connect: Subject) -> Problems:
    """The worker's heartbeats are too far apart for its session timeout: the group removes a live worker.

    Why: the coordinator removes a worker that it has not heard from for session.timeout.ms, and the worker's connectors
        move.
    Fix: set heartbeat.interval.ms (default 3000) to at most a third of session.timeout.ms (default 10000).
    Bad (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        heartbeat.interval.ms=20000
    Good (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        heartbeat.interval.ms=5000
        session.timeout.ms=30000
    See: https://kafka.apache.org/documentation/#connectconfigs_heartbeat.interval.ms
    """
    heartbeat, session = connect.int("heartbeat.interval.ms"), connect.int("session.timeout.ms")
    if heartbeat * 3 > session:
        keys = sorted(("heartbeat.interval.ms", "session.timeout.ms"), key=connect.is_set, reverse=True)
        message = f"a heartbeat every {heartbeat} ms is too rare for a session timeout of {session} ms"
        yield Problem(keys, message, f"<= {session // 3}", step=1 if heartbeat >= session else -1)


@rule("KA1213", "medium", dev="info", aim="by hand: address")
def advertised_localhost(connect: Subject) -> Problems:
    """The worker advertises its REST API to the other workers at localhost.

    Why: workers forward REST requests to each other's rest.advertised.host.name, and with localhost each sends them to
        itself.
    Fix: set rest.advertised.host.name to the name by which the other workers reach this one.
    Bad (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        rest.advertised.host.name=localhost
    Good (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        rest.advertised.host.name=connect-1.example.org
    See: https://kafka.apache.org/documentation/#connectconfigs_rest.advertised.host.name
    """
    if is_local(connect.str("rest.advertised.host.name")):
        yield Problem("rest.advertised.host.name", "other workers send their requests to themselves")


@rule("KA1214", "medium", dev="info", aim="by hand: address")
def tmp_offsets_file(connect: Subject) -> Problems:
    """A standalone worker keeps its source offsets under /tmp.

    Why: once a reboot or a temporary-file cleaner has deleted them, the source connectors start from the beginning and
        write everything again.
    Fix: set offset.storage.file.filename to a file in a persistent directory.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        key.converter=org.apache.kafka.connect.json.JsonConverter
        offset.storage.file.filename=/tmp/connect.offsets
    Good:
        bootstrap.servers=b1:9092,b2:9092
        key.converter=org.apache.kafka.connect.json.JsonConverter
        offset.storage.file.filename=/var/lib/connect/offsets
    See: https://kafka.apache.org/documentation/#connectconfigs_offset.storage.file.filename
    """
    applies("offset.storage.file.filename" in connect.keys(), "not a standalone worker")
    if is_temporary(connect.str("offset.storage.file.filename")):
        yield Problem("offset.storage.file.filename", "a reboot or a temporary-file cleaner deletes the source offsets")


@fact
def is_worker(connect: Subject) -> bool:
    """Whether the file is a worker's; a connector's names its class."""
    names = key_names(connect)
    return not is_connector(connect) and bool(names & {"bootstrap.servers", "group.id", *STORAGE_TOPICS})


TOLERANCE = "errors.tolerance"
SKIPPING = {
    "event.processing.failure.handling.mode": ("skip", "ignore", "warn"),
    "behavior.on.malformed.documents": ("ignore", "warn"),
    "behavior.on.error": ("ignore", "log"),
}
"""Settings of Debezium and of Confluent's sinks, with the values at which records are left out."""


def tolerances(connect: Subject) -> tuple[str, ...]:
    """The settings that say whether a connector goes on without a record."""
    return TOLERANCE, *(key for key in SKIPPING if key in connect.keys())


@rule("KA1215", "medium", dev="low", regulated="high", each=tolerances)
def errors_swallowed(connect: Subject, key: str) -> Problems:
    """A connector skips records that it cannot handle, and does not report which.

    Why: errors.tolerance=all drops broken records; only a dead letter queue keeps them, and only errors.log.enable
        reports them. errors.* are settings of connectors: in a worker's file they have no effect, and every connector
        stops at its first broken record.
    Fix: set errors.deadletterqueue.topic.name (sinks) or errors.log.enable=true, or errors.tolerance=none, in the
        connector's configuration.
    Bad (connect):
        connector.class=org.apache.kafka.connect.file.FileStreamSinkConnector
        key.converter=org.apache.kafka.connect.json.JsonConverter
        errors.tolerance=all
    Good (connect):
        connector.class=org.apache.kafka.connect.file.FileStreamSinkConnector
        key.converter=org.apache.kafka.connect.json.JsonConverter
        errors.tolerance=all
        errors.log.enable=true
    See: KIP-298
    """
    if key != TOLERANCE:
        if connect.text(key).strip().lower() in SKIPPING[key]:
            yield Problem(key, "a record that the connector cannot handle is left out", "fail")
        return
    applies(connect.str("errors.tolerance").lower() == "all", "errors stop the connector")
    if is_worker(connect):
        text = "a worker ignores errors.*: every connector has its own"
        yield Problem("errors.tolerance", text, "in the connector's configuration", step=-1)
        return
    queue = "errors.deadletterqueue.topic.name" in connect.keys()
    if not queue and not connect.bool("errors.log.enable"):
        yield Problem("errors.tolerance", "the connector drops broken records without a trace", "none")


DEBEZIUM = "io.debezium."
QUEUE, BATCH = "max.queue.size", "max.batch.size"


def is_debezium(connect: Subject) -> bool:
    """Whether the settings are those of a connector of Debezium."""
    return is_connector(connect) and connect.text("connector.class").startswith(DEBEZIUM)


@rule("KA1218", "high", dev="low", aim="by hand: application")
def slot_dropped_on_stop(connect: Subject) -> Problems:
    """Each stop of the connector drops its replication slot, and changes until the next start are never read.

    Why: the slot keeps the write-ahead log from the connector's position on. Without it PostgreSQL may remove the log, and a new slot
        begins where the database is then: a restart, a rebalance or an update of the configuration loses changes.
    Fix: remove slot.drop.on.stop (default false), and drop the slot by hand when the connector is gone for good.
    Care: a slot that nobody reads keeps the write-ahead log until the disk is full.
    Bad (connect):
        name=c
        connector.class=io.debezium.connector.postgresql.PostgresConnector
        slot.drop.on.stop=true
    Good (connect):
        name=c
        connector.class=io.debezium.connector.postgresql.PostgresConnector
        slot.drop.on.stop=false
    See: https://debezium.io/documentation/reference/stable/connectors/postgresql.html
    """
    key = "slot.drop.on.stop"
    applies(is_debezium(connect) and key in connect.keys(), "no connector of Debezium that says so")
    if connect.shape(key) == PLACEHOLDER:
        raise Unknown(f"{key} is filled in later: {connect.text(key)}")
    if connect.text(key).strip().lower() == "true":
        yield Problem(key, "what is written between a stop and the next start is never read", "false")


@rule("KA1219", "high", dev="medium", aim="by hand: load")
def queue_below_batch(connect: Subject) -> Problems:
    """Debezium's queue holds no whole batch, and the connector does not start.

    Why: Debezium refuses a max.queue.size (default 8192) that is not above max.batch.size (default 2048).
    Fix: set max.queue.size to a multiple of max.batch.size.
    Bad (connect):
        name=c
        connector.class=io.debezium.connector.postgresql.PostgresConnector
        max.batch.size=10000
    Good (connect):
        name=c
        connector.class=io.debezium.connector.postgresql.PostgresConnector
        max.batch.size=10000
        max.queue.size=40000
    See: io.debezium.config.CommonConnectorConfig
    """
    sizes = {QUEUE: 8192, BATCH: 2048}
    applies(is_debezium(connect) and not key_names(connect).isdisjoint(sizes), "no connector of Debezium that says so")
    for key in (key for key in sizes if key in connect.keys()):
        text = connect.text(key).strip()
        if not text.isdecimal():
            raise Unknown(f"{key} is no number here: {text}")
        sizes[key] = int(text)
    if sizes[QUEUE] <= sizes[BATCH]:
        keys = sorted(sizes, key=lambda key: key not in connect.keys())
        yield Problem(
            keys,
            f"the queue of {sizes[QUEUE]} records is not above the batch of {sizes[BATCH]}: it does not start",
            f"> {sizes[BATCH]}",
        )


@rule("KA1216", "low", dev="info", since=(3, 3), aim="set exactly.once.source.support=enabled")
def exactly_once_half_way(connect: Subject) -> Problems:
    """The worker is still preparing for exactly-once source connectors.

    Why: `preparing` is the first of two rolling restarts; before the second one, with `enabled`, no connector is
        exactly-once.
    Fix: set exactly.once.source.support=enabled once all workers have been restarted with preparing.
    Bad (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        exactly.once.source.support=preparing
    Good (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        exactly.once.source.support=enabled
    See: KIP-618
    """
    if connect.str("exactly.once.source.support").lower() == "preparing":
        yield Problem("exactly.once.source.support", "no connector is exactly-once yet", "enabled")


@rule("KA1228", "medium", since=(3, 7), refuses=True)
def brokers_and_controllers(client: Subject) -> Problems:
    """An admin client has addresses of both brokers and controllers, and is not created.

    Why: an admin client connects either to brokers or, for the quorum, directly to controllers.
    Fix: keep bootstrap.servers or bootstrap.controllers, not both.
    Bad (admin):
        bootstrap.servers=b1:9092,b2:9092
        bootstrap.controllers=c1:9093
    Good (admin):
        bootstrap.servers=b1:9092,b2:9092
    See: KIP-919, org.apache.kafka.clients.admin.internals.AdminBootstrapAddresses
    """
    controllers, brokers = "bootstrap.controllers", "bootstrap.servers"
    applies(client.kind() == "admin" and client.is_set(controllers), "no controllers are named")
    if client.list(controllers) and client.is_set(brokers) and client.list(brokers):
        yield Problem([controllers, brokers], "the client refuses it beside bootstrap.servers", "unset", refused=True)


SIGNATURE, VERIFICATION = "inter.worker.signature.algorithm", "inter.worker.verification.algorithms"


@rule("KA1252", "critical", since=(2, 4), refuses=True, aim="by hand: address")
def worker_signature_unverified(connect: Subject) -> Problems:
    """Workers sign requests with an algorithm that they do not accept, and the worker does not start.

    Why: inter.worker.verification.algorithms lists the algorithms that a worker accepts from others, and must include
        its own.
    Fix: add the algorithm of inter.worker.signature.algorithm to inter.worker.verification.algorithms.
    Bad (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        inter.worker.signature.algorithm=HmacSHA512
    Good (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        inter.worker.signature.algorithm=HmacSHA512
        inter.worker.verification.algorithms=HmacSHA512,HmacSHA256
    See: KIP-507, org.apache.kafka.connect.runtime.distributed.DistributedConfig
    """
    applies("offset.storage.file.filename" not in connect.keys(), "a standalone worker")
    release = connect.version()
    # Up to 3.2 the wrong one of the two was looked for.
    key = SIGNATURE if release >= (3, 3) else "inter.worker.key.generation.algorithm"
    applies(connect.is_set(key) or connect.is_set(VERIFICATION), "left at their defaults")
    if connect.str(key) not in connect.list(VERIFICATION):
        yield Problem([key, VERIFICATION], f"workers do not accept {connect.str(key)} from each other", refused=True)


@rule("KA1253", "critical", since=(2, 4), refuses=True, aim="by hand: choice")
def worker_key_short(connect: Subject) -> Problems:
    """The key for requests between workers is too short for its algorithm, and the worker does not start.

    Why: Java cannot generate keys of less than 40 bits for HmacSHA2.
    Fix: remove inter.worker.key.size: every algorithm has a suitable default length.
    Bad (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        inter.worker.key.size=16
    Good (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        inter.worker.key.size=256
    See: KIP-507, org.apache.kafka.connect.runtime.distributed.DistributedConfig
    """
    key = "inter.worker.key.size"
    applies(connect.is_set(key) and "offset.storage.file.filename" not in connect.keys(), "left at its default")
    algorithm = connect.str("inter.worker.key.generation.algorithm")
    if algorithm.upper().startswith("HMACSHA") and connect.int(key) < 40:
        yield Problem(
            key, f"{algorithm} needs a key of at least 40 bits, not {connect.int(key)}", "unset", refused=True
        )


@rule("KA1256", "info", confidence="guess", since=(3, 5), aim="set dedicated.mode.enable.internal.rest=true")
def mirror_nodes_apart(mirror: Subject) -> Problems:
    """MirrorMaker nodes with this file cannot notify each other of new topics and partitions.

    Why: the leader of the nodes' group finds new topics and partitions and has to pass them to the others through their
        REST interface, which is off in dedicated mode unless dedicated.mode.enable.internal.rest=true. Without it the
        others keep mirroring only what they had when they started.
    Fix: set dedicated.mode.enable.internal.rest=true and listeners to an address that the other nodes reach; a single
        node needs neither.
    Bad:
        clusters=a,b
        a->b.enabled=true
        dedicated.mode.enable.internal.rest=false
    Good:
        clusters=a,b
        a->b.enabled=true
        dedicated.mode.enable.internal.rest=true
    See: KIP-710, KAFKA-10586
    """
    key = "dedicated.mode.enable.internal.rest"
    applies(key_names(mirror).intersection((key, *REST)), "nothing says that there are several nodes")
    if not mirror.bool(key):
        yield Problem(key, "other nodes learn of no new topics and partitions", "true")


def sync_keys(mirror: Subject) -> tuple[str, ...]:
    """The keys that switch the synchronisation of groups' offsets."""
    return ending(mirror, SYNC) + ((SYNC,) if SYNC in mirror.keys() else ())


@rule("KA1257", "medium", dev="low", each=sync_keys)
def offsets_not_synced(mirror: Subject, key: str) -> Problems:
    """Group offsets are not synchronized to the target cluster, because checkpoints are disabled.

    Why: the task that writes checkpoints also writes the groups' offsets; with emit.checkpoints.enabled=false it is not
        started, and after a failover groups start where auto.offset.reset says.
    Fix: remove emit.checkpoints.enabled=false (default true).
    Bad:
        clusters=a,b
        a->b.enabled=true
        sync.group.offsets.enabled=true
        emit.checkpoints.enabled=false
    Good:
        clusters=a,b
        a->b.enabled=true
        sync.group.offsets.enabled=true
    See: KIP-545, org.apache.kafka.connect.mirror.MirrorCheckpointConnector.taskConfigs
    """
    applies(mirror.bool(key), "not asked for")
    flow, checkpoints = key.removesuffix(SYNC), "emit.checkpoints.enabled"
    decides = flow + checkpoints if flow + checkpoints in key_names(mirror) else checkpoints
    if not mirror.bool(decides):
        yield Problem([key, decides], "group offsets are not synchronized without checkpoints", f"{decides}=true")


@rule("KA1258", "low", dev="info", since=(2, 3))
def worker_restart_rebalances(connect: Subject) -> Problems:
    """Every restart of a worker moves its connectors and tasks to the others, and back again.

    Why: scheduled.rebalance.max.delay.ms (five minutes) is the time in which a worker that left may return to its own
        tasks. With 0 the tasks move at once, twice for each worker in a rolling restart.
    Fix: remove scheduled.rebalance.max.delay.ms, or set it to the time that a worker needs to restart.
    Bad (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        scheduled.rebalance.max.delay.ms=0
    Good (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        scheduled.rebalance.max.delay.ms=60000
    See: KIP-415, https://kafka.apache.org/documentation/#connectconfigs_scheduled.rebalance.max.delay.ms
    """
    applies("offset.storage.file.filename" not in connect.keys(), "a standalone worker")
    applies(connect.str("connect.protocol").lower() != "eager", "the eager protocol moves everything anyway")
    if connect.int("scheduled.rebalance.max.delay.ms") == 0:
        yield Problem(
            "scheduled.rebalance.max.delay.ms", "tasks move to other workers at every restart, and back", "300000"
        )


@rule("KA1259", "medium", dev="low", since=(2, 3), aim="remove connect.protocol")
def eager_workers(connect: Subject) -> Problems:
    """Every rebalance of the workers stops all connectors and tasks.

    Why: with connect.protocol=eager each worker that joins or leaves, and each new connector, stops the whole cluster's
        work; requests between workers are not signed either.
    Fix: remove connect.protocol (default sessioned from Kafka 2.4 on, compatible in 2.3).
    Bad (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        connect.protocol=eager
    Good (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        connect.protocol=sessioned
    See: KIP-415, KIP-507
    """
    applies("offset.storage.file.filename" not in connect.keys(), "a standalone worker")
    if connect.str("connect.protocol").lower() == "eager":
        yield Problem("connect.protocol", "all connectors and tasks stop at each rebalance", "sessioned")


@rule("KA1229", "high", dev="medium", aim="by hand: application")
def mirror_drops_records(deployment: Subject) -> Problems:
    """MirrorMaker 1 goes on after a record that it could not send, and commits its offset.

    Why: with --abort.on.send.failure=false a failed send is counted and logged, and the offsets behind it are committed: the record is
        never in the target cluster, and nothing asks for it again.
    Fix: remove the option (default true): MirrorMaker ends then, and its supervisor starts it from the last commit.
    Care: MirrorMaker 1 is gone from Kafka 4.0 on: MirrorMaker 2 takes its place (connect-mirror-maker.sh).
    Bad (deployment):
        abort.on.send.failure=false
    Good (deployment):
        abort.on.send.failure=true
    See: kafka.tools.MirrorMaker of Apache Kafka 3.9
    """
    applies(deployment.is_set(ABORTS), "no option says it")
    if not deployment.bool(ABORTS):
        yield Problem(ABORTS, "a record that cannot be sent is dropped, and its offset is committed", "true")
