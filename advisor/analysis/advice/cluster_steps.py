"""The steps of a running cluster, in the order in which they are safe."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from advisor import catalog
from advisor.analysis.advice.aims import RACKS, REMOVE, REPLICAS, SET, VOTERS, Aim
from advisor.analysis.advice.changes import BROKER, CLUSTER, STATIC, TOPIC, Change, ConfigChange, Reassignment
from advisor.analysis.advice.placement import Brokers, NoRoom, brokers_of, place
from advisor.analysis.advice.step import Cost, Step, cost_of_moves
from advisor.facts.cluster import NO_PARTITIONS, min_isr_of
from advisor.model import (
    CLIENT_KINDS,
    DYNAMIC_BROKER,
    DYNAMIC_DEFAULT_BROKER,
    DYNAMIC_TOPIC,
    SERVER_KINDS,
    Entity,
    Snapshot,
    Topic,
)
from advisor.model.cluster import Live
from advisor.model.finding import Finding

UNCLEAN, MIN_ISR = "unclean.leader.election.enable", "min.insync.replicas"
WANTED_REPLICAS, WANTED_MIN_ISR = 3, 2
READ_ONLY = "read-only"
FIRST = ("__consumer_offsets", "__transaction_state")
"""The internal topics on which every consumer and every transaction depends: they come first."""
SECURITY = ("KA6",)


@dataclass(frozen=True)
class Draft:
    """What a step is built from: the snapshot as it is by then, and what is asked for."""

    snapshot: Snapshot
    aims: Sequence[tuple[Finding, Aim]]
    spread: bool
    throttle: int
    obstacles: list[str]
    unknown: list[str]

    @property
    def live(self) -> Live:
        """The cluster's state."""
        assert self.snapshot.live is not None
        return self.snapshot.live

    @property
    def topics(self) -> list[Topic]:
        """All topics."""
        return [entity for entity in self.snapshot.entities if isinstance(entity, Topic)]

    @property
    def nodes(self) -> list[Entity]:
        """All brokers."""
        return [entity for entity in self.snapshot.entities if entity.kind in SERVER_KINDS]

    def asked(self, *words: str) -> list[tuple[Finding, Aim]]:
        """The findings whose aim is one of these."""
        return [(finding, aim) for finding, aim in self.aims if aim.what in words]


def unclean_off(draft: Draft) -> list[Step]:
    """Switch unclean leader election off, before anything is moved."""
    if not any(aim.key == UNCLEAN for _, aim in draft.asked(SET, REMOVE)):
        return []
    changes: list[Change] = []
    for node in draft.nodes:
        setting = node.settings.get(UNCLEAN)
        if setting is not None and setting.source == DYNAMIC_BROKER:
            changes.append(ConfigChange(BROKER, node.name, ((UNCLEAN, None),)))
    if any(node.settings.get(UNCLEAN) is not None for node in draft.nodes):
        changes.append(ConfigChange(CLUSTER, "", ((UNCLEAN, "false"),)))
    for topic in draft.topics:
        setting = topic.settings.get(UNCLEAN)
        if setting is not None and setting.source == DYNAMIC_TOPIC and setting.value.strip() == "true":
            changes.append(ConfigChange(TOPIC, topic.name, ((UNCLEAN, None),)))
    return [
        Step(
            "unclean-off",
            "Switch unclean leader election off",
            "a replica that lacks acknowledged records must not become leader, least of all while replicas are moved",
            tuple(changes),
            by_hand=("take the line out of the brokers' files at their next restart",) if draft.nodes else (),
            risk="a partition whose whole ISR is down stays offline until one of its members is back",
        )
    ]


