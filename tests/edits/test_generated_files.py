"""Safe fixes of generated files: what is in force stays, every other byte stays, a second run changes nothing."""

from __future__ import annotations

import io
import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import javaproperties
import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from advisor.analysis.effective import Defaults, effective_rows
from advisor.config import Config
from collectors.files.reader import File, entities_of, read
from tests.support.commands import run
from tests.support.simulation import MORE

VALUES = {
    "acks": ("all", "1", "0"),
    "linger.ms": ("5", "10"),
    "client.id": ("orders", "größe", "a b", "#1", "it's"),
    "compression.type": ("lz4", "none"),
    "batch.size": ("16384",),
    "block.on.buffer.full": ("true",),
    "metadata.fetch.timeout.ms": ("100",),
    "x.custom": ("1e3", "yes"),
}
"""Keys of producers with values, two of them of releases long gone."""
KEYS = st.sampled_from(sorted(VALUES))
PAIRS = st.lists(
    KEYS.flatmap(lambda key: st.tuples(st.just(key), st.sampled_from(VALUES[key]))), min_size=1, max_size=9
)
NEWLINES = st.sampled_from(["\n", "\r\n"])
HEAD = (
    ("bootstrap.servers", "b1:9092,b2:9092"),
    ("key.serializer", "org.apache.kafka.common.serialization.StringSerializer"),
    ("acks", "all"),
    ("delivery.timeout.ms", "120000"),
)
"""What makes it a producer's file, whatever else is drawn."""
Pairs = list[tuple[str, str]]


def in_force(path: Path) -> list[dict[str, str | None]]:
    """The effective values of every entity of a file, without what a topic ignores that is not compacted."""
    return [{row.key: row.value for row in effective_rows(Config(entity), Defaults()) if row.key not in OF_COMPACTION}
            for entity, _ in entities_of(read(File(str(path))))]  # fmt: skip


def fixed(path: Path, text: str) -> str:
    """A text after a safe fix, whose effect and whose second run are checked."""
    path.write_bytes(text.encode())
    before = in_force(path)
    assert run("lint", "--no-config", path, "--fix").code in (0, 1)
    after = path.read_bytes()
    assert in_force(path) == before
    run("lint", "--no-config", path, "--fix")
    assert path.read_bytes() == after
    return after.decode()


def is_made_of_lines(after: str, before: str) -> bool:
    """Whether a text is another one without some of its lines, in their order."""
    lines = iter(before.splitlines(keepends=True))
    return all(any(line == each for each in lines) for line in after.splitlines(keepends=True))


def escaped(value: str) -> str:
    """A value as a properties file has it."""
    return value.replace("\\", "\\\\")


@settings(max_examples=15 * MORE, deadline=None)
@given(pairs=PAIRS, newline=NEWLINES, joints=st.lists(st.sampled_from(["=", ": ", " = ", "\t", "=\\\n  "]), min_size=12, max_size=12),
       has_end=st.booleans())  # fmt: skip
def test_properties(
    tmp_path_factory: pytest.TempPathFactory, pairs: Pairs, newline: str, joints: list[str], has_end: bool
) -> None:
    rows = [f"{key}{joint}{escaped(value)}" for (key, value), joint in zip([*HEAD, *pairs], joints, strict=False)]
    text = "# ä\n".join(f"{row}\n" for row in rows).replace("\n", newline)
    text = text if has_end else text.removesuffix(newline)
    after = fixed(tmp_path_factory.mktemp("p") / "producer.properties", text)
    assert is_made_of_lines(after, text)
    old, new = (javaproperties.loads(each) for each in (text, after))
    assert {key: old[key] for key in new} == new
    assert not {
        key
        for key in old.keys() - new.keys()
        if key in ("acks", "linger.ms", "client.id", "batch.size", "compression.type")
    }


def in_yaml(pairs: Mapping[str, str], style: str) -> str:
    """Settings as a block of YAML."""
    quoted = {key: f"'{value.replace(chr(39), chr(39) * 2)}'" for key, value in pairs.items()}
    if style == "map":
        return "".join(f"      {key}: {value}\n      # {key}\n" for key, value in quoted.items())
    if style == "flow":
        return "      {" + ",\n       ".join(f"{key}: {value}" for key, value in quoted.items()) + "}\n"
    return "".join(f"      {key}={value}\n" for key, value in pairs.items())


