"""Task definitions of Amazon ECS: as the service takes and shows them, and in templates of CloudFormation.

Source: the parameters of ECS's task definitions, and AWS::ECS::TaskDefinition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collectors.files.block import Block
from collectors.files.containers.container import blocks_of
from collectors.files.containers.container_definition import container_of, first
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SEQUENCE, TreeNode

FORMAT_NAME = "ecs"
CONTAINERS = ("containerDefinitions", "ContainerDefinitions")


def knows(document: TreeNode) -> bool:
    """Whether a document holds a task definition."""
    return any(True for _ in _definitions(document))


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The blocks of the containers of all task definitions."""
    return [
        block
        for document in documents
        for definitions in _definitions(document)
        for block in blocks_of_containers(definitions, sources)
    ]


def _definitions(document: TreeNode) -> Iterator[TreeNode]:
    """The lists of containers of a document."""
    resources = (each.get("Properties") for _, each in document.mapping("Resources").values())
    for holder in (document, document.get("taskDefinition"), *resources):
        node = first(holder, CONTAINERS) if holder is not None else None
        if node is not None and node.kind == SEQUENCE:
            yield node


def blocks_of_containers(definitions: TreeNode, sources: Sources, name: str = "") -> Iterator[Block]:
    """The blocks of a list of containers; how many of each run is said elsewhere."""
    for item in definitions.children:
        if item.kind == MAPPING:
            own = first(item, ("name", "Name"))
            container = container_of(item, name or (own.text if own is not None else "container"), FORMAT_NAME, sources)
            yield from blocks_of(container)
