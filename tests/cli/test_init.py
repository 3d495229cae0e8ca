"""`kafka-advisor init` writes a configuration that the next run takes, shows it first, and writes over nothing."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.support.commands import ENVIRONMENT, ROOT, run

COMPOSE = (
    "services:\n  kafka:\n    image: apache/kafka:3.9.0\n    environment:\n      KAFKA_NODE_ID: 1\n      KAFKA_PROCESS_ROLES: broker,controller\n"
    "      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: 1\n      KAFKA_CONTROLLER_LISTENER_NAMES: C\n"
    "      KAFKA_LISTENERS: PLAINTEXT://:9092,C://:9093\n      KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093\n"
    "      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: C:PLAINTEXT,PLAINTEXT:PLAINTEXT\n"
)
FILES = {
    "docker-compose.yml": COMPOSE,
    "deploy/staging/producer.properties": "acks=1\nbootstrap.servers=a:1,b:1\n",
    "deploy/prod/producer.properties": "acks=1\nbootstrap.servers=a:1,b:1\n",
    "services/dev/consumer.properties": "group.id=a\nbootstrap.servers=a:1,b:1\nenable.auto.commit=true\n",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def test_the_file_is_shown_and_taken_by_the_next_run() -> None:
    ran = run("init", "--yes")
    text = Path("kafka-advisor.yaml").read_text()
    assert ran.code == 0 and text in ran.out
    assert yaml.safe_load(text)["paths"] == {
        "docker-compose*": {"profile": "dev"},
        "services/dev/*": {"profile": "dev"},
        "deploy/staging/*": {"profile": "staging"},
    }
    assert '# kafka-version: "3.9"' in text
    rows = run("lint", ".", "--format", "json").json["findings"]
    severe = [row["file"] for row in rows if row["severity"] in ("high", "critical")]
    assert set(severe) == {"./deploy/prod/producer.properties", "./deploy/staging/producer.properties"}
    assert f"# {len(severe)} findings" in text


def test_without_a_terminal_or_yes_nothing_is_written() -> None:
    ran = run("init")
    assert ran.code == 0 and "paths:" in ran.out and "say --yes" in ran.err
    assert not Path("kafka-advisor.yaml").exists()


@pytest.mark.parametrize(("answer", "written"), [("y", True), ("yes", True), ("n", False), ("", False)])
def test_on_a_terminal_it_asks(answer: str, written: bool) -> None:
    master, slave = pty.openpty()
    os.write(master, f"{answer}\n".encode())
    done = subprocess.run(
        [sys.executable, "-m", "advisor", "init"],
        stdin=slave,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    os.close(slave)
    assert done.returncode == 0 and "Write ./kafka-advisor.yaml? [y/N]" in done.stdout
    assert Path("kafka-advisor.yaml").exists() == written


def test_nothing_is_written_over() -> None:
    Path("kafka-advisor.yaml").write_text("profile: dev\n")
    ran = run("init", "--yes")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert Path("kafka-advisor.yaml").read_text() == "profile: dev\n"


def test_a_link_that_leads_nowhere_is_something() -> None:
    Path("kafka-advisor.yaml").symlink_to("nowhere")
    assert run("init", "--yes").code == 2 and not Path("nowhere").exists()


@pytest.mark.parametrize(("file", "says"), [(".gitlab-ci.yml", "codequality"), ("other", "--format github")])
def test_the_gate_is_that_of_the_ci_in_use(file: str, says: str) -> None:
    Path(file).write_text("a: b\n")
    assert says in run("init").out


def test_a_folder_without_kafka() -> None:
    Path("empty").mkdir()
    assert run("init", "empty", "--yes").code == 3 and not Path("empty/kafka-advisor.yaml").exists()


def test_the_readme_of_commands_names_it() -> None:
    assert "kafka-advisor init" in (ROOT / "README.md").read_text()


def test_what_stands_in_an_env_file_is_for_development_as_its_service_is() -> None:
    for name in FILES:
        Path(name).unlink()
    Path("dev/config").mkdir(parents=True)
    Path("dev/compose.yml").write_text(
        "services:\n  kafka:\n    image: apache/kafka:3.9.0\n    env_file: config/kafka.env\n"
    )
    Path("dev/config/kafka.env").write_text(
        "KAFKA_PROCESS_ROLES=broker,controller\nKAFKA_UNCLEAN_LEADER_ELECTION_ENABLE=true\n"
    )
    assert "profile: production  # 0 findings of high or above" in run("init").out
