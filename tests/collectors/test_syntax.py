"""Files of other syntaxes are not read, said so, and counted; what may be properties is read as properties."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.files.syntax.recognition import syntax_of
from tests.support.commands import run

STRIMZI = "apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nspec:\n  kafka:\n    config:\n      acks: 1\n"
GOOD = "bootstrap.servers=b1:9092,b2:9092\nsecurity.protocol=SSL\nacks=all\nkey.serializer=a.B\nvalue.serializer=a.B\n"


@pytest.mark.parametrize(
    ("path", "text", "syntax"),
    [
        ("a.yaml", "acks: 1\n", "YAML"),
        ("A.YML", "", "YAML"),
        ("main.tf", 'resource "x" {}\n', "HCL"),
        ("README.md", "group.id=a\n", "text"),
        ("pom.xml", "<project>\n", "XML"),
        ("-", STRIMZI, "YAML"),
        ("x.conf", "---\nacks: 1\n", "YAML"),
        ("x", "services:\n- kafka\n", "YAML"),
        ("x", "spring:\n  kafka:\n    bootstrap-servers: a\n", "YAML"),
        ("x", '<?xml version="1.0"?>\n', "XML"),
        ("x", "acks: 1\nlinger.ms: 5\n", None),
        ("x", "acks:\nlinger.ms=5\n", None),
        ("x", "acks:\n  1\n", None),
        ("x", "a=b \\\n  c: d\n", None),
        ("x", "# a comment:\n  acks=1\n", None),
        ("x", "", None),
    ],
)
def test_what_a_file_is_written_in(path: str, text: str, syntax: str | None) -> None:
    assert syntax_of(path, text) == (syntax or "properties")


def test_a_syntax_without_a_reader_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "pom.xml").write_text("<project>kafka</project>")
    ran = run("lint", tmp_path / "pom.xml", "--no-config", "--format", "json")
    assert ran.code == 3
    assert "pom.xml: not read: this is XML" in ran.err
    assert not ran.json["findings"]
    assert ran.json["summary"]["not_read"] == 1


def test_yaml_that_does_not_concern_kafka_is_nothing_to_check(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("services:\n  db:\n    image: postgres:16\n")
    ran = run("lint", tmp_path / "a.yaml", "--no-config")
    assert ran.code == 3
    assert "nothing to check: " in ran.err


@pytest.mark.parametrize(("option", "code"), [(None, 0), ("--fail-on-unknown", 1)])
def test_beside_others_the_code_is_theirs(tmp_path: Path, option: str | None, code: int) -> None:
    (tmp_path / "pom.xml").write_text("<project>kafka</project>")
    (tmp_path / "p.properties").write_text(GOOD)
    options = [option] if option else []
    files = (tmp_path / "pom.xml", tmp_path / "p.properties")
    ran = run("lint", *files, "--no-config", *options)
    assert ran.code == code
    assert "; 1 not read. " in ran.out
    (row,) = run("lint", *files, "--no-config", "--format", "json").json["not_read"]
    assert row == {"file": str(tmp_path / "pom.xml"), "reason": "not read: this is XML, not a properties file"}


def test_the_ending_properties_says_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "x.properties").write_text(f"---\n{GOOD}")
    assert "not read" not in run("lint", tmp_path / "x.properties", "--no-config").err
