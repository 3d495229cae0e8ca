"""The fleet's page: what it tells and what it leaves to the tables, in a real browser, too."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import yaml

from advisor.model.finding import WORST_FIRST
from spark_audit.html import cluster_pages
from spark_audit.html import page as fleet_page
from spark_audit.storage.runs import MARKER
from tests.support.browser import page_opener
from tests.support.commands import ROOT, Ran, run
from tests.support.drift_examples import FEW, rewritten
from tests.support.fleets import GOOD, ILL, audit, collected, files_of, folder_of, table
from tests.support.hostile_text import HOSTILE

AXE = (ROOT / "tests/data/axe.min.js").read_text()
LABELS = {"ill": {"team": "payments", "environment": "dev"}, "good": {"team": "search"}, "away": {"team": "search"}}
PARTLY = FEW + "\nunread acls: denied"
WAIVERS = """\
- {rule: KA151, cluster: "i*", reason: rebuilt every night, label: {team: payments}}
- {rule: KA220, reason: <b>it was said</b>, until: 2001-01-01}
"""
NASTY = "".join(HOSTILE[name] for name in ("markup", "escapes", "newlines", "cdata", "direction")) + "größe-😀"


def report(folder: Path, html: Path, *more: object) -> Ran:
    return run("audit-report", folder, "--html", html, "--engine", "local", *more)


@pytest.fixture(scope="module")
def audits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three audits of a small fleet, one after the other, one of hostile names, and one that found nothing."""
    folder = tmp_path_factory.mktemp("audits")
    (folder / "waivers.yaml").write_text(WAIVERS)
    fleets: dict[str, dict[str, str | None]] = {
        "2026-11-06": {"ill": FEW, "good": GOOD, "part": PARTLY, "away": GOOD, "old": GOOD},
        "2026-11-08": {"ill": ILL, "good": FEW, "part": PARTLY, "away": GOOD, "old": GOOD},
        "2026-11-20": {"ill": ILL, "good": GOOD, "part": PARTLY, "away": None, "born": GOOD},
    }
    for name, clusters in fleets.items():
        fleet = collected(folder / "fleets" / name, clusters, LABELS)
        audit(fleet, folder / "audits" / name, "--max-unreachable", "9", "--waivers", folder / "waivers.yaml")
        rewritten(started=f"{name}T04:00:00+00:00")(folder / "audits" / name)
    nasty = collected(folder / "fleets" / "nasty", {NASTY: ILL, "away": None}, {NASTY: {NASTY: NASTY}})
    (folder / "nasty.yaml").write_text(
        yaml.safe_dump([{"rule": "KA151", "cluster": "*", "subject": NASTY, "reason": NASTY}])
    )
    for name in ("nasty-1", "nasty-2"):
        audit(
            nasty,
            folder / "nasty" / name,
            "--max-unreachable",
            "9",
            "--waivers",
            folder / "nasty.yaml",
            "--name",
            NASTY,
        )
        rewritten(started=f"2026-11-0{name[-1]}T00:00:00+00:00", source=NASTY, version=NASTY)(folder / "nasty" / name)
    audit(collected(folder / "fleets" / "none", {}), folder / "none" / "none")
    return folder


@pytest.fixture(scope="module")
def pages(audits: Path) -> dict[str, Path]:
    found = {name: audits / f"{name}.html" for name in ("whole", "nasty", "none")}
    for name, folder in (("whole", "audits/2026-11-20"), ("nasty", "nasty/nasty-2"), ("none", "none/none")):
        ran = report(audits / folder, found[name])
        assert (ran.code, ran.err) == (0, "")
    return found


def text_of(page: str, heading: str) -> str:
    """A section's words."""
    section = page.partition(f'<h2 id="{heading}"')[2].partition("<h2")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", section).split())


@pytest.mark.parametrize(
    ("heading", "says"),
    [
        ("first", "Fix first"),
        ("heat", "ill team=payments environment=dev F"),
        ("common", "KA221 under-min-isr"),
        ("common", "kafka-advisor explain RULE"),
        ("gaps", "away team=search unreachable b1:9092: no answer within 30 s"),
        ("gaps", "part partial acls: denied"),
        ("waivers", "KA151 cluster i* team=payments rebuilt every night further notice 1"),
        ("waivers", "Expired: 1."),
        ("waivers", "&lt;b&gt;it was said&lt;/b&gt; 2001-01-01 expired 0"),
        ("drift", "Clusters that were not there before (1): born"),
        ("drift", "Clusters that are not there any more (1): old"),
        ("drift", "Clusters that could not be reached this time (1): away"),
        ("drift", "Counts of 3 clusters that both audits read"),
        ("drift", "KA221 under-min-isr critical 3 2 1 fewer"),
        ("trend", "2026-11-06 2026-11-20"),
    ],
)
def test_the_page_tells(pages: dict[str, Path], heading: str, says: str) -> None:
    told = text_of(pages["whole"].read_text(), heading)
    assert says in told


