"""Severe findings of reviewed files, written in other ways: `python -m tests.extra.respell FOLDER [PART OF A PATH]`.

Each file of settings with severe findings is spelled in every way of `tests.support.respellings`; `lint FOLDER` must find
the same severe rules, or say what it does not judge. What is left is printed.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

import javaproperties

from tests.support.commands import run
from tests.support.respellings import KINDS, Files, respellings, respellings_of_yaml

RELEASE = "3.9"
SEVERE = ("critical", "high")
FRAGMENTS = ("broker: MSK", "broker: CFK", "broker: Ansible", "broker: a mapping", "broker: --override", "broker: KAFKA_EXTRA",
             "variables: Dockerfile", "broker: Strimzi", "broker: Helm", "client: ", "variables: a lone", "variables: Terraform")  # fmt: skip
"""Ways to write settings that leave open what they do not say."""
OF_WORKERS = ("acks", "enable.idempotence")
"""What rules say of the clients of a worker's connectors."""
OPERATORS = (
    "broker: Strimzi",
    "broker: Helm values of Strimzi",
    "broker: CFK",
    "broker: MSK",
    "broker: Bitnami's chart",
)
OF_OPERATORS = ("listener", "advertised", "log.dir", "security", "ssl", "sasl", "zookeeper", "controller.", "process.roles",
                "node.id", "broker.id", "authorizer", "inter.broker", "super.users")  # fmt: skip
"""What the keys begin with that operators and platforms set themselves."""

ALIKE = {"ephemeral-storage": "tmp-log-dir"}
"""What a rule says of a container that another says of a machine: what is in /tmp goes with the container."""


def main(folder: str, part: str = "") -> int:
    """Print what was missed without a word; 1 if there is something."""
    index = Path(folder) / "index.jsonl"
    if not index.is_file():
        print(f"respell: skipped, there is no {index}")
        return 0
    rows = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]
    tally = Tally()
    for row in rows:
        if part in row["file"]:
            tally.compare(Path(folder) / row["file"], row["kind"].split("+")[0])
    return tally.close()


class Tally:
    """How many spellings were judged alike, were said to be not judged, and were missed."""

    def __init__(self) -> None:
        self.tries = self.judged = self.missed = 0

    def compare(self, path: Path, kind: str) -> None:
        """Every way to write a file: print what is missed."""
        text = path.read_text(encoding="latin-1" if path.suffix == ".properties" else "utf-8")
        if path.suffix == ".properties" and kind in KINDS:
            findings = severe({"plain.properties": text}, kind)[0]
            ways = respellings(javaproperties.loads(text), kind)
        elif path.suffix in (".yml", ".yaml"):
            findings = severe({path.name: text}, None)[0]
            ways = respellings_of_yaml(text, path.name)
        else:
            return
        for name, spelled in ways if findings else ():
            self._try(
                path.parent.name, name, {rule for rule, key, value in findings if carries(name, key, value)}, spelled
            )

    def _try(self, file: str, name: str, wanted: set[str], spelled: Files) -> None:
        rows, not_judged = severe(spelled, None)
        missing = wanted - {rule for rule, _, _ in rows}
        self.tries, self.judged = self.tries + 1, self.judged + (not missing)
        if missing and not not_judged:
            self.missed += 1
            print(f"missed {file}: {name}: {' '.join(sorted(missing))}")

    def close(self) -> int:
        """The last line, and the exit code."""
        said = self.tries - self.judged - self.missed
        print(
            f"respell: {self.tries} spellings: {self.judged} judged alike, {said} said to be not judged, {self.missed} missed"
        )
        return 1 if self.missed else 0


def carries(name: str, key: str, value: str | None) -> bool:
    """Whether a way to write settings says this one: a fragment leaves absent keys open, an operator sets its own."""
    if (name.startswith(FRAGMENTS) and value is None) or (name == "client: a worker's" and key not in OF_WORKERS):
        return False
    return not (name.startswith(OPERATORS) and key.startswith(OF_OPERATORS))


def severe(files: Files, kind: str | None) -> tuple[set[tuple[str, str, str | None]], bool]:
    """(rule, key, value) of the severe findings of files in a folder, and whether something is said to be not judged."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            target = Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="")
        before = Path.cwd()
        os.chdir(folder)
        try:
            what = ["--kind", kind, *files] if kind else ["."]
            ran = run(
                "lint",
                *what,
                "--no-config",
                "--profile",
                "production",
                "--kafka-version",
                RELEASE,
                "--format",
                "json",
                "--fail-on-unknown",
            )
        finally:
            os.chdir(before)
    not_judged = ran.code == 2 or "not read" in ran.err or "passed over" in ran.err
    if not ran.out:
        return set(), not_judged
    findings = [row for row in ran.json["findings"] if row["severity"] in SEVERE]
    rows = {
        (ALIKE.get(row["name"], row["name"]), row.get("kafka_key") or row["key"] or "", row["value"])
        for row in findings
    }
    return rows, not_judged or bool(ran.json["unknown"])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
