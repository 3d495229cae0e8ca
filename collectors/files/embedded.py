"""Properties text inside another file: a ConfigMap's server.properties, a chart's extraConfig, a playbook's template."""

from __future__ import annotations

from base64 import b64decode

from advisor.model import Origin
from collectors.files import detect
from collectors.files.block import Block
from collectors.files.sources import Sources
from collectors.files.syntax.properties_file import read_settings
from collectors.files.syntax.tree import SCALAR, TreeNode

CODE = (".sh", ".bash", ".py", ".lua", ".js", ".sql", ".xml", ".json", ".yaml", ".yml")
"""What names of texts end with that are no properties, whatever their lines look like."""
ENDINGS = (".properties", ".cfg", ".conf", ".config", ".properties.tpl", ".properties.j2")


def decoded_at(key: TreeNode, value: TreeNode) -> TreeNode | None:
    """The text that a value of base64 holds, at the place of its key; None where that is no text."""
    try:
        text = b64decode("".join(value.text.split()), validate=True).decode()
    except ValueError:
        return None
    node = TreeNode(SCALAR, key.line, key.column, text)
    node.end = (key.line, key.column)
    return node


def embedded_blocks(
    pairs: dict[str, tuple[TreeNode, TreeNode]], name: str, format: str, sources: Sources
) -> list[Block]:
    """A block for every properties text that is Kafka's."""
    blocks = []
    for entry, (_, value) in pairs.items():
        if value.kind == SCALAR and (entry.endswith(ENDINGS) or "\n" in value.text.strip()) and "=" in value.text:
            block = embedded(value, f"{name} {entry}".strip(), format, sources.shown)
            is_of_others = entry.endswith(CODE) or detect.is_hocon(entry, block.settings)
            if block.kind is not None and not (is_of_others or detect.is_of_others(block.kind, block.settings)):
                blocks.append(block)
    return blocks


def embedded(node: TreeNode, name: str, format: str, file: str, kind: str | None = None, written: str = "") -> Block:
    """The settings of a properties text as a block, at their lines in the file; the kind is what the text says."""
    block = Block(kind, name, format, file, written)
    file = node.file or file
    lines, columns = (node.line, node.indent) if node.indent is not None else (node.line - 1, 0)
    settings, _ = read_settings(node.text, file, lines, columns)
    for setting in settings.values():
        setting.written = written + setting.key if written else None
        if not node.line:
            setting.origin = Origin(file, None, None)
        elif node.indent is None and node.end[0] == node.line:
            setting.origin = Origin(file, node.line, node.column)
        block.put(setting)
    block.kind = kind or detect.kind_of(block.settings)
    if block.kind is not None:
        block.fragment = detect.fragment_of_file(block.kind, block.settings)
    return block
