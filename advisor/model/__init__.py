"""The data model: entities, settings and snapshots. No file format, no rule and no judgement in here."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from advisor.model.cluster import Live, Partition

Version = tuple[int, int]
Span = tuple[int, int, int, int]
"""First line and column of a text and those behind its end, from 1."""
MASK = "********"
PEM_TEXT = "(PEM text)"
"""The key under which lines of PEM text stand that no line before them goes on with."""
LITERAL, PLACEHOLDER, EMPTY, HIDDEN = "literal", "placeholder", "empty", "hidden"
"""What a value is: there as it is, filled in later, nothing, or kept to itself by a running cluster."""
OVERLAY = "broker-overlay"
"""Settings of a broker that a platform adds to its own: Amazon MSK, Strimzi, Confluent for Kubernetes."""
SERVER_KINDS = ("broker", "controller", "combined", OVERLAY)
CLIENT_KINDS = ("producer", "consumer", "client", "admin")
APPLICATION_KINDS = ("connect", "streams", "mirror")
"""What runs clients of its own."""
KINDS = (*SERVER_KINDS, *CLIENT_KINDS, "topic", *APPLICATION_KINDS, "zookeeper")
DEPLOYMENT = "deployment"
"""The kind that no properties file is: what a container, an operator or a service runs Kafka with."""
IN_BLOCK = "prevent_destroy"
"""The guard of a resource that Terraform itself heeds, as long as its block is there."""
OF_TOPIC, OF_USER, OF_BROKERS = "its topic", "its user", "its brokers"
OF_CLUSTER, OF_ACCESS, OF_CONNECTOR = "its cluster", "its access", "its connector"
OF_SCHEMA, OF_PROTECTION, OF_NODE = "its schema", "its protection", "its node"
"""What goes from the cluster with a resource, or with a node's file."""
UNFOLLOWED = "*"
"""In place of the folder of a root module: the calls of the module are not followed, for any of which a resource may stand."""
DEFAULT, STATIC_BROKER, DYNAMIC_TOPIC, CLIENT_FILE = "DEFAULT", "STATIC_BROKER", "DYNAMIC_TOPIC", "CLIENT_FILE"
DYNAMIC_BROKER, DYNAMIC_DEFAULT_BROKER, METADATA = "DYNAMIC_BROKER", "DYNAMIC_DEFAULT_BROKER", "METADATA"
TOPIC_OR_BROKER = "TOPIC_OR_BROKER"
"""Kafka's levels of settings, TOPIC_OR_BROKER where an output does not say which; METADATA is what a running cluster says
that is not a setting."""


MOST_DIGITS = 18
"""Digits of a whole number that fits a Java long whatever they are."""


def is_whole_number(text: str) -> bool:
    """Whether a text is one to eighteen of 0 to 9: what is taken for a number in names, addresses and options."""
    return len(text) <= MOST_DIGITS and text.isascii() and text.isdigit()


class Origin:
    """The origin of a setting: file, line and column from 1; None for what was read from a running cluster."""

    __slots__ = ("column", "file", "line")

    def __init__(self, file: str | None, line: int | None, column: int | None) -> None:
        self.file = file
        self.line = line
        self.column = column


class Login:
    """Whom a JAAS line logs in as, or lets in: it says whether that is one of some users, and never shows it.

    Of the password only a hash is kept, salted for this run; None where it is not written out.
    """

    __slots__ = ("_password", "_user")

    def __init__(self, user: str, password: str | None = None) -> None:
        self._user = user
        self._password = None if password is None else hash(password)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Login) and other._user == self._user

    def __hash__(self) -> int:
        return hash(self._user)

    def is_one_of(self, principals: Sequence[str]) -> bool:
        """Whether it is one of the principals, written as User:name."""
        return f"User:{self._user}" in principals

    def named_with(self, ending: str) -> Login:
        """Another user, whose name ends so, with a password of its own."""
        return Login(self._user + ending, ending)

    def is_let_in_by(self, users: Iterable[Login]) -> bool | None:
        """Whether one of the users has its name and its password; None where a password is not written out."""
        passwords = [each._password for each in users if each == self]
        if not passwords:
            return False
        return None if None in (self._password, *passwords) else self._password in passwords


