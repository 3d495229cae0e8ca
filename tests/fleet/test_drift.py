"""What became of findings between two audits: new, changed, fixed, unknown or the same, and never fixed unseen."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.fleet import Fleet, write
from spark_audit.drift import local as drift_local
from spark_audit.drift.matching import match_findings
from spark_audit.results import coverage
from spark_audit.results.history import history, open_audit
from spark_audit.schema.drift import CONTENT, KEYS, PAIRS, TABLES
from spark_audit.storage.runs import MARKER
from tests.support.commands import Ran, run
from tests.support.drift_examples import DRIFT_WAIVERS, FEW, HIDDEN, LOOSE, MANY, ODD_RULE, STRICT, WEAK, rewritten
from tests.support.fleets import GOOD, ILL, audit, collected, folder_of, table

NO_CLIENT = ILL.partition("[producer")[0]

Row = dict[str, Any]
MADE: dict[tuple[object, ...], Path] = {}


def made(folder: Path, name: str, clusters: dict[str, str | None], *more: object) -> Path:
    """An audit of drawn clusters; a copy where another test has audited the same ones."""
    key, out = (name, *clusters.items(), *more), folder / "audits" / name
    if key in MADE:
        return Path(shutil.copytree(MADE[key], out))
    fleet = collected(folder / f"{name}-fleet", clusters)
    ran = audit(fleet, out, "--exit-zero", "--max-unreachable", "9", *more)
    assert ran.code in (0, 2), ran.err
    MADE[key] = Path(shutil.copytree(out, folder / "untouched" / name))
    return out


def compare(old: Path, new: Path, out: Path, *more: object) -> Ran:
    return run("audit-diff", old, new, "--out", out, *more)


def drift(folder: Path, old: Path, new: Path) -> list[Row]:
    ran = compare(old, new, folder / "drift", "--exit-zero", "--overwrite")
    assert (ran.code, [line for line in ran.err.splitlines() if "was made after" not in line]) == (0, [])
    return table(folder / "drift", "drift")


def of(rows: list[Row], rule: str) -> list[tuple[str, bool, str | None]]:
    return sorted({(row["status"], row["worse"], row["reason"]) for row in rows if row["rule"] == rule})


# ---------------------------------------------------------------------- what becomes of one finding

UNREACHED = "the cluster could not be reached: b1:9092: no answer within 30 s"


@pytest.mark.parametrize(
    ("old", "new", "rule", "told"),
    [
        ({"c": GOOD}, {"c": FEW}, "KA221", [("new", True, None)]),
        ({"c": FEW}, {"c": GOOD}, "KA221", [("fixed", False, None)]),
        ({"c": FEW}, {"c": MANY}, "KA221", [("changed", False, None)]),
        ({"c": FEW}, {"c": FEW}, "KA221", []),
        ({"c": FEW}, {"c": None}, "KA221", [("unknown", False, UNREACHED)]),
        ({"c": None}, {"c": FEW}, "KA221", [("new", True, UNREACHED)]),
        ({"c": FEW, "d": GOOD}, {"d": GOOD}, "KA221", [("unknown", False, coverage.ABSENT)]),
        ({"d": GOOD}, {"c": FEW, "d": GOOD}, "KA221", [("new", True, coverage.ABSENT)]),
        ({"c": WEAK}, {"c": FEW}, "KA151", [("fixed", False, None)]),
        ({"c": WEAK}, {"c": HIDDEN}, "KA151", [("unknown", False, "not permitted")]),
        ({"c": HIDDEN}, {"c": WEAK}, "KA151", [("new", True, "not permitted")]),
        ({"c": ILL}, {"c": NO_CLIENT}, "KA101", [("unknown", False, coverage.NOTHING_TO_JUDGE)]),
        ({"c": NO_CLIENT}, {"c": ILL}, "KA101", [("new", True, coverage.NOTHING_TO_JUDGE)]),
    ],
)  # fmt: skip
def test_a_finding_is_fixed_only_where_somebody_looked(
    tmp_path: Path,
    old: dict[str, str | None],
    new: dict[str, str | None],
    rule: str,
    told: list[tuple[str, bool, str | None]],
) -> None:
    sides = (made(tmp_path, name, side, "--select", rule) for name, side in (("old", old), ("new", new)))
    assert of(drift(tmp_path, *sides), rule) == told


def test_rules_that_did_not_run_fixed_nothing(tmp_path: Path) -> None:
    every, few = made(tmp_path, "every", {"c": ILL}), made(tmp_path, "few", {"c": ILL}, "--select", "KA220")
    rows = drift(tmp_path, every, few)
    assert of(rows, "KA221") == [("unknown", False, coverage.RULE_NOT_RUN)]
    assert of(rows, "KA220") == []
    assert of(drift(tmp_path, few, every), "KA221") == [("new", True, coverage.RULE_NOT_RUN)]
    told = json.loads((tmp_path / "drift" / MARKER).read_text())
    assert told["differences"] == ["rules or choices differ"]
    assert told["new_not_known_before"] == told["new"] > 0


def test_a_rule_that_raised_fixed_nothing(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(ODD_RULE)
    odd, unlucky = (f"{FEW.partition('topic')[0]}topic a retention.ms=14\n0: leader 1 replicas 1,2,3 isr 1\ntopic b retention.ms={value}\n0: leader 1 replicas 1,2,3 isr 1" for value in (14, 13))  # fmt: skip
    good = odd.replace("retention.ms=14", "retention.ms=15")
    own = ("--rules", tmp_path / "own.py", "--select", "OWN1")
    old, crashed, fixed = (made(tmp_path, name, {"c": text}, *own) for name, text in (("old", odd), ("crashed", unlucky), ("fixed", good)))  # fmt: skip
    ((status, worse, reason),) = of(drift(tmp_path, old, crashed), "OWN1")
    assert (status, worse, (reason or "")[:32]) == ("unknown", False, "rule OWN1 odd crashed: ZeroDivis")
    assert of(drift(tmp_path, old, crashed), "KA000") == [("new", True, None)]
    assert Counter(row["status"] for row in drift(tmp_path, old, fixed)) == {"fixed": 2}


@pytest.mark.parametrize(
    ("before", "now", "worse", "code"),
    [((), ("--waivers", "w"), False, 0), (("--waivers", "w"), (), True, 1)],
)
def test_a_waiver_is_a_change(
    tmp_path: Path, before: tuple[str, ...], now: tuple[str, ...], worse: bool, code: int
) -> None:
    (tmp_path / "w").write_text(DRIFT_WAIVERS)
    sides = [[tmp_path / each if each == "w" else each for each in side] for side in (before, now)]
    old, new = (made(tmp_path, name, {"c": FEW}, *side) for name, side in zip(("old", "new"), sides, strict=True))
    assert compare(old, new, tmp_path / "out").code == code
    rows = table(tmp_path / "out", "drift")
    assert {(row["rule"], row["status"], row["worse"], row["waived"], row["waived_before"]) for row in rows} == {
        ("KA221", "changed", worse, bool(now), bool(before))
    }


def test_what_is_new_and_waived_is_not_worse(tmp_path: Path) -> None:
    (tmp_path / "w").write_text(DRIFT_WAIVERS)
    old, new = made(tmp_path, "old", {"c": GOOD}), made(tmp_path, "new", {"c": FEW}, "--waivers", tmp_path / "w")
    assert of(drift(tmp_path, old, new), "KA221") == [("new", False, None)]


@pytest.mark.parametrize(
    ("profiles", "worse"),
    [(("dev", "production"), True), (("production", "dev"), False)],
)
def test_another_severity_is_a_change_and_a_higher_one_is_worse(
    tmp_path: Path, profiles: tuple[str, str], worse: bool
) -> None:
    old, new = (made(tmp_path, profile, {"c": FEW}, "--profile", profile) for profile in profiles)
    rows = [
        row
        for row in drift(tmp_path, old, new)
        if row["severity"] != row["severity_before"] and row["status"] == "changed"
    ]
    assert rows
    assert {row["worse"] for row in rows} == {worse}
    assert "profile" in json.loads((tmp_path / "drift" / MARKER).read_text())["differences"][0]


@pytest.mark.parametrize(
    ("old", "new", "more", "code"),
    [
        (GOOD, FEW, (), 1),
        (GOOD, FEW, ("--exit-zero",), 0),
        (FEW, GOOD, (), 0),
        (FEW, FEW, ("--fail-on", "info"), 0),
        (FEW, MANY, (), 0),
        (GOOD, FEW.replace("isr 1", "isr 1,2"), ("--fail-on", "critical"), 0),
    ],
)
def test_the_exit_code_says_whether_something_is_new_or_worse(
    tmp_path: Path, old: str, new: str, more: tuple[str, ...], code: int
) -> None:
    assert (
        compare(made(tmp_path, "old", {"c": old}), made(tmp_path, "new", {"c": new}), tmp_path / "out", *more).code
        == code
    )


# ---------------------------------------------------------------------- what a changed setting does

ISR = ("topic", "min.insync.replicas")
SHOW_SETTINGS = ("KA101", "KA151", "KA221", "KA704", "KA705", "KA760", "KA1002")
"""Rules whose findings show the settings below."""
SHOWS_NOTHING = "no finding of {} says what {} was"


def changed(rows: list[Row], kind: str, key: str) -> list[tuple[list[tuple[str, str, str]] | None, str | None]]:
    """The rules that judge the change of a key, with severity and effect, and why one cannot."""
    judged = [(row["change"], row["change_unknown"]) for row in rows if (row["kind"], row["key"]) == (kind, key)]
    words = [
        (each and [(rule["rule"], rule["severity"], rule["effect"]) for rule in each], why) for each, why in judged
    ]
    return [word for at, word in enumerate(words) if word not in words[:at]]


@pytest.mark.parametrize(
    ("old", "new", "kind", "key", "judged"),
    [
        (STRICT, LOOSE, "topic", "retention.ms", ([("KA1841", "medium", "lost")], None)),
        (LOOSE, STRICT, "topic", "retention.ms", ([], None)),
        (STRICT, LOOSE, *ISR, ([("KA1843", "medium", "weaker")], None)),
        (LOOSE, STRICT, *ISR, ([], None)),
        (LOOSE, STRICT, "cluster", "log.retention.hours", ([("KA1840", "high", "lost")], None)),
        (STRICT, LOOSE, "producer", "acks", ([("KA1870", "critical", "lost")], None)),
        (LOOSE, STRICT, "producer", "acks", ([], None)),
        (LOOSE, STRICT, "producer", "enable.idempotence", ([("KA1871", "high", "weaker")], None)),
        (GOOD, WEAK, *ISR, (None, SHOWS_NOTHING.format("old", ISR[1]))),
        (WEAK, GOOD, *ISR, (None, SHOWS_NOTHING.format("new", ISR[1]))),
        (WEAK, HIDDEN, *ISR, (None, "not permitted")),
        (FEW, MANY, "topic", "in-sync replicas", (None, None)),
    ],
)  # fmt: skip
def test_a_changed_setting_names_the_rules_that_judge_the_change(
    tmp_path: Path, old: str, new: str, kind: str, key: str, judged: tuple[object, str | None]
) -> None:
    asked = ("--select", ",".join(SHOW_SETTINGS))
    rows = drift(tmp_path, made(tmp_path, "old", {"c": old}, *asked), made(tmp_path, "new", {"c": new}, *asked))
    assert changed(rows, kind, key) == [judged]


def test_a_setting_that_did_not_change_is_no_change(tmp_path: Path) -> None:
    old = made(tmp_path, "old", {"c": LOOSE}, "--profile", "dev")
    rows = drift(tmp_path, old, made(tmp_path, "new", {"c": LOOSE}))
    assert {"acks", "min.insync.replicas"} <= {row["key"] for row in rows if row["status"] == "changed"}
    assert {(row["change"], row["change_unknown"]) for row in rows} == {(None, None)}


def test_the_severity_of_a_change_is_that_of_the_profile(tmp_path: Path) -> None:
    sides = (made(tmp_path, name, {"c": text}, "--profile", "dev") for name, text in (("old", LOOSE), ("new", STRICT)))
    assert changed(drift(tmp_path, *sides), "cluster", "log.retention.hours") == [([("KA1840", "low", "lost")], None)]


# ---------------------------------------------------------------------- whole audits


@pytest.fixture(scope="module")
def fleets(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Audits of made-up fleets of the same clusters."""
    folder = tmp_path_factory.mktemp("fleets")
    for seed in (1, 2):
        write(Fleet(12, 600, seed, later=False), str(folder / f"fleet-{seed}"))
        assert audit(folder / f"fleet-{seed}", folder / "audits" / str(seed), "--exit-zero").code == 0
    return {seed: folder / "audits" / str(seed) for seed in (1, 2)}


