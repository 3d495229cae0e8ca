"""The first lines of `impact`: what is lost, and what stops that did not stand still before."""

from __future__ import annotations

from collections.abc import Callable

from advisor.analysis.impact.cluster_impact import Impact
from advisor.analysis.impact.partition_outcome import LOST, MAY_LOSE, NOT_KNOWN, REFUSES, STOPS, PartitionOutcome
from advisor.reports.impact.words import counted
from advisor.simulator.running.failover import NO, NONE, POSSIBLE


def lost_text(impact: Impact) -> str:
    """The acknowledged records that are lost: with acks=all, then with acks=0 and acks=1."""
    lost = count(impact, lambda outcome: outcome.state == LOST)
    perhaps = count(impact, lambda outcome: outcome.state == MAY_LOSE)
    unknown = count(impact, lambda outcome: outcome.state == NOT_KNOWN)
    newest = count(impact, lambda outcome: loses_newest(impact, outcome))
    texts = [f"records of {counted(lost, 'partition')}"] if lost else []
    texts += [f"perhaps acknowledged records of {more(perhaps, lost)}"] if perhaps else []
    texts = texts or ([] if unknown else ["nothing that was acknowledged with acks=all"])
    texts += [f"of acks=0 and acks=1 perhaps the newest records of {counted(newest, 'partition')}"] if newest else []
    texts += [f"not known of {counted(unknown, 'partition')}"] if unknown else []
    return "; ".join(texts)


WITHOUT_CONTROLLER = (
    "whatever needs a controller: elections of leaders, changes of an ISR, topics, configurations and ACLs, brokers that start or stop, "
    "and new producer ids"
)
"""What stops beside reads and writes while no controller leads."""


def stops_text(impact: Impact) -> str:
    """The reads and writes that stop; what had stopped before is named, and in no count."""
    stopped = count(impact, lambda outcome: stops(outcome) and outcome.before != STOPS)
    refused = count(impact, lambda outcome: refuses(outcome) and outcome.before not in (STOPS, REFUSES))
    before = count(impact, lambda outcome: stops(outcome) and outcome.before == STOPS)
    texts = [f"reads and writes of {counted(stopped, 'partition')}"] if stopped else []
    texts += [f"acks=all writes of {more(refused, stopped)}"] if refused else []
    texts += [WITHOUT_CONTROLLER] if impact.quorum.keeps is False and impact.quorum.had_majority else []
    had_stopped = f" ({counted(before, 'partition')} had stopped before)" if before else ""
    return f"{'; '.join(texts) or 'nothing'}{had_stopped}"


def count(impact: Impact, applies: Callable[[PartitionOutcome], bool]) -> int:
    """How many partitions have an outcome to which it applies."""
    rows = (row for topic in impact.topics for row in topic.partitions.items())
    return sum(len(partitions) for outcome, partitions in rows if applies(outcome))


def stops(outcome: PartitionOutcome) -> bool:
    """Whether a partition can be neither read nor written, records lost or not."""
    return outcome.readable in (NO, POSSIBLE)


def refuses(outcome: PartitionOutcome) -> bool:
    """Whether a partition that is read takes no acks=all writes."""
    return not stops(outcome) and outcome.writable_all == NO


def loses_newest(impact: Impact, outcome: PartitionOutcome) -> bool:
    """Whether a leader fails that may be the only one with what acks=0 and acks=1 acknowledged, and others are kept."""
    return outcome.state != LOST and outcome.lost_one != NONE and outcome.leader_before in impact.failure.brokers


def more(number: int, others: int) -> str:
    """A number of partitions beside others."""
    return f"{number:,} more" if others else counted(number, "partition")
