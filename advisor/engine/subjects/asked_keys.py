"""Which settings of a subject the answers to questions rest on."""

from __future__ import annotations

from contextlib import suppress

from advisor.catalog.keys import ALIASES, SYNONYMS
from advisor.engine.subjects.contents import NAMES, OUTLINE, SHAPE
from advisor.rule.subject import FACTS, NotApplicable, Subject, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.config import Config
    from advisor.engine.subjects.contents import Part
    from advisor.engine.verdicts import RuleVerdict
    from advisor.rule import Rule
    from advisor.rule.subject import Question, Reads

    AskedOf = frozenset[Part] | None

OF_OTHERS = "int of other role"
"""The question that other subjects answer, if there are any."""
OF_THE_KEYS = ("set", "source", "definition", "resolve")
"""Questions that no value answers but the keys that are set."""
OF_THE_SHAPE = ("shape", "secret", "provider", "jaas", "login", "earlier")
"""Questions that all of a setting answers but its value."""


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
        with suppress(NotApplicable, Unknown):
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
            return None if self._config.other_role else frozenset()
        if what in NAMES:
            return frozenset([(what, "")])
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
