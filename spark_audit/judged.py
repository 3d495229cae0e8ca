"""What an audit could have said: a finding that it does not have is fixed only if it looked."""

from __future__ import annotations

from advisor.finding import SEVERITIES
from spark_audit.summing import CRASH
from spark_audit.tables import UNREACHABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import pyarrow as pa

    from spark_audit.audits import Past

ANYTHING = "*"
"""The name of subjects that should be there and could not be read."""
GAPS = ("cluster", "rule", "kind", "subject", "reason")
ABSENT = "the cluster is not in that audit"
NOT_RUN = "the two audits were not made with the same rules, and nothing says that this one ran"
NOTHING_TO_JUDGE = "no cluster of that audit has what the rule judges"

assert SEVERITIES


class Judged:
    """What an audit read and which rules ran; `ran` is None where all of them did. Plain data: it travels."""

    def __init__(self, clusters: dict[str, str | None], skipped: frozenset[str], ran: frozenset[str] | None) -> None:
        self.clusters = clusters
        self.skipped = skipped
        self.ran = ran

    def why_not(self, cluster: str, rule: str) -> str | None:
        """Why it says nothing of a rule on a cluster, None where it judged it."""
        reason = self.clusters.get(cluster, ABSENT)
        if reason or rule == CRASH:
            return reason
        if rule in self.skipped:
            return NOTHING_TO_JUDGE
        return None if self.ran is None or rule in self.ran else NOT_RUN
