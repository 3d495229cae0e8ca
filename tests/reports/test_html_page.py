"""The HTML report in a real browser: filters, keyboard, screen reader, print, and not one request that leaves the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from advisor.samples.cluster_text import parse_cluster
from tests.support.browser import page_opener
from tests.support.commands import ROOT, run
from tests.support.hostile_text import HOSTILE
from tests.support.written_reports import LIVE, written

AXE = (ROOT / "tests/data/axe.min.js").read_text()
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A report of files, one of a running cluster, and one whose names are hostile."""
    folder = tmp_path_factory.mktemp("pages")
    found = {name: folder / f"{name}.html" for name in ("files", "live", "hostile", "empty")}
    files = sorted(str(path) for path in (ROOT / "examples/bad").glob("*.properties"))
    noted = folder / "noted.properties"
    noted.write_text("# kafka-advisor: ignore[KA101] known\nacks=1\nretries=${R}\n")
    assert run("lint", "--no-config", *files, noted, "--format", f"html={found['files']}").code == 1
    found["live"].write_text(written("html", parse_cluster(LIVE)))
    snapshot = parse_cluster(LIVE)
    for entity in snapshot.entities:
        entity.name = "".join(HOSTILE.values()) if entity.name == "pay" else entity.name
    found["hostile"].write_bytes(written("html", snapshot).encode("utf-8", "backslashreplace"))
    (folder / "good.properties").write_text("acks=all\n")
    run("lint", "--no-config", folder / "good.properties", "--select", "KA101", "--format", f"html={found['empty']}")
    return found


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
        barriers = [
            (row["id"], row["nodes"][0]["html"][:200]) for row in found["violations"] if row["impact"] in SERIOUS
        ]
        assert barriers == []
        assert len(found["passes"]) > 15, "axe looked at the page"


def test_the_filters_filter(opened: Any) -> None:
    one = opened("files")
    everything = one.findings()
    assert one.status() == f"{len(everything)} of {len(everything)} shown"
    one.page.locator("input[value=high]").uncheck()
    without = one.findings()
    assert 0 < len(without) < len(everything)
    assert not any(text.startswith("high") for text in without)
    assert one.status() == f"{len(without)} of {len(everything)} shown"
    one.page.locator("button[type=reset]").click()
    one.page.wait_for_function(
        "n => document.getElementById('shown').textContent.startsWith(n + ' of')", arg=len(everything)
    )
    one.page.locator("select[name=family]").select_option("durability")
    families = one.page.locator(".finding:visible").evaluate_all("all => all.map(each => each.dataset.family)")
    assert set(families) == {"durability"}
    one.page.locator("select[name=family]").select_option("")
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
    article = one.page.locator(".finding:has-text('KA104')").first
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
    one = opened("files", color_scheme="dark")
    one.page.emulate_media(media="print", color_scheme="dark")
    one.page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    assert one.page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not one.page.locator("#filters").is_visible()
    assert one.page.locator("details:not([open])").count() == 0
    assert len(one.page.pdf()) > 20_000
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
    width, inside = one.page.evaluate("() => [innerWidth, document.documentElement.scrollWidth]")
    assert inside <= width, "long names are broken, not wide"


def test_a_narrow_window_needs_no_sideways_scrolling(opened: Any) -> None:
    one = opened("files")
    one.page.set_viewport_size({"width": 390, "height": 800})
    width, inside = one.page.evaluate("() => [innerWidth, document.documentElement.scrollWidth]")
    assert inside <= width
