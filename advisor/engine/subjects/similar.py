"""Subjects of files that have the same keys: what a rule answers where it asks for no value that differs is answered once."""

from __future__ import annotations

from contextlib import suppress

from advisor.catalog.host_aliases import outline
from advisor.catalog.keys import ALIASES, SYNONYMS
from advisor.config import Config
from advisor.engine.verdicts import Crash, Settled, VerdictTree, items_of, unsettled
from advisor.model import LITERAL
from advisor.rule.subject import FACTS, NotApplicable, Subject, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from advisor.engine.verdicts import Configs, RuleVerdict
    from advisor.model import Setting
    from advisor.rule import Rule
    from advisor.rule.subject import Question, Reads

    Part = str | tuple[str, str]
    """A setting by its key, the outline of its value, or all of it but its value."""
    AskedOf = frozenset[Part] | None
    Outcomes = tuple[AskedOf, Sequence[tuple[object, RuleVerdict, AskedOf]]]

OF_OTHERS = "int of controllers"
"""The question that other subjects answer, if there are any."""
OUTLINE, SHAPE = "outline", "shape"
OF_THE_KEYS = ("set", "source", "definition", "resolve")
"""Questions that no value answers but the keys that are set."""
OF_THE_SHAPE = ("shape", "secret", "provider", "jaas", "login", "earlier")
"""Questions that all of a setting answers but its value."""
FRAMES = 10_000
"""Subjects that differ in more than values, of which it is known that they were there."""


class SimilarSubjects(VerdictTree):
    """A tree that knows the subjects it judged by all that rules may ask of them but the values of their settings."""

    __slots__ = ("_judged", "_seen")

    def __init__(self) -> None:
        super().__init__()
        self._judged: dict[Hashable, JudgedSubject] = {}
        self._seen: set[Hashable] = set()

    def settled(self, rules: Sequence[Rule], configs: Configs) -> Settled:
        """What a similar subject answered for this one."""
        config = configs[0]
        if len(configs) > 1 or type(config) is not Config or config.members or config.entity.cluster is not None:
            return unsettled(rules)
        frame = (tuple(rules), frame_of(config))
        if frame in self._seen and frame not in self._judged:
            self._judged[frame] = JudgedSubject(rules, config, self)
        if frame in self._judged:
            return self._judged[frame].settled(config)
        if len(self._seen) < FRAMES:
            self._seen.add(frame)
        return unsettled(rules)


class JudgedSubject:
    """A subject with its verdicts, and the keys whose values decided each."""

    __slots__ = ("_outcomes", "_rules", "_settings", "_settled", "_values")

    def __init__(self, rules: Sequence[Rule], config: Config, verdicts: VerdictTree) -> None:
        self._rules = rules
        self._settings = config.settings
        self._values = [content_of(setting) for setting in config.settings.values()]
        self._settled: dict[tuple[Part, ...], Settled] = {}
        asked = AskedKeys(config)
        self._outcomes = {rule: self._judge(rule, (config,), verdicts, asked) for rule in rules}

    def _judge(self, rule: Rule, configs: Configs, verdicts: VerdictTree, asked: AskedKeys) -> Outcomes:
        """A rule's verdicts with the keys that each rests on; none where what it is asked of rests on another subject."""
        try:
            judged = [(item, verdicts.verdict(rule, configs, item)) for item in items_of(rule, configs)]
        except (Unknown, Crash):
            return None, []
        return asked.by_each(rule), [(item, verdict, asked.by(verdict)) for item, verdict in judged]

    def settled(self, config: Config) -> Settled:
        """What holds for another subject with the same keys."""
        pairs = zip(config.settings.items(), self._values, strict=True)
        keys = [key for (key, setting), value in pairs if content_of(setting) != value]
        differing = differing_parts(keys, self._settings, config.settings)
        if differing not in self._settled:
            self._settled[differing] = self._where_these_differ(differing)
        return self._settled[differing]

    def _where_these_differ(self, parts: tuple[Part, ...]) -> Settled:
        settled = Settled([])
        for rule in self._rules:
            of_items, outcomes = self._outcomes[rule]
            if not holds(of_items, parts):
                settled.others.append((rule, None))
                continue
            known = [(item, verdict if holds(asked, parts) else None) for item, verdict, asked in outcomes]
            settled.add(rule, known)
        return settled


