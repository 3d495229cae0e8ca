"""ClusterConfig: the settings of all nodes of one cluster as one subject."""

from __future__ import annotations

from advisor.config import ANSWERS, NO_FACTS, Config
from advisor.rule.subject import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from advisor.model import Setting, Spelling
    from advisor.model.finding import Evidence
    from advisor.rule.subject import Question


class ClusterConfig(Config):
    """The settings of all nodes of one cluster: the first node that sets a key speaks for all."""

    __slots__ = ("nodes",)

    def __init__(self, kind: str, name: str, nodes: Sequence[Config], facts: Mapping[str, Hashable] = NO_FACTS) -> None:
        super().__init__(nodes[0].entity, facts)
        self.name = (kind, name)
        self.nodes = tuple(nodes)

    def speaker(self, key: str) -> Config:
        """The first node that sets the key, else the first node."""
        return next((node for node in self.nodes if node.find(key)[0] is not None), self.nodes[0])

    def answer(self, question: Question) -> Hashable:
        """The answer of the first node that sets the key, or every node's."""
        if question not in self.answers:
            self.answers[question] = self._answer(question)
        return self.answers[question]

    def _answer(self, question: Question) -> Hashable:
        what, key = question
        if what == "live":
            return ANSWERS[what](self, str(key))
        if what == "values":
            texts = tuple(node.answer(("text", key)) for node in self.nodes)
            return next((text for text in texts if type(text) is Unreadable), texts)
        if what == "fragment":
            return any(node.answer(question) for node in self.nodes)
        if what == "kinds":
            return tuple(node.entity.kind for node in self.nodes)
        if what in ANSWERS and isinstance(key, str):
            return self.speaker(key).answer(question)
        return self._fact(question)

    def hidden_settings(self) -> tuple[Setting, ...]:
        """Those of every node."""
        return tuple(setting for node in self.nodes for setting in node.hidden_settings())

    def find(self, key: str) -> tuple[Setting | None, int]:
        """The setting of the first node that has one."""
        return Config.find(self.speaker(key), key) if self.speaker(key) is not self.nodes[0] else super().find(key)

    def spelling(self, key: str) -> Spelling | None:
        """That of the node that speaks for all."""
        return None if key in self.facts else self.speaker(key).entity.spelling

    def evidence(self, question: Question) -> list[Evidence]:
        """Every node's setting for a comparison, the speaker's for anything else."""
        what, key = question
        if what == "live" or key in self.facts:
            return super().evidence(question)
        if what == "values":
            return [node.row(str(key)) for node in self.nodes]
        if what in ANSWERS and isinstance(key, str):
            return self.speaker(key).evidence(question)
        return super().evidence(question)
