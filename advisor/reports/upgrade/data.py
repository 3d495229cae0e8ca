"""`upgrade --format json`: the plan as plain data, by upgrade.schema.json."""

from __future__ import annotations

from collections.abc import Iterator

from advisor import __version__
from advisor.analysis.findings import rule_of
from advisor.analysis.upgrade.plan import (
    AFTER,
    FINAL,
    MUST,
    SHOULD,
    SILENT,
    UNKNOWN,
    Path,
    RowSubject,
    Stage,
    UpgradePlan,
    UpgradeRow,
    text_of,
)
from advisor.reports.machine.json_text import dump

UPGRADE_FORMAT = "kafka-advisor-upgrade/1"
PARTS = {
    MUST: "must_before",
    SHOULD: "should_before",
    AFTER: "after",
    SILENT: "changes_silently",
    FINAL: "cannot_be_undone",
    UNKNOWN: "unknown",
}
"""The name of each part."""


def lines(plan: UpgradePlan) -> Iterator[str]:
    """The document."""
    yield dump(document(plan), indented=True)


def document(plan: UpgradePlan) -> dict[str, object]:
    """The plan as plain data; every part has all of its rows."""
    return {
        "format": UPGRADE_FORMAT,
        "tool": {"name": "kafka-advisor", "version": __version__},
        "to": text_of(plan.to),
        "summary": {name: len(plan.rows[part]) for part, name in PARTS.items()},
        "subjects": [
            {
                **subject(row_subject),
                "present": {
                    "known": present.known,
                    "releases": [text_of(release) for release in present.releases],
                    "reason": present.reason,
                },
            }
            for row_subject, present in plan.subjects
        ],
        "paths": [path_data(path) for path in plan.paths],
        **{name: [row_data(row) for row in plan.rows[part]] for part, name in PARTS.items()},
    }


def subject(row_subject: RowSubject) -> dict[str, object]:
    """What a row is true of."""
    return {
        "cluster": row_subject.cluster,
        "kind": row_subject.kind,
        "name": row_subject.name,
        "file": row_subject.file,
    }


def path_data(path: Path) -> dict[str, object]:
    """A path as plain data."""
    return {
        "subjects": [subject(row_subject) for row_subject in path.subjects],
        "stages": [stage_data(each) for each in path.stages],
    }


def stage_data(stage: Stage) -> dict[str, object]:
    """A stage as plain data; `starts` is null where the files have to be others by then."""
    starts = stage.starts
    return {
        "releases": [text_of(release) for release in stage.releases],
        "metadata": stage.metadata,
        "action": stage.action,
        "starts": starts
        and {
            "started": starts.started,
            "refused": starts.refused,
            "unknown": starts.unknown,
            "reasons": list(starts.reasons),
        },
    }


def row_data(row: UpgradeRow) -> dict[str, object]:
    """A row as plain data."""
    data: dict[str, object] = {
        "about": row.about,
        "key": row.finding.key,
        "message": row.finding.message,
        "rule": rule_of(row.finding),
        "source": row.source,
        "if_present": [text_of(release) for release in row.releases],
        "places": [{**subject(row_subject), "line": row_subject.line} for row_subject in row.row_subjects],
    }
    if row.part == MUST:
        data["refused_today"] = row.refused_today
    if row.part == SILENT:
        data["old"], data["new"] = row.change
    return data
