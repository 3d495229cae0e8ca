"""A configuration's toggles by version, and what is refused."""

from __future__ import annotations

import pytest

from advisor.errors import BadScenario
from advisor.simulator.protocol.scenario import EPOCH, EPOCH_ONE_ROUND, EVENTS, HIGH_WATERMARK, Scenario, budget

TOGGLES = [
    # version, metadata, strict HW, effective min.isr of 2 at RF 1, unclean honoured, truncation, KIP-320, bump on shrink
    ((0, 10), "zookeeper", False, 2, True, HIGH_WATERMARK, False, True),
    ((0, 11), "zookeeper", False, 2, True, EPOCH_ONE_ROUND, False, True),
    ((1, 1), "zookeeper", False, 2, True, EPOCH_ONE_ROUND, False, True),
    ((2, 0), "zookeeper", False, 2, True, EPOCH, False, True),
    ((2, 1), "zookeeper", False, 2, True, EPOCH, True, True),
    ((3, 2), "zookeeper", False, 2, True, EPOCH, True, True),
    ((3, 3), "kraft", False, 2, False, EPOCH, True, True),
    ((3, 5), "kraft", False, 2, False, EPOCH, True, True),
    ((3, 6), "kraft", False, 2, False, EPOCH, True, False),
    ((3, 6), "zookeeper", False, 2, True, EPOCH, True, False),
    ((3, 7), "kraft", True, 1, False, EPOCH, True, False),
    ((3, 8), "kraft", True, 1, False, EPOCH, True, False),
    ((3, 8), "zookeeper", True, 1, True, EPOCH, True, False),
    ((3, 9), "kraft", True, 1, True, EPOCH, True, False),
    ((4, 0), "kraft", True, 1, True, EPOCH, True, False),
    ((4, 1), "kraft", True, 1, True, EPOCH, True, False),
    ((4, 4), "kraft", True, 1, True, EPOCH, True, False),
]


@pytest.mark.parametrize("row", TOGGLES, ids=lambda row: f"{row[0][0]}.{row[0][1]}-{row[1]}")
def test_toggles_of_a_version(row: tuple[object, ...]) -> None:
    setup = Scenario(1, 2, unclean=True, version=row[0], metadata=row[1])  # type: ignore[arg-type]
    found = setup.strict, setup.min_isr, setup.unclean, setup.truncation, setup.epoch_fenced, setup.bump_on_shrink
    assert found == row[2:]


@pytest.mark.parametrize(("version", "fenced"), [((3, 9), False), ((4, 0), True), ((4, 1), False)])
def test_only_one_version_elects_a_fenced_last_leader(version: tuple[int, int], fenced: bool) -> None:
    assert Scenario(version=version).elects_fenced_last_leader is fenced


@pytest.mark.parametrize(
    ("rf", "min_isr", "capped"), [(1, 1, 1), (1, 5, 1), (3, 2, 2), (3, 3, 3), (3, 4, 3), (5, 9, 5)]
)
def test_min_isr_is_capped(rf: int, min_isr: int, capped: int) -> None:
    assert Scenario(rf, min_isr).min_isr == capped
    assert Scenario(rf, min_isr, version=(3, 6)).min_isr == min_isr


def test_domains() -> None:
    assert Scenario(3).domains == (0, 0, 0)
    assert Scenario(3, domains=[0, 1, 1]).domains == (0, 1, 1)


REFUSED = [
    {"min_isr": 0},
    {"min_isr": -1},
    {"replicas": 0},
    {"replicas": 8},
    {"replicas": -1},
    {"records": 0},
    {"records": 4},
    {"acks": "2"},
    {"acks": "-1"},
    {"metadata": "raft"},
    {"replicas": 3, "domains": [0, 1]},
    {"replicas": 2, "domains": [0, 1, 2]},
    {"without": ["brakes"]},
]


@pytest.mark.parametrize("wrong", REFUSED, ids=str)
def test_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadScenario) as refused:
        Scenario(**wrong)  # type: ignore[arg-type]
    assert len(str(refused.value).splitlines()) == 1


def test_budget() -> None:
    assert budget({}) == (0,) * len(EVENTS)
    assert budget({"kill": 2, "power-loss-all": 1}) == (2, 0, 0, 0, 0, 0, 0, 1)


@pytest.mark.parametrize("wrong", [{"meteor": 1}, {"kill": -1}, {"KILL": 1}])
def test_refused_budget(wrong: dict[str, int]) -> None:
    with pytest.raises(BadScenario) as refused:
        budget(wrong)
    assert len(str(refused.value).splitlines()) == 1
