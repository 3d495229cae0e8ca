"""What the documents for developers show exists and works: files, the example of a rule of one's own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.commands import ROOT, run

EXAMPLE = ROOT / "examples/rules/client_ids.py"
PAGES = ("docs/architecture.md", "CONTRIBUTING.md")


@pytest.mark.parametrize("page", PAGES)
def test_files_that_a_page_names_exist(page: str) -> None:
    text = (ROOT / page).read_text()
    named = re.findall(r"`((?:advisor|collectors|rules|spark_audit|tests|examples|docs)/[\w./]*)`", text)
    assert len(named) > 5
    assert [path for path in named if "<" not in path and not (ROOT / path).exists()] == []


def test_the_example_of_contributing_is_the_file_that_is_linted_with() -> None:
    assert f"```python\n{EXAMPLE.read_text()}```" in (ROOT / "CONTRIBUTING.md").read_text()


@pytest.mark.parametrize("example", sorted((ROOT / "examples/rules").glob("*.py")), ids=lambda path: path.name)
def test_a_rule_of_ones_own_needs_one_import(example: Path) -> None:
    assert re.findall(r"^(?:from|import) (\S+)", example.read_text(), re.MULTILINE) == ["advisor.rule"]


def test_explain_knows_a_rule_of_ones_own() -> None:
    file = ROOT / "examples/bad/producer.properties"
    ran = run("lint", "--no-config", "-v", file, "--rules", EXAMPLE)
    assert ran.code == 1
    (more,) = re.findall(r"more: +kafka-advisor explain (ACME1 .*)", ran.out)
    explained = run("explain", *more.split())
    assert (explained.code, explained.out.splitlines()[0]) == (0, "ACME1 anonymous-client")


def test_every_id_that_a_report_recommends_is_explained() -> None:
    files = sorted((ROOT / "examples/bad").glob("*.properties"))
    recommended = set(re.findall(r"kafka-advisor explain (\S+)", run("lint", "--no-config", "-v", *files).out))
    assert len(recommended) > 10
    for id in recommended:
        assert run("explain", id).out.startswith(id)


FOLDERS = (
    ROOT,
    ROOT / "examples",
    ROOT / "examples/inputs",
    ROOT / "examples/bad",
    ROOT / "tests/data/tool_outputs/kraft-4.3",
)
SHOWN = re.compile(r"```\n\$ kafka-advisor ((?:lint|simulate|impact|advise) [^\n]*)\n(.*?)```", re.S)
SHOWING_PAGES = ("README.md", "docs/impact.md", "docs/advise.md")
OUTPUTS = [shown for page in SHOWING_PAGES for shown in SHOWN.findall((ROOT / page).read_text())]


@pytest.mark.parametrize(("command", "output"), OUTPUTS)
def test_the_pages_show_what_is_printed(command: str, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = command.split()
    files = [word for word in words[1:] if "." in word]
    monkeypatch.chdir(next(each for each in FOLDERS if all((each / file).exists() for file in files)))
    monkeypatch.setenv("COLUMNS", "100")
    printed = run(*words, *(["--no-config"] if words[0] == "lint" else [])).out.splitlines()
    assert [line for line in output.splitlines() if line.strip("…") and line not in printed] == []


def test_the_page_on_upgrades_shows_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs/upgrade.md").read_text()
    (example,) = re.findall(r"```properties\n(.*?)```", page, re.S)
    (tmp_path / "server.properties").write_text(example)
    monkeypatch.chdir(tmp_path)
    shown = re.compile(r"```\n\$ kafka-advisor (upgrade [^\n]*)\n(.*?)```", re.S)
    outputs = [*shown.findall(page), *shown.findall((ROOT / "README.md").read_text())]
    assert len(outputs) == 2
    for command, output in outputs:
        printed = run(*command.split()).out.splitlines()
        assert [line for line in output.splitlines() if line.strip(" …") and line not in printed] == []
