"""Quoted lines are the file's bytes: what is not shown is masked in place, and nothing else of the line is quoted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

HEAD = "services:\n  kafka:\n    image: confluentinc/cp-kafka:7.9.1\n    environment:\n"
NAMES = ("KAFKA_PROCESS_ROLES: broker", "KAFKA_NODE_ID: 1")
MAPPED = HEAD + "".join(f"      {each}\n" for each in NAMES)
LISTED = HEAD + "".join(f"      - {each.replace(': ', '=')}\n" for each in NAMES)
UNCLEAN = "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE"
MSK = 'resource "aws_msk_configuration" "c" {\n  name           = "c"\n  kafka_versions = ["3.6.0"]\n  server_properties = <<EOT\n'
TOPIC = 'resource "kafka_topic" "t" {\n  name               = "t"\n  partitions         = 3\n  replication_factor = 1\n'
SECRET = "hunter2swordfish"
LINES = {
    "properties with blanks": ("a.properties", f"process.roles=broker\nnode.id=1\n  acks.x = {SECRET}\nunclean.leader.election.enable :  true\n",
                               "unclean.leader.election.enable :  true"),
    "a mapping": ("c.yml", f"{MAPPED}      {UNCLEAN}: 'true'   # {SECRET}\n", f"      {UNCLEAN}: 'true' …"),
    "a list has its dash": ("c.yml", f"{LISTED}      - {UNCLEAN}=true\n", f"      - {UNCLEAN}=true"),
    "a list with quotes": ("c.yml", f'{LISTED}      - "{UNCLEAN}=true"\n', f'      - "{UNCLEAN}=true"'),
    "Terraform": ("t.tf", f'{TOPIC}  config = {{\n    "unclean.leader.election.enable" = "true"\n  }}\n}}\n',
                  '    "unclean.leader.election.enable" = "true"'),
    "a heredoc": ("t.tf", f"{MSK}unclean.leader.election.enable  =  true\nEOT\n}}\n", "unclean.leader.election.enable  =  true"),
    "a flow": ("c.yml", f"services: {{kafka: {{image: 'apache/kafka:4.1.0', environment: {{PASSWORD: {SECRET}, KAFKA_PROCESS_ROLES: broker, {UNCLEAN}: true, TOKEN: {SECRET}}}}}}}\n",
               f"{UNCLEAN}: true …"),
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_the_line_is_the_files(name: str, tmp_path: Path) -> None:
    file, text, line = LINES[name]
    (tmp_path / file).write_text(text)
    out = run("lint", tmp_path / file, "--no-config", "-v").out
    quoted = [each.partition(" | ")[2] for each in out.splitlines() if " | " in each]
    assert any(each == line or (line.endswith("…") and each.endswith(line)) for each in quoted), quoted
    assert SECRET not in out


@pytest.mark.parametrize(
    ("line", "quoted"),
    [
        (f"ssl.keystore.password : {SECRET}", "ssl.keystore.password : ********"),
        (f"ssl.keystore.password={SECRET}\\\n  more", "ssl.keystore.password=********"),
    ],
)
def test_a_secret_is_masked_in_place(line: str, quoted: str, tmp_path: Path) -> None:
    (tmp_path / "a.properties").write_text(f"process.roles=broker\nnode.id=1\n{line}\n")
    out = run("lint", tmp_path / "a.properties", "--no-config", "-v").out
    assert any(each.partition(" | ")[2] == quoted for each in out.splitlines()), out
    assert SECRET not in out


def test_json_on_one_line_quotes_one_setting(tmp_path: Path) -> None:
    text = f'{{"name": "c", "config": {{"connector.class": "a.B", "db.token": "{SECRET}", "tasks.max": "0", "x.password": "{SECRET}"}}}}'
    (tmp_path / "c.json").write_text(text)
    for name in ("text", "json", "html", "sarif", "markdown"):
        out = run("lint", tmp_path / "c.json", "--no-config", "-v", "--format", name).out
        assert SECRET not in out, name


def test_a_value_that_is_made_of_a_field_names_the_field(tmp_path: Path) -> None:
    (tmp_path / "k.yaml").write_text(
        "apiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  name: kafka\nspec:\n  replicas: 3\n  serviceName: kafka\n"
        "  template:\n    spec:\n      containers:\n        - name: kafka\n          image: confluentinc/cp-kafka:7.9.1\n"
        "          env:\n            - name: KAFKA_BROKER_ID\n              valueFrom:\n                fieldRef:\n"
        "                  fieldPath: metadata.name\n            - name: KAFKA_ZOOKEEPER_CONNECT\n              value: z:2181\n"
    )
    assert "broker.id=kafka-0 (from metadata.name): " in run("lint", tmp_path / "k.yaml", "--no-config").out
