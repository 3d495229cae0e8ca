"""Fixes of many clusters in one run: what speaks against those of one keeps none of another from being fixed, in few trials."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from advisor.analysis.fixes import fixing
from advisor.analysis.fixes.verdict import Side
from advisor.cli.editing.fixing import RunFiles
from tests.support.commands import Ran, run

CLUSTERS = 16
MOST_JUDGED = 16
NODE = """\
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: kafka{0}
spec:
  replicas: 3
  template:
    spec:
      containers:
      - name: broker
        image: apache/kafka:3.9.0
        env:
        - name: KAFKA_PROCESS_ROLES
          value: broker
        - name: KAFKA_CONTROLLER_QUORUM_VOTERS
          value: 100@c{0}:9093
        - name: KAFKA_MIN_INSYNC_REPLICA
          value: "2"
        - name: KAFKA_DEFAULT_REPLICATION_FACTOR
          value: "{1}"
        - name: KAFKA_ADVERTISED_LISTENERS
          value: PLAINTEXT://h{0}:9092
"""


def factor(number: int) -> int:
    """Every third cluster has topics of one replica, of which two cannot be in sync once the key is spelled right."""
    return 1 if number % 3 == 1 else 3


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many files each state had that was judged."""
    (tmp_path / "k.yaml").write_text("".join(NODE.format(number, factor(number)) for number in range(CLUSTERS)))
    monkeypatch.chdir(tmp_path)
    states: list[int] = []
    real = RunFiles.judged

    def counted(self: RunFiles, texts: Mapping[str, bytes]) -> Side:
        states.append(len(texts))
        return real(self, texts)

    monkeypatch.setattr(RunFiles, "judged", counted)
    monkeypatch.setattr(fixing, "MANY", CLUSTERS)
    return states


def diff() -> Ran:
    return run("lint", "--no-config", "--select", "unknown-key", "--diff", "--unsafe-fixes", "-v", "k.yaml")


def test_what_speaks_against_one_cluster_says_nothing_of_others(
    judged: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    many = diff()
    assert len(judged) <= MOST_JUDGED
    judged.clear()
    monkeypatch.setattr(fixing, "MANY", 10_000)
    monkeypatch.setattr(fixing, "TRIALS", 10_000)
    one_by_one = diff()
    assert len(judged) > MOST_JUDGED
    assert (many.code, many.out, many.err) == (one_by_one.code, one_by_one.out, one_by_one.err)


def test_each_cluster_is_fixed_as_far_as_nothing_speaks_against_it(judged: list[int]) -> None:
    ran = diff()
    mended = ran.out.splitlines().count("+        - name: KAFKA_MIN_INSYNC_REPLICAS")
    assert mended == sum(factor(number) == 3 for number in range(CLUSTERS))
    assert "would bring" in ran.err