def test_the_page_needs_no_finding(audits: Path, tmp_path: Path, pages: dict[str, Path]) -> None:
    shutil.copytree(audits / "audits", tmp_path / "audits")
    for name in ("findings", "unknowns"):
        for folder in (tmp_path / "audits").iterdir():
            shutil.rmtree(folder_of(folder, name))
    ran = report(tmp_path / "audits/2026-11-20", tmp_path / "whole.html")
    assert (ran.code, (tmp_path / "whole.html").read_text()) == (0, pages["whole"].read_text())
    for line, name in zip(ran.err.splitlines(), ("2026-11-20", "2026-11-08"), strict=True):
        assert line.startswith(f"kafka-advisor: {tmp_path}/audits/{name}: is damaged: it counted ")
        assert line.endswith(" findings, and has 0; the page has what was counted")


def test_since_another_audit(audits: Path, tmp_path: Path) -> None:
    ran = report(audits / "audits/2026-11-20", tmp_path / "x.html", "--since", audits / "audits/2026-11-06")
    assert ran.out == f"2026-11-20, compared with 2026-11-06, 3 in its history: {tmp_path}/x.html\n"
    assert "Since 2026-11-06" in (tmp_path / "x.html").read_text()
    first = report(audits / "audits/2026-11-06", tmp_path / "y.html")
    assert "compared with none: there is no audit before it, 1 in its history" in first.out
    page = (tmp_path / "y.html").read_text()
    assert ('id="drift"' in page, 'id="trend"' in page) == (False, False)


def test_standard_output(audits: Path, pages: dict[str, Path]) -> None:
    without_links = re.sub(r'<a href="whole_clusters/[^"]*">([^<]*)</a>', r"\1", pages["whole"].read_text())
    assert report(audits / "audits/2026-11-20", Path("-")).out == without_links


def test_long_tables_are_cut_with_a_line(audits: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, most in (("HEAT", 2), ("COMMON", 3), ("GAPS", 1), ("WAIVERS", 1)):
        monkeypatch.setattr(fleet_page, name, most)
    assert report(audits / "audits/2026-11-20", tmp_path / "x.html").code == 0
    page = (tmp_path / "x.html").read_text()
    assert "The worst 2 of 4 clusters are shown." in text_of(page, "heat")
    for heading in ("common", "gaps", "waivers"):
        assert re.search(r"\d+ more\.", text_of(page, heading)), heading
    assert len(list((tmp_path / "x_clusters").iterdir())) == 2


def wide_page(audits: Path, folder: Path, times: int) -> Path:
    """The page of a fleet that has each cluster many times."""
    shutil.copytree(audits / "audits/2026-11-20", folder / "wide")
    for name in ("clusters", "counts"):
        (file,) = files_of(folder / "wide", name)
        rows = pq.read_table(file)
        place = rows.schema.get_field_index("cluster")
        copies = [rows.set_column(place, rows.schema.field(place), pc.binary_join_element_wise(rows["cluster"], str(number), "-")) for number in range(times)]  # fmt: skip
        pq.write_table(pa.concat_tables(copies), file)
    assert report(folder / "wide", folder / "x.html").code == 0
    return folder / "x.html"


def test_ten_thousand_clusters_are_a_small_page(audits: Path, tmp_path: Path) -> None:
    page = wide_page(audits, tmp_path, 2000).read_text()
    assert len(page) < 1_000_000
    assert "The worst 200 of 8,000 clusters are shown." in page


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("nowhere", "no such folder"),
        ("not whole", "is no whole audit"),
        ("no folder", "no such file or directory"),
        ("parent", "none itself; did you mean "),
    ],
)
def test_mistakes_are_one_line_and_leave_the_page_as_it_was(audits: Path, tmp_path: Path, what: str, says: str) -> None:
    shutil.copytree(audits / "audits/2026-11-20", tmp_path / "audit")
    if what == "not whole":
        (tmp_path / "audit" / MARKER).unlink()
    (tmp_path / "x.html").write_text("before")
    html = tmp_path / ("no/x.html" if what == "no folder" else "x.html")
    named = {"nowhere": tmp_path / "none", "parent": audits / "audits"}
    ran = report(named.get(what, tmp_path / "audit"), html)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert says in ran.err
    assert (tmp_path / "x.html").read_text() == "before"


