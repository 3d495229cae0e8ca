"""The score of a report, by rules: 100·exp(-Σ/100), its parts, and the grade, which the worst finding caps."""

from __future__ import annotations

from advisor.model.finding import rank
from advisor.rule import family_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from advisor.model.finding import Finding

E = 2.718281828459045
"""As math.e, whose module is a library to link: that takes a lint longer than all that is worked out here."""
POINTS = {"critical": 40, "high": 15, "medium": 5, "low": 1, "info": 0}
"""What a rule costs that fails for every subject it judged."""
GRADES = ((90, "A"), (75, "B"), (60, "C"), (40, "D"), (0, "F"))
CAPS = {"critical": "D", "high": "C"}
"""The best grade beside a finding of this severity."""
PARTS = {
    "durability": ("durability", "internal-topics", "producer"),
    "availability": ("availability", "topology", "quorum", "timeouts", "consumer"),
    "security": ("security",),
}
"""The families behind each partial score; all others make `operation`."""
OPERATION = "operation"


class Score:
    """The score of some findings among all that was judged; `points` are each failing rule's share of its points."""

    __slots__ = ("grade", "points", "unrounded")

    def __init__(self, findings: Sequence[Finding], suppressed: Iterable[Finding], passed: Mapping[str, int]) -> None:
        self.points = points_by_rule(findings, suppressed, passed)
        self.unrounded = score_of(self.points.values())
        self.grade = grade_of(self.unrounded, {"critical" if row.refused else row.severity for row in findings})

    @property
    def rounded(self) -> int:
        """0 to 100."""
        return round(self.unrounded)

    @property
    def parts(self) -> dict[str, int]:
        """The four partial scores."""
        points_of_part: dict[str, list[float]] = {part: [] for part in (*PARTS, OPERATION)}
        for rule, cost in self.points.items():
            points_of_part[part_of(rule)].append(cost)
        return {part: round(score_of(costs)) for part, costs in points_of_part.items()}

    def without(self, rules: Iterable[str]) -> float:
        """The unrounded score once these rules fail no more."""
        fixed = set(rules)
        return score_of(cost for rule, cost in self.points.items() if rule not in fixed)


def score_of(points: Iterable[float]) -> float:
    """The unrounded score for the points of each rule: 0 to 100."""
    score: float = 100 * E ** (-sum(points) / 100)
    return score


def grade_of(score: float, severities: Iterable[str]) -> str:
    """A to F for a score, capped by the worst of the findings' severities."""
    grade = next(letter for least, letter in GRADES if round(score) >= least)
    worst = max(severities, key=rank, default="info")
    return max(grade, CAPS.get(worst, grade))


def points_by_rule(
    findings: Iterable[Finding], suppressed: Iterable[Finding], passed: Mapping[str, int]
) -> dict[str, float]:
    """Each failing rule's points: those of the subjects that fail, over all that it judged; equal subjects count once."""
    points_of_subject: dict[str, dict[Hashable, int]] = {}
    for row in (row for row in findings if not row.repeated):
        of_rule = points_of_subject.setdefault(row.rule, {})
        of_rule[_subject(row)] = max(of_rule.get(_subject(row), 0), POINTS[row.severity])
    failing = {rule: sum(of_rule.values()) for rule, of_rule in points_of_subject.items()}
    for row in (row for row in suppressed if not row.repeated and row.rule in failing):
        points_of_subject[row.rule].setdefault(_subject(row), 0)
    return {rule: total / (len(points_of_subject[rule]) + passed.get(rule, 0)) for rule, total in failing.items()}


def _subject(row: Finding) -> Hashable:
    """What a finding is about: a rule that looks at several items of a subject fails for it once."""
    return row.place, row.entity, row.with_


def part_of(rule: str) -> str:
    """The partial score that a rule counts for."""
    family = family_of(rule)
    return next((part for part, families in PARTS.items() if family in families), OPERATION)
