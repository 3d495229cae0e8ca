"""The HTML report in a real browser: filters, keyboard, screen reader, print, and not one request that leaves the page."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from advisor.samples.cluster_text import parse_cluster
from tests.support.browser import page_opener
from tests.support.commands import ROOT, run
from tests.support.hostile_text import HOSTILE
from tests.support.metadata import DOCUMENTATION, project
from tests.support.written_reports import LIVE, written

AXE = (ROOT / "tests/data/axe.min.js").read_text()
BAD = Path("examples/bad")
"""Below the checkout, whose own path may be long, and stands in no heading."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A report of files, one of a running cluster, and one whose names are hostile."""
    folder = tmp_path_factory.mktemp("pages")
    pages = {name: folder / f"{name}.html" for name in ("bad", "files", "live", "hostile", "empty")}
    files = sorted(BAD / path.name for path in (ROOT / BAD).glob("*.properties"))
    with contextlib.chdir(ROOT):
        assert run("lint", "--no-config", *files, "--format", f"html={pages['bad']}").code == 1
    noted = folder / "noted.properties"
    noted.write_text("# kafka-advisor: ignore[KA101] known\nacks=1\nretries=${R}\n")
    with project(folder, DOCUMENTATION), contextlib.chdir(ROOT):
        assert run("lint", "--no-config", *files, noted, "--format", f"html={pages['files']}").code == 1
    pages["live"].write_text(written("html", parse_cluster(LIVE)))
    snapshot = parse_cluster(LIVE)
    for entity in snapshot.entities:
        entity.name = "".join(HOSTILE.values()) if entity.name == "pay" else entity.name
    pages["hostile"].write_bytes(written("html", snapshot).encode("utf-8", "backslashreplace"))
    (folder / "good.properties").write_text("acks=all\n")
    run("lint", "--no-config", folder / "good.properties", "--select", "KA101", "--format", f"html={pages['empty']}")
    return pages


@pytest.fixture
def opened(browser: Any, pages: dict[str, Path]) -> Iterator[Any]:
    with page_opener(browser, pages) as open_page:
        yield open_page


