"""`kafka-advisor lint --fix` and its sisters: what is written, what is said, and what is left alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from advisor import atomic_file
from advisor.cli.editing import fixing
from advisor.edits.text import FileText
from tests.support.commands import ENVIRONMENT, ROOT, run

TWICE = "bootstrap.servers=b1:9092,b2:9092\r\nacks=all\r\nacks=1\r\n# end"
FIXED = "bootstrap.servers=b1:9092,b2:9092\r\nacks=1\r\n# end"
MENDED = "bootstrap.servers=b1:9092,b2:9092\r\nacks=all\r\n# end"


@pytest.fixture
def producer(tmp_path: Path) -> Path:
    """A producer's file with a key twice (safe) and acks=1 (unsafe)."""
    path = tmp_path / "producer.properties"
    path.write_bytes(TWICE.encode())
    return path


def lint(*arguments: object) -> Any:
    """`lint` without a configuration file."""
    return run("lint", "--no-config", *arguments)


def test_safe_fixes_are_written_and_the_rest_is_reported(producer: Path) -> None:
    ran = lint(producer, "--fix")
    assert producer.read_bytes() == FIXED.encode()
    assert ran.code == 1
    assert "KA101" in ran.out
    assert "KA1407" not in ran.out
    assert ran.err.splitlines()[-1] == "kafka-advisor: fixed 1 of 4; 1 more with --unsafe-fixes"


def test_unsafe_fixes_are_written_on_demand(producer: Path) -> None:
    ran = lint(producer, "--fix", "--unsafe-fixes")
    assert producer.read_bytes() == MENDED.encode()
    assert (ran.code, ran.err.splitlines()[-1]) == (0, "kafka-advisor: fixed 3 of 4")


def test_fixes_are_counted(producer: Path) -> None:
    ran = lint(producer, "--unsafe-fixes")
    assert ran.err.splitlines()[-1] == "kafka-advisor: 1 of 4 could be fixed with --fix; 1 more with --unsafe-fixes"
    assert producer.read_bytes() == TWICE.encode()


def test_many_unsafe_fixes_are_counted_and_not_tried(producer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixing, "MOST_TRIED", 0)
    last = lint(producer, "--fix").err.splitlines()[-1]
    assert last == "kafka-advisor: fixed 1 of 4; up to 2 more with --unsafe-fixes"
    left = "nothing to change: 3 findings remain; --unsafe-fixes fixes up to 2"
    assert lint(producer, "--diff").err == f"kafka-advisor: {left}\n"


def test_a_diff_writes_nothing_and_applies(producer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(producer.parent)
    ran = lint("producer.properties", "--diff", "--unsafe-fixes")
    assert ran.code == 1
    assert producer.read_bytes() == TWICE.encode()
    patch = subprocess.run(["patch", "--binary", "-p1"], input=ran.out.encode(), capture_output=True, check=False)
    assert patch.returncode == 0, patch.stdout
    assert producer.read_bytes() == MENDED.encode()
    assert lint("producer.properties", "--diff") == (
        1,
        "",
        "kafka-advisor: nothing to change: 1 finding remains; no edit of a line fixes it\n",
    )


def test_what_is_only_fixed_is_not_reported(producer: Path) -> None:
    ran = lint(producer, "--fix-only")
    assert (ran.code, ran.out) == (0, "")
    assert producer.read_bytes() == FIXED.encode()


def test_selection_suppressions_and_baselines_are_heeded(producer: Path, tmp_path: Path) -> None:
    lint(producer, "--fix", "--ignore", "duplicate-key")
    assert producer.read_bytes() == TWICE.encode()
    lint(producer, "--write-baseline", tmp_path / "baseline.json")
    lint(producer, "--fix", "--unsafe-fixes", "--baseline", tmp_path / "baseline.json")
    assert producer.read_bytes() == TWICE.encode()
    silenced = TWICE.replace("acks=1", "# kafka-advisor: ignore[KA1407] both are wanted\r\nacks=1")
    producer.write_bytes(silenced.encode())
    lint(producer, "--fix", "--select", "duplicate-key")
    assert producer.read_bytes() == silenced.encode()


@pytest.mark.parametrize("how", ["comment", "waiver"])
def test_a_line_of_which_something_is_silenced_is_not_edited_for_something_else(tmp_path: Path, how: str) -> None:
    comment = "# kafka-advisor: ignore[acks-not-all] telemetry until=2099-01-31\n" if how == "comment" else ""
    text = f"bootstrap.servers=a:9092,b:9092\nsecurity.protocol=SSL\n{comment}acks=1\n"
    file, waivers = tmp_path / "producer.properties", tmp_path / "waivers.yaml"
    file.write_text(text)
    waivers.write_text("waivers:\n  - {rule: acks-not-all, reason: telemetry, until: 2099-01-31}\n")
    options = ("--config", waivers) if how == "waiver" else ("--no-config",)
    ran = run("lint", "--fix", "--unsafe-fixes", "-v", *options, file)
    assert file.read_text() == text
    assert "KA1002 not fixed: a finding of this line is silenced" in ran.err


def test_a_topic_of_two_replicas_is_not_told_to_require_both(tmp_path: Path) -> None:
    file = tmp_path / "topic.yaml"
    head = "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: a, labels: {strimzi.io/cluster: c}}\n"
    for replicas, least in ((2, 1), (3, 2)):
        file.write_text(
            f"{head}spec:\n  partitions: 1\n  replicas: {replicas}\n  config:\n    min.insync.replicas: 1\n"
        )
        run("lint", "--fix", "--unsafe-fixes", "--no-config", file)
        assert f"min.insync.replicas: {least}" in file.read_text()


def test_a_fix_that_rules_left_out_would_object_to_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "server.properties"
    text = "process.roles=broker,controller\nnode.id=1\nmin.insync.replica=2\n"
    path.write_text(text)
    ran = lint(path, "--fix", "--unsafe-fixes", "--select", "unknown-key", "-v")
    assert "KA1401 not fixed: it would bring KA202" in ran.err
    assert path.read_text() == text


def test_standard_input_is_printed_fixed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "advisor", "lint", "--no-config", "-", "--fix"],
        input=TWICE.encode(), capture_output=True, cwd=ROOT, env=ENVIRONMENT, check=False,
    )  # fmt: skip
    assert done.stdout == FIXED.encode()
    assert b"KA101" in done.stderr
    assert done.returncode == 1