# ---------------------------------------------------------------------- in a browser


@pytest.fixture
def opened(browser: Any, pages: dict[str, Path]) -> Iterator[Any]:
    with page_opener(browser, pages) as open_page:
        yield open_page


@pytest.mark.parametrize("name", ["whole", "nasty", "none"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_error_no_request_no_barrier(opened: Any, name: str, scheme: str) -> None:
    one = opened(name, color_scheme=scheme)
    one.page.locator("input[name=search]").fill("i")
    one.page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true })")
    found = one.page.evaluate(f"() => {{ {AXE}; return axe.run(document) }}")
    assert one.messages == []
    assert len(one.requests) == 1, "the page alone"
    assert [(row["id"], row["nodes"][0]["html"][:200]) for row in found["violations"]] == []
    assert len(found["passes"]) > 15, "axe looked at the page"


def test_hostile_names_are_text(opened: Any) -> None:
    one = opened("nasty")
    assert [one.page.locator(each).count() for each in ("script", "img", "b:has-text('it was said')")] == [1, 0, 0]
    text = one.page.locator("main").inner_text()
    assert text.count("<script>alert(1)</script>") > 4
    assert not set("\x1b\u202e\u2066\u2028") & set(text)


@pytest.mark.parametrize(
    ("words", "clusters"),
    [
        ("", {"ill", "good", "part", "born", "away"}),
        ("TEAM=search", {"good", "away"}),
        ("payments dev", {"ill"}),
        ("no such", set()),
    ],
)
def test_clusters_are_filtered_by_name_and_label(opened: Any, words: str, clusters: set[str]) -> None:
    one = opened("whole")
    one.page.locator("input[name=search]").fill(words)
    every = one.page.locator("table[data-clusters] tbody tr").count()
    rows = one.page.locator("table[data-clusters] tbody tr:visible th").all_inner_texts()
    assert {text.split()[0] for text in rows} == clusters
    assert one.page.locator("#shown").inner_text() == f"{len(rows)} of {every} lines shown"
    one.page.locator("button[type=reset]").click()
    one.page.wait_for_function("n => document.getElementById('shown').textContent.startsWith(n + ' of')", arg=every)


def test_a_cell_says_without_its_colour_what_it_means(opened: Any) -> None:
    one = opened("whole")
    row = one.page.locator(".heatmap tbody tr", has_text="ill")
    cells = row.locator("td").all_text_contents()[2:]
    assert all(re.fullmatch(r"\d+ [CHMLI], worst (critical|high|medium|low|info)|· none", cell) for cell in cells)
    heads = one.page.locator(".heatmap thead th").all_text_contents()
    assert (heads[:3], "availability" in heads) == (["cluster", "grade", "score"], True)
    assert len(heads) == len(cells) + 3


def test_cells_are_the_counts_of_what_nobody_answers_for(audits: Path, opened: Any) -> None:
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for count in table(audits / "audits/2026-11-20", "counts"):
        if not count["waived"]:
            found.setdefault((count["cluster"], count["family"]), []).append(count)
    one = opened("whole")
    families = one.page.locator(".heatmap thead th").all_text_contents()[3:]
    shown: dict[tuple[str, str], str] = {}
    for row in one.page.locator(".heatmap tbody tr").all():
        cluster = row.locator("th").inner_text().split()[0]
        cells = row.locator("td").all_text_contents()[2:]
        shown |= {(cluster, family): cell for family, cell in zip(families, cells, strict=True) if "none" not in cell}
    worst = {key: min((row["severity"] for row in rows), key=WORST_FIRST.index) for key, rows in found.items()}
    assert shown == {
        key: f"{sum(row['findings'] for row in rows)} {worst[key][0].upper()}, worst {worst[key]}"
        for key, rows in found.items()
    }
    assert any(len({row["severity"] for row in rows}) > 1 for rows in found.values())
    assert "KA151" not in one.page.locator("#common + div").inner_text(), "it is waived"


def test_the_trend_is_drawn_and_told(opened: Any) -> None:
    one = opened("whole")
    picture = one.page.locator("#trend + div svg")
    assert "Critical and high findings from 2026-11-06" in picture.locator("title").text_content()
    assert picture.locator("circle").count() == 6
    xs = [float(dot.get_attribute("cx")) for dot in picture.locator("circle").all()[:3]]
    assert (xs[1] - xs[0]) / (xs[2] - xs[0]) == pytest.approx(2 / 14, abs=0.001), "by time"
    overflow = "svg => [...svg.querySelectorAll('text')].filter(t => t.getBBox().x + t.getBBox().width > svg.viewBox.baseVal.width).length"
    assert picture.evaluate(overflow) == 0
    one.page.locator("#trend + div summary").click()
    rows = one.page.locator("#trend + div tbody tr").all_inner_texts()
    assert [row.split()[0] for row in rows] == ["2026-11-20", "2026-11-08", "2026-11-06"]


