"""Resources of Kafka's operators inside other documents: Crossplane's Object, a ManifestWork, a task of Ansible, extra objects of a chart."""

from __future__ import annotations

from collections.abc import Iterator

from collectors.files.operators import cfk, koperator, strimzi
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode

OPERATORS = (strimzi, cfk, koperator)


def is_resource(node: TreeNode) -> bool:
    """Whether a mapping is a resource that one of Kafka's operators takes; a reference to one has no specification."""
    return {"apiVersion", "kind", "spec"}.issubset(node.pairs()) and any(each.knows(node) for each in OPERATORS)


def resources_inside(document: TreeNode) -> Iterator[TreeNode]:
    """The resources below a document that is none itself, in order; what aliases share comes once."""
    nodes, seen = [document], set[int]()
    while nodes:
        node = nodes.pop()
        if id(node) in seen or node.kind == SCALAR:
            continue
        seen.add(id(node))
        if node.kind == MAPPING and is_resource(node):
            yield node
        else:
            nodes += reversed([*node.children, *(value for _, value in node.pairs_written)])