def test_an_audit_is_the_same_as_itself(fleets: dict[int, Path], tmp_path: Path) -> None:
    assert drift(tmp_path, fleets[1], fleets[1]) == []
    counts = table(tmp_path / "drift", "drift_counts")
    assert {row["status"] for row in counts} == {"same"}
    assert sum(row["findings"] for row in counts) == open_audit(str(fleets[1])).findings > 500


def seen(row: Row, before: bool = False) -> tuple[object, ...]:
    """A finding as one side has it."""
    return tuple(row[name] for name in KEYS) + tuple(row[f"{name}_before" if before else name] for name in CONTENT)


def test_forth_and_back_are_mirrored_and_nothing_is_lost(fleets: dict[int, Path], tmp_path: Path) -> None:
    forth = drift(tmp_path, fleets[1], fleets[2])
    counts = table(tmp_path / "drift", "drift_counts")
    back = drift(tmp_path, fleets[2], fleets[1])
    for status, other in (("new", "fixed"), ("fixed", "new"), ("changed", "changed")):
        mine = Counter(seen(row, status == "fixed") for row in forth if row["status"] == status)
        assert mine == Counter(seen(row, status != "fixed") for row in back if row["status"] == other)
        assert mine, status
    assert {row["status"] for row in forth} == {"new", "fixed", "changed"}, "both audits could tell of everything"
    now = Counter(row["status"] for row in forth)
    same = sum(row["findings"] for row in counts if row["status"] == "same")
    assert same + now["new"] + now["changed"] == open_audit(str(fleets[2])).findings
    assert same + now["fixed"] + now["changed"] == open_audit(str(fleets[1])).findings


