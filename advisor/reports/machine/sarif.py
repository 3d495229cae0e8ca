"""`--format sarif`: SARIF 2.1.0, as GitHub code scanning wants it and other readers can use it.

Source: OASIS SARIF 2.1.0; GitHub Docs, "SARIF support for code scanning".
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence

from advisor import __version__
from advisor.cache import cached
from advisor.errors import printable as clean
from advisor.model.finding import Evidence, Finding, Former, NotJudged
from advisor.reports.context import RunResult, address, fix_and_care, short, subject
from advisor.reports.file_fixes import Edits, FileFixes
from advisor.reports.machine.sarif_rules import rule_descriptor
from advisor.reports.text.finding import headline

Json = dict[str, object]
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "note", "info": "note"}
MOST_RELATED = 20
MOST_UNKNOWN = 1000
KEPT, REFUSED = 5_000, 25_000
"""Results of a run that GitHub keeps, and beyond which it refuses the file."""


def chunks(run: RunResult) -> Iterator[str]:
    """The log, one result at a time."""
    report = run.report
    rows = [*report.findings, *report.suppressed]
    ids = list(dict.fromkeys(row.rule for row in rows))
    log = json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [frame(run, ids, rows)]}, indent=1)
    head, mark, tail = log.partition('"results": []')
    yield head + mark[:-1]
    seen: dict[str, int] = {}
    fixes = FileFixes(report)
    for number, row in enumerate(rows):
        own = result(run, row, ids.index(row.rule), seen, fixes)
        edits = fixes.edits(row) if row.reason is None else None
        if edits is not None:
            own["fixes"] = [fix_of(row, edits)]
        yield f"{',' if number else ''}\n{json.dumps(own)}"
    yield f"]{tail}\n"


def frame(run: RunResult, ids: Sequence[str], rows: Sequence[Finding]) -> Json:
    """The SARIF run without its results."""
    first = {row.rule: row for row in reversed(rows)}
    report = run.report
    return {
        "tool": {
            "driver": {
                "name": "kafka-advisor",
                "semanticVersion": __version__,
                "rules": [rule_descriptor(run.rules.get(id), first[id]) for id in ids],
            }
        },
        "automationDetails": {"id": category(run)},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not report.crashed,
                "toolExecutionNotifications": [notification(row) for row in report.unknown[:MOST_UNKNOWN]],
            }
        ],
        "properties": {"profile": report.profile, "kafkaVersion": report.target.text},
        "results": [],
    }


def category(run: RunResult) -> str:
    """The category that separates commands, and several clusters, uploaded for one commit."""
    live = [snapshot.name for snapshot in run.report.snapshots if snapshot.live is not None]
    parts = ["kafka-advisor", run.command, *(short(name).replace("/", "-") for name in live if len(live) == 1)]
    return "".join(f"{part}/" for part in parts if part)


def notification(row: NotJudged) -> Json:
    """A notification about something that could not be judged."""
    return {
        "level": "note",
        "message": {"text": plain(f"{row.rule} {row.name} could not be judged: {subject(row.entity)}: {row.reason}")},
        "associatedRule": {"id": row.rule},
    }


def result(run: RunResult, row: Finding, index: int, seen: dict[str, int], fixes: FileFixes) -> Json:
    """One finding."""
    where = location(row)
    data: Json = {
        "ruleId": row.rule,
        "ruleIndex": index,
        "level": LEVELS[row.severity],
        "message": {"text": message(row, fixes)},
        "locations": [where],
        "partialFingerprints": fingerprints(row, seen),
        "properties": properties(row),
    }
    related = [place_of(number, each) for number, each in enumerate(related_settings(row), 1)]
    if row.before is not None and row.before.file and row.before.line:
        related.append(former_place(len(related) + 1, row.before))
    if related:
        data["relatedLocations"] = related
    story = run.story(row)
    if story:
        data["codeFlows"] = [flow(row, story, where)]
    if row.reason is not None:
        kind = "external" if row.reason == "in the baseline" else "inSource"
        data["suppressions"] = [{"kind": kind, "justification": clean(row.reason)}]
    return data


def fix_of(row: Finding, edits: Edits) -> Json:
    """What `lint --fix` does about a finding."""
    replacements = [
        {
            "deletedRegion": {
                "startLine": edit["line"],
                "startColumn": edit["column"],
                "endLine": edit["end_line"],
                "endColumn": edit["end_column"],
            },
            "insertedContent": {"text": edit["text"]},
        }
        for edit in edits.rows()
    ]
    change = {"artifactLocation": {"uri": uri(row.file or "")}, "replacements": replacements}
    text = plain(f"{row.applicability}: {edits.sentence()}")
    return {"description": {"text": text}, "artifactChanges": [change]}


def message(row: Finding, fixes: FileFixes) -> str:
    """The message shown by GitHub: the finding's message, then its fix."""
    where = "" if row.file else f"{subject(row.entity)}: "
    refused = "Kafka refuses this: " if row.refused else ""
    what_to_do = f". {fix_and_care(row, fixes.fix_of(row))}" if row.fix else ""
    return plain(f"{where}{refused}{short(headline(row), 2000)}{what_to_do}" if row.fix else where + headline(row))


