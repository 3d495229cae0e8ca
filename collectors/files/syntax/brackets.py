"""Sets of characters in brackets, as git's wildcards have them: [abc], [!a-z], [[:digit:]]. Source: git's wildmatch.c."""

from __future__ import annotations

from collections.abc import Callable

Test = Callable[[str], bool]
BLANKS = " \t"
SPACES = " \t\n\v\f\r"
CLASSES: dict[str, Test] = {
    "alnum": lambda character: character.isascii() and character.isalnum(),
    "alpha": lambda character: character.isascii() and character.isalpha(),
    "blank": BLANKS.__contains__,
    "cntrl": lambda character: character < " " or character == "\x7f",
    "digit": lambda character: "0" <= character <= "9",
    "graph": lambda character: "!" <= character <= "~",
    "lower": lambda character: "a" <= character <= "z",
    "print": lambda character: " " <= character <= "~",
    "punct": lambda character: "!" <= character <= "~" and not character.isalnum(),
    "space": SPACES.__contains__,
    "upper": lambda character: "A" <= character <= "Z",
    "xdigit": "0123456789abcdefABCDEF".__contains__,
}


def bracket_at(pattern: str, first: int) -> tuple[Test, int]:
    """The test of the set that opens there, and where the pattern goes on; one that is not closed takes nothing."""
    at = first + 1
    negated = pattern[at : at + 1] in ("!", "^") and at < len(pattern)
    at += negated
    tests: list[Test] = []
    lowest = ""
    start = at
    while at < len(pattern) and (pattern[at] != "]" or at == start):
        test, last, at = _member_at(pattern, at, lowest)
        if test is None:
            return never, len(pattern)
        tests.append(test)
        lowest = last
    if at >= len(pattern):
        return never, len(pattern)
    return (lambda character: any(test(character) for test in tests) != negated), at + 1


def _member_at(pattern: str, at: int, lowest: str) -> tuple[Test | None, str, int]:
    """One member of a set, the character from which a range may go on, and where the next one stands; None if it is broken."""
    if pattern.startswith("[:", at):
        end = pattern.find("]", at + 2)
        if end < 0:
            return None, "", at
        if end > at + 2 and pattern[end - 1] == ":":
            return CLASSES.get(pattern[at + 2 : end - 1]), "", end + 1
    if pattern[at] == "-" and lowest and pattern[at + 1 : at + 2] not in ("", "]"):
        at += 1 + (pattern[at + 1] == "\\")
        highest = pattern[at : at + 1]
        return (_between(lowest, highest) if highest else None), "", at + 1
    at += pattern[at] == "\\"
    member = pattern[at : at + 1]
    return (member.__eq__ if member else None), member, at + 1


def _between(lowest: str, highest: str) -> Test:
    return lambda character: lowest <= character <= highest


def never(_: str) -> bool:
    """No character."""
    return False
