"""What rules of changes ask of resources: what a template fills in later, and whose topic it is."""

from __future__ import annotations

from advisor.rule import Subject, Unknown

TEMPLATE = frozenset("${}")
"""Characters of what is filled in later."""


def filled_in(text: str, of: str) -> str:
    """A text without a template in it. Raises Unknown."""
    if not TEMPLATE.isdisjoint(text):
        raise Unknown(f"{of} is filled in later")
    return text


CONFLUENT_TOPIC = "confluent_kafka_topic."


def resource_of_operator(topic: Subject) -> str | None:
    """The name of the Kubernetes resource that declares a topic; none where Terraform does."""
    resource = topic.resource()
    return None if is_of_confluent(topic) else resource


def is_of_confluent(topic: Subject) -> bool:
    """Whether a resource of Confluent's provider declares a topic."""
    return (topic.resource() or "").startswith(CONFLUENT_TOPIC)
