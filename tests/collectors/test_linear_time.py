"""Reading takes time in proportion to a text's length, whatever stands in it: each text is doubled, and doubled again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from advisor.analysis.startup.streams import ADDRESS
from advisor.secrets import disclosure, jaas, masking, placeholders
from collectors.files import mentions
from collectors.files.generic import SCRIPT
from collectors.files.ignore_patterns import patterns_of, verdict
from collectors.files.script_changes import scripts_in
from collectors.files.syntax import json_comments, properties, recognition, templates, toml_positions, yaml_templates
from collectors.files.syntax.tree import TreeNode
from collectors.files.unfollowed import text_settings
from collectors.files.variables import fill
from collectors.outputs.reader import read
from collectors.outputs.snapshot import snapshot_of

SHORT = 4_000
"""Repetitions of the shortest text."""
DOUBLINGS = 3
ROUNDS = 3
"""The short text is timed so often, and the fastest counts; the long one until it is fast enough."""
NOISE = 0.02
"""Seconds that a busy machine may add."""
FACTOR = 3.2**DOUBLINGS
"""Linear is 2 per doubling, quadratic 4: what is slower than this between the shortest and the longest is not linear."""


def unfollowed(text: str) -> object:
    return list(text_settings.settings_of_text(text))


def names_with_colons(text: str) -> object:
    return masking.mask_assignments(text, "=:")


def with_nulls(text: str) -> object:
    return mentions.concerns_kafka("x", text.encode())


SHOWN = "All configs for broker 1 are:\n"


def _outputs(text: str) -> object:
    return snapshot_of(read([text]), "x", None)


def keys_of_a_script(text: str) -> object:
    node = TreeNode("scalar", 1, 1, text)
    return scripts_in([node], "x.yaml")


TEXTS: dict[str, tuple[Callable[[str], object], Callable[[int], str]]] = {
    "commands of a script": (SCRIPT.search, lambda n: "$(a" * n),
    "words of a secret": (masking.mask, lambda n: "password" * n + "=x"),
    "secrets without end": (masking.mask, lambda n: "x=" + "password" * n),
    "schemes": (masking.mask, lambda n: "://" * n + "@"),
    "schemes with users": (masking.mask, lambda n: "://a:" * n + "@"),
    "users in a list": (masking.mask, lambda n: "://u:p@h" + ",u:p@h" * n),
    "jdbc": (masking.mask, lambda n: "jdbc:" * n + "@"),
    "jdbc with slashes": (masking.mask, lambda n: "@" + "jdbc:a/" * n),
    "assignments": (masking.mask, lambda n: "password = " * n),
    "names with colons": (names_with_colons, lambda n: "token:" * n),
    "one colon and many names": (names_with_colons, lambda n: "a=" * n + ":"),
    "words behind a secret": (disclosure.masking_cut, lambda n: "token" + "x " * n),
    "defaults of secrets": (placeholders.without_arguments, lambda n: "${A:-" * n + "}" * n),
    "quotes in a key": (placeholders.shown_key, lambda n: "${" + 'a("x' * n),
    "dots in a key of Helm's": (unfollowed, lambda n: "a\\.b" * n),
    "a path of Helm's": (unfollowed, lambda n: "a.b\\.c." * n),
    "words with a value behind them": (unfollowed, lambda n: "min.isr 1 " * n),
    "brackets of a field path": (unfollowed, lambda n: "fieldPath [a.b" * n),
    "tags between a name and a value": (unfollowed, lambda n: "log.dirs</a> <b>" * n),
    "variables of fish": (unfollowed, lambda n: "set -x KAFKA_" + "A" * n),
    "defaults that are assigned": (unfollowed, lambda n: "${KAFKA_LOG_DIRS:=" * n),
    "factors of replication": (unfollowed, lambda n: "A_replication" * n),
    "indices of a program": (unfollowed, lambda n: "['a']" * n),
    "open indices": (unfollowed, lambda n: "]['a" * n),
    "a text with NULs": (with_nulls, lambda n: "log.dirs=a\0" * n),
    "open quotes behind a secret": (masking.mask, lambda n: 'password="' * n),
    "options without a value": (jaas.options_of, lambda n: "a" * n),
    "open quotes in JAAS": (jaas.options_of, lambda n: 'a="' * n + "b"),
    "escaped quotes in JAAS": (jaas.options_of, lambda n: 'a="\\"' * n),
    "single quotes in JAAS": (jaas.options_of, lambda n: "a='" * n + "="),
    "login modules": (jaas.jaas_of, lambda n: "M required a=b;" * n),
    "an unclosed quote of a login module": (jaas.jaas_of, lambda n: 'M required b="' + '\\"' * n),
    "items that a template makes": (yaml_templates.without_templates, lambda n: "a: [" + "{{ x }}, " * n + "]"),
    "settings of a script": (keys_of_a_script, lambda n: "sed x.properties\n" + "log.dirs=1\n" * n),
    "names of a script": (keys_of_a_script, lambda n: "sed x.properties\n" + "a." * n),
    "placeholders": (placeholders.shape_of, lambda n: "${A" * n),
    "template marks": (placeholders.shape_of, lambda n: "{%" * n),
    "expressions": (templates.steps, lambda n: "{{" * n),
    "blocks": (templates.steps, lambda n: "{% if %}" * n),
    "an endless word in a block": (templates.steps, lambda n: "{% " + "a" * n),
    "an endless word in ERB": (templates.steps, lambda n: "<% " + "a" * n),
    "an endless word in FreeMarker": (templates.steps, lambda n: "<#" + "a" * n),
    "continuations": (lambda text: list(properties.parse(text)), lambda n: "a=b\\\n" * n),
    "escapes": (lambda text: list(properties.parse(text)), lambda n: "a=" + "\\u0041" * n),
    "blanks before a key": (lambda text: list(properties.parse(text)), lambda n: " " * n + "a=b"),
    "open comments in JSON": (json_comments.without_comments, lambda n: "/* " * n),
    "open quotes in JSON": (json_comments.without_comments, lambda n: '//"' + '\\"' * n),
    "escaped quotes in JSON": (json_comments.without_comments, lambda n: '"' + '\\"' * n + "//"),
    "an open text in TOML": (toml_positions.Positions, lambda n: 'a = """' + '"x' * n),
    "keys of TOML": (toml_positions.Positions, lambda n: "a.b = 1\n" * n),
    "comments in TOML": (toml_positions.Positions, lambda n: "a = [ # [\n" + "# x\n" * n),
    "topics on one line": (_outputs, lambda n: "Topic: a PartitionCount: 1 " * n),
    "settings of a topic": (_outputs, lambda n: "Topic: a\tPartitionCount: 1\tConfigs: " + "a.b=c," * n),
    "partitions": (_outputs, lambda n: "Topic: a Partition: 1 Leader: 1 Replicas: 1,2 Isr: 1\n" * n),
    "replicas": (_outputs, lambda n: "Topic: a Partition: 1 Leader: 1 Replicas: " + "1," * n + "1 Isr: 1\n"),
    "settings in a line": (_outputs, lambda n: SHOWN + "  a.b=c sensitive=true synonyms={" * n + "\n"),
    "keys in a line": (_outputs, lambda n: SHOWN + "ab=" * n + " sensitive=true synonyms={x\n"),
    "levels": (_outputs, lambda n: SHOWN + "a.b=c sensitive=true synonyms={" + "A_CONFIG:a=b, " * n + "}\n"),
    "settings of a broker": (
        _outputs,
        lambda n: SHOWN + "".join(f"a{at}=c sensitive=true synonyms={{}}\n" for at in range(n)),
    ),
    "offsets of a group": (
        _outputs,
        lambda n: "GROUP TOPIC PARTITION CURRENT-OFFSET LAG\n" + "".join(f"g t {at} 1 1\n" for at in range(n)),
    ),
    "features": (
        _outputs,
        lambda n: "".join(
            f"Feature: f{at} SupportedMinVersion: 1 SupportedMaxVersion: 2 FinalizedVersionLevel: 1\n"
            for at in range(n)
        ),
    ),
    "blanks in a quorum": (_outputs, lambda n: "LeaderId: " + f"a{' ' * 100}" * (n // 20)),
    "voters": (_outputs, lambda n: "LeaderId: 1\nCurrentVoters: [" + "1," * n + "1]"),
    "open braces": (_outputs, lambda n: '"logDirs"{' * n),
    "stars of .gitignore": (lambda text: verdict(patterns_of(text), ["a" * 50], False), lambda n: "*a" * n + "b"),
    "folders of .gitignore": (lambda text: verdict(patterns_of(text), ["a"] * 50, False), lambda n: "**/a/" * n + "b"),
    "brackets of .gitignore": (lambda text: verdict(patterns_of(text), ["a" * 50], False), lambda n: "[a-" * n),
    "a path that .gitignore may name": (
        lambda text: verdict(patterns_of("*a**/b/**"), [text], False),
        lambda n: "a" * n,
    ),
    "letters without a dot": (recognition.dotted_words, lambda n: "x" * n),
    "letters and digits without a dot": (recognition.dotted_words, lambda n: "a9" * n),
    "parts of a key": (recognition.dotted_words, lambda n: "a.9" * n),
    "digits of a variable": (lambda text: fill("k=${A_B}", {"A_B": text}), lambda n: "9" * n),
    "digits and letters of a variable": (lambda text: fill("k=${A_B}", {"A_B": text}), lambda n: "9a" * n),
    "an address": (ADDRESS.fullmatch, lambda n: "a" * n),
    "ports of an address": (ADDRESS.fullmatch, lambda n: ":1" * n + "x"),
    "equal keys": (lambda text: list(properties.parse(text)), lambda n: "a=b\n" * n),
}


def seconds(read: Callable[[str], object], text: str) -> Iterator[float]:
    """Some rounds."""
    for _ in range(ROUNDS):
        started = time.process_time()
        read(text)
        yield time.process_time() - started


def is_linear(read: Callable[[str], object], short: str, long: str) -> bool:
    """Whether the long text is read fast enough in one round, beside the fastest of the short one."""
    most = min(seconds(read, short)) * FACTOR + NOISE
    return any(spent < most for spent in seconds(read, long))


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_twice_as_long_takes_about_twice_as_long(name: str) -> None:
    read, text = TEXTS[name]
    assert is_linear(read, text(SHORT), text(SHORT * 2**DOUBLINGS)), name


def test_what_is_quadratic_would_be_seen() -> None:
    def quadratic(text: str) -> object:
        return [text.count(char) for char in text]

    assert not is_linear(quadratic, "a" * (SHORT // 2), "a" * (SHORT * 2**DOUBLINGS))
