"""The whole numbers of a manifest, as the API server stores them: it takes any notation of YAML 1.1 and writes digits.

Source: go-yaml's resolve.go (the base by its prefix, underscores between digits), and encoding/json, which writes 1.0 as 1.
"""

from __future__ import annotations

import re

from advisor.model import is_whole_number
from collectors.files.syntax.tree import TreeNode

MOST_DIGITS = 21
IN_A_BASE = re.compile(r"(?P<sign>[-+]?)0(?:x(?P<x>[0-9a-f_]{1,16})|b(?P<b>[01_]{1,64})|o?(?P<o>[0-7_]{1,22}))", re.IGNORECASE)  # fmt: skip
BASES = {"x": 16, "b": 2, "o": 8}
COUNTS = ("replicas", "partitions")
"""The fields of a specification that are whole numbers for sure: a 3.0 elsewhere may be a release."""


def read_numbers(document: TreeNode) -> None:
    """Read whole numbers in any notation as the digits that the API server makes of them; a text in quotes stays one."""
    for node in document.scalars():
        if node.plain:
            node.text = _with_exponent(node.text) or _in_a_base(node.text) or node.text
    for name in COUNTS:
        count = document.get("spec", name)
        whole, dot, zeros = count.text.partition(".") if count is not None else ("", "", "")
        if count is not None and count.plain and dot and is_whole_number(whole) and not zeros.strip("0"):
            count.text = whole


def _with_exponent(text: str) -> str:
    """The digits of a whole number with an exponent, 3e+9; empty for any other text."""
    mantissa, exponent, power = text.lower().partition("e")
    if not (exponent and is_whole_number(mantissa.replace(".", "", 1)) and is_whole_number(power.lstrip("+"))):
        return ""
    value = float(text)
    return str(int(value)) if value.is_integer() and abs(value) < 10**MOST_DIGITS else ""


def _in_a_base(text: str) -> str:
    """The digits of 0x1f, 0o17, 017 and 0b11; empty for any other text."""
    number = IN_A_BASE.fullmatch(text)
    digits = (number[number.lastgroup or ""] if number is not None else "").replace("_", "")
    if number is None or not digits:
        return ""
    return str(int(f"{number['sign']}{digits}", BASES[number.lastgroup or ""]))
