"""Differences between two texts are found in linear work, and make the one text of the other."""

from __future__ import annotations

import random
from collections.abc import Callable

from advisor.edits.context import Beside
from advisor.edits.diff import diff_between
from advisor.edits.line_matching import anchors, differences
from tests.support.work import growth

BLOCKS = 12


def blocks(count: int, value: str) -> list[str]:
    """Services, of which all lines but one are the same."""
    return [
        line
        for number in range(count)
        for line in (f"  k{number}:\n", "    env:\n", f"      A: {value}\n", "      B: 1\n")
    ]


def test_differences_make_the_one_text_of_the_other() -> None:
    for seed in range(200):
        old, new = drawn_texts(random.Random(seed))
        assert edited(old, new) == new, seed


def drawn_texts(drawn: random.Random) -> tuple[list[str], list[str]]:
    old = [drawn.choice("abcdefghijklmnop") for _ in range(drawn.randrange(30))]
    new = [line for line in old if drawn.random() < 0.8]
    for _ in range(drawn.randrange(4)):
        new.insert(drawn.randint(0, len(new)), drawn.choice("abcxyz"))
    return old, new


def edited(old: list[str], new: list[str]) -> list[str]:
    """The old text with the differences to the new one."""
    made, at = list[str](), 0
    for start, end, first, last in differences(old, new):
        assert (end > start or last > first) and start >= at
        made += old[at:start] + new[first:last]
        at = end
    return made + old[at:]


def test_lines_that_both_have_once_stay_where_most_of_them_can() -> None:
    assert anchors([*"abcxd"], [*"cabdy"]) == [(0, 1), (1, 2), (4, 3)]


def test_a_change_of_each_block_is_found_in_linear_work() -> None:
    def work(count: int) -> Callable[[], object]:
        old, new = ("".join(blocks(count, value)).encode() for value in ("1", "2"))
        return lambda: list(diff_between("a.yml", old, new))

    assert growth(work, BLOCKS) < 2.5


def test_lines_beside_changes_are_known_in_linear_work() -> None:
    def work(count: int) -> Callable[[], object]:
        lines = ["services:\n", *blocks(count, "1")]

        def shown() -> None:
            beside = Beside(lines)
            assert all(map(beside.is_shown, range(len(lines))))

        return shown

    assert growth(work, BLOCKS) < 2.5


def test_a_line_deep_in_a_block_of_text_is_not_shown() -> None:
    lines = ["a:\n", "  b: |\n", "    c:\n", "\n", "      d:\n", "  e:\n"]
    assert [Beside(lines).is_shown(number) for number in range(len(lines))] == [True, True, False, True, False, True]


def test_many_lines_that_are_the_same_are_matched_in_their_order() -> None:
    for seed in range(20):
        drawn = random.Random(seed)
        old = [drawn.choice("ab") for _ in range(300)]
        new = [line for line in old if drawn.random() < 0.7] + drawn.choices("abc", k=drawn.randrange(9))
        assert edited(old, new) == new, seed
    comments = ["# same\n", "acks=1\n"] * 1500
    left = [*differences(comments, ["# same\n"] * 1500)]
    assert len(left) == 1500 and all(
        last - first == 1 and new_first == new_last for first, last, new_first, new_last in left
    )
