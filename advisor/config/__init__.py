"""The effective settings of one subject: its own over its parents' and the defaults of its version."""

from __future__ import annotations

from advisor.catalog.keys import ALIASES, COMPONENTS, OPENERS, SYNONYMS, component_of, definition, known
from advisor.catalog.prefixes import PREFIXES, without_prefix
from advisor.model import CLIENT_FILE, DEFAULT, DYNAMIC_TOPIC, METADATA, STATIC_BROKER
from advisor.model.finding import Evidence
from advisor.rule.outcomes import ANSWERS, KNOWN_ANYWAY, Unreadable
from advisor.rule.subject import FACTS, Facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from advisor.catalog import Definition
    from advisor.config.subject_group import Member
    from advisor.model import Entity, Setting, Version
    from advisor.rule.subject import Question, Reads


RELEASE = "kafka-version"
"""Stands for the target release where a finding is about that."""


NO_FACTS: Mapping[str, Hashable] = {}


class Config:
    """One subject's settings over the defaults of its version."""

    __slots__ = ("answers", "components", "definitions", "entity", "facts", "file", "items", "librdkafka", "members", "name", "settings", "template",
                 "version")  # fmt: skip

    entity: Entity
    members: tuple[Member, ...]
    settings: dict[str, Setting]
    version: Version

    def __init__(self, entity: Entity, facts: Mapping[str, Hashable] = NO_FACTS) -> None:
        self.entity = entity
        self.facts = facts
        self.name = (entity.kind, entity.name)
        self.file = entity.file
        self.settings = entity.settings
        self.version = entity.target.version
        self.librdkafka = entity.family == "librdkafka"
        self.components = COMPONENTS[component_of(entity)]
        self.answers: dict[Question, Hashable] = {}
        self.definitions: dict[str, Definition | None] = {}
        self.items: dict[object, tuple[object, ...]] = {}
        self.members = ()
        self.template = next((key for key in entity.settings if key[:1] in OPENERS), None)

    def answer(self, question: Question) -> Hashable:
        """The answer, remembered: a value, Unreadable or Absent."""
        answers = self.answers
        if question not in answers:
            what, key = question
            missing = self.entity.missing
            if missing is not None and what not in KNOWN_ANYWAY and not (what == "live" and key in self.facts):
                answers[question] = Unreadable(missing)
            else:
                answers[question] = ANSWERS[what](self, str(key)) if what in ANSWERS else self._fact(question)
        return answers[question]

    def _fact(self, question: Question) -> Hashable:
        return FACTS[question[0]].answer(Facts(0, self, []), question[1])

    def definition(self, key: str) -> Definition | None:
        """Kafka's definition of the key in the target version, prefixes such as `listener.name.x.` taken off."""
        if key not in self.definitions:
            components, bare = self.resolve(key)
            found = (definition(component, self.version, bare) for component in components)
            self.definitions[key] = next((definition for definition in found if definition), None)
        return self.definitions[key]

    def resolve(self, key: str) -> tuple[tuple[str, ...], str]:
        """The components that may define the key, and the key without its prefix."""
        if self.entity.kind not in PREFIXES:
            return self.components, key
        found = without_prefix(self.entity.kind, key, self.settings)
        return found if found else (self.components, key)

    def find(self, key: str) -> tuple[Setting | None, int]:
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

    def default(self, key: str) -> tuple[str | None, int]:
        """The version's default as text and its factor, that of a synonym where the key itself has none.

        Raises LookupError(why) where the version does not know the key, KeyError where no version does.
        """
        own = self._own_default(key)
        if own is None:
            for other, factor in SYNONYMS.get(key, ()):
                stand_in = self._own_default(other)
                if stand_in is not None:
                    return stand_in, factor
            if self.definition(key) is None and not self._described(key):
                if not (key in self.settings or known(self.resolve(key)[1])):
                    raise KeyError(f"no catalog knows {key}")
                raise LookupError(f"{key} is not a setting of {self.release}")
        return own, 1

    def _described(self, key: str) -> bool:
        return self.entity.described is not None and key in self.entity.described

    def _own_default(self, key: str) -> str | None:
        """The default as the cluster described it, else as the version's catalog has it."""
        if self.entity.described is not None and key in self.entity.described:
            return self.entity.described[key]
        definition = self.definition(key)
        return None if definition is None else definition.default

    @property
    def release(self) -> str:
        """What the defaults are those of: Kafka 4.4, librdkafka."""
        return "librdkafka" if self.librdkafka else f"Kafka {self.version[0]}.{self.version[1]}"

    @property
    def source(self) -> str:
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
        if what in ("keys", "version given") or what in KNOWN_ANYWAY or not isinstance(key, str):
            return []
        if what == "live" and key not in self.facts:
            return []
        return [self.row(key)]

    def row(self, key: str) -> Evidence:
        """The key's effective value with its source and place; a default has no place."""
        if key in self.facts:
            return Evidence(self.name, key, shown(self.facts[key]), METADATA, None, None)
        setting, _ = self.find(key)
        if setting is not None:
            place = setting.origin
            return Evidence(self.name, setting.key, setting.value, setting.source, place.file, place.line)
        try:
            text, factor = self.default(key) if key != RELEASE else (self.entity.target.text, 1)
        except LookupError:
            text, factor = None, 1
        if text is not None and factor != 1:
            text = str(int(text) * factor)
        return Evidence(self.name, key, text, DEFAULT, None, None)

    def fact(self, name: str) -> str | None:
        """A fact of a running cluster as text, None where there is none of that name."""
        return shown(self.facts[name]) if name in self.facts else None

    def setting(self, key: str) -> Setting | None:
        """The setting that decides the key, None where the default does."""
        return self.find(key)[0]


