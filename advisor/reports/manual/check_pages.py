"""Documentation of the checks of `starts` that are no rules of `lint`: as text, and as one page."""

from __future__ import annotations

from advisor.analysis.findings import OF_COMMANDS, OF_TOOL
from advisor.reports.manual.rule_pages import NOTE, cell, link_addresses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.analysis.startup.check import StartupCheck


def check_lines(check: StartupCheck) -> Iterator[str]:
    """A check as plain text."""
    documentation = check.documentation()
    yield from (f"{check.id} {check.name}", documentation.title, "")
    yield "Judged by:  kafka-advisor starts: Kafka refuses to start"
    for section, text in documentation.sections.items():
        yield ""
        if section.startswith(("Bad", "Good")):
            yield from (f"{section}:", *(f"    {line}" for line in text.splitlines()))
        else:
            yield f"{section}: {text}"


def checks_page(checks: Sequence[StartupCheck]) -> Iterator[str]:
    """All checks on one page."""
    yield from ("# What `starts` refuses beside the rules", "", NOTE, "")
    yield "`kafka-advisor starts` judges by the rules of `lint` that Kafka itself enforces, and by these checks of whole files."
    yield from ("", "| check | name | what |", "|---|---|---|")
    for check in checks:
        yield f"| [{check.id}](#{check.id.lower()}) | {check.name} | {cell(check.documentation().title)} |"
    yield from ("", "These findings belong to no rule and no check; `explain` knows them, too:", "")
    yield from ("| id | name | what |", "|---|---|---|")
    yield from (f"| {own.id} | {own.name} | {cell(own.title)} |" for own in (*OF_TOOL, *OF_COMMANDS))
    for check in checks:
        documentation = check.documentation()
        yield from ("", f"## {check.id}", "", f"**{check.name}**: {documentation.title}")
        for section, text in documentation.sections.items():
            if section.startswith(("Bad", "Good")):
                yield from ("", f"{section}:", "", "```properties", text, "```")
            else:
                yield from ("", f"{section}: {link_addresses(text) if section == 'See' else text}")
