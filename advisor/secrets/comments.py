"""Whether a comment behind a setting may hold a secret."""

from __future__ import annotations

import re

from advisor.secrets.masking import mask_prose

COMMENT = re.compile(r"#|(?<!:)//|/\*")
MIXED = re.compile(r"\b(?!\d{1,20}[A-Za-z]{0,3}\b)(?=[^\W_]{0,200}\d)(?=[^\W_]{0,200}[^\W\d_])\w{5,}")
"""A word of letters and digits, as passwords are, that is no number with its unit (7d)."""


def hides_in_comment(line: str) -> bool:
    """Whether the comment behind a setting may hold a secret: by what `mask_prose` masks, or a word of letters and digits."""
    comment = COMMENT.split(line, 1)[1:]
    return bool(comment) and (mask_prose(comment[0]) != comment[0] or bool(MIXED.search(comment[0])))
