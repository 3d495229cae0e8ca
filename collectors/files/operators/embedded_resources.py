"""Resources of Kafka's operators inside other documents: Crossplane's Object, a ManifestWork, a task of Ansible, extra objects of a chart."""

from __future__ import annotations

from collections.abc import Iterator

from collectors.files.operators import cfk, koperator, strimzi
from collectors.files.syntax.tree import MAPPING, TreeNode, nodes_in

OPERATORS = (strimzi, cfk, koperator)


def is_resource(node: TreeNode) -> bool:
    """Whether a mapping is a resource that one of Kafka's operators takes; a reference to one has no specification."""
    return (
        node.kind == MAPPING
        and {"apiVersion", "kind", "spec"}.issubset(node.pairs())
        and any(each.knows(node) for each in OPERATORS)
    )


def resources_inside(document: TreeNode) -> Iterator[TreeNode]:
    """The resources below a document that is none itself, in order; what aliases share comes once."""
    return (node for node in nodes_in(document, is_resource) if is_resource(node))
