"""What an ordinary user meets: files without permission, pipes, and files that change while they are read."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import document
from tests.support.commands import ROOT, Ran
from tests.support.fork_server import fork

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="capabilities are dropped as Linux does")
GOOD = "acks=all\nbootstrap.servers=b1:9092\nkey.serializer=a.B\nvalue.serializer=a.B\n"
PROGRAM = (sys.executable, "-m", "advisor")
ENVIRON = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
IMPORTED = ("advisor.cli.commands.lint", "spark_audit.commands.audit")
AS_A_USER = """
import ctypes, os

def obey_modes():
    libc, header, capabilities = ctypes.CDLL(None), (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(header, capabilities) == 0
    for each in range(len(capabilities)):
        capabilities[each] &= ~(1 << 1 | 1 << 2)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
    assert libc.capset(header, capabilities) == 0

if os.geteuid() == 0:
    obey_modes()
os.chdir({folder!r})
"""
"""Give up what lets root read and write everything, and go to a folder."""


def ordinary(folder: Path, *arguments: str) -> Ran:
    """The command as a user for whom the modes of files count."""
    with open(os.devnull, "rb") as nothing, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = fork(arguments, IMPORTED, (nothing, out, err), AS_A_USER.format(folder=str(folder)))
        code = process.wait(60)
        return Ran(code, text(out), text(err))


def text(file: IO[bytes]) -> str:
    """What was written to a file."""
    file.seek(0)
    return file.read().decode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a good file, and one of each kind of input that nobody may read."""
    import json

    (tmp_path / "good.properties").write_text(GOOD)
    (tmp_path / "closed").mkdir()
    contents = {
        "x.properties": GOOD,
        "x.json": json.dumps(document(parse_cluster("brokers 1 2 3\ntopic a retention.ms=1"))),
        "baseline.json": "{}",
        "config.yaml": "profile: dev\n",
        "rules.py": "",
        "fleet.yaml": "clusters: []\n",
        "queries.jsonl": "{}\n",
        "report.txt": "mine",
    }
    for name, text in contents.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0)
    (tmp_path / "closed").chmod(0)
    return tmp_path


REFUSED = (
    (("lint", "x.properties", "good.properties"), "x.properties"),
    (("lint", "closed/x.properties"), "closed/x.properties"),
    (("lint", "x.json"), "x.json"),
    (("lint", "good.properties", "--config", "config.yaml"), "config.yaml"),
    (("lint", "good.properties", "--baseline", "baseline.json"), "baseline.json"),
    (("lint", "good.properties", "--rules", "rules.py"), "rules.py"),
    (("lint", "good.properties", "--format", "json=closed/report.json"), "closed"),
    (("lint", "good.properties", "--write-baseline", "closed/baseline.json"), "closed"),
    (("check", "x.json"), "x.json"),
    (("check", "--bootstrap-server", "127.0.0.1:1", "--command-config", "x.properties"), "x.properties"),
    (("diff", "x.properties", "good.properties"), "x.properties"),
    (("effective", "x.properties"), "x.properties"),
    (("starts", "x.properties"), "x.properties"),
    (("starts", "--queries", "queries.jsonl"), "queries.jsonl"),
    (("simulate", "--queries", "queries.jsonl"), "queries.jsonl"),
    (("collect", "--inventory", "fleet.yaml", "--out", "out"), "fleet.yaml"),
    (("audit", "closed", "--engine", "local", "--out", "out"), "closed"),
    (("audit-report", "closed", "--html", "fleet.html"), "closed"),
    (("audit-diff", "closed", "closed", "--out", "out"), "closed"),
)


@pytest.mark.parametrize(("arguments", "name"), REFUSED, ids=[" ".join(arguments) for arguments, _ in REFUSED])
def test_permission_denied_is_one_line(folder: Path, arguments: tuple[str, ...], name: str) -> None:
    ran = ordinary(folder, *arguments)
    assert ran.code == 2, ran
    (line,) = [line for line in ran.err.splitlines() if name in line]
    assert "Traceback" not in ran.err
    assert "internal error" not in ran.err
    assert "permission denied" in line


def test_files_beside_one_that_is_denied_are_judged(folder: Path) -> None:
    ran = ordinary(folder, "lint", "x.properties", "good.properties")
    assert "good.properties" in ran.out


def test_a_report_replaces_a_file_in_a_folder_of_ones_own(folder: Path) -> None:
    assert ordinary(folder, "lint", "good.properties", "--format", "json=report.txt").code in (0, 1)
    assert '"findings"' in _read_as_root(folder / "report.txt")


def _read_as_root(path: Path) -> str:
    path.chmod(0o600)
    return path.read_text()


def test_a_discovered_configuration_that_is_denied_is_one_line(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / "kafka-advisor.yaml").write_text("profile: dev\n")
    (folder / "kafka-advisor.yaml").chmod(0)
    ran = ordinary(folder, "lint", "good.properties")
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "kafka-advisor.yaml" in ran.err


@contextlib.contextmanager
def writer(path: Path, chunks: Callable[[], Iterator[bytes]]) -> Iterator[None]:
    """Something that writes to a pipe, in a thread."""

    def write() -> None:
        with contextlib.suppress(BrokenPipeError), path.open("wb", buffering=0) as file:
            for chunk in chunks():
                file.write(chunk)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    yield
    thread.join(10)
    assert not thread.is_alive()


def test_a_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    def slowly() -> Iterator[bytes]:
        for line in GOOD.replace("all", "1").splitlines(keepends=True):
            yield line.encode()
            time.sleep(0.05)

    with writer(tmp_path / "pipe", slowly):
        ran = ordinary(tmp_path, "lint", "pipe", "--no-config")
    assert ran.code == 1
    assert "\n   1  high" in ran.out


def test_a_pipe_without_end_is_refused_at_the_limit(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    def endless() -> Iterator[bytes]:
        while True:
            yield b"acks=1\n" * 10_000

    with writer(tmp_path / "pipe", endless):
        ran = ordinary(tmp_path, "lint", "pipe", "--no-config")
    assert ran.code == 2
    assert "the limit of a configuration file" in ran.err


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_a_pipe_that_nobody_writes_to_is_waited_for_until_interrupted(tmp_path: Path, sent: int, code: int) -> None:
    os.mkfifo(tmp_path / "pipe")
    arguments = [*PROGRAM, "lint", "pipe", "--no-config"]
    with subprocess.Popen(arguments, cwd=tmp_path, env=ENVIRON, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(1)
        assert process.poll() is None
        process.send_signal(sent)
        _, err = process.communicate(timeout=10)
    assert process.returncode == code
    assert "Traceback" not in err


@pytest.mark.parametrize("name", ["a.properties", "cluster.json"])
def test_a_file_that_changes_while_it_is_read_is_judged_as_read_or_refused(tmp_path: Path, name: str) -> None:
    import json

    texts = [GOOD * 200, "", GOOD, "a=\\u00", json.dumps(document(parse_cluster("brokers 1 2 3")))]
    target, done = tmp_path / name, threading.Event()
    target.write_text(GOOD)

    def change() -> None:
        number = 0
        while not done.is_set():
            number += 1
            with target.open("w") as file:
                file.write(texts[number % len(texts)][: 1 + number % 5_000])
            if number % 7 == 0:
                target.unlink()

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(12):
            ran = ordinary(tmp_path, "lint", name, "--no-config")
            assert ran.code in (0, 1, 2, 3), ran
            assert "Traceback" not in ran.err
            assert "internal error" not in ran.err
            assert "KA000" not in ran.out
    finally:
        done.set()
        thread.join()
