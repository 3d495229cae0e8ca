"""Stories: a counterexample in words, step by step, with every replica's log."""

from __future__ import annotations

from advisor.simulator.protocol.model import ACKED, CUT, NOBODY, SEVERAL, UP, Action, State, members
from advisor.simulator.protocol.scenario import Scenario

Step = tuple[Action, State]
LETTERS = "abcdefgh"


def tell_story(scenario: Scenario, trace: list[Step]) -> list[tuple[str, State]]:
    """Each step of a trace as a sentence, with the state after it."""
    lines = []
    before: State | None = None
    for action, after in trace:
        lines.append((sentence(scenario, action, before, after), after))
        before = after
    return lines


def sentence(scenario: Scenario, action: Action, before: State | None, after: State) -> str:
    """One step as a sentence in Kafka's terms."""
    name, r, other = action
    others = replica_set(other) if name == SEVERAL else other
    event = SENTENCES[name].format(r=r, other=others, record=record(action))
    changed = leadership(before, after)
    newly = acknowledged(before, after)
    return event + changed + newly


def record(action: Action) -> str:
    """The letter of the record that an action is about."""
    name, r, other = action
    number = r if name == "lose unanswered record" else other
    return LETTERS[number] if 0 <= number < len(LETTERS) else "?"


SENTENCES = {
    "produce": "the producer sends record {record} to replica {r}, which appends it",
    "lose unanswered record": "record {record} is lost on the way: with acks=0 the producer does not notice",
    "fetch": "replica {r} fetches from leader {other}",
    "advance high watermark": "leader {r} moves its high watermark: every member of the ISR has the record",
    "fence": "broker {r} misses its session timeout and is fenced",
    "register": "broker {r} registers and is unfenced",
    "register unnoticed": "broker {r} is back before anybody noticed that it was gone",
    "learn": "replica {r} learns the partition's state",
    "restart": "broker {r} restarts",
    "reconnect": "broker {r} is connected again",
    "controller up": "the controller is back",
    "shrink ISR": "replica {other} has not caught up in replica.lag.time.max.ms and leaves the ISR",
    SEVERAL: "replicas {other} have not caught up in replica.lag.time.max.ms and leave the ISR in one request",
    "expand ISR": "replica {other} has caught up and joins the ISR",
    "consume": "the consumer reads from replica {r}",
    "kill": "broker {r} is killed (its page cache survives)",
    "power-loss": "the host of broker {r} loses power; what was not flushed is gone",
    "disk-loss": "broker {r} loses its disk",
    "isolate": "broker {r} is cut off from controller and brokers; clients still reach it",
    "lag": "",
    "controlled-shutdown": "broker {r} shuts down in a controlled way",
    "controller-down": "the controller quorum is down",
    "power-loss-all": "all brokers of the failure domain lose power at once",
}


def leadership(before: State | None, after: State) -> str:
    """The controller's decision in this step."""
    old = before[0] if before else (True, 0, 0, after[0][3], 0, NOBODY, 0)
    new = after[0]
    if new[1] != old[1]:
        if new[1] == NOBODY:
            return f"; no replica can lead (ISR {replica_set(new[3])})"
        unclean = not old[3] >> new[1] & 1 and not old[4] >> new[1] & 1
        return f"; {'UNCLEAN election: ' if unclean else ''}replica {new[1]} becomes leader (ISR {replica_set(new[3])})"
    return f"; the ISR is {replica_set(new[3])}" if new[3] != old[3] else ""


def acknowledged(before: State | None, after: State) -> str:
    """The records acknowledged in this step."""
    old = before[2] if before else (0,) * len(after[2])
    new = [LETTERS[k] for k, status in enumerate(after[2]) if status == ACKED and old[k] != ACKED]
    return f"; the producer is told: record {', '.join(new)} is safe" if new else ""


def replica_set(mask: int) -> str:
    """A bit mask of replicas as text."""
    return "{" + ",".join(str(r) for r in members(mask)) + "}"


def describe_replicas(state: State) -> list[str]:
    """Every replica's log in one line each: leader, ISR, high watermark."""
    controller, replicas, _, _ = state[:4]
    rows = []
    for r, (flags, view, _, _, log, hw, _, _) in enumerate(replicas):
        alive = "up  " if flags & UP else "DOWN"
        alive = "cut " if flags & UP and flags & CUT else alive
        role = "leader" if controller[1] == r else "leads?" if flags & UP and view == r else ""
        where = "ISR" if controller[3] >> r & 1 else "ELR" if controller[4] >> r & 1 else ""
        entries = " ".join(f"{LETTERS[entry & 7]}" for entry in log) or "-"
        rows.append(f"replica {r} {alive} {role:6} {where:3}  log [{entries}]  HW {hw}")
    return rows
