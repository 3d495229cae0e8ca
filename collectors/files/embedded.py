"""Properties text inside another file: a ConfigMap's server.properties, a chart's extraConfig, a playbook's template."""

from __future__ import annotations

from base64 import b64decode

from advisor import limits
from advisor.model import Origin
from collectors.files import detect
from collectors.files.block import Block
from collectors.files.sources import Sources
from collectors.files.syntax.properties_file import read_settings
from collectors.files.syntax.tree import SCALAR, TreeNode

GZIP, LEAST = b"\x1f\x8b", 40
"""How what gzip compressed begins, and the characters from which on a text may be base64 itself."""
BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\n")
CODE = (".sh", ".bash", ".py", ".lua", ".js", ".sql", ".xml", ".json", ".yaml", ".yml")
"""What names of texts end with that are no properties, whatever their lines look like."""
ENDINGS = (".properties", ".cfg", ".conf", ".config", ".properties.tpl", ".properties.j2")


def decoded_at(key: TreeNode, value: TreeNode) -> TreeNode | None:
    """The text that a value of base64 holds, at the place of its key; None where that is no text."""
    text = decoded_text(value.text)
    if text is None:
        return None
    node = TreeNode(SCALAR, key.line, key.column, text)
    node.end = (key.line, key.column)
    return node


def decoded_text(encoded: str) -> str | None:
    """The text that is held in base64, in base64 of base64, or compressed by gzip below it; None where that is no text."""
    try:
        data = b64decode("".join(encoded.split()), validate=True)
        text = (_decompressed(data) if data.startswith(GZIP) else data).decode()
    except ValueError:
        return None
    is_encoded = len(text) >= LEAST and BASE64.issuperset(text.strip())
    return (decoded_text(text) or text) if is_encoded else text


def _decompressed(data: bytes) -> bytes:
    """What gzip compressed. Raises ValueError where it is broken, or larger than an object of Kubernetes may be."""
    import zlib

    stream = zlib.decompressobj(zlib.MAX_WBITS + 16)
    try:
        plain = stream.decompress(data, limits.MB)
    except zlib.error as error:
        raise ValueError("no gzip") from error
    if not stream.eof:
        raise ValueError("too large")
    return plain


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
