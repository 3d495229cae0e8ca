"""What is assumed to fail: brokers, racks, controllers; parsed from the words of `--down`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from advisor.errors import UserError
from advisor.model import is_whole_number
from advisor.model.cluster import ALIVE, DEAD, ZOOKEEPER, Live

CONTROLLERS = "controllers"
WORDS = "broker:N, rack:NAME, controller:N or controllers"


@dataclass(eq=False)
class Failure:
    """Brokers and controllers that fail together, by id; `ensemble` says that all of ZooKeeper's servers do."""

    how: str
    brokers: set[int] = field(default_factory=set)
    controllers: set[int] = field(default_factory=set)
    ensemble: bool = False
    notes: list[str] = field(default_factory=list)


def parse_failure(text: str, how: str, live: Live) -> Failure:
    """Parse `broker:2,rack:eu-1a,controller:3,controllers`. Raises UserError for what the cluster does not have."""
    failure = Failure(how)
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise UserError(f"--down: name what fails: {WORDS}")
    for word in words:
        what, _, name = word.partition(":")
        if word != CONTROLLERS and (what not in ADD or not name):
            raise UserError(f"--down {word}: what fails is {WORDS}")
        if word == CONTROLLERS:
            add_controllers(failure, live)
        else:
            ADD[what](failure, name, live)
    failure.notes += notes_on(failure, live)
    return failure


def add_broker(failure: Failure, name: str, live: Live) -> None:
    """Add a broker, and its controller where it is a combined node."""
    ids = {node.id for node in live.nodes}
    id = known(name, ids, "broker", "brokers")
    failure.brokers.add(id)
    if id in voters_of(live):
        failure.controllers.add(id)


def add_rack(failure: Failure, name: str, live: Live) -> None:
    """Add all brokers of a rack."""
    racks = sorted({node.rack for node in live.nodes if node.rack})
    if name not in racks:
        raise UserError(
            f"--down rack:{name}: no broker is there; racks: {', '.join(racks) or 'no broker says its rack'}"
        )
    for node in live.nodes:
        if node.rack == name:
            add_broker(failure, str(node.id), live)
        elif not node.rack:
            failure.notes.append(f"broker {node.id} does not say its rack: it is taken to be elsewhere")


def add_controller(failure: Failure, name: str, live: Live) -> None:
    """Add a voter of the metadata quorum, and its broker where it is a combined node."""
    if live.metadata == ZOOKEEPER:
        raise UserError(
            "--down controller:N: in ZooKeeper mode a broker is the controller: name broker:N, or controllers"
        )
    voters = voters_of(live)
    if not voters:
        raise UserError(f"--down controller:{name}: {live.unread.get('quorum', 'the quorum was not read')}")
    id = known(name, voters, "controller", "voters")
    failure.controllers.add(id)
    if any(node.id == id for node in live.nodes):
        failure.brokers.add(id)


def add_controllers(failure: Failure, live: Live) -> None:
    """Add every controller, or all of the ZooKeeper ensemble."""
    if live.metadata == ZOOKEEPER:
        failure.ensemble = True
        return
    voters = voters_of(live)
    if not voters:
        raise UserError(f"--down controllers: {live.unread.get('quorum', 'the quorum was not read')}")
    for id in voters:
        add_controller(failure, str(id), live)


ADD = {"broker": add_broker, "rack": add_rack, "controller": add_controller}


def voters_of(live: Live) -> set[int]:
    """The voters of the metadata quorum; none where it was not read."""
    return {member.id for member in live.quorum.members if member.voter} if live.quorum else set()


def known(name: str, ids: set[int], what: str, plural: str) -> int:
    """The id that a name is. Raises UserError where the cluster has no such."""
    if not is_whole_number(name) or int(name) not in ids:
        raise UserError(f"--down {what}:{name}: there is none; {plural}: {', '.join(map(str, sorted(ids))) or 'none'}")
    return int(name)


def notes_on(failure: Failure, live: Live) -> Iterator[str]:
    """What the operator may not know of it."""
    for id in sorted(failure.brokers & failure.controllers):
        yield f"broker {id} is controller {id} as well"
    for node in live.nodes:
        if node.id in failure.brokers and node.state != ALIVE:
            yield f"broker {node.id} is {'down' if node.state == DEAD else node.state} already"
