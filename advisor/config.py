"""The effective settings of one subject, and the questions a rule may ask of them."""

from __future__ import annotations

from advisor import catalog
from advisor.catalog import Definition, extra, values
from advisor.finding import Evidence
from advisor.model import CLIENT_FILE, DEFAULT, DYNAMIC_TOPIC, EMPTY, LITERAL, PLACEHOLDER, STATIC_BROKER
from advisor.prefixes import PREFIXES, without_prefix
from advisor.rule import NotApplicable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from advisor.model import Entity, Setting, Version

Int = int
Str = str
Bool = bool
Float = float
List = list

OPENERS = ("$", "{", "<", "@", "%")
"""What a key begins with that a template fills in: it may become any key."""

COMPONENTS = {
    "broker": ("broker", "remote-log-manager", "authorizer"),
    "controller": ("broker", "remote-log-manager", "authorizer"),
    "combined": ("broker", "remote-log-manager", "authorizer"),
    "producer": ("producer",),
    "consumer": ("consumer",),
    "admin": ("admin",),
    "client": ("producer", "consumer", "admin"),
    "topic": ("topic",),
    "connect": ("connect", "connect-source", "connect-sink"),
    "connect-standalone": ("connect-standalone", "connect-source", "connect-sink"),
    "streams": ("streams", "consumer", "producer", "admin"),
    "mirror": ("mm2-connector", "mm2-source", "mm2-checkpoint", "mm2-heartbeat", "mirror", "connect"),
    "zookeeper": ("zookeeper",),
    "librdkafka": ("librdkafka",),
}
"""Where the definitions of a subject's keys are looked up, first found wins."""

SYNONYMS = {
    "log.retention.ms": (("log.retention.minutes", 60_000), ("log.retention.hours", 3_600_000)),
    "log.roll.ms": (("log.roll.hours", 3_600_000),),
    "log.roll.jitter.ms": (("log.roll.jitter.hours", 3_600_000),),
    "log.flush.interval.ms": (("log.flush.scheduler.interval.ms", 1),),
    "log.dirs": (("log.dir", 1),),
    "node.id": (("broker.id", 1),),
    "broker.id": (("node.id", 1),),
    "advertised.listeners": (("listeners", 1),),
    "metadata.log.dir": (("log.dirs", 1), ("log.dir", 1)),
}
"""Keys that another key stands in for when they are not set, and how many of its units one of the other's is."""

ALIASES = {
    "bootstrap.servers": "metadata.broker.list",
    "max.in.flight.requests.per.connection": "max.in.flight",
    "sasl.mechanism": "sasl.mechanisms",
    "max.partition.fetch.bytes": "fetch.message.max.bytes",
    "linger.ms": "queue.buffering.max.ms",
    "retries": "message.send.max.retries",
    "compression.type": "compression.codec",
    "acks": "request.required.acks",
    "delivery.timeout.ms": "message.timeout.ms",
}
"""librdkafka's other spelling of a Java key."""


class Unknown(Exception):
    """Something that exists could not be read; the text says what and why."""


class Unreadable:
    """The answer to a question whose setting cannot be read. All are one answer: the reason belongs to the subject."""

    __slots__ = ("reason",)

    def __init__(self, reason: Str) -> None:
        self.reason = reason

    def __eq__(self, other: object) -> Bool:
        return type(other) is Unreadable

    def __hash__(self) -> Int:
        return 1


class Absent:
    """The answer to a question for a key that the target version does not know."""

    __slots__ = ("reason",)

    def __init__(self, reason: Str) -> None:
        self.reason = reason

    def __eq__(self, other: object) -> Bool:
        return type(other) is Absent

    def __hash__(self) -> Int:
        return 2


class At:
    """A key of one of a rule's inputs."""

    __slots__ = ("input", "key")

    def __init__(self, input: Int, key: Str) -> None:
        self.input = input
        self.key = key


Question = tuple[Str, "Hashable"]
"""(what is asked, of which key or fact)."""


