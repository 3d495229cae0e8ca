"""The controllers while some have the new file: whether they elect a leader, and which nodes it lets in."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from advisor.analysis.rollout.cluster import RolloutCluster
from advisor.analysis.rollout.peers.reach import Reach, controller_reached, unknown_name
from advisor.analysis.rollout.peers.side import OTHER, Side


@dataclass(eq=False)
class QuorumState:
    """The leader of the quorum after an event, None where there is none; why, and what is not known."""

    leader: int | None
    why: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    """Controllers that may end, and why."""
    may_end: set[int] = field(default_factory=set)
    diverges: bool = False


class Quorum:
    """The controllers of the cluster; without their files, and with ZooKeeper, one is taken to lead."""

    def __init__(self, cluster: RolloutCluster) -> None:
        self.is_judged = cluster.is_kraft and any(node.old and node.old.is_controller for node in cluster.controllers)
        self.files = set(cluster.nodes)
        self.size = sum(bool(node.old and node.old.is_controller) for node in cluster.controllers)
        self.active = cluster.active
        self.emptied = {node.id for node in cluster.controllers if node.old is None and node.new and node.new.voters}
        """Controllers whose metadata log is empty, and not yet copied from the leader."""
        self.leader: Side | None = None
        self.others: list[Side] = []
        """Other controllers that answer who leads."""

    def settle(self, sides: Mapping[int, Side], up: Set[int], changed: int, classes: Mapping[int, int]) -> QuorumState:
        """The leader after a node stopped or came back; nodes of one class are reached alike, but for who votes."""
        if not self.is_judged:
            return QuorumState(-1)
        controllers = {id: sides[id] for id in up if sides[id].now.is_controller}
        state = QuorumState(None)
        if diverging(controllers):
            state.why.append("controllers disagree about who votes: two of them may lead at once, or none")
            self.leader, state.diverges = None, True
            return state
        voting = {id: side for id, side in controllers.items() if may_vote(side)}
        able = self._able_by_class(voting, classes, state)
        if able is None:
            able = [id for id in sorted(voting) if self._has_majority(id, voting, state)]
        if not able:
            state.why.append("no controller has a majority of the voters: none leads")
            self.leader = None
            return state
        if self.active not in able or self.active == changed:
            self.active = next((id for id in able if id != changed), able[0])
        self.leader, self.others = controllers[self.active], [controllers[id] for id in able if id != self.active]
        if self.emptied and len(self.emptied) * 2 > self.voters(controllers):
            state.why.append("a majority of the controllers has lost the metadata: brokers end when they see it")
            self.leader = None
            return state
        state.leader = self.active
        return state

    def _able_by_class(
        self, controllers: Mapping[int, Side], classes: Mapping[int, int], state: QuorumState
    ) -> list[int] | None:
        """The controllers that have a majority, of each class one asked; None where something is to be said of single ones."""
        if any(side.now.voters for side in controllers.values()):
            return None
        groups: dict[int, list[int]] = {}
        for id in controllers:
            groups.setdefault(classes[id], []).append(id)
        pairs = {(one[0], other[-1]) for one in groups.values() for other in groups.values() if one[0] != other[-1]}
        talks = [Talk(controllers[one], controllers[other]) for one, other in pairs]
        unknown = {way.why for talk in talks for way in talk.unknown}
        if len(unknown) > 1 or any(talk.refused or talk.ends or OTHER in "".join(unknown) for talk in talks):
            return None
        state.unknown += unknown
        votes = len(controllers) + len(controllers.keys() - self.files)
        return sorted(controllers) if votes * 2 > self.voters(controllers) else []

    def _has_majority(self, id: int, controllers: Mapping[int, Side], state: QuorumState) -> bool:
        """Whether a controller reaches a majority of the voters, and they reach it; voters without files are taken to vote."""
        count = self.voters(controllers)
        members = set(controllers[id].now.voters) or set(controllers)
        votes = 1 + len(members - self.files)
        for other in controllers.keys() & members - {id}:
            talk = Talk(controllers[id], controllers[other])
            state.why += [f"between controllers {id} and {other}: {reason(way, other)}" for way in talk.refused[:1]]
            state.unknown += [reason(way, other) for way in talk.unknown]
            ends = talk.ends.replace(OTHER, f"controller {other}")
            if ends:
                state.ends.append(f"controller {id}: {ends}")
                state.may_end.add(id)
            votes += not talk.refused
        return votes * 2 > count

    def unknown_endpoint(self, id: int, side: Side, sides: Mapping[int, Side]) -> str:
        """Why a node of a dynamic quorum ends: voters are kept with the names of their listeners, and its name is none of them.

        A controller asks every voter, a broker the one that leads. Seen on 4.3: "Unknown endpoint for leader".
        """
        name = next(iter(side.now.controller_names), "")
        if not side.now.is_kraft or side.now.voters or side.is_as_before or not name:
            return ""
        voters = {other: each for other, each in sides.items() if each.now.is_controller and may_vote(each)}
        leads = self.leader.now.id if self.leader else None
        asked = {leads} if leads in voters and not side.now.is_controller else voters.keys() - {id}
        without = sorted(other for other in asked if other is not None and name not in voters[other].now.listeners)
        if not without:
            return ""
        return f"it calls the controllers' listener {name}, which controller {without[0]} does not have: it ends"

    def voters(self, controllers: Mapping[int, Side]) -> int:
        """How many voters there are: as static lists say, else as many controllers as there were."""
        return max((len(side.now.voters) for side in controllers.values()), default=0) or self.size

    def refusal(self, broker: Side) -> Reach | None:
        """Why a broker is not let in by the controller that leads; None where it is.

        From 3.9 on any controller that a broker reaches tells it where the leader is.
        """
        if self.leader is None:
            return None
        way = controller_reached(broker, self.leader)
        if way.reaches is not False or (way.elsewhere and self._is_told(broker)):
            return None
        return way._replace(why=f"{reason(way, self.leader.now.id)}{': it ends' if way.denied else ''}")

    def _is_told(self, broker: Side) -> bool:
        """Whether another controller that the broker reaches tells it where the leader is."""
        return broker.now.version >= ENDPOINTS and any(controller_reached(broker, each).reaches for each in self.others)


class Talk:
    """What two controllers make of each other: the ways that are refused or not known, and why the first one ends."""

    def __init__(self, one: Side, other: Side) -> None:
        ways = controller_reached(one, other), controller_reached(other, one)
        self.refused = [way for way in ways if way.reaches is False]
        self.unknown = [way for way in ways if way.reaches is None]
        self.ends = unknown_name(one, other)


ENDPOINTS = (3, 9)
"""The release from which on answers name the address of the leader (KIP-853)."""


def may_vote(side: Side) -> bool:
    """Whether a controller is a voter: a new one of a dynamic quorum only observes until it is added."""
    return side.before is not None or bool(side.now.voters)


def diverging(controllers: Mapping[int, Side]) -> bool:
    """Whether some controllers' files name other voters than those of others."""
    return len({frozenset(side.now.voters) for side in controllers.values() if side.now.voters}) > 1


def reason(way: Reach, other: int | None) -> str:
    """Why a controller is not reached."""
    return way.why.replace(OTHER, f"controller {other}")
