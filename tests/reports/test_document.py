"""One document in three renderers: what each shows, cuts off and escapes."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.reports.document import html, markdown, text
from advisor.reports.document.blocks import (
    Bar,
    Block,
    Document,
    Field,
    Item,
    Items,
    Legend,
    Racks,
    Section,
    Sentence,
    Step,
    Steps,
    Table,
    Tile,
)

MANY = [f"row {number}" for number in range(2000)]
STEP = Step(
    "Restart", (Field("why", "it waits"), Field("run", "kafka-topics.sh ```", True)), remark="[KA101]", state="safe"
)
BLOCKS: dict[str, tuple[Block, list[str], list[str]]] = {
    "sentence": (Sentence("no leader", "unknown"), ["unknown: no leader"], ["unknown: no leader"]),
    "list": (Items(["a", Item("b", ("c",))], mark="+ "), ["  + a", "  + b", "    c"], ["* a", "* b", "  * c"]),
    "cut off": (Items(["a", "b"], "topics", shown=1), ["  a", "  … and 1 more topic (--format json has them all)"], ["* a", "* b"]),
    "table": (
        Table(("name", "n"), [("a", "10"), ("bb", "9")], numbers=frozenset({1})),
        ["name   n", "  a   10", "  bb   9"],
        ["| name | n |", "|---|---:|", "| a | 10 |", "| bb | 9 |"],
    ),
    "table without its head": (
        Table(("release", "what"), [("3.9", ("refused", "twice"))], has_head=False, widths=(5,)),
        ["  3.9    refused", "         twice"],
        ["| release | what |", "|---|---|", "| 3.9 | refused<br>twice |"],
    ),
    "an empty column": (
        Table(("a", "b", "c"), [("1", "", "3")], has_head=False),
        ["  1  3"],
        ["| a | b | c |", "|---|---|---|", "| 1 |  | 3 |"],
    ),
    "table by its lines": (Table(("a",), [("1",)], lines=[("  one", "  more")]), ["  one", "  more"], ["| a |", "|---|", "| 1 |"]),
    "bars": (
        Table(("topic", "now", "text"), [("t", Bar({"stops": 1}, "now"), "x")], has_head=False),
        ["  t  x"],
        ["| topic | text |", "|---|---|", "| t | x |"],
    ),
    "steps to do": (
        Steps([STEP]),
        ["1. Restart", "   why:    it waits [KA101]", "   run:    kafka-topics.sh ```"],
        ["- [ ] **1. Restart** \\[KA101\\]", "  Why: it waits  ", "  ````", "  kafka-topics.sh '''", "  ````"],
    ),
    "a story": (
        Steps([Step("killed", below=Items(["replica 0 DOWN"]))], to_do=False),
        ["  1. killed", "       replica 0 DOWN"],
        ["1. killed", "   * replica 0 DOWN"],
    ),
    "pictures": (Racks({"Before": [("rack a", [Tile("broker 1", False, "down", Bar({}, "b"))])]}), [], []),
    "a legend": (Legend(["stops"]), [], []),
}  # fmt: skip


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_as_text_and_as_markdown(name: str) -> None:
    block, as_text, as_markdown = BLOCKS[name]
    document = Document("T", sections=[Section("", [block], apart=False)])
    assert list(text.lines([document])) == ["T", *as_text]
    assert [line for line in markdown.lines([document]) if line][1:] == as_markdown


@pytest.mark.parametrize(
    ("document", "lines"),
    [
        (Document("T", about="A"), ["A", "T:"]),
        (Document("T.", about="A", summary="S"), ["A", "T.", "", "S"]),
        (Document(sections=[Section("S", [Sentence("x")])], summary="n"), ["", "S:", "x", "", "n"]),
        (Document("T", sections=[Section("S", [Sentence("x")], titled=False)]), ["T", "", "x"]),
    ],
)
def test_what_stands_around_the_blocks(document: Document, lines: list[str]) -> None:
    assert list(text.lines([document])) == lines


def test_a_label_is_not_said_twice() -> None:
    document = Document("T", sections=[Section("Assumed", [Sentence("all fail", "assumed")])])
    assert "assumed: all fail" in text.lines([document])
    assert "all fail" in markdown.lines([document])
    assert "<p>all fail</p>" in page(document)


def test_each_renderer_cuts_off_and_says_so() -> None:
    document = Document("T", blocks=[Table(("a",), [(row,) for row in MANY], what="rows"), Items(MANY)])
    assert text_of(document).count("… and 1,950 more") == 2
    assert "\n".join(markdown.lines([document])).count("… and 1,950 more") == 2
    assert page(document).count("… and 1,000 more") == 2


def test_a_table_whose_rows_were_not_all_made_counts_all() -> None:
    table = Table(("a",), [(row,) for row in MANY[:5]], shown=2, row_count=9000, more=lambda shown: f"from {shown} on")
    assert list(text.lines([Document("T", blocks=[table])]))[-1] == "  from 2 on (--format json has them all)"
    assert "… and 8,995 more" in page(Document("T", blocks=[table]))


def test_markdown_ends_where_a_comment_of_github_does() -> None:
    document = Document("T", sections=[Section(f"S{number}", [Items(MANY[:50])]) for number in range(500)])
    lines = list(markdown.lines([document]))
    assert len("\n".join(lines)) < 65_000 and lines[-1] == "… and more (`--format json` has it all)"


def test_a_terminal_wraps_sentences_and_the_last_column_but_no_code() -> None:
    words = "word " * 40
    table = Table(("release", "what"), [("3.9", words.strip())], has_head=False)
    command = "kafka-topics.sh " + "--option " * 40
    steps = Steps([Step("Run", (Field("run", command, True),))])
    lines = list(text.lines([Document("T", blocks=[Sentence(words), table, steps])], 60))
    assert [line for line in lines if len(line) > 60] == [f"   run:    {command}"]
    assert "       word word" in "\n".join(lines)


@settings(deadline=None, max_examples=50)
@given(st.text(min_size=1, max_size=60))
def test_nothing_that_a_document_quotes_steers_its_reader(words: str) -> None:
    blocks: list[Block] = [
        Sentence(words),
        Items([words, Item(words, (words,))]),
        Table((words, "b"), [(words, (words, words))]),
        Steps([Step(words, (Field("run", words, True), Field("why", words)), remark=words)]),
    ]
    document = Document(words, about=words, sections=[Section(words, blocks)], summary=words)
    for lines in (text.lines([document]), markdown.lines([document])):
        assert all(line.isprintable() for line in lines)
    body = re.sub(r"<style>.*?</style>", "", page(document), flags=re.S)
    assert re.sub(r"[\n]", "", unescape(body)).isprintable()
    assert set(re.findall(r"<(\w+)", body)) <= {
        "html", "head", "meta", "title", "body", "header", "h1", "p", "main", "section", "h2", "ul", "li", "br", "span",
        "div", "table", "thead", "tbody", "tr", "th", "td", "ol", "pre", "code", "footer",
    }  # fmt: skip


def text_of(document: Document) -> str:
    """The document as text."""
    return "\n".join(text.lines([document]))


def page(document: Document) -> str:
    """The document as a page."""
    return "\n".join(html.lines([document]))
