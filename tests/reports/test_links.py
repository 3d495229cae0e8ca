"""A rule's page has one URL in every format that links: that of the project's metadata; without one, the command is named."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.lsp.hover import rules_about
from advisor.reports.links import VARIABLE, rule_url
from tests.support.commands import ENVIRONMENT, ROOT, loaded_by, process, run
from tests.support.metadata import DOCUMENTATION, project, write_metadata

URL = "https://docs.example.org/kafka/docs/rules/KA101.md"
COMMAND = "kafka-advisor explain KA101"
LINKING = ("json", "sarif", "gitlab", "markdown", "html")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "producer.properties"
    path.write_text("bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
    return path


@pytest.fixture
def linked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A project with the URL of its documentation."""
    with project(tmp_path_factory.mktemp("site"), DOCUMENTATION):
        yield


@pytest.fixture
def unlinked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A project without a URL."""
    with project(tmp_path_factory.mktemp("site")):
        yield


@pytest.mark.parametrize("format", LINKING)
def test_every_format_links_the_rules_page(file: Path, format: str, linked: None) -> None:
    text = run("lint", "--no-config", "--format", format, file).out
    assert URL in text and COMMAND not in text


@pytest.mark.parametrize("format", LINKING)
def test_without_a_url_no_format_links_and_people_are_given_the_command(
    file: Path, format: str, unlinked: None
) -> None:
    text = run("lint", "--no-config", "--format", format, file).out
    assert not re.search(r"https?://[^\s\"'<>]*KA\d", text)
    assert format == "json" or re.search(f"{COMMAND}|kafka-advisor explain RULE", text)


def test_without_a_url_the_fields_of_programs_are_left_out(file: Path, unlinked: None) -> None:
    def report(format: str) -> object:
        return json.loads(run("lint", "--no-config", "--format", format, file).out)

    (rule, *_) = report("sarif")["runs"][0]["tool"]["driver"]["rules"]  # type: ignore[index]
    assert "helpUri" not in rule and f"kafka-advisor explain {rule['id']}" in rule["help"]["text"]
    assert "Why: " in rule["help"]["text"] and f"`kafka-advisor explain {rule['id']}`" in rule["help"]["markdown"]
    assert {row["url"] for row in report("json")["findings"]} == {None}  # type: ignore[index]
    assert all("kafka-advisor explain KA" in row["description"] for row in report("gitlab"))  # type: ignore[attr-defined]


def test_a_rule_of_ones_own_is_explained_with_its_file(file: Path, unlinked: None) -> None:
    own = ROOT / "examples/rules/client_ids.py"
    page = run("lint", "--no-config", "--format", "html", "--rules", own, file).out
    assert re.search(r"kafka-advisor explain ACME1 --rules \S*client_ids\.py", page)


def test_explain_and_the_list_of_rules_name_it(linked: None) -> None:
    assert f"Page:       {URL}" in run("explain", "KA101").out
    assert URL in run("rules", "--format", "json", "--key", "acks").out


def test_explain_and_the_list_of_rules_name_none(unlinked: None) -> None:
    assert "Page:" not in run("explain", "KA101").out
    assert {row["url"] for row in run("rules", "--format", "json", "--key", "acks").json} == {None}


@pytest.mark.parametrize(("named", "shown"), [("linked", f"[KA101 acks-not-all]({URL})"), ("unlinked", "KA101 acks-not-all")])  # fmt: skip
def test_hover_names_the_rules_of_a_key(named: str, shown: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue(named)
    rules_about.cache_clear()
    assert shown in rules_about()["acks"]
    rules_about.cache_clear()


@pytest.mark.parametrize(
    ("urls", "url"),
    [
        ((DOCUMENTATION, "Homepage, https://example.org"), URL),
        (("Homepage, https://github.com/o/r",), "https://github.com/o/r/blob/HEAD/docs/rules/KA101.md"),
        (("Source, https://gitlab.com/o/r/",), "https://gitlab.com/o/r/blob/HEAD/docs/rules/KA101.md"),
        (
            ("Homepage, https://example.org", "Repository, https://github.com/o/r"),
            "https://github.com/o/r/blob/HEAD/docs/rules/KA101.md",
        ),
        (("Issues, https://example.org/issues", "Changelog, https://example.org/changes"), ""),
        ((), ""),
    ],
)
def test_which_of_the_projects_urls_counts(urls: tuple[str, ...], url: str, tmp_path: Path) -> None:
    with project(tmp_path, *urls):
        assert rule_url("KA101", "acks-not-all") == url


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("https://docs.example.org/rules", "https://docs.example.org/rules/KA101.md"),
        ("https://docs.example.org/rules/", "https://docs.example.org/rules/KA101.md"),
        ("https://docs.example.org/{name}.html", "https://docs.example.org/acks-not-all.html"),
        ("https://docs.example.org/#{id}", "https://docs.example.org/#KA101"),
        ("", URL),
    ],
)
def test_the_environment_says_where_pages_are_kept(
    monkeypatch: pytest.MonkeyPatch, base: str, url: str, linked: None
) -> None:
    monkeypatch.setenv(VARIABLE, base)
    assert rule_url("KA101", "acks-not-all") == url


@pytest.mark.parametrize("id", ["ACME1", "KA000", "KA001", "KA9999"])
def test_what_has_no_page_has_no_link(id: str, linked: None) -> None:
    assert rule_url(id) == ""


@pytest.mark.parametrize("urls", [(DOCUMENTATION,), ()])
def test_an_installed_program_reads_its_own_metadata(urls: tuple[str, ...], file: Path, tmp_path: Path) -> None:
    write_metadata(tmp_path, *urls)
    installed = [sys.executable, "-c", "from advisor.__main__ import program; program()"]
    ran = subprocess.run(
        [*installed, "lint", "--no-config", "--format", "sarif", file],
        env=ENVIRONMENT | {"PYTHONPATH": f"{tmp_path}:{ROOT}"}, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (URL in ran.stdout) == bool(urls) and (COMMAND in ran.stdout) == (not urls)


def test_a_package_that_is_not_installed_has_no_url(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    ran = process("lint", "--no-config", "--format", "sarif", file, flags=("-S",))
    assert ran.code == 1 and '"helpUri"' not in ran.out and COMMAND in ran.out


def test_a_text_report_reads_no_metadata() -> None:
    loaded = loaded_by("lint", "examples/bad/producer.properties")
    assert not {"advisor.reports.links", "importlib.metadata"} & loaded


def test_the_comment_in_pyproject_is_what_a_fork_writes(tmp_path: Path) -> None:
    text = (ROOT / "pyproject.toml").read_text()
    comment = re.search(r"^# (\[project\.urls\])\n# (Documentation = .*)$", text, re.MULTILINE)
    if comment is None:
        assert "urls" in tomllib.loads(text)["project"], "a fork has written its own"
        return
    ((label, url),) = tomllib.loads("\n".join(comment.groups()))["project"]["urls"].items()
    with project(tmp_path, f"{label}, {url}"):
        assert rule_url("KA101") == f"{url}/rules/KA101.md" and url.endswith("/docs")


def test_the_page_says_what_explain_says() -> None:
    page = " ".join((ROOT / "docs/rules/KA101.md").read_text().split())
    why = run("explain", "KA101").out.partition("Why: ")[2].partition("\n")[0]
    assert " ".join(why.split()) in page