@cached(1000)
def plain(text: str) -> str:
    """A message in which nothing is a link or a placeholder (SARIF 2.1.0, 3.11.5 and 3.11.6)."""
    shown = clean(text).replace("](", "] (")
    return "".join(f"{{ {piece}" if piece[:1].isdigit() and at else ("{" if at else "") + piece
                   for at, piece in enumerate(shown.split("{")))  # fmt: skip


def properties(row: Finding) -> Json:
    """The property bag of a result."""
    texts = {"entity": subject(row.entity), "key": row.key, "value": row.value, "required": row.required}
    shown: Json = {name: short(text) for name, text in texts.items() if text is not None}
    return {"severity": row.severity, "confidence": row.confidence, "refusedByKafka": row.refused, **shown}


def fingerprints(row: Finding, seen: dict[str, int]) -> Json:
    """The partial fingerprint, numbered where several findings share it."""
    own = row.fingerprint
    seen[own] = seen.get(own, 0) + 1
    return {"primaryLocationLineHash": f"{own[:16]}:{seen[own]}", "kafkaAdvisor/v1": f"{own}:{seen[own]}"}


def location(row: Finding) -> Json:
    """The location: the file's line, or the address in the cluster where there is no file."""
    data: Json = {"logicalLocations": [{"fullyQualifiedName": address(row), "kind": row.entity[0]}]}
    if row.file is not None:
        region: dict[str, int] = {"startLine": row.line or 1}
        label = row.label or row.key
        column = column_of(row, label)
        if column and label:
            region |= {"startColumn": column, "endLine": row.line or 1, "endColumn": column + len(label)}
        data["physicalLocation"] = {"artifactLocation": {"uri": uri(row.file)}, "region": region}
    return data


def column_of(row: Finding, label: str | None) -> int | None:
    """Where a key stands in its line, behind the quote that may begin it; None where it is not there."""
    text = (row.source_line or "")[(row.column or 1) - 1 :]
    quotes = len(text[:1].strip("\"'")) == 0 and text[:1] != ""
    if not row.column or not label or not text[int(quotes) :].startswith(label):
        return None
    return row.column + int(quotes)


def related_settings(row: Finding) -> list[Evidence]:
    """The evidence of a finding that is on other lines."""
    former = row.before
    told = {(row.file, row.line), (former.file, former.line) if former else None}
    return [each for each in row.evidence if each.line and (each.file, each.line) not in told][:MOST_RELATED]


def place_of(number: int, each: Evidence) -> Json:
    """A related location."""
    text = f"{subject(each.entity)}: {each.key}={short(each.value or '')}"
    where = {"artifactLocation": {"uri": uri(each.file or "")}, "region": {"startLine": each.line}}
    return {"id": number, "physicalLocation": where, "message": {"text": plain(text)}}


def former_place(number: int, former: Former) -> Json:
    """The line that stood there before a change."""
    setting = f"{former.key}={short(former.value)}" if former.key and former.value is not None else "it was here"
    where = {"artifactLocation": {"uri": uri(former.file or "")}, "region": {"startLine": former.line}}
    text = f"before{f' ({former.ref})' if former.ref else ''}: {setting}"
    return {"id": number, "physicalLocation": where, "message": {"text": plain(text)}}


def flow(row: Finding, story: Sequence[str], where: Json) -> Json:
    """The simulated story as a code flow, every step at the line of the finding, else at its address in the cluster."""
    summary = str(row.proof["summary"]) if row.proof else "simulated"
    at = {"physicalLocation": where["physicalLocation"]} if "physicalLocation" in where else where
    steps = [{"location": {**at, "message": {"text": plain(line)}}, "executionOrder": number}
             for number, line in enumerate(story, 1)]  # fmt: skip
    return {"message": {"text": plain(summary)}, "threadFlows": [{"locations": steps}]}


def uri(path: str) -> str:
    """A file as a URI relative to the working directory, or absolute outside of it."""
    return uri_from(path, os.getcwd())


@cached(100)
def uri_from(path: str, folder: str) -> str:
    """A file as a URI relative to a folder, or absolute outside of it."""
    from urllib.parse import quote_from_bytes

    real, base = os.path.abspath(path), folder.rstrip(os.sep) + os.sep
    if path.startswith("<"):
        return "stdin"
    inside = real.startswith(base)
    shown = quote_from_bytes(os.fsencode(real[len(base) :] if inside else real).replace(os.sep.encode(), b"/"))
    return shown if inside else f"file://{shown}"


def unshown(run: RunResult) -> Iterator[str]:
    """Findings that GitHub code scanning does not display."""
    live, rows = len(run.live()), len(run.report.findings) + len(run.report.suppressed)
    if live:
        yield f"{live} findings of running clusters have no file: GitHub code scanning does not display them"
    outside = run.outside()
    if outside:
        yield f"{outside} findings are in files outside this folder: GitHub code scanning shows files of the repository only"
    if rows > REFUSED:
        yield f"{rows} results: GitHub code scanning refuses more than {REFUSED}"
    elif rows > KEPT:
        yield f"{rows} results: GitHub code scanning keeps {KEPT}"
    if len(run.report.unknown) > MOST_UNKNOWN:
        yield f"{len(run.report.unknown)} subjects could not be judged; the log holds {MOST_UNKNOWN} of them"
