"""Links of the HTML report to what a rule's See section names."""

from __future__ import annotations

import re

from advisor.rule import Rule

KIP, ISSUE = "https://cwiki.apache.org/confluence/display/KAFKA/{}", "https://issues.apache.org/jira/browse/{}"
REFERENCE = re.compile(r"https://[^\s,<>]+|KIP-\d+|KAFKA-\d+")


class Link:
    """A reference: its text, its address, and its anchor where it is the first on the page to a KIP."""

    def __init__(self, text: str, anchor: str = "") -> None:
        self.anchor = anchor
        self.text = text.removeprefix("https://")
        self.url = address(text)


class Links:
    """The references of a page's rules."""

    def __init__(self) -> None:
        self._kips: set[str] = set()

    def of(self, rule: Rule) -> list[Link]:
        """The KIPs, issues and pages that a rule's documentation names, each once."""
        matches = REFERENCE.finditer(rule.documentation().text("See"))
        texts = dict.fromkeys(match.group().rstrip(".;)") for match in matches)
        return [Link(text, self._anchor(text)) for text in texts]

    def _anchor(self, text: str) -> str:
        if not text.startswith("KIP-") or text in self._kips:
            return ""
        self._kips.add(text)
        return text


def address(reference: str) -> str:
    """The address of a KIP, of an issue, or of what is an address itself."""
    if reference.startswith("https://"):
        return reference
    return (KIP if reference.startswith("KIP-") else ISSUE).format(reference)
