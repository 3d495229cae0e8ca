"""Variables that a kustomization writes into the ConfigMaps and Secrets it generates: what an image would make of them.

Source: Kustomize's reference (configMapGenerator, secretGenerator: literals).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collectors.files.block import Block
from collectors.files.containers.container_definition import variables_of
from collectors.files.containers.env_file import blocks_of_variables
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, TreeNode
from collectors.files.unfollowed.kustomizations import GENERATORS
from collectors.files.variables import Variable

LITERALS = "literals"


def knows(document: TreeNode) -> bool:
    """Whether a document generates ConfigMaps or Secrets of literals."""
    return any(True for _ in _generators(document))


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """What the literals of each generator configure."""
    blocks_of_all: list[Block] = []
    for generator in (each for document in documents for each in _generators(document)):
        made = blocks_of_variables(list(_literals(generator)), sources)
        for block in made:
            block.name, block.format = generator.string("name") or block.name, "kustomize"
        blocks_of_all += made
    return blocks_of_all


def _literals(generator: TreeNode) -> Iterator[Variable]:
    """The literals of a generator, which takes a pair of quotes from around a value."""
    for variable in variables_of(generator.get(LITERALS)):
        text = variable.value or ""
        if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
            variable.value = text[1:-1]
        yield variable


def _generators(document: TreeNode) -> Iterator[TreeNode]:
    for item in (each for field in GENERATORS for each in document.items(field)):
        if item.kind == MAPPING and item.items(LITERALS):
            yield item
