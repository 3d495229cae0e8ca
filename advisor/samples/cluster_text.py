"""Parse a running cluster written as a few lines of text: for rules' examples, and for tests.

kafka 4.3                                    its release, and `zookeeper` where ZooKeeper keeps the metadata
brokers 1/a 2/b !3/c                         ids with racks; ! is down, ~ is fenced
broker 1 log.dirs=/data                      what stands in a broker's file (* is every broker)
cluster-wide min.insync.replicas=2           a dynamic default of all brokers, which topics inherit
topic orders retention.ms=1000               a topic and what is set on it
0: leader 1 replicas 1,2,3 isr 1,2 elr 3     one of its partitions, or 0-9 that are alike; offline 3 is a failed disk
group pay state=EMPTY members=0 committed=orders/0:5
quorum leader=101 voters=101,102 observers=1 behind=102 (unheard=102: not a word since the election)
features metadata.version=29/30              finalized and highest level
logdir 1 /data free=5 total=100 partitions=3 or error=KafkaStorageError
acl User:* topic * ALL
ensemble voters=3 up=3 deletions=gone
reassigning orders/0                         partitions whose replicas move
unread groups: not permitted                 what could not be read, and why
[producer orders]                            the lines below are a client's file, of a client that uses the topic
"""

from __future__ import annotations

