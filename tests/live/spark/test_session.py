"""A session of our own: quiet, on the loopback, stopped at the end; and one line where there can be none."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from spark_audit.spark import session
from tests.support.commands import ROOT, process, run
from tests.support.fleets import GOOD, audit, collected
from tests.support.sockets import listening, refusing
from tests.support.spark_servers import JAVA_WARNING

SCRIPT = """
from spark_audit.spark.session import session
with session("local[2]") as spark:
    print(spark.range(10).repartition(3).mapInArrow(lambda batches: batches, "id long").count())
    conf = spark.sparkContext.getConf()
    print(conf.get("spark.driver.memory"), conf.get("spark.ui.enabled"), conf.get("spark.sql.shuffle.partitions"))
from pyspark.sql import SparkSession
print(SparkSession.getActiveSession())
"""


def test_it_is_quiet_and_leaves_nothing_behind(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{tmp_path}:/usr/bin:/bin"}
    environment.pop("PYSPARK_PYTHON", None)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment, timeout=180, check=False
    )
    assert (done.stdout, done.stderr) == ("10\n1g false 4\nNone\n", JAVA_WARNING)


def test_an_audit_by_a_session_of_our_own_says_nothing_but_its_result(tmp_path: Path) -> None:
    snapshots = collected(tmp_path / "fleet", {"good": GOOD})
    command = ["audit", snapshots, "--out", tmp_path / "out", "--exit-zero", "--master", "local[1]"]
    ran = process(*command)
    assert (ran.code, ran.err) == (0, JAVA_WARNING)
    assert "1 clusters, 1 topics" in ran.out


@pytest.fixture
def no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    from pyspark.sql import SparkSession

    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)


def old_java(folder: Path) -> str:
    (folder / "bin").mkdir()
    (folder / "bin/java").write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n")
    (folder / "bin/java").chmod(0o755)
    return str(folder)


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("no java", "no java in JAVA_HOME="),
        ("java 11", "is Java 11: install Java 17 or newer"),
        ("pandas", "pandas not installed: Spark needs `pip install 'kafka-advisor[spark]'`"),
    ],
)
def test_what_is_missing_is_one_line(
    no_session: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, told: str
) -> None:
    monkeypatch.setenv("JAVA_HOME", old_java(tmp_path) if what == "java 11" else str(tmp_path))
    if what == "pandas":
        find = importlib.util.find_spec
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pandas" else find(name))
    (tmp_path / "fleet.yaml").write_text("clusters: [{name: a, bootstrap_servers: 'h:1'}]")
    ran = run("collect", "--inventory", tmp_path / "fleet.yaml", "--out", tmp_path / "out", "--engine", "spark")
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert len(ran.err.splitlines()) == 1
    assert not (tmp_path / "out" / "complete.json").exists()


@pytest.mark.parametrize("command", ["collect", "audit", "audit-diff"])
@pytest.mark.parametrize(
    ("master", "told"),
    [
        (
            "spark://127.0.0.1:{refusing}",
            "nothing listens there (127.0.0.1:{refusing}: Connection refused); start the master",
        ),
        (
            "spark://127.0.0.1:{refusing},[::1]:{refusing}",
            "nothing listens there (127.0.0.1:{refusing}: Connection refused; [",
        ),
        ("spark://nowhere", "nowhere is not an address; write spark://host:7077"),
        ("spark://", "an empty text is not an address"),
        ("nonsense", "--master nonsense: is no master of Spark's; write local[4], spark://host:7077"),
        ("local[x]", "is no master of Spark's"),
        ("local[0]", "is no master of Spark's"),
        ("", "is no master of Spark's"),
        ("yarn", "set HADOOP_CONF_DIR or YARN_CONF_DIR"),
    ],
)
def test_a_master_that_is_none_is_told_at_once(
    no_session: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, master: str, told: str
) -> None:
    monkeypatch.delenv("HADOOP_CONF_DIR", raising=False)
    monkeypatch.delenv("YARN_CONF_DIR", raising=False)
    monkeypatch.setattr(session, "start_session", lambda *_: 1 / 0)
    port = refusing()
    (tmp_path / "fleet.yaml").write_text("clusters: [{name: a, bootstrap_servers: 'h:1'}]")
    snapshots = collected(tmp_path / "fleet", {"good": GOOD})
    audit(snapshots, tmp_path / "old")
    what: dict[str, list[object]] = {
        "collect": ["--inventory", tmp_path / "fleet.yaml"],
        "audit": [snapshots],
        "audit-diff": [tmp_path / "old", tmp_path / "old", "--engine", "spark"],
    }
    ran = run(command, *what[command], "--out", tmp_path / "out", "--master", master.format(refusing=port))
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert told.format(refusing=port) in ran.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("master", ["local", "local[2]", "local[*]", "local[*,3]", "local-cluster[2,1,1024]", "k8s://https://h:1"])  # fmt: skip
def test_a_master_that_may_be_one_is_spark_s_to_judge(master: str) -> None:
    session.check_master(master)
    with listening() as port:
        session.check_master(f"spark://127.0.0.1:{refusing()},127.0.0.1:{port}")


@pytest.mark.parametrize(
    ("master", "cores"), [("local", 1), ("local[3]", 3), ("local[3,2]", 3), ("local[*]", os.cpu_count())]
)
def test_cores_of_a_local_master(master: str, cores: int) -> None:
    assert session.cores(master) == cores
    assert session.settings(master, "1g", "x")["spark.sql.shuffle.partitions"] == str(2 * cores)
    assert "spark.sql.shuffle.partitions" not in session.settings("spark://x:7077", "1g", "x")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("An error:\n: java.lang.X: no\n\tat y", "java.lang.X: no"),
        ("Job aborted\nTraceback:\n  File\nValueError: a\n  File\nKeyError: b\n\tat z", "KeyError: b"),
        ("x\nModuleNotFoundError: No module named 'confluent_kafka'\n", "ModuleNotFoundError: No module named 'confluent_kafka': Spark's workers need it (pip install 'kafka-advisor[live,spark]', or --py-files)"),
        ("x\nadvisor.errors.UserError: /a: cut off\n\nSQLSTATE: 38000\nValueError: b\n", "/a: cut off"),
        ("[A] b c.\nmore", "[A] b c."),
        ("", "ValueError"),
    ],
)  # fmt: skip
def test_what_spark_says_in_many_lines_is_one(text: str, told: str) -> None:
    assert session.error_line(ValueError(text)) == told
