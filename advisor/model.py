"""Plain facts about one cluster, each with its origin. No file format, no rule and no judgement lives here."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Version = tuple[int, int]

MASK = "********"

LITERAL, PLACEHOLDER, EMPTY = "literal", "placeholder", "empty"

SERVER_KINDS = ("broker", "controller", "combined")
CLIENT_KINDS = ("producer", "consumer", "client", "admin")
KINDS = (*SERVER_KINDS, *CLIENT_KINDS, "topic", "connect", "streams", "mirror", "zookeeper")

DEFAULT, STATIC_BROKER, DYNAMIC_TOPIC, CLIENT_FILE = "DEFAULT", "STATIC_BROKER", "DYNAMIC_TOPIC", "CLIENT_FILE"


class Origin:
    """Where a setting stands: lines and columns count from 1; `text` is the source line with every secret masked."""

    __slots__ = ("column", "file", "line", "text")

    def __init__(self, file: str, line: int, column: int, text: str) -> None:
        self.file = file
        self.line = line
        self.column = column
        self.text = text


class Jaas:
    """What a rule may know of a JAAS line: its login modules, and why it cannot be parsed (None: it can)."""

    __slots__ = ("modules", "problem")

    def __init__(self, modules: tuple[str, ...], problem: str | None) -> None:
        self.modules = modules
        self.problem = problem


class Setting:
    """One key as it was written. The value of a secret is masked before it gets here; `shape` says what it was.

    `provider` is the configuration provider that the value asks, as ${provider:path:key} does.
    """

    __slots__ = ("jaas", "key", "origin", "provider", "secret", "shadowed", "shape", "source", "value")

    def __init__(
        self,
        key: str,
        value: str,
        source: str,
        origin: Origin,
        *,
        secret: bool = False,
        shape: str = LITERAL,
        jaas: Jaas | None = None,
        provider: str | None = None,
        shadowed: Sequence[Setting] = (),
    ) -> None:
        self.key = key
        self.value = value
        self.source = source
        self.origin = origin
        self.secret = secret
        self.shape = shape
        self.jaas = jaas
        self.provider = provider
        self.shadowed = shadowed


class Target:
    """The Kafka release that something is judged for, and why that one."""

    __slots__ = ("given", "reason", "version")

    def __init__(self, version: Version, reason: str, given: bool = False) -> None:
        self.version = version
        self.reason = reason
        self.given = given

    @property
    def text(self) -> str:
        """The version as Kafka writes it."""
        return f"{self.version[0]}.{self.version[1]}"


class Entity:
    """Something that has settings: a node, a client, a topic, a worker, an ensemble."""

    __slots__ = ("family", "file", "format", "kind", "name", "settings", "target")

    def __init__(
        self,
        kind: str,
        name: str,
        file: str | None,
        settings: dict[str, Setting],
        target: Target,
        family: str = "java",
        format: str = "properties",
    ) -> None:
        self.kind = kind
        self.name = name
        self.file = file
        self.settings = settings
        self.target = target
        self.family = family
        self.format = format


class Broker(Entity):
    """A Kafka node: broker, controller or both (its kind says which)."""

    __slots__ = ()


class Client(Entity):
    """A producer, consumer, admin client, Connect worker, Streams application or MirrorMaker."""

    __slots__ = ()


class Topic(Entity):
    """A topic's own settings."""

    __slots__ = ()


class ZooKeeperEnsemble(Entity):
    """A ZooKeeper server's configuration, with the ensemble it names."""

    __slots__ = ()


class Suppression:
    """A comment that silences rules: for the key below it, or (line-less) for its whole file."""

    __slots__ = ("file", "key", "line", "reason", "rules", "until")

    def __init__(
        self, file: str, line: int, key: str | None, rules: tuple[str, ...], reason: str, until: str | None
    ) -> None:
        self.file = file
        self.line = line
        self.key = key
        self.rules = rules
        self.reason = reason
        self.until = until


class Snapshot:
    """Facts about one cluster: the entities in it, and the clients that were joined to it."""

    __slots__ = ("entities", "name", "suppressions")

    def __init__(self, name: str, entities: Sequence[Entity], suppressions: Iterable[Suppression] = ()) -> None:
        self.name = name
        self.entities = tuple(entities)
        self.suppressions = tuple(suppressions)
