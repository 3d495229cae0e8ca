"""Variables of a container that .NET binds: Kafka__Producer__Acks is Kafka:Producer:Acks.

Source: .NET's configuration provider for environment variables, in which two underscores separate sections.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model import Spelling
from collectors.files.block import Block
from collectors.files.frameworks import dotnet
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode
from collectors.files.variables import Variable

SEPARATOR = "__"


def dotnet_blocks(environment: Sequence[Variable], name: str, format: str, file: str) -> list[Block]:
    """The clients that variables configure; none where they name no two properties of one."""
    root = TreeNode(MAPPING, 1, 1)
    for variable in environment:
        if SEPARATOR in variable.name:
            key = variable.key_node
            own = TreeNode(SCALAR, key.line, key.column, variable.name)
            own.file = variable.file
            root.add(own, _value(variable))
    clients = dotnet.clients_of([dotnet.unfolded(root, SEPARATOR)], file)
    for block in clients:
        _as_variables(block, name, format)
    return clients


def _value(variable: Variable) -> TreeNode:
    node = variable.value_node or variable.key_node
    value = TreeNode(
        SCALAR, node.line, node.column, variable.value if variable.value is not None else f"${{{variable.name}}}"
    )
    value.end = node.end
    return value


def _as_variables(block: Block, name: str, format: str) -> None:
    """Name a client by its container, and each setting by its variable."""
    spell = block.spelling.spell if block.spelling is not None else str
    block.name, block.format, block.joint = f"{name} {block.name}".strip(), format, "="
    block.spelling = Spelling(form=lambda key: spell(key).replace(":", SEPARATOR))
    for setting in block.settings.values():
        setting.written = (setting.written or setting.key).replace(":", SEPARATOR)
        setting.lead = f"{setting.written}="
