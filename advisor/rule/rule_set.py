"""The rules of a run: all of them, or those for which some inputs are enough."""

from __future__ import annotations

from advisor.rule import family_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.rule import Rule


class RuleName:
    """What an index says of a rule whose module need not be loaded."""

    __slots__ = ("id", "inputs", "name")

    def __init__(self, id: str, name: str, inputs: tuple[str, ...]) -> None:
        self.id = id
        self.name = name
        self.inputs = inputs

    @property
    def family(self) -> str:
        """The family's name."""
        return family_of(self.id)


class RuleSet:
    """Rules that are all loaded."""

    __slots__ = ("rules",)

    def __init__(self, rules: Sequence[Rule] = ()) -> None:
        self.rules = rules

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def names(self) -> Iterable[Rule | RuleName]:
        """Id, name, family and inputs of every rule."""
        return self.rules

    def taking(self, inputs: frozenset[str]) -> list[Rule]:
        """The rules that need none but these inputs."""
        return [rule for rule in self.rules if inputs.issuperset(rule.inputs)]


def rule_set_of(rules: RuleSet | Iterable[Rule]) -> RuleSet:
    """Rules as a rule set."""
    return rules if isinstance(rules, RuleSet) else RuleSet(tuple(rules))
