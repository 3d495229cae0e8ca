"""Compare `refused_by_kafka` with what real Kafka did: `python -m tests.extra.refusals FILE.jsonl [COMPONENT]`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from advisor import catalog
from advisor.engine import judge
from advisor.finding import Finding
from advisor.model import LITERAL, Origin, Setting, Snapshot, Target
from advisor.policy import Policy
from collectors.files import _entity
from collectors.secrets import is_secret, jaas_of, shape_of
from rules import all_rules

KINDS = {"worker": "connect", "broker": None}


def main(path: str, component: str = "") -> int:
    """Print every row that was judged otherwise than Kafka judged it."""
    file = Path(path)
    if not file.is_file():
        print(f"refusals: skipped, there is no {file}")
        return 0
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    wrong = counted = false = 0
    for row in rows:
        if component not in ("", row["component"]) or row["outcome"] == "environment" or row.get("environment"):
            continue
        counted += 1
        refused = [finding for finding in findings_of(row) if finding.refused]
        if bool(refused) == (row["outcome"] == "refused"):
            continue
        wrong += 1
        false += bool(refused)
        settings = " ".join(f"{key}={value}" for key, value in row["settings"].items())
        said = "; ".join(f"{finding.name} {finding.key}: {finding.message}" for finding in refused)
        print(f"{'FALSE' if refused else 'missed'} {row['id']} {row['component']} {row['version']} {settings}")
        print(f"       Kafka: {row['outcome']} {row['detail'][:200]}   we: {said or '-'}")
    print(f"refusals: {counted - wrong} of {counted} rows as Kafka; {false} called refused that Kafka took")
    return 0 if not false and wrong <= counted / 100 else 1


def findings_of(row: dict[str, Any]) -> list[Finding]:
    """What the rules say of a row's settings."""
    settings = {}
    for number, (key, value) in enumerate(row["settings"].items(), 1):
        if key.startswith("broker:"):
            continue
        secret = is_secret(key)
        shape = LITERAL if key not in row.get("placeholders", ()) else "placeholder"
        settings[key] = Setting(
            key,
            "********" if secret and value else value,
            "CLIENT_FILE",
            Origin("row", number, 1, ""),
            secret=secret,
            shape=shape if value.strip() and not secret else shape_of(value),
            jaas=jaas_of(value) if "jaas.config" in key else None,
        )
    kind = {"broker": server_kind(settings), "controller": server_kind(settings), "worker": "connect"}.get(
        row["component"], row["component"]
    )
    target = Target(catalog.target(row["version"])[0], "the row's", given=True)
    entity = _entity("row", kind, settings, target)
    return judge([Snapshot("row", [entity])], RULES, Policy(RULES)).findings


def server_kind(settings: dict[str, Setting]) -> str:
    """broker, controller or combined, as the file's detection has it."""
    from collectors.detect import kind_of

    found = kind_of(settings)
    return found if found in ("broker", "controller", "combined") else "broker"


RULES = all_rules()

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