def test_the_counts_are_those_of_the_rows_and_of_what_is_the_same(fleets: dict[int, Path], tmp_path: Path) -> None:
    rows = drift(tmp_path, fleets[1], fleets[2])
    keys = ("cluster", "rule", "name", "family", "status", "worse")
    mine = Counter(
        (*(row[key] for key in keys), row["severity"] or row["severity_before"], row["reason"] is None) for row in rows
    )
    told = table(tmp_path / "drift", "drift_counts")
    assert mine == {(*(row[key] for key in keys), row["severity"], row["known"]): row["findings"] for row in told if row["status"] != "same"}  # fmt: skip
    moved = {seen(row) for row in rows if row["severity"]}
    fresh = Counter(row["rule"] for row in table(fleets[2], "findings") if (*(row[name] for name in KEYS), *(row[name] for name in CONTENT[:-1]), False) not in moved)  # fmt: skip
    same: Counter[str] = Counter()
    for row in told:
        same[row["rule"]] += row["findings"] if row["status"] == "same" else 0
    assert all(same[rule] >= many for rule, many in fresh.items())
    assert dict(rows[0]["labels"]).keys() == {"team", "environment"}


@pytest.mark.parametrize("size", [1, 100])
def test_slices_change_nothing(
    fleets: dict[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    whole = drift(tmp_path, fleets[1], fleets[2])
    monkeypatch.setattr(drift_local, "FINDINGS", size)
    assert len(drift_local.split_by_cluster(open_audit(str(fleets[1])), open_audit(str(fleets[2])))) > 5
    assert drift(tmp_path, fleets[1], fleets[2]) == whole


# ---------------------------------------------------------------------- which finding is which

SMALL = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from(["k", None]), st.sampled_from(["m", "n", "o"])), max_size=8
)


