"""Waivers, labels and rules that paths ignore: the same in lint, check and audit."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import write
from rules import all_rules
from tests.support.commands import Ran, run

BAD = "bootstrap.servers=b1:9092,b2:9092\nkey.serializer=a.B\nvalue.serializer=a.B\nacks=1\n"
CLUSTER = "kafka 4.3\nbrokers 1 2 3\nbroker * min.insync.replicas=2\ntopic scratch\n0: leader 1 replicas 1 isr 1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps/orders.properties").write_text(BAD)
    (tmp_path / "apps/audit.properties").write_text(BAD.replace("acks=1", "acks=1\nlinger.ms=7"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def configured(folder: Path, text: str) -> None:
    (folder / "kafka-advisor.yaml").write_text(text)


def lint(*arguments: object) -> Ran:
    return run("lint", "--format", "json", *arguments)


def rules_of(ran: Ran, what: str = "findings") -> set[tuple[str, str]]:
    return {(row["rule"], row["file"] or row["entity"]["name"]) for row in ran.json[what]}


@pytest.mark.parametrize("subject", ["orders.properties", "apps/orders.properties", "apps/o*"])
def test_a_waiver_covers_a_rule_of_a_file(folder: Path, subject: str) -> None:
    configured(folder, f"waivers:\n- rule: acks-not-all\n  subject: {subject}\n  reason: replayed from the log\n")
    ran = lint("apps")
    assert ("KA101", "apps/audit.properties") in rules_of(ran)
    assert ("KA101", "apps/orders.properties") not in rules_of(ran)
    (waived,) = [row for row in ran.json["suppressed"] if row["rule"] == "KA101"]
    assert (waived["file"], waived["reason"]) == ("apps/orders.properties", "replayed from the log")


def test_a_file_of_waivers_is_named_by_the_configuration_or_the_command_line(folder: Path) -> None:
    (folder / "waivers.yaml").write_text("- rule: KA101\n  reason: known\n")
    configured(folder, "waivers: waivers.yaml\n")
    assert "KA101" not in {rule for rule, _ in rules_of(lint("apps"))}
    configured(folder, "profile: production\n")
    assert "KA101" in {rule for rule, _ in rules_of(lint("apps"))}
    assert "KA101" not in {rule for rule, _ in rules_of(lint("apps", "--waivers", "waivers.yaml"))}


def test_a_discovered_file_names_no_waivers_outside_its_folder(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "waivers.yaml"
    outside.write_text("- rule: KA101\n  reason: known\n")
    configured(folder, f"waivers: {outside}\n")
    ran = lint("apps")
    assert ran.code == 2
    assert "name it with --waivers" in ran.err


@pytest.mark.parametrize(
    ("entry", "rule", "says"),
    [
        ("- {rule: KA101, reason: r, until: 2020-01-31}", "KA003", "it ended on 2020-01-31"),
        ("- {rule: KA104, reason: r, subject: orders.properties}", "KA004", "it covers no finding"),
    ],
)
def test_a_waiver_that_covers_nothing_is_a_finding(folder: Path, entry: str, rule: str, says: str) -> None:
    (folder / "waivers.yaml").write_text(entry)
    (row,) = [row for row in lint("apps", "--waivers", "waivers.yaml").json["findings"] if row["rule"] == rule]
    assert says in row["message"]
    assert row["file"] == "waivers.yaml"


def test_a_waiver_of_what_this_run_does_not_look_at_is_no_finding(folder: Path) -> None:
    (folder / "waivers.yaml").write_text("- {rule: KA101, reason: r, subject: apps/orders.properties}\n")
    ran = lint("apps/audit.properties", "--waivers", "waivers.yaml")
    assert "KA004" not in {row["rule"] for row in ran.json["findings"]}
    ran = lint("apps", "--waivers", "waivers.yaml", "--ignore", "KA101")
    assert "KA004" not in {row["rule"] for row in ran.json["findings"]}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- {rule: KA101}", "it has no reason"),
        ("- {rule: KA99999, reason: r}", "no such rule"),
        ("- {rule: KA101, reason: r, until: soon}", "is not a day"),
        ("- {rule: KA101, reason: r, who: me}", "no such line"),
        ("rule: KA101", "waivers are a list"),
        ("- 7", "not a mapping"),
        ("- {rule: KA101, reason: r}\n" * 1001, "1001 waivers; 1000 are taken"),
    ],
)
def test_a_mistake_is_one_line(folder: Path, text: str, says: str) -> None:
    (folder / "waivers.yaml").write_text(text)
    ran = lint("apps", "--waivers", "waivers.yaml")
    assert ran.code == 2
    assert says in ran.err
    assert len(ran.err.strip().splitlines()) == 1


def test_labels_narrow_waivers_and_choose_the_profile(folder: Path) -> None:
    configured(
        folder,
        "profiles: {label: {environment: {dev: dev, prod: regulated}}}\n"
        "waivers:\n- {rule: KA101, label: {environment: dev}, reason: a test system}\n",
    )
    assert "KA101" in {rule for rule, _ in rules_of(lint("apps"))}
    ran = lint("apps", "--label", "environment=dev")
    assert "KA101" not in {rule for rule, _ in rules_of(ran)}
    assert ran.json["profile"] == "dev"
    assert lint("apps", "--label", "environment=prod").json["profile"] == "regulated"
    assert lint("apps", "--label", "environment=prod", "--profile", "staging").json["profile"] == "staging"


def test_a_label_without_a_profile_is_said(folder: Path) -> None:
    configured(folder, "profiles: {label: {environment: {prod: regulated}}}\n")
    ran = lint("apps", "--label", "environment=prd")
    assert "--label environment=prd: " in ran.err
    assert "has no profile for it" in ran.err
    assert "has no profile" not in lint("apps", "--label", "environment=prod").err


@pytest.mark.parametrize("name", sorted(rule.name for rule in all_rules() if any(map(str.isdigit, rule.name))))
def test_a_comment_names_rules_with_digits(folder: Path, name: str) -> None:
    (folder / "apps/orders.properties").write_text(f"# kafka-advisor: ignore-file[{name}] known\n{BAD}")
    rules = {row["rule"] for row in lint("apps/orders.properties").json["findings"]}
    assert "KA001" not in rules


def test_a_walk_passes_over_our_own_reports_and_schemas(folder: Path) -> None:
    assert lint("apps").code == 1
    (folder / "apps/report.json").write_text(lint("apps").out)
    (folder / "apps/snapshot.schema.json").write_text(
        '{"properties": {"format": {"const": "kafka-advisor-snapshot/1"}}}'
    )
    ran = lint("apps")
    assert ran.code == 1
    assert "2 not Kafka's" in ran.err
    assert run("lint", "apps/report.json").code == 2


def test_a_walk_reads_text_that_quotes_outputs_and_no_other(folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out/topics.txt").write_text(
        "Topic: t\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: \n"
        "\tTopic: t\tPartition: 0\tLeader: none\tReplicas: 1\tIsr: 1\n"
    )
    (folder / "out/notes.txt").write_text("kafka\nacks=1\nbootstrap.servers=b1:9092\n")
    ran = lint("out")
    assert "KA220" in {row["rule"] for row in ran.json["findings"]}
    assert "KA101" not in {row["rule"] for row in ran.json["findings"]}


def test_a_path_ignores_rules(folder: Path) -> None:
    configured(folder, "paths: {'apps/orders*': {ignore: [KA101, security]}}\n")
    rules = rules_of(lint("apps"))
    assert ("KA101", "apps/audit.properties") in rules
    assert ("KA650", "apps/audit.properties") in rules
    assert not {("KA101", "apps/orders.properties"), ("KA650", "apps/orders.properties")} & rules
    configured(folder, "paths: {'apps/orders*': {ignore: [KA99999]}}\n")
    ran = lint("apps")
    assert (ran.code, "paths: apps/orders*: ignore: KA99999: no such rule" in ran.err) == (2, True)


def test_check_waives_what_runs(folder: Path) -> None:
    write("cluster.json", parse_cluster(CLUSTER))
    (folder / "waivers.yaml").write_text("- {rule: KA160, subject: scr*, reason: rebuilt every night}\n")
    assert ("KA160", "scratch") in rules_of(run("check", "cluster.json", "--format", "json"))
    ran = run("check", "cluster.json", "--format", "json", "--waivers", "waivers.yaml")
    assert ("KA160", "scratch") not in rules_of(ran)
    assert ("KA160", "scratch") in rules_of(ran, "suppressed")


def test_a_comment_of_a_file_holds_for_everything_in_it(folder: Path) -> None:
    (folder / "compose.yml").write_text(
        "services:\n"
        "  a:\n    image: orders:1\n    environment:\n      SPRING_KAFKA_BOOTSTRAP_SERVERS: b1:9092,b2:9092\n"
        "      # kafka-advisor: ignore[KA101] replayed\n      SPRING_KAFKA_PRODUCER_ACKS: 1\n"
        "  b:\n    image: audit:1\n    environment:\n      SPRING_KAFKA_BOOTSTRAP_SERVERS: b1:9092,b2:9092\n"
        "      # kafka-advisor: ignore[KA101] replayed, too\n      SPRING_KAFKA_PRODUCER_ACKS: 1\n"
    )
    ran = lint("compose.yml")
    assert "KA101" not in {row["rule"] for row in ran.json["findings"]}
    assert [row["reason"] for row in ran.json["suppressed"] if row["rule"] == "KA101"] == ["replayed", "replayed, too"]