from advisor import catalog
from advisor.catalog.target import release_of
from advisor.model import (
    CLIENT_KINDS,
    DYNAMIC_DEFAULT_BROKER,
    DYNAMIC_TOPIC,
    HIDDEN,
    LITERAL,
    LIVE,
    MASK,
    STATIC_BROKER,
    Broker,
    Entity,
    Setting,
    Snapshot,
    Target,
    Topic,
)
from advisor.model.cluster import (
    ALIVE,
    DEAD,
    FENCED,
    KRAFT,
    NOBODY,
    ZOOKEEPER,
    Acl,
    Group,
    Live,
    LogDir,
    Node,
    Partition,
    Quorum,
    QuorumMember,
    ZooKeeperFacts,
    ZooKeeperServer,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from advisor.model import Version

NAME = "example"
STATES = {"!": DEAD, "~": FENCED}
HIDE = "hidden"


class ClusterTextReader:
    """Reads the lines of a cluster text; `snapshot` returns the result."""

    def __init__(self) -> None:
        self.live = Live("example:9092", NAME, "2026-01-01T00:00:00+00:00", KRAFT)
        self.target = Target(catalog.NEWEST, "the example says so", given=True)
        self.settings: dict[str, dict[str, Setting]] = {}
        self.shared: dict[str, Setting] = {}
        self.unreadable: dict[str, str] = {}
        self.topics: list[tuple[str, dict[str, Setting], list[Partition]]] = []
        self.groups: list[Group] = []
        self.acls: list[Acl] = []
        self.clients: list[tuple[str, tuple[str, ...], list[str]]] = []

    def read(self, line: str) -> None:
        """Read one line."""
        if line.startswith("["):
            kind, *topics = line.strip("[]").split()
            self.clients.append((kind, tuple(topics), []))
        elif self.clients:
            self.clients[-1][2].append(line)
        elif line[0].isdigit():
            self.partition(line)
        else:
            word, _, fields = line.partition(" ")
            READERS[word](self, fields.split())

    def kafka(self, words: list[str]) -> None:
        """The Kafka release and the mode."""
        version: Version = release_of(words[0])[0]
        self.target = Target(version, "the example says so", given=True)
        self.live.metadata = ZOOKEEPER if "zookeeper" in words else KRAFT

    def brokers(self, words: list[str]) -> None:
        """Broker ids, racks and states."""
        nodes = []
        for word in words:
            id, _, rack = word.lstrip("!~").partition("/")
            nodes.append(Node(int(id), f"b{id}", 9092, rack or None, STATES.get(word[0], ALIVE)))
        self.live.nodes = tuple(nodes)

    def broker(self, words: list[str]) -> None:
        """A broker's own settings, or why there are none."""
        if words[1] == "unreadable":
            self.unreadable[words[0]] = " ".join(words[2:])
        self.settings.setdefault(words[0], {}).update(settings(words[1:], STATIC_BROKER))

    def cluster_wide(self, words: list[str]) -> None:
        """Dynamic cluster-wide defaults."""
        self.shared.update(settings(words, DYNAMIC_DEFAULT_BROKER))

    def topic(self, words: list[str]) -> None:
        """A topic and its own settings."""
        self.topics.append((words[0], settings(words[1:], DYNAMIC_TOPIC), []))

    def partition(self, line: str) -> None:
        """A range of partitions of the topic above, all with the same replicas."""
        ids, _, fields = line.partition(":")
        first, _, last = ids.partition("-")
        for id in range(int(first), int(last or first) + 1):
            self.add_partition(id, fields)

    def add_partition(self, id: int, fields: str) -> None:
        """One partition of the topic above."""
        words = fields.split()
        values = dict(zip(words[::2], words[1::2], strict=True))
        leader = NOBODY if values["leader"] == "none" else int(values["leader"])
        ids = {name: numbers(values.get(name, "")) for name in ("replicas", "isr", "elr", "last", "offline", "sizes")}
        partition = Partition(id, leader, ids["replicas"], ids["isr"], ids["elr"], ids["last"], ids["offline"])
        partition.sizes = ids["sizes"] or None
        if values.get("elr") == "?":
            partition.elr = None
        self.topics[-1][2].append(partition)

    def group(self, words: list[str]) -> None:
        """A consumer group."""
        values = pairs(words[1:])
        offsets = [offset.partition(":") for offset in values.get("committed", "").split(",") if offset]
        committed = {(at.partition("/")[0], int(at.partition("/")[2])): int(to) for at, _, to in offsets}
        members = values.get("members")
        unread = values.get("unread", "").replace("_", " ") or None
        lag = {("orders", 0): int(values["lag"])} if "lag" in values else None
        self.groups.append(
            Group(words[0], values.get("state"), members=int(members) if members else None,
                  committed=None if unread else committed, lag=lag, unread=unread)
        )  # fmt: skip

    def quorum(self, words: list[str]) -> None:
        """Voters and observers; those that are behind were last heard of a minute ago."""
        values = pairs(words)
        behind, unheard = numbers(values.get("behind", "")), numbers(values.get("unheard", ""))
        members = [
            QuorumMember(
                id, True, 500 if id in behind else 0, None if id in unheard else 60_000 if id in behind else 10
            )
            for id in numbers(values["voters"])
        ]
        members += [QuorumMember(id, False, 0, 10) for id in numbers(values.get("observers", ""))]
        self.live.quorum = Quorum(int(values["leader"]), 1, members)

    def features(self, words: list[str]) -> None:
        """Finalized and highest levels."""
        levels = {name: text.partition("/") for name, text in pairs(words).items()}
        self.live.features = {name: int(now) for name, (now, _, _) in levels.items()}
        self.live.supported = {name: int(most or now) for name, (now, _, most) in levels.items()}

    def logdir(self, words: list[str]) -> None:
        """A log directory of a broker."""
        values = pairs(words[2:])
        sizes = [int(values[name]) if name in values else None for name in ("total", "free", "partitions")]
        dir = LogDir(words[1], values.get("error"), *sizes)
        self.live.log_dirs[int(words[0])] = (*self.live.log_dirs.get(int(words[0]), ()), dir)

    def acl(self, words: list[str]) -> None:
        """An access rule: principal, resource, name, operation."""
        principal, resource, name, operation = words
        self.acls.append(Acl(resource.upper(), name, "LITERAL", principal, "*", operation, "ALLOW"))

    def ensemble(self, words: list[str]) -> None:
        """The ZooKeeper ensemble."""
        values, facts = pairs(words), ZooKeeperFacts()
        facts.ensemble = int(values["voters"]) if "voters" in values else None
        up = int(values.get("up", values.get("voters", "0")))
        facts.servers = tuple(
            ZooKeeperServer(f"zk{number}:2181", "follower" if number < up else None)
            for number in range(int(values.get("voters", "0")))
        )
        facts.controller = 1
        facts.deletions = tuple(values["deletions"].split(",")) if "deletions" in values else ()
        facts.isr_changes = int(values.get("isr-changes", "0"))
        facts.log_dir_events = numbers(values.get("log-dir-events", ""))
        facts.open_nodes = tuple(values["open"].split(",")) if "open" in values else ()
        facts.old_consumers = tuple(values["old-consumers"].split(",")) if "old-consumers" in values else ()
        facts.migration = values.get("migration") == "yes"
        if values.get("srvr") == "refused":
            facts.servers = tuple(
                ZooKeeperServer("zk:2181", unread="is not in its 4lw.commands.whitelist") for _ in "123"
            )
        for name in values.get("unread", "").split(","):
            if name:
                facts.unread[name] = "the server does not answer"
        self.live.zookeeper = facts

    def reassigning(self, words: list[str]) -> None:
        """Partitions whose replicas move, as topic/partition."""
        moving = [word.rpartition("/") for word in words]
        self.live.reassignments = tuple((topic, int(partition)) for topic, _, partition in moving)

    def unread(self, words: list[str]) -> None:
        """What could not be read, and why."""
        name, _, why = " ".join(words).partition(": ")
        self.live.unread[name] = why

    def snapshot(self) -> Snapshot:
        """The snapshot of all lines read."""
        self.live.groups = None if "groups" in self.live.unread and not self.groups else tuple(self.groups)
        self.live.acls = tuple(self.acls) or None
        entities: list[Entity] = [self._broker(node) for node in self.live.nodes]
        entities += [self._topic(*row) for row in self.topics]
        joined = {}
        for number, (kind, topics, lines) in enumerate(self.clients):
            client = self._client(kind, f"{kind}-{number}.properties", lines)
            joined[client.name] = topics
            entities.append(client)
        return Snapshot(NAME, entities, live=self.live, joined=joined)

    def _broker(self, node: Node) -> Broker:
        own = {**self.shared_for_file("*"), **self.shared_for_file(str(node.id))}
        missing = self.unreadable.get(str(node.id)) or ("the broker is down" if node.state == DEAD else None)
        kraft = self.live.metadata == KRAFT
        mode = settings(["process.roles=broker", f"node.id={node.id}"], STATIC_BROKER) if kraft else {}
        effective = {} if missing else {**mode, **own, **self.shared}
        kind = (
            "combined" if "controller" in effective.get("process.roles", Setting("", "", "", LIVE)).value else "broker"
        )
        broker = Broker(kind, str(node.id), None, effective, self.target, cluster=NAME, missing=missing)
        broker.overridden = {
            key: ((above.source, above.value), (own[key].source, own[key].value))
            for key, above in self.shared.items()
            if key in own
        }
        return broker

    def shared_for_file(self, id: str) -> dict[str, Setting]:
        """The settings of a broker's file."""
        return self.settings.get(id, {})

    def _topic(self, name: str, own: dict[str, Setting], partitions: list[Partition]) -> Topic:
        inherited = {
            key: setting for key, setting in self.shared.items() if catalog.lookup("topic", self.target.version, key)
        }
        missing = own.pop("missing").value.replace("_", " ") if "missing" in own else None
        topic = Topic("topic", name, None, {**inherited, **own}, self.target, cluster=NAME, missing=missing)
        topic.partitions = tuple(partitions) if partitions or missing is None else None
        topic.internal = name.startswith("__")
        return topic

    def _client(self, kind: str, name: str, lines: list[str]) -> Entity:
        if kind not in CLIENT_KINDS:
            raise ValueError(f"no client: {kind}")
        from collectors.files.reader import entity_of

        return entity_of("\n".join(lines), name, kind, self.target, kind)


def settings(words: list[str], source: str) -> dict[str, Setting]:
    """key=value words as settings; the value `hidden` is one that a running cluster keeps to itself."""
    by_key = {}
    for key, value in pairs(words).items():
        shown = MASK if value == HIDE else value
        by_key[key] = Setting(
            key, shown, source, LIVE, secret=value == HIDE, shape=HIDDEN if value == HIDE else LITERAL
        )
    return by_key


def pairs(words: list[str]) -> dict[str, str]:
    """key=value words."""
    return dict(word.split("=", 1) for word in words if "=" in word)


def numbers(text: str) -> tuple[int, ...]:
    """Comma-separated ids."""
    return tuple(int(number) for number in text.split(",") if number.strip("- ?"))


READERS: dict[str, Callable[[ClusterTextReader, list[str]], None]] = {
    "kafka": ClusterTextReader.kafka,
    "brokers": ClusterTextReader.brokers,
    "broker": ClusterTextReader.broker,
    "cluster-wide": ClusterTextReader.cluster_wide,
    "topic": ClusterTextReader.topic,
    "group": ClusterTextReader.group,
    "quorum": ClusterTextReader.quorum,
    "features": ClusterTextReader.features,
    "logdir": ClusterTextReader.logdir,
    "acl": ClusterTextReader.acl,
    "ensemble": ClusterTextReader.ensemble,
    "reassigning": ClusterTextReader.reassigning,
    "unread": ClusterTextReader.unread,
}


def parse_cluster(text: str) -> Snapshot:
    """Parse a cluster text into a snapshot."""
    reader = ClusterTextReader()
    for line in text.splitlines():
        if line.strip():
            reader.read(line.strip())
    return reader.snapshot()