@settings(max_examples=15 * MORE, deadline=None)
@given(
    pairs=st.dictionaries(KEYS, st.just("")),
    draw=st.data(),
    style=st.sampled_from(["map", "flow", "text"]),
    newline=NEWLINES,
)
def test_yaml(
    tmp_path_factory: pytest.TempPathFactory, pairs: dict[str, str], draw: st.DataObject, style: str, newline: str
) -> None:
    assume(len({"block.on.buffer.full", "metadata.fetch.timeout.ms", "x.custom"} & pairs.keys()) < 2)
    drawn = dict(HEAD) | {key: draw.draw(st.sampled_from(VALUES[key])) for key in pairs}
    opening = "    producer.properties: |\n" if style == "text" else "    producer:\n"
    text = "# größe\nkafka:\n  clients:\n" + opening + in_yaml(drawn, style) + "other: &a [1, '2']\nmore: *a\n"
    text = text.replace("\n", newline)
    after = fixed(tmp_path_factory.mktemp("y") / "clients.yaml", text)
    old, new = (yaml.safe_load(io.StringIO(each)) for each in (text, after))
    assert (old.keys(), old["other"], old["more"]) == (new.keys(), new["other"], new["more"])
    if style == "text":
        old, new = (javaproperties.loads(each["kafka"]["clients"]["producer.properties"]) for each in (old, new))
    else:
        old, new = (each["kafka"]["clients"]["producer"] for each in (old, new))
    assert {key: old[key] for key in new} == new
    if style != "flow":
        assert is_made_of_lines(after, text)


@settings(max_examples=10 * MORE, deadline=None)
@given(names=st.lists(st.sampled_from(["KAFKA_NODE_ID=1", "KAFKA_ADVERTISED_PORT=9092", "KAFKA_LOG_RETENTION_HOURS=5", "KAFKA_LOG_RETENTION_MS=5000"]),
                      unique=True, min_size=1), style=st.sampled_from(["list", "map"]))  # fmt: skip
def test_compose(tmp_path_factory: pytest.TempPathFactory, names: list[str], style: str) -> None:
    rows = [
        f"- {name} # x" if style == "list" else f"{name.replace('=', ': ')} # x"
        for name in ["KAFKA_PROCESS_ROLES=broker", *names]
    ]
    text = "services:\n  k:\n    image: apache/kafka:4.0.0\n    environment:\n" + "".join(
        f"      {row}\n" for row in rows
    )
    path = tmp_path_factory.mktemp("c") / "docker-compose.yml"
    path.write_text(text)
    before = in_force(path)
    run("lint", "--no-config", path, "--fix")
    after = path.read_text()
    assert is_made_of_lines(after, text)
    assert "ADVERTISED_PORT" not in after
    dropped = {"log.retention.hours"} if len(names) > 1 else set()
    kept = [{key: value for key, value in row.items() if key not in dropped} for row in in_force(path)]
    assert kept == [{key: value for key, value in row.items() if key not in dropped} for row in before]


def without_ignored(clients: dict[str, Any]) -> dict[str, str]:
    """The producer's settings that are in force in some release."""
    return {key: value for key, value in clients.items() if key not in IGNORED}


IGNORED = ("block.on.buffer.full", "metadata.fetch.timeout.ms")
"""Keys that every release of today ignores, and a safe fix takes out."""
Draw = st.DataObject


def drawn_producer(pairs: Mapping[str, str], draw: Draw) -> dict[str, str]:
    """A producer's settings, some of them drawn."""
    return dict(HEAD) | {key: draw.draw(st.sampled_from(VALUES[key])) for key in pairs}


@settings(max_examples=15 * MORE)
@given(pairs=st.dictionaries(KEYS, st.just("")), draw=st.data(), indent=st.sampled_from([None, 0, 1, 2, "\t"]), newline=NEWLINES)  # fmt: skip
def test_json(
    tmp_path_factory: pytest.TempPathFactory, pairs: dict[str, str], draw: Draw, indent: Any, newline: str
) -> None:
    producer = drawn_producer(pairs, draw)
    assume(len({*IGNORED, "x.custom"} & producer.keys()) < 2)
    document = {"größe": 1, "kafka": {"clients": {"producer": producer}}, "other": [1, "2", {"a": None}]}
    text = json.dumps(document, indent=indent, ensure_ascii=False).replace("\n", newline)
    after = json.loads(fixed(tmp_path_factory.mktemp("j") / "clients.json", text))
    assert (after["größe"], after["other"]) == (1, document["other"])
    assert after["kafka"]["clients"]["producer"] == without_ignored(producer)


