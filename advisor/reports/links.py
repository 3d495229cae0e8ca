"""Where a rule's page is: one URL for every format that links.

The environment says where pages are kept elsewhere; no configuration file can, so that a pull request does not change where
reports link to.
"""

from __future__ import annotations

import os

from advisor.rule import FAMILIES, family_of

VARIABLE = "KAFKA_ADVISOR_RULES_URL"
BASE = "https://github.com/kafka-advisor/kafka-advisor/blob/main/docs/rules/{id}.md"
"""{id} is the rule's id, {name} its name; what names neither is a folder of pages such as KA101.md."""


def rule_url(id: str, name: str = "") -> str:
    """The URL of a rule's page, empty for rules of the user's own and for the tool's own findings."""
    if family_of(id) not in FAMILIES:
        return ""
    base = os.environ.get(VARIABLE) or BASE
    if "{id}" not in base and "{name}" not in base:
        base = base.rstrip("/") + "/{id}.md"
    return base.replace("{id}", id).replace("{name}", name)
