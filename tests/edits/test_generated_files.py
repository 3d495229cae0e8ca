"""Safe fixes of generated files: what is in force stays, every other byte stays, a second run changes nothing."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import javaproperties
import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from advisor.analysis.effective import effective_rows
from advisor.config import Config
from collectors.files.reader import File, entities_of, read
from tests.support.commands import run

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
)
"""What makes it a producer's file, whatever else is drawn."""
Pairs = list[tuple[str, str]]


def in_force(path: Path) -> list[dict[str, str | None]]:
    """The effective values of every entity of a file."""
    return [{row.key: row.value for row in effective_rows(Config(entity), all=True)}
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


@settings(max_examples=60, deadline=None)
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


@settings(max_examples=60, deadline=None)
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


@settings(max_examples=40, deadline=None)
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
