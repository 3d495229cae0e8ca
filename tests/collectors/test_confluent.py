"""How confluent-kafka is asked for settings and groups: in batches, within the deadline; and what old releases of it say."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any, cast

import pytest

from advisor.model.cluster import Live
from collectors.kafka.confluent import Confluent
from collectors.kafka.deadline import Deadline, Unread, no_progress
from collectors.kafka.groups import NOT_DESCRIBED, groups_of
from collectors.kafka.options import CollectOptions

LATE = "not read within the 0 s of --timeout"


class Admin:
    """An AdminClient that describes everything at once, and remembers how many resources each request asked about."""

    def __init__(self) -> None:
        self.requests: list[int] = []

    def describe_configs(self, resources: list[Any], request_timeout: float) -> dict[Any, Future[Any]]:
        self.requests.append(len(resources))
        return {resource: done({"name": resource.name}) for resource in resources}


def done(value: object) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(value)
    return future


def confluent(seconds: float) -> tuple[Confluent, Admin]:
    made, admin = Confluent(cast(Any, None), Deadline(seconds)), Admin()
    made._admin = admin
    return made, admin


TOPICS = [f"t{number}" for number in range(2000)]


@pytest.mark.parametrize(("count", "requests"), [(0, []), (500, [500]), (501, [500, 1]), (2000, [500] * 4)])
def test_topics_are_asked_about_in_batches(count: int, requests: list[int]) -> None:
    asked, admin = confluent(30)
    found = asked.topic_configs(TOPICS[:count], no_progress)
    assert admin.requests == requests
    assert found == {name: {"name": name} for name in TOPICS[:count]}


def test_each_broker_is_asked_by_a_request_of_its_own() -> None:
    asked, admin = confluent(30)
    assert asked.broker_configs([1, 2, 3]) == {id: {"name": str(id)} for id in (1, 2, 3)}
    assert admin.requests == [1, 1, 1]


ASKING: dict[str, Callable[[Confluent], dict[Any, Any]]] = {
    "brokers": lambda asked: asked.broker_configs([1, 2]),
    "topics": lambda asked: asked.topic_configs(TOPICS, no_progress),
}


@pytest.mark.parametrize("what", ASKING)
def test_when_the_time_is_up_everything_is_unread_and_nobody_is_asked(what: str) -> None:
    asked, admin = confluent(0)
    found = ASKING[what](asked)
    assert list(found) == ([1, 2] if what == "brokers" else TOPICS)
    assert {(type(answer), str(answer)) for answer in found.values()} == {(Unread, LATE)}
    assert admin.requests == []


def test_what_was_read_before_the_time_was_up_is_kept() -> None:
    asked, admin = confluent(30)

    def out_of_time(stage: str, done: int, total: int) -> None:
        if done == 1000:
            asked.deadline = Deadline(0)

    found = asked.topic_configs(TOPICS, out_of_time)
    assert admin.requests == [500, 500]
    assert list(found) == TOPICS
    assert [name for name, answer in found.items() if not isinstance(answer, Unread)] == TOPICS[:1000]


def listed(name: str, type: str, state: str = "STABLE") -> SimpleNamespace:
    """A group in the brokers' list."""
    return SimpleNamespace(group_id=name, state=SimpleNamespace(name=state), type=SimpleNamespace(name=type))


def described(state: str, **more: object) -> SimpleNamespace:
    """A group as a client describes it; clients before 2.10 give it no type."""
    return SimpleNamespace(
        state=SimpleNamespace(name=state), partition_assignor="", members=[], coordinator=None, **more
    )


@pytest.mark.parametrize(
    ("row", "answer", "state", "members", "unread"),
    [
        (listed("g", "CONSUMER"), described("DEAD"), "STABLE", None, NOT_DESCRIBED),
        (listed("g", "CONSUMER", "EMPTY"), described("DEAD"), "EMPTY", None, NOT_DESCRIBED),
        (listed("g", "CONSUMER"), described("STABLE", type="CONSUMER"), "STABLE", 0, None),
        (listed("g", "CONSUMER"), described("DEAD", type="CONSUMER"), "DEAD", 0, None),
        (listed("g", "CLASSIC"), described("DEAD"), "DEAD", 0, None),
        (listed("g", "UNKNOWN", "EMPTY"), described("EMPTY"), "EMPTY", 0, None),
        (listed("g", "CONSUMER"), Unread("not permitted"), "STABLE", None, "not permitted"),
    ],
)
def test_a_group_that_the_client_cannot_describe_is_not_dead(
    row: SimpleNamespace, answer: Any, state: str, members: int | None, unread: str | None
) -> None:
    client = SimpleNamespace(
        group_names=lambda: ([row], []),
        describe_groups=lambda names, progress: {"g": answer},
        committed=lambda names: {"g": SimpleNamespace(topic_partitions=[])},
    )
    (group,) = groups_of(cast(Any, client), Live("a:1", "id", "now", None), False, True, CollectOptions(1))
    assert (group.state, group.members, group.unread) == (state, members, unread)
