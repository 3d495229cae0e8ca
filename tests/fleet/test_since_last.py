"""`audit --since-last` says what an audit of everything says, and judges only what has changed."""

from __future__ import annotations

import itertools
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import orc

from advisor.facts.cluster import BEHIND_MS
from advisor.model import Snapshot
from advisor.samples.cluster_text import parse_cluster
from examples.fleet import Fleet, write
from spark_audit.local.chunks import split_topics
from spark_audit.results import plan
from spark_audit.schema.results import TABLES as RESULTS
from spark_audit.schema.snapshots import TABLES
from spark_audit.storage import snapshot_digest
from spark_audit.storage.encode import encode_snapshot
from spark_audit.storage.load import load
from spark_audit.storage.runs import MARKER
from tests.support.fleet_examples import LABELS
from tests.support.fleets import GOOD, ILL, audit, collected, files_of, table
from tests.support.since_last import (
    CHANGES,
    FILES,
    FLEET,
    audit_again,
    audit_before,
    audit_with,
    kept_of,
    row_of,
    rows_of,
)


@pytest.fixture(scope="module")
def first_audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return audit_before(tmp_path_factory.mktemp("first"), "--engine", "local")


@pytest.mark.parametrize(("name", "jobs"), [*((name, 1) for name in CHANGES), ("nothing", 2), ("a topic", 2)])
def test_the_rows_are_those_of_an_audit_of_everything(first_audit: Path, tmp_path: Path, name: str, jobs: int) -> None:
    change = CHANGES[name]
    ran, out, plain = audit_again(first_audit, tmp_path, change, "--engine", "local", "--jobs", jobs)
    assert rows_of(out) == rows_of(plain)
    assert row_of(out) == row_of(plain)
    assert kept_of(out) == ("1", change.kept), ran.err
    if change.why_none:
        assert f"every cluster was judged: {out.parent / '1'}: {change.why_none}" in ran.err
    else:
        assert ran.err == ""
        assert f"{change.kept} of {len(change.clusters)} clusters have not changed since 1" in ran.out
    whole = {row["cluster"]: row["collected"] for row in table(out, "clusters")}
    assert set(whole.values()) == {"2026-11-20T04:00:00Z"}


def test_a_waiver_that_has_expired_since(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = FILES | {"waivers.yaml": "- {rule: KA152, reason: it was said, until: 2027-01-31}"}
    fleet = collected(tmp_path / "fleet", FLEET, LABELS)
    for number, (day, kept) in enumerate(((date(2027, 1, 30), 4), (date(2027, 1, 31), 4), (date(2027, 2, 1), 0))):
        monkeypatch.setattr(plan, "date", type("Day", (date,), {"today": classmethod(lambda _, day=day: day)}))
        ran = audit_with(files, tmp_path, fleet, tmp_path / f"audits/{number}", "--since-last")
        if number:
            assert kept_of(tmp_path / f"audits/{number}")[1] == kept, ran.err
    assert "waivers differ, or one has expired" in ran.err
    assert {row["waiver"] for row in table(tmp_path / "audits/2", "findings")} == {None}


def test_the_newest_audit_is_the_one_at_out_or_beside_it(tmp_path: Path) -> None:
    fleet, audits = collected(tmp_path / "fleet", {"ill": ILL}), tmp_path / "audits"
    assert "every cluster was judged: there is no earlier audit" in audit(fleet, audits / "a", "--since-last").err
    assert kept_of(audits / "a") == (None, None)
    audit(fleet, audits / "b", "--since-last", audits / "a")
    assert kept_of(audits / "b") == ("a", 1)
    audit(fleet, audits / "a", "--since-last", "--overwrite")
    assert kept_of(audits / "a") in (("a", 1), ("b", 1))  # begun in the same second
    assert len(list((audits / "a").glob("run=*"))) == 1
    ran = audit(fleet, audits / "c", "--since-last", audits / "nowhere")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "nowhere: no such folder" in ran.err


def test_audits_that_cannot_vouch_for_their_rows_are_not_kept(tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"ill": ILL})
    audit(fleet, tmp_path / "plain")
    assert audit(fleet, tmp_path / "a", "--since-last", tmp_path / "plain").err == ""
    assert kept_of(tmp_path / "a") == ("plain", 1)
    for name in ("findings", "unknowns"):
        damaged_audit = tmp_path / f"without-{name}"
        shutil.copytree(tmp_path / "a", damaged_audit)
        for file in files_of(damaged_audit, name):
            rows = pq.read_table(file)
            pq.write_table(rows.slice(1), file)
        ran = audit(fleet, tmp_path / f"after-{name}", "--since-last", damaged_audit)
        assert f"{name}, and has" in ran.err
        assert rows_of(tmp_path / f"after-{name}") == rows_of(tmp_path / "a")


