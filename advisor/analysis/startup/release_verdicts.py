"""Verdicts on one entity at several releases: what asks nothing that a release decides is judged once."""

from __future__ import annotations

from advisor.analysis.startup.former_answers import OF_THE_FILE, OF_THE_TEXT, FormerAnswers
from advisor.cache import LONG
from advisor.catalog.keys import SYNONYMS, first_definition
from advisor.config import Config
from advisor.engine.verdicts import VerdictTree
from advisor.rule.subject import FACTS, Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.engine.subjects.contents import Part
    from advisor.engine.verdicts import Chosen, Configs, RuleVerdict, Settled
    from advisor.model import Entity, Version
    from advisor.rule import Rule
    from advisor.rule.subject import Question, Reads

OF_A_KEY = frozenset(
    (
        *("int", "float", "bool", "str", "list", "text", "outline", "set", "definition"),
        *("shape", "secret", "jaas", "login", "provider", "earlier", "source"),
    )
)
"""Questions about a key, whose answer may follow from its definition."""


MANY = 500
"""Settings of one entity from which on it pays to compare what they answer at two releases."""


def takes_time(entity: Entity) -> bool:
    """Whether an entity has many settings or a long value."""
    return len(entity.settings) > MANY or any(len(setting.value) > LONG for setting in entity.settings.values())


class ReleaseVerdicts(VerdictTree):
    """Keeps the verdicts that hold at each of the releases of one entity; what else entities share is in a tree."""

    __slots__ = (
        "_answers",
        "_before",
        "_compared",
        "_config",
        "_definitions",
        "_entity",
        "_holding",
        "_now",
        "_releases",
        "_same",
        "_shared",
    )

    def __init__(self, entity: Entity, releases: Sequence[Version], shared: VerdictTree) -> None:
        super().__init__(remember=False)
        self._shared = shared
        self._entity = entity
        self._config: Config | None = None
        self._compared: tuple[object, tuple[Part, ...]] | None = None
        self._answers = FormerAnswers() if takes_time(entity) else None
        self._before: dict[object, RuleVerdict] = {}
        self._now: dict[object, RuleVerdict] = {}
        self._releases = releases
        self._holding: dict[object, RuleVerdict] = {}
        self._same: dict[Question, bool] = {}
        self._definitions: dict[object, bool] = {}

    def verdict(self, rule: Rule, inputs: Configs, item: object = None) -> RuleVerdict:
        """The verdict of an earlier release, where it holds at this one too."""
        key = (rule.id, rule.name, item)
        verdict = self._holding.get(key)
        if verdict is not None and inputs[0].entity is self._entity:
            return verdict
        config = inputs[0]
        is_own = len(inputs) == 1 and type(config) is Config and config.entity is self._entity
        if is_own and config is not self._config:
            self._config = config
            self._before, self._now = self._now, {}
            if self._answers is not None:
                self._answers.go_on_to(config)
        if not is_own:
            return self._shared.verdict(rule, inputs, item)
        verdict = self._verdict_before(key) or self._shared.verdict(rule, inputs, item)
        if self._answers is not None:
            self._now[key] = verdict
        if all(self._is_same(config, question) for _, question in verdict.questions):
            self._holding[key] = verdict
        return verdict

    def _verdict_before(self, key: object) -> RuleVerdict | None:
        """The verdict at the release before, where all that the rule asked for has the same answer at this one."""
        verdict, answers = self._before.get(key), self._answers
        if verdict is None or answers is None:
            return None
        return verdict if all(answers.is_same(question) for _, question in verdict.questions) else None

    def holds(self, rule: Rule, item: object = None) -> bool:
        """Whether an earlier release's verdict is that of all."""
        return (rule.id, rule.name, item) in self._holding

    def chosen(self, rules: object, policy: object) -> Chosen:
        """As for all entities."""
        return self._shared.chosen(rules, policy)

    def settled(self, rules: Sequence[Rule], configs: Configs) -> Settled:
        """What a similar entity answered at the same release; every release compares the same settings with it."""
        config = configs[0]
        if len(configs) > 1 or config.entity is not self._entity:
            return self._shared.settled(rules, configs)
        config.compared = config.compared or self._compared
        settled, self._compared = self._shared.settled(rules, configs), config.compared
        return settled

    def _is_same(self, config: Config, question: Question) -> bool:
        """Whether the answer is the same at each release."""
        if question not in self._same:
            what, key = question
            if what in FACTS:
                reads: Reads = []
                FACTS[what].answer(Subject(0, config, reads), key)
                same = all(self._is_same(config, read[1]) for read in reads)
            else:
                same = what in OF_THE_FILE or (what in OF_THE_TEXT and key in config.settings)
                same = same or (what in OF_A_KEY and self._is_defined_alike(config, str(key)))
            self._same[question] = same
        return self._same[question]

    def _is_defined_alike(self, config: Config, key: str) -> bool:
        """Whether every release has the same definition of a key that no other one stands in for; its default, where it is not set."""
        is_written = key in config.settings
        if key in SYNONYMS and not is_written:
            return False
        resolved = components, bare = config.resolve(key)
        if (resolved, is_written) not in self._definitions:
            definitions = [first_definition(components, bare, release) for release in self._releases]
            rows = [each and ((each.type, each.valid) if is_written else each.row) for each in definitions]
            self._definitions[resolved, is_written] = all(row == rows[0] for row in rows)
        return self._definitions[resolved, is_written]
