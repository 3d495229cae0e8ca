"""A harmless step of any key of the catalog brings no finding about the change."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

import pytest

from advisor.catalog import VERSIONS, definitions
from advisor.catalog.keys import COMPONENTS, SYNONYMS
from advisor.engine import judge
from advisor.engine.former_side import FormerSide
from advisor.engine.policy import Policy
from advisor.model import Entity, Snapshot, Target
from collectors.files.reader import entity_of
from rules import all_rules
from tests.support.simulation import MORE

CHANGE_RULES = [rule for rule in all_rules() if rule.is_of_change]
CLIENT = "bootstrap.servers=a:1,b:1\n"
COMMON = {
    "broker": "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=9@c:9093\ncontroller.listener.names=C\nlisteners=PLAINTEXT://a:1\n",
    "controller": "process.roles=controller\nnode.id=9\ncontroller.quorum.voters=9@c:9093\ncontroller.listener.names=C\nlisteners=C://c:9093\n",
    "combined": "process.roles=broker,controller\nnode.id=9\ncontroller.quorum.voters=9@c:9093\ncontroller.listener.names=C\nlisteners=C://c:9093,PLAINTEXT://c:1\n",
    "producer": CLIENT,
    "consumer": CLIENT + "group.id=g\n",
    "topic": "cleanup.policy=delete\n",
    "connect": CLIENT + "group.id=g\nconfig.storage.topic=c\noffset.storage.topic=o\nstatus.storage.topic=s\n",
    "streams": CLIENT + "application.id=a\n",
}
ZOOKEEPER = "broker.id=1\nzookeeper.connect=z1:2181,z2:2181\nlisteners=PLAINTEXT://a:1\n"
RELEASES = ((2, 8), (3, 9), (4, 0), max(VERSIONS))
ORDERED = ("ssl.enabled.protocols", "ssl.cipher.suites", "log.dirs", "partition.assignment.strategy")
"""Lists of which the first entry counts for more than the others."""
IMPLIED = "listener.security.protocol.map"
"""Its default holds a plaintext controller listener only as long as the key is not set."""
SPELLINGS = {
    "log.retention.hours": ("168", "log.retention.ms=604800000", "log.retention.minutes=10080"),
    "log.roll.hours": ("168", "log.roll.ms=604800000"),
    "log.roll.jitter.hours": ("1", "log.roll.jitter.ms=3600000"),
    "log.flush.scheduler.interval.ms": ("1000", "log.flush.interval.ms=1000"),
    "log.dir": ("/data/kafka", "log.dirs=/data/kafka", "log.dirs=/data/kafka/"),
    "listeners": ("PLAINTEXT://a:1", "listeners=plaintext://a:1", "listeners=PLAINTEXT://a:1\nadvertised.listeners=PLAINTEXT://a:1"),
    "broker.id": ("1", "node.id=1\nbroker.id=1"),
}  # fmt: skip


def entity(kind: str, release: tuple[int, int], number: int, text: str) -> Entity:
    target = Target(release, "the test says so", given=True)
    return entity_of(text, f"{kind}-{number}.properties", kind, target, kind)


def changes_of(kind: str, release: tuple[int, int], texts: list[tuple[str, str]]) -> dict[str, list[str]]:
    """What change rules find between the two texts of each pair, by the text after the change."""
    sides = [
        [Snapshot(f"s{number}", [entity(kind, release, number, pair[side])]) for number, pair in enumerate(texts)]
        for side in (0, 1)
    ]
    report = judge(sides[1], CHANGE_RULES, Policy(CHANGE_RULES), former=FormerSide(sides[0]))
    assert report.passed or report.not_applicable
    text_of = {f"{kind}-{number}.properties": after for number, (_, after) in enumerate(texts)}
    return {text_of[row.file or ""]: [row.rule, row.message] for row in report.findings}


def steps(kind: str, release: tuple[int, int], common: str) -> Iterator[tuple[str, str]]:
    """Every key with its default written out, and in other spellings: by turns at two of the releases, at all where more is asked for."""
    rows = [
        (key, row) for component in COMPONENTS[kind][:1] for key, row in sorted(definitions(component, release).items())
    ]
    turn = RELEASES.index(release)
    set_already = {line.partition("=")[0] for line in common.splitlines()}
    for key, row in rows:
        if MORE == 1 and (crc32(key.encode()) + turn) % 2:
            continue
        default = str(row[1]) if row[1] is not None else ""
        if not default or key in {*set_already, IMPLIED} or "\n" in default:
            continue
        synonyms = {stand_in for stand_in, _ in SYNONYMS.get(key, ())}
        if not synonyms & set_already:
            yield common, f"{common}{key}={default}\n"
        for spelling in spellings(key, default):
            yield f"{common}{key}={default}\n", f"{common}{key}={spelling}\n"


def spellings(key: str, value: str) -> Iterator[str]:
    """The same value in other words."""
    yield f"{value}  "
    if value in ("true", "false"):
        yield value.upper()
    if "," in value:
        yield value.replace(",", ", ")
        if key not in ORDERED:
            yield ",".join(reversed(value.split(",")))


@pytest.mark.parametrize("release", RELEASES, ids=str)
@pytest.mark.parametrize("kind", COMMON)
def test_a_default_that_is_written_out_or_spelled_otherwise_is_no_change(kind: str, release: tuple[int, int]) -> None:
    bases = [COMMON[kind]] + ([ZOOKEEPER] if kind == "broker" and release < (4, 0) else [])
    pairs = [pair for common in bases for pair in steps(kind, release, common)]
    assert changes_of(kind, release, pairs) == {}


@pytest.mark.parametrize("key", SPELLINGS)
def test_twins_and_aliases_are_no_change(key: str) -> None:
    value, *others = SPELLINGS[key]
    common = "".join(
        line for line in ZOOKEEPER.splitlines(True) if not line.startswith((f"{key}=", "log.", "advertised."))
    )
    pairs = [(f"{common}{key}={value}\n", f"{common}{other}\n") for other in others]
    assert changes_of("broker", (3, 9), [*pairs, *((new, old) for old, new in pairs)]) == {}


@pytest.mark.parametrize("kind", COMMON)
def test_lines_in_another_order_are_no_change(kind: str) -> None:
    lines = COMMON[kind].splitlines(keepends=True)
    assert changes_of(kind, (3, 9), [("".join(lines), "# a word\n" + "".join(reversed(lines)))]) == {}
