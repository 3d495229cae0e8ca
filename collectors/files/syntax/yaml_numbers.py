"""Whole numbers in the notations of YAML 1.1: what reads a file makes digits of 0x1f, 017 and 1_000.

Source: go-yaml's resolve.go, SnakeYAML's and PyYAML's resolvers (the base by its prefix, underscores between digits), and
encoding/json, which writes 1.0 as 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from advisor.model import is_whole_number
from collectors.files.syntax.tree import TreeNode

MOST_DIGITS = 21
IN_A_BASE = re.compile(r"(?P<sign>[-+]?)(?:0(?:x(?P<x>[0-9a-f_]{1,16})|b(?P<b>[01_]{1,64})|o?(?P<o>[0-7_]{1,22}))|(?P<d>0|[1-9][0-9_]{0,40}))", re.IGNORECASE)  # fmt: skip
BASES = {"x": 16, "b": 2, "o": 8, "d": 10}
LARGEST = 2**63
SIGNS_AND_DIGITS = frozenset("+-0123456789")
COUNTS = ("replicas", "partitions")
"""The fields of a specification that are whole numbers for sure: a 3.0 elsewhere may be a release."""


def read_whole_numbers(scalars: Iterable[TreeNode]) -> None:
    """Read whole numbers in any base, with underscores or not, as digits; a text in quotes stays one."""
    for node in scalars:
        node.text = digits_of(node)


def read_numbers_of_manifest(document: TreeNode, scalars: Iterable[TreeNode]) -> None:
    """Read whole numbers as the digits that the API server makes of them, those with exponents, too."""
    for node in scalars:
        if node.plain:
            node.text = _with_exponent(node.text) or digits_of_plain(node.text)
    for name in COUNTS:
        count = document.get("spec", name)
        whole, dot, zeros = count.text.partition(".") if count is not None else ("", "", "")
        if count is not None and count.plain and dot and is_whole_number(whole) and not zeros.strip("0"):
            count.text = whole


def digits_of(node: TreeNode) -> str:
    """The text of a scalar, with digits in place of a whole number in another notation."""
    return digits_of_plain(node.text) if node.plain else node.text


def digits_of_plain(text: str) -> str:
    """A text without quotes, with digits in place of 0x1f, 0o17, 017, 0b11 and 1_000."""
    number = IN_A_BASE.fullmatch(text) if text[:1] in SIGNS_AND_DIGITS else None
    if number is None:
        return text
    base = number.lastgroup or ""
    digits = number[base].replace("_", "") or ("0" if base == "o" else "")
    if not digits:
        return text
    value = int(f"{number['sign']}{digits}", BASES[base])
    return str(value) if -LARGEST <= value < LARGEST else text


def _with_exponent(text: str) -> str:
    """The digits of a whole number with an exponent, 3e+9; empty for any other text."""
    mantissa, exponent, power = text.lower().partition("e")
    if not (exponent and is_whole_number(mantissa.replace(".", "", 1)) and is_whole_number(power.lstrip("+"))):
        return ""
    value = float(text)
    return str(int(value)) if value.is_integer() and abs(value) < 10**MOST_DIGITS else ""
