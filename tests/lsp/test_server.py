"""The language server over pipes: what is shown of buffers, what is known of keys, what may be done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.language_client import Client, offsets_of, server

PRODUCER = "bootstrap.servers=b1:9092,b2:9092\r\nacks=1\r\nlinger.ms=60000\r\nacks=all\r\n"


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """One server for the tests that need no settings of their own."""
    with server() as running:
        yield running


@pytest.fixture
def producer(tmp_path: Path) -> Path:
    """A file whose buffer is another one: it is not there at all."""
    return tmp_path / "producer.properties"


def test_the_buffer_is_judged_not_the_file(client: Client, producer: Path) -> None:
    producer.write_text("acks=all\nbootstrap.servers=b1:9092,b2:9092\n")
    uri = client.open(producer, "bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
    (found,) = [row for row in client.diagnostics(uri) if row["code"] == "KA101"]
    text = client.texts[uri]
    start, end = offsets_of(text, found["range"])
    assert text[start:end] == "1"
    assert (found["severity"], found["source"]) == (1, "kafka-advisor")
    assert found["codeDescription"]["href"].endswith("/KA101.md")
    assert "Fix: " in found["message"]


def test_what_does_nothing_is_marked_and_fixed(client: Client, producer: Path) -> None:
    uri = client.open(producer, PRODUCER)
    (twice,) = [row for row in client.diagnostics(uri) if row["code"] == "KA1407"]
    assert twice["tags"] == [1]
    (fix,) = [row for row in client.actions(uri, "all\r\n") if row["title"].startswith("KA1407")]
    assert fix["isPreferred"]
    assert fix["kind"] == "quickfix"
    assert client.applied(uri, fix) == PRODUCER.replace("acks=1\r\n", "")
    assert fix["edit"]["documentChanges"][0]["textDocument"]["version"] == 1


def test_a_key_is_explained(client: Client, producer: Path) -> None:
    uri = client.open(producer, PRODUCER)
    shown = client.at("textDocument/hover", uri, "linger.ms")
    text = shown["contents"]["value"]
    assert "**linger.ms** (Kafka 4.4)" in text
    assert "default: 5 ms" in text or "default: `5`" in text
    assert "here: `60000` (60000 ms = 1 minute), line 3" in text
    assert "#producerconfigs_linger.ms" in text
    start, end = offsets_of(client.texts[uri], shown["range"])
    assert client.texts[uri][start:end] == "linger.ms=60000"
    value = client.at("textDocument/hover", uri, "1\r\nlinger")["contents"]["value"]
    assert value.startswith("`1`: the leader alone")
