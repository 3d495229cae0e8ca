"""Whether the plan of an upgrade says of a file's settings what `starts` says of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.commands import run

Refusals = set[tuple[str, str, str | None, str, str | None]]


def disagreements(file: Path, to: str, *options: str) -> list[str]:
    """What only one of `starts` and `upgrade` calls refused, marks as today's without reason, or names no source for."""
    plan = run("upgrade", file, "--to", to, "--format", "json", *options)
    if plan.code not in (0, 1):
        return [] if plan.code == 3 else [f"{file}: {plan.err}"]
    required, refused = requirements(plan.json), refusals(file, to)
    lines = [f"{file}: refused, and not in the plan: {row}" for row in refused - required]
    lines += [f"{file}: in the plan, and not refused: {row}" for row in required - refused]
    lines += [f"{file}: not marked as `starts` has it: {row}" for row in wrong_marks(file, plan.json)]
    others = (row for row in plan.json["must_before"] if row["about"] != "setting")
    return lines + [f"{file}: names no source: {row}" for row in others if not row["source"]]


def requirements(plan: dict[str, Any]) -> Refusals:
    """The rows about settings that must be done before, for each row_subject."""
    return {
        (row_subject["kind"], row_subject["name"], row["key"], row["message"], row["rule"])
        for row in plan["must_before"]
        if row["about"] == "setting"
        for row_subject in row["places"]
    }


def refusals(file: Path, release: str) -> Refusals:
    """The reasons of `starts` for a file's entities."""
    ran = run("starts", file, "--on", release, "--format", "json")
    documents = ran.json if isinstance(ran.json, list) else [ran.json]
    return {
        (document["kind"], document["name"], row["key"] or None, row["message"], row["rule"])
        for document in documents
        for row in document["starts"][0]["reasons"]
    }


def wrong_marks(file: Path, plan: dict[str, Any]) -> list[str]:
    """The rows whose "refused today as well" is not what `starts` says of every present release."""
    today: dict[tuple[str, str], list[set[tuple[str | None, str | None]]]] = {}
    for subject in plan["subjects"]:
        name = (subject["kind"], subject["name"])
        for release in subject["present"]["releases"]:
            rows = (row for row in refusals(file, release) if row[:2] == name)
            today.setdefault(name, []).append({(row[2], row[4]) for row in rows})
    return [
        f"{row['key']} {row_subject['name']}"
        for row in plan["must_before"]
        if row["about"] == "setting"
        for row_subject in row["places"]
        if row["refused_today"]
        != all((row["key"], row["rule"]) in each for each in today[row_subject["kind"], row_subject["name"]])
    ]
