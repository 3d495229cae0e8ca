"""Compare the tool with an expert's review of real files: `python -m tests.extra.corpus FOLDER [PART OF A PATH]`.

The folder holds `index.jsonl` (a row per file: what must be reported, what must not) and the files.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.errors import NothingToJudge, UnreadableInput
from advisor.model.finding import rank
from advisor.reports.machine.json_document import document
from collectors.files.clusters import snapshots
from rules import all_rules
from tests.support.configuration import entities_of


def main(folder: str, part: str = "") -> int:
    """Print what is missing and what is false; 1 if the tool falls short of the review."""
    index = Path(folder) / "index.jsonl"
    if not index.is_file():
        print(f"corpus: skipped, there is no {index}")
        return 0
    rows = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]
    tally = Tally()
    for row in rows:
        if part in row["file"]:
            tally.compare(row, findings_of(Path(folder) / row["file"]))
    return tally.close()


def findings_of(path: Path) -> list[dict[str, Any]]:
    """What the tool says of a file, under the profile production."""
    try:
        pairs = entities_of(path)
    except (NothingToJudge, UnreadableInput) as error:
        print(f"nothing {error}")
        return []
    report = judge(snapshots(pairs), RULES, Policy(RULES))
    found: Any = document(report)["findings"]
    return list(found)


class Tally:
    """What was expected and found, and what was said that is wrong."""

    def __init__(self) -> None:
        self.expected = self.found = self.grave = self.grave_found = 0
        self.false: list[str] = []

    def compare(self, row: dict[str, Any], findings: list[dict[str, Any]]) -> None:
        """One file: print every difference."""
        for wanted in row["expected"]:
            self._expect(row["file"], wanted, findings)
        for forbidden in row["must_not"]:
            for finding in findings:
                if matches(forbidden, finding) and finding["severity"] != "info":
                    self._false(f"{row['file']}: {describe(finding)}: must not: {forbidden['why']}")
        for finding in findings if row.get("good") else ():
            if rank(finding["severity"]) >= rank("high") and not any(matches(w, finding) for w in row["expected"]):
                self._false(f"{row['file']}: {describe(finding)}: on a good file")

    def _expect(self, file: str, wanted: dict[str, Any], findings: list[dict[str, Any]]) -> None:
        near = [f for f in findings if matches(wanted, f) and wanted["line"] in (None, f["line"])]
        hit = any(abs(rank(finding["severity"]) - rank(wanted["severity"])) <= 1 for finding in near)
        grave = rank(wanted["severity"]) >= rank("high")
        self.expected, self.found = self.expected + 1, self.found + hit
        self.grave, self.grave_found = self.grave + grave, self.grave_found + (grave and hit)
        if not hit:
            others = [describe(f) for f in findings if matches(wanted, f)]
            print(
                f"missing {wanted['severity']:8} {file}:{wanted['line']} {wanted['rule']} {wanted['key']} {others or ''}"
            )

    def _false(self, text: str) -> None:
        self.false.append(text)
        print(f"false   {text}")

    def close(self) -> int:
        """The last lines, and the exit code."""
        others, others_found = self.expected - self.grave, self.found - self.grave_found
        print(
            f"corpus: {self.grave_found} of {self.grave} critical and high, {others_found} of {others} other "
            f"expectations found; {len(self.false)} false alarms"
        )
        good = self.grave_found == self.grave and others_found >= 0.9 * others and not self.false
        return 0 if good else 1


def matches(wanted: dict[str, Any], finding: dict[str, Any]) -> bool:
    """Same rule, same key in the file's or in Kafka's spelling."""
    keys = {wanted["key"], wanted.get("kafka_key")} - {None}
    return wanted["rule"] == finding["name"] and bool(keys & {finding["key"], finding.get("kafka_key")})


def describe(finding: dict[str, Any]) -> str:
    """One line about a finding."""
    return f"{finding['severity']} {finding['name']} {finding['key']}:{finding['line']} {finding['message']}"


RULES = all_rules()

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
