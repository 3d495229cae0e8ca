"""A document that no other reader knows: what is Kafka's in it by its keys, and variables that it hands on to applications."""

from __future__ import annotations

from collections.abc import Sequence

from collectors.files import generic
from collectors.files.block import Block
from collectors.files.containers import application_variables
from collectors.files.sources import Sources
from collectors.files.syntax.tree import TreeNode


def knows(document: TreeNode) -> bool:
    """Whether something in a document is Kafka's."""
    return generic.knows(document) or application_variables.knows(document)


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """A block for everything that is Kafka's."""
    own = [each for each in documents if generic.knows(each)]
    clients = application_variables.blocks(documents, sources, generic.FORMAT_NAME)
    return [*(generic.blocks(own, sources) if own else ()), *clients]
