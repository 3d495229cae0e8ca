"""A standalone Spark cluster on the loopback whose workers know nothing of the tool: the package is shipped as a zip."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spark_audit.bundle import bundle
from spark_audit.spark.package_zip import PACKAGES, ZIP
from tests.support.commands import ROOT
from tests.support.fleet_examples import WHERE
from tests.support.fleets import GOOD, ILL, audit, collected, table
from tests.support.spark_servers import standalone, submitted


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A master and one worker."""
    with standalone(tmp_path_factory.mktemp("standalone"), 1) as url:
        yield url


def test_the_package_travels_as_a_zip(cluster: str, tmp_path: Path) -> None:
    bundle(str(tmp_path / "dist"))
    fleet = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL})
    (tmp_path / "where.py").write_text(WHERE)
    more = ["--rules", tmp_path / "where.py", "--no-config"]
    out = tmp_path / "spark"
    ran = submitted(cluster, tmp_path / "dist", tmp_path, "audit", fleet, "--out", out, *more)
    assert ran.returncode == 1, ran.stderr[-3000:]
    found = table(out, "findings")
    places = {row["message"] for row in found if row["rule"] == "OWN9"}
    assert places
    assert all(re.search(rf"{ZIP}/advisor/__init__\.py$", place) for place in places), places
    audit(fleet, tmp_path / "local")
    assert [row for row in found if row["rule"] != "OWN9"] == table(tmp_path / "local", "findings")


def test_what_workers_lack_is_said_in_one_line(cluster: str, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    bundle(str(tmp_path / "dist"))
    fleet = collected(tmp_path / "fleet", {"good": GOOD})
    ran = submitted(
        cluster,
        tmp_path / "dist",
        tmp_path,
        "audit",
        fleet,
        "--out",
        tmp_path / "audit",
        "--no-config",
        python=str(bare / "bin/python"),
    )
    assert ran.returncode == 2
    own = [line for line in (ran.stdout + ran.stderr).splitlines() if line.startswith("kafka-advisor:")]
    assert len(own) == 1, [line for line in (ran.stdout + ran.stderr).splitlines() if "advisor:" in line]
    assert "pip install 'kafka-advisor[" in own[0]
    assert not (tmp_path / "audit/complete.json").exists()


def test_a_bundle_is_the_same_for_the_same_files_and_holds_the_data(tmp_path: Path) -> None:
    import zipfile

    one, two = (Path(bundle(str(tmp_path / name))[0]).read_bytes() for name in ("one", "two"))
    assert one == two
    names = zipfile.ZipFile(tmp_path / "one" / ZIP).namelist()
    assert {name.split("/")[0] for name in names} == set(PACKAGES)
    for wanted in (
        "advisor/reports/html/report.css",
        "spark_audit/spark/log4j2.properties",
        "advisor/catalog/history/broker.py",
    ):
        assert wanted in names


def test_lint_and_simulate_work_out_of_the_zip(tmp_path: Path) -> None:
    archive = bundle(str(tmp_path / "dist"))[0]
    for arguments, said in (
        (["lint", str(ROOT / "examples/bad/producer.properties")], "KA101"),
        (["simulate", "--rf", "3", "--min-isr", "2", "--acks", "1"], "lost"),
        (["lint", str(ROOT / "examples/bad/server.properties"), "--format", "html"], "<!doctype html>"),
    ):
        ran = subprocess.run(
            [sys.executable, "-c", "import sys; from advisor.cli import main; sys.exit(main(sys.argv[1:]))", *arguments],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": archive}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert said.lower() in ran.stdout.lower(), ran.stderr