def shown(fact: Hashable) -> str:
    """A fact of a running cluster as text."""
    if isinstance(fact, tuple):
        return ", ".join(shown(part) for part in fact)
    return getattr(fact, "reason", str(fact))


class ClusterConfig(Config):
    """The settings of all nodes of one cluster: the first node that sets a key speaks for all."""

    __slots__ = ("nodes",)

    def __init__(self, kind: str, name: str, nodes: Sequence[Config], facts: Mapping[str, Hashable] = NO_FACTS) -> None:
        super().__init__(nodes[0].entity, facts)
        self.name = (kind, name)
        self.nodes = tuple(nodes)

    def speaker(self, key: str) -> Config:
        """The first node that sets the key, else the first node."""
        return next((node for node in self.nodes if node.find(key)[0] is not None), self.nodes[0])

    def answer(self, question: Question) -> Hashable:
        """The answer of the first node that sets the key, or every node's."""
        if question not in self.answers:
            self.answers[question] = self._answer(question)
        return self.answers[question]

    def _answer(self, question: Question) -> Hashable:
        what, key = question
        if what == "live":
            return ANSWERS[what](self, str(key))
        if what == "values":
            texts = tuple(node.answer(("text", key)) for node in self.nodes)
            return next((text for text in texts if type(text) is Unreadable), texts)
        if what == "kinds":
            return tuple(node.entity.kind for node in self.nodes)
        if what in ANSWERS and isinstance(key, str):
            return self.speaker(key).answer(question)
        return self._fact(question)

    def find(self, key: str) -> tuple[Setting | None, int]:
        """The setting of the first node that has one."""
        return Config.find(self.speaker(key), key) if self.speaker(key) is not self.nodes[0] else super().find(key)

    def evidence(self, question: Question) -> list[Evidence]:
        """Every node's setting for a comparison, the speaker's for anything else."""
        what, key = question
        if what == "live" or key in self.facts:
            return super().evidence(question)
        if what == "values":
            return [node.row(str(key)) for node in self.nodes]
        if what in ANSWERS and isinstance(key, str):
            return self.speaker(key).evidence(question)
        return super().evidence(question)
