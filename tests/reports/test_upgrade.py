"""The plan of an upgrade in every format: whole, harmless, and the same in all of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import write
from tests.support.cluster_drawing import DRAWING
from tests.support.commands import run
from tests.support.hostile_text import HOSTILE
from tests.support.report_readers import READERS

BROKER = "broker.id=1\nzookeeper.connect=z1:2181\nmin.insync.replicas=2\n"
FORMATS = ("text", "markdown", "html")
TITLES = ("Must be done before", "Changes silently", "Cannot be undone", "Could not be judged")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("server.properties").write_text(BROKER)
    write("cluster.json", parse_cluster(DRAWING))


def shown(format: str, *arguments: str) -> str:
    ran = run("upgrade", *arguments, "--format", format)
    assert ran.code in (0, 1), ran.err
    return ran.out


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "arguments", [("server.properties", "--from", "3.6"), ("cluster.json",)], ids=["file", "cluster"]
)
def test_every_row_is_in_every_format(format: str, arguments: tuple[str, ...]) -> None:
    text = re.sub(r"<!-- -->|\\|&#\d+;|<[^>]+>|&\w+;|`", "", shown(format, *arguments))
    document = run("upgrade", *arguments, "--format", "json").json
    summary = document["summary"]
    assert f"{summary['must_before']} must be done before" in text
    assert f"could not be judged: {summary['unknown']}" in text
    for part in ("must_before", "should_before", "after", "changes_silently", "cannot_be_undone", "unknown"):
        for row in document[part]:
            assert first_words(row["message"]) in text, (part, row)
    for path in document["paths"]:
        assert all(first_words(stage["action"]) in text for stage in path["stages"])


def first_words(text: str) -> str:
    """The beginning of a sentence, as far as no format escapes anything in it."""
    return re.split(r"[^\w ,.;]", text)[0].strip()


def test_the_name_of_the_only_file_stands_above_the_rows() -> None:
    Path("other.properties").write_text(Path("server.properties").read_text())
    alone, *_ = shown("text", "server.properties", "--from", "3.6").partition("\n\nPath")[2:]
    rows = alone.partition("\n\n")[2]
    assert "\n  line " in rows and "server.properties" not in rows
    assert "\n  server.properties:" in shown("text", "server.properties", "other.properties", "--from", "3.6")


@pytest.mark.parametrize("format", FORMATS)
def test_titles_stand_above_the_parts(format: str) -> None:
    text = shown(format, "server.properties", "--from", "3.6")
    assert [title for title in TITLES if title not in text] == []


@pytest.mark.parametrize("format", FORMATS)
def test_hostile_names_and_values_steer_nothing(format: str) -> None:
    Path("evil.properties").write_text(f"{BROKER}broker.rack={HOSTILE}\nlog.cleaner.threads={HOSTILE}\n{HOSTILE}=1\n")
    text = shown(format, "evil.properties", "--kind", "broker", "--from", "3.6")
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", text)
    assert "<script>alert" not in text or format == "text"
    if format != "html":
        READERS[format](text)


def test_the_page_runs_no_script_and_loads_nothing() -> None:
    page = shown("html", "server.properties", "--from", "3.6")
    assert "<script" not in page and "default-src &#39;none&#39;" in page
    assert not re.search(r'(?:src|href)="(?!#)', page)


def test_a_comment_fits_and_says_what_it_leaves_out() -> None:
    topics = "".join(f"topic {'t' * 200}{n} segment.bytes={n}\n0: leader 1 replicas 1 isr 1\n" for n in range(1, 400))
    write("many.json", parse_cluster(f"kafka 3.9\nbrokers 1\n{topics}"))
    text = shown("text", "many.json", "--format", "markdown=many.md")
    assert "--format json has them all" in text
    comment = Path("many.md").read_text()
    assert len(comment) < 65_536 and "--format json" in comment