def findings(rows: list[tuple[str, str | None, str]]) -> Any:
    columns: dict[str, list[Any]] = {name: [fingerprint if name in ("cluster", "fingerprint") else "x" for fingerprint, _, _ in rows] for name in (*KEYS, *CONTENT)}  # fmt: skip
    columns |= {"key": [key for _, key, _ in rows], "message": [message for _, _, message in rows], "waived": [False for _ in rows], "partitions": [0 for _ in rows]}  # fmt: skip
    types = {field.name: field.type for field in PAIRS}
    return pa.table({name: pa.array(columns[name], types[name]) for name in (*KEYS, *CONTENT)})


@given(SMALL, SMALL)
def test_equal_keys_are_matched_in_order_and_equals_first(
    old: list[tuple[str, str | None, str]], new: list[tuple[str, str | None, str]]
) -> None:
    told = Counter((row["cluster"], row["key"], row["message_before"], row["message"]) for row in match_findings(findings(old), findings(new)).to_pylist())  # fmt: skip
    gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
    expected: Counter[tuple[str, str | None, str | None, str | None]] = Counter()
    for key in {each[:2] for each in (*gone, *come)}:
        left, right = (sorted(each[2] for each in side.elements() if each[:2] == key) for side in (gone, come))
        size = max(len(left), len(right))
        padded = ([*side, *[None] * (size - len(side))] for side in (left, right))
        expected.update((*key, *both) for both in zip(*padded, strict=True))
    assert told == expected


