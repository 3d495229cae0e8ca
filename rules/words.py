"""Numbers and what they count, as a message says them."""

from __future__ import annotations


def count(number: int, thing: str) -> str:
    """A number with its noun: 1 broker, 2 brokers."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def every(number: int, thing: str) -> str:
    """How often something happens: after every record, every 5 records."""
    return f"every {thing}" if number == 1 else f"every {number} {thing}s"


def few(replicas: int) -> str:
    """What it means that there are one or two replicas."""
    return "the only replica is lost with its disk" if replicas == 1 else "one replica is left while a broker restarts"


def even(members: int, thing: str) -> str:
    """What an even number of members of a majority survives: no more than one member fewer."""
    survived = "no failure" if members == 2 else count(members // 2 - 1, "failure")
    return f"{count(members, thing)} survive {survived}, as {members - 1} would"
