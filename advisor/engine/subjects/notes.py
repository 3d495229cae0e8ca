"""Notes of what a judgement asks of an entity: the judgement holds for another one that differs in nothing of that."""

from __future__ import annotations

from advisor.config import Config
from advisor.engine.subjects.asked_keys import AskedKeys
from advisor.engine.subjects.contents import OUTLINE, SHAPE
from advisor.engine.verdicts import Crash, VerdictTree, unsettled
from advisor.model.finding import NOT_APPLICABLE, PASS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from typing import Any

    from advisor.engine.subjects.asked_keys import AskedOf
    from advisor.engine.subjects.contents import Part
    from advisor.engine.verdicts import Chosen, Configs, RuleVerdict, Settled
    from advisor.model import Entity, Setting, Version
    from advisor.rule import Rule
    from advisor.rule.subject import Question

    Says = Callable[[Rule, RuleVerdict, Configs], bool]

Step = tuple["Rule", object, "Version", "Says"]
"""A rule, one of its items, the release that it was judged at, and which verdicts something is said of."""


def is_said(rule: Rule, verdict: RuleVerdict, configs: Configs) -> bool:
    """Whether an outcome is one that reports show."""
    return verdict.outcome not in (PASS, NOT_APPLICABLE)


class NotedSettings(dict[str, "Setting"]):
    """Settings that note which of them are looked at; which keys there are is not noted."""

    __slots__ = ("asked",)

    def __init__(self, settings: dict[str, Setting]) -> None:
        super().__init__(settings)
        self.asked: set[str] = set()

    def __getitem__(self, key: str) -> Setting:
        self.asked.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None, /) -> Any:
        """The setting of a key."""
        self.asked.add(key)
        return super().get(key, default)

    def values(self) -> Any:
        """All settings."""
        self.asked.update(self)
        return super().values()

    def items(self) -> Any:
        """All settings with their keys."""
        self.asked.update(self)
        return super().items()


class NotedConfig(Config):
    """A subject that notes what it is asked for."""

    __slots__ = ("_noted", "_plain", "_questions")

    def __init__(self, entity: Entity) -> None:
        super().__init__(entity)
        self._plain = Config(entity)
        self._noted = self.settings = NotedSettings(entity.settings)
        self._questions: dict[Question, None] = {}

    def answer(self, question: Question) -> Hashable:
        """The answer to a question."""
        self._questions[question] = None
        return self._plain.answer(question)

    def hidden_settings(self) -> tuple[Setting, ...]:
        """The settings whose values outputs do not show: no two entities are taken for alike that differ in one."""
        return self._plain.hidden_settings()

    def asked(self) -> AskedOf:
        """What was asked for."""
        of_questions = AskedKeys(self._plain).of_all(self._questions)
        return None if of_questions is None else of_questions | self._noted.asked


class NotedVerdicts(VerdictTree):
    """Has rules evaluated by another tree, and notes what they were evaluated for and what came of it."""

    __slots__ = ("_are_complete", "_asked_keys", "_configs", "_judged", "_tree", "_verdicts", "says")

    def __init__(self, tree: VerdictTree) -> None:
        super().__init__(remember=False)
        self._tree = tree
        self.says: Says = is_said
        self._are_complete = True
        self._asked_keys: dict[int, AskedKeys] = {}
        self._configs: list[NotedConfig] = []
        self._judged: list[tuple[Rule, Configs]] = []
        self._verdicts: list[tuple[Step, Configs, RuleVerdict]] = []

    def config(self, entity: Entity) -> Config:
        """A subject of the entity for what is judged beside the rules."""
        self._configs.append(NotedConfig(entity))
        return self._configs[-1]

    def verdict(self, rule: Rule, inputs: Configs, item: object = None) -> RuleVerdict:
        """The other tree's verdict."""
        try:
            verdict = self._tree.verdict(rule, inputs, item)
        except Crash:
            self._are_complete = False
            raise
        self._verdicts.append(((rule, item, inputs[0].version, self.says), inputs, verdict))
        return verdict

    def chosen(self, rules: object, policy: object) -> Chosen:
        """As the other tree has it."""
        return self._tree.chosen(rules, policy)

    def settled(self, rules: Sequence[Rule], configs: Configs) -> Settled:
        """Nothing is known of others: all is asked for and noted."""
        self._judged += [(rule, configs) for rule in rules]
        return unsettled(rules)

    def rests_on(self, shows_values: bool) -> tuple[AskedOf, dict[Step, AskedOf]]:
        """What is said rests on, the values that it shows among that, and each step that says nothing.

        None is more than settings of the entity.
        """
        if not self._are_complete:
            return None, {}
        said: list[AskedOf] = [config.asked() for config in self._configs]
        said += [self._items(rule, configs) for rule, configs in self._judged]
        quiet: dict[Step, AskedOf] = {}
        for step, configs, verdict in self._verdicts:
            asked = self._asked(configs, verdict)
            if not step[-1](step[0], verdict, configs):
                quiet[step] = union((quiet.get(step, frozenset()), asked))
            else:
                places = frozenset([at.key for at in verdict.places])
                said.append(union((as_settings(asked), places)) if shows_values else asked)
        return union(said), quiet

    def _asked(self, configs: Configs, verdict: RuleVerdict) -> AskedOf:
        of_config = self._keys_of(configs)
        return of_config.by(verdict) if of_config else None

    def _items(self, rule: Rule, configs: Configs) -> AskedOf:
        if rule.each is None or isinstance(rule.each, tuple):
            return frozenset()
        of_config = self._keys_of(configs)
        return of_config.by_each(rule) if of_config else None

    def _keys_of(self, configs: Configs) -> AskedKeys | None:
        if len(configs) > 1 or type(configs[0]) is not Config:
            return None
        return self._asked_keys.setdefault(id(configs[0]), AskedKeys(configs[0]))


def is_quiet(step: Step, inputs: Mapping[str, Sequence[Config]], verdicts: VerdictTree) -> bool:
    """Whether a step says nothing of the first inputs."""
    rule, item, _, says = step
    configs = tuple([inputs[name][0] for name in rule.inputs])
    try:
        return not says(rule, verdicts.verdict(rule, configs, item), configs)
    except Crash:
        return False


def union(parts: Iterable[AskedOf]) -> AskedOf:
    """All that several answers rest on."""
    together: set[Part] = set()
    for asked in parts:
        if asked is None:
            return None
        together |= asked
    return frozenset(together)


def as_settings(asked: AskedOf) -> AskedOf:
    """The whole settings of which parts were asked for: what is said may show them."""
    return None if asked is None else frozenset(map(whole, asked))


def whole(part: Part) -> Part:
    """The whole setting of a part of one."""
    return part[1] if isinstance(part, tuple) and part[0] in (OUTLINE, SHAPE) else part