def test_a_finding_says_whether_it_is_fixed(producer: Path) -> None:
    rows = lint(producer).out.splitlines()
    assert [row for row in rows if "[*]" in row] == [row for row in rows if "KA1407" in row]
    concise = lint(producer, "--format", "concise").out
    assert "KA1407 [*] " in concise
    assert "KA101 " in concise


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("topics.sh", "kafka-topics.sh --create --topic x --config retention.ms=1 --config retention.ms=1 --bootstrap-server b:1\n"),
        ("producer.properties", "bootstrap.servers=b:1\nkey.serializer=a\nlinger.ms=${MS}\nlinger.ms=${MS}\n"),
    ],
)  # fmt: skip
def test_what_is_not_edited_is_not_marked(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    for format in ("text", "concise"):
        out = lint(path, "--format", format).out
        assert "KA1407" in out and "[*]" not in out
    lint(path, "--fix")
    assert path.read_text() == text


def test_programs_are_told_the_edits(producer: Path) -> None:
    by_rule = {row["rule"]: row for row in lint(producer, "--format", "json").json["findings"]}
    edit = {"line": 2, "column": 1, "end_line": 3, "end_column": 1, "text": ""}
    assert by_rule["KA1407"]["fixes"] == {"applicability": "safe", "edits": [edit]}
    unsafe = by_rule["KA101"]["fixes"]
    assert (unsafe["applicability"], unsafe["edits"][0]["text"]) == ("unsafe", "all")
    results = lint(producer, "--format", "sarif").json["runs"][0]["results"]
    changes = [result["fixes"][0]["artifactChanges"][0] for result in results if "fixes" in result]
    assert changes[0]["replacements"][0]["insertedContent"] == {"text": "all"}
    assert "Suggestion (--fix): line 2: remove it." in lint(producer, "--format", "github").out
    gitlab = json.loads(lint(producer, "--format", "gitlab").out)
    assert any("Suggestion (--fix --unsafe-fixes): line 3: write “all”." in row["description"] for row in gitlab)


def test_findings_are_silenced_for_a_reason(producer: Path) -> None:
    ran = lint(producer, "--silence", "acks-not-all", "--reason", "metrics, may be lost")
    comment = "# kafka-advisor: ignore[KA101] metrics, may be lost\r\n"
    assert producer.read_bytes() == TWICE.replace("acks=1", f"{comment}acks=1").encode()
    assert "silenced 1 of 1" in ran.err
    assert "KA101" not in {row["rule"] for row in lint(producer, "--format", "json").json["findings"]}
    producer.write_bytes(producer.read_bytes().replace(b"acks=1", b"acks=all"))
    lint(producer, "--fix")
    assert b"kafka-advisor" not in producer.read_bytes()


@pytest.mark.parametrize(
    "options", [["--silence", "KA101"], ["--reason", "x"], ["--silence", "zzz", "--reason", "x"],
                ["--silence", "KA101", "--reason", " "], ["--silence", "KA101", "--reason", "x", "--fix"]]
)  # fmt: skip
def test_options_that_contradict_each_other(producer: Path, options: list[str]) -> None:
    ran = lint(producer, *options)
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 1
    assert producer.read_bytes() == TWICE.encode()


def test_a_link_leads_to_the_file_that_is_written(producer: Path, tmp_path: Path) -> None:
    producer.chmod(0o640)
    link = tmp_path / "link.properties"
    link.symlink_to(producer.name)
    lint(link, "--fix")
    assert link.is_symlink()
    assert producer.read_bytes() == FIXED.encode()
    assert producer.stat().st_mode & 0o777 == 0o640


def test_a_file_that_is_read_only_is_left_alone(producer: Path) -> None:
    producer.chmod(0o444)
    ran = lint(producer, "--fix")
    assert ran.code == 2
    assert f"{producer}: not fixed: it is read-only" in ran.err
    assert producer.read_bytes() == TWICE.encode()


def test_a_file_that_changed_meanwhile_is_left_alone(producer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_all = fixing.write_all

    def changed_first(*arguments: Any) -> set[str]:
        producer.write_bytes(b"acks=0\n")
        return write_all(*arguments)

    monkeypatch.setattr(fixing, "write_all", changed_first)
    ran = lint(producer, "--fix")
    assert ran.code == 2
    assert "it was changed meanwhile" in ran.err
    assert "fixed 0 of 4" in ran.err
    assert producer.read_bytes() == b"acks=0\n"


def test_a_disk_that_is_full_leaves_the_old_content(producer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic_file, "_write", full)
    ran = lint(producer, "--fix")
    assert ran.code == 2
    assert "no space left on device" in ran.err
    assert os.listdir(producer.parent) == [producer.name]
    assert producer.read_bytes() == TWICE.encode()


def test_two_runs_at_once_leave_one_of_the_contents(producer: Path) -> None:
    command = [sys.executable, "-m", "advisor", "lint", "--no-config", str(producer), "--fix"]
    runs = [subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdout=-3, stderr=-3) for _ in range(3)]
    assert all(each.wait(60) in (1, 2) for each in runs)
    assert producer.read_bytes() == FIXED.encode()


def test_what_is_killed_while_it_writes_leaves_the_old_content_or_the_new(producer: Path) -> None:
    code = (
        "import os, sys\nfrom advisor import atomic_file\nfrom advisor.cli import main\n"
        "atomic_file.os.replace = lambda *a, **k: os.kill(os.getpid(), 9)\nmain(sys.argv[1:])"
    )
    command = [sys.executable, "-c", code, "lint", "--no-config", str(producer), "--fix"]
    assert subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, check=False).returncode == -9
    assert producer.read_bytes() == TWICE.encode()


