"""Fix every file of a folder of real ones: `python -m tests.extra.fix_corpus FOLDER [PART OF A PATH]`.

After `lint --fix` no finding with a safe fix may be left without a reason, no new one of medium or higher severity may be there, and
a second run changes nothing; the same goes for unsafe fixes.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from advisor.model.finding import rank
from tests.support.commands import run


def main(folder: str, part: str = "") -> int:
    """Print what is wrong with each file's fixes; 1 if there is something."""
    if not Path(folder).is_dir():
        print(f"fixes: skipped, there is no {folder}")
        return 0
    paths = [path for path in sorted(Path(folder).rglob("*")) if path.is_file() and path.parent != Path(folder)]
    wrong = [line for path in paths if part in str(path) for line in problems_of(path)]
    for line in wrong:
        print(line)
    print(f"{len(paths)} files, {len(wrong)} problems")
    return bool(wrong)


def problems_of(path: Path) -> list[str]:
    """What is wrong with the fixes of one file."""
    return [line for options in (["--fix"], ["--fix", "--unsafe-fixes"]) for line in problems_with(path, options)]


def problems_with(path: Path, options: list[str]) -> list[str]:
    """What is wrong with one way to fix one file."""
    with TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(path.parent, Path(folder) / "files")) / path.name
        copy.chmod(0o644)
        original = copy.read_bytes()
        before = findings_of(copy)
        ran = run("lint", "--no-config", copy, *options, "-v", "--format", "json")
        if ran.code == 2:
            return [f"{path} {options}: {ran.err}"]
        after, fixed = findings_of(copy), copy.read_bytes()
        if ran.code != 3:
            print(f"{path.parent.name}/{path.name}: {ran.err.strip().splitlines()[-1]}")
        again = run("lint", "--no-config", copy, *options)
        wrong = [f"{path}: a second run changes it ({again.err})"] if copy.read_bytes() != fixed else []
        old = {identity(row) for row in before}
        wrong += [
            f"{path}: new: {row['rule']} {row['message']}"
            for row in after
            if rank(row["severity"]) >= rank("medium") and identity(row) not in old
        ]
        wanted = ("safe",) if len(options) == 1 else ("safe", "unsafe")
        wrong += [
            f"{path}:{row['line']}: {row['rule']} left without a reason"
            for row in after
            if row.get("fixes", {}).get("applicability") in wanted and f"{row['rule']} not fixed" not in ran.err
        ]
        others = [each for each in copy.parent.iterdir() if each != copy and each.is_file()]
        wrong += [
            f"{each}: was written" for each in others if each.read_bytes() != (path.parent / each.name).read_bytes()
        ]
        return wrong + ([] if fixed == original or before else [f"{path}: changed without a finding"])


def findings_of(path: Path) -> list[dict[str, Any]]:
    """The findings of a file."""
    ran = run("lint", "--no-config", path, "--format", "json")
    return list(ran.json["findings"]) if ran.out.strip() else []


def identity(row: dict[str, Any]) -> tuple[str, ...]:
    """What is the same of a finding before and after."""
    return row["rule"], str(row["entity"]), str(row.get("kafka_key") or row["key"])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
