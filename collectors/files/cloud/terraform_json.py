"""What `terraform show -json` prints of a state or of a plan, and the file of a state itself: the resources of all modules.

Source: Terraform's JSON output format, version 1 (values, planned_values, child_modules); blocks of a resource are lists.
The file of a state (version 4) has resources with instances, each with its attributes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collectors.files.block import Block
from collectors.files.cloud.terraform_resource import Resource
from collectors.files.cloud.terraform_types import CLUSTER, CONFIGURATION, REVISION_IN_FORCE
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode

OWN_NAMES = {"revision": REVISION_IN_FORCE}
ROOTS = ("planned_values", "values")


def knows(document: TreeNode) -> bool:
    """Whether a document is a state or a plan as Terraform prints them, or a state as it keeps them."""
    is_known = document.get("format_version") or (document.get("resources") and document.get("version"))
    return bool(is_known and document.string("terraform_version"))


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The blocks of the resources that concern Kafka: those that a plan leads to, else those of a state."""
    from collectors.files.cloud.terraform import resource_blocks

    resources: list[Resource] = []
    for document in documents:
        root = next((module for name in ROOTS if (module := document.get(name, "root_module")) is not None), None)
        if root is not None:
            resources += _resources(root, set())
        else:
            resources += _instances(document)
    name_configurations(resources)
    return resource_blocks(resources, sources)


def _resources(module: TreeNode, seen: set[int]) -> Iterator[Resource]:
    """The managed resources of a module and of its child modules."""
    if id(module) in seen:
        return
    seen.add(id(module))
    for item in module.items("resources"):
        type, values = item.string("type"), item.get("values")
        if type and item.string("mode") != "data" and values is not None and values.kind == MAPPING:
            name = item.string("address").rpartition(f"{type}.")[2] or item.string("name")
            yield Resource("resource", (type, name), Converter().body(values))
    for child in module.items("child_modules"):
        yield from _resources(child, seen)


def _instances(state: TreeNode) -> Iterator[Resource]:
    """The instances of the managed resources that a state keeps."""
    for item in state.items("resources"):
        type, module = item.string("type"), item.string("module")
        for instance in item.items("instances") if type and item.string("mode") != "data" else ():
            values, index = instance.get("attributes"), instance.get("index_key")
            if values is None or values.kind != MAPPING:
                continue
            shown = "" if index is None else f"[{index.text}]" if index.plain else f'["{index.text}"]'
            prefix = f"{module}." if module else ""
            yield Resource("resource", (type, item.string("name") + shown), Converter().body(values), prefix)


class Converter:
    """Turns the values of a resource into a body as HCL has it: a list of one block is that block."""

    def __init__(self) -> None:
        self.made: dict[int, TreeNode] = {}

    def body(self, node: TreeNode) -> TreeNode:
        """A mapping without what is null or empty; a list of one block is that block."""
        if id(node) in self.made:
            return self.made[id(node)]
        self.made[id(node)] = body = TreeNode(MAPPING, node.line, node.column)
        for key, value in node.pairs().values():
            if value.kind == SEQUENCE and len(value.children) == 1 and value.children[0].kind == MAPPING:
                body.pairs_written.append((key, self.body(value.children[0])))
            elif value.kind == MAPPING:
                body.pairs_written.append((key, self.body(value)))
            elif not value.is_null and (value.kind == SCALAR or value.children):
                body.pairs_written.append((key, value))
        return body


def name_configurations(resources: Sequence[Resource]) -> None:
    """Name the configuration of a cluster as HCL refers to it; its revision is none that a person wrote, and is kept under a name of its own."""
    names = {
        each.body.string("arn"): each.labels[1]
        for each in resources
        if each.labels[0] == CONFIGURATION and each.body.string("arn")
    }
    for each in resources:
        info = each.body.get("configuration_info") if each.labels[0] == CLUSTER else None
        if info is None or info.kind != MAPPING:
            continue
        info.pairs_written = [
            (TreeNode(SCALAR, key.line, key.column, OWN_NAMES.get(key.text, key.text)), value)
            for key, value in info.pairs_written
        ]
        arn = info.get("arn")
        if arn is not None and arn.text in names:
            arn.text = f"${{{CONFIGURATION}.{names[arn.text]}.arn}}"
