"""Around Kafka: Connect workers, MirrorMaker 2, every client's addresses, the replicas of all their topics."""

from __future__ import annotations

from advisor.catalog.host_aliases import MANY_ADDRESSES
from advisor.catalog.keys import CLIENTS
from advisor.facts import is_local, is_temporary, key_names, servers
from advisor.rule import CLIENT_KINDS, PLACEHOLDER, Problem, Problems, Subject, Unknown, applies, fact, rule

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
SYNC = "sync.group.offsets.enabled"


def ending(config: Subject, *endings: str) -> tuple[str, ...]:
    """The keys that are written with one of the endings behind a prefix."""
    return tuple(key for key in config.keys() if key.endswith(tuple("." + end for end in endings)))


def internal_factors(config: Subject) -> tuple[str, ...]:
    """The settings that say how many replicas the topics of a worker, a mirror or a Streams application get."""
    if config.kind() == "connect":
        return () if "offset.storage.file.filename" in config.keys() else STORAGE
    if config.kind() == "streams":
        return ("replication.factor",)
    if config.kind() != "mirror":
        return ()
    return (*MIRROR_TOPICS, *STORAGE, *ending(config, *MIRROR_TOPICS, *STORAGE))


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


def policy_keys(mirror: Subject) -> tuple[str, ...]:
    """The keys that choose how mirrored topics are called."""
    return ("replication.policy.class", *ending(mirror, "replication.policy.class"))


def address_keys(config: Subject) -> tuple[str, ...]:
    """The keys that name the brokers to start from."""
    if config.kind() in (*CLIENT_KINDS, "connect", "streams"):
        return ("bootstrap.servers",) if config.is_set("bootstrap.servers") else ()
    if config.kind() != "mirror":
        return ()
    return tuple(key for key in ending(config, "bootstrap.servers") if not key.startswith(tuple(CLIENTS)))


def acks_keys(config: Subject) -> tuple[str, ...]:
    """The keys by which a worker, a mirror or a Streams application changes its producers' acks."""
    found = {"streams": ("acks", "producer.acks"), "connect": ("producer.acks",)}.get(config.kind(), ())
    if config.kind() == "mirror":
        found = tuple(key for key in config.keys() if key.endswith("producer.acks"))
    return tuple(key for key in found if key in config.keys())


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


@rule("KA1201", "high", dev="low", regulated="critical", each=internal_factors)
def internal_topic_rf(config: Subject, key: str) -> Problems:
    """An internal topic of a worker, a mirror or a Streams application has too few replicas.

    Why: these topics hold connector configurations, source offsets, translated consumer positions or state. With one
        replica they are lost with one disk and stop everything with one broker.
    Fix: set 3; the factor of a topic that exists already has to be changed by a reassignment. -1 leaves it to the brokers'
        default.replication.factor, which brokers understand from 2.4, Connect from 2.6 and Streams from 3.0 on; Connect
        2.5 and older refuses it.
    Care: the setting does nothing for a topic that exists: reassign it to three replicas. On fewer than three brokers a
        factor of 3 keeps the worker or application from creating the topic, and from starting.
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
    replicas = config.int(key)
    if 0 < replicas < 3:
        yield Problem(key, f"{replicas} of 3 replicas", "3", step=0 if replicas == 1 else -1)


@rule("KA1202", "high", dev="low", regulated="critical", each=mirrored_factors)
def topic_rf_low(mirror: Subject, key: str) -> Problems:
    """Mirrored topics get too few replicas in the target cluster.

    Why: MirrorMaker creates the topics with its own factor (default 2), whatever the source has. One replica is lost
        with one disk, and the mirror was meant for disasters.
    Fix: set replication.factor=3, or -1 for the default of the target brokers (2.4 and newer).
    Care: the setting does nothing for topics that exist in the target: reassign them, with --throttle. On fewer than
        three brokers a factor of 3 keeps new topics from being created.
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
        yield Problem(key, f"{replicas} of 3 replicas", "3", step=0 if replicas == 1 else -2)


