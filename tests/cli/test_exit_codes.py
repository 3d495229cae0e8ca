"""The command line as a user meets it: exit codes, one line for every mistake, nothing but lines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import ROOT, process, run

BAD = "acks=1\nbootstrap.servers=b1:9092,b2:9092\nkey.serializer=a.B\nvalue.serializer=a.B\nsecurity.protocol=SSL\n"
GOOD = BAD.replace("acks=1", "acks=all")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.properties").write_text(BAD)
    (tmp_path / "good.properties").write_text(GOOD)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("lint", "good.properties"), 0),
        (("lint", "bad.properties"), 1),
        (("lint", "bad.properties", "--exit-zero"), 0),
        (("lint", "bad.properties", "--fail-on", "critical"), 0),
        (("lint", "bad.properties", "--fail-on", "info"), 1),
        (("lint", "bad.properties", "--ignore", "KA101"), 0),
        (("lint", "bad.properties", "--ignore", "acks-not-all"), 0),
        (("lint", "bad.properties", "--ignore", "durability"), 0),
        (("lint", "bad.properties", "--select", "KA1"), 1),
        (("lint", "bad.properties", "--select", "KA1xx"), 1),
        (("lint", "bad.properties", "--select", "KA10"), 0),
        (("lint", "bad.properties", "--ignore", "KA10xx"), 1),
        (("lint", "bad.properties", "--ignore", "KA1"), 0),
        (("lint", "bad.properties", "--select", "consumer"), 3),
        (("lint", "./bad.properties", "bad.properties", "--debug"), 1),
        (("--debug", "lint", "good.properties"), 0),
        (("explain", "KA001"), 0),
        (("explain", "durability"), 0),
        (("lint", "bad.properties", "--profile", "dev"), 0),
        (("lint", "nowhere.properties"), 2),
        (("lint", "nowhere.properties", "good.properties"), 2),
        (("lint",), 2),
        (("lint", "good.properties", "--nonsense"), 2),
        (("lint", "good.properties", "--select", "nonsense"), 2),
        (("lint", "good.properties", "--kafka-version", "banana"), 2),
        (("lint", "good.properties", "--kind", "banana"), 2),
        (("nonsense",), 2),
        ((), 2),
        (("--version",), 0),
        (("--help",), 0),
        (("lint", "--help"), 0),
        (("explain", "KA101"), 0),
        (("explain", "acks-not-all"), 0),
        (("explain", "nonsense"), 2),
        (("rules",), 0),
    ],
)
def test_exit_codes(files: Path, arguments: tuple[str, ...], code: int) -> None:
    ran = run(*arguments)
    assert ran.code == code, ran
    if code == 2:
        assert len(ran.err.strip().splitlines()) == 1
        assert ran.err.startswith("kafka-advisor")
        assert "Traceback" not in ran.err


BINARY = bytes(range(256)) * 4


@pytest.mark.parametrize(
    ("name", "data", "code", "says"),
    [
        ("empty.properties", b"", 3, "no settings"),
        ("comments.properties", b"# nothing\n\n", 3, "no settings"),
        ("other.properties", b"colour=blue\n", 3, "no Kafka setting"),
        ("binary.properties", BINARY, 2, "binary"),
        ("utf16.properties", "acks=1".encode("utf-16"), 2, "UTF-16"),
        ("escape.properties", b"acks=1\nb=\\u12\n", 2, "escape.properties:2:3"),
    ],
)
def test_bad_files_get_one_line_and_the_good_ones_are_judged(
    files: Path, name: str, data: bytes, code: int, says: str
) -> None:
    (files / name).write_bytes(data)
    alone = run("lint", name)
    assert (alone.code, alone.out) == (code, "")
    assert says in alone.err
    assert len(alone.err.splitlines()) == 1
    beside = run("lint", name, "bad.properties")
    assert beside.code == (2 if code == 2 else 1)
    assert "KA101" in beside.out


def test_a_file_over_32_mb_and_a_directory_are_refused_in_one_line(files: Path) -> None:
    with open(files / "huge.properties", "wb") as handle:
        handle.truncate(100 * 1024 * 1024)
    for command, name, says in (("lint", "huge.properties", "over 32 MB"), ("effective", ".", "is a directory")):
        ran = run(command, name)
        assert ran.code == 2
        assert says in ran.err


def test_an_unreadable_file_is_one_line(files: Path) -> None:
    ran = run("lint", "bad.properties/x")
    assert ran.code == 2
    assert "not a directory" in ran.err


def test_standard_input(files: Path) -> None:
    ran = process("lint", "-", stdin=BAD.encode())
    assert ran.code == 1
    assert ran.out.startswith("<stdin> (") and "\n   1  high" in ran.out


def test_head_does_not_break_it(files: Path) -> None:
    command = f"{sys.executable} -m advisor rules | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, cwd=ROOT, check=False)
    assert done.stderr == b""
    assert len(done.stdout.splitlines()) == 1


def test_oo_is_refused_in_one_line() -> None:
    ran = process("rules", flags=("-OO",))
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "docstrings" in ran.err


def test_an_internal_error_is_one_line_without_the_values(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("canary-secret")

    monkeypatch.setattr("advisor.cli.commands.lint.judge", fail)
    ran = run("lint", "bad.properties")
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "RuntimeError" in ran.err
    assert "canary" not in ran.err


def test_unknowns_can_fail_the_run(files: Path) -> None:
    (files / "open.properties").write_text(GOOD.replace("acks=all", "acks=${ACKS}"))
    assert run("lint", "open.properties").code == 0
    assert run("lint", "open.properties", "--fail-on-unknown").code == 1


def test_the_run_with_every_mistake_of_a_file_still_names_the_version() -> None:
    ran = run("lint", "--no-config", ROOT / "examples/bad/producer.properties", "--kafka-version", "cp7.9")
    assert "Kafka 3.9: --kafka-version cp7.9" in ran.out


@pytest.mark.parametrize("release", ["9.9", "5.0", "1.1", "2.9", "cp6.7"])
def test_a_release_outside_the_catalogs_is_an_error(files: Path, release: str) -> None:
    ran = run("lint", "bad.properties", "--kafka-version", release)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert f"--kafka-version {release}: " in ran.err
    assert "known are Kafka 2.0, 2.1" in ran.err


def test_latest_is_the_newest_release_and_a_patch_of_a_release_that_release(files: Path) -> None:
    releases = ("latest", "3.9.77")
    targets = [
        run("lint", "bad.properties", "--format", "json", "--kafka-version", text).json["target"] for text in releases
    ]
    assert [target["kafka_version"] for target in targets] == ["4.4", "3.9"]


def test_the_first_line_says_which_release_everything_was_judged_for(files: Path) -> None:
    first, second, *_ = run("lint", "bad.properties", "--no-config").out.splitlines()
    assert first.startswith("bad.properties (producer): 1 high, ")
    assert second == "Kafka 4.4 assumed: newest release: nothing in the files says otherwise"


def test_on_a_terminal_it_is_rich_and_no_color_is_respected(files: Path) -> None:
    shown = {}
    for name, env in (("colour", {}), ("plain", {"NO_COLOR": "1"})):
        code = (
            "import pty, os, sys; os.environ.update(TERM='xterm', COLUMNS='200', **" + repr(env) + ");"
            "sys.exit(pty.spawn([sys.executable, '-m', 'advisor', 'lint', '--no-config', sys.argv[1]]) >> 8)"
        )
        command = [sys.executable, "-c", code, str(files / "bad.properties")]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, stdin=subprocess.DEVNULL, check=False)
        assert done.returncode == 1
        assert "KA101" in done.stdout
        shown[name] = done.stdout
    assert "\x1b[1;31mhigh\x1b[0m" in shown["colour"]
    assert "\x1b[" not in shown["plain"].replace("\x1b[1m", "").replace("\x1b[0m", "").replace("\x1b[2m", "")


def test_a_hostile_value_steers_no_terminal(files: Path) -> None:
    (files / "x.properties").write_text("acks=1\nclient.id=\\u001b[31mred\\u202e # c\n")
    ran = run("lint", "x.properties")
    assert "\x1b" not in ran.out
    assert "\u202e" not in ran.out
    assert "\\x1b[31mred" in ran.out


def test_names_and_values_of_any_kind_can_be_printed_anywhere(files: Path) -> None:
    (files / "größe.properties").write_text("acks=1\nclient.id=日本 # c\n")
    command = (
        f"LC_ALL=C PYTHONIOENCODING=ascii PYTHONUTF8=0 PYTHONPATH={ROOT} {sys.executable} -m advisor lint *.properties"
    )
    done = subprocess.run(command, shell=True, capture_output=True, cwd=files, check=False)
    assert done.returncode == 1
    assert done.stderr == b""


def test_a_full_disk_and_closed_streams_are_one_line(files: Path) -> None:
    command = f"cd {ROOT} && {sys.executable} -m advisor lint {files}/bad.properties"
    for redirect, says in ((">/dev/full", "no space left"), (">&-", "standard output is closed")):
        done = subprocess.run(f"{command} {redirect}", shell=True, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert says in done.stderr
        assert done.stderr.count("\n") == 1
    done = subprocess.run(
        f"cd {ROOT} && {sys.executable} -m advisor lint - <&-", shell=True, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_a_file_that_is_named_twice_is_judged_once(files: Path) -> None:
    (files / "b.properties").write_text("zookeeper.connect=z1:2181\nbroker.id=1\nlisteners=PLAINTEXT://b1:9092\n")
    once = run("lint", "--format", "json", "b.properties").json
    twice = run("lint", "--format", "json", "b.properties", "./b.properties", str(files / "b.properties")).json
    assert twice == once


def test_programs_get_a_report_even_of_nothing(files: Path) -> None:
    (files / "empty.properties").write_text("")
    ran = run("lint", "--format", "json", "empty.properties")
    assert ran.code == 3
    assert ran.json["findings"] == ran.json["inputs"] == []


def test_a_file_of_one_key_many_times_or_of_open_braces_takes_no_ages(files: Path) -> None:
    (files / "many.properties").write_text("acks=1\n" * 20_000 + "client.id=" + "{{<a${" * 50_000 + "\n")
    assert run("lint", "many.properties").code == 1


def test_help_says_nothing_that_nobody_wrote() -> None:
    shown = run("--help").out
    assert "None" not in shown
    assert all(
        f"\n    {name}" in shown
        for name in ("lint", "check", "snapshot", "simulate", "starts", "effective", "diff", "upgrade", "rollout")
    )
