"""Scenarios drawn at random: a configuration, and events that can be played one after the other."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.live.kafka.scenarios import ELR, KRAFT, SLOW, ZOOKEEPER, Scenario

KINDS = (KRAFT, ELR, ZOOKEEPER, SLOW)
SEED = 1
"""Of the scenarios that are recorded."""
BLOCK = 10
"""Scenarios on one cluster before the next kind has its turn."""
LETTERS = "abc"
CRASHES = ("kill", "power-loss", "disk-loss", "replace-disk")
WEIGHTS = {
    "produce": 5,
    "kill": 4,
    "stop": 2,
    "pause": 2,
    "power-loss": 2,
    "disk-loss": 1,
    "replace-disk": 1,
    "resume": 4,
    "start": 6,
    "controller down": 1,
    "controller up": 3,
}
HURRIED = {"produce": 0.2, "pause": 0.5, "kill": 0.3, "power-loss": 0.3}
"""How often the next event follows at once."""
SHORTEST, LONGEST = 6, 11


def scenario(seed: int, number: int) -> Scenario:
    """The scenario of that number: always the same one."""
    draw = random.Random(f"{seed} {number}")
    kind = KINDS[number // BLOCK % len(KINDS)]
    rf = draw.choice((1, 2, 2, 3, 3, 3, 3, 3))
    min_isr = draw.randint(1, rf)
    acks = draw.choice(("0", "1", "all", "all"))
    events = tuple(Events(draw, kind, rf).drawn())
    return Scenario(f"random {seed}/{number}", kind, rf, min_isr, acks, events, "", unclean=draw.random() < 0.4)


class Events:
    """Draws events; keeps in mind who is up, and what a cluster cannot do without its controller."""

    def __init__(self, draw: random.Random, kind: str, rf: int) -> None:
        self.draw = draw
        self.kind = kind
        self.up = set(range(1, rf + 1))
        self.paused: set[int] = set()
        self.down: set[int] = set()
        self.replaced: set[int] = set()
        self.controlled = True
        self.letters = list(LETTERS)

    def drawn(self) -> Iterator[str]:
        """The events of a scenario; half of them end with everybody back."""
        events = [self.produced()]
        count = self.draw.randint(SHORTEST, LONGEST)
        events += [self.happened(self.verb()) for _ in range(count - 1)]
        if self.draw.random() < 0.5:
            events += self.recovery()
        yield from events[:-1]
        yield events[-1].rstrip("!")

    def verb(self) -> str:
        """What happens next."""
        possible = [verb for verb in WEIGHTS if self.may(verb)]
        return self.draw.choices(possible, [WEIGHTS[verb] for verb in possible])[0]

    def may(self, verb: str) -> bool:
        """Whether it can happen now. Without a controller no broker stops in order, and none starts."""
        if verb == "produce":
            return bool(self.letters)
        if verb in ("start", "stop") and not self.controlled:
            return False
        if verb == "replace-disk" and self.kind == ZOOKEEPER:
            return False
        if verb.startswith("controller"):
            return self.controlled == (verb == "controller down")
        return bool(self.source(verb))

    def happened(self, verb: str) -> str:
        """The event, with its brokers."""
        if verb == "produce":
            return self.produced()
        if verb.startswith("controller"):
            self.controlled = not self.controlled
            return verb
        chosen = self.chosen(verb)
        event = f"{verb} {' '.join(map(str, chosen))}"
        return event + self.mark(verb, chosen)

    def produced(self) -> str:
        """The next record."""
        return f"produce {self.letters.pop(0)}{self.mark('produce', [])}"

    def source(self, verb: str) -> set[int]:
        """The brokers that it can happen to."""
        if verb in CRASHES:
            return self.up | self.paused
        return {"start": self.down, "resume": self.paused}.get(verb, self.up)

    def chosen(self, verb: str) -> list[int]:
        """The brokers that it happens to, mostly one."""
        source = self.source(verb)
        count = 1 if self.draw.random() < 0.7 else self.draw.randint(1, len(source))
        brokers = sorted(self.draw.sample(sorted(source), count))
        self.move(verb, brokers)
        return brokers

    def move(self, verb: str, brokers: list[int]) -> None:
        """Note who is up, paused and down now."""
        target = {"start": self.up, "resume": self.up, "pause": self.paused}.get(verb, self.down)
        for group in (self.up, self.paused, self.down):
            group.difference_update(brokers)
        target.update(brokers)
        if verb == "replace-disk":
            self.replaced.update(brokers)

    def mark(self, verb: str, brokers: list[int]) -> str:
        """How the event ends: `!` at once, `?` with something that may be left undone."""
        if verb == "start" and self.replaced & set(brokers):
            self.replaced.difference_update(brokers)
            return "?"
        return "!" if self.draw.random() < HURRIED.get(verb, 0) else ""

    def recovery(self) -> Iterator[str]:
        """The controller, everybody who is paused and everybody who is down come back."""
        if not self.controlled:
            yield self.happened("controller up")
        while self.paused:
            yield self.happened("resume")
        while self.down:
            yield self.happened("start")
