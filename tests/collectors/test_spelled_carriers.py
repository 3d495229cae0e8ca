"""Settings in carriers as repositories hold them: each is judged, or said to be not read; its good twin raises no alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

VARIABLE = "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE"
FROM = "FROM apache/kafka:4.3.0 AS base\n"
NODE = "ENV KAFKA_NODE_ID=1 KAFKA_PROCESS_ROLES=broker KAFKA_LISTENERS=SSL://:9092"
OPTIONS = "-e KAFKA_NODE_ID=1 -e KAFKA_PROCESS_ROLES=broker -e KAFKA_LISTENERS=SSL://:9092"
APP = "services:\n  app:\n    image: acme/orders:1\n    command: {}\n"
UNCLEAN, ACKS = "KA104", "KA101"
JUDGED = {
    "options in one text": ("compose.yml", APP.format("--spring.kafka.producer.acks={} --server.port=80"), ACKS),
    "options in quotes": ("compose.yml", APP.format("'--spring.kafka.producer.acks=\"{}\" --server.port=80'"), ACKS),
    "a list of options": ("compose.yml", APP.format("['--spring.kafka.producer.acks={}', --server.port=80]"), ACKS),
    "a stage that is built upon": ("Dockerfile", f"{FROM}{NODE} {VARIABLE}={{}}\nFROM base\nRUN true\n", UNCLEAN),
    "a stage upon a stage": ("Dockerfile", f"{FROM}{NODE}\nFROM base AS b\nENV {VARIABLE}={{}}\nFROM b AS c\n", UNCLEAN),
    "a stage that is changed": ("Dockerfile", f"{FROM}{NODE} {VARIABLE}=no\nFROM base\nENV {VARIABLE}={{}}\n", UNCLEAN),
    "several arguments": ("Dockerfile", f"{FROM}ARG A=x U={{}}\n{NODE} {VARIABLE}=$U\n", UNCLEAN),
    "an argument in quotes": ("Dockerfile", f'{FROM}ARG U="{{}}"\n{NODE} {VARIABLE}=$U\n', UNCLEAN),
    "docker container run": ("up.sh", f"docker container run {OPTIONS} -e {VARIABLE}={{}} apache/kafka:4.3.0\n", UNCLEAN),
    "docker create": ("up.sh", f"docker create {OPTIONS} -e {VARIABLE}={{}} apache/kafka:4.3.0\n", UNCLEAN),
    "an option without a space": ("up.sh", f"sudo podman run {OPTIONS} -e{VARIABLE}={{}} apache/kafka:4.3.0\n", UNCLEAN),
    "a long option": ("up.sh", f"podman run {OPTIONS} --env={VARIABLE}={{}} apache/kafka:4.3.0\n", UNCLEAN),
}  # fmt: skip
"""(file, its text, the rule) of a risk that is judged, by the carrier."""
SAID = {
    "an option without a space": ("up.fish", f"podman run -e{VARIABLE}={{}} acme/streaming\n"),
    "Log4j's appender": ("log4j.properties", "log4j.appender.k=org.apache.kafka.log4jappender.KafkaLog4jAppender\nlog4j.appender.k.requiredNumAcks={}\n"),
    "paths of .NET in XML": ("App.config", '<configuration><appSettings><add key="kafka:acks" value="{}"/></appSettings></configuration>\n'),
}  # fmt: skip
"""(file, its text) of a risk that is said to be not read."""
VALUES = {UNCLEAN: ("true", "false"), ACKS: ("0", "all")}


def lint(folder: Path, name: str, text: str) -> tuple[set[str], str]:
    """(severe rules, what was said beside the report) of a folder with one file."""
    (folder / name).write_text(text)
    ran = run("lint", folder, "--no-config", "--format", "json")
    rows = ran.json["findings"] if ran.out else []
    return {row["rule"] for row in rows if row["severity"] in ("critical", "high")}, ran.err


@pytest.mark.parametrize("case", JUDGED)
def test_a_risk_is_judged_and_what_is_good_is_none(case: str, tmp_path: Path) -> None:
    name, text, rule = JUDGED[case]
    bad, good = VALUES[rule]
    assert rule in lint(tmp_path, name, text.replace("{}", bad))[0]
    rules, said = lint(tmp_path, name, text.replace("{}", good))
    assert rules.isdisjoint((rule, "KA1701", "KA1702")) and "not read" not in said


@pytest.mark.parametrize("case", SAID)
def test_a_risk_that_is_not_judged_is_said_to_be_not_read(case: str, tmp_path: Path) -> None:
    name, text = SAID[case]
    assert "not read" in lint(tmp_path, name, text.replace("{}", "0"))[1]