def holds(asked: AskedOf, differing: tuple[Part, ...]) -> bool:
    """Whether an answer that rests on some settings holds where others differ."""
    return asked is not None and asked.isdisjoint(differing)


def differing_parts(
    keys: Sequence[str], settings: Mapping[str, Setting], others: Mapping[str, Setting]
) -> tuple[Part, ...]:
    """The parts of settings that differ, of those keys whose values do."""
    return (*keys, *(part for key in keys for part in parts_beside_value(key, settings[key], others[key])))


def parts_beside_value(key: str, one: Setting, other: Setting) -> Iterator[Part]:
    """What else than the value of a setting differs."""
    if content_of(one)[1:] != content_of(other)[1:]:
        yield from ((OUTLINE, key), (SHAPE, key))
    elif one.shape != LITERAL or outline(key, one.value) != outline(key, other.value):
        yield (OUTLINE, key)


class AskedKeys:
    """The keys of a subject that answers rest on; None where they rest on another subject."""

    __slots__ = ("_config", "_known")

    def __init__(self, config: Config) -> None:
        self._config = config
        self._known: dict[Question, AskedOf] = {}

    def by_each(self, rule: Rule) -> AskedOf:
        """What the items of a rule rest on."""
        if rule.each is None or isinstance(rule.each, tuple):
            return frozenset()
        reads: Reads = []
        with suppress(NotApplicable):
            rule.each(Subject(0, self._config, reads))
        return self.of_all([read[1] for read in reads])

    def by(self, verdict: RuleVerdict) -> AskedOf:
        """What a verdict rests on."""
        return self.of_all([question for _, question in verdict.questions])

    def of_all(self, questions: Iterable[Question]) -> AskedOf:
        """What the answers to questions rest on."""
        keys: set[Part] = set()
        for question in dict.fromkeys(questions):
            if question not in self._known:
                self._known[question] = self._of(question)
            of_question = self._known[question]
            if of_question is None:
                return None
            keys |= of_question
        return frozenset(keys)

    def _of(self, question: Question) -> AskedOf:
        what, key = question
        if what in FACTS:
            reads: Reads = []
            FACTS[what].answer(Subject(0, self._config, reads), key)
            return self.of_all([read[1] for read in reads])
        if what == OF_OTHERS:
            return None if self._config.controllers else frozenset()
        name = str(key)
        stand_ins = (ALIASES.get(name), *(other for other, _ in SYNONYMS.get(name, ())))
        own = {name} if name in self._config.settings else self._config.settings.keys() & stand_ins
        if self._config.entity.kind != "mirror" and what in OF_THE_KEYS:
            return frozenset()
        if self._config.entity.kind != "mirror" and what in OF_THE_SHAPE:
            return frozenset([(SHAPE, each) for each in own])
        if what == OUTLINE and own == {name}:
            return frozenset([(OUTLINE, name)])
        return frozenset(own | {"clusters"} if self._config.entity.kind == "mirror" else own)


def frame_of(config: Config) -> Hashable:
    """All that rules may ask of a subject but the values of its settings."""
    entity, target = config.entity, config.entity.target
    release = (target.version, target.given, target.vendor, target.stated and content_of(target.stated))
    described = None if entity.described is None else frozenset(entity.described.items())
    limits = (entity.missing, entity.changed_by, entity.fragment, entity.cluster, described)
    managed = (entity.removal, entity.replaced, entity.known_as, entity.resource, entity.mounts)
    facts = (frozenset(config.facts.items()) if config.facts else None, bool(config.controllers))
    keys = tuple([(key, setting.source) for key, setting in config.settings.items()])
    return (entity.kind, entity.family, release, limits, managed, facts, keys)


def content_of(setting: Setting) -> tuple[Hashable, ...]:
    """All that rules may ask of a setting."""
    jaas = setting.jaas and (setting.jaas.modules, setting.jaas.problem, setting.jaas.login)
    earlier = tuple([other.value for other in setting.shadowed]) if setting.shadowed else None
    return (setting.value, setting.shape, setting.secret, setting.provider, jaas, earlier)
