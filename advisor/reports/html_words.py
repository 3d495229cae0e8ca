"""Words of the HTML reports: where values come from, and the first sentence of a text."""

from __future__ import annotations

LEVELS = {
    "DEFAULT": "default",
    "STATIC_BROKER": "the broker's file",
    "DYNAMIC_BROKER": "set on the running broker",
    "DYNAMIC_DEFAULT_BROKER": "set for the whole cluster",
    "DYNAMIC_TOPIC": "set on the topic",
    "TOPIC_OR_BROKER": "set on the topic or its brokers",
    "CLIENT_FILE": "the client's file",
    "METADATA": "the cluster says",
}
"""Where a value comes from that no line of a file says."""


def first_sentence(text: str) -> str:
    """The text up to its first full stop that a capital letter follows."""
    at = text.find(". ")
    while at >= 0 and not (text[at + 2 : at + 3].isupper() and text.count("(", 0, at) == text.count(")", 0, at)):
        at = text.find(". ", at + 1)
    return text if at < 0 else text[: at + 1]


def rule_url(id: str, name: str = "") -> str:
    """Where a rule is described: its card on the page."""
    return f"#{id}"
