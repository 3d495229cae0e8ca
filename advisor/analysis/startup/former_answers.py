"""What was answered about an entity at one release, taken over for the next where all that it rests on is the same."""

from __future__ import annotations

from advisor.catalog import Definition
from advisor.engine.verdicts import Crash, run_guarded
from advisor.rule.subject import FACTS, Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from advisor.config import Config
    from advisor.rule.subject import Question, Reads

OF_THE_FILE = frozenset(("resolve", "kind", "family", "keys", "fragment", "running"))
"""Questions that every release has the same answer to."""
OF_THE_TEXT = frozenset(("set", "text", "outline", "shape"))
"""Questions about a key whose answer follows from its own text alone, where it has one."""


class FormerAnswers:
    """Compares what a subject answers at a release with what it answered at the one before, and fills in what facts said."""

    __slots__ = ("_config", "_former", "_reads", "_same")

    def __init__(self) -> None:
        self._config: Config | None = None
        self._former: Config | None = None
        self._reads: dict[Question, tuple[Question, ...]] = {}
        self._same: dict[Question, bool] = {}

    def go_on_to(self, config: Config, holds: Callable[[Question], bool]) -> None:
        """Compare the next release from now on; `holds` tells where an answer is known to be that of the one before."""
        self._former, self._config = self._config, config
        self._same = {}
        if self._former is not None and config.entity.missing is None:
            for question, answer in [row for row in self._former.answers.items() if row[0][0] in FACTS]:
                if holds(question):
                    config.answers[question] = answer
                else:
                    self.is_same(question)

    def is_same(self, question: Question) -> bool:
        """Whether a question has the answer that it had at the release before."""
        if question not in self._same:
            self._same[question] = False
            if self._former is not None and self._config is not None:
                self._same[question] = self._compare(self._former, self._config, question)
        return self._same[question]

    def _compare(self, former: Config, config: Config, question: Question) -> bool:
        what, key = question
        try:
            if what in FACTS:
                is_taken = all(map(self.is_same, self.reads_of(former, question)))
            else:
                is_taken = what in OF_THE_FILE or (what in OF_THE_TEXT and key in config.settings)
            if is_taken:
                config.answers[question] = former.answer(question)
            elif what in FACTS:
                self._work_out(config, question)
            return is_taken or are_equal(config.answer(question), former.answer(question))
        except (KeyError, Crash):
            return False

    def reads_of(self, config: Config, question: Question) -> tuple[Question, ...]:
        """What a fact reads, as it was worked out last."""
        if question not in self._reads:
            self._work_out(config, question)
        return self._reads[question]

    def _work_out(self, config: Config, question: Question) -> None:
        """Answer for a fact, and note what it reads."""
        reads: Reads = []
        config.answers[question] = run_guarded(
            lambda: FACTS[question[0]].answer(Subject(0, config, reads), question[1])
        )
        self._reads[question] = tuple(dict.fromkeys(read[1] for read in reads))


def are_equal(one: Hashable, other: Hashable) -> bool:
    """Whether two answers are the same; definitions are where they say the same of a key."""
    if isinstance(one, Definition) and isinstance(other, Definition):
        return one.name == other.name and one.row == other.row
    return one == other