def test_only_the_arguments_are_written(tmp_path: Path) -> None:
    compose = tmp_path / "docker-compose.yml"
    compose.write_text(
        "services:\n  k:\n    image: apache/kafka:4.0.0\n    env_file: k.env\n    environment:\n      KAFKA_NODE_ID: 1\n"
    )
    variables = "KAFKA_PROCESS_ROLES=broker\nKAFKA_UNCLEAN_LEADER_ELECTION_ENABLE=true\n"
    (tmp_path / "k.env").write_text(variables)
    (tmp_path / "client.properties").write_text(TWICE)
    ran = lint(compose, "--with", tmp_path / "client.properties", "--fix", "--unsafe-fixes", "-v")
    assert (tmp_path / "k.env").read_text() == variables
    assert (tmp_path / "client.properties").read_text() == TWICE.replace("\r\n", "\n")
    assert "not one of the arguments" in ran.err


def test_what_the_command_line_fills_in_is_not_edited(tmp_path: Path) -> None:
    path = tmp_path / "producer.properties"
    path.write_text("bootstrap.servers=b1:9092,b2:9092\nacks=${ACKS}\n")
    ran = lint(path, "--set", "ACKS=1", "--fix", "--unsafe-fixes", "-v")
    assert "a variable of the command line is filled in" in ran.err
    assert path.read_text() == "bootstrap.servers=b1:9092,b2:9092\nacks=${ACKS}\n"


