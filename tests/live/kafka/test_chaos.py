"""The short selection of scenarios on real clusters; `make chaos` plays all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.kafka.chaos import cluster_for, play
from tests.live.kafka.harness import needs_kafka
from tests.live.kafka.reality import judged
from tests.live.kafka.scenarios import SCENARIOS, VERSIONS, Scenario

SHORT = [scenario for scenario in SCENARIOS if scenario.short]


@pytest.mark.parametrize("kind", dict.fromkeys(scenario.cluster for scenario in SHORT))
def test_reality_is_what_the_simulator_says(kind: str, tmp_path: Path) -> None:
    needs_kafka(VERSIONS[kind])
    with cluster_for(kind, tmp_path) as cluster:
        results = [judged(scenario, play(cluster, scenario, number)) for number, scenario in enumerate(of(kind))]
    assert [result.line() for result in results if not result.agrees] == []


def of(kind: str) -> list[Scenario]:
    return [scenario for scenario in SHORT if scenario.cluster == kind]
