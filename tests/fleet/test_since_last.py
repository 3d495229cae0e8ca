"""`audit --since-last` says what an audit of everything says, and judges only what has changed."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spark_audit.local import cluster_digests
from spark_audit.local.chunks import split_topics
from spark_audit.local.cluster_digests import digest_clusters
from spark_audit.results import plan
from spark_audit.schema.results import TABLES as RESULTS
from spark_audit.schema.snapshots import RELAXED, TABLES
from spark_audit.storage.load import Fleet, load
from tests.support.fleet_examples import LABELS, damaged
from tests.support.fleets import GOOD, ILL, audit, collected, files_of, table, written
from tests.support.since_last import CHANGES, FILES, FLEET, audit_again, audit_with, kept_of, row_of, rows_of


@pytest.mark.parametrize(("name", "jobs"), [*((name, 1) for name in CHANGES), ("nothing", 2), ("a topic", 2)])
def test_the_rows_are_those_of_an_audit_of_everything(tmp_path: Path, name: str, jobs: int) -> None:
    change = CHANGES[name]
    ran, out, plain = audit_again(tmp_path, change, "--engine", "local", "--jobs", jobs)
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
    audit(fleet, tmp_path / "no-digests")
    assert audit(fleet, tmp_path / "a", "--since-last", tmp_path / "no-digests").err == ""
    assert kept_of(tmp_path / "a") == ("no-digests", 0)
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


# ---------------------------------------------------------------------- digests


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, pa.Table]]:
    """The tables of a fleet with everything that a stranger's may hold; blocks of three rows."""
    folder = tmp_path_factory.mktemp("fleet")
    rows = damaged(collected(folder / "whole", FLEET, LABELS))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster_digests, "BLOCK_ROWS", 3)
        yield {name: load([str(written(folder / "other", rows))]).table(name) for name in TABLES}


@given(data=st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_digest_does_not_depend_on_how_rows_lie_in_files(
    tables: dict[str, pa.Table], tmp_path: Path, data: st.DataObject
) -> None:
    whole = digest_clusters(Fleet(None, {}, plain(tables)))
    cut = data.draw(st.lists(st.integers(0, tables["topics"].num_rows), max_size=4).map(sorted))
    bounds = [0, *cut, tables["topics"].num_rows]
    parts = [tables["topics"].slice(start, end - start) for start, end in itertools.pairwise(bounds)]
    topics = pa.concat_tables([part.combine_chunks() for part in parts])
    assert digest_clusters(Fleet(None, {}, plain(tables | {"topics": topics}))) == whole
    folder = written(tmp_path / "files", plain(tables))
    (file,) = files_of(folder, "topics")
    pq.write_table(plain(tables)["topics"], file, row_group_size=data.draw(st.integers(1, 9)))
    assert digest_clusters(load([str(folder)])) == whole


@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_changes_the_digest_of_its_cluster_does(tables: dict[str, pa.Table], data: st.DataObject) -> None:
    whole = digest_clusters(Fleet(None, {}, plain(tables)))
    name = data.draw(st.sampled_from(sorted(TABLES)))
    rows = tables[name].to_pylist()
    row = data.draw(st.sampled_from([row for row in rows if row["cluster"]]))
    columns = [key for key, value in row.items() if value is not None and key not in ("cluster", "seconds")]
    row[data.draw(st.sampled_from(columns))] = None
    changed = pa.Table.from_pylist(rows, plain(tables)[name].schema)
    digests = digest_clusters(Fleet(None, {}, plain(tables | {name: changed})))
    assert {cluster for cluster, digest in digests.items() if digest != whole[cluster]} == {row["cluster"]}


def plain(tables: dict[str, pa.Table]) -> dict[str, pa.Table]:
    """The tables with plain texts, as an audit of snapshot files has them."""
    return {name: rows.cast(RELAXED[name]) for name, rows in tables.items()}