@settings(max_examples=15 * MORE)
@given(pairs=st.dictionaries(KEYS, st.just("")), draw=st.data(), style=st.sampled_from(["table", "inline", "text"]), newline=NEWLINES)  # fmt: skip
def test_toml(
    tmp_path_factory: pytest.TempPathFactory, pairs: dict[str, str], draw: Draw, style: str, newline: str
) -> None:
    producer = drawn_producer(pairs, draw)
    assume(len({*IGNORED, "x.custom"} & producer.keys()) < 2)
    rows = [f"{json.dumps(key)} = {json.dumps(value, ensure_ascii=False)}" for key, value in producer.items()]
    if style == "table":
        body = "[kafka.clients.producer]\n" + "".join(f"{row} # {number}\n" for number, row in enumerate(rows))
    elif style == "inline":
        body = f"[kafka.clients]\nproducer = {{ {', '.join(rows)} }}\n"
    else:
        body = "".join(f"{key}={value}\n" for key, value in producer.items())
        body = f"[kafka.clients]\n'producer.properties' = '''\n{body}'''\n"
    text = (f"'größe' = 1 # x\n{body}[other]\na = [1, 2]\n").replace("\n", newline)
    after = tomllib.loads(fixed(tmp_path_factory.mktemp("t") / "clients.toml", text).replace("\r\n", "\n"))
    clients = after["kafka"]["clients"]
    own = clients["producer"] if style != "text" else javaproperties.loads(clients["producer.properties"])
    assert (after["größe"], after["other"]) == (1, {"a": [1, 2]})
    kept = producer if style == "inline" else without_ignored(producer)  # of one line no entry is taken out
    assert own == kept


TOPIC_VALUES = {
    "cleanup.policy": "delete",
    "retention.ms": "86400000",
    "min.insync.replicas": "2",
    "min.cleanable.dirty.ratio": "0.1",
    "delete.retention.ms": "1000",
}
"""Keys of topics, two of which do nothing without compaction."""
OF_COMPACTION = ("min.cleanable.dirty.ratio", "delete.retention.ms")


def topic_in_hcl(pairs: list[str], joint: str) -> str:
    """A topic of Terraform's with these keys."""
    rows = "".join(f'    "{key}"{joint}"{TOPIC_VALUES[key]}" # {key}\n' for key in pairs)
    return f'resource "kafka_topic" "a" {{\n  name = "größe"\n  replication_factor = 3\n  partitions = 6\n  config = {{\n{rows}  }}\n}}\n'


def heredoc_in_hcl(pairs: list[str], joint: str) -> str:
    """A configuration of Amazon MSK with these keys, the first of them twice."""
    rows = ["retention.ms", *pairs]
    text = "".join(f"    log.{key}{joint}{TOPIC_VALUES[key]}\n" for key in rows if not key.startswith("min.i"))
    return f'resource "aws_msk_configuration" "m" {{\n  name = "m"\n  kafka_versions = ["3.6.0"]\n  server_properties = <<-EOF\n{text}    advertised.port = 9092\n  EOF\n}}\n'


def is_hcl(text: str) -> bool:
    """Whether the grammar of HCL reads a text without an error."""
    import tree_sitter_hcl
    from tree_sitter import Language, Parser

    return not Parser(Language(tree_sitter_hcl.language())).parse(text.encode()).root_node.has_error


@settings(max_examples=15 * MORE)
@given(pairs=st.lists(st.sampled_from(sorted(TOPIC_VALUES)), unique=True, min_size=1), joint=st.sampled_from([" = ", "=", "   =  "]),
       write=st.sampled_from([topic_in_hcl, heredoc_in_hcl]), newline=NEWLINES)  # fmt: skip
def test_hcl(
    tmp_path_factory: pytest.TempPathFactory,
    pairs: list[str],
    joint: str,
    write: Callable[[list[str], str], str],
    newline: str,
) -> None:
    text = ("# ä\n" + write(pairs, joint) + 'output "x" {\n  value = 1\n}\n').replace("\n", newline)
    path = tmp_path_factory.mktemp("h") / "main.tf"
    after = fixed(path, text)
    assert is_made_of_lines(after, text)
    assert is_hcl(after)
    assert "advertised.port" not in after
    if write is topic_in_hcl:
        assert not any(f'"{key}"' in after for key in OF_COMPACTION)


@settings(max_examples=10 * MORE)
@given(shared=st.booleans(), keys=st.lists(st.sampled_from(IGNORED), unique=True, min_size=1), newline=NEWLINES)
def test_anchors(tmp_path_factory: pytest.TempPathFactory, shared: bool, keys: list[str], newline: str) -> None:
    rows = "".join(f"  {key}: '1'\n" for key in keys)
    base = f"x-base: &base\n  bootstrap.servers: b1:9092,b2:9092\n  key.serializer: a.B\n  acks: all\n{rows}"
    merged = "kafka:\n  clients:\n    producer:\n      <<: *base\n      linger.ms: '5'\n"
    more = "    producer2:\n      <<: *base\n" if shared else ""
    text = (base + merged + more).replace("\n", newline)
    after = fixed(tmp_path_factory.mktemp("a") / "clients.yaml", text)
    old, new = (yaml.safe_load(io.StringIO(each)) for each in (text, after))
    assert without_ignored(old["kafka"]["clients"]["producer"]) == without_ignored(new["kafka"]["clients"]["producer"])
    assert is_made_of_lines(after, text)