@rule("KA1203", "low", dev="info", each=policy_keys)
def identity_policy(mirror: Subject, key: str) -> Problems:
    """Mirrored topics keep their names, so nothing tells a mirrored record from an original one.

    Why: the alias in front of the name is how MirrorMaker recognizes what it has mirrored itself. Without it mirroring
        back, today or one day, runs in circles.
    Fix: keep DefaultReplicationPolicy, or never enable the way back for the same topics.
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
        text = "no alias in front of mirrored topics' names"
        yield Problem(key, text, "DefaultReplicationPolicy", step=0 if goes_both_ways(mirror) else -1)


def goes_both_ways(mirror: Subject) -> bool:
    """Whether two clusters mirror to each other."""
    enabled = {tuple(flow.split("->")) for flow in flows(mirror)}
    return any(direction[::-1] in enabled for direction in enabled)


@rule("KA1204", "high", dev="medium", confidence="likely")
def mirror_cycle(mirror: Subject) -> Problems:
    """Two clusters mirror the same topics to each other under the same names: records go round for ever.

    Why: with IdentityReplicationPolicy each side takes the other's copies for new records.
    Fix: use DefaultReplicationPolicy, mirror in one direction, or different topics in each.
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
            yield Problem(places, f"{flow} and {back} under the same names", step=0 if same else -1)
            return


def _topics(mirror: Subject, flow: str) -> str:
    return mirror.text(f"{flow}.topics" if f"{flow}.topics" in key_names(mirror) else "topics").strip()


@rule("KA1205", "low", dev="info", each=checkpoint_keys)
def no_checkpoints(mirror: Subject, key: str) -> Problems:
    """Without checkpoints consumer groups have no position in the target cluster.

    Why: offsets differ between the clusters; checkpoints translate them. Without, a group that fails over starts at the
        beginning or at the end.
    Fix: leave emit.checkpoints.enabled=true, and consider sync.group.offsets.enabled=true.
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
    """A direction names a cluster that is not in `clusters`: the line does nothing.

    Why: MirrorMaker looks only for pairs of the aliases in `clusters`; anything else is ignored without a word.
    Fix: correct the alias, or add it to `clusters`.
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
        yield Problem([key, "clusters"], f"{strange[0]} is not in clusters")


@rule("KA1207", "medium", dev="low")
def nothing_mirrored(mirror: Subject) -> Problems:
    """No direction is switched on: MirrorMaker runs and mirrors nothing.

    Why: a flow is off unless A->B.enabled=true is written.
    Fix: set A->B.enabled=true.
    Bad:
        clusters=a,b
        a->b.topics=.*
    Good:
        clusters=a,b
        a->b.enabled=true
        a->b.topics=.*
    See: https://kafka.apache.org/documentation/#georeplication-flow-create
    """
    applies("enabled" not in key_names(mirror), "switched for all directions at once")
    if not flows(mirror):
        yield Problem("clusters", "no direction has .enabled=true")


