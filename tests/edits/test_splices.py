"""Edits of every syntax: what is written, and that everything else stays byte for byte."""

from __future__ import annotations

import pytest

from advisor.edits.change import FileChange, NotEdited, Sibling
from advisor.edits.editor import splices_of
from advisor.edits.text import FileText

COMPOSE = "services:\n  k:\n    environment:\n      A: 1\n      KAFKA_ACKS: {value}\n"
VARIABLES = "env:\n  - name: A\n    value: b\n  - name: KAFKA_ACKS\n    value: {value}\n  - name: C\n    value: d\n"

SET = [
    ("a.properties", "b=2\nacks = 1\nc=3", 2, "acks", "1", "all", "b=2\nacks = all\nc=3"),
    ("a.properties", "acks:1\r\nc=3\r\n", 1, "acks", "1", "all", "acks:all\r\nc=3\r\n"),
    ("a.properties", "acks=\\\n  1\nc=3\n", 1, "acks", "1", "all", "acks=\\\n  all\nc=3\n"),
    ("a.properties", "acks 1", 1, "acks", "1", "a\\b", "acks a\\\\b"),
    ("a.properties", "ü=ß\nacks=1\n", 2, "acks", "1", "all", "ü=ß\nacks=all\n"),
    ("a.properties", "acks=\n", 1, "acks", "", "all", "acks=all\n"),
    ("a.properties", "acks=1\n", 1, "acks", "1", " x", "acks=\\ x\n"),
    ("a.yml", "a:\n  acks: 1 # why\n", 2, "a.acks", "1", "all", "a:\n  acks: all # why\n"),
    ("a.yml", "a:\n  acks:\n    1\n", 2, "a.acks", "1", "all", "a:\n  acks:\n    all\n"),
    ("a.yml", "a: {acks: 1, retries: 2}\n", 1, "a.acks", "1", "all", "a: {acks: all, retries: 2}\n"),
    ("a.yml", "a: {acks: 1}\n", 1, "a.acks", "1", "b,c", 'a: {acks: "b,c"}\n'),
    ("a.yml", "a:\n  acks: 'it''s'\n", 2, "a.acks", "it's", "o'k", "a:\n  acks: 'o''k'\n"),
    ("a.yml", 'a:\r\n  acks: "1"\r\n', 2, "a.acks", "1", 'a"\\', 'a:\r\n  acks: "a\\"\\\\"\r\n'),
    ("a.yml", "a:\n  acks: x\n", 2, "a.acks", "x", "yes", 'a:\n  acks: "yes"\n'),
    ("a.yml", "a:\n  acks: x\n", 2, "a.acks", "x", "1e3", 'a:\n  acks: "1e3"\n'),
    ("a.yml", "a:\n  acks: x\n", 2, "a.acks", "x", "a: b", 'a:\n  acks: "a: b"\n'),
    ("a.yml", "a:\n  acks: x\n", 2, "a.acks", "x", "a #b", 'a:\n  acks: "a #b"\n'),
    ("a.yml", "a:\n  acks: x\n", 2, "a.acks", "x", "010", 'a:\n  acks: "010"\n'),
    ("a.yml", "a:\n  acks: false\n", 2, "a.acks", "false", "true", "a:\n  acks: true\n"),
    ("a.yml", COMPOSE.format(value=1), 5, "KAFKA_ACKS", "1", "2", COMPOSE.format(value=2)),
    ("a.yml", "e:\n  - A=b\n  - KAFKA_ACKS=1 # x\n", 3, "KAFKA_ACKS", "1", "all", "e:\n  - A=b\n  - KAFKA_ACKS=all # x\n"),
    ("a.yml", 'e:\n  - "KAFKA_ACKS=1"\n', 2, "KAFKA_ACKS", "1", "a b", 'e:\n  - "KAFKA_ACKS=a b"\n'),
    ("a.yml", "e:\n  - KAFKA_ACKS=1\n", 2, "KAFKA_ACKS", "1", "a: b", 'e:\n  - "KAFKA_ACKS=a: b"\n'),
    ("a.yml", VARIABLES.format(value='"1"'), 4, "KAFKA_ACKS", "1", "2", VARIABLES.format(value='"2"')),
    ("a.yml", VARIABLES.format(value="x"), 4, "KAFKA_ACKS", "x", "2", VARIABLES.format(value='"2"')),
    ("a.yml", "d:\n  p: |\n    # c\n    acks = 1\n    b=2\n", 4, "acks", "1", "all", "d:\n  p: |\n    # c\n    acks = all\n    b=2\n"),
    ("a.json", '{"a": {"acks": "1", "b": 2}}', 1, "a.acks", "1", "all", '{"a": {"acks": "all", "b": 2}}'),
    ("a.json", '{"a": {"b": 2}}', 1, "a.b", "2", "5", '{"a": {"b": 5}}'),
    ("a.json", '{"b": 2}', 1, "b", "2", "all", '{"b": "all"}'),
    ("a.toml", '[a]\nacks = "1" # why\n', 2, "a.acks", "1", "all", '[a]\nacks = "all" # why\n'),
    ("a.toml", "[a]\nacks = 1\n", 2, "a.acks", "1", "all", '[a]\nacks = "all"\n'),
    ("a.toml", "[a]\nb = 1\n", 2, "a.b", "1", "2", "[a]\nb = 2\n"),
    ("a.tf", 'r "x" "y" {\n  config = {\n    "acks" = "1", # w\n  }\n}\n', 3, "x.y.config.acks", "1", "all",
     'r "x" "y" {\n  config = {\n    "acks" = "all", # w\n  }\n}\n'),
    ("a.tf", 'r "x" {\n  p = <<-EOT\n    acks = 1\n    b = 2\n  EOT\n}\n', 3, "p.acks", "1", "all",
     'r "x" {\n  p = <<-EOT\n    acks = all\n    b = 2\n  EOT\n}\n'),
    ("a.env", "KAFKA_ACKS='1'\n", 1, "KAFKA_ACKS", "1", "all", "KAFKA_ACKS='all'\n"),
]  # fmt: skip
REMOVED = [
    ("a.properties", "b=2\nacks=1\nc=3", 2, "acks", "b=2\nc=3"),
    ("a.properties", "b=2\r\nacks=1\\\r\n  2\r\nc=3\r\n", 2, "acks", "b=2\r\nc=3\r\n"),
    ("a.properties", "b=2\nacks=1", 2, "acks", "b=2\n"),
    ("a.properties", "acks=1\n", 1, "acks", ""),
    ("a.yml", "a:\n  acks: 1 # x\n  b: 2\n", 2, "a.acks", "a:\n  b: 2\n"),
    ("a.yml", "a:\n  b: 2\n  # c\n  acks: 1", 4, "a.acks", "a:\n  b: 2\n  # c\n"),
    ("a.yml", "a:\n  acks: >-\n    1\n    2\n  b: 2\n", 2, "a.acks", "a:\n  b: 2\n"),
    ("a.yml", "a: {acks: 1, b: 2}\n", 1, "a.acks", "a: {b: 2}\n"),
    ("a.yml", "a: {b: 2, acks: 1}\n", 1, "a.acks", "a: {b: 2}\n"),
    ("a.yml", "e:\n  - A=b\n  - KAFKA_ACKS=1\n", 3, "KAFKA_ACKS", "e:\n  - A=b\n"),
    ("a.yml", VARIABLES.format(value=1), 4, "KAFKA_ACKS", "env:\n  - name: A\n    value: b\n  - name: C\n    value: d\n"),
    ("a.yml", "d:\n  p: |\n    acks = 1\n    b=2\n", 3, "acks", "d:\n  p: |\n    b=2\n"),
    ("a.json", '{\n  "acks": "1",\n  "b": 2\n}', 2, "acks", '{\n  "b": 2\n}'),
    ("a.json", '{\n  "b": 2,\n  "acks": "1"\n}', 3, "acks", '{\n  "b": 2\n}'),
    ("a.toml", '[a]\nb = 1\nacks = "1" # x\n', 3, "a.acks", "[a]\nb = 1\n"),
    ("a.tf", 'c = {\n  "acks" = "1"\n  "b" = "2"\n}\n', 2, "c.acks", 'c = {\n  "b" = "2"\n}\n'),
]  # fmt: skip
REFUSED = [
    ("a.properties", "acks=1\n", 7, "acks", "1", "its line is not one of"),
    ("a.properties", "ack=1\n", 1, "acks", "1", "sets something else"),
    ("a.yml", "x: &x\n  acks: 1\ny: *x\n", 2, "x.acks", "1", "an anchor shares"),
    ("a.yml", "x: &x\n  acks: 1\ny:\n  <<: *x\n  b: 2\n", 2, "y.acks", "1", "an anchor shares"),
    ("a.yml", "x: &x 1\nacks: *x\n", 2, "acks", "1", "an anchor shares"),
    ("a.yml", "acks: &x 1\nb: 2\n", 1, "acks", "1", "an anchor or a tag"),
    ("a.yml", "acks: !vault 1\nb: 2\n", 1, "acks", "1", "another way"),
    ("a.yml", "acks: |\n  1\nb: 2\n", 1, "acks", "1\n", "several lines"),
    ("a.yml", "acks: [1, 2]\nb: 2\n", 1, "acks", "1,2", "another way"),
    ("a.yml", 'acks: "{{ acks }}"\nb: 2\n', 1, "acks", "x", "a template fills it in"),
    ("a.tf", "acks = var.acks\n", 1, "acks", "var.acks", "its value is an expression"),
    ("a.tf", 'acks = "${var.acks}"\n', 1, "acks", "x", "filled in later"),
    ("a.sh", "kafka-configs.sh acks=1\n", 1, "acks", "1", "a shell script"),
]
KEPT = [
    ("a.yml", "a:\n  acks: 1\nb: 2\n", 2, "a.acks", "the only setting"),
    ("a.yml", "a: {acks: 1}\n", 1, "a.acks", "the only setting"),
    ("a.yml", "d:\n  p: |\n    acks = 1\nq: 2\n", 3, "acks", "the only setting"),
    ("a.yml", "a:\n  - acks: 1\n    b: 2\n", 2, "acks", "first key of an item"),
    ("a.json", '{"acks": 1 /* why */, "b": 2}', 1, "acks", "a comment"),
    ("a.tf", 'c = { "acks" = "1", "b" = "2" }\n', 1, "c.acks", "another form|shares its line"),
]


