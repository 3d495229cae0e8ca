"""What a rule says of subjects: its verdict, and the trees of questions and answers that remember verdicts."""

from __future__ import annotations

from advisor.model.finding import FAIL, NOT_APPLICABLE, PASS, UNKNOWN
from advisor.rule.outcomes import NotApplicable, Unknown
from advisor.rule.subject import At, Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from advisor.config import Config
    from advisor.rule import Problem, Rule
    from advisor.rule.subject import Question, Reads

    Configs = tuple[Config, ...]
    T = TypeVar("T")


CRASH = "KA000"


LEAVES = 2000
"""Verdicts a tree remembers; beyond that the rule reads something unique to each subject and is simply called."""


class Crash(Exception):
    """A rule raised what it must not; the text says what."""


class Verdict:
    """What a rule said: its outcome, the problem or the reason, and every question it asked on the way."""

    __slots__ = ("outcome", "places", "problem", "questions", "reason")

    def __init__(
        self,
        outcome: str,
        questions: tuple[tuple[int, Question], ...],
        problem: Problem | None = None,
        places: tuple[At, ...] = (),
        reason: str = "",
    ) -> None:
        self.outcome = outcome
        self.questions = questions
        self.problem = problem
        self.places = places
        self.reason = reason


class Branch:
    """A question of a rule's tree, and where each answer seen so far leads."""

    __slots__ = ("answers", "input", "question")

    def __init__(self, input: int, question: Question) -> None:
        self.input = input
        self.question = question
        self.answers: dict[object, Branch | Verdict] = {}


class VerdictTree:
    """Evaluates rules. A rule is pure, so subjects that answer its questions alike share the verdict.

    `remember=False` calls every rule: what a single file costs is not worth remembering.
    """

    __slots__ = ("_leaves", "_remember", "_trees")

    def __init__(self, remember: bool = True) -> None:
        self._remember = remember
        self._trees: dict[object, Branch | Verdict] = {}
        self._leaves: dict[str, int] = {}

    def verdict(self, rule: Rule, inputs: Configs, item: object = None) -> Verdict:
        """The verdict of one evaluation: one rule, one combination of inputs, one item of `each=`."""
        key = (rule.id, rule.name, item)
        node = self._trees.get(key)
        while type(node) is Branch:
            config = inputs[node.input]
            answer = config.answers.get(node.question, MISSING)
            node = node.answers.get(config.answer(node.question) if answer is MISSING else answer)
        if node is not None:
            return node  # type: ignore[return-value]
        reads: Reads = []
        verdict = call(rule, inputs, item, reads)
        if self._remember and self._leaves.get(rule.id, 0) < LEAVES:
            self._leaves[rule.id] = self._leaves.get(rule.id, 0) + 1
            self._graft(key, reads, verdict)
        return verdict

    def _graft(self, key: object, reads: Reads, verdict: Verdict) -> None:
        asked = once_asked(reads)
        if not asked:
            self._trees[key] = verdict
            return
        level, step = self._trees, key
        for index, question, answer in asked:
            node = level.get(step)
            if not isinstance(node, Branch):
                node = level[step] = Branch(index, question)
            if (node.input, node.question) != (index, question):
                raise Crash("asks different questions after the same answers")
            level, step = node.answers, answer
        level[step] = verdict


def once_asked(reads: Reads) -> Reads:
    """The reads without repetitions: the same question has the same answer."""
    seen: dict[tuple[int, Question], object] = {}
    for index, question, answer in reads:
        seen.setdefault((index, question), answer)
    return [(index, question, answer) for (index, question), answer in seen.items()]


def call(rule: Rule, inputs: Configs, item: object, reads: Reads) -> Verdict:
    """Call the rule itself, noting what it asks."""
    facts = [Subject(index, config, reads) for index, config in enumerate(inputs)]
    arguments = facts if rule.each is None else [*facts, item]
    try:
        if (rule.since or rule.before) and (why_not := _out_of_bounds(rule, facts[0])):
            raise NotApplicable(why_not)
        found = guarded(lambda: list(rule.function(*arguments) or ()))
    except NotApplicable as why_not:
        return Verdict(NOT_APPLICABLE, _questions(reads), reason=str(why_not))
    except Unknown as unknown:
        return Verdict(UNKNOWN, _questions(reads), reason=str(unknown))
    if len(found) > 1:
        raise Crash("yields more than one problem in one evaluation")
    if found:
        _check_declared(rule, found[0])
    if not found:
        return Verdict(PASS, _questions(reads))
    return Verdict(FAIL, _questions(reads), found[0], _places(found[0].at))


def guarded(function: Callable[[], T]) -> T:
    """Run a rule's code; whatever it raises that it must not is a Crash."""
    try:
        return function()
    except (NotApplicable, Unknown):
        raise
    except Exception as error:
        raise Crash(f"{type(error).__name__}: {error}") from error


def _check_declared(rule: Rule, problem: Problem) -> None:
    for of_problem, of_rule in (("refused", "refuses"), ("changes", "changes")):
        if getattr(problem, of_problem) and not getattr(rule, of_rule):
            raise Crash(f"yields a problem that is {of_problem}=True; declare it with @rule(…, {of_rule}=True)")


def _out_of_bounds(rule: Rule, facts: Subject) -> str | None:
    version = facts.version()
    if rule.since and version < rule.since:
        return f"holds from Kafka {rule.since[0]}.{rule.since[1]}"
    if rule.before and version >= rule.before:
        return f"holds before Kafka {rule.before[0]}.{rule.before[1]}"
    return None


def _questions(reads: Reads) -> tuple[tuple[int, Question], ...]:
    return tuple(dict.fromkeys((index, question) for index, question, _ in reads))


def _places(at: object) -> tuple[At, ...]:
    listed = at if isinstance(at, list) else [at]
    return tuple(place if isinstance(place, At) else At(0, str(place)) for place in listed)


MISSING = object()
