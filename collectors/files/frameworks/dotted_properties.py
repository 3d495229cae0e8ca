"""Properties of application frameworks: dotted names, whether a file writes them flat or nested, and what becomes of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

from advisor import limits
from advisor.errors import TooManyValues
from collectors.files.block import Block, text_of
from collectors.files.frameworks.spring_values import resolve
from collectors.files.names import is_key
from collectors.files.syntax.properties import Entry, parse
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode
from collectors.files.syntax.yaml_numbers import read_whole_numbers

Flat = tuple[str, TreeNode, TreeNode]
"""(name as written, key, value) of a property."""
CLIENTS = ("producer", "consumer", "admin")
PASSED_ON = ("sasl.", "ssl.", "security.", "schema.registry.", "apicurio.")
"""What names begin with that clients take beyond Kafka's own keys."""


def flatten(document: TreeNode, shown: str) -> list[Flat]:
    """The properties of a document in their order. Raises UnreadableInput where aliases make too many of them."""
    read_whole_numbers(document.scalars())
    rows = list(itertools.islice(_rows(document, "", ()), limits.NODES_OF_DOCUMENT + 1))
    if len(rows) > limits.NODES_OF_DOCUMENT:
        raise TooManyValues(f"{shown}: over {limits.NODES_OF_DOCUMENT:,} values in one document, aliases followed")
    return [row for row in rows if row[2].kind != MAPPING]


def properties_of(text: str) -> list[Flat]:
    """The properties of a properties file in their order. Raises BrokenEscape, TooLong."""
    return [_nodes(item) for item in parse(text) if isinstance(item, Entry)]


def _nodes(entry: Entry) -> Flat:
    key = TreeNode(SCALAR, entry.line, entry.column, entry.key)
    value = TreeNode(SCALAR, entry.value_line, entry.value_column, entry.value)
    value.end = entry.end
    return entry.key, key, value


def names_of(document: TreeNode) -> list[str]:
    """The names of a document's properties, as many as it has values without aliases, to tell what it is for."""
    return [name for name, _, _ in itertools.islice(_rows(document, "", ()), limits.NODES_OF_DOCUMENT)]


def _rows(node: TreeNode, prefix: str, above: tuple[int, ...]) -> Iterator[Flat]:
    """Every property, and every mapping as a row of its own, so that endless aliases are counted; no node below itself."""
    for name, (key, value) in node.pairs().items():
        path = prefix[:-1] if key.is_null and prefix else prefix + name
        if value.kind == MAPPING:
            yield path, key, value
            if id(value) not in above and len(above) < limits.DEPTH:
                yield from _rows(value, f"{path}.", (*above, id(value)))
        elif (value.kind == SCALAR and not value.is_null) or (
            value.kind == SEQUENCE and all(child.kind == SCALAR for child in value.children)
        ):
            yield path, key, value


def below(rows: Iterable[tuple[str, Flat]], prefix: str) -> dict[str, Flat]:
    """The properties below a prefix, by the rest of their names."""
    return {name[len(prefix) :]: row for name, row in rows if name.startswith(prefix) and len(name) > len(prefix)}


def put(block: Block, key: str, row: Flat) -> None:
    """Set what a property says, in place of what properties of all clients said; ${NAME:default} has its default."""
    name, key_node, value_node = row
    block.settings.pop(key, None)
    block.set(key, resolve(text_of(value_node)), key_node, value_node, name)


def shared_key(key: str, kind: str) -> bool:
    """Whether a property of all clients concerns one kind: a key of its own, or one that no client of Kafka's knows."""
    if kind in CLIENTS:
        return is_key(key, (kind,)) or (key.startswith(PASSED_ON) and not is_key(key, CLIENTS))
    return is_key(key, CLIENTS) or key.startswith(PASSED_ON)


def put_shared(blocks: Sequence[Block], shared: dict[str, Flat], kind: str) -> None:
    """Add the properties of all clients to those of one kind."""
    for key, row in shared.items():
        if shared_key(key, kind):
            for block in blocks:
                put(block, key, row)
