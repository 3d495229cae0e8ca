"""What Kafka makes of the text of a setting: parsing, ranges and lists, against what it really accepted."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import catalog
from advisor.catalog import Definition
from advisor.catalog.validators import CHECKS
from advisor.catalog.values import Invalid, parse, refusal
from advisor.model import Version
from tests.support.releases import defined, releases_of

ROWS = Path(__file__).parents[3] / "shared" / "catalog" / "start-refusals.jsonl"
needs_rows = pytest.mark.skipif(not ROWS.is_file(), reason="start-refusals.jsonl of ../shared is not here")

THROTTLED = "must be * or a list of partition:broker, such as 0:1,1:2"
WHOLE = "must be a whole number between -2147483648 and 2147483647"


def of_type(kind: str, valid: tuple[object, ...] | None = None) -> Definition:
    return Definition("some.key", (kind, None, False, valid, None, None))


def said(component: str, version: str, key: str, text: str) -> str | None:
    return refusal(defined(component, pair(version), key), text)


def pair(version: str) -> Version:
    major, minor = map(int, version.split("."))
    return major, minor


@pytest.mark.parametrize(
    "kind, text, value",
    [
        ("int", "5", 5),
        ("int", " +5\t", 5),
        ("int", "-0", 0),
        ("int", "-2147483648", -(2**31)),
        ("int", "0" * 5000 + "7", 7),
        ("long", "9223372036854775807", 2**63 - 1),
        ("short", "-32768", -32768),
        ("double", "0.5", 0.5),
        ("double", "1e3", 1000.0),
        ("double", ".5d", 0.5),
        ("double", "5.F", 5.0),
        ("double", "-Infinity", float("-inf")),
        ("double", "0x1.8p1", 3.0),
        ("boolean", " TRUE ", True),
        ("boolean", "False", False),
        ("list", "", ()),
        ("list", "  ", ()),
        ("list", "a , b,c", ("a", "b", "c")),
        ("list", "a,,b,", ("a", "", "b", "")),
        ("string", "  a b ", "a b"),
        ("string", "\u00a0a", "\u00a0a"),
        ("password", " secret ", "secret"),
        ("class", "org.example.Thing", "org.example.Thing"),
    ],
)
def test_parse(kind: str, text: str, value: object) -> None:
    assert parse(of_type(kind), text) == value


@pytest.mark.parametrize(
    "kind, text, reason",
    [
        *(("int", text, WHOLE) for text in ["", "+", "-", "+-1", "1e6", "1_000", "1 000"]),
        *(("int", text, WHOLE) for text in ["10GB", "2.0", "0x10", "2147483648"]),
        ("int", "9" * 5000, WHOLE),
        ("short", "32768", "must be a whole number between -32768 and 32767"),
        ("long", "9223372036854775808", "must be a whole number between -9223372036854775808 and 9223372036854775807"),
        *(("double", text, "must be a number") for text in ["", "nan", "inf", "infinity", "1_0", "1,5", "0x1.8", "d"]),
        *(("boolean", text, "takes only true or false") for text in ["", "yes", "1", "on", "t"]),
        ("class", " ", "must name a class"),
    ],
)
def test_parse_refuses(kind: str, text: str, reason: str) -> None:
    with pytest.raises(Invalid, match=f"^{re.escape(reason)}$"):
        parse(of_type(kind), text)
    assert refusal(of_type(kind), text) == reason


@given(st.text("0123456789+-_ e.", max_size=12))
def test_whole_numbers_are_what_java_reads(text: str) -> None:
    reference = re.fullmatch(r"[+-]?[0-9]+", text.strip()) and -(2**31) <= int(text.strip()) < 2**31
    if reference:
        assert parse(of_type("int"), text) == int(text)
    else:
        with pytest.raises(Invalid):
            parse(of_type("int"), text)


@given(st.integers())
def test_every_int_and_no_other_number_is_an_int(number: float) -> None:
    assert (refusal(of_type("int"), str(number)) is None) == (-(2**31) <= number < 2**31)


JAVA_DOUBLE = re.compile(
    r"[+-]?(NaN|Infinity|((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"
    r"|0[xX]([0-9a-fA-F]+\.?|[0-9a-fA-F]*\.[0-9a-fA-F]+)[pP][+-]?\d+)[fFdD]?)"
)


@given(st.text("0129.eE+-dfxXpPa_ ", max_size=9))
def test_doubles_are_what_java_reads(text: str) -> None:
    assert (refusal(of_type("double"), text) is None) == bool(JAVA_DOUBLE.fullmatch(text.strip()))


@given(st.floats())
def test_every_double_is_read_back(number: float) -> None:
    text = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(repr(number), repr(number))
    assert repr(parse(of_type("double"), text)) == repr(number)


@given(st.lists(st.text("ab c", min_size=1, max_size=4).filter(lambda text: text.strip() == text), min_size=1))
def test_lists_are_split_at_commas(entries: list[str]) -> None:
    assert parse(of_type("list"), " , ".join(entries)) == tuple(entries)


@pytest.mark.parametrize(
    "component, version, key, text, reason",
    [
        ("broker", "4.4", "min.insync.replicas", "2 # two", WHOLE),
        ("broker", "4.4", "min.insync.replicas", "0", "must be at least 1"),
        ("broker", "4.4", "log.cleaner.min.cleanable.ratio", "1.5", "must be at most 1"),
        ("broker", "4.4", "log.cleaner.min.cleanable.ratio", "NaN", None),
        ("broker", "3.9", "log.segment.bytes", "1000", None),
        ("broker", "4.0", "log.segment.bytes", "1000", "must be at least 1048576"),
        ("broker", "4.0", "compression.gzip.level", "10", "must be between 1 and 9 or equal to -1"),
        ("broker", "4.0", "compression.gzip.level", "-1", None),
        ("broker", "4.4", "log.cleanup.policy", "", None),
        ("broker", "4.4", "log.cleanup.policy", "delete,delete", None),
        ("broker", "4.4", "log.cleanup.policy", "delete, Compact", "takes only compact, delete"),
        ("broker", "3.9", "process.roles", "", None),
        ("broker", "4.3", "process.roles", "", "must not be empty"),
        ("broker", "4.3", "listeners", "", "must not be empty"),
        ("broker", "4.3", "log.dirs", "/a,,/b", "must not hold an empty entry: take out the comma too many"),
        ("broker", "4.1", "ssl.enabled.protocols", "TLSv1.3,", None),
        (
            "broker",
            "4.2",
            "ssl.enabled.protocols",
            "TLSv1.3,",
            "must not hold an empty entry: take out the comma too many",
        ),
        ("broker", "4.4", "controller.quorum.voters", "", None),
        ("broker", "4.4", "controller.quorum.voters", "1@b1:9093, 2@[::1]:9093", None),
        ("broker", "4.4", "controller.quorum.voters", "1@b1", "must be a list of id@host:port"),
        ("broker", "4.4", "controller.quorum.voters", "b1:9093", "must be a list of id@host:port"),
        ("broker", "4.4", "controller.quorum.bootstrap.servers", "b1", "must be a list of host:port"),
        ("broker", "4.4", "max.connections.per.ip.overrides", "127.0.0.1:5, host:7", None),
        ("broker", "4.4", "max.connections.per.ip.overrides", "127.0.0.1", "must be a list of host:number"),
        ("broker", "3.9", "inter.broker.protocol.version", "3.9", None),
        ("broker", "3.9", "inter.broker.protocol.version", "2.8.1", None),
        ("broker", "3.9", "inter.broker.protocol.version", "0.10.2.1", None),
        ("broker", "3.3", "inter.broker.protocol.version", "3.4", "takes only versions from 0.8.0 to 3.3-IV3"),
        ("consumer", "4.4", "group.instance.id", " ", "must not be empty"),
        ("consumer", "4.4", "security.protocol", "sasl_ssl", None),
        ("consumer", "2.8", "security.protocol", "TLS", "takes only PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL"),
        ("consumer", "4.4", "isolation.level", "READ_COMMITTED", "takes only read_committed, read_uncommitted"),
        ("consumer", "4.4", "share.acquire.mode", "Record_Limit", None),
        ("consumer", "3.9", "auto.offset.reset", "by_duration:PT1H", "takes only latest, earliest, none"),
        ("producer", "4.0", "bootstrap.servers", ",", "must not be empty"),
        ("producer", "4.0", "bootstrap.servers", "b1:9092,", None),
        ("producer", "4.0", "bootstrap.servers", "127.0.0.1", "must be a list of host:port"),
        ("connect", "4.3", "offset.storage.partitions", "0", "must be at least 1 or equal to -1"),
        ("connect", "3.0", "admin.listeners", "", None),
        ("connect-source", "4.3", "transforms", "a,b,a", "must not name the same alias twice"),
        ("connect-source", "4.3", "name", "a\x01b", "must not contain control characters"),
        ("streams", "4.3", "rack.aware.assignment.tags", "a,b,c,d,e,f", "must hold at most 5 entries"),
        ("streams", "4.3", "topology.optimization", "merge.repartition.topics,reuse.ktable.source.topics", None),
        ("topic", "4.4", "leader.replication.throttled.replicas", "*", None),
        ("topic", "4.4", "leader.replication.throttled.replicas", "0:1,1:2", None),
        ("topic", "4.4", "leader.replication.throttled.replicas", "0;1", THROTTLED),
        ("librdkafka", "4.4", "enable.idempotence", "1", None),
        ("librdkafka", "4.4", "enable.idempotence", "yes", "takes only true or false"),
        ("librdkafka", "4.4", "compression.codec", "LZ4", None),
        ("librdkafka", "4.4", "acks", "all", None),
        ("connect-sink", "4.3", "topics.regex", "(", None),
    ],
)
def test_refusal(component: str, version: str, key: str, text: str, reason: str | None) -> None:
    assert said(component, version, key, text) == reason


@pytest.mark.parametrize(
    "text", ["PT1H", "P1D", "pt0.5s", "P1DT2H3M4.5S", "PT-1H61M", "-PT-1H", "+PT1S", "PT1.S", "PT1,5S", "PT0S"]
)
def test_durations_that_java_reads(text: str) -> None:
    assert said("consumer", "4.4", "auto.offset.reset", f"by_duration:{text}") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "P",
        "PT",
        "P1DT",
        "1H",
        "PT1H1H",
        "PT1M1H",
        "P1H",
        "PT1.5M",
        "PT-1H",
        "-PT1H",
        "--PT1H",
        "PT.5S",
        "PT1",
        "P1Y",
    ],
)
def test_durations_that_java_refuses(text: str) -> None:
    reason = "takes only latest, earliest, none or by_duration:PnDTnHnMn.nS"
    assert said("consumer", "4.4", "auto.offset.reset", f"by_duration:{text}") == reason
    assert said("consumer", "4.4", "auto.offset.reset", "by_duration") == reason


def test_every_kind_of_check_is_known_and_every_default_passes() -> None:
    refused = set()
    for component, versions in releases_of().items():
        for version in versions:
            for key in catalog.definitions(component, version):
                found = defined(component, version, key)
                assert found.valid is None or str(found.valid[0]) in CHECKS
                if found.default is not None and (reason := refusal(found, found.default)):
                    refused.add((component, version, key, found.default, reason))
    print(sorted(refused))
    assert {key for _, _, key, _, _ in refused} <= NO_DEFAULTS


# Keys whose printed default stands for "not set": Kafka does not check it as it would check the same text in a file.
NO_DEFAULTS = {"bootstrap.servers"}


# --- what real Kafka accepted and refused ---


def rows(outcomes: tuple[str, ...]) -> list[dict[str, Any]]:
    read = (json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines())
    return [row for row in read if row["outcome"] in outcomes]


def refusals(row: dict[str, Any]) -> dict[str, str]:
    """What is said of each setting that the catalog knows."""
    version, found = pair(row["version"]), {}
    for key, text in row["settings"].items():
        component, name = ("broker", key[7:]) if key.startswith("broker:") else (row["component"], key)
        definition = catalog.lookup(component, version, name)
        if definition and (reason := refusal(definition, text)):
            found[key] = reason
    return found


@needs_rows
def test_nothing_that_kafka_accepts_is_refused() -> None:
    wrong = [(row["id"], found) for row in rows(("accepted", "changed")) if (found := refusals(row))]
    print(wrong)
    assert not wrong


@needs_rows
def test_what_kafka_refuses_by_type_range_or_list_is_refused_in_its_words() -> None:
    said_by_kafka = re.compile(
        r"([a-z.]+) (must be at (?:least|most) [-\d.]+|takes only .*|must not be empty|must be between .*)"
    )
    compared, wrong = 0, []
    for row in rows(("refused",)):
        if match := said_by_kafka.fullmatch(row["detail"]):
            compared += 1
            if refusals(row).get(match[1]) != match[2]:
                wrong.append((row["id"], row["detail"], refusals(row)))
    print(compared, wrong)
    assert compared > 450
    assert not wrong