def after(name: str, text: str, change: FileChange) -> str:
    """The text after a change, read and written as bytes."""
    file = FileText(name, text.encode())
    return file.spliced(splices_of(file, [change])).decode()


@pytest.mark.parametrize(("name", "text", "line", "written", "old", "new", "expected"), SET)
def test_a_value_is_set(name: str, text: str, line: int, written: str, old: str, new: str, expected: str) -> None:
    assert after(name, text, FileChange(name, line, written, written, old, new, "a")) == expected


@pytest.mark.parametrize(("name", "text", "line", "written", "expected"), REMOVED)
def test_a_setting_is_removed(name: str, text: str, line: int, written: str, expected: str) -> None:
    assert after(name, text, FileChange(name, line, written, written, None, None, "a")) == expected


@pytest.mark.parametrize(("name", "text", "line", "written", "old", "why"), REFUSED)
def test_what_is_not_set_says_why(name: str, text: str, line: int, written: str, old: str, why: str) -> None:
    with pytest.raises(NotEdited, match=why):
        after(name, text, FileChange(name, line, written, written, old, "all", "a"))


@pytest.mark.parametrize(("name", "text", "line", "written", "why"), KEPT)
def test_what_is_not_removed_says_why(name: str, text: str, line: int, written: str, why: str) -> None:
    with pytest.raises(NotEdited, match=why):
        after(name, text, FileChange(name, line, written, written, None, None, "a"))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.properties", "b = 2\n", "b = 2\nacks = all\n"),
        ("a.yml", "b: 2 # x\nc: 3\n", "b: 2 # x\nacks: all\nc: 3\n"),
        ("a.yml", "{b: 2, c: 3}\n", "{b: 2, acks: all, c: 3}\n"),
        ("a.yml", "- b=2\n- c=3\n", "- b=2\n- acks=all\n- c=3\n"),
        ("a.yml", '- name: b\n  value: "2"\n', '- name: b\n  value: "2"\n- name: acks\n  value: "all"\n'),
        ("a.json", '{\n  "b": "2",\n  "c": 3\n}', '{\n  "b": "2",\n  "acks": "all",\n  "c": 3\n}'),
        ("a.toml", 'b = "2"\n', 'b = "2"\nacks = "all"\n'),
    ],
)
def test_a_new_setting_has_the_form_of_its_sibling(name: str, text: str, expected: str) -> None:
    sibling = Sibling(2 if text.startswith("{\n") else 1, "b", "2")
    assert after(name, text, FileChange(name, None, "acks", "acks", None, "all", "a", (sibling,))) == expected


