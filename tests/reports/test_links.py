"""A rule's page has one URL, in every format that links."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.reports.links import BASE, VARIABLE, rule_url
from tests.support.commands import ROOT, run

URL = BASE.format(id="KA101", name="")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "producer.properties"
    path.write_text("bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
    return path


@pytest.mark.parametrize("format", ["json", "sarif", "gitlab", "markdown", "html"])
def test_every_format_links_the_rules_page(file: Path, format: str) -> None:
    assert URL in run("lint", "--no-config", "--format", format, file).out


def test_explain_and_the_list_of_rules_name_it() -> None:
    assert URL in run("explain", "KA101").out
    assert URL in run("rules", "--format", "json", "--key", "acks").out


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
def test_the_environment_says_where_pages_are_kept(monkeypatch: pytest.MonkeyPatch, base: str, url: str) -> None:
    monkeypatch.setenv(VARIABLE, base)
    assert rule_url("KA101", "acks-not-all") == url


@pytest.mark.parametrize("id", ["ACME1", "KA000", "KA001", "KA9999"])
def test_what_has_no_page_has_no_link(id: str) -> None:
    assert rule_url(id) == ""


def test_the_page_says_what_explain_says() -> None:
    page = " ".join((ROOT / "docs/rules/KA101.md").read_text().split())
    why = run("explain", "KA101").out.partition("Why: ")[2].partition("\n")[0]
    assert " ".join(why.split()) in page