class Config:
    """One subject's settings over the defaults of its version."""

    __slots__ = ("answers", "components", "definitions", "entity", "file", "items", "librdkafka", "name", "settings", "template",
                 "version")  # fmt: skip

    def __init__(self, entity: Entity) -> None:
        self.entity = entity
        self.name = (entity.kind, entity.name)
        self.file = entity.file
        self.settings = entity.settings
        self.version = entity.target.version
        self.librdkafka = entity.family == "librdkafka"
        self.components = COMPONENTS[component_of(entity)]
        self.answers: dict[Question, Hashable] = {}
        self.definitions: dict[Str, Definition | None] = {}
        self.items: dict[object, tuple[object, ...]] = {}
        self.template = next((key for key in entity.settings if key[:1] in OPENERS), None)

    def answer(self, question: Question) -> Hashable:
        """The answer, remembered: a value, Unreadable or Absent."""
        answers = self.answers
        if question not in answers:
            what, key = question
            answers[question] = ANSWERS[what](self, str(key)) if what in ANSWERS else self._fact(question)
        return answers[question]

    def _fact(self, question: Question) -> Hashable:
        return FACTS[question[0]].answer(Facts(0, self, []), question[1])

    def definition(self, key: Str) -> Definition | None:
        """Kafka's definition of the key in the target version, prefixes such as `listener.name.x.` taken off."""
        if key not in self.definitions:
            components, bare = self.resolve(key)
            found = (_definition(component, self.version, bare) for component in components)
            self.definitions[key] = next((definition for definition in found if definition), None)
        return self.definitions[key]

    def resolve(self, key: Str) -> tuple[tuple[Str, ...], Str]:
        """The components that may define the key, and the key without its prefix."""
        if self.entity.kind not in PREFIXES:
            return self.components, key
        found = without_prefix(self.entity.kind, key, self.settings)
        return found if found else (self.components, key)

    def find(self, key: Str) -> tuple[Setting | None, Int]:
        """The setting that decides the key, and how many of the key's units one of its units is."""
        setting = self.settings.get(key)
        if setting is not None:
            return setting, 1
        if self.librdkafka and key in ALIASES:
            return self.settings.get(ALIASES[key]), 1
        for other, factor in SYNONYMS.get(key, ()):
            if other in self.settings:
                return self.settings[other], factor
        return None, 1

    def default(self, key: Str) -> tuple[Str | None, Int]:
        """The version's default as text and its factor, that of a synonym where the key itself has none.

        Raises LookupError(why) where the version does not know the key, KeyError where no version does.
        """
        definition = self.definition(key)
        if definition is None:
            if not (key in self.settings or known(self.resolve(key)[1])):
                raise KeyError(f"no catalog knows {key}")
            raise LookupError(f"{key} is not a setting of {self.release}")
        if definition.default is None:
            for other, factor in SYNONYMS.get(key, ()):
                stand_in = self.definition(other)
                if stand_in is not None and stand_in.default is not None:
                    return stand_in.default, factor
        return definition.default, 1

    @property
    def release(self) -> Str:
        """What the defaults are those of: Kafka 4.4, librdkafka."""
        return "librdkafka" if self.librdkafka else f"Kafka {self.version[0]}.{self.version[1]}"

    @property
    def source(self) -> Str:
        """The source of a setting that stands in this subject's file."""
        kind = self.entity.kind
        return (
            STATIC_BROKER
            if kind in ("broker", "controller", "combined")
            else (DYNAMIC_TOPIC if kind == "topic" else CLIENT_FILE)
        )

    def evidence(self, question: Question) -> list[Evidence]:
        """What the answer rests on, resolved through this subject's own settings."""
        what, key = question
        if what in FACTS:
            reads: Reads = []
            FACTS[what].answer(Facts(0, self, reads), key)
            return [row for read in reads for row in self.evidence(read[1])]
        if what in ("version", "version given", "family", "kind", "keys", "definition", "resolve") or not isinstance(
            key, str
        ):
            return []
        return [self.row(key)]

    def row(self, key: Str) -> Evidence:
        """The key's effective value with its source and place; a default has no place."""
        setting, _ = self.find(key)
        if setting is not None:
            place = setting.origin
            return Evidence(self.name, setting.key, setting.value, setting.source, place.file, place.line)
        try:
            text, factor = self.default(key)
        except LookupError:
            text, factor = None, 1
        if text is not None and factor != 1:
            text = str(int(text) * factor)
        return Evidence(self.name, key, text, DEFAULT, None, None)

    def setting(self, key: Str) -> Setting | None:
        """The setting that decides the key, None where the default does."""
        return self.find(key)[0]


