"""Diffs applied by the real git and patch, and what they show of the lines beside a change."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from advisor.edits.context import Beside
from tests.support.canary import CANARY, texts_of_lines
from tests.support.commands import ROOT, run

SAMPLES = [path for path in sorted((ROOT / "examples/inputs").iterdir()) if path.suffix != ".json"]
COMMANDS = {"advise": ["advise", "--format", "diff"], "lint": ["lint", "--diff", "--unsafe-fixes"]}
TOOLS = {"git": ["git", "apply"], "patch": ["patch", "--binary", "-p1", "--no-backup-if-mismatch"]}
SURROUNDED = """\
# Brokers of the shop
process.roles=broker
node.id=1
{above}
unclean.leader.election.enable=true
{below}
default.replication.factor=3
log.retention.hours=168
"""


def applied(tool: str, diff: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*TOOLS[tool], *options], input=diff, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("command", COMMANDS)
def test_diffs_of_a_folder_apply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    for tool in TOOLS:
        copy_samples(tmp_path / tool)
    monkeypatch.chdir(tmp_path / "git")
    ran = run(*COMMANDS[command], "--no-config", ".")
    assert ran.code == 1 and ran.out.count("\n@@") > 8
    texts = {}
    for tool in TOOLS:
        monkeypatch.chdir(tmp_path / tool)
        bare = ["--unidiff-zero"] if tool == "git" and "--unidiff-zero" in ran.err else []
        done = applied(tool, ran.out, *bare)
        assert (done.returncode, done.stderr) == (0, "") and "fuzz" not in done.stdout, tool
        texts[tool] = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    assert texts["git"] == texts["patch"]


def copy_samples(folder: Path) -> None:
    folder.mkdir()
    for sample in SAMPLES:
        if sample.is_dir():
            shutil.copytree(sample, folder / sample.name)
        else:
            shutil.copy(sample, folder)


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("min.insync.replicas=2", "# Only words"),
        ("ssl.key.password=hunter2", "num.io.threads=8"),
        ("num.io.threads=8\nmin.insync.replicas=2", "log.dirs=/d\nssl.key.password=hunter2"),
        ("ssl.key.password=hunter2", "log.dirs=/d"),
        ("", ""),
    ],
)
def test_a_change_beside_a_secret_applies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, above: str, below: str, tool: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("server.properties").write_text(SURROUNDED.format(above=above, below=below))
    ran = run("advise", "--format", "diff", "--no-config", "server.properties")
    assert "hunter2" not in ran.out and "-unclean" in ran.out and "unidiff" not in ran.err
    assert applied(tool, ran.out).returncode == 0
    assert "unclean" not in Path("server.properties").read_text()


def test_where_the_line_below_is_a_secret_git_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("server.properties").write_text(SURROUNDED.format(above="node.id=2", below="ssl.key.password=hunter2"))
    ran = run("advise", "--format", "diff", "--no-config", "server.properties")
    assert "hunter2" not in ran.out + ran.err and "; apply it with git apply --unidiff-zero" in ran.err
    assert applied("git", ran.out, "--check", "--unidiff-zero").returncode == 0
    assert applied("patch", ran.out).returncode == 0


def test_a_file_outside_of_the_folder_is_named_from_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "server.properties"
    path.write_text(SURROUNDED.format(above="", below=""))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    ran = run("advise", "--format", "diff", "--no-config", "../server.properties")
    assert f"--- a{path}\n+++ b{path}\n" in ran.out and "patch -p1 -d /" in ran.err
    assert applied("patch", ran.out, "-d", "/").returncode == 0
    assert "unclean" not in path.read_text()


@pytest.mark.parametrize("text", texts_of_lines())
def test_no_line_with_a_secret_is_context(text: str) -> None:
    lines = f"acks=1\n{text}\n".splitlines(keepends=True)
    assert [line for number, line in enumerate(lines) if CANARY in line and Beside(lines).is_shown(number)] == []


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("num.io.threads=8", True),
        ("      KAFKA_NUM_IO_THREADS: 8", True),
        ("  - KAFKA_LOG_DIRS=/var/lib/kafka", True),
        ('  "compression.type": "lz4",', True),
        ("  acks = \"all\"", True),
        ("    config:", True),
        ("# Every broker has its own", True),
        ("  min: ${ISR}", True),
        ("  min: ${ISR:-hunter2}", False),
        ("# the key of it is hunter2", False),
        ("# the password", True),
        ("hunter2", False),
        ("  - hunter2", False),
        ("  password: |", False),
        ("vendor.text=hunter2", False),
        ("  value: hunter2", False),
        ("acks=all \\", False),
        ("client.id=a password=hunter2", False),
        ("x: {acks: all, key: hunter2}", False),
    ],
)  # fmt: skip
def test_what_is_context(line: str, shown: bool) -> None:
    assert Beside([f"{line}\n"]).is_shown(0) is shown


@pytest.mark.parametrize(
    ("above", "line"),
    [("password: |", "  hunter:"), ("a: >-", "  # words"), ("x=1 \\", "acks=all"), ("# the password is", "# hunter")],
)
def test_what_goes_on_from_a_secret_is_no_context(above: str, line: str) -> None:
    assert not Beside([f"{above}\n", f"{line}\n"]).is_shown(1)


EMPTY = {
    "advise": ("no diff: 1 finding remains, for which no line of the files is edited: advise in text says what to do", ["advise", "--format", "diff"]),
    "lint": ("nothing to change: 1 finding remains; no edit of a line fixes it", ["lint", "--diff"]),
}  # fmt: skip


@pytest.mark.parametrize("command", EMPTY)
def test_an_empty_diff_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.chdir(tmp_path)
    words, arguments = EMPTY[command]
    Path("producer.properties").write_text(
        "bootstrap.servers=b1:9092\nkey.serializer=a.B\nvalue.serializer=a.B\nsecurity.protocol=SSL\n"
    )
    ran = run(*arguments, "--no-config", "producer.properties")
    assert (ran.code, ran.out, ran.err) == (1, "", f"kafka-advisor: {words}\n")
    Path("producer.properties").write_text(
        "bootstrap.servers=b1:9092,b2:9092\nkey.serializer=a.B\nvalue.serializer=a.B\nsecurity.protocol=SSL\n"
    )
    ran = run(*arguments, "--no-config", "producer.properties")
    assert (ran.code, ran.out) == (0, "") and "there are no findings" in ran.err