def test_audits_of_a_release_without_digests_are_read(tmp_path: Path) -> None:
    fleet, old = collected(tmp_path / "fleet", FLEET, LABELS), tmp_path / "old"
    audit(fleet, old)
    for name in RESULTS:
        for file in files_of(old, name):
            rows = pq.read_table(file)
            later = {"clusters": ["inputs", "waivers", "digest"], "audits": ["since", "kept"]}.get(name, [])
            pq.write_table(rows.drop_columns(later), file)
    for file in files_of(old, "waivers"):
        file.unlink()
    assert audit(fleet, tmp_path / "new", "--since-last", old, "--max-unreachable", "9").code == 1
    assert kept_of(tmp_path / "new") == ("old", 0)


def test_only_row_groups_of_clusters_that_are_judged_are_read(tmp_path: Path) -> None:
    folder = collected(tmp_path / "fleet", dict.fromkeys(("a", "b", "c", "d"), GOOD))
    (file,) = files_of(folder, "topics")
    pq.write_table(pq.read_table(file), file, row_group_size=1)
    fleet = load([str(folder)])
    for left_out, row_groups in (([], [0, 1, 2, 3]), (["a", "c"], [1, 3]), (["a", "b", "c", "d"], [])):
        fleet.leave_out(left_out)
        chunks, topics = split_topics(fleet, jobs=1)
        assert [group for chunk in chunks for _, _, groups in chunk for group in groups] == row_groups
        assert topics == len(row_groups)


def test_files_that_were_changed_or_copied_are_judged_whatever_their_digests_say(tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", FLEET, LABELS)
    more = ("--max-unreachable", "9", "--since-last")
    audit(fleet, tmp_path / "a", *more)
    (file,) = files_of(fleet, "topics")
    rows = pq.read_table(file).to_pylist()
    rows[0]["settings"] = [{"key": "unclean.leader.election.enable", "value": "true", "source": "DYNAMIC_TOPIC"}]
    pq.write_table(pa.Table.from_pylist(rows, TABLES["topics"]), file)
    for name in ("b", "c"):
        ran = audit(fleet, tmp_path / name, *more)
        assert "their files were changed or copied since; collect again" in ran.err
        assert kept_of(tmp_path / name)[1] == 0
        assert {row["digest"] for row in table(tmp_path / name, "clusters")} == {None}
    audit(fleet, tmp_path / "plain/a", "--max-unreachable", "9")
    assert rows_of(tmp_path / "b") == rows_of(tmp_path / "plain/a") != rows_of(tmp_path / "a")


def test_a_file_that_was_removed_is_a_change(tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL})
    (file,) = files_of(fleet, "topics")
    rows = pq.read_table(file)
    for part in (0, 1):
        pq.write_table(rows.slice(part, 1 + part), file.with_name(f"part-{part}.parquet"))
    (fleet / MARKER).write_bytes((fleet / MARKER).read_bytes())
    audit(fleet, tmp_path / "a")
    assert {row["digest"] is None for row in table(tmp_path / "a", "clusters")} == {False}
    file.with_name("part-1.parquet").unlink()
    assert "changed or copied since" in audit(fleet, tmp_path / "b", "--since-last").err
    assert kept_of(tmp_path / "b") == ("a", 0)


@pytest.mark.parametrize("storage", ["parquet", "orc"])
def test_tables_of_a_release_without_digests_are_judged(tmp_path: Path, storage: str) -> None:
    fleet = collected(tmp_path / "fleet", FLEET, LABELS)
    for file in files_of(fleet, "clusters"):
        rows = pq.read_table(file).drop_columns("digest")
        pq.write_table(rows, file)
    if storage == "orc":
        in_orc(fleet)
    for name in ("a", "b"):
        ran = audit(fleet, tmp_path / name, "--max-unreachable", "9", "--since-last")
    assert "another release collected the snapshots" in ran.err
    assert kept_of(tmp_path / "b") == ("a", 0)
    assert {row["digest"] for row in table(tmp_path / "b", "clusters")} == {None}


def test_digests_of_another_release_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(snapshot_digest, "RELEASE", "0.0:")
        fleet = collected(tmp_path / "fleet", {"ill": ILL})
    for name in ("a", "b"):
        ran = audit(fleet, tmp_path / name, "--since-last")
    assert "another release collected the snapshots" in ran.err
    assert kept_of(tmp_path / "b") == ("a", 0)


def in_orc(fleet: Path) -> None:
    """Write a collection's files again as ORC."""
    marker = fleet / MARKER
    marker.write_text(marker.read_text().replace('"storage": "parquet"', '"storage": "orc"'))
    for name in TABLES:
        for file in files_of(fleet, name):
            orc.write_table(pq.read_table(file), file.with_suffix(".orc"))
            file.unlink()


# ---------------------------------------------------------------------- digests


