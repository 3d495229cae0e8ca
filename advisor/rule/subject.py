"""Subject: a rule's view of one input, which records every question and its answer; and @fact, for derived facts."""

from __future__ import annotations

from advisor.catalog.host_aliases import lists_addresses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any, Protocol

    from advisor.catalog import Definition
    from advisor.model import Login, Version

    class Answers(Protocol):
        """Who is asked: a subject's Config (advisor.config)."""

        def answer(self, question: Question) -> Hashable:
            """The answer to a question: a value, Unreadable or Absent."""


Int = int
Str = str
Bool = bool
Float = float
List = list


class NotApplicable(Exception):
    """Raised where a rule does not apply to the subject; the text says why."""


class Unknown(Exception):
    """Raised where something that exists could not be read; the text says what and why."""


class Unreadable:
    """The answer to a question whose setting cannot be read. All are one answer: the reason belongs to the subject."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __eq__(self, other: object) -> bool:
        return type(other) is Unreadable

    def __hash__(self) -> int:
        return 1


class Absent:
    """The answer to a question for a key that the target version does not know."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __eq__(self, other: object) -> bool:
        return type(other) is Absent

    def __hash__(self) -> int:
        return 2


AT_LEAST = "at least"
"""The question whether the target version is a release or a later one."""
NOT_ASKED = object()
"""Stands for the answer where a question makes no sense for a subject: to ask it is a mistake of the rule."""


class At:
    """A key of one of a rule's inputs."""

    __slots__ = ("input", "key")

    def __init__(self, input: Int, key: Str) -> None:
        self.input = input
        self.key = key


Question = tuple[Str, "Hashable"]
"""(what is asked, of which key or fact)."""
Reads = List[tuple[Int, Question, "Hashable"]]


class Subject:
    """One input of a rule: it answers typed questions and notes every one, whatever the answer."""

    __slots__ = ("_config", "_index", "_reads")

    def __init__(self, index: Int, config: Answers, reads: Reads) -> None:
        self._index = index
        self._config = config
        self._reads = reads

    def _ask(self, question: Question) -> Hashable:
        try:
            answer = self._config.answer(question)
        except KeyError:
            self._reads.append((self._index, question, NOT_ASKED))
            raise
        self._reads.append((self._index, question, answer))
        if type(answer) is Unreadable:
            raise Unknown(answer.reason)
        if type(answer) is Absent:
            raise NotApplicable(answer.reason)
        return answer

    def int(self, key: Str) -> Int:
        """The effective whole number, in the key's own unit."""
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

    def outline(self, key: Str) -> Str:
        """The text, for lists of addresses with stand-ins for ordinary host names: for answers that do not show them."""
        return self._ask(("outline" if lists_addresses(key) else "text", key)) or ""  # type: ignore[return-value]

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

    def login(self, key: Str) -> Login | None:
        """Whom a JAAS setting logs in as, None where it is not set or does not say."""
        return self._ask(("login", key))  # type: ignore[return-value]

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

    def at_least(self, release: Version) -> Bool:
        """Whether the target version is that release or a later one: releases that answer alike share verdicts."""
        return self._ask((AT_LEAST, f"{release[0]}.{release[1]}"))  # type: ignore[return-value]

    def version_given(self) -> Bool:
        """Whether the version was stated: on the command line, in the configuration, or in the file."""
        return self._ask(("version given", ""))  # type: ignore[return-value]

    def vendor(self) -> tuple[Str, Version] | None:
        """(vendor, its own number of the release) where a vendor's release was named, as cp7.9 does."""
        return self._ask(("vendor", ""))  # type: ignore[return-value]

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

    def source(self, key: Str) -> Str:
        """The level that the effective value comes from: DEFAULT, STATIC_BROKER, DYNAMIC_DEFAULT_BROKER, …"""
        return self._ask(("source", key))  # type: ignore[return-value]

    def removal(self) -> Str:
        """What the tool that manages this deletes in the cluster when its resource goes: OF_TOPIC, …; empty for nothing."""
        return self._ask(("what goes with it", ""))  # type: ignore[return-value]

    def replaced(self) -> Str | None:
        """Why a plan deletes it and creates it anew; empty where it does not, None where there is no plan."""
        return self._ask(("replaced", ""))  # type: ignore[return-value]

    def guards(self) -> tuple[Str, ...]:
        """The fields that keep its resource from being deleted (prevent_destroy)."""
        return self._ask(("guards", ""))  # type: ignore[return-value]

    def known_as(self) -> Str | None:
        """The name in the cluster, None where it is this one's name or not known."""
        return self._ask(("known as", ""))  # type: ignore[return-value]

    def resource(self) -> Str | None:
        """The name of the resource that declares it, where a tool knows it by that one; None elsewhere."""
        return self._ask(("resource", ""))  # type: ignore[return-value]

    def mounts(self) -> tuple[tuple[Str, Str], ...] | None:
        """The paths in its container at which volumes are mounted, and which ones; None where no container is known."""
        return self._ask(("mounts", ""))  # type: ignore[return-value]

    def running(self) -> Bool:
        """Whether a running cluster said all this, effective values and all; a file only says what it sets itself."""
        return self._ask(("running", ""))  # type: ignore[return-value]

    def fragment(self) -> Bool:
        """Whether the file is a piece: what it leaves out is a platform's or an application's to decide."""
        return self._ask(("fragment", ""))  # type: ignore[return-value]

    def live(self, name: Str) -> Any:
        """A fact of a running cluster (see advisor.engine.subjects.live); the rule does not apply to files.

        Files of a run say some of them, too: `metadata` and `brokers` (of nodes and topics), `controllers` and `racks` (how many there are, of nodes), `instances` (how many have the settings, of clients), and of a topic
        whether `cruise control` runs beside its cluster (None: its Kafka resource is not among them); `former brokers` is how many there
        were before a change (0: none or not known).
        """
        return self._ask(("live", name))

    def values(self, key: Str) -> tuple[Str | None, ...]:
        """The key's text on every node of the cluster, in the nodes' order (`cluster` and `quorum` only)."""
        return self._ask(("values", key))  # type: ignore[return-value]

    def int_of_other_role(self, key: Str) -> Int | None:
        """The lowest whole number in the files of the same run of a broker's controllers, or of a controller's brokers; None without any."""
        return self._ask(("int of other role", key))  # type: ignore[return-value]

    def at(self, key: Str) -> At:
        """The place of one of this input's keys, for a Problem."""
        return At(self._index, key)


class Fact:
    """A fact that follows from settings: a function of one input, noted as one question, with the settings it read."""

    __slots__ = ("function", "name")

    def __init__(self, function: Callable[..., Hashable]) -> None:
        self.function = function
        self.name = function.__code__.co_name

    def __call__(self, facts: Subject, *arguments: Hashable) -> Hashable:
        """Ask for the fact, as a rule does."""
        return facts._ask((self.name, arguments))

    def answer(self, facts: Subject, arguments: Hashable) -> Hashable:
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
    declared = Fact(function)
    FACTS[declared.name] = declared
    return declared  # type: ignore[return-value]