@pytest.mark.parametrize("name", ["files", "live", "hostile", "empty"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_error_no_request_no_barrier(opened: Any, name: str, scheme: str) -> None:
    one = opened(name, color_scheme=scheme)
    one.page.locator("#open").click()
    one.page.locator("input[name=search]").fill("a")
    found = one.page.evaluate(f"() => {{ {AXE}; return axe.run(document) }}") if name != "hostile" else None
    assert one.messages == []
    assert [url for url in one.requests if not url.startswith("file:")] == []
    assert len(one.requests) == 1, "the page alone"
    if found is not None:
        barriers = [(row["id"], row["nodes"][0]["html"][:200]) for row in found["violations"]]
        assert barriers == []
        assert len(found["passes"]) > 15, "axe looked at the page"


def shown(one: Any) -> int:
    """The number of places that are visible."""
    number: int = one.page.locator(".place:not([hidden])").count()
    return number


def test_the_filters_filter(opened: Any) -> None:
    one = opened("bad")
    everything = shown(one)
    assert one.status() == f"{everything} of {everything} shown"
    one.page.locator("input[value=high]").uncheck()
    assert 0 < shown(one) < everything
    assert one.page.locator(".place[data-severity=high]:visible").count() == 0
    assert one.status() == f"{shown(one)} of {everything} shown"
    one.page.locator("button[type=reset]").click()
    one.page.wait_for_function(
        "n => document.getElementById('shown').textContent.startsWith(n + ' of')", arg=everything
    )
    one.page.locator("select[name=family]").select_option("durability")
    families = one.page.locator(".finding:visible").evaluate_all("all => all.map(each => each.dataset.family)")
    assert set(families) == {"durability"}
    one.page.locator("select[name=family]").select_option("")
    one.page.locator("select[name=source]").select_option(str(BAD / "producer.properties"))
    places = one.page.locator(".place:visible .where").all_inner_texts()
    assert places and all(text.startswith("producer.properties") for text in places)
    one.page.locator("select[name=source]").select_option("")
    one.page.locator("input[name=search]").fill("UNCLEAN replica")
    assert one.findings() and all("replica" in text for text in one.findings())
    one.page.locator("input[name=search]").fill("no such words anywhere")
    assert one.findings() == []
    assert one.page.locator("#none").is_visible()


def test_the_keyboard_reaches_everything(opened: Any) -> None:
    one = opened("files")
    one.page.keyboard.press("Tab")
    assert one.page.evaluate("() => document.activeElement.textContent") == "To the findings"
    one.page.keyboard.press("Enter")
    one.page.keyboard.press("Tab")
    one.page.keyboard.type("KA104")
    assert len(one.findings()) == 1
    for _ in range(40):
        one.page.keyboard.press("Tab")
        if one.page.evaluate("() => document.activeElement.tagName") == "SUMMARY":
            break
    one.page.keyboard.press("Enter")
    assert one.page.locator(".finding:visible details[open]").count() == 1


def test_the_fix_is_copied_or_selected(opened: Any) -> None:
    one = opened("files")
    button = one.page.locator("[data-copies]").first
    button.click()
    one.page.wait_for_function("() => document.getElementById('said').textContent !== ''")
    said = one.page.locator("#said").inner_text()
    wanted = one.page.locator(f"#{button.get_attribute('data-copies')}").inner_text()
    assert said == "Copied" or one.page.evaluate("() => getSelection().toString()") == wanted


def test_the_story_is_drawn_and_told(opened: Any) -> None:
    one = opened("files")
    article = one.page.locator("#KA104")
    article.locator("summary", has_text="step by step").click()
    picture = article.locator("svg")
    assert picture.get_attribute("role") == "img"
    assert "an acknowledged record is lost" in picture.locator("title").text_content()
    drawn_words = picture.locator("text").all_text_contents()
    for word in ("leader", "ISR", "HW", "down", "a safe", "a LOST", "replica 2", "a"):
        assert word in drawn_words
    assert any("✕ an acknowledged record is lost: a" in word for word in drawn_words)
    steps = article.locator("ol.story li").all_inner_texts()
    assert "UNCLEAN election" in " ".join(steps)
    assert picture.locator("rect.hit").count() == 1, "the broker that fails"
    width = picture.bounding_box()["width"]
    overflow = picture.evaluate(
        "svg => [...svg.querySelectorAll('text')].filter(t => t.getBBox().x + t.getBBox().width > svg.viewBox.baseVal.width).length"
    )
    assert (width > 300, overflow) == (True, 0)


def test_a_running_cluster_has_its_tables(opened: Any) -> None:
    one = opened("live")
    tables = {row.locator("th").first.inner_text(): row.inner_text() for row in one.page.locator("table").all()}
    assert "b1:9092" in tables["broker"]
    assert "orders\t3\t3\t1\t3\t0\t0" in tables["topic"]
    assert "not permitted" in one.page.locator("main").inner_text()


def test_it_prints_everything_in_light(opened: Any) -> None:
    one = opened("bad", color_scheme="dark")
    one.page.emulate_media(media="print", color_scheme="dark")
    one.page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    assert one.page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not one.page.locator("#filters").is_visible()
    assert one.page.locator("details.story:not([open]), details.why:not([open])").count() == 0
    pages = re.findall(rb"/Type\s*/Page[^s]", one.page.pdf(format="A4"))
    assert 3 < len(pages) <= 8
    one.page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert one.page.locator("details[open]").count() == 0


def test_it_can_be_read_without_its_script(opened: Any) -> None:
    one = opened("files", java_script_enabled=False)
    assert one.page.locator(".finding").first.is_visible()
    assert not one.page.locator("#filters").is_visible()


def test_hostile_names_are_text(opened: Any) -> None:
    one = opened("hostile")
    assert one.page.locator("script").count() == 1
    assert one.page.locator("img").count() == 0
    text = one.page.locator("main").inner_text()
    assert "<script>alert(1)</script>" in text
    assert "\u202e" not in text


@pytest.mark.parametrize("name", ["files", "live", "hostile", "empty"])
def test_it_fits_a_phone_and_a_desk(opened: Any, name: str) -> None:
    one = opened(name)
    assert {width: one.layout_faults(width) for width in (390, 1440)} == {390: [], 1440: []}


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_the_first_screen_says_what_to_fix_first(opened: Any, size: tuple[int, int]) -> None:
    one = opened("bad")
    one.page.set_viewport_size({"width": size[0], "height": size[1]})
    assert one.page.locator("h1").inner_text() == str(BAD)
    steps = one.page.locator(".steps li")
    links = steps.locator(".change a").evaluate_all("all => all.map(each => each.getAttribute('href'))")
    assert links == ["#KA915", "#KA104", "#KA1001"]
    for part in (one.page.locator(".grade"), one.page.locator(".counts"), steps.nth(2).locator(".change")):
        box = part.bounding_box()
        assert box["y"] + box["height"] <= size[1]
    parts = one.page.locator(".parts li").all_inner_texts()
    assert [text.split()[0] for text in parts] == ["durability", "availability", "security", "operation"]


def test_a_card_for_each_rule_has_all_its_places(opened: Any) -> None:
    one = opened("bad")
    cards = one.page.locator(".finding").evaluate_all("all => all.map(each => each.id)")
    assert len(cards) == len(set(cards))
    places = one.page.locator("#KA401 .place .where").all_inner_texts()
    assert places == ["server.properties:11", "server.properties:12"]
    assert one.page.locator("#KA401 .message").all_inner_texts()[0].startswith("__consumer_offsets ")


def test_findings_rules_and_kips_have_anchors_and_links(opened: Any) -> None:
    one = opened("files")
    ids = one.page.locator("[id]").evaluate_all("all => all.map(each => each.id)")
    assert len(ids) == len(set(ids))
    targets = one.page.locator("a[href^='#']").evaluate_all(
        "all => all.map(each => each.getAttribute('href').slice(1))"
    )
    assert set(targets) <= set(ids)
    place = one.page.locator("#KA101 .place").first
    assert place.locator(".anchor").get_attribute("href") == f"#{place.get_attribute('id')}"
    assert one.page.locator("#KA101 .rule a").first.get_attribute("href").endswith("KA101.md")
    kip = one.page.locator("#KIP-679")
    assert kip.get_attribute("href") == "https://cwiki.apache.org/confluence/display/KAFKA/KIP-679"


def test_a_link_to_a_finding_that_is_filtered_out_shows_it(opened: Any) -> None:
    one = opened("bad")
    one.page.locator("input[name=search]").fill("no such words anywhere")
    place = one.page.locator("#KA101 .place").first
    assert not place.is_visible()
    one.page.evaluate("id => { location.hash = id }", place.get_attribute("id"))
    place.wait_for(state="visible")


def test_a_family_of_the_overview_filters(opened: Any) -> None:
    one = opened("bad")
    one.page.locator(".families a", has_text="security").click()
    families = one.page.locator(".finding:visible").evaluate_all("all => all.map(each => each.dataset.family)")
    assert set(families) == {"security"}


def test_thousands_of_findings_are_a_small_page() -> None:
    topics = "".join(f"topic t{number}\n0: leader 1 replicas 1 isr 1\n" for number in range(3_000))
    page = written("html", parse_cluster(f"kafka 4.3\nbrokers 1/a 2/b 3/c\n{topics}"))
    assert len(page) < 3_000_000
    assert "more are counted and not listed" in page
