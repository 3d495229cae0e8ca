"""What Terraform code says of resources that it renames (`moved`) or gives up without deleting them (`removed`).

Source: Terraform's documentation, "Refactor modules" and "Remove a resource from state".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from collectors.files.block import Block, deployment
from collectors.files.cloud.terraform_blocks import ModuleBlock
from collectors.files.cloud.terraform_module import TerraformModule
from collectors.files.cloud.terraform_resource import FORMAT_NAME
from collectors.files.syntax.tree import SCALAR, TreeNode

ADDRESS = r'\s*=\s*([\w.\-\[\]"]{1,500})'
FROM, TO = re.compile(rf"\bfrom{ADDRESS}"), re.compile(rf"\bto{ADDRESS}")
IS_KEPT = re.compile(r"\bdestroy\s*=\s*false\b")


def refactorings(block: ModuleBlock, module: TerraformModule) -> Iterator[Block]:
    """What a block of a module moves or releases, by the addresses of the run."""
    source = FROM.search(block.source)
    if source is None:
        return
    address = module.prefix + source[1]
    target = TO.search(block.source)
    if block.type == "moved" and target is not None:
        yield _fact("moved", address, f"{address} {module.prefix}{target[1]}", block.body(module, {}), block.file)
    elif block.type == "removed" and IS_KEPT.search(block.source):
        yield _fact("released", address, address, block.body(module, {}), block.file)


def _fact(key: str, address: str, value: str, body: TreeNode, file: str) -> Block:
    facts = deployment(f"{key} {address}", FORMAT_NAME, file)
    facts.translate(key, value, TreeNode(SCALAR, body.line, body.column, key), key)
    return facts


def literal(node: TreeNode | None) -> str | None:
    """The text of a value that is known, None for every other one."""
    return (
        node.text if node is not None and node.kind == SCALAR and not node.unknown and "${" not in node.text else None
    )