def racks(draft: Draft) -> list[Step]:
    """Racks must be known before replicas are spread over them."""
    silent = [node.id for node in draft.live.nodes if not node.rack]
    if not draft.spread or not silent:
        return []
    ids = ", ".join(map(str, silent))
    draft.obstacles.append(f"brokers {ids} do not say their rack: replicas cannot be spread over racks yet")
    return [
        Step(
            "racks",
            "Set broker.rack on every broker",
            "Kafka and this plan spread replicas over racks only where every broker says its own",
            by_hand=(f"set broker.rack in the files of brokers {ids}, and restart them one by one",),
            cost=Cost(restarts=len(silent)),
            risk="each restart takes a replica of every partition on that broker away for some minutes",
        )
    ]


def replicas(draft: Draft, internal: bool) -> list[Step]:
    """Give topics the replicas that they lack; internal ones first."""
    names = {
        finding.entity[1]
        for finding, aim in draft.asked(REPLICAS, *([RACKS] if draft.spread else []))
        if finding.entity[0] == "topic"
    }
    topics = [topic for topic in draft.topics if topic.name in names and is_internal(topic) == internal]
    if not topics:
        return []
    if draft.unknown or any(topic.partitions is None for topic in draft.topics):
        why = draft.unknown[0] if draft.unknown else NO_PARTITIONS
        draft.unknown.append(f"no replica is placed, because not all of them were read: {why}")
        return []
    brokers = brokers_of(draft.live, draft.topics)
    moves = tuple(all_moves(sorted(topics, key=order), brokers, draft))
    if not moves:
        return []
    return [
        Step(
            "internal-replicas" if internal else "replicas",
            f"Add replicas to {'internal' if internal else 'user'} topics",
            "a topic with fewer than three replicas loses records or stops with one broker or its disk",
            moves,
            cost=cost_of_moves(moves, draft.throttle),
            risk="the replicas are copied over the clients' network, at the throttle; each partition gets its new replica "
            "before it gives up an old one, and keeps its leader",
            needs=() if internal else ("internal-replicas",),
        )
    ]


def order(topic: Topic) -> tuple[bool, str]:
    """Sort key: the topics on which all others depend first."""
    return topic.name not in FIRST, topic.name


def is_internal(topic: Topic) -> bool:
    """Whether a topic is Kafka's own."""
    return topic.internal or topic.name.startswith("__")


def all_moves(topics: Sequence[Topic], brokers: Brokers, draft: Draft) -> Iterator[Reassignment]:
    """The reassignments of all topics; what cannot be placed stands in the way of the goal."""
    for topic in topics:
        least = min_isr_of(topic) or 1
        wanted = max(WANTED_REPLICAS, least + 1)
        if wanted > len(brokers.racks):
            count = len(brokers.racks)
            draft.obstacles.append(
                f"topic {topic.name}: {wanted} replicas take {wanted} live brokers; there are {count}"
            )
            continue
        try:
            yield from place(topic.name, topic.partitions or (), wanted, brokers, draft.spread)
        except NoRoom as why:
            draft.obstacles.append(str(why))


def min_isr(draft: Draft) -> list[Step]:
    """Require two in-sync replicas, once there are three; on topics or cluster-wide, never in brokers' files."""
    if not any(aim.key == MIN_ISR for _, aim in draft.asked(SET)):
        return []
    ready = [topic for topic in draft.topics if is_ready(topic)]
    small = [topic for topic in draft.topics if topic.partitions is None or fewest_replicas(topic) < WANTED_REPLICAS]
    required = ((MIN_ISR, str(WANTED_MIN_ISR)),)
    cluster_wide = [ConfigChange(CLUSTER, "", required)]
    cluster_wide += [ConfigChange(TOPIC, topic.name, required) for topic in ready if has_own(topic, MIN_ISR)]
    by_topic = [ConfigChange(TOPIC, topic.name, required) for topic in ready]
    ways = [by_topic] if small or draft.unknown else [cluster_wide, by_topic]
    return [min_isr_step(way) for way in ways if ready]


