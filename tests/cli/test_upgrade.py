"""What `upgrade` says must, should and can be done, what changes silently, by which path, and what it cannot judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from advisor import reports
from advisor.analysis.startup import release_verdicts
from advisor.analysis.upgrade.ends import merge_ends
from advisor.analysis.upgrade.plan import MUST, SHOULD, UNKNOWN, UpgradeRow, new_row
from advisor.catalog.target import NOT_SAID
from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import write
from tests.support.commands import ROOT, run
from tests.support.upgrade_agreement import disagreements

SCHEMA = json.loads((Path(reports.__path__[0]) / "upgrade/upgrade.schema.json").read_text())
KRAFT = (
    "process.roles=broker,controller\nnode.id=1\ncontroller.quorum.voters=1@127.0.0.1:9093\n"
    "listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093\ncontroller.listener.names=CONTROLLER\n"
    "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT\nadvertised.listeners=PLAINTEXT://b:9092\n"
    "default.replication.factor=3\nmin.insync.replicas=2\nlog.dirs=/data\n"
)
BROKER = KRAFT.replace("broker,controller", "broker").replace("1@", "9@").replace(",CONTROLLER://127.0.0.1:9093", "")
ZOOKEEPER = "broker.id=1\nzookeeper.connect=z1:2181\ndefault.replication.factor=3\nmin.insync.replicas=2\n"
CLIENT = "bootstrap.servers=127.0.0.1:9\n"
PRODUCER = CLIENT + "".join(
    f"{part}.serializer=org.apache.kafka.common.serialization.StringSerializer\n" for part in ("key", "value")
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(name: str, text: str) -> str:
    Path(name).write_text(text)
    return name


def saved(text: str, name: str = "cluster.json") -> str:
    write(name, parse_cluster(text))
    return name


def plan(*arguments: object, code: int | None = None) -> dict[str, Any]:
    ran = run("upgrade", *arguments, "--format", "json")
    assert ran.code in ((0, 1) if code is None else (code,)), ran.err
    document: dict[str, Any] = ran.json
    Draft202012Validator(SCHEMA).validate(document)
    return document


@pytest.mark.parametrize(
    "text",
    [
        KRAFT + "log.message.format.version=2.8\nnum.io.threads=0\nmessage.max.bytes=x\n",
        ZOOKEEPER + "inter.broker.protocol.version=2.8\nlog.cleaner.enable=false\nssl.protocol=TLSv1\n",
        PRODUCER + "acks=1\nenable.idempotence=true\nlinger.ms=200000\nblock.on.buffer.full=true\n",
        CLIENT + "group.id=g\nsession.timeout.ms=1\npartition.assignment.strategy=\n",
    ],
)
def test_verdicts_shared_by_releases_are_those_of_each(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put("one.properties", text)
    plans = []
    for many in (0, 1000):
        monkeypatch.setattr(release_verdicts, "MANY", many)
        plans.append(plan("one.properties"))
    assert plans[0] == plans[1]


def keys(rows: list[dict[str, Any]], about: str = "setting") -> list[str | None]:
    return [row["key"] for row in rows if row["about"] == about]


def abouts(rows: list[dict[str, Any]]) -> list[str]:
    return [row["about"] for row in rows]


def path_of(document: dict[str, Any], number: int = 0) -> list[tuple[str, str | None, str]]:
    def verdict(starts: dict[str, Any] | None) -> str:
        return (
            next((word for word in ("refused", "unknown", "started") if starts[word]), "") if starts else "other files"
        )

    stages = document["paths"][number]["stages"]
    return [(" to ".join(each["releases"]), each["metadata"], verdict(each["starts"])) for each in stages]


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_from_zookeeper_the_path_goes_by_way_of_kraft_on_3_9() -> None:
    document = plan(put("server.properties", ZOOKEEPER), "--from", "3.6", "--to", "4.4", code=1)
    assert path_of(document) == [
        ("3.6", "zookeeper", "started"),
        ("3.9", "zookeeper", "started"),
        ("3.9", "kraft", "other files"),
        ("4.4", "kraft", "refused"),
    ]
    assert keys(document["must_before"]) == ["controller.listener.names", "process.roles"]
    sources = {row["about"]: row["source"] for row in document["must_before"] if row["about"] != "setting"}
    assert sources == {"zookeeper": "KIP-500, KIP-866", "java": "KIP-1013"}
    assert "zookeeper.connect" in keys(document["after"])
    assert keys(document["should_before"]) == ["inter.broker.protocol.version"]


def test_the_migration_comes_before_its_consequences_and_as_the_operator_has_it(tmp_path: Path) -> None:
    (tmp_path / "kafka.yaml").write_text(
        "apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nmetadata:\n  name: a\nspec:\n  kafka:\n    version: 3.7.0\n"
        "    replicas: 3\n    storage:\n      type: ephemeral\n  zookeeper:\n    replicas: 3\n    storage:\n      type: ephemeral\n"
    )
    first, *others = run("upgrade", tmp_path / "kafka.yaml", "--to", "4.4", "--format", "json").json["must_before"]
    assert "strimzi.io/kraft: migration" in first["message"]
    assert any(row["rule"] == "KA1410" for row in others)


def test_strimzis_operator_comes_first_and_decides_the_quorum(tmp_path: Path) -> None:
    (tmp_path / "kafka.yaml").write_text(
        "apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: {name: a}\nspec: {kafka: {version: 4.0.0, listeners: []}}\n---\n"
        "apiVersion: kafka.strimzi.io/v1\nkind: KafkaNodePool\nmetadata: {name: p, labels: {strimzi.io/cluster: a}}\n"
        "spec: {replicas: 3, roles: [broker, controller], storage: {type: persistent-claim, size: 100Gi}}\n"
    )
    document = run("upgrade", tmp_path / "kafka.yaml", "--to", "4.2", "--format", "json")
    assert "upgrade the operator first, to a release that knows Kafka 4.2" in document.out
    assert "kraft.version" not in document.out
    assert "controller.quorum.bootstrap.servers" not in document.out


@pytest.mark.parametrize(("version", "part"), [("3.6.0", "must_before"), ("3.8.x", "unknown")])
def test_msk_changes_no_clusters_mode(tmp_path: Path, version: str, part: str) -> None:
    (tmp_path / "msk.tf").write_text(
        f'resource "aws_msk_cluster" "a" {{\n  kafka_version = "{version}"\n  number_of_broker_nodes = 3\n'
        "  configuration_info {\n    arn = aws_msk_configuration.a.arn\n    revision = 1\n  }\n}\n"
        'resource "aws_msk_configuration" "a" {\n  server_properties = <<EOT\nmin.insync.replicas = 2\nEOT\n}\n'
    )
    rows = run("upgrade", tmp_path / "msk.tf", "--to", "4.4", "--format", "json").json[part]
    assert any("create one with KRaft, replicate the topics" in row["message"] for row in rows)


def test_in_zookeeper_mode_the_protocol_is_held_back_and_raised() -> None:
    document = plan(put("server.properties", ZOOKEEPER), "--from", "3.4", "--to", "3.9", code=0)
    assert path_of(document) == [("3.4", "zookeeper", "started"), ("3.9", "zookeeper", "started")]
    (before,) = document["should_before"]
    (after,) = (row for row in document["after"] if row["key"] == "inter.broker.protocol.version")
    assert "3.4" in before["message"] and "3.9" in after["message"]
    assert not keys(document["after"], "feature")


def test_in_4_0_the_protocol_is_a_key_to_remove() -> None:
    file = put("server.properties", KRAFT + "inter.broker.protocol.version=3.6\n")
    document = plan(file, "--from", "3.9", "--to", "4.0")
    (row,) = (row for row in document["after"] if row["key"] == "inter.broker.protocol.version")
    assert "removed the key" in row["message"]
    assert "inter.broker.protocol.version" not in keys(document["should_before"])


@pytest.mark.parametrize(
    ("settings", "start", "to", "key", "today"),
    [
        ("log.segment.bytes=100000\n", "3.9", "4.0", "log.segment.bytes", False),
        ("log.segment.bytes=100000\n", "4.0", "4.4", "log.segment.bytes", True),
        (
            "authorizer.class.name=kafka.security.authorizer.AclAuthorizer\n",
            "3.9",
            "4.4",
            "authorizer.class.name",
            False,
        ),
        ("num.io.threads=none\n", "3.9", "4.4", "num.io.threads", True),
    ],
)
def test_what_the_target_refuses_must_be_done_before(settings: str, start: str, to: str, key: str, today: bool) -> None:
    document = plan(put("server.properties", KRAFT + settings), "--from", start, "--to", to, "--java", 17, code=1)
    (row,) = document["must_before"]
    assert (row["key"], row["refused_today"], row["places"][0]["line"]) == (key, today, KRAFT.count("\n") + 1)


@pytest.mark.parametrize(
    ("kind", "text", "start", "to", "java", "needed"),
    [
        ("combined", KRAFT, "3.9", "4.0", None, True),
        ("combined", KRAFT, "3.9", "4.0", 11, True),
        ("combined", KRAFT, "3.9", "4.0", 17, False),
        ("combined", KRAFT, "4.0", "4.4", None, False),
        ("combined", KRAFT, "3.6", "3.9", None, False),
        ("producer", PRODUCER, "3.9", "4.0", 8, True),
        ("producer", PRODUCER, "3.9", "4.0", 11, False),
    ],
)
def test_4_0_needs_a_newer_java(kind: str, text: str, start: str, to: str, java: int | None, needed: bool) -> None:
    options = [] if java is None else ["--java", java]
    document = plan(put("x.properties", text), "--kind", kind, "--from", start, "--to", to, *options)
    assert abouts(document["must_before"]) == (["java"] if needed else [])


def test_an_image_brings_its_java_and_says_the_release() -> None:
    text = "services:\n  kafka:\n    image: apache/kafka:3.9.0\n    environment:\n"
    lines = KRAFT.replace("=", ": ").splitlines()
    text += "".join(
        f"      KAFKA_{line.partition(':')[0].upper().replace('.', '_')}:{line.partition(':')[2]}\n" for line in lines
    )
    document = plan(put("compose.yml", text), "--to", "4.4", code=0)
    (subject,) = document["subjects"]
    assert subject["present"]["releases"] == ["3.9"] and "apache/kafka:3.9.0" in subject["present"]["reason"]


def test_old_clients_go_by_way_of_3_9_before_the_brokers() -> None:
    document = plan(put("p.properties", PRODUCER), "--from", "2.0", "--to", "4.4", "--java", 17, code=1)
    assert [(row["about"], row["source"]) for row in document["must_before"]] == [("client", "KIP-896")]
    assert [release for release, _, _ in path_of(document)] == ["2.0", "3.9", "4.4"]
    document = plan("p.properties", "--from", "2.1", "--to", "4.4", "--java", 17, code=0)
    assert [release for release, _, _ in path_of(document)] == ["2.1", "4.4"]


def test_silent_changes_come_worst_first() -> None:
    document = plan(put("p.properties", PRODUCER), "--from", "2.8", "--to", "4.4")
    changes = {row["key"]: (row["old"], row["new"]) for row in document["changes_silently"]}
    assert changes["linger.ms"] == ("0", "5") and changes["acks"] == ("1", "all")
    assert keys(document["changes_silently"])[:3] == ["linger.ms", "acks", "enable.idempotence"]
    set_by_file = plan(put("p.properties", PRODUCER + "linger.ms=0\n"), "--from", "2.8", "--to", "4.4")
    assert "linger.ms" not in keys(set_by_file["changes_silently"])


@pytest.mark.parametrize(
    ("controller", "start", "to", "changes"),
    [
        ("", "3.9", "4.1", True),
        ("", "3.9", "4.0", False),
        ("", "4.1", "4.4", False),
        ("1", "3.9", "4.1", True),
        ("2", "3.9", "4.1", False),
    ],
)
def test_min_insync_replicas_of_brokers_files_ends_with_elr(
    controller: str, start: str, to: str, changes: bool
) -> None:
    files = [put("broker.properties", BROKER)]
    if controller:
        text = KRAFT.replace("broker,controller", "controller").replace("PLAINTEXT://127.0.0.1:9092,", "")
        text = text.replace("node.id=1", "node.id=9").replace("1@", "9@").replace("advertised.listeners", "#")
        files.append(put("c.properties", text.replace("replicas=2", f"replicas={controller}")))
    document = plan(*files, "--from", start, "--to", to)
    assert ("min.insync.replicas" in keys(document["changes_silently"])) == changes
    assert bool(keys(document["changes_silently"], "feature")) == (start < "4.1" <= to)
    if changes:
        assert document["changes_silently"][0]["key"] == "min.insync.replicas"


def test_removed_keys_that_did_something_go_before_and_others_after() -> None:
    dead = "log.message.downconversion.enable=true\nadvertised.port=9092\n"
    live = "log.message.format.version=3.0\nlog.cleaner.enable=true\nbroker.id.generation.enable=false\n"
    document = plan(put("s.properties", KRAFT + dead + live), "--from", "3.9", "--to", "4.0")
    should = keys(document["should_before"])
    assert "broker.id.generation.enable" in should
    assert {"log.message.downconversion.enable", "advertised.port"} <= set(keys(document["after"])) - set(should)


def test_deprecated_values_should_be_changed_before_they_are_refused() -> None:
    file = put("s.properties", CLIENT + "application.id=a\nprocessing.guarantee=exactly_once\n")
    document = plan(file, "--kind", "streams", "--from", "3.0", "--to", "3.9")
    assert ("processing.guarantee", "KA1413") in [(row["key"], row["rule"]) for row in document["should_before"]]
    document = plan(file, "--kind", "streams", "--from", "3.0", "--to", "4.0", code=1)
    assert "processing.guarantee" in keys(document["must_before"])


def test_replication_that_a_rolling_restart_stops_should_be_raised_before() -> None:
    rows = plan(put("s.properties", KRAFT.replace("factor=3", "factor=1")), "--from", "4.0", "--to", "4.4")[
        "should_before"
    ]
    assert ("default.replication.factor", "KA103") in [(row["key"], row["rule"]) for row in rows]
    text = "kafka 4.0\nbrokers 1 2 3\nbroker * process.roles=broker node.id=1\ntopic t min.insync.replicas=1\n0: leader 1 replicas 1 isr 1"
    rows = plan(saved(text), "--to", "4.4")["should_before"]
    assert "KA160" in [row["rule"] for row in rows if row["places"][0]["name"] == "t"]


@pytest.mark.parametrize(
    ("kind", "text", "key", "source"),
    [
        ("consumer", CLIENT, "group.protocol", "KIP-848"),
        ("consumer", CLIENT + "group.protocol=classic\n", None, None),
        ("streams", CLIENT + "application.id=a\n", "group.protocol", "KIP-1071"),
        ("combined", KRAFT, "controller.quorum.bootstrap.servers", "KIP-853"),
    ],
)
def test_new_keys_that_are_worth_setting_come_afterwards(
    kind: str, text: str, key: str | None, source: str | None
) -> None:
    file = put("x.properties", text)
    rows = [row for row in plan(file, "--kind", kind, "--from", "3.6")["after"] if row["message"].startswith("worth")]
    assert [(row["key"], row["source"]) for row in rows] == ([(key, source)] if key else [])
    later = plan(file, "--kind", kind, "--from", "4.3")["after"]
    assert not any(row["message"].startswith("worth") for row in later)


def test_a_new_key_that_a_rule_asks_for_comes_afterwards() -> None:
    text = "services:\n  kafka:\n    image: apache/kafka:3.9.0\n    environment:\n      KAFKA_PROCESS_ROLES: broker,controller\n      KAFKA_NODE_ID: 1\n"
    text += "      KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR: 1\n"
    rows = plan(put("compose.yml", text), "--to", "4.4")["after"]
    assert any(row["rule"] and row["message"].startswith("new: ") for row in rows)


@pytest.mark.parametrize(
    ("start", "own", "should"), [("3.4", "", True), ("3.5", "", False), ("3.4", "upgrade.from=3.4\n", False)]
)
def test_streams_before_3_5_restarts_twice(start: str, own: str, should: bool) -> None:
    file = put("s.properties", CLIENT + "application.id=a\n" + own)
    document = plan(file, "--kind", "streams", "--from", start, "--to", "4.0")
    assert ("upgrade.from" in keys(document["should_before"])) == should


def test_features_are_raised_in_their_order() -> None:
    text = "kafka 4.0\nbrokers 1 2 3\nquorum leader=1 voters=1,2,3\nfeatures metadata.version=25/25 transaction.version=2/2"
    after = keys(plan(saved(text), "--to", "4.4")["after"], "feature")
    assert after[0] == "metadata.version" and after[-1] == "kraft.version"
    assert "transaction.version" not in after and "eligible.leader.replicas.version" in after


@pytest.mark.parametrize(("level", "required"), [(5, True), (7, False)])
def test_metadata_version_before_3_3_is_raised_first(level: int, required: bool) -> None:
    text = f"kafka 3.6\nbrokers 1 2 3\nbroker * process.roles=broker node.id=1\nfeatures metadata.version={level}/14"
    document = plan(saved(text), "--to", "4.0", "--java", 17)
    assert keys(document["must_before"], "feature") == (["metadata.version"] if required else [])
    assert ("raise metadata.version" in document["paths"][0]["stages"][0]["action"]) == required


def test_what_cannot_be_undone_names_the_storage_of_4_4() -> None:
    file = put("server.properties", KRAFT)
    final = {to: plan(file, "--from", "4.0", "--to", to)["cannot_be_undone"] for to in ("4.3", "4.4")}
    assert abouts(final["4.3"]) == ["feature", "feature"]
    assert abouts(final["4.4"]) == ["storage", "feature", "feature"]
    assert all(row["source"] for row in final["4.4"])


def test_an_unknown_release_shows_both_ends_and_requires_nothing_of_one_alone() -> None:
    document = plan(put("p.properties", PRODUCER), "--to", "4.4", code=0)
    (subject,) = document["subjects"]
    assert subject["present"] == {
        "known": False, "releases": ["2.0", "4.3"], "reason": "nothing says which release it is"
    }  # fmt: skip
    (linger,) = (row for row in document["changes_silently"] if row["key"] == "linger.ms")
    assert linger["if_present"] == ["2.0"]
    assert {"java", "client"} <= {row["about"] for row in document["unknown"] if row["if_present"] == ["2.0"]}
    ran = run("upgrade", "p.properties", "--to", "4.4", "--fail-on-unknown")
    assert ran.code == 1 and f"could not be judged: {len(document['unknown'])}" in ran.out.splitlines()[0]
    assert "unknown, because it may run 2.0: " in ran.out


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        (ZOOKEEPER, ["2.0", "3.9"]),
        (ZOOKEEPER + "inter.broker.protocol.version=3.4\n", ["3.4", "3.9"]),
        (KRAFT, ["3.3", "4.3"]),
    ],
)
def test_the_ends_follow_from_the_file(text: str, ends: list[str]) -> None:
    assert plan(put("s.properties", text), "--to", "4.4")["subjects"][0]["present"]["releases"] == ends


@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        (KRAFT, ["--from", "4.3", "--to", "4.1"], "it runs Kafka 4.3 (--from 4.3)"),
        (ZOOKEEPER + "inter.broker.protocol.version=3.5\n", ["--to", "3.4"], "inter.broker.protocol.version is 3.5"),
    ],
)
def test_a_downgrade_is_refused_with_its_reason(text: str, options: list[str], says: str) -> None:
    ran = run("upgrade", put("s.properties", text), *options)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert says in ran.err and "downgrade" in ran.err and "--to" in ran.err


def test_a_raised_metadata_version_refuses_the_downgrade_of_a_cluster() -> None:
    text = "kafka 4.1\nbrokers 1\nfeatures metadata.version=27/27"
    ran = run("upgrade", saved(text), "--from", "4.0", "--to", "4.0")
    assert ran.code == 2 and "metadata.version 27" in ran.err


LIVE = "kafka 3.9\nbrokers 1 !2 3\nbroker * process.roles=broker node.id=1\nbroker 3 unreadable not permitted\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (LIVE, "broker 3: unknown, because nothing could be read of it: not permitted"),
        (LIVE, "broker 2: unknown, because nothing could be read of it: the broker is down"),
        (LIVE + "unread topics: no right", "unknown, because topics could not be read: no right"),
        (LIVE + "unread features: no answer", "unknown, because metadata.version is not known (no answer)"),
        (LIVE + "unread quorum: no answer", "unknown, because quorum could not be read: no answer"),
        (LIVE + "quorum leader=101 voters=101,102", "does not hold the settings of controllers 101, 102"),
        (
            LIVE + "topic t missing=not_permitted",
            "topic t: unknown, because nothing could be read of it: not permitted",
        ),
    ],
)
def test_what_could_not_be_read_is_unknown_with_its_reason(text: str, says: str) -> None:
    ran = run("upgrade", saved(text), "--to", "4.4")
    assert any(says in line for line in ran.out.splitlines()), ran.out
    assert run("upgrade", "cluster.json", "--to", "4.4", "--java", 17, "--fail-on-unknown").code == 1


def test_a_snapshot_whose_brokers_did_not_say_their_release_shows_both_ends() -> None:
    document = json.loads(Path(saved("kafka 4.4\nbrokers !1")).read_text())
    document["cluster"]["reason"] = NOT_SAID
    Path("cluster.json").write_text(json.dumps(document))
    (subject,) = plan("cluster.json", "--to", "4.4")["subjects"]
    assert not subject["present"]["known"] and len(subject["present"]["releases"]) == 2


def test_without_features_no_levels_are_assumed() -> None:
    document = plan(saved(LIVE + "unread features: no answer"), "--to", "4.4")
    assert not keys(document["after"], "feature") and not keys(document["changes_silently"], "feature")


def test_topics_that_are_alike_are_judged_once_and_all_named() -> None:
    topics = "".join(f"topic t{n} segment.bytes=1000\n0: leader 1 replicas 1 isr 1\n" for n in range(200))
    document = plan(saved(f"kafka 3.9\nbrokers 1\nbroker * process.roles=broker node.id=1\n{topics}"), "--to", "4.4")
    (row,) = (row for row in document["must_before"] if row["key"] == "segment.bytes")
    assert len({row_subject["name"] for row_subject in row["places"]}) == 200


FILES = sorted(
    path
    for folder in ("examples/bad", "examples/good", "examples/cluster", "tests/data/production")
    for path in (ROOT / folder).glob("*.properties")
)


@pytest.mark.parametrize("file", FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
@pytest.mark.parametrize("to", ["3.9", "4.4"])
def test_what_must_be_done_about_settings_is_what_starts_refuses(file: Path, to: str) -> None:
    assert disagreements(file, to) == []


LINES = st.lists(
    st.sampled_from(
        ["linger.ms=0", "acks=1", "retries=0", "compression.type=none", "compression.type=zip", "batch.size=x",
         "enable.idempotence=true", "max.block.ms=-1", "partitioner.class=org.apache.kafka.clients.producer.UniformStickyPartitioner",
         "metadata.recovery.strategy=none", "ssl.protocol=TLS", "buffer.memory=${MEMORY}", "delivery.timeout.ms=1"]
    ),
    max_size=5,
    unique_by=lambda line: line.partition("=")[0],
)  # fmt: skip


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=LINES, releases=st.sampled_from([("2.8", "3.9"), ("3.6", "4.4"), ("3.9", "4.0")]))
def test_every_effective_value_that_differs_is_a_silent_change(lines: list[str], releases: tuple[str, str]) -> None:
    start, to = releases
    file = put("p.properties", PRODUCER + "\n".join(lines))
    assert disagreements(Path(file), to, "--from", start) == []
    old, new = (effective(file, release) for release in releases)
    rows = {
        row["key"]: (row["old"] or "", row["new"] or "")
        for row in plan(file, "--from", start, "--to", to)["changes_silently"]
    }
    differing = {key: (old[key], new[key]) for key in old.keys() & new.keys() if old[key] != new[key]}
    assert {key: rows.get(key) for key in differing} == differing
    assert all(key not in old or key in differing for key in rows)


def effective(file: str, release: str) -> dict[str, str]:
    ran = run("effective", file, "--kafka-version", release, "--all", "--format", "json", "--kind", "producer")
    return {row["key"]: row["value"] or "" for row in ran.json["settings"]}


ROWS = st.lists(
    st.builds(
        new_row,
        st.sampled_from([MUST, SHOULD]),
        st.just("java"),
        st.sampled_from("ab"),
        st.just("m"),
        refused_today=st.booleans(),
    ),
    max_size=4,
    unique_by=lambda row: (row.part, row.finding.key),
)


@given(old=ROWS, new=ROWS)
def test_both_ends_keep_every_row_and_certain_is_what_both_say(old: list[UpgradeRow], new: list[UpgradeRow]) -> None:
    merged = merge_ends({(2, 0): old, (4, 3): new})
    names = [{(row.part, row.finding.key) for row in rows} for rows in (old, new)]
    certain = {(row.part, row.finding.key) for row in merged if not row.releases}
    assert certain == names[0] & names[1]
    assert {row.part for row in merged if row.releases} <= {SHOULD, UNKNOWN}
    assert len(merged) == len(names[0] | names[1])
    assert all(row.refused_today for row in merged if row.finding.key in same_key(old, new))


def same_key(old: list[UpgradeRow], new: list[UpgradeRow]) -> set[str | None]:
    """The keys that every row of both releases calls refused today."""
    rows = [*old, *new]
    return {row.finding.key for row in rows} - {row.finding.key for row in rows if not row.refused_today}


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["missing.properties"], 2, "no such file"),
        (["s.properties", "--to", "9.9"], 2, "newer than the catalogs"),
        (["s.properties", "--from", "x"], 2, "--from: 'x' is not a Kafka version"),
        (["s.properties", "missing.properties", "--from", "4.0"], 2, "no such file"),
    ],
)
def test_mistakes_are_one_line(arguments: list[str], code: int, says: str) -> None:
    put("s.properties", KRAFT)
    ran = run("upgrade", *arguments)
    assert (ran.code, ran.err.count("\n")) == (code, 1) and says in ran.err


def test_nothing_to_upgrade() -> None:
    assert run("upgrade", put("other.txt", "hello\n"), "--to", "4.4").code in (2, 3)
    assert run("upgrade", put("empty.properties", ""), "--to", "4.4").code == 3


def test_a_default_that_was_masked_is_no_change(tmp_path: Path) -> None:
    write("c.json", parse_cluster("kafka 4.3\nbrokers 1\nquorum leader=9 voters=9\nfeatures metadata.version=29/29"))
    document = json.loads(Path("c.json").read_text())
    document["defaults"] = [{"sasl.kerberos.kinit.cmd": "********", "num.io.threads": "8"}]
    document["brokers"][0]["defaults"] = 0
    Path("c.json").write_text(json.dumps(document))
    assert "kinit" not in run("upgrade", "c.json", "--to", "4.4").out
