"""Play one scenario on a real cluster, and compare it with the simulator event by event."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

from tests.live.kafka import logs
from tests.live.kafka.client import UNKNOWN_OFFSET
from tests.live.kafka.expected import Expectation, Seen, matches
from tests.live.kafka.harness import Cluster, Node, Partition, Silent
from tests.live.kafka.node import POLL
from tests.live.kafka.recorded import Step
from tests.live.kafka.scenarios import Scenario

PATIENCE = 45.0
"""Seconds until what is seen must be what the simulator calls final."""
STABLE = 4.0
"""Seconds without a change, after an event that may leave something undone."""
FETCH_WAIT = 0.6
"""Seconds after which no fetch of a paused follower is on its way (three times replica.fetch.wait.max.ms)."""
ANSWER = 6.0
"""Seconds for a producer; its request times out after 80 % of them."""


ON_ITS_WAY = 2.0
"""Seconds after which a record that nobody answers for is lost."""


class Play:
    """One scenario on one cluster, compared with the simulator event by event."""

    def __init__(self, cluster: Cluster, scenario: Scenario, topic: str) -> None:
        self.cluster = cluster
        self.scenario = scenario
        self.topic = topic
        self.expectation = Expectation(scenario.setup, scenario.letters)
        self.seen: Seen | None = None
        self.steps: list[Step] = []

    def run(self) -> Sequence[Step]:
        """Everything that was seen, until the first disagreement."""
        brokers = list(range(1, self.scenario.rf + 1))
        self.cluster.create(self.topic, assignment=[brokers], config=self.scenario.topic_config)
        for event in self.scenario.events:
            if not self.foreseen(event):
                break
        return self.steps

    def foreseen(self, event: str) -> bool:
        """Let an event happen, write down what is seen, and whether the simulator foresaw it."""
        plain = event.rstrip("!?")
        outcome = self.act(plain)
        self.expectation.happen(plain)
        if outcome is not None:
            self.expectation.answered(plain, outcome)
        seen = None if event.endswith("!") else self.stable() if event.endswith("?") else self.settled()
        self.steps.append(Step(event, outcome, None if event.endswith("!") else seen or self.seen))
        if seen:
            self.expectation.observe(seen)
        return bool(seen) or event.endswith("!")

    # ------------------------------------------------------------------ acting

    def act(self, event: str) -> int | str | None:
        """Let it happen; what the producer is told, where the event is that."""
        verb, *targets = event.split()
        if verb == "produce":
            return self.produce(targets[0])
        if verb == "controller":
            self.control(targets[0])
            return None
        nodes = [self.cluster.nodes[int(target)] for target in targets]
        for node in nodes:
            if verb in ("kill", "power-loss", "disk-loss", "replace-disk"):
                node.kill()
            elif verb == "start":
                node.start(wait=False)
            else:
                getattr(node, verb)()
        for node in nodes:
            if verb == "power-loss":
                self.lose_power(node)
            elif verb in ("disk-loss", "replace-disk"):
                self.cluster.replace_disk(node, new_id=verb == "replace-disk")
        if verb == "pause":
            time.sleep(FETCH_WAIT)
        return None

    def produce(self, letter: str) -> int | str:
        """Send a record; one that nobody answers for (acks=0) may still be on its way: wait until a broker has it."""
        outcome = self.cluster.produce(self.topic, 0, [letter], self.scenario.acks, ANSWER)[0]
        deadline = time.monotonic() + ON_ITS_WAY
        while outcome == UNKNOWN_OFFSET and not self.is_somewhere(letter) and time.monotonic() < deadline:
            time.sleep(POLL)
        return outcome

    def is_somewhere(self, letter: str) -> bool:
        """Whether a record is in a log."""
        return any(letter in logs.values(node, self.topic, 0) for node in self.cluster.nodes.values())

    def lose_power(self, node: Node) -> None:
        """A dead broker loses its last record, unless the simulator knows it on disk (it was stopped in order)."""
        if self.expectation.unflushed(node.id, logs.values(node, self.topic, 0)):
            self.cluster.cut_tail(node, self.topic)

    def control(self, how: str) -> None:
        """Kill or start the controllers, or ZooKeeper."""
        for node in (self.cluster.controllers or self.cluster.servers).values():
            if how == "down":
                node.kill()
            else:
                node.start()

    # ------------------------------------------------------------------ observing

    def settled(self) -> Seen | None:
        """Look until what is seen is final; None where it never is (`seen` has what was seen last)."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if any(matches(final, seen) for seen in self.look() for final in self.expectation.outcomes()):
                return self.seen
            time.sleep(POLL)
        return None

    def stable(self) -> Seen | None:
        """Look until nothing changes any more; None where the simulator cannot come to what is seen."""
        self.cluster.ready()
        self.expectation.registered()
        since, last = time.monotonic(), None
        while time.monotonic() < since + STABLE:
            for seen in self.look():
                if seen != last:
                    since, last = time.monotonic(), seen
            time.sleep(POLL)
        known = {self.expectation.projected(state) for state in self.expectation.possible}
        return self.seen if self.seen and any(matches(state, self.seen) for state in known) else None

    def look(self) -> Iterator[Seen]:
        """What all live brokers agree on, what lies on the disks, and what can be read; nothing while they differ."""
        for node in self.cluster.everyone.values():
            node.check()
        live = self.cluster.live()
        views = self.views(live)
        if (live and any(view != views[0] for view in views)) or bool(live) != bool(views):
            return
        self.seen = self.put_together(views[0] if views else None)
        yield self.seen

    def views(self, live: list[Node]) -> list[Partition]:
        """What each live broker that answers knows of the partition."""
        found = []
        for node in live:
            with suppress(Silent):
                found += [view for p, view in self.cluster.seen_by(node, self.topic).items() if p == 0]
        return found

    def put_together(self, view: Partition | None) -> Seen:
        """One observation; without a live broker there are only the disks."""
        ids = range(1, self.scenario.rf + 1)
        kept = tuple("".join(logs.values(self.cluster.nodes[id], self.topic, 0)) for id in ids)
        if view is None:
            return Seen(None, None, None, kept, None)
        elr = None if view.elr is None else frozenset(view.elr)
        return Seen(view.leader, frozenset(view.isr), elr, kept, self.read(view.leader))

    def read(self, leader: int) -> str | None:
        """All that a consumer reads; None where nobody serves it."""
        with suppress(TimeoutError):
            return "".join(self.cluster.consume(self.topic, 0, timeout=5 if leader >= 0 else 1))
        return None