_definitions: dict[tuple[Str, Version, Str], Definition | None] = {}


def _definition(component: Str, version: Version, key: Str) -> Definition | None:
    """The one object for a definition, so that equal answers are one answer."""
    known = (component, version, key)
    if known not in _definitions:
        if component in extra.COMPONENTS:
            row = extra.COMPONENTS[component].get(key)
            _definitions[known] = None if row is None else Definition(key, row)
        else:
            _definitions[known] = catalog.lookup(component, version, key)
    return _definitions[known]


def known(key: Str) -> Bool:
    """Whether any version of any component has or had the key."""
    return bool(catalog.known_anywhere(key)) or any(key in table for table in extra.COMPONENTS.values())


def component_of(entity: Entity) -> Str:
    """The row of COMPONENTS for an entity."""
    if entity.family == "librdkafka":
        return "librdkafka"
    if entity.kind == "connect" and "offset.storage.file.filename" in entity.settings:
        return "connect-standalone"
    return entity.kind


def _value(config: Config, key: Str, read: Callable[[Definition, Str], Hashable]) -> Hashable:
    setting, factor = config.find(key)
    try:
        default, default_factor = ("", 1) if setting is not None else config.default(key)
        definition = config.definition(setting.key if setting else key)
    except KeyError:
        raise
    except LookupError as absent:
        return Absent(str(absent))
    if setting is None and config.template:
        return Unreadable(f"{config.template} may become {key}")
    if setting is None:
        return None if default is None or definition is None else _times(read(definition, default), default_factor)
    if definition is None:
        return Absent(f"{setting.key} is not a setting of {config.release}")
    if setting.shape == PLACEHOLDER or (setting.secret and setting.shape == LITERAL):
        return Unreadable(f"{setting.key} is {'a secret' if setting.secret else 'filled in later: ' + setting.value}")
    try:
        return _times(read(definition, setting.value), factor)
    except values.Invalid as bad:
        return Unreadable(f"{setting.key}={setting.value.strip()}: {bad}")


def _times(value: Hashable, factor: Int) -> Hashable:
    return value * factor if factor != 1 and isinstance(value, int) else value


def _typed(config: Config, key: Str) -> Hashable:
    return _value(config, key, values.parse)


def _str(config: Config, key: Str) -> Hashable:
    return _value(config, key, lambda _, text: text.strip())


def _list(config: Config, key: Str) -> Hashable:
    return _value(config, key, lambda _, text: tuple(item.strip() for item in text.split(",")) if text.strip() else ())


def _text(config: Config, key: Str) -> Hashable:
    setting, _ = config.find(key)
    if setting is not None:
        return setting.value
    try:
        return config.default(key)[0]
    except KeyError:
        raise
    except LookupError as absent:
        return Absent(str(absent))


def _is_set(config: Config, key: Str) -> Hashable:
    if config.find(key)[0] is not None:
        return True
    if config.definition(key) is None and not known(config.resolve(key)[1]):
        raise KeyError(f"no catalog knows {key}")
    return False


def _shape(config: Config, key: Str) -> Hashable:
    setting = config.find(key)[0]
    return EMPTY if setting is None else setting.shape


def _jaas(config: Config, key: Str) -> Hashable:
    setting = config.find(key)[0]
    if setting is None or setting.jaas is None:
        return None
    return (setting.jaas.modules, setting.jaas.problem)


