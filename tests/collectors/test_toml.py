"""TOML: the same values as tomllib reads, each key in its line, bounded, with one line for what is wrong."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from advisor.errors import UnreadableInput
from collectors.files.syntax.toml_positions import Positions
from collectors.files.syntax.toml_tree import document
from collectors.files.syntax.tree import MAPPING, SEQUENCE, TreeNode
from tests.support.commands import ROOT, run

DATA = ROOT / "examples" / "inputs"
TRICKY = '''# kafka = "[a]"
title = "a # b [c] = \\" d" # e
"bootstrap.servers" = 'C:\\x'
a.b."c.d" = 1
a . e=2
hex = 0xFF
half = 5e-1
day = 1979-05-27 07:32:00Z
text = """
x = 1
[y] "quoted" \\"""
z = 2"""
raw = \'\'\'it''s\'\'\'
list = [ "a", # ]
  { n = 1, m.o = [2, 3] }, [[4], []],
]
[[items]]
name = "one"
[items.inner]
x = true
[[items.parts]]
y = 1
[[items.parts]]
y = 2
[[items]]
name = "two"
[items.inner]
x = false
[ last . "table" ]
empty = ""
'''


def plain(node: TreeNode) -> Any:
    """A tree as texts, mappings and lists."""
    if node.kind == MAPPING:
        return {name: plain(value) for name, (_, value) in node.pairs().items()}
    return [plain(child) for child in node.children] if node.kind == SEQUENCE else node.text


def as_texts(value: object) -> Any:
    if isinstance(value, dict):
        return {name: as_texts(child) for name, child in value.items()}
    if isinstance(value, list):
        return [as_texts(child) for child in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def paths(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of all keys and items."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [each for name, child in children for each in ((*path, name), *paths(child, (*path, name)))]


def check_places(text: str) -> None:
    """Every key is found, and stands where it is found."""
    keys, lines = Positions(text).keys, text.split("\n")
    for path in paths(tomllib.loads(text)):
        assert path in keys, path
        if isinstance(path[-1], str):
            row, column = keys[path].start_point
            there = lines[row][column:]
            assert there.lstrip("\"'").startswith(path[-1]) or "\\" in there, (path, there)


def test_every_key_stands_where_it_is_found() -> None:
    check_places(TRICKY)
    keys = Positions(TRICKY).keys
    assert keys["items", 1, "inner", "x"].start_point.row + 1 == 28
    assert keys["items", 0, "parts", 1, "y"].start_point.row + 1 == 24
    assert keys["list", 1, "m", "o"].start_point.row + 1 == 15
    assert keys["last", "table", "empty"].start_point.row + 1 == 30


def test_values_are_those_of_tomllib() -> None:
    root = document(TRICKY, "a.toml")
    assert root is not None
    expected = as_texts(tomllib.loads(TRICKY, parse_float=str))
    assert plain(root) | {"day": ""} == expected | {"day": ""}
    assert plain(root)["day"] == "1979-05-27T07:32:00+00:00"


KEYS = some.sampled_from(["a", "b-1", '"c.d"', "'e f'", "a.b", 'g . "h"', '"\\u0041"'])
SCALARS = some.sampled_from(
    ["1", "true", '"x"', "'y'", '"]"', '"""a\nb = 1"""', "'''[c]'''", "1.5", "2001-01-01", '"\\""']
)
VALUES = some.recursive(
    SCALARS,
    lambda inner: some.one_of(
        some.lists(inner, max_size=3).map(lambda items: "[ " + " , # [\n".join(items) + " ]"),
        some.dictionaries(KEYS, inner, max_size=2).map(
            lambda pairs: "{" + ", ".join(f"{key}={value}" for key, value in pairs.items()) + "}"
        ),
    ),
    max_leaves=6,
)
LINES = some.one_of(
    some.tuples(KEYS, VALUES).map(lambda pair: f"{pair[0]} = {pair[1]}"),
    KEYS.map(lambda key: f"[{key}]"),
    KEYS.map(lambda key: f"[[{key}]] # x"),
)


@given(some.lists(LINES, max_size=8).map("\n".join))
def test_whatever_tomllib_reads_has_places(text: str) -> None:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    check_places(text)


@pytest.mark.parametrize(
    ("rule", "key", "line", "severity"),
    [
        ("acks-not-all", "sinks.orders.librdkafka_options.request.required.acks", 10, "high"),
        ("secret-in-config", "sinks.orders.librdkafka_options.sasl.password", 12, "medium"),
        ("session-timeout-high", "clients.payments.properties.session.timeout.ms", 18, "medium"),
    ],
)
def test_what_is_found(rule: str, key: str, line: int, severity: str) -> None:
    rows = run("lint", DATA / "vector.toml", "--no-config", "--format", "json").json["findings"]
    assert (rule, key, line, severity) in {(row["name"], row["key"], row["line"], row["severity"]) for row in rows}


def test_a_table_is_one_client(tmp_path: Path) -> None:
    text = '[kafka.producer]\n"bootstrap.servers" = "a:9092"\nacks = 1\nretries = 0\n"enable.idempotence" = true\n'
    (tmp_path / "a.toml").write_text(text)
    rows = run("lint", tmp_path / "a.toml", "--no-config", "--format", "json").json["findings"]
    assert len({row["entity"]["name"] for row in rows}) == 1
    assert {row["key"] for row in rows if row["line"] == 4} == {"kafka.producer.retries"}


@pytest.mark.parametrize(
    "text",
    [
        '[kafka]\nbrokers = ["b:1"]\ntopic = "t"\n',
        '[project]\ndependencies = ["kafka-python"]\n[tool.ruff]\nline-length = 1\n',
        '[client]\n"bootstrap.servers" = "b:1,c:1"\n"security.protocol" = "ssl"\n"group.id" = "g"\n'
        '"auto.offset.reset" = "earliest"\n"enable.auto.commit" = false\n',
    ],
)
def test_what_is_good_or_nobodys_stays_silent(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.toml").write_text(text)
    ran = run("lint", tmp_path / "a.toml", "--no-config", "--format", "json")
    assert ran.code in (0, 3)
    assert not ran.json["findings"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("kafka = 1\nb =\n", "a.toml:2:4: not TOML"),
        ("kafka = 1\nkafka = 2\n", "a.toml:2:10: not TOML"),
        ("kafka = 2001-99-99\n", "not TOML"),
        (f"kafka = {'9' * 5000}\n", "not TOML"),
        ('kafka = "\n', "a.toml:1:10: not TOML"),
        ("kafka = " + "[" * 100_000, "nested deeper than 100 levels"),
        ("kafka = " + "{a=" * 100_000, "nested deeper than 100 levels"),
        ("kafka" + ".a" * 100_000 + " = 1", "nested deeper than 100 levels"),
        ("[kafka" + ".a" * 100_000 + "]", "nested deeper than 100 levels"),
        ("kafka = [" + "1," * 60_000 + "]", "over 50,000 values in one document"),
        ("kafka = 1\n" + "\n".join(f"k{n} = 1" for n in range(60_000)), "over 50,000 values in one document"),
        ("# kafka" + "x" * 5 * 1024 * 1024, "over 4 MB"),
    ],
    ids=range(12),
)
def test_bad_toml_is_one_line(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "a.toml").write_text(text)
    ran = run("lint", tmp_path / "a.toml", "--no-config")
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert says in ran.err


def test_a_key_that_the_walk_does_not_find_has_no_line() -> None:
    root = document("# kafka\r\na = 1\r\n", "a.toml")
    assert root is not None
    assert root.pairs()["a"][0].line == 2
    with pytest.raises(UnreadableInput):
        document("kafka = \r1", "a.toml")
