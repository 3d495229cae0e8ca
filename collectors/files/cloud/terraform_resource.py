"""A resource or a module call of Terraform with the values of its body, whatever it was read of."""

from __future__ import annotations

import re

from advisor.model import OVERLAY
from collectors.files.block import Block
from collectors.files.syntax.tree import SCALAR, TreeNode

FORMAT_NAME = "terraform"
REFERENCE = re.compile(r"(?:var|local|each|count|data|module|path|[a-z][a-z0-9_]{0,60})\.[A-Za-z_][\w.-]{0,100}")


class Resource:
    """`type` is resource or module, `labels` are the resource's type and its name with its index, or the module's name.

    `prefix` is the address of the module that holds it, with a dot behind it; empty for the root module. It may stand for a number of
    instances that is not known.
    """

    __slots__ = ("body", "instances_unknown", "labels", "prefix", "type")

    def __init__(
        self, type: str, labels: tuple[str, ...], body: TreeNode, prefix: str = "", instances_unknown: bool = False
    ) -> None:
        self.instances_unknown = instances_unknown
        self.type = type
        self.labels = labels
        self.body = body
        self.prefix = prefix

    @property
    def name(self) -> str:
        """The name of the resource."""
        return self.labels[1] if len(self.labels) > 1 else ""


def unsettle(block: Block, node: TreeNode | None, key: TreeNode | None, field: str) -> None:
    """Say of a block that what a field holds is not all known, so that any of its keys may be set."""
    if node is None or key is None or not node.unknown:
        return
    name = REFERENCE.search(node.unknown)
    block.set(f"${{{name[0] if name else field}}}", "", key, None, field)
    block.changed_by = f"{field}: {node.unknown}"


def is_placeholder(node: TreeNode) -> bool:
    """Whether a value is one expression of which nothing is known."""
    return bool(node.unknown) and node.kind == SCALAR and node.text[-1:] == "}" and node.text.rfind("${") == 0


def unknown_block(name: str, body: TreeNode, field: str, file: str, why: str) -> list[Block]:
    """A resource of Kafka's by its name or its image, of which nothing is known; none where nothing says that it is Kafka's."""
    key, value = body.key(field), body.get(field)
    texts = (
        name,
        body.string("chart"),
        body.string("family"),
        body.string("name"),
        value.text if value is not None else "",
    )
    if key is None or not any("kafka" in text.lower() for text in texts):
        return []
    block = block_of(OVERLAY, name, file, f"{name}.")
    block.changed_by = f"{field}: {why}"
    block.set(f"${{{name}.{field}}}", "", key, None, f"{name}.{field}")
    return [block]


def block_of(kind: str, name: str, file: str, written: str = "") -> Block:
    """A block of Terraform's, in which an equals sign stands behind a key."""
    block = Block(kind, name, FORMAT_NAME, file, written)
    block.joint = " = "
    return block
