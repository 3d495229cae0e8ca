"""A client library that dies takes nothing else with it."""

from __future__ import annotations

import ctypes
import faulthandler
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from advisor import limits
from advisor.errors import BadSettings, UnreachableCluster
from advisor.model import Snapshot
from advisor.samples.cluster_text import parse_cluster
from collectors.kafka import child_process
from collectors.kafka.child_process import ChildFault, collect_in_child

pytestmark = pytest.mark.skipif(not child_process.FORKS, reason="only Linux forks")
ADDRESS = "h:9092"


def test_what_is_read_comes_back() -> None:
    snapshot = collect_in_child(ADDRESS, lambda: parse_cluster("brokers 1 2\ntopic a retention.ms=1"), 5)
    assert [entity.name for entity in snapshot.entities] == ["1", "2", "a"]
    assert snapshot.entities[-1].settings["retention.ms"].value == "1"


@pytest.mark.parametrize(
    ("end", "cause"),
    [(os.abort, "SIGABRT"), (lambda: ctypes.string_at(0), "SIGSEGV"), (lambda: os._exit(3), "exit code 3")],
)
def test_a_library_that_dies_is_a_cluster_that_cannot_be_reached(end: Callable[[], object], cause: str) -> None:
    def die() -> Snapshot:
        faulthandler.disable()
        end()
        raise AssertionError("is alive")

    with pytest.raises(UnreachableCluster, match=rf"^h:9092: the client library died .*\({cause}\)"):
        collect_in_child(ADDRESS, die, 5)


def test_errors_come_back() -> None:
    def refuse() -> None:
        raise BadSettings("no")

    with pytest.raises(BadSettings, match="no"):
        collect_in_child(ADDRESS, refuse, 5)  # type: ignore[arg-type]
    with pytest.raises(ChildFault, match="ZeroDivisionError"):
        collect_in_child(ADDRESS, lambda: 1 // 0, 5)  # type: ignore[arg-type, return-value]


def test_a_reading_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "GRACE", 0.2)
    with pytest.raises(UnreachableCluster, match="not read within the"):
        collect_in_child(ADDRESS, lambda: time.sleep(60), 0.1)  # type: ignore[arg-type, return-value]


def test_a_reading_that_takes_too_much_memory_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CLUSTER", ("the memory", 150 * limits.MB))
    with pytest.raises(UnreachableCluster, match="over 150 MB, the limit of the memory"):
        collect_in_child(ADDRESS, lambda: fill(300_000_000), 30)  # type: ignore[arg-type, return-value]


def fill(size: int) -> bytes:
    """Take so much memory, and keep it."""
    content = b"x" * size
    time.sleep(60)
    return content


def test_a_server_forks_children_beside_threads() -> None:
    with ThreadPoolExecutor(4) as executor:
        futures = [executor.submit(collect_in_child, ADDRESS, read, 20, ("ctypes",)) for read in (sample, os.abort) * 4]
    errors = [future.exception() for future in futures]
    assert errors[::2] == [None] * 4
    assert [str(error) for error in errors[1::2] if "SIGABRT" not in str(error)] == []
    assert [entity.name for entity in futures[0].result().entities] == ["1", "2", "a"]


def sample() -> Snapshot:
    return parse_cluster("brokers 1 2\ntopic a retention.ms=1")
