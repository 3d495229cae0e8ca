"""The report on a real terminal: its width, colours, links, and the pager."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from advisor.reports.text.finding import first_sentence
from advisor.reports.text.terminal import has_links
from tests.support.commands import ROOT, run
from tests.support.terminal import on_a_terminal

ESCAPE = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\")
BAD = "examples/bad/server.properties"


@pytest.mark.parametrize("columns", [60, 80, 120, 200])
def test_every_line_fits_the_terminal(columns: int) -> None:
    code, output = on_a_terminal("lint", "--no-config", BAD, size=(columns, 40))
    lines = ESCAPE.sub("", output).splitlines()
    words = max(len(word) for line in lines for word in line.split())
    assert code == 1
    assert max(map(len, lines)) <= max(columns, words + 12)
    assert max(map(len, lines)) > columns * 3 // 4


@pytest.mark.parametrize(
    ("options", "environment", "in_color"),
    [
        ((), {}, True),
        ((), {"NO_COLOR": "1"}, False),
        ((), {"TERM": "dumb"}, False),
        (("--color", "never"), {}, False),
        (("--color=always",), {"NO_COLOR": "1"}, True),
    ],
)
def test_colour_on_a_terminal(options: tuple[str, ...], environment: dict[str, Any], in_color: bool) -> None:
    _, output = on_a_terminal("lint", "--no-config", BAD, *options, **environment)
    assert ("\x1b[1;31mhigh" in output) == in_color
    assert in_color or "\x1b" not in output


@pytest.mark.parametrize(
    ("options", "environment", "in_color"),
    [
        ((), {}, False),
        ((), {"FORCE_COLOR": "1"}, True),
        ((), {"FORCE_COLOR": "0"}, False),
        (("--color", "always"), {}, True),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_in_a_pipe(
    options: tuple[str, ...], environment: dict[str, Any], in_color: bool, tmp_path: Path
) -> None:
    (tmp_path / "x.properties").write_text("acks=1\nclient.id=\\u001b[31mred # c\nbootstrap.servers=b1:9092\n")
    command = [sys.executable, "-m", "advisor", *options, "lint", "--no-config", str(tmp_path / "x.properties")]
    ran = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, **environment}, check=False
    )
    assert ("\x1b[1;31mhigh" in ran.stdout) == in_color
    assert "\x1b[31mred" not in ran.stdout


def test_a_wrong_colour_is_one_line() -> None:
    ran = run("lint", BAD, "--color", "pink")
    assert (ran.code, "pink is none of auto, always, never" in ran.err) == (2, True)


def test_ids_link_where_the_terminal_shows_links() -> None:
    pages = "https://docs.example.org/rules"
    _, output = on_a_terminal("lint", "--no-config", BAD, TERM_PROGRAM="WezTerm", KAFKA_ADVISOR_RULES_URL=pages)
    assert re.search(r"\x1b\]8;[^;]*;https://[^\x1b]*/KA104\.md\x1b\\", output)
    _, output = on_a_terminal("lint", "--no-config", BAD, FORCE_HYPERLINK="0", TERM_PROGRAM="WezTerm")
    assert "\x1b]8;" not in output
    url = "https://docs.example.org/{name}?id={id}"
    _, output = on_a_terminal("lint", "--no-config", BAD, FORCE_HYPERLINK="1", KAFKA_ADVISOR_RULES_URL=url)
    assert "https://docs.example.org/unclean-election?id=KA104" in output


@pytest.mark.parametrize(
    ("environment", "links"),
    [
        ({}, False),
        ({"TERM_PROGRAM": "iTerm.app"}, True),
        ({"TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"VTE_VERSION": "6003"}, True),
        ({"VTE_VERSION": "4999"}, False),
        ({"VTE_VERSION": "x"}, False),
        ({"KITTY_WINDOW_ID": "1"}, True),
        ({"TERM": "foot-extra"}, True),
    ],
)
def test_which_terminals_show_links(environment: dict[str, str], links: bool) -> None:
    assert has_links(environment) == links


def test_what_is_longer_than_the_screen_goes_to_the_pager(tmp_path: Path) -> None:
    pager = f"{sys.executable} -c 'import sys; t = sys.stdin.read(); print(\"PAGED\", len(t.splitlines())); print(t)'"
    code, output = on_a_terminal("lint", "--no-config", BAD, size=(100, 24), KAFKA_ADVISOR_PAGER=pager)
    assert code == 1
    assert re.search(r"^PAGED \d\d", output, re.M)
    code, output = on_a_terminal("lint", "--no-config", BAD, size=(100, 24), KAFKA_ADVISOR_PAGER="", PAGER=pager)
    assert (code, "PAGED" in output) == (1, False)
    code, output = on_a_terminal("lint", "--no-config", BAD, "--no-pager", size=(100, 24), KAFKA_ADVISOR_PAGER=pager)
    assert (code, "PAGED" in output) == (1, False)
    code, output = on_a_terminal("lint", "--no-config", BAD, size=(100, 400), KAFKA_ADVISOR_PAGER=pager)
    assert (code, "PAGED" in output) == (1, False)


@pytest.mark.parametrize("pager", ["true", "head -2", "/nowhere/pager"])
def test_a_pager_that_is_left_early_changes_no_verdict(pager: str) -> None:
    code, output = on_a_terminal("lint", "--no-config", "examples/bad", size=(100, 24), KAFKA_ADVISOR_PAGER=pager)
    assert code == 1
    assert "Traceback" not in output
    assert "3 of 3 files judged" in output


def test_fixes_begin_with_a_sentence() -> None:
    assert first_sentence("Set a=1. Then restart.") == "Set a=1."
    assert first_sentence("use 2.4 and newer. It works") == "use 2.4 and newer."
    assert first_sentence("set it (e.g. This one. Or that) at once. Now") == "set it (e.g. This one. Or that) at once."
    assert first_sentence("one sentence") == "one sentence"
    assert first_sentence("") == ""


def test_a_report_begins_with_the_sum_and_shows_each_finding_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    lines = run("lint", "--no-config", BAD).out.splitlines()
    findings = run("lint", "--no-config", BAD, "--format", "json").json["findings"]
    counts = {row["severity"]: sum(other["severity"] == row["severity"] for other in findings) for row in findings}
    assert lines[0].startswith(f"{BAD} (combined node): {counts['critical']} critical, {counts['high']} high, ")
    assert re.search(r"Score \d+ \(F\), production$", lines[0]) and "Kafka 4.4 assumed: " in lines[1]
    for row in findings:
        of_rule = [other for other in findings if other["rule"] == row["rule"]]
        assert sum(re.search(rf"  {row['rule']}(?:  |$)", line) is not None for line in lines) == len(of_rule)
    severities = [line.split()[0 if line[:6].isspace() else 1] for line in lines[4:-2] if line[6:7].isalpha()]
    assert severities == sorted(severities, key=("critical", "high", "medium", "low", "info").index)
    assert [mark for mark in ("1st, +", "2nd, +", "3rd, +") if sum(mark in line for line in lines) != 1] == []
    assert lines[-1].startswith("Next: fix 1st, 2nd, 3rd; ") and len(lines) <= 90
    assert [number for number, line in enumerate(lines) if "--profile dev" in line] == [2]


def test_the_question_of_development_ends_a_report_of_one_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LINES", "24")
    Path("dev.properties").write_text("bootstrap.servers=a:1,b:1\nacks=1\nkey.serializer=a.B\nvalue.serializer=a.B\n")
    lines = run("lint", "--no-config", "dev.properties").out.splitlines()
    assert len(lines) < 24 and "--profile dev" in lines[-1]


def test_open_listeners_of_alike_nodes_are_said_once(tmp_path: Path) -> None:
    node = "  k{0}:\n    image: apache/kafka:4.1.0\n    environment:\n      KAFKA_NODE_ID: {0}\n      KAFKA_LISTENERS: PLAINTEXT://:9092,HOST://:{0}9092\n      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: PLAINTEXT:PLAINTEXT,HOST:PLAINTEXT\n"
    (tmp_path / "compose.yml").write_text("services:\n" + "".join(node.format(number) for number in (1, 2, 3)))
    lines = run("lint", "--no-config", tmp_path / "compose.yml").out.splitlines()
    (at,) = [number for number, line in enumerate(lines) if "KA601" in line]
    assert "PLAINTEXT, HOST have neither encryption nor authentication" in lines[at]
    assert lines[at + 1].split() == ["also:", "lines", "7,", "12,", "13,", "18,", "19"]


def test_what_is_piped_is_never_cut() -> None:
    out = run("lint", "--no-config", "examples/bad", "examples/inputs").out
    assert [line for line in out.splitlines() if line.rstrip().endswith("…")] == []


def test_the_same_files_are_said_once(tmp_path: Path) -> None:
    text = (ROOT / BAD).read_text()
    for number in (1, 2, 3):
        (tmp_path / f"{number}.properties").write_text(text)
    (tmp_path / "4.properties").write_text(text.replace("min.insync.replica=2", "num.io.threads=0"))
    lines = run("lint", "--no-config", tmp_path).out.splitlines()
    heads = [line for line in lines if line.startswith(str(tmp_path))]
    assert sorted(heads) == [
        ", ".join(f"{tmp_path}/{number}.properties" for number in (1, 2, 3)),
        f"{tmp_path}/4.properties",
    ]


def test_findings_are_grouped_by_rule() -> None:
    lines = run("lint", "--no-config", "examples/cluster", "--group-by", "rule").out.splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("KA522 zk-mode"))
    places = {*re.findall(r"broker-\d", lines[head + 1] + lines[head + 2])}
    assert len(places) == 2 and "also: examples/cluster/broker-" in lines[head + 2]
    assert sum(line.startswith("KA522") for line in lines) == 1


def test_quiet_and_least_severe() -> None:
    whole, quiet, severe = (
        run("lint", "--no-config", BAD, *options).out for options in ((), ("-q",), ("--min-severity", "critical"))
    )
    assert quiet.startswith("examples/bad/server.properties\n  16  critical ")
    assert "Score" not in quiet
    assert len(severe) < len(quiet) < len(whole)
    assert "KA104" in severe
    assert "KA601" not in severe
    assert re.search(r"critical.*medium.* \(\d+ below critical not shown\)", severe)
    assert run("lint", "--no-config", BAD, "-q", "-v").code == 2


def test_a_subject_without_a_line_is_named() -> None:
    out = run("lint", "--no-config", "examples/inputs/compose-two-services.yml").out
    assert re.search(r"\n      \w+ +kafka1, kafka2: KAFKA_\w+ not set", out)
    concise = run("lint", "--no-config", "--format", "concise", "examples/inputs/compose-two-services.yml").out
    assert len(set(concise.splitlines())) == len(concise.splitlines())


def test_a_client_is_not_started_but_created(tmp_path: Path) -> None:
    out = run("lint", "--no-config", "examples/bad/consumer.properties").out
    assert "the client cannot be created (Kafka 4.4)" in out


COMMANDS = (
    ("advise", "examples/cluster.json"),
    ("advise", "--no-config", BAD),
    ("impact", "examples/cluster.json", "--down", "broker:2"),
    ("impact", "examples/cluster.json", "--rolling-restart"),
    ("upgrade", BAD, "--from", "3.6", "--to", "4.4"),
    ("diff", "--no-config", BAD, "examples/good/server.properties"),
    ("simulate", "examples/cluster.json", "--topic", "logs"),
    ("starts", BAD),
    ("rollout", "examples/rollouts/moved-directories/old", "examples/rollouts/moved-directories/new"),
    ("explain", "KA104"),
)


@pytest.mark.parametrize("columns", [80, 160])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_sentences_fit_the_terminal_and_what_is_copied_is_whole(command: tuple[str, ...], columns: int) -> None:
    code, output = on_a_terminal(*command, size=(columns, 500))
    assert code in (0, 1), output
    lines = ESCAPE.sub("", output).splitlines()
    too_long = [line for line in lines if len(line) > columns and len(line.split()) > 3]
    assert [line for line in too_long if not line.startswith(("   run: ", "   edit: "))] == []
    piped = {line for line in run(*command).out.splitlines() if line.startswith(("   run: ", "   edit: "))}
    assert piped <= set(lines)
