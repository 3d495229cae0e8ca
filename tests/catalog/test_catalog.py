"""The catalog: definitions of every version, what happened to a key, and which version a text names."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import catalog
from advisor.catalog import build, spelling, valid_values
from advisor.catalog.support_dates import AS_OF, CONFLUENT, END_OF_SUPPORT, MSK, ended, is_listed
from advisor.catalog.target import release_of, target_of, vendor_of
from advisor.model import Version
from tests.support.releases import defined, releases_of

SOURCE = Path(__file__).parents[3] / "shared" / "catalog"
needs_source = pytest.mark.skipif(not SOURCE.is_dir(), reason="the catalogs of ../shared are not here")


@needs_source
def test_the_generated_modules_are_what_build_makes() -> None:
    made = build.modules(SOURCE)
    assert {path.name for path in build.TARGET.glob("*.py")} == set(made)
    for name, text in made.items():
        assert (build.TARGET / name).read_text(encoding="utf-8") == text, f"{name} is stale: run advisor.catalog.build"


def test_every_definition_of_every_version_can_be_loaded() -> None:
    assert len(releases_of()) > 20
    for component, versions in releases_of().items():
        assert versions
        for version in versions:
            rows = catalog.definitions(component, version)
            assert rows
            assert all(catalog.Definition(key, row).type for key, row in rows.items())


def test_a_component_that_a_version_lacks_is_empty() -> None:
    assert catalog.definitions("group", (2, 0)) == {}
    assert catalog.definitions("nonsense", (4, 4)) == {}


def test_build_wants_one_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert build.main([]) == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize(
    "component, version, key, type_, default",
    [
        ("producer", (3, 9), "linger.ms", "long", "0"),
        ("producer", (4, 0), "linger.ms", "long", "5"),
        ("producer", (2, 8), "acks", "string", "1"),
        ("producer", (3, 0), "acks", "string", "all"),
        ("broker", (2, 4), "replica.lag.time.max.ms", "long", "10000"),
        ("broker", (4, 4), "log.dirs", "list", None),
        ("broker", (4, 0), "node.id", "int", None),
        ("topic", (4, 4), "min.insync.replicas", "int", "1"),
        ("connect-standalone", (3, 9), "offset.storage.file.filename", "string", None),
        ("librdkafka", (4, 4), "enable.idempotence", "boolean", "false"),
    ],
)
def test_definitions(component: str, version: Version, key: str, type_: str, default: str | None) -> None:
    found = defined(component, version, key)
    assert (found.name, found.type, found.default) == (key, type_, default)


def test_a_required_key_has_no_default() -> None:
    assert defined("broker", (4, 0), "node.id").required
    assert not defined("broker", (3, 9), "node.id").required


def test_names_outside_the_documentation_are_marked() -> None:
    assert defined("broker", (2, 8), "process.roles").importance == "internal"
    assert defined("broker", (3, 0), "process.roles").importance == "high"


def test_what_does_not_exist_is_none_or_empty() -> None:
    assert catalog.lookup("broker", (4, 0), "zookeeper.connect") is None
    assert catalog.lookup("broker", (9, 9), "log.dirs") is None
    assert catalog.definitions("group", (3, 9)) == {}
    assert catalog.definitions("no-such-component", (4, 4)) == {}


def test_sensitive() -> None:
    assert catalog.sensitive(defined("broker", (4, 4), "ssl.key.password"))
    assert catalog.sensitive(defined("librdkafka", (4, 4), "sasl.password"))
    assert not catalog.sensitive(defined("broker", (4, 4), "ssl.keystore.location"))


def test_update_mode() -> None:
    assert defined("broker", (4, 4), "log.retention.ms").update_mode == "cluster-wide"


def test_librdkafka_aliases_and_roles() -> None:
    assert (catalog.role("linger.ms"), catalog.role("fetch.min.bytes"), catalog.role("client.id")) == ("P", "C", "*")
    assert catalog.role("no.such.key") is None


@pytest.mark.parametrize(
    "component, key, version, was, is_, reference",
    [
        ("producer", "linger.ms", (4, 0), "0", "5", "KIP-1030"),
        ("producer", "acks", (3, 0), "1", "all", "KIP-679"),
        ("producer", "enable.idempotence", (3, 0), "false", "true", None),
        ("consumer", "session.timeout.ms", (3, 0), "10000", "45000", "KIP-735"),
        ("consumer", "group.id", (2, 2), "", None, "KIP-289"),
        ("broker", "replica.lag.time.max.ms", (2, 5), "10000", "30000", "KIP-537"),
        ("topic", "message.timestamp.after.max.ms", (4, 0), "9223372036854775807", "3600000", "KIP-1030"),
    ],
)
def test_changed_defaults(
    component: str, key: str, version: Version, was: str, is_: str, reference: str | None
) -> None:
    changes = catalog.key_history(component, key).defaults
    assert (version, was, is_) in [change[:3] for change in changes]
    assert reference is None or reference in [change[3] for change in changes]


@pytest.mark.parametrize(
    "component, key, removed, replacement",
    [
        ("broker", "zookeeper.connect", (4, 0), None),
        ("broker", "advertised.host.name", (3, 0), "advertised.listeners"),
        ("broker", "port", (3, 0), "listeners"),
        ("broker", "delegation.token.master.key", (4, 0), "delegation.token.secret.key"),
        ("broker", "zookeeper.sync.time.ms", (3, 2), None),
        ("broker", "group.share.max.groups", (4, 1), None),
        ("topic", "message.format.version", (4, 0), None),
        ("streams", "partition.grouper", (3, 0), None),
        ("connect", "rest.port", (3, 0), "listeners"),
        ("connect-worker", "rest.port", (3, 0), "listeners"),
        ("mm2-source", "topics.blacklist", (4, 0), "topics.exclude"),
        ("mm2-connector", "topics.blacklist", (4, 0), None),
        ("broker", "sasl.server.max.receive.size", None, None),
        ("broker", "group.consumer.migration.policy", None, None),
        ("mm2-source", "retries", None, None),
        ("broker", "log.dirs", None, None),
    ],
)
def test_removed_keys(component: str, key: str, removed: Version, replacement: str | None) -> None:
    found = catalog.key_history(component, key)
    assert found.removed == removed
    assert replacement is None or found.replacement == replacement


def test_a_removal_without_replacement_says_why() -> None:
    found = catalog.key_history("broker", "broker.id.generation.enable")
    assert (found.replacement, found.note) == (None, "set node.id")
    assert found.reference == "KIP-500 (ZK removal)"


def test_since_counts_what_the_documentation_hid() -> None:
    found = catalog.key_history("broker", "process.roles")
    assert (found.since, found.removed) == ((2, 8), None)
    assert catalog.key_history("topic", "errors.deadletterqueue.group.enable").since == (4, 4)
    assert catalog.key_history("broker", "log.dirs").since == (2, 0)


def test_deprecated_keys() -> None:
    found = catalog.key_history("broker", "broker.id")
    assert (found.deprecated, found.deprecated_replacement, found.removed_in) == ((4, 4), "node.id", (5, 0))
    assert found.reference == "KIP-1232"
    assert catalog.key_history("topic", "message.format.version").deprecated == (3, 0)
    assert catalog.key_history("connect-source", "tasks.max.enforce").deprecated_note == "leave it true"


def test_deprecated_values_do_not_make_the_key_deprecated() -> None:
    found = catalog.key_history("streams", "processing.guarantee")
    assert found.deprecated is None
    assert found.deprecated_values[0][:3] == ((3, 0), ("exactly_once", "exactly_once_beta"), "exactly_once_v2")


def test_renamed_keys() -> None:
    assert catalog.key_history("broker", "delegation.token.master.key").renamed_to == "delegation.token.secret.key"
    assert catalog.key_history("streams", "cache.max.bytes.buffering").renamed_to == "statestore.cache.max.bytes"


def test_changed_types_modes_and_ranges() -> None:
    before, after = (defined("broker", version, "log.dirs") for version in ((4, 1), (4, 2)))
    assert (before.type, after.type) == ("string", "list")
    before, after = (defined("broker", version, "advertised.listeners") for version in ((3, 9), (4, 0)))
    assert (before.update_mode, after.update_mode) == ("per-broker", "read-only")
    before, after = (defined("topic", version, "retention.ms") for version in ((2, 1), (2, 2)))
    assert (before.valid, after.valid) == (None, ("range", -1, None))


def test_a_row_of_the_history_holds_for_as_long_as_nothing_of_it_changes() -> None:
    from advisor.catalog.history import producer

    rows: Sequence[Any] = producer.DEFINITIONS["linger.ms"]
    assert [(first, last, row[1]) for first, last, row in rows[-2:]] == [((2, 2), (3, 9), "0"), ((4, 0), None, "5")]


def test_history_of_an_unknown_key_is_empty() -> None:
    found = catalog.key_history("broker", "no.such.key")
    assert (found.since, found.removed, found.defaults, found.renamed_to) == (None, None, (), None)


def test_known_anywhere() -> None:
    assert catalog.known_anywhere("acks") == ("librdkafka", "producer")
    assert "broker" in catalog.known_anywhere("zookeeper.connect")
    assert catalog.known_anywhere("min.insync.replica") == ()
    assert catalog.known_anywhere("acks batch.size") == ()


def test_synonyms() -> None:
    assert catalog.synonyms("retention.ms") == (
        ("log.retention.ms", 1),
        ("log.retention.minutes", 60_000),
        ("log.retention.hours", 3_600_000),
    )
    assert catalog.synonyms("message.format.version") == (("log.message.format.version", 1),)
    assert catalog.synonyms("remote.storage.enable") == ()


@pytest.mark.parametrize("key", ["segment.bytes", "retention.ms", "message.format.version", "compression.zstd.level"])
def test_every_synonym_is_a_broker_key_of_some_version(key: str) -> None:
    assert all("broker" in catalog.known_anywhere(broker_key) for broker_key, _ in catalog.synonyms(key))


# --- spelling ---


@pytest.mark.parametrize(
    "written, meant",
    [
        ("min.insync.replica", "min.insync.replicas"),
        ("log.retention.hour", "log.retention.hours"),
        ("log.retnetion.ms", "log.retention.ms"),
        ("unclean.leader.elections.enabled", "unclean.leader.election.enable"),
        ("ack", None),
        ("something.else.entirely", None),
    ],
)
def test_closest_broker_key(written: str, meant: str | None) -> None:
    assert catalog.closest(written, catalog.definitions("broker", (4, 4))) == meant


def test_a_short_key_may_be_one_slip_away_only() -> None:
    assert catalog.closest("acs", ["acks"]) == "acks"
    assert catalog.closest("as", ["acks"]) is None
    assert catalog.closest("retris", ["tries", "retries"]) == "retries"


def test_of_equals_the_first_in_the_alphabet() -> None:
    assert catalog.closest("abcdefX", ["abcdefZ", "abcdefY", "abcdef"]) == "abcdef"
    assert catalog.closest("abcdefX", reversed(["abcdefY", "abcdefZ"])) == "abcdefY"


def plain_distance(one: str, other: str) -> int:
    """Optimal string alignment as the textbook has it."""
    table = [[max(i, j) if not i or not j else 0 for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            table[i][j] = min(
                table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (one[i - 1] != other[j - 1])
            )
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


words = st.text("ab.c", max_size=9)


@given(words, words, st.integers(0, 3))
def test_the_distance_is_the_textbook_one(one: str, other: str, limit: int) -> None:
    assert spelling.distance(one, other, limit) == min(plain_distance(one, other), limit + 1)


@given(words, words)
def test_the_distance_is_the_same_both_ways(one: str, other: str) -> None:
    assert spelling.distance(one, other, 9) == spelling.distance(other, one, 9)


@given(words, st.lists(words))
def test_closest_does_not_depend_on_the_order(key: str, candidates: list[str]) -> None:
    assert spelling.closest(key, candidates) == spelling.closest(key, sorted(candidates))


# --- target ---


@pytest.mark.parametrize(
    "text, version",
    [
        ("3.9", (3, 9)),
        ("3.9.2", (3, 9)),
        ("v3.9", (3, 9)),
        (" 4.4 ", (4, 4)),
        ("4.0.0-rc1", (4, 0)),
        ("2.8-IV1", (2, 8)),
        ("3.3-IV3", (3, 3)),
        ("3.7.x", (3, 7)),
        ("cp7.9", (3, 9)),
        ("CP-8.4", (4, 4)),
        ("cp5.5.1", (2, 5)),
        ("7.9.1-ccs", (3, 9)),
        ("6.0.0-ce", (2, 6)),
        ("cp6.2", (2, 8)),
        ("msk3.6", (3, 6)),
        ("MSK-3.6.0", (3, 6)),
        ("2.8.2.tiered", (2, 8)),
        ("3.7.x.kraft", (3, 7)),
    ],
)
def test_target(text: str, version: Version) -> None:
    assert release_of(text) == (version, None)


@pytest.mark.parametrize(
    "text, vendor",
    [
        ("3.9", None),
        ("v3.9.1", None),
        ("2.8-IV1", None),
        ("cp7.9", (CONFLUENT, (7, 9))),
        ("7.9.1-ccs", (CONFLUENT, (7, 9))),
        ("6.0.0-ce", (CONFLUENT, (6, 0))),
        ("msk3.6.0", (MSK, (3, 6))),
        ("2.8.2-tiered", (MSK, (2, 8))),
        ("3.7.x.kraft", (MSK, (3, 7))),
    ],
)
def test_vendor(text: str, vendor: tuple[str, Version] | None) -> None:
    assert vendor_of(text) == vendor
    assert target_of(text, "--kafka-version").vendor == vendor


def test_support_ends_on_days_and_no_clock_is_asked() -> None:
    days = [day for table in END_OF_SUPPORT.values() for day in table.values()]
    assert [day for day in (AS_OF, *days) if date.fromisoformat(day).isoformat() != day] == []
    assert ended(CONFLUENT, (7, 7)) == "2026-07-26"
    assert (ended(CONFLUENT, (7, 9)), ended(CONFLUENT, (8, 0)), ended(MSK, (3, 7))) == (None, None, None)
    assert is_listed(CONFLUENT, (8, 0))
    assert not is_listed(MSK, (3, 0))


@pytest.mark.parametrize(
    "text, version, note",
    [
        ("0.10.2", (2, 0), "Kafka 0.10 is older than the catalogs, which begin with 2.0: judged as 2.0."),
        ("1.1", (2, 0), "Kafka 1.1 is older than the catalogs, which begin with 2.0: judged as 2.0."),
        ("2.9", (2, 8), "There is no Kafka 2.9: judged as 2.8."),
        ("4.5", (4, 4), "Kafka 4.5 is newer than the catalogs: judged as 4.4."),
        (
            "5.0",
            (4, 4),
            "Kafka 5.0 is newer than the catalogs (Confluent Platform is written cp5.0): judged as 4.4.",
        ),
        ("cp8.5", (4, 4), "Confluent Platform 8.5 is newer than the catalogs: judged as Kafka 4.4."),
        (
            "cp4.1",
            (2, 0),
            "Confluent Platform 4.1 is older than the catalogs, which begin with Kafka 2.0: judged as 2.0.",
        ),
        ("cp6.7", (2, 8), "Confluent Platform 6.7 does not exist: judged as Kafka 2.8."),
    ],
)
def test_target_outside_the_catalogs(text: str, version: Version, note: str | None) -> None:
    assert release_of(text) == (version, note)


@pytest.mark.parametrize(
    "text", ["", "4", "latest", "3", "3.", ".9", "3.x", "3.9.y", "v", "cp", "3,9", "-1.0", "3.9-", "3.9 4.0", "²"]
)
def test_target_refuses_nonsense_in_one_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="is not a Kafka version: write it like") as refused:
        release_of(text)
    assert str(refused.value).count("\n") == 0


@given(st.text(max_size=12))
def test_target_answers_or_raises_value_error(text: str) -> None:
    try:
        version, _ = release_of(text)
    except ValueError:
        return
    assert version in catalog.VERSIONS


@given(st.sampled_from(catalog.VERSIONS), st.integers(0, 99))
def test_target_of_every_patch(version: Version, patch: int) -> None:
    assert release_of(f"{version[0]}.{version[1]}.{patch}") == (version, None)


def test_versions() -> None:
    assert len(catalog.VERSIONS) == 24
    assert catalog.VERSIONS[-1] == catalog.NEWEST
    assert catalog.LAST_ZOOKEEPER in catalog.VERSIONS


# --- what Kafka prints as valid values ---


@pytest.mark.parametrize(
    "text, constant",
    [
        ("[0,...]", ("range", 0, None)),
        ("[-131072,...,22]", ("range", -131072, 22)),
        ("[0.5,...,1.0]", ("range", 0.5, 1.0)),
        ("[1,...,9] or -1", ("range_or", 1, 9, -1)),
        ("[INFO, DEBUG]", ("in", ("INFO", "DEBUG"))),
        ("[null, 2.4]", ("in", (None, "2.4"))),
        ("(case insensitive) [REBOOTSTRAP, NONE]", ("in_ci", ("REBOOTSTRAP", "NONE"))),
        ("[latest, earliest, by_duration:PnDTnHnMn.nS]", ("in_or_duration", ("latest", "earliest"))),
        ("[all, none, one.thing]", ("one_or_some", ("all", "none"), ("one.thing",))),
        ("[none, all]", ("in", ("none", "all"))),
        ("[0.8.0, 0.8.1]", ("kafka_version", ("0.8.0", "0.8.1"), (3, 9))),
        ("non-null string", None),
        ("non-empty string", ("nonempty",)),
        ("whatever a validator says", ("text", "whatever a validator says")),
    ],
)
def test_printed_valid_values(text: str, constant: tuple[object, ...] | None) -> None:
    assert valid_values.valid("broker", (3, 9), "some.key", "string", text) == constant


def test_what_kafka_really_does_wins_over_what_it_prints() -> None:
    assert (defined("consumer", (4, 4), "share.acquire.mode").valid or ())[:1] == ("in_ci",)
    _, protocols = defined("broker", (3, 9), "group.coordinator.rebalance.protocols").valid or ("", ())
    assert isinstance(protocols, tuple) and "unknown" in protocols
