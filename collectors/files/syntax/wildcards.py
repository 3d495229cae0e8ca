"""Git's wildcards, matched without going back: in time that is linear in the text, and in the pattern.

`*` and `?` stand for no slash in paths; `**` as a whole part of a path stands for any number of them, `**/` for none as well.
Source: git's wildmatch.c.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from collectors.files.syntax.brackets import bracket_at, never

SPECIAL = "*?[\\"
Test = Callable[[str], bool]


class Wildcards:
    """A pattern as the steps of a machine that is in several states at once, a bit for each.

    State n has passed the first n steps. A repeated step keeps its state, and may be passed without a character. A gate takes
    none: it leads to the two steps of a `**/` or past them.
    """

    def __init__(self, pattern: str, in_paths: bool) -> None:
        self._steps: list[Test] = []
        self._stars_at: list[int] = []
        self._gates_at: list[int] = []
        self._masks: dict[str, int] = {}
        self._in_paths = in_paths
        self._read(pattern)
        self._repeated, self._gates = bits(self._stars_at), bits(self._gates_at)
        self._accepted = 1 << len(self._steps)

    def match(self, text: str) -> bool:
        """Whether the whole text matches."""
        states = self._without_a_character(1)
        for character in text:
            if not states:
                return False
            passed = states & self._mask(character)
            repeated = passed & self._repeated
            states = self._without_a_character(repeated | (passed & ~self._repeated) << 1)
        return bool(states & self._accepted)

    def _mask(self, character: str) -> int:
        """The steps that take a character."""
        if character not in self._masks:
            taking = [number for number, takes in enumerate(self._steps) if takes(character)]
            self._masks[character] = bits(taking)
        return self._masks[character]

    def _without_a_character(self, states: int) -> int:
        """The states that are reached from these before the next character."""
        while True:
            gates = states & self._gates
            reached = states | (states & self._repeated) << 1 | gates << 1 | gates << 3
            if reached == states:
                return states
            states = reached

    def _read(self, pattern: str) -> None:
        at = 0
        while at < len(pattern):
            character = pattern[at]
            if character == "*":
                at = self._stars(pattern, at)
            elif character == "[":
                test, at = bracket_at(pattern, at)
                self._steps.append(self._outside_of_slashes(test))
            elif character == "?":
                self._steps.append(self._outside_of_slashes(always))
                at += 1
            else:
                at += character == "\\"
                self._steps.append(pattern[at : at + 1].__eq__)
                at += 1

    def _stars(self, pattern: str, first: int) -> int:
        """Read a run of stars; where the pattern goes on."""
        end = first
        while pattern[end : end + 1] == "*":
            end += 1
        is_part = first == 0 or pattern[first - 1] == "/"
        spans = end - first > 1 and is_part and (end == len(pattern) or pattern.startswith(("/", "\\/"), end))
        if spans and pattern.startswith("/", end):
            if self._gates_at and self._gates_at[-1] == len(self._steps) - 3:
                return end + 1
            self._gates_at.append(len(self._steps))
            self._steps.append(never)
        self._stars_at.append(len(self._steps))
        self._steps.append(always if spans or not self._in_paths else is_no_slash)
        return end

    def _outside_of_slashes(self, test: Test) -> Test:
        return (lambda character: character != "/" and test(character)) if self._in_paths else test


def bits(numbers: Sequence[int]) -> int:
    """The number that has these bits, which rise, in time that is linear in the last of them."""
    digits = bytearray(b"0" * (numbers[-1] + 1 if numbers else 1))
    for number in numbers:
        digits[-1 - number] = ord("1")
    return int(digits, 2)


def always(_: str) -> bool:
    """Any character."""
    return True


def is_no_slash(character: str) -> bool:
    """Any character but a slash."""
    return character != "/"