# ---------------------------------------------------------------------- folders


def no_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def several(folder: Path) -> None:
    """Audits in a folder, instead of one."""
    for each in folder.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    for name in ("2026-11-20", "2026-11-13"):
        (folder / name).mkdir()
        (folder / name / MARKER).write_text("{}")


def emptied(folder: Path) -> None:
    for each in folder.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()


DAMAGE = {
    "gone": (no_folder, "no such folder"),
    "not whole": (lambda folder: os.remove(folder / MARKER), "is no whole audit"),
    "another folder": (emptied, "holds no audit; name what"),
    "a folder of audits": (several, "is a folder of audits, and none itself; did you mean {bad}/2026-11-20?"),
    "no JSON": (lambda folder: (folder / MARKER).write_text("{"), "is damaged"),
    "a list": (lambda folder: (folder / MARKER).write_text("[]"), "is damaged"),
    "a collection": (rewritten(format="kafka-advisor-collection/1"), "its format is 'kafka-advisor-coll"),
    "delta": (rewritten(storage="delta"), "was written as delta; --engine local reads parquet and orc"),
    "a line missing": (rewritten(ruleset=None), "it has no ruleset"),
    "clusters gone": (lambda folder: shutil.rmtree(folder_of(folder, "clusters")), "the table clusters is not there"),
    "counts gone": (lambda folder: shutil.rmtree(folder_of(folder, "counts")), "the table counts is not there"),
    "findings gone": (lambda folder: shutil.rmtree(folder_of(folder, "findings")), "is damaged: it counted"),
    "findings cut": (lambda folder: next(folder_of(folder, "findings").glob("*.parquet")).write_bytes(b"PAR1"), "cannot be read"),
    "counts cut": (lambda folder: next(folder_of(folder, "counts").glob("*.parquet")).write_bytes(b"PAR1"), "the table counts cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("side", ["old", "new"])
def test_what_is_no_whole_audit_is_one_line(fleets: dict[int, Path], tmp_path: Path, damage: str, side: str) -> None:
    change, says = DAMAGE[damage]
    shutil.copytree(fleets[1], tmp_path / "bad")
    change(tmp_path / "bad")
    sides = (tmp_path / "bad", fleets[2]) if side == "old" else (fleets[2], tmp_path / "bad")
    ran = compare(*sides, tmp_path / "out")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert says.format(bad=tmp_path / "bad") in ran.err
    assert not (tmp_path / "out" / MARKER).exists()


@pytest.mark.parametrize(("old", "new", "turned"), [(1, 2, False), (2, 1, True), (1, 1, False)])
def test_audits_the_wrong_way_round(fleets: dict[int, Path], tmp_path: Path, old: int, new: int, turned: bool) -> None:
    sides = tmp_path / "one", tmp_path / "two"
    for number, side in zip((old, new), sides, strict=True):
        shutil.copytree(fleets[number], side)
        rewritten(started=f"2026-11-0{number}T04:00:00+00:00")(side)
    ran = compare(*sides, tmp_path / "out", "--exit-zero")
    assert ran.code == 0
    assert ran.err.count("\n") == turned
    assert (f"{sides[0]} was made after {sides[1]} (2026-11-02T" in ran.err) == turned


def test_nothing_that_is_there_is_lost(
    fleets: dict[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compare(fleets[1], fleets[2], tmp_path / "out", "--exit-zero").code == 0
    assert "say --overwrite" in compare(fleets[1], fleets[2], tmp_path / "out").err
    assert "holds something else" in compare(fleets[1], fleets[2], fleets[1], "--overwrite").err
    assert {name: pq.read_schema(next(folder_of(tmp_path / "out", name).glob("*.parquet"))).names for name in TABLES} == {name: schema.names for name, schema in TABLES.items()}  # fmt: skip
    before = table(tmp_path / "out", "drift")

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("it breaks")

    monkeypatch.setattr(drift_local, "tally", fails)
    ran = compare(fleets[1], fleets[2], tmp_path / "out", "--overwrite")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert table(tmp_path / "out", "drift") == before
    assert len(os.listdir(tmp_path / "out")) == 2
    assert {name: folder_of(tmp_path / "out", name).is_dir() for name in TABLES} == dict.fromkeys(TABLES, True)


def test_an_audit_without_a_finding(tmp_path: Path) -> None:
    none, some = (
        made(tmp_path, "none", {"c": GOOD}, "--select", "KA220"),
        made(tmp_path, "some", {"c": ILL}, "--select", "KA220"),
    )
    shutil.rmtree(folder_of(none, "findings"), ignore_errors=True)
    shutil.rmtree(folder_of(none, "counts"), ignore_errors=True)
    assert {row["status"] for row in drift(tmp_path, none, some)} == {"new"}
    assert {row["status"] for row in drift(tmp_path, some, none)} == {"fixed"}
    assert drift(tmp_path, none, none) == []


def test_the_history_is_the_whole_audits_beside_it_up_to_it(fleets: dict[int, Path], tmp_path: Path) -> None:
    days = {
        "z-first": "2026-10-01",
        "second": "2026-10-08",
        "a-third": "2026-10-15",
        "broken": "2026-10-09",
        "later": "2026-12-01",
    }
    for name, day in days.items():
        shutil.copytree(fleets[1], tmp_path / name)
        rewritten(audit=name, started=f"{day}T04:00:00+00:00")(tmp_path / name)
    os.remove(tmp_path / "broken" / MARKER)
    assert compare(tmp_path / "second", tmp_path / "later", tmp_path / "drift").code == 0
    (tmp_path / "a file").touch()
    assert [each.name for each in history(open_audit(str(tmp_path / "a-third")))] == ["z-first", "second", "a-third"]
    assert [each.name for each in history(open_audit(str(tmp_path / "z-first")))] == ["z-first"]


# ---------------------------------------------------------------------- what is said


def test_the_summary_tells_what_could_not_be_known_apart(tmp_path: Path) -> None:
    old = made(tmp_path, "old", {"ill\x1b[31m": None, "good": GOOD, "gone": FEW, "lost": FEW})
    new = made(tmp_path, "new", {"ill\x1b[31m": FEW, "good": FEW, "lost": None, "born": GOOD})
    ran = compare(old, new, tmp_path / "out")
    assert (ran.code, "\x1b" in ran.out) == (1, False)
    told = json.loads((tmp_path / "out" / MARKER).read_text())
    sums = ", ".join(f"{told[status]} {status}" for status in ("new", "changed", "fixed", "unknown", "same"))
    assert f"old to new: {sums}; of the new, {told['new_not_known_before']} could not be known before" in ran.out
    assert 0 < told["new_not_known_before"] < told["new"]
    for line in (
        "born: not in the audit before", "gone: not in the fleet any more", "lost: unreachable now", "ill\\x1b[31m: unreachable before",
    ):  # fmt: skip
        assert any(said.startswith(line) for said in ran.out.splitlines()), line
    first = next(line for line in ran.out.splitlines() if line.startswith("KA221"))
    assert first.split() == ["KA221", "under-min-isr", "critical", "2", "0", "0", "2"]


def test_spark_is_not_asked_for_by_half(fleets: dict[int, Path], tmp_path: Path) -> None:
    ran = compare(fleets[1], fleets[2], tmp_path / "out", "--engine", "local", "--master", "local[2]")
    assert (ran.code, ran.err) == (2, "kafka-advisor: --master and --remote are Spark's: say --engine spark, too\n")