ANSWERS: dict[Str, Callable[[Config, Str], Hashable]] = {
    "int": _typed,
    "float": _typed,
    "bool": _typed,
    "str": _str,
    "list": _list,
    "text": _text,
    "set": _is_set,
    "shape": _shape,
    "secret": lambda config, key: bool(config.setting(key) and config.settings[key].secret),
    "jaas": _jaas,
    "provider": lambda config, key: config.settings[key].provider if key in config.settings else None,
    "earlier": lambda config, key: tuple(other.value for other in config.settings[key].shadowed),
    "resolve": lambda config, key: config.resolve(key),
    "version": lambda config, _: config.version,
    "version given": lambda config, _: config.entity.target.given,
    "family": lambda config, _: config.entity.family,
    "kind": lambda config, _: config.entity.kind,
    "keys": lambda config, _: tuple(config.settings),
    "definition": lambda config, key: config.definition(key),
}
"""How each kind of question is answered."""

Reads = List[tuple[Int, Question, "Hashable"]]


class Facts:
    """One input of a rule: it answers typed questions and notes every one, whatever the answer."""

    __slots__ = ("_config", "_index", "_reads")

    def __init__(self, index: Int, config: Config, reads: Reads) -> None:
        self._index = index
        self._config = config
        self._reads = reads

    def _ask(self, question: Question) -> Hashable:
        answer = self._config.answer(question)
        self._reads.append((self._index, question, answer))
        if type(answer) is Unreadable:
            raise Unknown(answer.reason)
        if type(answer) is Absent:
            raise NotApplicable(answer.reason)
        return answer

    def int(self, key: Str) -> Int:
        """The effective whole number, in the key's own unit."""
        return self._ask(("int", key))  # type: ignore[return-value]

    def optional_int(self, key: Str) -> Int | None:
        """The effective whole number, None where Kafka's default is null."""
        return self._ask(("int", key))  # type: ignore[return-value]

    def float(self, key: Str) -> Float:
        """The effective floating point number."""
        return self._ask(("float", key))  # type: ignore[return-value]

    def bool(self, key: Str) -> Bool:
        """The effective boolean."""
        return self._ask(("bool", key))  # type: ignore[return-value]

    def str(self, key: Str) -> Str:
        """The effective text, trimmed as Kafka trims it; empty where Kafka's default is null."""
        return self._ask(("str", key)) or ""  # type: ignore[return-value]

    def list(self, key: Str) -> tuple[Str, ...]:
        """The effective comma-separated items."""
        return self._ask(("list", key)) or ()  # type: ignore[return-value]

    def text(self, key: Str) -> Str:
        """The text as written, placeholders included and secrets masked; the default's where the key is not set."""
        return self._ask(("text", key)) or ""  # type: ignore[return-value]

    def is_set(self, key: Str) -> Bool:
        """Whether the key (or one that stands in for it) is written down at all, whatever its value."""
        return self._ask(("set", key))  # type: ignore[return-value]

    def shape(self, key: Str) -> Str:
        """`literal`, `placeholder` or `empty`: all a rule may know of a secret's value."""
        return self._ask(("shape", key))  # type: ignore[return-value]

    def is_secret(self, key: Str) -> Bool:
        """Whether the key's value is a secret."""
        return self._ask(("secret", key))  # type: ignore[return-value]

    def jaas(self, key: Str) -> tuple[tuple[Str, ...], Str | None] | None:
        """(login modules, why the line cannot be parsed) of a JAAS setting, None where it is not set."""
        return self._ask(("jaas", key))  # type: ignore[return-value]

    def provider(self, key: Str) -> Str | None:
        """The configuration provider that the value asks, as ${provider:path:key} does."""
        return self._ask(("provider", key))  # type: ignore[return-value]

    def earlier(self, key: Str) -> tuple[Str, ...]:
        """The values under the same key further up in the file, which the last one replaces."""
        return self._ask(("earlier", key))  # type: ignore[return-value]

    def resolve(self, key: Str) -> tuple[tuple[Str, ...], Str]:
        """The components that may define the key, and the key without its prefix (`listener.name.x.`, `producer.`)."""
        return self._ask(("resolve", key))  # type: ignore[return-value]

    def version(self) -> Version:
        """The target version, (major, minor)."""
        return self._ask(("version", ""))  # type: ignore[return-value]

    def version_given(self) -> Bool:
        """Whether somebody said which version it is: on the command line, in the configuration, or in the file."""
        return self._ask(("version given", ""))  # type: ignore[return-value]

    def family(self) -> Str:
        """The client family: `java` or `librdkafka`."""
        return self._ask(("family", ""))  # type: ignore[return-value]

    def kind(self) -> Str:
        """What sort of configuration this is: broker, controller, combined, producer, …"""
        return self._ask(("kind", ""))  # type: ignore[return-value]

    def keys(self) -> tuple[Str, ...]:
        """Every key that is written down, in the order of the file."""
        return self._ask(("keys", ""))  # type: ignore[return-value]

    def definition(self, key: Str) -> Definition | None:
        """Kafka's definition of the key in the target version."""
        return self._ask(("definition", key))  # type: ignore[return-value]

    def values(self, key: Str) -> tuple[Str | None, ...]:
        """The key's text on every node of the cluster, in the nodes' order (`cluster` and `quorum` only)."""
        return self._ask(("values", key))  # type: ignore[return-value]

    def at(self, key: Str) -> At:
        """The place of one of this input's keys, for a Problem."""
        return At(self._index, key)


