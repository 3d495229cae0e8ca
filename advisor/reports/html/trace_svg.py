"""SVG of a simulated story: a lane for each replica, a column for each step; sizes in SVG units."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.model.claim import LOSS, Claim
from advisor.simulator.claims import WHAT, answer_of, scenario_of
from advisor.simulator.protocol.model import (
    ACKED,
    CUT,
    FAILED,
    NOBODY,
    PENDING,
    UNSENT,
    UP,
    Action,
    Replica,
    State,
    members,
    start,
)
from advisor.simulator.protocol.scenario import EVENTS, Scenario, budget
from advisor.simulator.story import LETTERS, tell_story
from advisor.simulator.verdict import count_failures

Trace = list[tuple[Action, State]]
LABELS, COLUMN, HEAD, LANE, RECORD = 84, 96, 46, 62, 20
MOST_REPLICAS = 5
SHORT = {
    "lose unanswered record": "record lost on the way",
    "advance high watermark": "HW advances",
    "register unnoticed": "back unnoticed",
    "learn": "learns the leader",
    "shrink ISR": "leaves the ISR",
    "shrink ISR by several": "leave the ISR",
    "expand ISR": "joins the ISR",
    "controller up": "controller back",
    "produce": "record appended",
}
STATUS = {UNSENT: "", ACKED: "safe", FAILED: "failed"}


@dataclass(eq=False)
class Record:
    """A record in a log: its letter, where it is drawn, whether it is below the high watermark."""

    letter: str
    x: int
    y: int
    committed: bool


class Cell:
    """A replica after a step."""

    def __init__(self, state: State, r: int, column: int) -> None:
        controller, replica = state[0], state[1][r]
        self.x = LABELS + column * COLUMN
        self.y = HEAD + (r + 1) * LANE
        self.leads = controller[1] == r
        self.believes = not self.leads and bool(replica[0] & UP) and replica[1] == r
        self.in_sync = bool(controller[3] >> r & 1)
        self.eligible = not self.in_sync and bool(controller[4] >> r & 1)
        self.up = bool(replica[0] & UP)
        self.cut = self.up and bool(replica[0] & CUT)
        self.records = records(replica, self.x + 14, self.y + 34)
        self.mark = self.x + 12 + RECORD * replica[5]
        self.hit = False


class TraceStep:
    """A column: what happens, the producer's and the controller's side, and every replica after it."""

    def __init__(self, number: int, action: Action | None, state: State, line: str) -> None:
        self.number = number
        self.x = LABELS + number * COLUMN
        self.line = line
        self.failure = bool(action) and (action[0] in EVENTS if action else False)
        self.label = wrap_label(SHORT.get(action[0], action[0]) if action else "the start")
        self.cells = [Cell(state, r, number) for r in range(len(state[1]))]
        self.records = [f"{LETTERS[k]} {status(each)}".strip() for k, each in enumerate(state[2]) if each != UNSENT]
        leader = "none" if state[0][1] == NOBODY else str(state[0][1])
        self.lost: list[str] = []
        self.leader = f"leader {leader}"
        self.isr = f"ISR {', '.join(map(str, members(state[0][3]))) or 'empty'}"
        self.arrow = arrow(action, self.x)
        for r in replicas_hit(action):
            self.cells[r].hit = self.failure


class Picture:
    """The drawing of a story, with its size and its text alternative."""

    def __init__(self, claim: Claim) -> None:
        scenario, trace = scenario_of(claim), answer_of(claim).trace
        lines = [line for line, _ in tell_story(scenario, trace)]
        self.steps = [] if claim.now is not None else [initial_state(scenario, claim)]
        first = len(self.steps)
        self.steps += [
            TraceStep(number, action, state, line)
            for number, ((action, state), line) in enumerate(zip(trace, lines, strict=True), first)
        ]
        self.first = first
        self.lines = lines
        self.replicas = [(f"replica {r}", HEAD + (r + 1) * LANE) for r in range(scenario.replicas)]
        self.width = LABELS + len(self.steps) * COLUMN + 8
        self.height = HEAD + (scenario.replicas + 1) * LANE + 34
        self.ends = WHAT.get(claim.property, "the property is violated")
        self.lost = lost(trace) if claim.property == LOSS else []
        self.steps[-1:] = [mark_lost(step, self.lost) for step in self.steps[-1:]]

    @property
    def title(self) -> str:
        """The title of the picture, in one line."""
        return f"{len(self.lines)} steps until {self.ends}"


def picture(claim: Claim) -> Picture | None:
    """The picture of a claim's story; None where nothing was computed or nothing has to happen."""
    if not 1 <= claim.rf <= MOST_REPLICAS:
        return None
    drawing = Picture(claim)
    return drawing if drawing.lines else None


def initial_state(scenario: Scenario, claim: Claim) -> TraceStep:
    """The state before the first step."""
    return TraceStep(
        0, None, start(scenario, budget(count_failures(claim.events))), "all replicas are in sync; replica 0 leads"
    )


def records(replica: Replica, x: int, y: int) -> list[Record]:
    """A replica's log."""
    return [Record(LETTERS[entry & 7], x + RECORD * at, y, at < replica[5]) for at, entry in enumerate(replica[4])]


def status(value: int) -> str:
    """The producer's knowledge of a record."""
    return "sent" if value >= PENDING else STATUS[value]


def lost(trace: Trace) -> list[str]:
    """The acknowledged records that the leader's log lacks in the end."""
    if not trace:
        return []
    controller, replicas, statuses = trace[-1][1][:3]
    held = {entry & 7 for entry in replicas[controller[1]][4]} if controller[1] != NOBODY else set()
    return [LETTERS[k] for k, value in enumerate(statuses) if value == ACKED and k not in held]


def mark_lost(step: TraceStep, lost: list[str]) -> TraceStep:
    """Mark the lost records in the last step."""
    step.lost = [f"{letter} LOST" for letter in lost]
    step.records = [record for record in step.records if record.split(" ")[0] not in lost]
    return step


def replicas_hit(action: Action | None) -> list[int]:
    """The replicas that a step is about."""
    return [] if action is None else [r for r in action[1:2] if r >= 0]


def arrow(action: Action | None, x: int) -> tuple[int, int, int] | None:
    """(x, from y, to y) of what moves between replicas in a step."""
    if action is None or action[0] not in ("fetch", "produce"):
        return None
    target, source = action[1], action[2] if action[0] == "fetch" else -1
    middle = HEAD + LANE // 2
    return x + 62, middle + (source + 1) * LANE, middle + (target + 1) * LANE


def wrap_label(text: str) -> list[str]:
    """Wrap a label into at most two lines."""
    words, lines = text.split(" "), [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) >= 13 and len(lines) < 2:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
