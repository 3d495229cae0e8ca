"""Baselines: the findings that are known already, by fingerprint, never by line."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.engine import Report

FORMAT = "kafka-advisor-baseline/1"


def write(path: str, report: Report) -> None:
    """Write the findings of a report; the file appears whole or not at all."""
    from advisor.atomic_file import write as write_whole
    from advisor.cli.lint import Refused

    rows = [
        {"fingerprint": row.fingerprint, "rule": row.rule, "name": row.name, "file": row.file, "key": row.key}
        for row in (*report.findings, *(row for row in report.suppressed if row.reason == "in the baseline"))
    ]
    text = json.dumps({"format": FORMAT, "findings": rows}, indent=2, ensure_ascii=False) + "\n"
    try:
        write_whole(path, [text.encode("utf-8", "surrogateescape")])
    except OSError as error:
        raise Refused(f"kafka-advisor: {path}: {(error.strerror or str(error)).lower()}") from None
    print(f"kafka-advisor: {len(rows)} findings written to {path}")


def read(path: str) -> frozenset[str]:
    """The fingerprints of a baseline."""
    from advisor.cli.lint import Refused

    try:
        with open(path, encoding="utf-8") as handle:
            document = json.load(handle)
        if document["format"] != FORMAT:
            raise Refused(f"kafka-advisor: {path}: is {document['format']}, not {FORMAT}; write it anew")
        return frozenset(row["fingerprint"] for row in document["findings"])
    except OSError as error:
        raise Refused(f"kafka-advisor: {path}: {(error.strerror or str(error)).lower()}") from None
    except (ValueError, KeyError, TypeError):
        raise Refused(f"kafka-advisor: {path}: is no baseline; write one with --write-baseline") from None
