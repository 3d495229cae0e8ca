"""Every kind of HTML page in a real browser, on a phone and on a desk, in light and dark: nothing sticks out, nothing that
axe objects to, no request, no message.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.browser import page_opener
from tests.support.commands import ROOT, run

AXE = (ROOT / "tests/data/axe.min.js").read_text()
EXAMPLES = ROOT / "examples"
CLUSTER, BAD, GOOD = EXAMPLES / "cluster.json", EXAMPLES / "bad/server.properties", EXAMPLES / "good/server.properties"
INPUTS, ROLLOUTS = EXAMPLES / "inputs", EXAMPLES / "rollouts"
PHONE, DESK = 390, 1440
PAGES: dict[str, tuple[object, ...]] = {
    "lint": ("lint", "--no-config", *sorted(INPUTS.iterdir())),
    "lint-compose": ("lint", "--no-config", INPUTS / "compose-two-services.yml"),
    "check": ("check", CLUSTER, "--no-config"),
    "advise": ("advise", CLUSTER),
    "advise-files": ("advise", BAD),
    "impact": ("impact", CLUSTER, "--down", "broker:1"),
    "restart": ("impact", CLUSTER, "--rolling-restart"),
    "starts": ("starts", *sorted(INPUTS.glob("*.yml"))),
    "effective": ("effective", BAD, "--all"),
    "simulate": ("simulate", BAD),
    "simulate-cluster": ("simulate", CLUSTER),
    "diff": ("diff", BAD, GOOD),
    "upgrade": ("upgrade", INPUTS, "--to", "4.4"),
    "rollout-tls": ("rollout", ROLLOUTS / "tls-between-brokers/old", ROLLOUTS / "tls-between-brokers/new"),
    "rollout-disks": ("rollout", ROLLOUTS / "moved-directories/old", ROLLOUTS / "moved-directories/new"),
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    pages = {name: folder / f"{name}.html" for name in PAGES}
    for name, arguments in PAGES.items():
        assert run(*arguments, "--format", f"html={pages[name]}").code in (0, 1)
    return pages


@pytest.fixture
def opened(browser: Any, pages: dict[str, Path]) -> Iterator[Any]:
    with page_opener(browser, pages) as open_page:
        yield open_page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_it_fits_a_phone_and_a_desk(opened: Any, name: str, scheme: str) -> None:
    one = opened(name, color_scheme=scheme)
    assert {width: one.layout_faults(width) for width in (PHONE, DESK)} == {PHONE: [], DESK: []}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", [name for name in PAGES if name != "lint"])
def test_no_error_no_request_no_barrier(opened: Any, name: str, scheme: str) -> None:
    one = opened(name, color_scheme=scheme)
    one.page.set_viewport_size({"width": PHONE, "height": 844})
    found = one.page.evaluate(f"() => {{ {AXE}; return axe.run(document) }}")
    assert [(row["id"], row["nodes"][0]["html"][:200]) for row in found["violations"]] == []
    assert one.messages == []
    assert len(one.requests) == 1, "the page alone"


def test_a_table_is_a_list_of_cells_on_a_phone(opened: Any) -> None:
    one = opened("starts")
    one.page.set_viewport_size({"width": PHONE, "height": 844})
    row = one.page.locator("tbody tr").first
    tops = [cell.bounding_box()["y"] for cell in row.locator("td").all()]
    assert tops == sorted(set(tops)), "one below the other"
    heads = row.locator("td").evaluate_all("all => all.map(each => getComputedStyle(each, '::before').content)")
    assert heads == ['"release"', '"what Kafka does"']


@pytest.mark.parametrize("name", ["rollout-tls", "rollout-disks"])
def test_a_rollout_shows_when_something_stops_or_is_lost(opened: Any, name: str) -> None:
    one = opened(name)
    assert one.page.locator("svg.timeline rect.writes-stop, svg.timeline rect.records-lost").count() > 0


def test_copy_copies_the_line_as_the_file_spells_it(opened: Any) -> None:
    one = opened("lint-compose", permissions=["clipboard-read", "clipboard-write"])
    place = one.page.locator("#KA102 .place").first
    place.locator("[data-copies]").click()
    one.page.wait_for_function("() => document.getElementById('said').textContent === 'Copied'")
    copied = one.page.evaluate("() => navigator.clipboard.readText()")
    assert copied == "      KAFKA_MIN_INSYNC_REPLICAS: 2"
