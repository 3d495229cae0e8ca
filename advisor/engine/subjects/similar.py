"""Subjects of files that have the same keys: what a rule answers where it asks for no value that differs is answered once."""

from __future__ import annotations

from advisor.config import Config
from advisor.engine.subjects.asked_keys import AskedKeys
from advisor.engine.subjects.contents import ContentsOfSubject, frame_of, names_of
from advisor.engine.verdicts import Crash, Settled, VerdictTree, items_of, unsettled
from advisor.rule.subject import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from advisor.engine.subjects.asked_keys import AskedOf
    from advisor.engine.subjects.contents import Part
    from advisor.engine.verdicts import Configs, RuleVerdict
    from advisor.rule import Rule

    AskedOfEach = tuple[AskedOf, ...]
    """What an answer rests on of each input."""
    Outcomes = tuple[AskedOfEach, Sequence[tuple[object, RuleVerdict, AskedOfEach]]]
    Differing = tuple[tuple[Part, ...], ...]
    """The parts of each input that differ."""

FRAMES = 10_000
"""Subjects that differ in more than values, of which it is known that they were there."""
NEW = -1


class SimilarSubjects(VerdictTree):
    """A tree that knows the subjects it judged by all that rules may ask of them but their names and the values of their settings."""

    __slots__ = ("_contents", "_frames", "_judged", "_seen")

    def __init__(self) -> None:
        super().__init__()
        self._contents: dict[Hashable, ContentsOfSubject] = {}
        self._frames: dict[Hashable, int] = {}
        self._judged: dict[Hashable, JudgedSubject] = {}
        self._seen: set[Hashable] = set()

    def settled(self, rules: Sequence[Rule], configs: Configs) -> Settled:
        """What a similar subject answered for this one."""
        if not all(map(is_of_file, configs)) or not is_one(configs):
            return unsettled(rules)
        frame = (id(rules), *map(self._number_of_frame, configs))
        judged = self._judged.get(frame)
        if judged is None and frame in self._seen:
            contents = [self._contents_of(config) for config in configs]
            judged = self._judged[frame] = JudgedSubject(rules, configs, contents, self)
        if judged is not None:
            return judged.settled(configs)
        if NEW not in frame:
            self._seen.add(frame)
        return unsettled(rules)

    def _number_of_frame(self, config: Config) -> int:
        """The number of all that rules may ask of a subject but its names and values; NEW for what is not remembered any more."""
        if config.frame is None or config.frame[0] is not self:
            frame = frame_of(config)
            if len(self._frames) < FRAMES:
                self._frames.setdefault(frame, len(self._frames))
            config.frame = (self, self._frames.get(frame, NEW))
        return config.frame[1]

    def _contents_of(self, config: Config) -> ContentsOfSubject:
        """What a subject is compared by, the same whatever rules it is judged by."""
        subject = (id(config.settings), names_of(config.entity))
        if subject not in self._contents:
            self._contents[subject] = ContentsOfSubject(config)
        return self._contents[subject]


def is_of_file(config: Config) -> bool:
    """Whether a subject is one that files describe, and they alone."""
    return type(config) is Config and not config.members and config.entity.cluster is None


def is_one(configs: Configs) -> bool:
    """Whether inputs are one subject, or one with its former self."""
    return len(configs) == 1 or (len(configs) == 2 and configs[1] is configs[0].before)


class JudgedSubject:
    """A subject, or one with its former self, with its verdicts and the keys whose values decided each."""

    __slots__ = ("_asked", "_contents", "_outcomes", "_rules", "_settled")

    def __init__(
        self, rules: Sequence[Rule], configs: Configs, contents: Sequence[ContentsOfSubject], verdicts: VerdictTree
    ) -> None:
        self._rules = rules
        self._contents = contents
        self._asked = [AskedKeys(config) for config in configs]
        self._settled: dict[Differing, Settled] = {}
        self._outcomes = {rule: self._judge(rule, configs, verdicts) for rule in rules}

    def _judge(self, rule: Rule, configs: Configs, verdicts: VerdictTree) -> Outcomes:
        """A rule's verdicts with the keys that each rests on; none where what it is asked of rests on another subject."""
        try:
            judged = [(item, verdicts.verdict(rule, configs, item)) for item in items_of(rule, configs)]
        except (Unknown, Crash):
            return (None,), []
        return (self._asked[0].by_each(rule),), [(item, verdict, self._by(verdict)) for item, verdict in judged]

    def _by(self, verdict: RuleVerdict) -> AskedOfEach:
        """What a verdict rests on of each input."""
        return tuple(
            [
                asked.of_all([question for input, question in verdict.questions if input == number])
                for number, asked in enumerate(self._asked)
            ]
        )

    def settled(self, configs: Configs) -> Settled:
        """What holds for another subject with the same keys."""
        differing = tuple([own.differing(config) for own, config in zip(self._contents, configs, strict=True)])
        if differing not in self._settled:
            self._settled[differing] = self._where_these_differ(differing)
        return self._settled[differing]

    def _where_these_differ(self, parts: Differing) -> Settled:
        settled = Settled([])
        for rule in self._rules:
            of_items, outcomes = self._outcomes[rule]
            if not all(map(holds, of_items, parts)):
                settled.others.append((rule, None))
                continue
            known = [(item, verdict if all(map(holds, asked, parts)) else None) for item, verdict, asked in outcomes]
            settled.add(rule, known)
        return settled


def holds(asked: AskedOf, differing: tuple[Part, ...]) -> bool:
    """Whether an answer that rests on some settings holds where others differ."""
    return asked is not None and asked.isdisjoint(differing)
