"""The check and snapshot commands without a cluster: what they refuse, print and bound."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.cli.commands.check import ACLS
from advisor.cli.inputs import with_topics
from tests.support.commands import ROOT, run


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port that accepts and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        kept: list[socket.socket] = []

        def accept() -> None:
            while True:
                try:
                    kept.append(server.accept()[0])
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1]


def test_the_rights_that_a_full_read_takes() -> None:
    ran = run("check", "--required-acls")
    assert ran.code == 0
    for resource, name, operations, _ in ACLS:
        assert f"# {resource} {name}" in ran.out
        assert all(f"--operation {operation}" in ran.out for operation in operations)
    readme = (ROOT / "README.md").read_text()
    assert ran.out.strip() in readme


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "which cluster? Name it with --bootstrap-server"),
        (("--bootstrap-server", "nonsense"), "nonsense"),
        (("--bootstrap-server", "a:1", "--command-config", "/absent.properties"), "/absent.properties"),
        (("--bootstrap-server", "a:1", "--timeout", "0"), "--timeout"),
        (("--bootstrap-server", "a:1", "--timeout", "nan"), "--timeout"),
        (("--bootstrap-server", "a:1", "cluster.json"), "either --bootstrap-server or a saved snapshot"),
        (("absent.json",), "absent.json: no such file"),
        (("--bootstrap-server", "a:1", "--before", "absent.json"), "absent.json: no such file"),
    ],
)
def test_what_makes_no_sense_is_one_line_and_exit_2(arguments: tuple[str, ...], says: str) -> None:
    ran = run("check", *arguments)
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert says in ran.err


def test_nobody_at_the_address_is_exit_4_with_address_and_reason() -> None:
    for command in (("check",), ("snapshot", "-o", "x.json")):
        ran = run(*command, "--bootstrap-server", "127.0.0.1:1", "--timeout", "3")
        assert ran.code == 4
        assert ran.err.startswith("kafka-advisor: 127.0.0.1:1: ")
        assert ran.err.count("\n") == 1
    assert not Path("x.json").exists()


def test_a_server_that_says_nothing_is_left_within_the_timeout(silent_port: int) -> None:
    started = time.monotonic()
    ran = run("check", "--bootstrap-server", f"127.0.0.1:{silent_port}", "--timeout", "3")
    assert time.monotonic() - started < 8
    assert ran.code == 4
    assert f"127.0.0.1:{silent_port}" in ran.err


def heeds_interrupts() -> None:
    """A shell lets what it starts in the background ignore interrupts, and that is inherited."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_an_interrupt_leaves_at_once_and_leaves_nothing(tmp_path: Path, silent_port: int) -> None:
    command = [sys.executable, "-m", "advisor", "snapshot", "--bootstrap-server", f"127.0.0.1:{silent_port}"]
    process = subprocess.Popen(
        [*command, "-o", str(tmp_path / "c.json")],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": "."},
        preexec_fn=heeds_interrupts,
    )
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=15) == 130
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("producer.properties", ("producer.properties", ())),
        ("producer.properties=orders", ("producer.properties", ("orders",))),
        ("p.properties=orders, pay-*,", ("p.properties", ("orders", "pay-*"))),
        ("a=b.properties=orders", ("a=b.properties", ("orders",))),
    ],
)
def test_a_client_and_its_topics(word: str, expected: tuple[str, tuple[str, ...]]) -> None:
    assert with_topics(word) == expected


def test_a_file_whose_name_holds_an_equals_sign(tmp_path: Path) -> None:
    file = tmp_path / "a=b.properties"
    file.write_text("acks=all\n")
    assert with_topics(str(file)) == (str(file), ())
