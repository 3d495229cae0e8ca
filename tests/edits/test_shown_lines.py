"""Lines that change are shown only where nothing beside the change may be a secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.edits.shown_lines import changes_are_shown, is_shown, key_part
from advisor.edits.text import FileText, Splice
from tests.support.commands import run

SECRET = "Zq0000kanarienvogelXw9Pt"
SHOWN = (
    "acks=1", "  acks: '1'", "min.insync.replicas = 1", '    "retention.ms" = "1000"', "KAFKA_MIN_INSYNC_REPLICAS: 1",
    "      - KAFKA_LOG_DIRS=/data/a,/data/b", "listeners=PLAINTEXT://:9092,CONTROLLER://:9093",
    "super.users=User:a;User:b", "listener.name.internal.ssl.client.auth=required", "config: {min.insync.replicas: 1}",
    "{unclean.leader.election.enable: true, min.insync.replicas: 2}", "acks=1 # as agreed", "ENV KAFKA_NUM_PARTITIONS=3 \\",
    "config:", "  - {name: plain, port: 9092, type: internal, tls: true}", "max.request.size: ${SIZE}",
)  # fmt: skip
HIDDEN = (
    f"foo.bar={SECRET}", f"confluent.license={SECRET}", f"ssl.key.password={SECRET}", f"clientPasswords: [{SECRET}]",
    f"{{acks: 1, datasource: {{pwd: {SECRET}}}}}", f"RUN echo {SECRET}", f"env: [{{name: AZ_KEY, value: {SECRET}}}]",
    f"acks=1 # pw {SECRET}", f"{{\"acks\":\"0\",\"s3.sas\":\"{SECRET}\"}}", f"- {SECRET}", f"{SECRET}=",
    f"sasl.jaas.config=org.x.PlainLoginModule required password=\"{SECRET}\";", f"KAFKA_FOO: ${{FOO:-{SECRET}}}",
    f"bootstrap.servers=u:{SECRET}@b:9092", f"docker run -e KAFKA_NODE_ID=1 -e DB_PWD={SECRET} apache/kafka",
)  # fmt: skip


@pytest.mark.parametrize("line", SHOWN)
def test_shown(line: str) -> None:
    assert is_shown(line)


@pytest.mark.parametrize("line", HIDDEN)
def test_hidden(line: str) -> None:
    assert not is_shown(line)
    assert SECRET not in key_part(line) or line == f"{SECRET}="


UNCLEAN = "unclean.leader.election.enable"
BESIDE = {
    "a.yml": f"spring: {{kafka: {{producer: {{acks: '0'}}, jaas: {{options: {{password: {SECRET}}}}}}}}}\n",
    "b.json": f'{{"name":"x","config":{{"connector.class":"x","producer.override.acks":"0","s3.sas":"{SECRET}"}}}}',
    "c.yml": f"services: {{k: {{image: 'apache/kafka:4.0.0', environment: {{KAFKA_NODE_ID: 1, KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true', DB: {SECRET}}}}}}}\n",
    "d.tf": f'resource "kafka_topic" "t" {{\n  name = "t"\n  replication_factor = 3\n  config = {{ "{UNCLEAN}" = "true", "x" = "{SECRET}" }}\n}}\n',
    "e.properties": f"process.roles=broker\nnode.id=1\n{UNCLEAN}=true # {SECRET}\n",
}


@pytest.mark.parametrize("name", BESIDE)
@pytest.mark.parametrize("command", ["lint --no-config --diff --unsafe-fixes", "advise --format diff", "advise"])
def test_no_diff_shows_what_stands_beside_a_change(tmp_path: Path, name: str, command: str) -> None:
    path = tmp_path / name
    path.write_text(BESIDE[name])
    ran = run(*command.split(), path)
    assert SECRET not in ran.out + ran.err


NAMES = ("a\nb.properties", 'q"x.properties', "r\u202ee.properties", "e\x1b[31m.properties", "c d.properties")


@pytest.mark.parametrize("name", NAMES)
def test_names_are_written_as_git_writes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("bootstrap.servers=b1:9092,b2:9092\nacks=all\nacks=all\n")
    rows = run("lint", "--no-config", "--diff", name).out.splitlines()
    assert [row[:3] for row in rows if row.startswith(("---", "+++"))] == ["---", "+++"]
    assert all(row.rstrip("\t").isprintable() for row in rows)


@pytest.mark.parametrize(("last", "shown"), [("acks: 1", True), (f"foo.bar: {SECRET}", False)])
def test_a_long_line_is_shown_as_a_short_one_is(last: str, shown: bool) -> None:
    line = "{" + ", ".join(f"k{number}: {{acks: 1}}" for number in range(200)) + f", z: {{{last}}}}}"
    at = line.index("1}")
    assert changes_are_shown(FileText("a.yml", f"{line}\n".encode()), [Splice(at, at + 1, "all")]) is shown


@pytest.mark.parametrize(("length", "shown"), [(100, True), (19_000, True), (21_000, False)])
def test_a_line_that_nobody_can_read_is_not_shown(length: int, shown: bool) -> None:
    assert is_shown("acks=1" + " " * length) == shown