RICH = """kafka 4.3
brokers 1/a 2/b 3/c
broker * default.replication.factor=3 min.insync.replicas=2
topic orders retention.ms=1000
0-5: leader 1 replicas 1,2,3 isr 1,2,3
group pay state=STABLE members=2 committed=orders/0:5
quorum leader=101 voters=101,102,103 observers=1
features metadata.version=29/30
logdir 1 /data free=500 total=1000
acl User:* topic * ALL
[producer orders]
acks=1"""
MOVING = (("free=500", "free=150"), ("orders/0:5", "orders/0:6"))
"""What differs with every reading, and does not count."""
COUNTED = (
    ("kafka 4.3", "kafka 4.2"),
    ("2/b", "!2/b"),
    ("2/b", "2/a"),
    ("min.insync.replicas=2", "min.insync.replicas=1"),
    ("retention.ms=1000", "retention.ms=1001"),
    ("topic orders", "topic order"),
    ("0-5:", "0-6:"),
    ("leader 1", "leader 2"),
    ("isr 1,2,3", "isr 1,2"),
    ("replicas 1,2,3", "replicas 1,3,2"),
    ("members=2", "members=1"),
    ("orders/0:5", "orders/1:5"),
    ("group pay", "group paid"),
    ("observers=1", "observers=1 behind=102"),
    ("voters=101,102,103", "voters=101,102"),
    ("29/30", "30/30"),
    ("29/30", "29/29"),
    ("free=500", "free=149"),
    ("free=500 total=1000", "error=KafkaStorageError"),
    ("/data", "/disk"),
    ("acl User:*", "acl User:me"),
    ("acks=1", "acks=0"),
    ("[producer orders]", "unread groups: not permitted\n[producer orders]"),
)


def digest_of(cluster: str | Snapshot, labels: dict[str, str] | None = None, seconds: float = 1.0) -> str:
    """The digest of one cluster."""
    snapshot = parse_cluster(cluster) if isinstance(cluster, str) else cluster
    rows = encode_snapshot("c", snapshot, labels, seconds)
    (digest,) = rows["clusters"].column("digest").to_pylist()
    return str(digest)


@pytest.mark.parametrize(("before", "after"), COUNTED)
def test_whatever_changes_the_digest_does(before: str, after: str) -> None:
    changed = RICH.replace(before, after)
    assert changed != RICH
    assert digest_of(changed) != digest_of(RICH)


def test_labels_change_the_digest() -> None:
    assert digest_of(RICH, {"team": "a"}) != digest_of(RICH, {"team": "b"}) != digest_of(RICH)


@pytest.mark.parametrize(("before", "after"), MOVING)
def test_what_moves_with_every_reading_changes_neither_the_digest_nor_the_findings(
    tmp_path: Path, before: str, after: str
) -> None:
    changed = RICH.replace(before, after)
    assert changed != RICH
    assert digest_of(changed) == digest_of(RICH)
    for name, cluster in (("a", RICH), ("b", changed)):
        audit(collected(tmp_path / f"fleet-{name}", {"c": cluster}), tmp_path / name / "audit")
    assert rows_of(tmp_path / "a/audit") == rows_of(tmp_path / "b/audit")


@given(
    lag=st.integers(0, 10**9), silent_ms=st.integers(0, BEHIND_MS), epoch=st.integers(0, 99), seconds=st.floats(0, 9)
)
def test_a_voter_that_keeps_up_changes_no_digest(lag: int, silent_ms: int, epoch: int, seconds: float) -> None:
    snapshot = parse_cluster(RICH)
    assert snapshot.live is not None
    assert snapshot.live.quorum is not None
    snapshot.live.collected, snapshot.live.quorum.epoch = "2026-11-20T04:00:00Z", epoch
    snapshot.live.quorum.members[1].lag, snapshot.live.quorum.members[1].silent_ms = lag, silent_ms
    assert digest_of(snapshot, seconds=seconds) == digest_of(RICH)
    snapshot.live.quorum.members[1].silent_ms = BEHIND_MS + 1
    assert digest_of(snapshot) != digest_of(RICH)


def test_the_digests_of_a_made_up_fleet_are_equal_where_its_rows_are(tmp_path: Path) -> None:
    rows_of_time = []
    for later in (False, True):
        write(Fleet(20, 400, 7, later), str(tmp_path / "fleet"))
        fleet = load([str(tmp_path / "fleet")])
        tables = {name: fleet.table(name).to_pylist() for name in TABLES}
        digests = {row["cluster"]: row.pop("digest") for row in tables["clusters"]}
        rows_of_time.append((digests, {name: rows_by_cluster(rows) for name, rows in tables.items()}))
        write(Fleet(20, 400, 7, later), str(tmp_path / "again"))
        again = load([str(tmp_path / "again")]).table("clusters")
        assert again.column("digest").to_pylist() == list(digests.values())
    (digests, tables), (digests_later, tables_later) = rows_of_time
    same = {name for name in digests if digests[name] == digests_later[name]}
    assert same == {
        cluster
        for cluster in digests
        if all(tables[name].get(cluster) == tables_later[name].get(cluster) for name in TABLES)
    }
    assert 0 < len(same) < 20


def rows_by_cluster(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The rows of each cluster."""
    return {name: list(own) for name, own in itertools.groupby(rows, key=lambda row: str(row["cluster"]))}