class ClusterConfig(Config):
    """The settings of all nodes of one cluster: the first node that sets a key speaks for all."""

    __slots__ = ("nodes",)

    def __init__(self, kind: Str, name: Str, nodes: Sequence[Config]) -> None:
        super().__init__(nodes[0].entity)
        self.name = (kind, name)
        self.nodes = tuple(nodes)

    def speaker(self, key: Str) -> Config:
        """The first node that sets the key, else the first node."""
        return next((node for node in self.nodes if node.find(key)[0] is not None), self.nodes[0])

    def answer(self, question: Question) -> Hashable:
        """The answer of the first node that sets the key, or every node's."""
        if question not in self.answers:
            self.answers[question] = self._answer(question)
        return self.answers[question]

    def _answer(self, question: Question) -> Hashable:
        what, key = question
        if what == "values":
            return tuple(node.answer(("text", key)) for node in self.nodes)
        if what == "kinds":
            return tuple(node.entity.kind for node in self.nodes)
        if what in ANSWERS and isinstance(key, str):
            return self.speaker(key).answer(question)
        return self._fact(question)

    def find(self, key: Str) -> tuple[Setting | None, Int]:
        """The setting of the first node that has one."""
        return Config.find(self.speaker(key), key) if self.speaker(key) is not self.nodes[0] else super().find(key)

    def evidence(self, question: Question) -> List[Evidence]:
        """Every node's setting for a comparison, the speaker's for anything else."""
        what, key = question
        if what == "values":
            return [node.row(str(key)) for node in self.nodes]
        if what in ANSWERS and isinstance(key, str):
            return self.speaker(key).evidence(question)
        return super().evidence(question)


class Fact:
    """A fact that follows from settings: a function of one input, noted as one question, with the settings it read."""

    __slots__ = ("function", "name")

    def __init__(self, function: Callable[..., Hashable]) -> None:
        self.function = function
        self.name = function.__code__.co_name

    def __call__(self, facts: Facts, *arguments: Hashable) -> Hashable:
        """Ask for the fact, as a rule does."""
        return facts._ask((self.name, arguments))

    def answer(self, facts: Facts, arguments: Hashable) -> Hashable:
        """Work the fact out."""
        try:
            return self.function(facts, *arguments)  # type: ignore[misc]
        except Unknown as unknown:
            return Unreadable(str(unknown))
        except NotApplicable as absent:
            return Absent(str(absent))


FACTS: dict[Str, Fact] = {}

if TYPE_CHECKING:
    from typing import TypeVar

    F = TypeVar("F", bound=Callable[..., Hashable])


def fact(function: F) -> F:
    """Declare a derived fact; rules call it with one of their inputs."""
    found = Fact(function)
    FACTS[found.name] = found
    return found  # type: ignore[return-value]
