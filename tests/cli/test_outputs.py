"""Outputs never overwrite inputs, appear whole or not at all, and leave nothing behind, however a run ends."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from advisor import atomic_file
from tests.support.commands import ROOT, run

BAD = "acks=1\nbootstrap.servers=a:1,b:1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        (tmp_path / f"producer-{number}.properties").write_text(BAD)
    (tmp_path / "hard.properties").hardlink_to(tmp_path / "producer-1.properties")
    (tmp_path / "soft.properties").symlink_to("producer-1.properties")
    (tmp_path / "kafka-advisor.yaml").write_text("profile: dev\n")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["--write-baseline", "producer-1.properties", "producer-2.properties"],
        ["producer-1.properties", "--write-baseline", "producer-1.properties"],
        ["producer-1.properties", "--format", "json=producer-1.properties"],
        ["producer-1.properties", "--format", "json=./producer-1.properties"],
        ["producer-1.properties", "--format", "json=hard.properties"],
        ["producer-1.properties", "--format", "json=soft.properties"],
        ["producer-2.properties", "--with", "producer-1.properties", "--format", "html=producer-1.properties"],
        ["producer-1.properties", "--config", "kafka-advisor.yaml", "--format", "json=kafka-advisor.yaml"],
        ["producer-1.properties", "--format", "json=a", "--format", "csv=a"],
        ["producer-1.properties", "--format", "json=a", "--format", "csv=./a"],
        ["producer-1.properties", "--format", "json=a", "--write-baseline", "a"],
    ],
    ids=" ".join,
)
def test_no_output_is_an_input_or_another_output(folder: Path, arguments: list[str]) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    ran = run("lint", *arguments)
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 1
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_baseline_is_written_over_a_baseline(folder: Path) -> None:
    for _ in range(2):
        assert run("lint", "producer-1.properties", "--no-config", "--write-baseline", "known.json").code == 0
    baselines = ["--baseline", "known.json", "--write-baseline", "known.json"]
    assert run("lint", "producer-1.properties", "--no-config", *baselines).code == 0


def test_a_snapshot_goes_over_none_of_its_inputs(folder: Path) -> None:
    ran = run("snapshot", "--command-config", "producer-1.properties", "--output", "producer-1.properties")
    assert ran.code == 2
    assert "would be overwritten" in ran.err


def test_a_file_that_is_replaced_keeps_its_mode(folder: Path) -> None:
    target = folder / "report.json"
    target.write_text("old")
    target.chmod(0o600)
    run("lint", "producer-1.properties", "--no-config", "--format", f"json={target}")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert target.read_text().startswith("{")


def test_names_of_255_bytes_can_be_written(folder: Path) -> None:
    name = "r" * 250 + ".json"
    run("lint", "producer-1.properties", "--no-config", "--format", f"json={name}")
    assert (folder / name).read_text().startswith("{")


def test_a_planted_link_is_not_followed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    victim = folder / "victim"
    victim.write_text("precious")
    monkeypatch.setattr(os, "urandom", lambda size: b"\0" * size)
    (folder / f".{'00' * 8}.partial").symlink_to(victim)
    with pytest.raises(FileExistsError):
        atomic_file.write("report.json", [b"x"])
    assert victim.read_text() == "precious"


def test_what_cannot_be_written_leaves_nothing_behind(folder: Path) -> None:
    def chunks() -> list[bytes]:
        raise OSError("disk full")

    before = sorted(path.name for path in folder.iterdir())
    with pytest.raises(OSError, match="disk full"):
        atomic_file.write("report.json", (chunk for _ in [0] for chunk in chunks()))
    assert sorted(path.name for path in folder.iterdir()) == before


SLOW = """
import os, sys, time
sys.path.insert(0, {root!r})
sys.stdin.close()
from advisor import atomic_file
from advisor.cli import main
from advisor.reports import formats
def slow(path, chunks):
    def wait():
        yield b"half"
        print("writing", flush=True)
        time.sleep(30)
    atomic_file.write(path, wait())