class Jaas:
    """What a rule may know of a JAAS line: its login modules, and why it cannot be parsed (None: it can).

    `login` is whom it logs in as, None where it does not say so in plain text; `users` are those whom a PLAIN server lets in.
    """

    __slots__ = ("login", "modules", "problem", "users")

    def __init__(
        self,
        modules: tuple[str, ...],
        problem: str | None,
        login: Login | None = None,
        users: Sequence[Login] = (),
    ) -> None:
        self.modules = modules
        self.problem = problem
        self.login = login
        self.users = users


class Setting:
    """A setting as written. A secret's value is already masked; `shape` says what it was.

    Rules judge `value`; outputs show `shown` (see advisor.secrets.disclosure). `key` is Kafka's name, `written` the
    file's where that differs, `lead` the key and what follows it where it stands in the file, `span` where the value
    stands. `parts` are pieces of the value that stand at places of their own, by their names. `provider` is the
    configuration provider that the value asks, as ${provider:path:key} does. `conditional` is one in a branch of a template,
    `derived` what a value was made of that is not written, `variable` one whose default the value is, `quoted` the line of
    the file.
    """

    __slots__ = (
        "conditional",
        "derived",
        "jaas",
        "key",
        "lead",
        "origin",
        "parts",
        "provider",
        "quoted",
        "secret",
        "shadowed",
        "shape",
        "shown",
        "source",
        "span",
        "value",
        "variable",
        "written",
    )

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
        shown: str | None = None,
    ) -> None:
        self.key = key
        self.value = value
        self.shown = value if shown is None else shown
        self.source = source
        self.origin = origin
        self.secret = secret
        self.shape = shape
        self.jaas = jaas
        self.provider = provider
        self.shadowed = shadowed
        self.span: Span | None = None
        self.written: str | None = None
        self.lead = f"{key}="
        self.parts: Mapping[str, Setting] | None = None
        self.conditional = False
        self.derived = ""
        self.variable = ""
        self.quoted: str | None = None


class Target:
    """The Kafka release to judge for, and why that one.

    `vendor` is whose release it was called, and its number there; `stated` is the setting of a file that says so, such as
    the tag of an image.
    """

    __slots__ = ("given", "reason", "stated", "vendor", "version")

    def __init__(
        self,
        version: Version,
        reason: str,
        given: bool = False,
        vendor: tuple[str, Version] | None = None,
        stated: Setting | None = None,
    ) -> None:
        self.version = version
        self.reason = reason
        self.given = given
        self.vendor = vendor
        self.stated = stated

    @property
    def text(self) -> str:
        """The version as Kafka writes it."""
        return f"{self.version[0]}.{self.version[1]}"


LIVE = Origin(None, None, None)
"""The origin of everything that a running cluster said."""


class Spelling:
    """How a file spells the keys of an entity: a form of the name behind a prefix, or a name of its own.

    `in_fixes` is what to write there for a key, or for KEY=VALUE, that fields make.
    """

    __slots__ = ("form", "in_fixes", "names", "prefix")

    def __init__(
        self,
        prefix: str = "",
        form: Callable[[str], str] | None = None,
        names: Mapping[str, str] | None = None,
        in_fixes: Mapping[str, str] | None = None,
    ) -> None:
        self.in_fixes = in_fixes or {}
        self.prefix = prefix
        self.form = form
        self.names = names or {}

    def spell(self, key: str) -> str:
        """Kafka's key as the file would spell it."""
        if key in self.names:
            return self.names[key]
        return self.prefix + (self.form(key) if self.form else key)


