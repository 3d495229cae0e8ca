"""What the type of a variable of Terraform declares for what its value leaves out: object({ replicas = optional(number, 3) }).

A type is evaluated as an expression: an object is a mapping, a collection the list of its one type, and
optional(TYPE, DEFAULT) the list of both. Source: Terraform's documentation of type constraints.
"""

from __future__ import annotations

from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode

PRIMITIVES = {name: TreeNode(SCALAR, 1, 1, name) for name in ("string", "number", "bool", "any")}
"""The names that a type may have for a value without parts."""
OPTIONAL = 2
"""The children of an attribute that may be left out: its type, and its default."""


def with_defaults(type: TreeNode, value: TreeNode) -> TreeNode:
    """A value with what its type declares for the attributes that it leaves out."""
    if type.kind == MAPPING and value.kind == MAPPING:
        return _object(type, value)
    if type.kind == SEQUENCE and len(type.children) == 1 and value.kind != SCALAR:
        return _collection(type.children[0], value)
    return value


def _object(type: TreeNode, value: TreeNode) -> TreeNode:
    node, present = _empty_like(value), value.pairs()
    for name, (key, own_type) in type.pairs().items():
        is_optional = own_type.kind == SEQUENCE and len(own_type.children) == OPTIONAL
        inner, default = own_type.children if is_optional else (own_type, None)
        own_key, own_value = present.get(name, (key, default))
        if own_value is not None and own_value.is_null and default is not None:
            own_value = default
        if own_value is not None and not (name not in present and value.unknown):
            node.pairs_written.append((own_key, with_defaults(inner, own_value)))
    node.pairs_written += [pair for name, pair in present.items() if name not in type.pairs()]
    return node


def _collection(type: TreeNode, value: TreeNode) -> TreeNode:
    node = _empty_like(value)
    node.children = [with_defaults(type, child) for child in value.children]
    node.pairs_written = [(key, with_defaults(type, each)) for key, each in value.pairs().values()]
    return node


def _empty_like(value: TreeNode) -> TreeNode:
    """A mapping or a list without parts in the place of another one."""
    node = TreeNode(value.kind, value.line, value.column)
    node.end, node.file, node.unknown = value.end, value.file, value.unknown
    return node