@rule("KA1208", "low", dev="info", each=address_keys)
def single_bootstrap(config: Subject, key: str) -> Problems:
    """One address is all the client knows: while that broker is down it cannot start.

    Why: the list is only asked first; any broker of it tells about all the others. With one, a restart during its
        maintenance fails. A name that stands for several brokers is as good as a list.
    Fix: name two or three brokers.
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
        yield Problem(key, "one bootstrap address", "two or more")


@rule("KA1209", "high", dev="medium", regulated="critical", each=acks_keys)
def acks_not_all(config: Subject, key: str) -> Problems:
    """The producers inside a worker, a mirror or a Streams application do not wait for all in-sync replicas.

    Why: Connect, MirrorMaker and Streams set acks=all themselves and count a record as done when it is acknowledged.
        With less, offsets and state move on while the records die with a leader.
    Fix: remove the override.
    Bad (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        producer.acks=1
    Good (connect):
        bootstrap.servers=b1:9092,b2:9092
        group.id=connect
        producer.acks=all
    See: KIP-679
    """
    acks = config.str(key).lower()
    if acks in ("0", "1"):
        yield Problem(key, f"acks={acks}: a record counts before the followers have it", "all", step=acks == "0")


@rule("KA1210", "high", dev="medium")
def storage_topics_shared(connect: Subject) -> Problems:
    """Two of the worker's storage topics are one.

    Why: configurations, offsets and statuses are read back by key from the start of their topic; in a shared topic the
        worker meets records of another kind, and compaction mixes them.
    Fix: give each of config, offset and status storage a topic of its own.
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
    names = [connect.str(key) for key in keys if connect.is_set(key)]
    if len(set(names)) < len(names):
        yield Problem(keys, "two storages in one topic", "one topic each")


@rule("KA1211", "low", dev="info", each=ignored_topic_settings, changes=True)
def storage_setting_ignored(connect: Subject, key: str) -> Problems:
    """A setting of a storage topic is ignored, because the worker depends on it.

    Why: the configuration topic has one partition and all three are compacted, whatever is written.
    Fix: remove the key.
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
        yield Problem(key, f"ignored, always {kept}", "unset", changes=True, used=kept)


@rule("KA1212", "medium", dev="low")
def worker_heartbeat_order(connect: Subject) -> Problems:
    """The worker's heartbeats are too far apart for its session: it drops out of its own group.

    Why: the coordinator evicts a worker that it has not heard for session.timeout.ms, and its connectors move.
    Fix: keep heartbeat.interval.ms (3000) at a third of session.timeout.ms (10000) or less.
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
        message = f"a heartbeat every {heartbeat} ms in a session of {session} ms"
        yield Problem(keys, message, f"<= {session // 3}", step=1 if heartbeat >= session else -1)


@rule("KA1213", "medium", dev="info")
def advertised_localhost(connect: Subject) -> Problems:
    """The worker tells the other workers to reach it at localhost.

    Why: REST requests that another worker has to answer are forwarded to rest.advertised.host.name; each then asks
        itself.
    Fix: set it to the name by which the other workers reach this one.
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
        yield Problem("rest.advertised.host.name", "other workers are sent to themselves")


@rule("KA1214", "medium", dev="info")
def tmp_offsets_file(connect: Subject) -> Problems:
    """A standalone worker keeps its source offsets under /tmp.

    Why: after a reboot or a cleaning the source connectors start from the beginning and write everything again.
    Fix: set offset.storage.file.filename to a lasting directory.
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
        yield Problem("offset.storage.file.filename", "lost with a reboot")


@fact
def is_worker(connect: Subject) -> bool:
    """Whether the file is a worker's; a connector's names its class."""
    names = key_names(connect)
    return "connector.class" not in names and bool(names & {"bootstrap.servers", "group.id", *STORAGE_TOPICS})


@rule("KA1215", "medium", dev="low", regulated="high")
def errors_swallowed(connect: Subject) -> Problems:
    """A connector skips the records that it cannot handle, and nobody learns which.

    Why: errors.tolerance=all drops broken records; only a dead letter queue keeps them, only errors.log.enable says so.
        errors.* are a connector's settings: in a worker's file nobody reads them, and every connector stops at its first
        broken record.
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
    applies(connect.str("errors.tolerance").lower() == "all", "errors stop the connector")
    if is_worker(connect):
        text = "ignored here: a worker does not read errors.*, each connector has its own"
        yield Problem("errors.tolerance", text, "in the connector's configuration", step=-1)
        return
    queue = "errors.deadletterqueue.topic.name" in connect.keys()
    if not queue and not connect.bool("errors.log.enable"):
        yield Problem("errors.tolerance", "broken records vanish without a trace", "none")


@rule("KA1216", "low", dev="info", since=(3, 3))
def exactly_once_half_way(connect: Subject) -> Problems:
    """The worker is still preparing for exactly-once source connectors.

    Why: `preparing` is the first of two rolling restarts; until the second, with `enabled`, nothing is exactly-once.
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
        yield Problem("exactly.once.source.support", "nothing is exactly-once yet", "enabled")


@rule("KA1228", "medium", since=(3, 7), refuses=True)
def brokers_and_controllers(client: Subject) -> Problems:
    """An admin client is pointed at brokers and at controllers at once, and is not created.

    Why: it talks either to brokers or, for the quorum, directly to controllers.
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
        yield Problem([controllers, brokers], "refused beside bootstrap.servers", "unset", refused=True)


SIGNATURE, VERIFICATION = "inter.worker.signature.algorithm", "inter.worker.verification.algorithms"


@rule("KA1252", "critical", since=(2, 4), refuses=True)
def worker_signature_unverified(connect: Subject) -> Problems:
    """Workers sign requests with an algorithm that they do not take, and the worker does not start.

    Why: inter.worker.verification.algorithms lists what a worker takes from others; its own signature has to be in it.
    Fix: add the algorithm of inter.worker.signature.algorithm to the list.
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
        yield Problem([key, VERIFICATION], f"{connect.str(key)} is not among them", refused=True)


@rule("KA1253", "critical", since=(2, 4), refuses=True)
def worker_key_short(connect: Subject) -> Problems:
    """The key for requests between workers is too short for its algorithm, and the worker does not start.

    Why: Java makes no keys of less than 40 bits for HmacSHA2.
    Fix: leave inter.worker.key.size unset: every algorithm has a good length of its own.
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
        yield Problem(key, f"{connect.int(key)} bits, {algorithm} takes at least 40", "unset", refused=True)


@rule("KA1256", "info", confidence="guess", since=(3, 5))
def mirror_nodes_apart(mirror: Subject) -> Problems:
    """Several MirrorMaker nodes with this file cannot tell each other of new topics and partitions.

    Why: the node that leads its group finds new topics and partitions and has to hand them to the others by their REST
        interface, which is off in dedicated mode unless dedicated.mode.enable.internal.rest=true. Without, the others
        go on with what they had when they started.
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
        yield Problem(key, "nodes beside this one learn of no new topic", "true")


def sync_keys(mirror: Subject) -> tuple[str, ...]:
    """The keys that switch the synchronisation of groups' offsets."""
    return ending(mirror, SYNC) + ((SYNC,) if SYNC in mirror.keys() else ())


@rule("KA1257", "medium", dev="low", each=sync_keys)
def offsets_not_synced(mirror: Subject, key: str) -> Problems:
    """The offsets of consumer groups are to be written to the target cluster, but without checkpoints there are none.

    Why: the task that writes checkpoints is the one that writes the groups' offsets; with emit.checkpoints.enabled=false
        it is not started, and after a failover groups begin where auto.offset.reset sends them.
    Fix: remove emit.checkpoints.enabled=false.
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
        yield Problem([key, decides], "no checkpoints, no offsets", f"{decides}=true")


@rule("KA1258", "low", dev="info", since=(2, 3))
def worker_restart_rebalances(connect: Subject) -> Problems:
    """Every restart of a worker moves its connectors and tasks to the others, and back again.

    Why: scheduled.rebalance.max.delay.ms (five minutes) is the time in which a worker that left may come back to its
        own tasks. With 0 they move at once, twice for each worker of a rolling restart.
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
        yield Problem("scheduled.rebalance.max.delay.ms", "tasks move with every restart", "300000")


@rule("KA1259", "medium", dev="low", since=(2, 3))
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
        yield Problem("connect.protocol", "everything stops at each rebalance", "sessioned")
