"""Pages of clusters whose names are paths, markup, control characters, devices, or longer than a file system takes."""

from __future__ import annotations

import html
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.support.commands import Ran, run
from tests.support.fleets import ILL, audit, collected
from tests.support.hostile_text import HOSTILE

PATHS = {
    "folder above": "../../evil",
    "folders above, encoded": "..%2f..%2fevil",
    "whole path": "/etc/passwd",
    "this folder": ".",
    "the folder above": "..",
    "a hidden file": ".bashrc",
    "Windows' separators": "..\\..\\evil",
    "a drive": "C:\\evil.html",
    "a stream": "evil.html:stream",
    "a device": "nul",
    "a device with an ending": "com1.txt",
    "a blank": " ",
    "blanks around": " x ",
    "a dot at its end": "x.",
    "an ending": "index.html",
    "a question": "a?b#c",
    "an option": "--html",
    "a variable": "$HOME",
    "upper case": "PROD",
    "lower case": "prod",
    "composed": "caf\u00e9",
    "decomposed": "cafe\u0301",
    "another alphabet": "\u043f\u0440\u043e\u0434",
    "emoji": "\U0001f600" * 80,
    "long and plain": "x" * 300,
    "long, and another at its end": "x" * 299 + "y",
}
CASES = {**PATHS, **HOSTILE}
FILE = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}\.html")
DEVICES = ("con", "prn", "aux", "nul", "com1", "lpt1")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    folder = tmp_path_factory.mktemp("hostile")
    fleet = collected(folder / "fleet", dict.fromkeys(CASES.values(), ILL))
    audit(fleet, folder / "audit")
    (folder / "out").mkdir()
    ran = run("audit-report", folder / "audit", "--html", folder / "out/fleet.html")
    assert (ran.code, ran.err) == (0, "")
    return folder / "out", ran


def pages_of(folder: Path, name: str) -> set[Path]:
    """The pages that the fleet's page leads to from the rows of clusters which it shows by this name; long ones are cut."""
    text = (folder / "fleet.html").read_text()
    rows = re.findall(r'<a [^>]*href="(fleet_clusters/[^"]+)"[^>]*>(.*?)</a>', text, re.DOTALL)
    links = [(html.unescape(shown), unquote(html.unescape(link))) for link, shown in rows]
    return {folder / link for shown, link in links if shown == name or shown == f"{name[:197]}..."}


def test_nothing_is_written_but_one_page_each(pages: tuple[Path, Ran]) -> None:
    folder, _ = pages
    files = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    names = [path.name for path in files if path.name != "fleet.html"]
    assert {len(path.parts) for path in files} == {1, 2}
    assert len({name.lower() for name in names}) == len(names) == len(set(CASES.values()))
    assert [name for name in names if not FILE.fullmatch(name) or name.split(".")[0] in DEVICES] == []


@pytest.mark.parametrize("case", PATHS)
def test_the_fleets_page_leads_to_the_page_of_the_cluster(case: str, pages: tuple[Path, Ran]) -> None:
    name = PATHS[case]
    leads_to = pages_of(pages[0], name)
    assert len(leads_to) == len({each for each in CASES.values() if each[:197] == name[:197]})
    for page in leads_to:
        title = re.search(r"<h1[^>]*>(.*?)</h1>", page.read_text(), re.DOTALL)
        assert title and html.unescape(title[1]).startswith(name[:290])


@pytest.mark.parametrize("case", HOSTILE)
def test_no_page_takes_a_name_for_markup_or_shows_what_steers(case: str, pages: tuple[Path, Ran]) -> None:
    for path in pages[0].rglob("*.html"):
        text = path.read_text()
        bare = re.sub(r"<script\b.*?</script>|<style\b.*?</style>", "", text, flags=re.DOTALL)
        assert "<script" not in bare and "<img" not in bare and "onerror=alert(1)>" not in bare
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text), path
        assert HOSTILE[case] not in text or HOSTILE[case] == html.escape(HOSTILE[case])
