"""Values of resources that a template fills in later."""

from __future__ import annotations

from advisor.rule import Unknown

TEMPLATE = frozenset("${}")
"""Characters of what is filled in later."""


def filled_in(text: str, of: str) -> str:
    """A text without a template in it. Raises Unknown."""
    if not TEMPLATE.isdisjoint(text):
        raise Unknown(f"{of} is filled in later")
    return text
