"""Blocks of Terraform, written in HCL or in JSON: their attributes and bodies as values that are made when they are asked for.

Source: Terraform's configuration syntax, and its JSON configuration syntax.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from advisor import limits
from advisor.errors import UnreadableInput
from collectors.files.syntax.hcl import parser
from collectors.files.syntax.hcl.evaluator import Evaluator
from collectors.files.syntax.hcl.file_functions import NOT_READ, template
from collectors.files.syntax.hcl.parser import HclFile, SyntaxBlock
from collectors.files.syntax.hcl.values import Names, Site, entries
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode

Own = Mapping[str, TreeNode]
Thunk = Callable[[Names, Own], TreeNode]
"""Makes a value, with names that for_each, count or a dynamic block gives."""
LABEL = "block label"
"""The name under which the body of a block inside another one has its label."""
LABELS = {"resource": 2, "data": 2, "module": 1, "variable": 1, "locals": 0, "output": 1, "provider": 1}
"""The types of blocks in JSON, and how many labels each has."""


class ModuleBlock(NamedTuple):
    """A block at the top of a file; `source` is its text, as far as it is looked at, `override` a file that overrides it."""

    type: str
    labels: tuple[str, ...]
    attributes: Mapping[str, Thunk]
    body: Thunk
    source: str
    file: str
    override: str = ""


def hcl_block(block: SyntaxBlock) -> ModuleBlock:
    """A block of HCL."""
    file = block.file
    attributes = {
        file.text(name): _thunk(file, expression)
        for name, expression in (file.attributes(block.body) if block.body is not None else ())
    }
    body = _body(block)
    return ModuleBlock(block.type, block.labels, attributes, body, file.text(block.node), file.shown)


def merged(block: ModuleBlock, override: ModuleBlock) -> ModuleBlock:
    """A block with the arguments and the nested blocks of another one in place of its own."""

    def body(names: Names, own: Own) -> TreeNode:
        node, over = block.body(names, own), override.body(names, own)
        replaced = {key.text for key, _ in over.pairs_written}
        node.pairs_written = [pair for pair in node.pairs_written if pair[0].text not in replaced] + over.pairs_written
        return node

    attributes = {**block.attributes, **override.attributes}
    source = f"{block.source}\n{override.source}"
    return block._replace(attributes=attributes, body=body, source=source, override=override.file)


def _thunk(file: HclFile, expression: parser.Syntax) -> Thunk:
    return lambda names, own: Evaluator(file, names, own).evaluate(expression)


def _body(block: SyntaxBlock) -> Thunk:
    return lambda names, own: _body_of(Evaluator(block.file, names, own), block, 0)


def hcl_attributes(file: HclFile) -> Iterator[tuple[str, Thunk]]:
    """The attributes at the top of a file of variables."""
    for name, expression in file.attributes():
        yield file.text(name), _thunk(file, expression)


def _body_of(evaluator: Evaluator, block: SyntaxBlock, depth: int) -> TreeNode:
    """The attributes and the blocks of a body, several of one type as a list. Raises UnreadableInput."""
    site, file = evaluator.site(block.node), evaluator.file
    if depth > limits.DEPTH:
        raise UnreadableInput(f"{site.file}:{site.line}: nested deeper than {limits.DEPTH} levels")
    body = site.mapping([])
    if block.body is None:
        return body
    for name, expression in file.attributes(block.body):
        key = evaluator.site(name).text(file.text(name).strip('"'))
        body.pairs_written.append((key, evaluator.evaluate(expression)))
    repeated: dict[str, tuple[TreeNode, list[TreeNode]]] = {}
    for inner in file.blocks(block.body):
        name_of_block = inner.labels[0] if inner.type == "dynamic" and inner.labels else inner.type
        key = evaluator.site(inner.name).text(name_of_block)
        repeated.setdefault(name_of_block, (key, []))[1].extend(_inner(evaluator, inner, depth))
    for key, bodies in repeated.values():
        if bodies:
            body.add(key, bodies[0] if len(bodies) == 1 else site.sequence(bodies))
    return body


def _inner(evaluator: Evaluator, block: SyntaxBlock, depth: int) -> Iterator[TreeNode]:
    """A block inside another one, with its label as a name, or those that a dynamic one makes."""
    if block.type != "dynamic":
        body = _body_of(evaluator, block, depth + 1)
        if block.labels and body.kind == MAPPING:
            site = evaluator.site(block.name)
            body.add(site.text(LABEL), site.text(block.labels[0]))
        yield body
        return
    file = evaluator.file
    content = next((each for each in file.blocks(block.body) if each.type == "content"), None) if block.body else None
    source = file.attribute(block.body, "for_each")
    if content is None or source is None or not block.labels:
        return
    iterator = file.attribute(block.body, "iterator")
    name = file.text(iterator) if iterator is not None else block.labels[0]
    value = evaluator.evaluate(source)
    for own in iterations(evaluator.site(source), name, value):
        body = _body_of(evaluator.with_names(own), content, depth + 1)
        body.unknown = body.unknown or value.unknown
        yield body


def iterations(site: Site, name: str, value: TreeNode) -> Iterator[Own]:
    """The names of each turn of a dynamic block."""
    if value.kind == SCALAR:
        yield {name: site.unknown(value.unknown or "it is no list")}
    else:
        yield from ({name: pair_of(site, *entry)} for entry in entries(value))


def pair_of(site: Site, key: TreeNode, value: TreeNode) -> TreeNode:
    """The key and the value of a turn, as `each` has them."""
    return site.mapping([(site.text("key"), key), (site.text("value"), value)])


def json_blocks(document: TreeNode, file: str) -> Iterator[ModuleBlock]:
    """The blocks of a configuration in JSON."""
    for type, labels in LABELS.items():
        for path, node in _labelled(document.get(type), labels, ()):
            yield _json_block(type, path, node, file)


def _labelled(node: TreeNode | None, labels: int, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], TreeNode]]:
    """(labels, body) of the blocks below a type; a list holds several."""
    if node is None:
        return
    if node.kind == SEQUENCE:
        for child in node.children:
            yield from _labelled(child, labels, path) if child.kind == MAPPING else ()
    elif node.kind == MAPPING and labels == 0:
        yield path, node
    elif node.kind == MAPPING:
        for name, (_, child) in node.pairs().items():
            yield from _labelled(child, labels - 1, (*path, name))


def _json_block(type: str, labels: tuple[str, ...], node: TreeNode, file: str) -> ModuleBlock:
    attributes = {name: json_thunk(value, file) for name, (_, value) in node.pairs().items()}
    source = " ".join(each.text for each in node.scalars())
    return ModuleBlock(type, labels, attributes, lambda names, own: _json_body(node, names, own, file), source, file)


def json_thunk(node: TreeNode, file: str) -> Thunk:
    """A value in JSON whose texts are templates."""
    return lambda names, own: _json_value(node, names, own, file, 0)


def _json_body(node: TreeNode, names: Names, own: Own, file: str) -> TreeNode:
    """The body of a block in JSON: a list of one block is that block."""
    body = _json_value(node, names, own, file, 0)
    for number, (key, value) in enumerate(body.pairs_written):
        if value.kind == SEQUENCE and len(value.children) == 1 and value.children[0].kind == MAPPING:
            body.pairs_written[number] = (key, value.children[0])
    return body


def _json_value(node: TreeNode, names: Names, own: Own, file: str, depth: int) -> TreeNode:
    """A value in JSON, each text a template. Raises UnreadableInput."""
    if depth > limits.DEPTH:
        raise UnreadableInput(f"{file}:{node.line}: nested deeper than {limits.DEPTH} levels")
    site = Site(file, node.line, node.column, node.end, node.text[:200].encode(errors="replace"), names.budget)
    if node.kind == MAPPING:
        pairs = ((key, _json_value(value, names, own, file, depth + 1)) for key, value in node.pairs().values())
        return site.mapping(pairs)
    if node.kind == SEQUENCE:
        return site.sequence(_json_value(child, names, own, file, depth + 1) for child in node.children)
    if node.plain or ("${" not in node.text and "%{" not in node.text):
        return site.word(node.text) if node.plain else site.text(node.text)
    return _template(node.text, site, names, own)


def _template(text: str, site: Site, names: Names, own: Own) -> TreeNode:
    """The value of a template in a text; one that is a single ${…} is that value itself."""
    syntax = template(text, site.file)
    if syntax is None:
        return site.unknown(NOT_READ)
    file, expression = syntax
    node: parser.Syntax | None = expression
    while node is not None and node.type != "heredoc_template":
        node = next((child for child in node.named_children), None)
    if node is None:
        return site.unknown(NOT_READ)
    evaluator = Evaluator(file, names, own)
    parts = [child for child in node.named_children if child.type.startswith("template_")]
    whole = text.startswith("${") and text.endswith("}") and [each.type for each in parts] == ["template_interpolation"]
    value = evaluator.evaluate(parts[0].named_children[1] if whole else expression)
    if value.kind != SCALAR:
        return value
    return site.at(value, value.text if whole else value.text.removesuffix("\n"))