@pytest.mark.parametrize(
    ("name", "text", "renamed", "expected"),
    [
        ("a.properties", "bb = 2\n", "node.id", "node.id = 2\n"),
        ("a.yml", '"bb": 2\n', "node.id", '"node.id": 2\n'),
        ("a.yml", "- bb=2\n", "NODE_ID", "- NODE_ID=2\n"),
        ("a.json", '{"bb": 2}', "node.id", '{"node.id": 2}'),
        ("a.toml", '"bb" = 2\n', "node.id", '"node.id" = 2\n'),
    ],
)
def test_a_key_is_renamed(name: str, text: str, renamed: str, expected: str) -> None:
    assert after(name, text, FileChange(name, 1, "bb", "bb", "2", None, "a", renamed=renamed)) == expected


def test_a_file_keeps_its_byte_order_mark_and_its_encoding() -> None:
    change = FileChange("a.yml", 2, "acks", "acks", "1", "all", "a")
    text = FileText("a.yml", b"\xef\xbb\xbfb: 2\nacks: 1\n")
    assert text.spliced(splices_of(text, [change])) == b"\xef\xbb\xbfb: 2\nacks: all\n"
    latin = FileText("a.properties", b"b=\xe4\nacks=1\n")
    change = change._replace(file="a.properties")
    assert latin.spliced(splices_of(latin, [change])) == b"b=\xe4\nacks=all\n"
    with pytest.raises(NotEdited, match="encoding"):
        latin.spliced(splices_of(latin, [change._replace(value="€")]))
