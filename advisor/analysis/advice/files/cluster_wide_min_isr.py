"""min.insync.replicas of files, which a running cluster with eligible leader replicas does not read."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.analysis.advice.step import PlanStep
from advisor.config import Config
from advisor.edits.change import FileChange
from advisor.facts import ELR_BY_DEFAULT, KRAFT, SETS_CLUSTER_WIDE
from advisor.model import SERVER_KINDS, Snapshot

MIN_ISR = "min.insync.replicas"


def any_is_shadowed_by_elr(changes: Sequence[FileChange], before: Snapshot) -> bool:
    """Whether a change of min.insync.replicas has no effect on a cluster with eligible leader replicas that runs."""
    changed = {(row.file, row.entity) for row in changes if row.key == MIN_ISR and row.value is not None}
    nodes = (row for row in before.entities if row.kind in SERVER_KINDS and (row.file, row.name) in changed)
    whole = (Config(row) for row in nodes if not row.fragment and row.format != SETS_CLUSTER_WIDE)
    return any(node.answer(("mode", ())) == KRAFT and node.version >= ELR_BY_DEFAULT for node in whole)


def cluster_wide_min_isr(needs: Sequence[str]) -> PlanStep:
    """What requires two replicas in sync on a cluster that runs, whatever the files say."""
    return PlanStep(
        "min-isr",
        "Require two replicas in sync cluster-wide",
        "a cluster with eligible leader replicas (formatted by Kafka 4.1 or newer) reads min.insync.replicas of the files "
        "only when it is formatted; this counts with them and without",
        by_hand=(
            "kafka-configs.sh --bootstrap-server HOST:PORT --alter --entity-type brokers --entity-default "
            "--add-config min.insync.replicas=2",
        ),
        needs=tuple(needs),
    )
