"""Spring Boot's profile files: application-prod.yml is judged with the application.yml that it lies over."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.commands import run

ADDRESSES = "spring.kafka.bootstrap-servers=a:1,b:1\nspring.kafka.security.protocol=SSL\n"
BASE = """spring:
  kafka:
    bootstrap-servers: a:1,b:1
    security.protocol: SSL
    producer:
      acks: %s
    consumer: {group-id: g, auto-offset-reset: earliest}
"""
RETRIES = "spring:\n  kafka:\n    producer:\n      retries: 3\n"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def findings_of(folder: Path, *names: str) -> list[tuple[str, str, int | None]]:
    """(rule, file, line) of what `lint` says of files of a folder, or of the folder itself."""
    ran = run("lint", *(folder / name for name in names), "--no-config", "--format", "json")
    assert "internal error" not in ran.err
    rows = ran.json["findings"] if ran.out else []
    return [(row["name"], os.path.relpath(row["file"], folder), row["line"]) for row in rows]


@pytest.mark.parametrize("names", [["."], ["application-prod.yml"], ["application-prod.yml", "application.yml"]])
def test_what_the_base_says_counts_for_the_profile_at_its_own_place(tmp_path: Path, names: list[str]) -> None:
    write(tmp_path, {"application.yml": BASE % "1", "application-prod.yml": RETRIES})
    rows = findings_of(tmp_path, *names)
    assert rows.count(("acks-not-all", "application.yml", 6)) == 1
    assert rows.count(("retries-limited", "application-prod.yml", 4)) == 1


def test_what_the_profile_says_lies_over_the_base_which_is_judged_for_itself(tmp_path: Path) -> None:
    write(tmp_path, {"application.yml": BASE % "all", "application-dev.yml": "spring.kafka.producer.acks: 0\n"})
    assert ("acks-not-all", "application-dev.yml", 1) in findings_of(tmp_path, ".")
    write(tmp_path, {"application.yml": BASE % "0", "application-dev.yml": "spring.kafka.producer.acks: all\n"})
    assert ("acks-not-all", "application.yml", 6) in findings_of(tmp_path, ".")
    assert findings_of(tmp_path, "application-dev.yml") == []


def test_what_all_leave_out_is_said_of_the_base_alone(tmp_path: Path) -> None:
    open_base = BASE.replace("    security.protocol: SSL\n", "") % "all"
    profile = "spring.kafka.producer.client-id=a\n"
    profiles = {f"application-{name}.properties": profile for name in ("dev", "prod", "test")}
    write(tmp_path, {"application.yml": open_base, **profiles})
    assert set(findings_of(tmp_path, ".")) == {("plaintext-client", "application.yml", None)}
    assert findings_of(tmp_path, "application-dev.properties") == [
        ("plaintext-client", "application-dev.properties", None)
    ]


def test_a_profile_that_makes_the_base_whole_is_judged_whole(tmp_path: Path) -> None:
    base = "spring.kafka.consumer.group-id=g\nspring.kafka.consumer.auto-offset-reset=earliest\n"
    addresses = "spring.kafka.bootstrap-servers=a:1,b:1\n"
    write(tmp_path, {"application.properties": base, "application-prod.properties": addresses})
    assert findings_of(tmp_path, ".") == [("plaintext-client", "application-prod.properties", None)]


@pytest.mark.parametrize(
    ("weak", "strong"),
    [
        ("application.yaml", "application.yml"),
        ("application.yml", "application.properties"),
        ("application.properties", "config/application.yml"),
        ("config/application.yml", "config/application.properties"),
        ("config/application.properties", "application-prod.yml"),
        ("application-prod.yml", "application-prod.properties"),
        ("application-prod.properties", "config/application-prod.yaml"),
    ],
)
def test_springs_precedence(tmp_path: Path, weak: str, strong: str) -> None:
    judged = "application-prod.yml" if "application-prod.yml" in (weak, strong) else "application-prod.properties"
    for acks, fires in ((("0", "all"), False), (("all", "0"), True)):
        folder = tmp_path / acks[0]
        files = {judged: "spring.kafka.producer.client-id=a\n"}
        for name, value in zip((weak, strong), acks, strict=True):
            files[name] = files.get(name, "") + f"spring.kafka.producer.acks={value}\n"
        write(folder, {name: text if name.endswith("s") else text.replace("=", ": ") for name, text in files.items()})
        rows = [row for row in findings_of(folder, judged) if row[0] == "acks-not-all"]
        assert [file for _, file, _ in rows] == ([strong] if fires else [])


def test_the_folder_above_config_counts_where_the_run_has_it(tmp_path: Path) -> None:
    write(tmp_path, {"application.yml": BASE % "0", "config/application-prod.yml": RETRIES})
    assert ("acks-not-all", "application.yml", 6) not in findings_of(tmp_path, "config/application-prod.yml")
    (tmp_path / "config/application-prod.yml").write_text("spring.kafka.producer.acks: all\n")
    both = findings_of(tmp_path, "config/application-prod.yml", "application.yml")
    assert [row for row in both if row[1] != "application.yml"] == []


def test_a_document_of_the_base_for_the_profile_counts(tmp_path: Path) -> None:
    document = "---\nspring:\n  config.activate.on-profile: prod, stage\n  kafka.producer.acks: all\n"
    write(tmp_path, {"application.yml": BASE % "1" + document, "application-prod.yml": RETRIES})
    assert findings_of(tmp_path, "application-prod.yml") == [("retries-limited", "application-prod.yml", 4)]


@pytest.mark.parametrize("text", ["spring: {kafka: [\n", "spring: " + "x" * 1_100_000 + "\n", "\0"])
def test_of_a_base_that_cannot_be_read_nothing_is_called_absent(tmp_path: Path, text: str) -> None:
    profile = "spring.kafka.bootstrap-servers: a:1,b:1\nspring.kafka.producer.acks: 0\n"
    write(tmp_path, {"application.yml": text, "application-prod.yml": profile})
    assert ("plaintext-client", "application-prod.yml", None) not in findings_of(tmp_path, "application-prod.yml")
    assert ("acks-not-all", "application-prod.yml", 2) in findings_of(tmp_path, "application-prod.yml")
    (tmp_path / "application.yml").unlink()
    assert ("plaintext-client", "application-prod.yml", None) in findings_of(tmp_path, "application-prod.yml")


def test_a_base_without_kafka_leaves_a_profile_whole(tmp_path: Path) -> None:
    profile = "spring.kafka.bootstrap-servers: a:1,b:1\n"
    write(tmp_path, {"application.yml": "server: {port: 80}\n", "application-kafka.yml": profile})
    for name in (".", "application-kafka.yml"):
        assert ("plaintext-client", "application-kafka.yml", None) in findings_of(tmp_path, name)


def test_many_profiles_of_a_large_base_take_over_nothing(tmp_path: Path) -> None:
    large = ADDRESSES + "".join(f"spring.kafka.properties.x{number}=1\n" for number in range(4_000))
    profile = "spring.kafka.bootstrap-servers: a:1,b:1\nspring.kafka.producer.acks: 0\n"
    write(tmp_path, {"application.properties": large, **{f"application-p{n}.yml": profile for n in range(30)}})
    rows = [row for row in findings_of(tmp_path, ".") if row[1] != "application.properties"]
    assert {(name, line) for name, _, line in rows} >= {("acks-not-all", 2)}
    assert "plaintext-client" not in {name for name, _, _ in rows}


def test_a_link_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"far/application.yml": BASE % "0", "near/application-prod.yml": RETRIES})
    (tmp_path / "near/application.yml").symlink_to(tmp_path / "far/application.yml")
    (tmp_path / "near/config").symlink_to(tmp_path / "far")
    assert findings_of(tmp_path / "near", "application-prod.yml") == [("retries-limited", "application-prod.yml", 4)]


def test_a_comment_silences_what_stands_below_it_in_its_own_file(tmp_path: Path) -> None:
    comment = (
        "spring:\n  kafka:\n    producer:\n      # kafka-advisor: ignore[KA1001] short on purpose\n      retries: 3\n"
    )
    write(tmp_path, {"application.yml": BASE % "all", "application-prod.yml": comment})
    assert findings_of(tmp_path, "application-prod.yml") == []


def test_a_password_of_the_base_is_masked(tmp_path: Path) -> None:
    secret = "spring.kafka.ssl.key-store-password=hunter2222\n"
    write(tmp_path, {"application.properties": ADDRESSES + secret, "application-prod.yml": RETRIES})
    ran = run("lint", tmp_path / "application-prod.yml", "--no-config", "--format", "json")
    assert "hunter2222" not in ran.out + ran.err
    assert ("secret-in-config", 3) in {(row["name"], row["line"]) for row in ran.json["findings"]}


def test_what_follows_from_the_base_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "application.yml").write_text(
        "spring:\n  kafka:\n    bootstrap-servers: b1:9092,b2:9092\n    producer:\n      acks: 1\n"
    )
    (tmp_path / "application-prod.yml").write_text(
        "spring:\n  kafka:\n    producer:\n      properties:\n        linger.ms: 5\n"
    )
    rows = run("lint", tmp_path, "--no-config", "--format", "json").json["findings"]
    assert [row["rule"] for row in rows if row["rule"] in ("KA101", "KA1002")] == ["KA101", "KA1002"]
    effective = run("effective", tmp_path / "application-prod.yml").out
    assert f"({tmp_path / 'application.yml'}:5)" in effective
    assert "linger.ms          = 5  (line 5)" in effective
