"""What a rollout comes to by other volumes, cluster ids and resources, which no setting of a node tells."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.analysis.rollout.cluster import RolloutCluster
from advisor.analysis.rollout.outcome import LOSES, NEEDS_PASSES, UNAVAILABLE, Fault
from advisor.engine import judge
from advisor.engine.former_side import FormerSide
from advisor.engine.policy import Policy
from advisor.model import DEPLOYMENT, Snapshot
from advisor.model.finding import Finding, rank
from advisor.rule import LOST, STOPPED, Rule

VERDICTS = {LOST: LOSES, STOPPED: UNAVAILABLE}
"""What a change of a deployment comes to, by its effect; others are said beside the verdict."""
INPUTS = frozenset((DEPLOYMENT, "removed", "added"))


def add_deployments(
    cluster: RolloutCluster, former: FormerSide, new: Sequence[Snapshot], rules: Sequence[Rule]
) -> None:
    """Let changes of deployments decide the verdict, each once for all that it is true of; an operator that guards nodes which go asks for passes."""
    names_by_text: dict[tuple[str | None, str], list[str]] = {}
    for row in changes_of_deployments(former, new, rules):
        guarded = bool(cluster.going) and rank(row.severity) < rank("high")
        verdict = NEEDS_PASSES if guarded else VERDICTS.get(row.effect)
        names_by_text.setdefault((verdict, f"{row.message} [{row.rule}]"), []).append(row.entity[1])
    for (verdict, message), names in names_by_text.items():
        sentence = f"{', '.join(dict.fromkeys(names))}: {message}"
        if verdict is not None:
            cluster.of_deployments.append(Fault(verdict, sentence))
        else:
            cluster.applied.append(sentence)


def changes_of_deployments(former: FormerSide, new: Sequence[Snapshot], rules: Sequence[Rule]) -> list[Finding]:
    """The findings of change rules about deployments."""
    of_deployments = [rule for rule in rules if rule.is_of_change and not INPUTS.isdisjoint(rule.inputs)]
    findings = judge(new, of_deployments, Policy(of_deployments), former=former).findings
    return [row for row in findings if row.is_change and row.entity[0] == DEPLOYMENT]
