"""Which keys a rule is about, as its items and examples say."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.rule import Rule


def keys_of(rule: Rule) -> set[str]:
    """The keys that a rule is about: those that its items name, or that its examples set."""
    items = set(rule.each) if isinstance(rule.each, tuple) else set[str]()
    return items | {line.partition("=")[0].strip() for line in _telling_lines(rule)}


def _telling_lines(rule: Rule) -> set[str]:
    """The lines of a rule's examples that only the bad or only the good ones have; of a change those that it touches."""
    bad, good = (
        [text for section, text in rule.documentation().sections.items() if section.startswith(name)]
        for name in ("Bad", "Good")
    )
    if rule.is_of_change:
        return {line for text in bad for line in set.symmetric_difference(*map(_lines, text.partition("after:")[::2]))}
    return _lines("\n".join(bad)) ^ _lines("\n".join(good))


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines()}
