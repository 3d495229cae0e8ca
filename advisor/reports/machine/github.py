"""`--format github`: annotations for a GitHub workflow, and a table in its job summary.

Source: GitHub Docs, "Workflow commands"; a step shows 10 errors, 10 warnings and 10 notices, a job 50 in all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from advisor.errors import printable as clean
from advisor.model.finding import Finding
from advisor.reports.context import RunResult, fix_and_care, short, subject
from advisor.reports.file_fixes import FileFixes
from advisor.reports.text.finding import headline

COMMANDS = {"critical": "error", "high": "error", "medium": "warning", "low": "notice", "info": "notice"}
ANNOTATIONS_SHOWN = 10
SUMMARY = "GITHUB_STEP_SUMMARY"


def chunks(run: RunResult) -> Iterator[str]:
    """The annotations, worst first, then how many are left out; a table goes to the job summary."""
    fixes = FileFixes(run.report)
    for command in ("error", "warning", "notice"):
        rows = [row for row in run.report.findings if COMMANDS[row.severity] == command]
        yield from (annotation(command, row, fixes) for row in rows[:ANNOTATIONS_SHOWN])
        if len(rows) > ANNOTATIONS_SHOWN:
            yield f"{len(rows) - ANNOTATIONS_SHOWN} more of the kind {command} are not annotated: GitHub shows {ANNOTATIONS_SHOWN}\n"
    summarize(run)


def annotation(command: str, row: Finding, fixes: FileFixes) -> str:
    """One workflow command, in one line."""
    where = {"file": relative(row.file), "line": row.line or 1, "col": row.column or 1} if row.file else {}
    named = {**where, "title": f"{row.rule} {row.name} ({row.severity})"}
    about = "" if row.file else f"{subject(row.entity)}: "
    text = f"{about}{short(headline(row), 2000)}{'. ' + fix_and_care(row, fixes.fix_of(row)) if row.fix else ''}{fixes.suggestion(row)}"
    return f"::{command} {','.join(f'{name}={escape(str(value), True)}' for name, value in named.items())}::{escape(text)}\n"


def relative(path: str | None) -> str:
    """A file's path relative to the repository."""
    return os.path.relpath(path or "").replace(os.sep, "/") if path and not path.startswith("<") else str(path)


def escape(text: str, named: bool = False) -> str:
    """Escape text for a workflow command. Source: actions/toolkit, escapeData and escapeProperty."""
    shown = clean(text).replace("%", "%25")
    return shown.replace(":", "%3A").replace(",", "%2C") if named else shown


def summarize(run: RunResult) -> None:
    """Append the table to the job summary, where there is one."""
    path = os.environ.get(SUMMARY)
    if not path:
        return
    from advisor.reports.markdown import chunks as table

    with open(path, "a", encoding="utf-8", errors="backslashreplace") as handle:
        handle.writelines(table(run))


def unshown(run: RunResult) -> Iterator[str]:
    """Findings that no annotation can point at."""
    live = len(run.live())
    if live:
        yield f"{live} findings of running clusters have no file: GitHub shows them with the run, at no line"
    outside = run.outside()
    if outside:
        yield f"{outside} findings are in files outside this folder: annotations are for files of the repository only"
