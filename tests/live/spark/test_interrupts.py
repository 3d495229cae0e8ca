"""Ctrl-C at any time of a command on Spark: silent, 130, no tables that look whole, no process that stays."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.commands import ROOT
from tests.support.sockets import listening
from tests.support.spark_servers import JAVA_WARNING

SECONDS = 90.0
SPARKS_LOG = re.compile(r"\d\d:\d\d:\d\d (WARN|ERROR) \w+: ")
"""A line that Spark's own threads may still log of a job that is taken from them."""


def until(seen: Callable[[], object], what: str) -> None:
    """Wait for something, but not for ever."""
    end = time.monotonic() + SECONDS
    while not seen():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def gone(group: int) -> bool:
    """Whether no process of the group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("begun", ["run=*", "run=*/table=all/_temporary"])
def test_cut_off(tmp_path: Path, begun: str) -> None:
    """While Java starts or the session is used first, and while clusters are read that say nothing."""
    with contextlib.ExitStack() as stack:
        ports = [stack.enter_context(listening(0)) for _ in range(2)]
        rows = "".join(f"  - {{name: c{port}, bootstrap_servers: '127.0.0.1:{port}'}}\n" for port in ports)
        (tmp_path / "fleet.yaml").write_text(f"clusters:\n{rows}")
        command = ["collect", "--inventory", "fleet.yaml", "--out", "out", "--master", "local[1]", "--format", "orc"]
        running = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-m", "advisor", *command],
                cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )
        )  # fmt: skip
        until(lambda: running.poll() is not None or list((tmp_path / "out").glob(begun)), begun)
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=SECONDS)
    assert (running.returncode, out) == (130, b"")
    lines = err.decode().replace(JAVA_WARNING, "").splitlines()
    assert [line for line in lines if not SPARKS_LOG.match(line)] == []
    assert not (tmp_path / "out").exists()
    until(lambda: gone(running.pid), "a process stays")
