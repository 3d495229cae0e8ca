"""Evaluate rules, and cache verdicts in decision trees of questions and answers."""

from __future__ import annotations

from advisor.errors import Terminated, describe
from advisor.model import OVERLAY
from advisor.model.finding import FAIL, NOT_APPLICABLE, PASS, UNKNOWN
from advisor.rule import Problem
from advisor.rule.subject import Absent, At, NotApplicable, Subject, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from advisor.config import Config
    from advisor.rule import Rule
    from advisor.rule.subject import Question, Reads

    Configs = tuple[Config, ...]
    Items = Sequence[tuple[object, "RuleVerdict | None"]]
    RulesByInputs = dict[tuple[str, ...], list[Rule]]
    Chosen = dict[frozenset[str], RulesByInputs]
    T = TypeVar("T")


CRASH = "KA000"
LEAVES = 2000
"""Verdicts a tree remembers; beyond that the rule reads something unique to each subject and is simply called."""


class Crash(Exception):
    """A rule raised an unexpected exception; the text says which."""


class RuleVerdict:
    """The outcome of a rule, with its problem or reason, and every question it asked."""

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
    """An inner node of a rule's decision tree: a question, and the subtree for each answer seen so far."""

    __slots__ = ("answers", "input", "question")

    def __init__(self, input: int, question: Question) -> None:
        self.input = input
        self.question = question
        self.answers: dict[object, Branch | RuleVerdict] = {}


class Known:
    """What is known of a rule's items: those to record, with their verdicts where these are known; whether another one passes."""

    __slots__ = ("items", "passes")

    def __init__(self, items: Items, passes: bool) -> None:
        self.items = items
        self.passes = passes


class Settled:
    """What is known of a subject before it is judged: how often rules pass and do not apply, and the other rules."""

    __slots__ = ("not_applicable", "others", "passed", "passing")

    def __init__(self, others: list[tuple[Rule, Known | None]]) -> None:
        self.others = others
        self.passed = self.not_applicable = 0
        self.passing: list[Rule] = []

    def with_others(self, others: list[tuple[Rule, Known | None]]) -> Settled:
        """The same but for the other rules."""
        settled = Settled(others)
        settled.passed, settled.not_applicable, settled.passing = self.passed, self.not_applicable, self.passing
        return settled

    def add(self, rule: Rule, items: Items) -> None:
        """Count the items of a rule that found no fault; what is left is to be recorded for each subject."""
        outcomes = [verdict.outcome for _, verdict in items if verdict is not None]
        passed = outcomes.count(PASS)
        self.passed += passed
        self.not_applicable += outcomes.count(NOT_APPLICABLE)
        left = [row for row in items if row[1] is None or row[1].outcome not in (PASS, NOT_APPLICABLE)]
        if left:
            self.others.append((rule, Known(left, passed > 0)))
        elif passed:
            self.passing.append(rule)


def unsettled(rules: Sequence[Rule]) -> Settled:
    """Nothing is known."""
    return Settled([(rule, None) for rule in rules])


class VerdictTree:
    """Evaluates rules with a cache: subjects that answer a rule's questions alike share the verdict.

    `remember=False` calls every rule: what a single file costs is not worth remembering.
    """

    __slots__ = ("_chosen", "_leaves", "_remember", "_trees")

    def __init__(self, remember: bool = True) -> None:
        self._remember = remember
        self._chosen: dict[tuple[int, int], tuple[object, object, Chosen]] = {}
        self._trees: dict[object, Branch | RuleVerdict] = {}
        self._leaves: dict[str, int] = {}

    def verdict(self, rule: Rule, inputs: Configs, item: object = None) -> RuleVerdict:
        """The verdict for one rule, one combination of inputs, one item of `each=`."""
        key = (rule.id, rule.name, item)
        node = self._trees.get(key)
        while type(node) is Branch:
            config = inputs[node.input]
            answer = config.answers.get(node.question, MISSING)
            node = node.answers.get(config.answer(node.question) if answer is MISSING else answer)
        if node is not None:
            return node  # type: ignore[return-value]
        reads: Reads = []
        verdict = call_rule(rule, inputs, item, reads)
        if self._remember and self._leaves.get(rule.id, 0) < LEAVES:
            self._leaves[rule.id] = self._leaves.get(rule.id, 0) + 1
            self._graft(key, reads, verdict)
        return verdict

    def chosen(self, rules: object, policy: object) -> Chosen:
        """The rules that a policy selects, by the inputs that are there, as earlier runs filled it in."""
        return self._chosen.setdefault((id(rules), id(policy)), (rules, policy, {}))[2]

    def settled(self, rules: Sequence[Rule], configs: Configs) -> Settled:
        """What is known of a combination of inputs by others: nothing."""
        return unsettled(rules)

    def _graft(self, key: object, reads: Reads, verdict: RuleVerdict) -> None:
        distinct = distinct_reads(reads)
        if not distinct:
            self._trees[key] = verdict
            return
        level, step = self._trees, key
        for index, question, answer in distinct:
            node = level.get(step)
            if not isinstance(node, Branch):
                node = level[step] = Branch(index, question)
            if (node.input, node.question) != (index, question):
                raise Crash("asks different questions after the same answers")
            level, step = node.answers, answer
        level[step] = verdict


