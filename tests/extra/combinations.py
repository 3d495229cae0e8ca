"""Random combinations of two to six settings of a component: each follows from its release, seed and number alone."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from advisor.catalog import Definition
from advisor.catalog.target import release_of
from advisor.catalog.values import refusal
from tests.extra.questions import BASES, definitions, related, values

FOLDER = Path(tempfile.gettempdir()) / "kafka-advisor-starts"
"""Where the key stores and the state folders are; the same for each run, so that a row stays true."""
PASSWORD = "changeit"
STORES = {
    "ssl.keystore.location": str(FOLDER / "keystore.p12"),
    "ssl.keystore.password": PASSWORD,
    "ssl.key.password": PASSWORD,
    "ssl.keystore.type": "PKCS12",
    "ssl.truststore.location": str(FOLDER / "keystore.p12"),
    "ssl.truststore.password": PASSWORD,
    "ssl.truststore.type": "PKCS12",
}
PLAIN = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="b";'
SCRAM = 'org.apache.kafka.common.security.scram.ScramLoginModule required username="a" password="b";'
PACKS: tuple[dict[str, str], ...] = (
    {"security.protocol": "SSL"},
    {"security.protocol": "SSL", **STORES},
    {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "sasl.jaas.config": PLAIN},
    {"security.protocol": "SASL_SSL", "sasl.mechanism": "SCRAM-SHA-512", "sasl.jaas.config": SCRAM, **STORES},
)
"""What belongs together and is rarely drawn together by chance."""
SHARES = {"producer": 6, "consumer": 5, "admin": 2, "connect": 3, "streams": 4}
BESIDES = {
    "connect": {"listeners": "http://127.0.0.1:0"},
    "streams": {"state.dir": str(FOLDER / "state")},
}
"""What the environment asks for, beside the base of a component."""
INNER = {
    "streams": {
        "consumer.": "consumer", "main.consumer.": "consumer", "restore.consumer.": "consumer",
        "global.consumer.": "consumer", "producer.": "producer", "admin.": "admin",
    },
    "connect": {"": "admin"},
}  # fmt: skip
"""The clients within, by the prefix of their keys."""
FIXED = frozenset({
    "bootstrap.servers", "bootstrap.controllers", "plugin.path", "plugin.discovery", "state.dir", "ssl.keystore.location",
    "ssl.truststore.location", "ssl.keystore.password", "ssl.truststore.password", "ssl.key.password",
    "ssl.keystore.type", "ssl.truststore.type", "ssl.truststore.certificates", "ssl.keystore.certificate.chain",
    "ssl.keystore.key", "ssl.provider", "rocksdb.config.setter", "sasl.jaas.config", "config.providers",
})  # fmt: skip
"""What is of the environment: never drawn alone."""
FEW = frozenset({"num.stream.threads", "max.warmup.replicas", "metrics.num.samples"})
"""What the machine has to hold: never more than a few."""


def combinations(
    release: str, seed: int, start: int, count: int, components: Iterable[str] = tuple(SHARES)
) -> Iterator[dict[str, Any]]:
    """`count` combinations from number `start` on."""
    version = release_of(release)[0]
    deck = [name for name in components for _ in range(SHARES[name])]
    for number in range(start, start + count):
        dice = random.Random(f"{release} {seed} {number}")
        name = deck[number % len(deck)]
        component, base = BASES[name]
        change = change_of(dice, component, version)
        settings = base | BESIDES.get(component, {}) | change
        yield {"id": str(number), "component": component, "version": release, "settings": settings}


def change_of(dice: random.Random, component: str, version: tuple[int, int]) -> dict[str, str]:
    """Two to six settings: all of them valid by the catalog, one that is not, or as they come."""
    known = drawn_from(component, version)
    names = sorted(known)
    count = dice.randint(2, 6)
    keys = list(dict.fromkeys(related(dice, names, dice.randint(1, count)) + dice.sample(names, count)))[:count]
    share = dice.choice((0, 0, 0, 1, 1, 2))
    wrong = {dice.choice(keys)} if share == 1 else set(keys) if share == 2 else set()
    change = {key: value_of(dice, known[key], key in wrong, version) for key in keys}
    if dice.random() < 0.2:
        change |= dice.choice(PACKS)
    return change


def drawn_from(component: str, version: tuple[int, int]) -> Mapping[str, tuple[str, tuple[Any, ...]]]:
    """The keys that may be drawn, each with its name without prefix and its definition."""
    found = {key: (key, row) for key, row in definitions(component, version).items() if key not in FIXED}
    for prefix, inner in INNER.get(component, {}).items():
        rows = {key: row for key, row in definitions(inner, version).items() if key not in FIXED}
        found |= {prefix + key: (key, row) for key, row in rows.items() if prefix + key not in found}
    return found


def value_of(dice: random.Random, known: tuple[str, tuple[Any, ...]], any_value: bool, version: tuple[int, int]) -> str:
    """A value of the key: any, or one that the catalog takes."""
    key, row = known
    drawn = values(row)
    if key in FEW:
        drawn = [value for value in drawn if len(value.strip()) < 3 and value.strip() != "10"]
    definition = Definition(key, row)
    valid = [value for value in drawn if refusal(definition, value) is None]
    if row[0] == "class" and row[1]:
        valid = [row[1]]
    return dice.choice(drawn if any_value or not valid else valid)
