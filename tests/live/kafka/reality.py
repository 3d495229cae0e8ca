"""What was seen on real clusters, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tests.live.kafka.expected import Seen, foretold, word
from tests.live.kafka.recorded import Step, disagreement
from tests.live.kafka.scenarios import SCENARIOS, Scenario

HEAD = """# The simulator against real clusters

Every row was played on a real cluster of three brokers on one machine (`make chaos`). After every event leader, ISR,
ELR, the log of every replica on disk, the producer's answer and what a consumer reads were compared with the states
that the simulator can be in after the same events, and had to come to one in which the protocol has nothing left to do.
The last two columns are what the simulator says the end can be, computed and not written by hand, and whether every
observation, from the first event to the last, was among its states.

Records are letters, brokers numbers; 1 leads at first. `pause` is SIGSTOP, `stop` SIGTERM, `kill` SIGKILL; `power-loss`
also cuts the last record off the log, `disk-loss` empties the disk, `replace-disk` formats it with a new `directory.id`.
After `!` the next event follows at once; after `?` the cluster only has to be in one of the simulator's states in which
all brokers are registered, not in one where nothing is left to do. The end: *kept*, *lost*, *offline* (no leader) or
*unreadable* (below the minimal ISR a new leader does not show all it has). "KRaft, slow" has
broker.session.timeout.ms=9000, replica.lag.time.max.ms=2000 and replica.high.watermark.checkpoint.interval.ms=600000;
everywhere else failures are noticed after 3 s (ZooKeeper: 4 s).

Two things are in what the simulator says here and not in its searches, because no verdict depends on them
(`advisor/simulator/protocol/crash_model.py`; a test searches with and without them). A broker that crashed comes back with the high
watermark of its last checkpoint (every 5 s): below the minimal ISR what could be read before cannot be read until the ISR
has grown. And a broker whose disk has a new `directory.id` is elected, empty, only if the controller hears of the
directory before it decides, as inside the broker's old session; else it stays without leadership until another broker
comes, or it comes again: a spell of unavailability that ends like the loss of a disk with the old id.

`make chaos-random` plays scenarios drawn at random. {random} of them, from one seed, agree from the first event to the last:
RF 1 to 3, all acks, clean and unclean, on the same four kinds of cluster, with kills, stops, pauses, power and disk losses,
and the controller or ZooKeeper away.

"""
COLUMNS = ("scenario", "Kafka", "settings", "events", "producer is told", "read", "end", "simulator says", "agree")


class Result(NamedTuple):
    """What came of a scenario; `trouble` is what the simulator did not foresee, empty where there is nothing."""

    scenario: Scenario
    outcomes: Mapping[str, int | str]
    seen: Seen | None
    end: str
    says: Sequence[str]
    trouble: str

    @property
    def agrees(self) -> bool:
        """Whether everything was foreseen, by the simulator and by who wrote the scenario."""
        return not self.trouble and self.end == self.scenario.end

    def line(self) -> str:
        """One line of progress."""
        row = self.scenario
        wrong = "" if self.end == row.end else f", expected {row.end}"
        verdict = "agrees" if self.agrees else f"DISAGREES {self.trouble}"
        return f"{row}: {self.end}{wrong}; {verdict}"


def judged(scenario: Scenario, steps: Sequence[Step]) -> Result:
    """What observations mean, and whether the simulator agrees with them."""
    outcomes = {step.event.rstrip("!?").split()[1]: step.answer for step in steps if step.answer is not None}
    acked = "".join(letter for letter, outcome in outcomes.items() if isinstance(outcome, int))
    seen = steps[-1].seen
    end = word(seen, acked) if seen else "unseen"
    says = sorted(foretold(scenario.setup, scenario.letters, scenario.events, outcomes))
    return Result(scenario, outcomes, seen, end, says, disagreement(scenario.setup, scenario.letters, steps) or "")


def page(recorded: Mapping[str, Sequence[Step]], random: int) -> str:
    """The page for people; `random` is the number of scenarios drawn at random that agree."""
    return HEAD.format(random=random) + table(
        [judged(scenario, recorded[str(scenario)]) for scenario in SCENARIOS if str(scenario) in recorded]
    )


def table(results: Iterable[Result]) -> str:
    """The rows of these results."""
    rows = [cells(result) for result in results]
    agreeing = sum(row[-1] == "yes" for row in rows)
    lines = [" | ".join(COLUMNS), " | ".join("---" for _ in COLUMNS), *(" | ".join(row) for row in rows)]
    text = "".join(f"| {line} |\n" for line in lines)
    return f"{len(rows)} scenarios, {agreeing} agree.\n\n{text}"


def cells(result: Result) -> tuple[str, ...]:
    """One row."""
    row, read = result.scenario, result.seen.read if result.seen else None
    return (
        row.name,
        f"{row.version} {row.cluster}",
        f"RF {row.rf}, min {row.min_isr}, acks={row.acks}{', unclean' if row.unclean else ''}",
        ", ".join(row.events),
        ", ".join(f"{letter}: {told(outcome)}" for letter, outcome in result.outcomes.items()),
        "nobody serves" if read is None else f"`{read}`" if read else "nothing",
        result.end,
        " or ".join(result.says),
        "yes" if result.agrees else f"no: {result.trouble or f'expected {row.end}'}",
    )


def told(outcome: int | str) -> str:
    """The producer's answer."""
    return "ok" if isinstance(outcome, int) else outcome