def test_no_line_with_a_secret_is_in_a_diff(tmp_path: Path) -> None:
    path = tmp_path / "c.yml"
    path.write_text('kafka:\n  producer: {bootstrap.servers: "b1:9092,b2:9092", acks: 1, ssl.key.password: s3cr3t}\n')
    for options in (["--diff"], ["--diff", "--unsafe-fixes"], ["--format", "json"], ["--format", "github"]):
        assert "s3cr3t" not in lint(path, *options).out
    assert "its line holds a secret" in lint(path, "--diff", "--unsafe-fixes", "-v").err
    lint(path, "--fix", "--unsafe-fixes")
    assert "acks: all, ssl.key.password: s3cr3t}" in path.read_text()


@pytest.mark.parametrize(
    "line", ["acks=1 # password s3cr3t", "acks=1 # the token is s3cr3t", "acks=1   ssl.key.password=s3cr3t"]
)
def test_what_stands_behind_a_value_is_in_no_report(tmp_path: Path, line: str) -> None:
    path = tmp_path / "producer.properties"
    path.write_text(f"bootstrap.servers=b1:9092,b2:9092\n{line}\nacks=all\n")
    for options in (
        ["--diff", "--unsafe-fixes"],
        *(["--format", name] for name in ("json", "sarif", "github", "gitlab")),
    ):
        assert "s3cr3t" not in lint(path, *options).out


def test_a_platform_of_three_brokers_is_fixed_at_once(tmp_path: Path) -> None:
    node = "  k{0}:\n    image: apache/kafka:4.0.0\n    environment:\n      KAFKA_NODE_ID: {0}\n      KAFKA_PROCESS_ROLES: broker\n" \
           "      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true'\n"  # fmt: skip
    path = tmp_path / "docker-compose.yml"
    path.write_text("services:\n" + "".join(node.format(number) for number in (1, 2, 3)))
    lint(path, "--fix", "--unsafe-fixes")
    assert "UNCLEAN" not in path.read_text()


def test_texts_are_read_as_readers_count_lines() -> None:
    text = FileText("a.properties", b"a=1\r\nb=2\rc=3\n")
    assert [text.line(number) for number in (1, 2, 3)] == ["a=1", "b=2", "c=3"]


@pytest.mark.parametrize(("replicas", "offered"), [("3", True), ("2", False), ("${REPLICAS}", False), ("", False)])
def test_two_in_sync_are_required_only_of_three_replicas(tmp_path: Path, replicas: str, offered: bool) -> None:
    path = tmp_path / "server.properties"
    text = "zookeeper.connect=z1:2181\nbroker.id=1\nmin.insync.replicas=1\n"
    path.write_text(text + (f"default.replication.factor={replicas}\n" if replicas else ""))
    rows = lint(path, "--kafka-version", "3.9", "--format", "json").json["findings"]
    assert ["fixes" in row for row in rows if row["rule"] == "KA102"] == [offered]
    lint(path, "--kafka-version", "3.9", "--fix", "--unsafe-fixes", "--select", "KA102")
    assert ("min.insync.replicas=2" in path.read_text()) is offered


def test_settings_in_a_configuration_of_terraform_are_fixed(tmp_path: Path) -> None:
    path = tmp_path / "msk.tf"
    text = (
        'resource "aws_msk_configuration" "c" {\n  name = "c"\n  kafka_versions = ["3.6.0"]\n'
        "  server_properties = <<EOF\nunclean.leader.election.enable = true\nEOF\n}\n"
        'resource "aws_msk_cluster" "m" {\n  cluster_name = "m"\n  kafka_version = "3.6.0"\n  number_of_broker_nodes = 3\n'
        "  configuration_info {\n    arn = aws_msk_configuration.c.arn\n"
        "    revision = aws_msk_configuration.c.latest_revision\n  }\n}\n"
    )
    path.write_text(text)
    lint(path, "--fix", "--unsafe-fixes", "--select", "KA104")
    assert path.read_text() == text.replace("enable = true", "enable = false")


CONVERTERS = "key.converter=org.apache.kafka.connect.json.JsonConverter\nvalue.converter=org.apache.kafka.connect.json.JsonConverter\n"
WORKER = f"bootstrap.servers=b1:9092,b2:9092\ngroup.id=c\n{CONVERTERS}config.storage.topic=c\noffset.storage.topic=o\nstatus.storage.topic=s\n"


