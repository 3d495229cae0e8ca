"""The reader against `java.util.Properties` semantics, with javaproperties as the oracle."""

from __future__ import annotations

import re

import javaproperties
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from collectors.files.syntax.properties import BrokenEscape, Comment, Entry, decode, parse

PIECES = [*"ab=:#! \t\f\\\n\r.1éu0", "\\u0041", "\\\n", "# c\n", "k=v\n"]
TEXT = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def entries(text: str) -> list[tuple[str, str]]:
    return [(item.key, item.value) for item in parse(text) if isinstance(item, Entry)]


def is_lone_backslash_line(text: str) -> bool:
    """A line of blanks and one backslash that starts an entry: the JDK goes on as if nothing had been read."""
    return re.search(r"(^|[\r\n])[ \t\f]*\\([\r\n]|$)", text) is not None


@given(TEXT)
@example("a\\\n  b=c\\\r\n\td")
@example("a b c\n\n\\:=\\=\n")
@example("a\\\\\\\nb")
@example("key\\ with\\ blanks = value with trailing \n!comment\n#comment\n")
@example("a=\\u00e9\\t\\x")
def test_reads_what_java_reads(text: str) -> None:
    if is_lone_backslash_line(text):
        return
    try:
        wanted = [
            (pair.key, pair.value) for pair in javaproperties.parse(text) if isinstance(pair, javaproperties.KeyValue)
        ]
    except javaproperties.InvalidUEscapeError:
        with pytest.raises(BrokenEscape):
            entries(text)
        return
    assert entries(text) == wanted


@given(TEXT)
def test_places_are_where_the_key_stands(text: str) -> None:
    try:
        found = [item for item in parse(text) if isinstance(item, Entry)]
    except BrokenEscape:
        return
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for entry in found:
        line = lines[entry.line - 1]
        assert line[: entry.column - 1].strip(" \t\f") == ""
        if entry.key and "\\" not in line and entry.raw == line:
            assert line[entry.column - 1 :].startswith(entry.key)
            assert line[entry.value_column - 1 :] == entry.value


def test_columns_of_key_and_value() -> None:
    comment, entry = parse("# c\n  acks = all")
    assert isinstance(comment, Comment)
    assert isinstance(entry, Entry)
    assert (comment.line, entry.line) == (1, 2)
    assert (entry.column, entry.value_line, entry.value_column) == (3, 2, 10)


def test_value_on_a_continued_line_has_that_lines_place() -> None:
    (entry,) = parse("sasl.jaas.config=\\\n    org.example")
    assert isinstance(entry, Entry)
    assert (entry.value, entry.line, entry.value_line, entry.value_column) == ("org.example", 1, 2, 5)


@pytest.mark.parametrize(
    ("text", "place"),
    [("a=\\u12", (1, 3)), ("ok=1\n b=x\\uzzzz", (2, 5)), ("a=\\\n  \\u1", (2, 3)), ("\\u00=1", (1, 1))],
)
def test_a_broken_escape_says_where(text: str, place: tuple[int, int]) -> None:
    with pytest.raises(BrokenEscape) as caught:
        entries(text)
    assert (caught.value.line, caught.value.column) == place


def test_surrogate_pairs_become_one_character() -> None:
    assert entries("a=\\ud83d\\ude00") == [("a", "😀")]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfa=1", "a=1"),
        ("é=1".encode(), "é=1"),
        ("é=1".encode("latin-1"), "é=1"),
        ("# 配置\na=1".encode("gbk"), "# ÅäÖÃ\na=1"),
    ],
)
def test_decodes_what_people_have(data: bytes, text: str) -> None:
    assert decode(data) == text
