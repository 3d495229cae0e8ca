"""A module with one rule of a user's own."""

from __future__ import annotations

RULE = '''from advisor.rule import Problem, Problems, Subject, rule
{module}

@rule("ACME1", "high")
def own(client: Subject) -> Problems:
    """A rule of a user's own.

    Why: to see what becomes of it.
    Fix: none.
    Bad:
        acks=all
    Good:
        acks=all
    See: KIP-1
    """
    {body}
'''


def own_rule(body: str, module: str = "") -> str:
    """The text of a module whose rule consists of one line; `module` stands in its second line."""
    return RULE.format(module=module, body=body)
