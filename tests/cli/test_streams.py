"""The exit code is that of what was judged, whatever happens to the standard streams and whatever a rule raises."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import ROOT
from tests.support.own_rule import own_rule

LINT = f"{sys.executable} -m advisor lint --no-config"
GONE = "exec {0}> >(exec {0}>&-; exec true); sleep 0.3; "
"""Bash: the reader of a descriptor is gone before anything is written."""
SILENT = """
class Silent(BaseException):
    def __str__(self):
        raise ValueError("no text")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tls = "bootstrap.servers=b1:9092,b2:9092\nsecurity.protocol=SSL\n"
    serializers = "key.serializer=a.B\nvalue.serializer=a.B\nclient.id=a\n"
    (tmp_path / "bad.properties").write_text(f"acks=1\n{tls}{serializers}")
    (tmp_path / "good.properties").write_text(f"acks=all\n{tls}{serializers}")
    return tmp_path


def bash(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", f"cd {ROOT} && {command}"], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("stream", ["1", "2"])
@pytest.mark.parametrize(("file", "code"), [("bad", 1), ("good", 0), ("missing", 2)])
def test_a_reader_that_is_gone_changes_no_verdict(folder: Path, stream: str, file: str, code: int) -> None:
    ran = bash(f"{GONE.format(stream)} {LINT} {folder}/{file}.properties; echo $? > {folder}/code")
    assert (folder / "code").read_text() == f"{code}\n"
    assert "Traceback" not in ran.stdout + ran.stderr


@pytest.mark.parametrize("redirect", ["2>/dev/full", "2>&-"])
@pytest.mark.parametrize(("file", "code"), [("bad", 1), ("good", 0), ("missing", 2)])
def test_standard_error_changes_no_verdict(folder: Path, redirect: str, file: str, code: int) -> None:
    alone = bash(f"{LINT} {folder}/{file}.properties 2>/dev/null")
    ran = bash(f"{LINT} {folder}/{file}.properties {redirect}")
    assert (ran.returncode, ran.stdout) == (code, alone.stdout)


def test_rules_of_ones_own_clean_up_behind_them(folder: Path) -> None:
    (folder / "own.py").write_text(own_rule("return", "import atexit\natexit.register(print, 'cleaned up')"))
    ran = bash(f"{LINT} {folder}/good.properties --rules {folder}/own.py")
    assert ran.stdout.endswith("cleaned up\n")


@pytest.mark.parametrize("command", ["exec 1> >(true); sleep 0.3; {0}", "{0} > /dev/full"])
def test_files_are_written_whatever_happens_to_standard_output(folder: Path, command: str) -> None:
    report = folder / "report.json"
    bash(command.format(f"{LINT} --format text --format json={report} {folder}/bad.properties"))
    assert '"KA101"' in report.read_text()


def test_closed_descriptors_are_not_given_to_files(folder: Path) -> None:
    report = folder / "report.json"
    ran = bash(f"{LINT} --format json={report} {folder}/bad.properties {folder}/missing.properties 2>&- <&-")
    assert ran.returncode == 2
    assert report.read_text().startswith("{")
    assert "missing.properties: no such" not in report.read_text()


@pytest.mark.parametrize(
    "body",
    [
        "import sys; sys.exit(0)",
        "raise Silent",
        "raise GeneratorExit",
        "raise KeyboardInterrupt",
        "raise type('Odd', (Exception,), {'__str__': lambda self: 1 / 0})()",
        "yield 'no problem'",
    ],
)
def test_a_rule_that_leaves_is_a_crash(folder: Path, body: str) -> None:
    (folder / "own.py").write_text(own_rule(body, SILENT))
    ran = bash(f"{LINT} {folder}/good.properties --rules {folder}/own.py")
    assert ran.returncode == 2
    assert "KA000" in ran.stdout
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    "module", ["import sys; sys.exit(0)", "raise GeneratorExit", "raise BaseException", "raise KeyboardInterrupt"]
)
def test_a_module_that_leaves_is_one_line(folder: Path, module: str) -> None:
    (folder / "own.py").write_text(own_rule("return", module))
    ran = bash(f"{LINT} {folder}/good.properties --rules {folder}/own.py")
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert f"{folder}/own.py:2: cannot be loaded" in ran.stderr
