"""Subjects of files that have the same keys: what a rule answers where it asks for no value that differs is answered once."""

from __future__ import annotations

from contextlib import suppress

from advisor.catalog.keys import ALIASES, SYNONYMS
from advisor.config import Config
from advisor.engine.verdicts import Crash, Settled, VerdictTree, items_of
from advisor.model.finding import FAIL, NOT_APPLICABLE, PASS, UNKNOWN
from advisor.rule.subject import FACTS, NotApplicable, Subject, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from advisor.engine.verdicts import Configs, RuleVerdict
    from advisor.model import Setting
    from advisor.rule import Rule
    from advisor.rule.subject import Question, Reads

    AskedOf = frozenset[str] | None

OF_OTHERS = "int of controllers"
"""The question that other subjects answer."""
FRAMES = 10_000
"""Subjects that differ in more than values, of which it is known that they were there."""


class SimilarSubjects(VerdictTree):
    """A tree that knows the subjects it judged by all that rules may ask of them but the values of their settings."""

    __slots__ = ("_judged", "_seen")

    def __init__(self) -> None:
        super().__init__()
        self._judged: dict[Hashable, JudgedSubject] = {}
        self._seen: dict[Hashable, Mapping[str, str | None] | None] = {}

    def settled(self, rules: Sequence[Rule], configs: Configs) -> Settled:
        """What a similar subject answered for this one."""
        config = configs[0]
        if len(configs) > 1 or type(config) is not Config or config.members or config.entity.cluster is not None:
            return Settled(rules)
        frame = (tuple(rules), frame_of(config))
        if frame in self._judged:
            return self._judged[frame].settled(config)
        if frame in self._seen:
            self._judged[frame] = JudgedSubject(rules, config, self)
        elif len(self._seen) < FRAMES:
            self._seen[frame] = config.entity.described
        return Settled(rules)


class JudgedSubject:
    """A subject with the keys whose values each rule asked for, None where it cannot answer for another subject."""

    __slots__ = ("_asked", "_counts", "_rules", "_settled", "_values")

    def __init__(self, rules: Sequence[Rule], config: Config, verdicts: VerdictTree) -> None:
        self._rules = rules
        self._values = [content_of(setting) for setting in config.settings.values()]
        self._settled: dict[tuple[str, ...], Settled] = {}
        self._counts: dict[Rule, tuple[int, int]] = {}
        asked = AskedKeys(config)
        self._asked = {rule: self._judge(rule, (config,), verdicts, asked) for rule in rules}

    def _judge(self, rule: Rule, configs: Configs, verdicts: VerdictTree, asked: AskedKeys) -> AskedOf:
        """The keys that a rule asked for, where it found no fault."""
        try:
            judged = [verdicts.verdict(rule, configs, item) for item in items_of(rule, configs)]
        except (Unknown, Crash):
            return None
        outcomes = [verdict.outcome for verdict in judged]
        if FAIL in outcomes or UNKNOWN in outcomes:
            return None
        self._counts[rule] = outcomes.count(PASS), outcomes.count(NOT_APPLICABLE)
        return asked.by_all(judged, asked.by_each(rule))

    def settled(self, config: Config) -> Settled:
        """What holds for another subject with the same keys."""
        pairs = zip(config.settings.items(), self._values, strict=True)
        differing = tuple([key for (key, setting), value in pairs if content_of(setting) != value])
        if differing not in self._settled:
            self._settled[differing] = self._where_these_differ(differing)
        return self._settled[differing]

    def _where_these_differ(self, keys: tuple[str, ...]) -> Settled:
        asked = {rule: self._asked[rule] for rule in self._rules}
        others = [rule for rule, of_rule in asked.items() if of_rule is None or not of_rule.isdisjoint(keys)]
        left_out = set(others)
        counts = {rule: counts for rule, counts in self._counts.items() if rule not in left_out}
        passed, not_applicable = (sum(numbers) for numbers in zip((0, 0), *counts.values(), strict=True))
        return Settled(others, passed, not_applicable, [rule for rule, (times, _) in counts.items() if times])


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
        return self._union([read[1] for read in reads])

    def by_all(self, verdicts: Sequence[RuleVerdict], others: AskedOf) -> AskedOf:
        """What verdicts rest on, with others."""
        keys = self._union([question for verdict in verdicts for _, question in verdict.questions])
        return None if keys is None or others is None else keys | others

    def _union(self, questions: Sequence[Question]) -> AskedOf:
        keys: set[str] = set()
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
            return self._union([read[1] for read in reads])
        if what == OF_OTHERS:
            return None
        name = str(key)
        stand_ins = (name, ALIASES.get(name), *(other for other, _ in SYNONYMS.get(name, ())))
        own = {each for each in stand_ins if each in self._config.settings}
        return frozenset(own | {"clusters"} if self._config.entity.kind == "mirror" else own)


def frame_of(config: Config) -> Hashable:
    """All that rules may ask of a subject but the values of its settings."""
    entity, target = config.entity, config.entity.target
    release = (target.version, target.given, target.vendor, target.stated and content_of(target.stated))
    limits = (entity.missing, entity.changed_by, entity.fragment, entity.cluster, id(entity.described))
    managed = (entity.removal, entity.replaced, entity.known_as, entity.resource, entity.mounts)
    facts = frozenset(config.facts.items()) if config.facts else None
    keys = tuple([(key, setting.source) for key, setting in config.settings.items()])
    return (entity.kind, entity.family, release, limits, managed, facts, keys)


def content_of(setting: Setting) -> Hashable:
    """All that rules may ask of a setting."""
    jaas = setting.jaas and (setting.jaas.modules, setting.jaas.problem, setting.jaas.login)
    earlier = tuple([other.value for other in setting.shadowed]) if setting.shadowed else None
    return (setting.value, setting.shape, setting.secret, setting.provider, jaas, earlier)