def min_isr_step(changes: Sequence[Change]) -> Step:
    """One way to require two in-sync replicas."""
    return Step(
        "min-isr",
        "Require two replicas in sync for acks=all",
        "with min.insync.replicas=1 the leader alone may acknowledge a record, and lose it with its host",
        tuple(changes),
        risk="while two of three replicas of a partition are down, it refuses acks=all writes",
        needs=("internal-replicas", "replicas"),
    )


def is_ready(topic: Topic) -> bool:
    """Whether a topic has replicas enough, and requires only one in sync."""
    return bool(topic.partitions) and fewest_replicas(topic) >= WANTED_REPLICAS and min_isr_of(topic) == 1


def fewest_replicas(topic: Topic) -> int:
    """The least number of replicas of a topic's partitions."""
    return min((len(partition.replicas) for partition in topic.partitions or ()), default=0)


def has_own(topic: Topic, key: str) -> bool:
    """Whether a key is set on the topic itself."""
    setting = topic.settings.get(key)
    return setting is not None and setting.source == DYNAMIC_TOPIC


def topic_settings(draft: Draft) -> list[Step]:
    """Set and delete the other settings of topics."""
    changes = [
        ConfigChange(TOPIC, finding.entity[1], ((aim.key, aim.value),))
        for finding, aim in draft.asked(SET, REMOVE)
        if finding.entity[0] == "topic" and aim.key not in (UNCLEAN, MIN_ISR) and is_topic_key(aim.key, draft)
    ]
    if not changes:
        return []
    return [
        Step(
            "topic-settings",
            "Change settings of topics",
            "each of these settings does harm where it is",
            tuple(dict.fromkeys(changes)),
            risk="they apply at once; segments that exist may be deleted or compacted by the new value",
        )
    ]


def is_topic_key(key: str, draft: Draft) -> bool:
    """Whether a key is one of topics."""
    return catalog.lookup("topic", draft.snapshot.entities[0].target.version, key) is not None


def broker_settings(draft: Draft) -> list[Step]:
    """Change settings of brokers that apply without a restart."""
    changes = list(dict.fromkeys(change for pair in server_aims(draft) for change in dynamic_changes(*pair, draft)))
    if not changes:
        return []
    return [
        Step(
            "broker-settings",
            "Change settings of brokers that apply at once",
            "each of these settings does harm where it is",
            tuple(changes),
            risk="dynamic settings outrank the brokers' files: take the lines out there as well",
        )
    ]


def broker_files(draft: Draft) -> list[Step]:
    """Change settings that brokers read when they start."""
    changes = [
        ConfigChange(STATIC, "" if finding.entity[0] == "cluster" else finding.entity[1], ((aim.key, aim.value),))
        for finding, aim in server_aims(draft)
        if not list(dynamic_changes(finding, aim, draft))
    ]
    if not changes:
        return []
    return [
        Step(
            "broker-files",
            "Change brokers' files, and restart them one by one",
            "these settings are read when a broker starts",
            tuple(dict.fromkeys(changes)),
            cost=Cost(restarts=len(draft.nodes)),
            risk="each restart takes a replica of every partition on that broker away: impact --rolling-restart has a safe order",
            needs=("internal-replicas", "replicas"),
        )
    ]


def server_aims(draft: Draft) -> Iterator[tuple[Finding, Aim]]:
    """Settings of brokers to set or remove; security is a sequence of its own."""
    for finding, aim in draft.asked(SET, REMOVE):
        is_server = finding.entity[0] in (*SERVER_KINDS, "node", "cluster")
        if is_server and aim.key not in (UNCLEAN, MIN_ISR) and not finding.rule.startswith(SECURITY):
            yield finding, aim


