"""Two sides of a change: as files that are compared, and as the texts of a rule's case."""

from __future__ import annotations

from pathlib import Path

from tests.support.commands import run


def changes(folder: Path, name: str, before: str, after: str) -> dict[str, str]:
    """The messages of the change findings between two folders with one file each, by rule."""
    for side, text in (("before", before), ("after", after)):
        (folder / side).mkdir()
        (folder / side / name).write_text(text)
    ran = run("diff", folder / "before", folder / "after", "--format", "json", "--no-config")
    assert ran.code in (0, 1), ran.err
    return {row["rule"]: row["message"] for row in ran.json["change_findings"]}


def resource(kind: str, name: str, spec: str, more: str = "") -> str:
    """A resource of Strimzi's in a line."""
    return (
        f"{{apiVersion: kafka.strimzi.io/v1, kind: {kind}, metadata: {{name: {name}, labels: {{strimzi.io/cluster: k}}{more}}},"
        f" spec: {{{spec}}}}}"
    )


def change(before: str, after: str) -> str:
    return f"before:\n{before}\nafter:\n{after}"