def distinct_reads(reads: Reads) -> Reads:
    """The reads without repetitions: the same question has the same answer."""
    seen: dict[tuple[int, Question], object] = {}
    for index, question, answer in reads:
        seen.setdefault((index, question), answer)
    return [(index, question, answer) for (index, question), answer in seen.items()]


def call_rule(rule: Rule, inputs: Configs, item: object, reads: Reads) -> RuleVerdict:
    """Call a rule's function, recording the questions it asks."""
    subjects = [Subject(index, config, reads) for index, config in enumerate(inputs)]
    arguments = subjects if rule.each is None else [*subjects, item]
    try:
        if (rule.since or rule.before) and (why_not := _out_of_bounds(rule, subjects[0])):
            raise NotApplicable(why_not)
        problems = run_guarded(lambda: list(rule.function(*arguments) or ()))
    except NotApplicable as why_not:
        taken_out = _taken_out(rule, subjects, reads)
        return RuleVerdict(
            UNKNOWN if taken_out else NOT_APPLICABLE, _questions(reads), reason=taken_out or str(why_not)
        )
    except Unknown as unknown:
        return RuleVerdict(UNKNOWN, _questions(reads), reason=str(unknown))
    if len(problems) > 1:
        raise Crash("yields more than one problem in one evaluation")
    if problems:
        _check_declared(rule, problems[0])
    if not problems:
        return RuleVerdict(PASS, _questions(reads))
    return RuleVerdict(FAIL, _questions(reads), problems[0], _places(problems[0].at))


def _taken_out(rule: Rule, subjects: Sequence[Subject], reads: Reads) -> str:
    """Why it is not known what counts in place of a setting that a piece of a configuration had before; empty where a rule of changes does not apply for another reason."""
    if "before" not in rule.inputs or not reads:
        return ""
    (index, (_, key), answer), before = reads[-1], subjects[rule.inputs.index("before")]
    if index != 0 or not isinstance(answer, Absent) or not isinstance(key, str):
        return ""
    try:
        is_taken_out = subjects[0].kind() == OVERLAY and not subjects[0].is_set(key) and before.is_set(key)
    except Unknown:
        return ""
    return f"{key} is no longer in the file: {answer.reason}" if is_taken_out else ""


def items_of(rule: Rule, configs: Configs) -> tuple[object, ...]:
    """What a rule judges one by one of its first input; None alone where it has no `each=`."""
    if rule.each is None:
        return (None,)
    if isinstance(rule.each, tuple):
        return rule.each
    items_by_function = configs[0].items
    if rule.each not in items_by_function:
        each = rule.each
        try:
            items_by_function[each] = run_guarded(lambda: each(Subject(0, configs[0], [])))
        except NotApplicable:
            items_by_function[rule.each] = ()
    return items_by_function[rule.each]


def run_guarded(function: Callable[[], T]) -> T:
    """Run a rule's code; an unexpected exception becomes a Crash."""
    try:
        return function()
    except (NotApplicable, Unknown):
        raise
    except Terminated:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and _is_received():
            raise
        raise Crash(describe(error)) from error


def _is_received() -> bool:
    from advisor.signals import interrupted

    return interrupted()


def _check_declared(rule: Rule, problem: Problem) -> None:
    if not isinstance(problem, Problem):
        raise Crash(f"yields {type(problem).__name__}, not a Problem")
    for of_problem, of_rule in (("refused", "refuses"), ("changes", "changes")):
        if getattr(problem, of_problem) and not getattr(rule, of_rule):
            raise Crash(f"yields a problem that is {of_problem}=True; declare it with @rule(…, {of_rule}=True)")


def _out_of_bounds(rule: Rule, subject: Subject) -> str | None:
    if rule.since and not subject.at_least(rule.since):
        return f"holds from Kafka {rule.since[0]}.{rule.since[1]}"
    if rule.before and subject.at_least(rule.before):
        return f"holds before Kafka {rule.before[0]}.{rule.before[1]}"
    return None


def _questions(reads: Reads) -> tuple[tuple[int, Question], ...]:
    return tuple(dict.fromkeys([(index, question) for index, question, _ in reads]))


def _places(at: object) -> tuple[At, ...]:
    listed = at if isinstance(at, list) else [at]
    return tuple(at_key if isinstance(at_key, At) else At(0, str(at_key)) for at_key in listed)


MISSING = object()
