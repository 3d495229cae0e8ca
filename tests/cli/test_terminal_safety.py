"""Nothing that comes from outside steers a terminal, or is taken for a command by the log of a CI."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from advisor.errors import printable
from tests.support.commands import ROOT, process, run
from tests.support.terminal import on_a_terminal

EVIL = "\x1b[31m\x07\x9b2J\u202e\u2028##vso[task.setvariable]x ##[error]y ‹bold›z"
"""Escape sequences, direction marks, the commands of two CIs, and what once were our own marks of style."""
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]")
COMMANDS = (
    ["lint", "--no-config", "--kind", "broker"],
    ["lint", "--no-config", "--kind", "broker", "--format", "json"],
    ["lint", "--no-config", "--kind", "broker", "--format", "csv"],
    ["lint", "--no-config", "--kind", "broker", "--format", "markdown"],
    ["lint", "--no-config", "--kind", "broker", "--format", "html"],
    ["effective", "--kind", "broker"],
    ["effective", "--kind", "broker", "--format", "json"],
    ["starts", "--kind", "broker"],
    ["starts", "--kind", "broker", "--format", "json"],
    ["upgrade", "--kind", "broker", "--from", "3.9"],
    ["upgrade", "--kind", "broker", "--from", "3.9", "--format", "json"],
    ["upgrade", "--kind", "broker", "--from", "3.9", "--format", "markdown"],
    ["upgrade", "--kind", "broker", "--from", "3.9", "--format", "html"],
    ["diff", "--no-config", "--kind", "broker", "examples/bad/server.properties"],
    ["diff", "--no-config", "--kind", "broker", "--format", "markdown", "examples/bad/server.properties"],
    ["rollout", "examples/good/server.properties"],
    *(
        ["rollout", "--format", name, "examples/good/server.properties"]
        for name in ("json", "markdown", "html", "script")
    ),
    ["simulate"],
)


@pytest.fixture
def evil_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(ROOT)
    path = tmp_path / f"{EVIL.replace('/', '')}.properties"
    text = (
        f"process.roles=broker\nnode.id=1\nbroker.rack={EVIL}\n{EVIL.split('#')[0]}key=1\nmin.insync.replicas={EVIL}\n"
    )
    path.write_text(text + f"# kafka-advisor: ignore[{EVIL}] {EVIL}\nnum.io.threads=8\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_output_steers_a_terminal(evil_file: Path, command: list[str]) -> None:
    ran = run(*command, evil_file)
    assert ran.out + ran.err
    assert not CONTROL.search(ran.out.replace("\r\n", "\n"))
    assert not CONTROL.search(ran.err)


def test_no_line_of_text_is_a_command_of_a_ci(evil_file: Path) -> None:
    for command in (["lint", "--no-config", "--kind", "broker"], ["effective", "--kind", "broker"], ["missing"]):
        ran = process(*command, evil_file)
        for line in (ran.out + ran.err).splitlines():
            assert not line.lstrip().startswith("::")
            assert "##[" not in line
            assert "##vso[" not in line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\r\nb", "a\\r\\nb"),
        ("\u202eabc", "\\u202eabc"),
        ("##[error]", "# #[error]"),
        ("  ::error::x", "  : :error::x"),
        ("a ::error::x", "a ::error::x"),
        ("\ud800", "\\ud800"),
    ],
)
def test_what_is_printed_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_long_values_do_not_begin_a_wrapped_line_with_a_command(tmp_path: Path) -> None:
    for blanks in range(90, 100):
        file = tmp_path / "x.properties"
        file.write_text(f"process.roles=broker\nnode.id=1\nmin.insync.replicas={'a' * blanks} ::error::x\n")
        ran = run("lint", "--no-config", "--show-values", file)
        assert "::error" in ran.out
        assert not any(line.lstrip().startswith("::") for line in ran.out.splitlines())


def test_a_value_restyles_nothing_on_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "x.properties"
    file.write_text(
        "process.roles=broker\nnode.id=1\nbroker.rack=[red]x[/red] ‹‹high››x‹› \x1b[5mx\nmin.insync.replicas=1\n"
    )
    _, output = on_a_terminal("lint", "--no-config", "--kind", "broker", str(file))
    assert "\x1b[5m" not in output
    assert "\x1b[" in output