def dynamic_changes(finding: Finding, aim: Aim, draft: Draft) -> Iterator[ConfigChange]:
    """The dynamic changes that reach an aim; none where the setting is read at the start only."""
    definition = catalog.lookup("broker", draft.snapshot.entities[0].target.version, aim.key)
    if definition is None or (definition.update_mode or READ_ONLY) == READ_ONLY:
        return
    nodes = [node for node in draft.nodes if finding.entity[0] == "cluster" or node.name == finding.entity[1]]
    sources = {node.name: setting.source for node in nodes if (setting := node.settings.get(aim.key)) is not None}
    for name, source in sources.items():
        if source == DYNAMIC_BROKER:
            yield ConfigChange(BROKER, name, ((aim.key, None),))
    value = aim.value if aim.value is not None else definition.default
    if DYNAMIC_DEFAULT_BROKER in sources.values() and aim.value is None:
        yield ConfigChange(CLUSTER, "", ((aim.key, None),))
    elif value is not None and set(sources.values()) != {DYNAMIC_BROKER}:
        yield ConfigChange(CLUSTER, "", ((aim.key, value),))


def quorum(draft: Draft) -> list[Step]:
    """More controllers: a command only where the quorum is dynamic, else a migration."""
    if not draft.asked(VOTERS):
        return []
    is_dynamic = (draft.live.features or {}).get("kraft.version", 0) >= 1
    how = (
        "format two more controllers with --no-initial-controllers, start them, then on each: "
        "kafka-metadata-quorum.sh --bootstrap-server HOST:PORT --command-config controller.properties add-controller"
        if is_dynamic
        else "the quorum is static (kraft.version 0): list three voters in controller.quorum.voters of every node; changing "
        "a static quorum takes all controllers down together, or an upgrade to kraft.version 1 first (Kafka 4.1)"
    )
    return [
        Step(
            "quorum",
            "Run three controllers",
            "with one voter the loss of its disk is the loss of all metadata, and its restart stops every election",
            by_hand=(how,),
            risk="a voter that is added and not caught up counts for the majority: wait for its lag to be 0 before the next",
        )
    ]


def security(draft: Draft) -> list[Step]:
    """TLS and authentication: a sequence in which brokers and clients never lose each other."""
    rules = sorted({finding.rule for finding, _ in draft.aims if finding.rule.startswith(SECURITY) and finding.severity in ("critical", "high")})  # fmt: skip
    if not rules:
        return []
    return [
        Step(
            "security",
            "Secure the listeners, step by step",
            f"{', '.join(rules)} say that something may be read or changed without authentication",
            by_hand=(
                "add a listener of its own with SASL_SSL (or SSL) to every broker, and restart them one by one",
                "create the users and ACLs, and deploy every client with the new listener",
                "set inter.broker.listener.name to the new listener, and restart the brokers one by one",
                "when no client is left on it, remove the old listener, and only then allow.everyone.if.no.acl.found",
            ),
            cost=Cost(restarts=3 * len(draft.nodes)),
            risk="switching one listener over in place locks out every client that is not deployed at the same moment",
        )
    ]


def clients(draft: Draft) -> list[Step]:
    """Changes of the clients that were joined."""
    lines = [
        f"{finding.file or finding.entity[1]}{f':{finding.line}' if finding.line else ''}: "
        f"{'remove ' + aim.key if aim.value is None else f'set {aim.key}={aim.value}'}"
        for finding, aim in draft.asked(SET, REMOVE)
        if finding.entity[0] in CLIENT_KINDS
    ]
    if not lines:
        return []
    files = {line.partition(":")[0] for line in lines}
    return [
        Step(
            "clients",
            "Deploy the clients anew",
            "what clients ask for decides what an acknowledgement means",
            by_hand=tuple(dict.fromkeys(lines)),
            cost=Cost(clients=len(files)),
            risk="with acks=all a producer waits for every replica in sync: latency grows by one round trip between brokers",
            needs=("min-isr",),
        )
    ]


BUILDERS: tuple[Callable[[Draft], list[Step]], ...] = (
    unclean_off,
    racks,
    partial(replicas, internal=True),
    partial(replicas, internal=False),
    broker_files,
    broker_settings,
    min_isr,
    topic_settings,
    clients,
    quorum,
    security,
)
