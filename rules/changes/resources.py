"""What rules of changes ask of resources: what a template fills in later, and whose topic it is."""

from __future__ import annotations

from advisor.rule import CHANGED, IN_BLOCK, Problem, Subject, Unknown

TEMPLATE = frozenset("${}")
"""Characters of what is filled in later."""


def is_filled_in_later(text: str) -> bool:
    """Whether a text has a template or a reference in it, whose value the files do not tell."""
    return not TEMPLATE.isdisjoint(text)


def filled_in(text: str, of: str) -> str:
    """A text without a template in it. Raises Unknown."""
    if is_filled_in_later(text):
        raise Unknown(f"{of} is filled in later")
    return text


def guard_of(now: Subject, before: Subject) -> str:
    """What keeps a resource from being replaced: Terraform heeds the block as it is now, a service what it was told before."""
    guards = [guard for guard in before.guards() if guard != IN_BLOCK]
    return ", ".join([IN_BLOCK, *guards] if IN_BLOCK in now.guards() else guards)


def deletion(at: str, message: str, guard: str, likely: bool = False) -> Problem:
    """The problem that a resource is deleted; with a guard the deletion is refused, and nothing is lost.

    It is likely where a reference decides it, whose value may be the one of before.
    """
    if not guard:
        return Problem(at, message, step=-1 if likely else 0, likely=likely)
    who, acts = ("Terraform refuses the plan", "never: the plan is refused")
    if IN_BLOCK not in guard:
        who, acts = ("the apply ends with an error", "never: the apply is refused")
    return Problem(
        at, f"{who} ({guard}), and nothing is deleted: {message}", step=-2, effect=CHANGED, acts=acts, likely=likely
    )


CONFLUENT_TOPIC = "confluent_kafka_topic."


def resource_of_operator(topic: Subject) -> str | None:
    """The name of the Kubernetes resource that declares a topic; none where Terraform does."""
    resource = topic.resource()
    return None if is_of_confluent(topic) else resource


def is_of_confluent(topic: Subject) -> bool:
    """Whether a resource of Confluent's provider declares a topic."""
    return (topic.resource() or "").startswith(CONFLUENT_TOPIC)