def test_it_can_be_read_without_its_script_and_printed(opened: Any) -> None:
    one = opened("whole", java_script_enabled=False)
    assert one.page.locator(".heatmap").is_visible()
    assert not one.page.locator("#filters").is_visible()
    two = opened("whole", color_scheme="dark")
    two.page.emulate_media(media="print", color_scheme="dark")
    two.page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    assert two.page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert two.page.locator("details:not([open])").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["whole", "nasty", "none"])
def test_it_fits_a_phone_and_a_desk(opened: Any, name: str, scheme: str) -> None:
    one = opened(name, color_scheme=scheme)
    assert {width: one.layout_faults(width) for width in (390, 1440)} == {390: [], 1440: []}


def test_rows_are_18_px_under_a_head_that_stays(opened: Any) -> None:
    one = opened("whole")
    rows = one.page.locator(".heatmap tbody tr")
    assert {box["height"] for box in (row.bounding_box() for row in rows.all())} == {18}
    sticky = "each => getComputedStyle(each).position"
    assert one.page.locator(".heatmap thead th").first.evaluate(sticky) == "sticky"
    assert one.page.locator(".heatmap tbody th").first.evaluate(sticky) == "sticky"


def test_clusters_are_sorted_by_a_click_on_the_head(opened: Any) -> None:
    one = opened("whole")

    def order() -> list[str]:
        return [text.split()[0] for text in one.page.locator(".heatmap tbody th").all_inner_texts()]

    head = one.page.locator(".heatmap thead th", has_text="cluster")
    head.locator("button").click()
    assert (order(), head.get_attribute("aria-sort")) == (sorted(order()), "ascending")
    head.locator("button").click()
    assert (order(), head.get_attribute("aria-sort")) == (sorted(order(), reverse=True), "descending")
    one.page.locator(".heatmap thead th", has_text="availability").locator("button").click()
    assert order()[0] == "ill", "critical before more that are high"


def test_a_cluster_leads_to_its_rules_and_their_topics(opened: Any) -> None:
    one = opened("whole")
    one.page.locator(".heatmap tbody a", has_text="ill").click()
    assert one.page.locator("h1").inner_text() == "ill"
    assert one.page.locator("article").count() > 5
    assert "topic" in one.page.locator("#KA221 .subjects").inner_text()
    found = one.page.evaluate(f"() => {{ {AXE}; return axe.run(document) }}")
    assert [row["id"] for row in found["violations"]] == []
    assert one.messages == []
    one.page.locator("header a", has_text="Fleet").click()
    assert one.page.locator(".heatmap").is_visible()


def test_of_many_topics_the_first_are_named(audits: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_pages, "SUBJECTS", 1)
    assert report(audits / "audits/2026-11-20", tmp_path / "x.html").code == 0
    assert re.search(r"and \d+ more: the table", (tmp_path / "x_clusters/ill.html").read_text())


def test_pages_of_clusters_have_names_that_every_file_system_takes(pages: dict[str, Path]) -> None:
    names = [path.name for path in pages["nasty"].with_name("nasty_clusters").iterdir()]
    assert len(names) == 1
    assert re.fullmatch(r"[a-z0-9-]+\.html", names[0])


def test_ids_are_unique_and_links_of_the_page_lead_somewhere(opened: Any) -> None:
    one = opened("whole")
    ids = one.page.locator("[id]").evaluate_all("all => all.map(each => each.id)")
    assert len(ids) == len(set(ids))
    targets = one.page.locator("a[href^='#']").evaluate_all("all => all.map(each => each.getAttribute('href'))")
    assert {target.removeprefix("#") for target in targets} <= set(ids)


def test_two_hundred_clusters_are_interactive_within_a_second(browser: Any, audits: Path, tmp_path: Path) -> None:
    html = wide_page(audits, tmp_path, 50)
    timing = "() => performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
    with page_opener(browser, {"wide": html}) as open_page:
        pages = [open_page("wide").page for _ in range(3)]
        assert pages[0].locator(".heatmap tbody tr").count() == 200
        assert min(page.evaluate(timing) for page in pages) < 1000
