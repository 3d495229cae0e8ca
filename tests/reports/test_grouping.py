"""Findings of several files stand together only where every word is the same, the judged release included."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

NODE = "services:\n  kafka:\n    image: apache/kafka:{}\n    environment:\n      KAFKA_PROCESS_ROLES: broker\n      KAFKA_NODE_ID: x\n"


@pytest.mark.parametrize(("second", "heads"), [("4.1.0", 2), ("4.0.0", 1)])
def test_two_releases_are_two_sections(second: str, heads: int, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "compose.yml").write_text(NODE.format("4.0.0"))
    (tmp_path / "b" / "compose.yml").write_text(NODE.format(second))
    out = run("lint", tmp_path, "--no-config").out
    named = [line for line in out.splitlines() if line.startswith(str(tmp_path)) and line.endswith("compose.yml")]
    assert len(named) == heads, out
    releases = [line.strip() for line in out.splitlines() if "does not start with this" in line]
    assert set(releases) == {f"Kafka {release[:3]} does not start with this" for release in ("4.0.0", second)}


def test_an_html_card_says_which_release_refuses_which_file(tmp_path: Path) -> None:
    for name, release in (("a", "4.0.0"), ("b", "4.1.0")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "compose.yml").write_text(NODE.format(release))
    out = run("lint", tmp_path, "--no-config", "--format", "html").out
    assert f"Kafka 4.0 does not start with this: {tmp_path}/a/compose.yml:6:7" in out
    assert f"Kafka 4.1 does not start with this: {tmp_path}/b/compose.yml:6:7" in out


def test_values_that_differ_beyond_what_is_shown_are_two_rows(tmp_path: Path) -> None:
    hosts = ",".join(f"PLAINTEXT://a-rather-long-host-name-{number}.example.org:909{number}" for number in range(6))
    for name, port in (("a", 1), ("b", 2)):
        (tmp_path / f"{name}.properties").write_text(
            f"process.roles=broker\nnode.id=1\nlisteners={hosts},PLAINTEXT://h:70{port}00\n"
        )
    out = run("lint", tmp_path, "--no-config").out
    assert sum(line.endswith(".properties") for line in out.splitlines()) == 2, out
