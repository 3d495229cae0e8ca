"""The diff that `advise` writes of a file, applied as patch does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.edits.change import FileChange
from advisor.edits.diff import LINES, NO_END, file_diff
from advisor.edits.editor import splices_of
from advisor.edits.text import read_text

HEAD = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


class Lines(NamedTuple):
    """What changes of the lines key0=0, key1=1, …: their new values, None to take one away, and the new keys at the end."""

    size: int
    values: dict[int, str | None]
    new: list[str]
    has_end: bool


CHANGED_LINES = st.builds(
    Lines,
    st.integers(1, 9),
    st.dictionaries(st.integers(1, 9), st.none() | st.sampled_from(["a", "b"])),
    st.lists(st.sampled_from(["x", "y"]), unique=True),
    st.booleans(),
)


@given(CHANGED_LINES)
def test_the_diff_applied_is_the_edited_file(tmp_path_factory: pytest.TempPathFactory, rows: Lines) -> None:
    path = tmp_path_factory.mktemp("diff") / "a.properties"
    text = "".join(f"key{number}={number}\n" for number in range(1, rows.size + 1))
    path.write_text(text if rows.has_end else text.removesuffix("\n"))
    changes = [
        FileChange(str(path), line, f"key{line}", f"key{line}", str(line), value, "a")
        for line, value in rows.values.items()
        if line <= rows.size
    ]
    changes += [FileChange(str(path), None, key, key, None, "1", "a") for key in rows.new]
    file = read_text(str(path))
    assert file is not None
    lines = LINES.findall(file.text)
    diff = list(file_diff(changes)) if changes else []
    assert "".join(patched(lines, diff)) == file.spliced(splices_of(file, changes)).decode()
    assert Path(path).read_text().splitlines() == [line.rstrip("\n") for line in lines]


def patched(lines: list[str], diff: list[str]) -> list[str]:
    """The lines after a unified diff, whose hunks must fit."""
    after, at = [], 0
    for number, row in enumerate(diff):
        head = HEAD.fullmatch(row)
        if head:
            first, count = int(head[1]), int(head[2] or 1)
            start = first - 1 if count else first
            after += lines[at:start]
            at = start
            assert len(after) == (int(head[3]) - 1 if int(head[4] or 1) else int(head[3]))
        elif row.startswith("-") and not row.startswith("--- "):
            assert ended(diff, number) == lines[at]
            at += 1
        elif row.startswith(" "):
            assert ended(diff, number) == lines[at]
            after.append(lines[at])
            at += 1
        elif row.startswith("+") and not row.startswith("+++ "):
            after.append(ended(diff, number))
    return after + lines[at:]


def ended(diff: list[str], number: int) -> str:
    """A line of a hunk with its end, if it has one."""
    return diff[number][1:] + ("" if diff[number + 1 : number + 2] == [NO_END] else "\n")
