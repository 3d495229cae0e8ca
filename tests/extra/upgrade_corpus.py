"""Compare `upgrade` with `starts` on files of a folder: `python -m tests.extra.upgrade_corpus FOLDER`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.support.upgrade_agreement import disagreements

TO = "4.4"


def main(folder: str) -> int:
    """Print every disagreement; 1 if there is one."""
    index = Path(folder) / "index.jsonl"
    if not index.is_file():
        print(f"upgrade-corpus: skipped, there is no {index}")
        return 0
    rows = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]
    files = dict.fromkeys(Path(folder) / row["file"] for row in rows)
    lines = [line for file in files for line in disagreements(file, TO)]
    print("\n".join((*lines, f"upgrade-corpus: {len(files)} files to {TO}, {len(lines)} disagreements with starts")))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
