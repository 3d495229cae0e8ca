"""Audits that keep rows of the one before: what may change between the two, and how many clusters are kept then."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.commands import Ran
from tests.support.fleet_examples import LABELS, OWN_RULES, WAIVERS
from tests.support.fleets import GOOD, ILL, audit, collected, table

TABLES = ("findings", "unknowns", "clusters", "counts", "waivers")
FLEET = {"good": GOOD, "ill": ILL, "away": None, "same": ILL}


class Change(NamedTuple):
    """What is other than before: the clusters, their labels, the options, the files beside; and how many are kept."""

    kept: int
    clusters: dict[str, str | None] = FLEET
    labels: dict[str, dict[str, str]] = LABELS
    more: Sequence[str] = ()
    files: dict[str, str] = {}
    why_none: str = ""


CHANGES = {
    "nothing": Change(4),
    "a topic": Change(3, FLEET | {"ill": ILL.replace("unclean.leader.election.enable=true", "retention.ms=1")}),
    "a partition": Change(3, FLEET | {"good": GOOD.replace("isr 1,2,3", "isr 1,2")}),
    "a broker": Change(
        3, FLEET | {"good": GOOD.replace("default.replication.factor=3", "default.replication.factor=2")}
    ),
    "a client": Change(3, FLEET | {"ill": ILL.replace("acks=1", "acks=0")}),
    "a group": Change(3, FLEET | {"ill": ILL.replace("members=2", "members=1")}),
    "a label": Change(3, labels=LABELS | {"good": {"team": "other"}}),
    "a cluster that is reached now": Change(3, FLEET | {"away": GOOD}),
    "a cluster that is not reached now": Change(3, FLEET | {"ill": None}),
    "a cluster more": Change(4, FLEET | {"new": GOOD}),
    "a cluster less": Change(3, {name: FLEET[name] for name in ("good", "ill", "away")}),
    "the profile": Change(0, more=("--profile", "dev"), why_none="profile production before, dev now"),
    "the rules": Change(0, more=("--ignore", "KA152"), why_none="rules or choices differ"),
    "a rule of one's own": Change(
        0, files={"own.py": OWN_RULES.replace("> 10", "> 0")}, why_none="rules or choices differ"
    ),
    "a waiver": Change(
        0, files={"waivers.yaml": WAIVERS.replace("cluster: nowhere", "cluster: ill")}, why_none="waivers differ"
    ),
    "a waiver's reason": Change(
        0, files={"waivers.yaml": WAIVERS.replace("nobody reads it", "nobody knows")}, why_none="waivers differ"
    ),
}
FILES = {"own.py": OWN_RULES, "waivers.yaml": WAIVERS}


def audit_before(folder: Path, *engine: object) -> Path:
    """The audit whose rows the next one may keep."""
    folder.mkdir(exist_ok=True)
    before = collected(folder / "before", FLEET, LABELS, "2026-11-13T04:00:00Z")
    audit_with(FILES, folder, before, folder / "audits/1", "--since-last", *engine)
    return folder / "audits/1"


def audit_again(first: Path, folder: Path, change: Change, *engine: object) -> tuple[Ran, Path, Path]:
    """Change something behind a first audit, audit again with --since-last, and all of it by this process; what was said first, and both audits."""
    audits = folder / "audits"
    shutil.copytree(first, audits / "1")
    fleet = collected(folder / "after", change.clusters, change.labels, "2026-11-20T04:00:00Z")
    again = audit_with(FILES | change.files, folder, fleet, audits / "2", "--since-last", *change.more, *engine)
    audit_with(FILES | change.files, folder, fleet, folder / "plain/2", *change.more)
    return again, audits / "2", folder / "plain/2"


def audit_with(files: dict[str, str], folder: Path, fleet: Path, out: Path, *more: object) -> Ran:
    """An audit with rules and waivers of one's own."""
    for name, text in files.items():
        (folder / name).write_text(text)
    named = ("--rules", folder / "own.py", "--waivers", folder / "waivers.yaml", "--max-unreachable", "9")
    return audit(fleet, out, *named, *more)


def rows_of(out: Path) -> dict[str, list[dict[str, Any]]]:
    """All tables of an audit but `audits`."""
    return {name: table(out, name) for name in TABLES}


def row_of(out: Path) -> dict[str, Any]:
    """The audit's own row, without what tells one run from another."""
    (row,) = table(out, "audits")
    return {key: value for key, value in row.items() if key not in ("started", "seconds", "engine", "since", "kept")}


def kept_of(out: Path) -> tuple[str | None, int | None]:
    """The audit whose rows were kept, and of how many clusters."""
    (row,) = table(out, "audits")
    return row["since"], row["kept"]