class Entity:
    """Something that has settings: a node, a client, a topic, a worker, an ensemble.

    A running cluster's entities have no file but a `cluster`, the stable name that findings are placed by; `described`
    are the defaults as its brokers gave them, or as a platform documents them; `missing` is why nothing could be read of
    it; `removal` is what the tool that manages it deletes in the cluster when its resource goes (none: nothing), `known_as` its
    name there where that is another, `resource` the name of the resource that declares it, if a tool knows it by that, `root` the folder of the root module that calls the module of it, `instances_unknown` says that it stands for any number of them, `replaced` why a plan
    deletes and creates it anew (empty: it does not; None: there is no plan), `guards` the fields that keep it from being deleted; `fragment` says who decides what the file leaves out, where that is not Kafka's default, and `changed_by` what sets keys
    in a way that cannot be followed. `mounts` are the paths in its container and the volume at each, None where it is in none. `member_of` names the
    cluster that a file counts it among, `servers` are the brokers to which the tool connects that declares it, `cluster_size` is the number of its brokers, `replicas` that of the nodes which an operator makes of it or of the containers of a client (0: not known; None: it is one); `platform` says whose the `described`
    defaults are, `places` where a log printed them.
    """

    __slots__ = (
        "changed_by",
        "cluster",
        "cluster_size",
        "described",
        "family",
        "file",
        "format",
        "fragment",
        "guards",
        "instances_unknown",
        "kind",
        "known_as",
        "member_of",
        "missing",
        "mounts",
        "name",
        "places",
        "platform",
        "removal",
        "replaced",
        "replicas",
        "resource",
        "root",
        "servers",
        "settings",
        "spelling",
        "target",
    )

    def __init__(
        self,
        kind: str,
        name: str,
        file: str | None,
        settings: dict[str, Setting],
        target: Target,
        family: str = "java",
        format: str = "properties",
        *,
        cluster: str | None = None,
        described: Mapping[str, str | None] | None = None,
        missing: str | None = None,
        fragment: str = "",
    ) -> None:
        self.member_of: tuple[str, str] | None = None
        self.servers = ""
        self.cluster_size: int | None = None
        self.replicas: int | None = None
        self.platform = ""
        self.removal = ""
        self.known_as: str | None = None
        self.resource: str | None = None
        self.root = ""
        self.instances_unknown = False
        self.replaced: str | None = None
        self.guards: tuple[str, ...] = ()
        self.changed_by = ""
        self.mounts: tuple[tuple[str, str], ...] | None = None
        self.places: Mapping[str, Origin] | None = None
        self.spelling: Spelling | None = None
        self.cluster = cluster
        self.described = described
        self.missing = missing
        self.fragment = fragment
        self.kind = kind
        self.name = name
        self.file = file
        self.settings = settings
        self.target = target
        self.family = family
        self.format = format

    @property
    def title(self) -> str:
        """The file, and the name where the file's format gives the entity one."""
        return f"{self.file}" if self.format == "properties" else f"{self.file}: {self.name}"


class Broker(Entity):
    """A Kafka node: broker, controller or both (its kind says which).

    A running broker's `overridden` maps a key to the (source, value) pairs that its effective value stands above.
    """

    __slots__ = ("overridden",)

    overridden: Mapping[str, tuple[tuple[str, str | None], ...]]


class Client(Entity):
    """A producer, consumer, admin client, Connect worker, Streams application or MirrorMaker."""

    __slots__ = ()


class Topic(Entity):
    """A topic's own settings; a running cluster's topic has partitions, None where they could not be read."""

    __slots__ = ("internal", "partitions")

    internal: bool
    partitions: Sequence[Partition] | None


class ZooKeeperEnsemble(Entity):
    """A ZooKeeper server's configuration, with the ensemble it names."""

    __slots__ = ()


class Suppression:
    """A comment that suppresses rules for the key below it, or (line-less) for its whole file.

    `line_of_key` is that of the key where a file may hold the same key several times.
    """

    __slots__ = ("file", "key", "line", "line_of_key", "reason", "rules", "until")

    def __init__(
        self, file: str, line: int, key: str | None, rules: tuple[str, ...], reason: str, until: str | None
    ) -> None:
        self.line_of_key: int | None = None
        self.file = file
        self.line = line
        self.key = key
        self.rules = rules
        self.reason = reason
        self.until = until


class Snapshot:
    """The entities of one cluster, and the clients joined to it.

    `live` holds what a running cluster says of itself beside its settings; `paired` are the ids of the clients that name the
    cluster in their files, of which it is not known which topics they use. `applications` name it, too, and are judged by
    themselves elsewhere: MirrorMaker connects to several clusters.
    """

    __slots__ = ("applications", "entities", "joined", "live", "name", "paired", "suppressions")

    def __init__(
        self,
        name: str,
        entities: Sequence[Entity],
        suppressions: Iterable[Suppression] = (),
        live: Live | None = None,
        joined: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.live = live
        self.paired: frozenset[int] = frozenset()
        self.applications: tuple[Entity, ...] = ()
        self.joined = joined or {}
        self.name = name
        self.entities = tuple(entities)
        self.suppressions = tuple(suppressions)


class Member:
    """A member of a subject group: its name, and its partitions that belong to the group."""

    __slots__ = ("name", "partitions")

    def __init__(self, name: str, partitions: Sequence[Partition] = ()) -> None:
        self.name = name
        self.partitions = partitions
