"""Keys of Kafka's whose words are names within one another, as in a file of one's own: min: {insync: {replicas: 1}}."""

from __future__ import annotations

import re
from collections.abc import Iterator

from advisor import limits
from collectors.files.mentions import COMMENT
from collectors.files.syntax.text_lines import text_lines

NAME = r"(?<![a-z])([a-z][a-z0-9.]{0,80}+)[\"']?+"
LINE = re.compile(rf"([ ]*)[\"']?{NAME}[ \t]*:(?:[ \t]+([^\s#{{\[][^\n]*))?(?:[ \t]*#|$)")
"""A name of YAML on a line of its own, by how much it is indented, and its value."""
TOKEN = re.compile(rf"{NAME}\s{{0,20}}+(?:[:=]\s{{0,20}}+)?\{{|([{{}}])|{NAME}\s{{0,20}}+[:=]\s{{0,20}}+[\"']?[\w-]")
"""A name that opens braces, braces alone, and a name with a value."""
TELLING = re.compile(r"(?:insync|unclean|replication)[\w.]{0,80}[\"']?\s{0,20}[:={]")
"""A name in each key that is looked for in every text."""


def nested_keys(text: str) -> Iterator[str]:
    """The paths of the values of a text, with a dot between names; none where no severe key can be among them."""
    if TELLING.search(text):
        yield from _by_indentation(text)
        yield from _by_braces(text) if "{" in text else ()


def _by_indentation(text: str) -> Iterator[str]:
    above: list[tuple[int, str]] = []
    for line in text_lines(text):
        name_of_line = LINE.match(line) if not line.lstrip().startswith(COMMENT) else None
        if name_of_line is None:
            continue
        indent, name, value = len(name_of_line[1]), name_of_line[2], name_of_line[3]
        while above and above[-1][0] >= indent:
            above.pop()
        if value:
            yield ".".join((*(each for _, each in above[-limits.DEPTH :]), name))
        else:
            above.append((indent, name))


def _by_braces(text: str) -> Iterator[str]:
    above: list[str] = []
    for opened, brace, name in TOKEN.findall(text):
        if brace == "}":
            above[-1:] = []
        elif name:
            yield ".".join((*above[-limits.DEPTH :], name))
        else:
            above.append(opened)
