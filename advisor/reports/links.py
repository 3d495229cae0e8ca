"""Where a rule's page is: one URL for every format that links, from the installed package's project, and else the command.

The environment says where pages are kept elsewhere; no configuration file can, so that a pull request does not change where
reports link to.
"""

from __future__ import annotations

import os
from functools import cache

from advisor.rule import FAMILIES, family_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.model.finding import Finding
    from advisor.rule import Rule

VARIABLE = "KAFKA_ADVISOR_RULES_URL"
DISTRIBUTION = "kafka-advisor"
IN_REPOSITORY = "/blob/HEAD/docs/rules/{id}.md"
"""Where GitHub and GitLab show a file of a repository's main branch, whatever that is called."""
FOLDERS = {"documentation": "/rules/{id}.md", "repository": IN_REPOSITORY, "source": IN_REPOSITORY, "homepage": IN_REPOSITORY}  # fmt: skip
"""The rules' pages below the project's URL of that name; the first one counts. {id} is the rule's id, {name} its name."""


def rule_url(id: str, name: str = "") -> str:
    """The URL of a rule's page; empty without one, for rules of the user's own and for the tool's own findings."""
    if family_of(id) not in FAMILIES:
        return ""
    base = os.environ.get(VARIABLE) or project_pages()
    if base and "{id}" not in base and "{name}" not in base:
        base = base.rstrip("/") + "/{id}.md"
    return base.replace("{id}", id).replace("{name}", name)


def explain_command(what: Finding | Rule) -> str:
    """The command that explains a rule or a finding."""
    return f"kafka-advisor explain {what.explain}"


@cache
def project_pages() -> str:
    """Where the installed package's metadata says that its rules' pages are, with {id}; empty where it names no URL."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        entries = metadata(DISTRIBUTION).get_all("Project-URL") or ()
    except PackageNotFoundError:
        return ""
    urls = {name.strip().lower(): url.strip().rstrip("/") for name, _, url in (each.partition(",") for each in entries)}
    return next((urls[name] + folder for name, folder in FOLDERS.items() if urls.get(name)), "")
