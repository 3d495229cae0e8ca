"""What is said on standard error beside a diff: how it is applied where that is not as usual."""

from __future__ import annotations

import os

from advisor.edits.diff import has_bare_hunk
from advisor.edits.text import read_text
from advisor.errors import ExitCode, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.analysis.advice.plan import AdvicePlan


def say_how_to_apply(file: str, rows: Sequence[str], data: bytes) -> None:
    """Say what a file's diff asks of the command that applies it."""
    if has_bare_hunk(file, rows, data):
        say(
            f"{file}: the diff leaves out unchanged lines that may hold secrets; apply it with git apply --unidiff-zero"
        )
    if rows and os.path.relpath(file).startswith(".."):
        say(f"{file}: lies outside of this folder, its name in the diff begins at the root: patch -p1 -d /")


def say_of_plan(plan: AdvicePlan, diffs: Mapping[str, Sequence[str]]) -> int:
    """Say how the diffs of a plan are applied, or why there are none; the exit code of the command."""
    for file, rows in diffs.items():
        text = read_text(file)
        if text is not None:
            say_how_to_apply(file, rows, text.spliced(()))
    left = len(plan.left)
    if not diffs:
        remain = f"{left} finding{' remains' if left == 1 else 's remain'}, for which no line of the files is edited"
        say(f"no diff: {remain + ': advise in text says what to do' if left else 'there are no findings'}")
    return ExitCode.FINDINGS if diffs or left else ExitCode.CLEAN
