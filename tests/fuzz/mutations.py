"""Random texts, bytes and documents: pieces of what is real, and what breaks readers."""

from __future__ import annotations

import json
import random
from typing import Any

from advisor import catalog

ODD_TEXTS = (
    "", " ", "\t", "\x00", "\x1b[31m", "\u202e", "\ud800", "\udcff", "\ufeff", "é" * 100, "x" * 5000, "²", "٣", "-1", "0", "1e999",
    "NaN", "null", "true", "maybe", "9" * 400, "0x10", "${", "${a", "${file:/a:b}", "{{", "{{ a", "{% if x %}", "<%", "%A%", "@A@",
    "://", "SASL_SSL://u:p@h:1", "u:p@h", "jdbc:oracle:thin:u/p@h", "1@h:9093", "[::1]:9092", "password=x", 'a.LoginModule required',
    'password="', "'", '"', "\\", "\\u00", "\\u0041", ",", ",,", ";", ":", "=", "#", "!", "..", "->", "a->b", "*", "2001-99-99",
    "-----BEGIN PRIVATE KEY-----", "KA101", "::error::x", "##vso[x]", "[red]", "PLAINTEXT", "broker,controller", "all", "3.9", "4.²",
)  # fmt: skip
ODD_NUMBERS = (0, -1, 1, 2, 3, 2**31 - 1, 2**31, 2**63, -(2**63), 10**40, 0.5, 1e300, float("nan"), float("inf"))
KINDS = (
    "broker",
    "combined",
    "producer",
    "consumer",
    "admin",
    "client",
    "topic",
    "connect",
    "streams",
    "mirror",
    "zookeeper",
)


def keys(source: random.Random) -> list[str]:
    """Some keys of one component of the catalog."""
    component = source.choice(("broker", "producer", "consumer", "topic", "connect", "streams", "admin", "librdkafka"))
    known = list(catalog.definitions(component, source.choice(((2, 8), (3, 9), catalog.NEWEST))))
    return source.sample(known, min(len(known), source.randrange(1, 25)))


def text(source: random.Random) -> str:
    """An odd text, or several after one another."""
    pieces = [source.choice(ODD_TEXTS) for _ in range(source.choice((1, 1, 1, 2, 3, 8)))]
    return "".join(pieces) * source.choice((1, 1, 1, 1, 1, 40))


def properties(source: random.Random) -> bytes:
    """A configuration file: keys of the catalog with defaults and odd values, then damaged."""
    lines = []
    for key in keys(source):
        value = (
            text(source)
            if source.random() < 0.5
            else source.choice(("1", "true", "all", "a", "h:9092", "PLAINTEXT://h:1"))
        )
        key = key if source.random() < 0.8 else mutated(source, key)
        lines.append(f"{key}{source.choice('==: ')}{value}")
        if source.random() < 0.1:
            lines.append(f"# kafka-advisor: ignore[{text(source)}] {text(source)} until={text(source)}")
    data = source.choice(("\n", "\n", "\r\n", "\r", "\\\n")).join(lines).encode("utf-8", "surrogatepass")
    return damaged(source, data) if source.random() < 0.3 else data


def risky(source: random.Random) -> bytes:
    """A configuration file of values that rules have something to say of."""
    values = ("0", "1", "2", "-1", "true", "false", "all", "none", "earliest", "PLAIN", "PLAINTEXT", "100", "1000000")
    return "".join(f"{key}={source.choice(values)}\n" for key in keys(source)).encode()


def mutated(source: random.Random, word: str) -> str:
    """A word with a letter changed, or with an odd text inside."""
    at = source.randrange(len(word) + 1)
    return word[:at] + source.choice(("", "x", ".", source.choice(ODD_TEXTS))) + word[at + source.randrange(2) :]


def damaged(source: random.Random, data: bytes) -> bytes:
    """Bytes with some changed, cut out, doubled or cut off."""
    for _ in range(source.randrange(1, 6)):
        at, size = source.randrange(len(data) + 1), source.randrange(1, 9)
        piece = source.choice((b"", source.randbytes(size), data[at : at + size] * 2, b"\0", b"\xff"))
        data = data[:at] + piece + data[at + source.choice((0, size)) :]
    return data[: source.randrange(len(data) + 1)] if source.random() < 0.2 else data


def lines_changed(source: random.Random, data: bytes) -> bytes:
    """A text with some lines doubled, moved, indented otherwise, cut out, or with an odd value."""
    lines = data.decode("utf-8", "replace").split("\n")
    for _ in range(source.randrange(1, 6)):
        at = source.randrange(len(lines))
        line = lines[at]
        match source.randrange(6):
            case 0:
                lines.insert(source.randrange(len(lines) + 1), line)
            case 1:
                lines.insert(source.randrange(len(lines)), lines.pop(at))
            case 2:
                lines[at] = source.choice(("", " ", "  ", "\t")) + line.lstrip()
            case 3:
                del lines[at : at + source.randrange(1, 4)]
                lines = lines or [""]
            case 4:
                head, colon, _ = line.partition(":")
                lines[at] = f"{head}{colon} {json.dumps(odd(source))}"
            case _:
                lines[at] = mutated(source, line)
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def document(source: random.Random, whole: Any) -> bytes:
    """A JSON document of which some values are odd, missing or of another type."""
    for _ in range(source.randrange(1, 5)):
        whole = changed(source, whole)
    data = json.dumps(whole).encode()
    return damaged(source, data) if source.random() < 0.15 else data


def changed(source: random.Random, value: Any) -> Any:
    """The value with one place changed, somewhere below it."""
    if isinstance(value, dict) and value and source.random() < 0.9:
        key = source.choice(list(value))
        if source.random() < 0.1:
            return {other: each for other, each in value.items() if other != key}
        return {**value, key: changed(source, value[key])}
    if isinstance(value, list) and value and source.random() < 0.9:
        at = source.randrange(len(value))
        return [*value[:at], changed(source, value[at]), *value[at + 1 :]]
    return odd(source)


def odd(source: random.Random) -> Any:
    """Any value that JSON can hold."""
    return source.choice(
        (None, True, [], {}, [[]], {"a": None}, text(source), text(source), source.choice(ODD_NUMBERS))
    )


def yaml_text(source: random.Random, names: tuple[str, ...]) -> bytes:
    """YAML about some names, right and wrong."""
    lines = []
    for _ in range(source.randrange(1, 8)):
        name = source.choice(names) if source.random() < 0.9 else text(source)
        lines.append(f"{source.choice(('', '', '- ', '  '))}{name}: {source.choice((text(source), *YAML_VALUES))}")
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    return damaged(source, data) if source.random() < 0.3 else data


YAML_VALUES = (
    "dev", "[a, b]", "{a: b}", "&a [1]", "*a", "!!int x", "2001-01-01", "2001-99-99", ".nan", "1e999", "|", ">", "'", "[[[[", "<<: *a",
    "broker", "3.9", "high", "true", "KA101", "!!python/object:x y", "[&a [*a]]", "~",
)  # fmt: skip
