"""All commands over Spark Connect: a server of its own, to which only the package's zip is sent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from spark_audit.spark.package_zip import ZIP
from tests.support.commands import Ran, process
from tests.support.fleet_examples import LABELS, WAIVERS, WHERE
from tests.support.fleets import GOOD, ILL, audit, collected, table
from tests.support.sockets import refusing
from tests.support.spark_servers import connect_server

TABLES = ("findings", "unknowns", "counts", "clusters")


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Spark Connect server."""
    with connect_server(tmp_path_factory.mktemp("connect")) as url:
        yield url


def by_connect(url: str, *command: object) -> Ran:
    """A command in a process of its own: a session of Connect and a classic one are not at peace in one."""
    return process(*command, "--remote", url)


def test_audits_and_what_is_made_of_them(remote: str, tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL, "away": None}, LABELS)
    (tmp_path / "where.py").write_text(WHERE)
    (tmp_path / "waivers.yaml").write_text(WAIVERS)
    more = ("--max-unreachable", "1", "--waivers", tmp_path / "waivers.yaml", "--no-config")
    audit(fleet, tmp_path / "local", *more[:-1])
    ran = by_connect(remote, "audit", fleet, "--out", tmp_path / "spark", *more, "--rules", tmp_path / "where.py")
    assert ran.code == 1, ran.err
    findings = table(tmp_path / "spark", "findings")
    places = {row["message"] for row in findings if row["rule"] == "OWN9"}
    assert places and all(re.search(rf"{ZIP}/advisor/__init__\.py$", place) for place in places), places
    assert [row for row in findings if row["rule"] != "OWN9"] == table(tmp_path / "local", "findings")
    assert table(tmp_path / "spark", "unknowns") == table(tmp_path / "local", "unknowns")
    both = (tmp_path / "local", tmp_path / "spark")
    assert by_connect(remote, "audit-diff", *both, "--out", tmp_path / "drift", "--exit-zero").code == 0
    local = process("audit-diff", *both, "--out", tmp_path / "drift-local", "--exit-zero", "--engine", "local")
    assert local.code == 0
    assert table(tmp_path / "drift", "drift") == table(tmp_path / "drift-local", "drift") != []
    assert by_connect(remote, "audit-report", both[1], "--html", tmp_path / "x.html").code == 0
    assert "OWN9" in (tmp_path / "x.html").read_text()


def test_clusters_are_collected(remote: str, tmp_path: Path) -> None:
    row = f"- {{name: away, bootstrap_servers: '127.0.0.1:{refusing()}'}}"
    (tmp_path / "fleet.yaml").write_text(f"clusters:\n  {row}\n")
    ran = by_connect(remote, "collect", "--inventory", tmp_path / "fleet.yaml", "--out", tmp_path / "out")
    assert ran.code == 4, ran.err
    assert "away" in ran.out
    assert audit(tmp_path / "out", tmp_path / "audit", "--max-unreachable", "1").code == 0


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("sc://127.0.0.1:{refusing}", "nothing listens there (127.0.0.1:{refusing}: Connection refused)"),
        ("sc://127.0.0.1:{refusing}/;user_id=me", "nothing listens there"),
        ("http://127.0.0.1", "--remote http://127.0.0.1: is no Spark Connect server; write sc://host:15002"),
        ("", "is no Spark Connect server"),
    ],
)
def test_a_server_that_is_not_there_is_one_line(tmp_path: Path, url: str, says: str) -> None:
    fleet, port = collected(tmp_path / "fleet", {"good": GOOD}), refusing()
    ran = by_connect(url.format(refusing=port), "audit", fleet, "--out", tmp_path / "audit", "--no-config")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert says.format(refusing=port) in ran.err
    assert not (tmp_path / "audit").exists()
