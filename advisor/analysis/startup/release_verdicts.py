"""Verdicts on one entity at several releases: each is judged once for all releases with the same answers."""

from __future__ import annotations

from advisor.analysis.startup.former_answers import OF_THE_FILE, OF_THE_TEXT, FormerAnswers
from advisor.cache import LONG, cached
from advisor.catalog.keys import SYNONYMS, first_definition
from advisor.config import Config, is_at_least
from advisor.engine.verdicts import Crash, Known, VerdictTree, items_of
from advisor.model.finding import UNKNOWN
from advisor.rule.subject import AT_LEAST, FACTS, Subject, Unknown

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


def says_nothing(rule: Rule, verdict: RuleVerdict) -> bool:
    """Whether a verdict has no part in what is said of a start: a fault that Kafka neither refuses nor changes has none."""
    problem = verdict.problem
    if verdict.outcome == UNKNOWN or rule.replaces:
        return False
    return problem is None or not (problem.refused or problem.changes)


class ReleaseVerdicts(VerdictTree):
    """Keeps the verdicts on one entity for all releases they hold at; what else entities share is in a tree.

    Releases are bits of a whole number, so that those with the same answers to several questions are one `&` away.
    """

    __slots__ = (
        "_alike",
        "_answers",
        "_before",
        "_bits",
        "_compared",
        "_config",
        "_entity",
        "_every",
        "_holding",
        "_now",
        "_quiet",
        "_releases",
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
        self._releases = tuple(releases)
        self._bits = {version: 1 << number for number, version in enumerate(releases)}
        self._every = (1 << len(releases)) - 1
        self._holding: dict[object, tuple[int, RuleVerdict]] = {}
        self._quiet: dict[object, int] = {}
        self._alike: dict[Question, int] = {}

    def verdict(self, rule: Rule, inputs: Configs, item: object = None) -> RuleVerdict:
        """The verdict of an earlier release, where it holds at this one too."""
        config, key = inputs[0], (rule.id, rule.name, item)
        held = self._holding.get(key)
        if held is not None and config.entity is self._entity and held[0] & self._bits[config.version]:
            return held[1]
        is_own = len(inputs) == 1 and type(config) is Config and config.entity is self._entity
        if is_own and config is not self._config:
            self._go_on_to(config)
        if not is_own:
            return self._shared.verdict(rule, inputs, item)
        verdict = self._verdict_before(key) or self._shared.verdict(rule, inputs, item)
        if self._answers is not None:
            self._now[key] = verdict
        alike = self._releases_alike(config, [question for _, question in verdict.questions])
        self._holding[key] = (alike, verdict)
        if says_nothing(rule, verdict):
            self._quiet[key] = alike
        return verdict

    def _go_on_to(self, config: Config) -> None:
        """Judge the next release from now on."""
        both = self._bits[config.version] | (self._bits[self._config.version] if self._config else 0)
        self._config = config
        self._before, self._now = self._now, {}
        if self._answers is not None:
            self._answers.go_on_to(config, lambda question: self._alike.get(question, 0) & both == both)

    def _verdict_before(self, key: object) -> RuleVerdict | None:
        """The verdict at the release before, where all that the rule asked for has the same answer at this one."""
        verdict, answers = self._before.get(key), self._answers
        if verdict is None or answers is None:
            return None
        return verdict if all(answers.is_same(question) for _, question in verdict.questions) else None

    def holds(self, rule: Rule, item: object, release: Version) -> bool:
        """Whether an earlier release's verdict is that of another one."""
        held = self._holding.get((rule.id, rule.name, item))
        return held is not None and bool(held[0] & self._bits[release])

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
        return settled.with_others([(rule, self._without_quiet(rule, known, config)) for rule, known in settled.others])

    def _without_quiet(self, rule: Rule, known: Known | None, config: Config) -> Known | None:
        """The items of a rule but for those of which an earlier release said what this one would: nothing."""
        if rule.each is None or known is not None or not self._quiet:
            return known
        bit = self._bits[config.version]
        try:
            items = items_of(rule, (config,))
        except (Unknown, Crash):
            return known
        left = [item for item in items if not self._quiet.get((rule.id, rule.name, item), 0) & bit]
        return Known([(item, None) for item in left], passes=False)

    def _releases_alike(self, config: Config, questions: Sequence[Question]) -> int:
        """The releases at which all questions have the answers that they have at this one."""
        bit, alike = self._bits[config.version], self._every
        for question in questions:
            known = self._alike.get(question, 0)
            if not known & bit:
                known = self._alike[question] = self._with_same_answer(config, question) | bit
            alike &= known
            if alike == bit:
                break
        return alike

    def _with_same_answer(self, config: Config, question: Question) -> int:
        what, key = question
        if what in FACTS:
            return self._releases_alike(config, self._reads_of(config, question))
        if what == AT_LEAST:
            later = releases_at_least(str(key), self._releases)
            return later if later & self._bits[config.version] else self._every ^ later
        if what in OF_THE_FILE or (what in OF_THE_TEXT and key in config.settings):
            return self._every
        return self._defining_alike(config, str(key)) if what in OF_A_KEY else 0

    def _reads_of(self, config: Config, question: Question) -> Sequence[Question]:
        """What a fact reads at this release."""
        if self._answers is not None:
            return self._answers.reads_of(config, question)
        reads: Reads = []
        FACTS[question[0]].answer(Subject(0, config, reads), question[1])
        return [read for _, read, _ in reads]

    def _defining_alike(self, config: Config, key: str) -> int:
        """The releases that define a key as this one does, which no other one stands in for; its default counts where it is not set."""
        is_written = key in config.settings
        if key in SYNONYMS and not is_written:
            return 0
        components, bare = config.resolve(key)
        return releases_defining_alike(components, bare, is_written, self._releases)[config.version]


@cached(1000)
def releases_at_least(least: str, releases: tuple[Version, ...]) -> int:
    """The releases that are one such as 3.9 or a later one, as the bits of a number."""
    return sum(1 << number for number, release in enumerate(releases) if is_at_least(release, least))


@cached(10_000)
def releases_defining_alike(
    components: tuple[str, ...], key: str, is_written: bool, releases: tuple[Version, ...]
) -> dict[Version, int]:
    """By release, those that define a key as it does, as the bits of a number; the default counts where it is not written."""
    definitions = [first_definition(components, key, release) for release in releases]
    rows = [each and ((each.type, each.valid) if is_written else each.row) for each in definitions]
    alike: dict[object, int] = {}
    for number, row in enumerate(rows):
        alike[row] = alike.get(row, 0) | 1 << number
    return {release: alike[row] for release, row in zip(releases, rows, strict=True)}