@pytest.mark.parametrize(
    ("name", "text", "old", "new"),
    [
        (
            "connector.json",
            '{"name": "c", "config": {"connector.class": "org.apache.kafka.connect.file.FileStreamSourceConnector",\n'
            ' "producer.override.acks": "1",\n "file": "f", "topic": "t"}}\n',
            '"producer.override.acks": "1"',
            '"producer.override.acks": "all"',
        ),
        (
            "connect-distributed.properties",
            f"{WORKER}producer.enable.idempotence=false\n",
            "producer.enable.idempotence=false",
            "producer.enable.idempotence=true",
        ),
    ],
)
def test_clients_in_a_worker_or_connector_are_fixed(tmp_path: Path, name: str, text: str, old: str, new: str) -> None:
    (tmp_path / name).write_text(text)
    lint(tmp_path / name, "--fix", "--unsafe-fixes")
    assert (tmp_path / name).read_text() == text.replace(old, new)


def test_a_field_that_a_chart_does_not_have_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "values.yaml"
    file.write_text(
        "replicaCount: 3\nzookeeper:\n  enabled: true\noffsetsTopicReplicationFactor: 3\ndefaultReplicationFactor: 3\n"
    )
    assert "extraEnvVars[KAFKA_CFG_MIN_INSYNC_REPLICAS] not set" in run("lint", file, "--no-config").out
    before = file.read_text()
    run("lint", "--fix", "--unsafe-fixes", file, "--no-config")
    assert "insync" not in file.read_text().lower()
    assert before in file.read_text()


OF_A_PRODUCER = "bootstrap.servers=b1:9092,b2:9092\n"
OF_THREE = "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=2@c:9093\ncontroller.listener.names=C\n"
MAY_BE_IN_FORCE = {
    "a controller in a migration": "process.roles=controller\nnode.id=3000\nzookeeper.connect=z:2181\n"
    "zookeeper.metadata.migration.enable=true\ncontroller.quorum.voters=3000@c:9093\ncontroller.listener.names=C\n"
    "listeners=C://:9093\n",
    "a key that releases with KRaft read, of a release that nothing says": OF_THREE
    + "log.message.downconversion.enable=false\n",
    "a timer that code may rely on": f"{OF_A_PRODUCER}group.id=g\nenable.auto.commit=true\n",
    "topics that clients create": f"{OF_THREE}auto.create.topics.enable=true\n",
    "clients without ACLs": f"{OF_THREE}authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer\n"
    "allow.everyone.if.no.acl.found=true\nsuper.users=User:a\n",
}
STARTS_WHEN_MENDED = {
    "a key that no release with KRaft reads": (f"{OF_THREE}host.name=b\n", "host.name", ("--fix",)),
    "a key of a release that is said": (
        OF_THREE + "log.message.downconversion.enable=false\n",
        "downconversion",
        ("--fix", "--kafka-version", "4.0"),
    ),
    "requests in flight beside idempotence": (
        f"{OF_A_PRODUCER}enable.idempotence=false\nmax.in.flight.requests.per.connection=6\n",
        "in.flight",
        ("--fix", "--unsafe-fixes"),
    ),
}


@pytest.mark.parametrize("text", MAY_BE_IN_FORCE.values(), ids=MAY_BE_IN_FORCE)
def test_no_fix_takes_away_what_may_be_in_force(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.properties"
    path.write_text(text)
    lint(path, "--fix")
    assert path.read_text() == text
    lint(path, "--fix", "--unsafe-fixes")
    kept = [line for line in text.splitlines() if "enable=" in line or "found=" in line]
    assert set(kept) - set(path.read_text().splitlines()) <= {"log.message.downconversion.enable=false"}


@pytest.mark.parametrize(("text", "gone", "options"), STARTS_WHEN_MENDED.values(), ids=STARTS_WHEN_MENDED)
def test_what_is_mended_starts(tmp_path: Path, text: str, gone: str, options: tuple[str, ...]) -> None:
    path = tmp_path / "x.properties"
    path.write_text(text)
    lint(path, *options)
    assert gone not in path.read_text()
    assert "refused" not in run("starts", path, "--on", "4.0").out


def test_a_fix_that_kafka_would_refuse_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "x.properties"
    text = f"{OF_A_PRODUCER}enable.idempotence=false\nmax.in.flight.requests.per.connection=6\n"
    path.write_text(text)
    lint(path, "--fix", "--unsafe-fixes", "--select", "KA1002", "-v")
    assert path.read_text() == text