formats.write_whole = slow
sys.argv = ["kafka-advisor", "lint", "producer-1.properties", "--no-config", "--format", "json=report.json"]
sys.exit(main())
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_cleans_up_and_is_the_exit_code(folder: Path, number: int, code: int) -> None:
    before = sorted(path.name for path in folder.iterdir())
    running = subprocess.Popen(
        [sys.executable, "-c", SLOW.format(root=str(ROOT))], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "writing\n"
    running.send_signal(number)
    out, err = running.communicate(timeout=20)
    assert running.returncode == code
    assert "Traceback" not in out + err
    assert sorted(path.name for path in folder.iterdir()) == before


def test_an_interrupt_while_the_program_is_imported_has_no_traceback(folder: Path) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'advisor.errors': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from advisor.__main__ import run\n"
        "sys.exit(run())\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 130
    assert ran.stderr == ""


TERMINATED_AUDIT = """
import os, signal, sys
module, _, name = sys.argv[1].partition(":")
owner = __import__(module, fromlist=["_"])
for part in name.split(".")[:-1]:
    owner = getattr(owner, part)
original = getattr(owner, name.split(".")[-1])

def terminated(*values, **options):
    result = original(*values, **options)
    os.kill(os.getpid(), signal.SIGTERM)
    return result

setattr(owner, name.split(".")[-1], terminated)
del sys.argv[1]
from spark_audit.local import audit
audit.ONE_PROCESS_TOPICS = 0
from advisor.__main__ import run
sys.exit(run())
"""


@pytest.mark.parametrize(
    "moment",
    [
        "os:mkdir",
        "shutil:rmtree",
        "concurrent.futures:ProcessPoolExecutor.submit",
        "spark_audit.local.pool:Workers.share",
        "spark_audit.local.pool:Workers.map",
        "spark_audit.storage.run_output:RunOutput.lock",
    ],
)
def test_sigterm_ends_an_audit_without_leftovers(tmp_path: Path, moment: str) -> None:
    from advisor.samples.cluster_text import parse_cluster
    from collectors.snapshot.file import write

    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path / "tmp")}
    (tmp_path / "tmp").mkdir()
    snapshots = [f"c{number}.json" for number in range(6)]
    for number, name in enumerate(snapshots):
        write(str(tmp_path / name), parse_cluster(f"brokers 1 2 3\ntopic t{number} retention.ms={number}"))
    options = ["--out", "out", "--jobs", "2", "--engine", "local"]
    ran = subprocess.run(
        [sys.executable, "-c", TERMINATED_AUDIT, moment, "audit", *snapshots, *options],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in ran.stderr
    assert ran.returncode == 143
    assert not (tmp_path / "out").exists()
    assert list((tmp_path / "tmp").iterdir()) == []


IN_A_CALLBACK = """
import os, signal, sys, time, weakref
from advisor.errors import Terminated
from advisor.signals import clean_up_on_sigterm

class Thing: pass

def ended(_):
    os.kill(os.getpid(), signal.SIGTERM)
    for _ in range(1000): pass

clean_up_on_sigterm()
thing = Thing()
reference = weakref.ref(thing, ended)
try:
    del thing
    time.sleep(20)
except Terminated:
    print("ended")
"""


def test_sigterm_inside_a_callback_is_not_lost() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-c", IN_A_CALLBACK], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    assert (ran.stdout, ran.stderr) == ("ended\n", "")


EVERY_COMMAND = [
    ("effective", "producer-1.properties"),
    ("starts", "producer-1.properties"),
    ("upgrade", "producer-1.properties"),
    ("advise", "producer-1.properties"),
    ("simulate", "producer-1.properties"),
    ("diff", "producer-1.properties", "producer-2.properties"),
    ("rollout", *(str(ROOT / f"examples/rollouts/moved-directories/{side}") for side in ("old", "new"))),
    ("rules",),
    ("impact", str(ROOT / "examples/cluster.json"), "--down", "broker:2"),
    ("impact", str(ROOT / "examples/cluster.json"), "--rolling-restart"),
    ("simulate", str(ROOT / "examples/cluster.json")),
]


@pytest.mark.parametrize("command", EVERY_COMMAND, ids=lambda words: " ".join(map(os.path.basename, words)))
def test_every_command_writes_what_it_says_to_files_too(folder: Path, command: tuple[str, ...]) -> None:
    text, document = run(*command), run(*command, "--format", "json")
    ran = run(*command, "--format", "json=out.json", "--format", "text=out.txt")
    assert (ran.code, ran.out, ran.err) == (text.code, "", text.err)
    assert (folder / "out.json").read_text() == document.out
    assert (folder / "out.txt").read_text() == text.out
    both = run(*command, "--format", "text", "--format", "json=again.json")
    assert both.out == text.out
    assert (folder / "again.json").read_text() == document.out


@pytest.mark.parametrize("command", EVERY_COMMAND[:6], ids=lambda words: words[0])
def test_no_command_overwrites_what_it_reads(folder: Path, command: tuple[str, ...]) -> None:
    for target in ("producer-1.properties", "hard.properties", "soft.properties"):
        ran = run(*command, "--format", f"json={target}")
        assert ran.code == 2
        assert "is an input, which would be overwritten" in ran.err
    assert (folder / "producer-1.properties").read_text() == BAD


@pytest.mark.parametrize(
    ("formats", "says"),
    [
        (("yaml",), "no such format: yaml (there are text, json, markdown, html)"),
        (("json", "text"), "both go to standard output"),
        (("json=a", "text=./a"), "both go to ./a"),
        (("json=",), "name the file behind the equals sign"),
        (("json=absent/a",), "absent/a"),
    ],
    ids=str,
)
def test_a_wrong_format_is_one_line(folder: Path, formats: tuple[str, ...], says: str) -> None:
    ran = run("effective", "producer-1.properties", *(word for name in formats for word in ("--format", name)))
    assert ran.code == 2
    assert says in ran.err
    assert len(ran.err.splitlines()) == 1
