"""Masking of hidden values in what rules say: what is remembered does not grow with the texts."""

from __future__ import annotations

import tracemalloc

from advisor.engine.shown_text import shown_text
from advisor.model import MASK

MEGABYTE = 1024 * 1024


def test_a_long_hidden_value_is_held_once_however_many_texts_it_is_looked_for_in() -> None:
    value = "x" * MEGABYTE + " "
    hidden = ((value.strip(), MASK),)
    tracemalloc.start()
    for number in range(100):
        assert shown_text(f"text {number}", hidden) == f"text {number}"
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * MEGABYTE


def test_equal_texts_about_other_values_are_masked_by_their_own() -> None:
    one, other = ("hunter1", MASK), ("hunter2", MASK)
    text = "hunter1 and hunter2"
    assert shown_text(text, (one,)) == f"{MASK} and hunter2"
    assert shown_text(text, (other,)) == f"hunter1 and {MASK}"
    assert shown_text(text, (one, other)) == f"{MASK} and {MASK}"
