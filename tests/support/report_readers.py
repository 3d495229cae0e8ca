"""Reads every format by its consumer's own definition."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from advisor.reports.links import rule_url
from tests.support.commands import ROOT

DATA = ROOT / "tests/data"
SARIF = jsonschema.Draft4Validator(json.loads((DATA / "sarif-schema-2.1.0.json").read_text()))


def is_sarif(text: str) -> Any:
    log = json.loads(text)
    errors = [f"{error.json_path}: {error.message}" for error in SARIF.iter_errors(log)]
    assert errors == []
    (only,) = log["runs"]
    rules = only["tool"]["driver"]["rules"]
    for rule in rules:  # what GitHub wants filled, beyond the schema
        assert rule["shortDescription"]["text"] and rule["fullDescription"]["text"] and rule["help"]["text"]
        assert ("security-severity" in rule["properties"]) <= (rule["properties"]["tags"] == ["security"])
    prints = [row["partialFingerprints"]["primaryLocationLineHash"] for row in only["results"]]
    assert len(set(prints)) == len(prints)
    for row in only["results"]:
        assert rules[row["ruleIndex"]]["id"] == row["ruleId"]
        assert len(row["locations"]) == 1
    return only


def is_junit(text: str) -> Any:
    etree = pytest.importorskip("lxml.etree")
    junitparser = pytest.importorskip("junitparser")
    document = etree.fromstring(text.encode())
    etree.XMLSchema(etree.parse(str(DATA / "junit-10.xsd"))).assertValid(document)
    suites = list(junitparser.JUnitXml.fromstring(text.encode()))
    for suite in suites:
        names = [case.name for case in suite]
        assert len(set(names)) == len(names) == suite.tests
        assert suite.failures == sum(isinstance(each, junitparser.Failure) for case in suite for each in case.result)
    return suites


def is_gitlab(text: str) -> Any:
    rows = json.loads(text)
    assert not text.startswith("\ufeff")
    assert len({row["fingerprint"] for row in rows}) == len(rows)
    for row in rows:
        assert set(row) >= {"description", "check_name", "fingerprint", "severity", "location"}
        assert row["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert isinstance(row["location"]["lines"]["begin"], int)
        assert not row["location"]["path"].startswith(("./", "/"))
    return rows


COMMAND = re.compile(r"::(error|warning|notice) (?:file=[^,:]+,line=\d+,col=\d+,)?title=[^,:]+::.+")


def is_github(text: str) -> Any:
    lines = text.splitlines()
    commands = [line for line in lines if line.startswith("::")]
    assert all(COMMAND.fullmatch(line) for line in commands), commands
    assert all("::" not in line for line in lines if line not in commands)
    for kind in ("error", "warning", "notice"):
        assert sum(line.startswith(f"::{kind}") for line in commands) <= 10
    return commands


def is_csv(text: str) -> Any:
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    for row in rows:
        assert None not in row and None not in row.values()
        assert row["status"] in ("finding", "suppressed", "unknown")
        for cell in row.values():
            assert not re.match(r"\s*[=+@|%-](?![\d.]+$)", cell), cell
    return rows


def is_markdown(text: str) -> Any:
    markdown_it = pytest.importorskip("markdown_it")
    rendered = markdown_it.MarkdownIt("gfm-like", {"linkify": False}).render(text)
    url = re.escape(rule_url("KA101")).replace("KA101", r"KA\d+")
    html = re.sub(rf'<a href="{url}">(KA\d+ [a-z0-9-]+)</a>', r"\1", rendered) if url else rendered
    assert set(re.findall(r"<(\w+)", html)) <= {
        "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "strong", "br", "ul", "ol", "li",
        "code",
    }  # fmt: skip
    assert len(text) < 65_536, "a comment on GitHub"
    assert not re.search("<strong>b<|<code>x<|<del>", html), "marks in names are no markup"
    shown = re.sub(r"<!-- -->", "\0", html)
    assert not re.search(r"@\w|://|www\.", shown)
    return html


def is_prometheus(text: str) -> Any:
    parser = pytest.importorskip("prometheus_client.parser")
    families = {family.name: family for family in parser.text_string_to_metric_families(text)}
    series = [(sample.name, *sorted(sample.labels.items())) for each in families.values() for sample in each.samples]
    assert len(set(series)) == len(series)
    assert all(family.type == "gauge" and family.documentation for family in families.values())
    return families


def is_json(text: str) -> Any:
    document = json.loads(text)
    jsonschema.validate(document, json.loads((ROOT / "advisor/reports/machine/report.schema.json").read_text()))
    return document


def is_text(text: str) -> Any:
    assert all(char.isprintable() or char == "\n" for char in text)
    return text


def is_html(text: str) -> Any:
    etree = pytest.importorskip("lxml.html")
    document = etree.fromstring(text)
    assert len(document.findall(".//script")) == 1, "the page's own"
    assert len(document.findall(".//style")) == 1
    for each in document.iter():
        if isinstance(each.tag, str):
            assert not any(name.startswith("on") for name in each.attrib)
            assert not any(name in ("src", "srcdoc", "action") for name in each.attrib)
            assert each.get("href", "#").startswith(("#", "https://"))
    return document


READERS: dict[str, Callable[[str], Any]] = {
    "text": is_text,
    "concise": is_text,
    "json": is_json,
    "sarif": is_sarif,
    "junit": is_junit,
    "gitlab": is_gitlab,
    "github": is_github,
    "csv": is_csv,
    "markdown": is_markdown,
    "prometheus": is_prometheus,
    "html": is_html,
}


def harmless(name: str, text: str) -> None:
    """The consumer reads it, and nothing in it steers a terminal, a browser, a spreadsheet or a workflow."""
    READERS[name](text)
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", text)
    if name not in ("json", "html"):
        assert all(char.isprintable() or char in "\r\n" for char in text)
    if name in ("html", "markdown", "junit"):
        assert "<script>alert" not in text and "<img" not in text
    if name != "json":
        assert len(max(text.split("\n"), key=len)) < 40_000
