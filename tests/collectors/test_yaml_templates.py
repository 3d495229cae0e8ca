"""Templates in YAML: what is for the engine alone goes, what holds a value stays, and every line keeps its number."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from collectors.files.syntax.yaml_templates import FILLED_IN, without_templates
from tests.support.commands import run

CASES = {
    "a value": ("acks: {{ .Values.acks }}", {"acks": FILLED_IN}),
    "a control line": ("a: 1\n{{- if .Values.x }}\nb: 2\n{{- end }}", {"a": 1, "b": 2}),
    "a control line, deeper": ("a: 1\n    {% if x %}\nb: 2\n    {% endif %}", {"a": 1, "b": 2}),
    "an include": ('a:\n  {{- include "labels" . | nindent 2 }}\n  b: 2', {"a": {"b": 2}}),
    "a comment": ("# {% raw\na: {{ x }}", {"a": FILLED_IN}),
    "over several lines": (
        "a: >-\n  {{\n    x | default('y')\n    + z\n  }}\nb: {{ c }}",
        {"a": "{{\n  x | default('y')\n  + z\n}}", "b": FILLED_IN},
    ),
    "an opened bracket": (
        "a: >-\n  {{ x | combine({\n     'k': 1\n   }) }}\nb: 2",
        {"a": "{{ x | combine({\n   'k': 1\n }) }}", "b": 2},
    ),
    "a block scalar is the value": ("a: >-\n  {{ x }}\nb: 2", {"a": "{{ x }}", "b": 2}),
    "an item that is one": ("- |\n  {{ x }}\n- b: |\n    {{ y }}\n  c: 1", ["{{ x }}\n", {"b": "{{ y }}\n", "c": 1}]),
    "control lines of the text": (
        "a: |\n  x=1\n  {{- if y }}\n  x=2\n  {{- end }}\nb: 2",
        {"a": "x=1\n{{- if y }}\nx=2\n{{- end }}\n", "b": 2},
    ),
    "control lines of the text, first": (
        "a: |\n  {% if y %}\n    x=2\n  {% endif %}",
        {"a": "{% if y %}\nx=2\n{% endif %}"},
    ),
    "control lines of the text, first and deeper": (
        "a: |\n      {% if y %}\n  x=2\n      {% endif %}\nb: {{ c }}",
        {"a": "{% if y %}\nx=2\n    {% endif %}\n", "b": FILLED_IN},
    ),
    "items between brackets": (
        'a: ["x", {{ y | default "z" }},\n  "w", {{ y }}]\nb: {c: {{ y }}, d: 1}',
        {"a": ["x", FILLED_IN, "w", FILLED_IN], "b": {"c": FILLED_IN, "d": 1}},
    ),
    "control lines of the text, outside": (
        "a: |\n  x=1\n{{- if y }}\n  x=2\n{{- end }}\nb: 2",
        {"a": "x=1\n\nx=2\n", "b": 2},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_template_becomes_yaml(case: str) -> None:
    text, tree = CASES[case]
    filled_in = without_templates(text)
    assert filled_in.count("\n") == text.count("\n")
    assert _folded(yaml.safe_load(filled_in)) == _folded(tree)


def _folded(tree: object) -> object:
    """Texts with one blank for each run of white space: `>-` folds lines."""
    if isinstance(tree, dict):
        return {key: _folded(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_folded(each) for each in tree]
    return " ".join(tree.split()) if isinstance(tree, str) else tree


TEXTS = st.text(st.characters(codec="ascii", min_codepoint=32, max_codepoint=126), min_size=1, max_size=40).filter(
    lambda text: text.strip() == text
)
TREES = st.recursive(
    st.lists(TEXTS, min_size=1, max_size=4).map("\n".join),
    lambda inner: st.dictionaries(TEXTS, inner, min_size=1, max_size=3),
)


class Block(yaml.SafeDumper):
    """Writes texts of several lines as block scalars."""


Block.add_representer(
    str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, "|" if "\n" in text else '"')
)


@given(TREES)
@example({"0 #": "0\n|"})
def test_texts_in_block_scalars_keep_every_character(tree: object) -> None:
    document = {"first": "{{\n{% if x %}\n}}", "tree": tree}
    text = yaml.dump(document, Dumper=Block, width=10_000, sort_keys=False)
    whole = yaml.safe_load(without_templates(text))
    assert whole["first"] == document["first"]
    assert _lines(whole["tree"]) == _lines(document["tree"])


def _lines(tree: object) -> list[str]:
    """The texts of several lines; those of one line may hold expressions."""
    if isinstance(tree, dict):
        return [line for value in tree.values() for line in _lines(value)]
    return str(tree).split("\n") if "\n" in str(tree) else []


def test_a_value_that_a_template_makes_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "vars.yml").write_text(
        "kafka_broker_custom_properties:\n  log.dirs: /data\n  num.partitions: 3\n  super.users: >-\n    {{\n      users\n    }}\n"
        "  unclean.leader.election.enable: >-\n    {{ unclean | default('true') }}\n"
    )
    ran = run("lint", tmp_path / "vars.yml", "--no-config", "--format", "json")
    assert "unclean-election" in {row["name"] for row in ran.json["unknown"]}
    assert not {row["name"] for row in ran.json["findings"]} & {
        "unclean-election",
        "invalid-value",
        "super-users-empty",
    }


def test_a_mapping_of_a_programs_defaults_is_a_piece(tmp_path: Path) -> None:
    (tmp_path / "main.yml").write_text(
        "kafka_broker_properties:\n  defaults:\n    properties:\n      process.roles: broker\n      num.partitions: 1\n"
        "      unclean.leader.election.enable: true\n"
        "kafka_connect_properties:\n  defaults:\n    properties:\n      group.id: connect\n      config.storage.topic: c\n"
        "      offset.storage.topic: o\n      status.storage.topic: s\n"
    )
    ran = run("lint", tmp_path / "main.yml", "--no-config", "--format", "json")
    serious = {row["name"] for row in ran.json["findings"] if row["severity"] in ("critical", "high")}
    assert serious == {"unclean-election"}
