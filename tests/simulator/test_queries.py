"""Every computed row of the ground truth is answered as expected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from advisor.simulator.queries import answers
from tests.support.simulation import same

ROWS = (Path(__file__).parent / "data" / "replication_queries.jsonl").read_text().splitlines()


def test_every_row_is_answered_as_expected() -> None:
    expected = [json.loads(row) for row in ROWS]
    answered: list[dict[str, Any]] = list(answers(ROWS))
    assert len(expected) == 224
    wrong = [
        (row["id"], row["expected"], answer["holds"], answer["steps"])
        for row, answer in zip(expected, answered, strict=True)
        if answer["id"] != row["id"]
        or answer["holds"] is not row["expected"]["holds"]
        or not same(answer["steps"], row["expected"].get("steps"))
    ]
    assert not wrong
