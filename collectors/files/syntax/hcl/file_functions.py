"""Functions of Terraform that read files of the tree: file(), templatefile(), fileset(), and the decoders of what they hold.

Source: Terraform's documentation of its built-in functions.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence

from advisor.errors import UnreadableInput
from collectors.files.syntax.hcl import parser
from collectors.files.syntax.hcl.functions import node_of
from collectors.files.syntax.hcl.parser import HclFile, Syntax
from collectors.files.syntax.hcl.values import Names, Site
from collectors.files.syntax.text_documents import decoded
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode
from collectors.files.syntax.wildcards import SPECIAL, Wildcards

Values = Sequence[TreeNode]
Evaluate = Callable[[HclFile, Mapping[str, TreeNode], Syntax], TreeNode]
"""Evaluates an expression of another file with names of its own."""
END = "END_OF_THE_TEMPLATE"
NOT_READ = "its template cannot be read"


def call(name: str, values: Values, site: Site, names: Names, evaluate: Evaluate) -> TreeNode:
    """What a function returns that needs files."""
    if name == "templatefile":
        return _template_file(values, site, names, evaluate)
    return FUNCTIONS[name](values, site, names)


def text_at(text: str, shown: str, site: Site) -> TreeNode:
    """The text of another file, at its first line there."""
    node = site.text(text)
    if not node.unknown:
        node.file, node.line, node.column, node.end = shown, 1, 1, (text.count("\n") + 2, 1)
    return node


def _file(values: Values, site: Site, names: Names) -> TreeNode:
    read = names.file(values[0].text) if len(values) == 1 and values[0].kind == SCALAR else "it names no file"
    return site.unknown(read) if isinstance(read, str) else text_at(read[1], read[0], site)


def _exists(values: Values, site: Site, names: Names) -> TreeNode:
    read = names.file(values[0].text) if len(values) == 1 else "it names no file"
    return site.unknown(read) if isinstance(read, str) else site.truth(True)


def _file_set(values: Values, site: Site, names: Names) -> TreeNode:
    """The files below a folder whose paths match a pattern."""
    if len(values) != 2 or values[1].unknown or "{" in values[1].text:
        return site.unknown("its pattern is not followed")
    paths = names.files(values[0].text)
    if isinstance(paths, str):
        return site.unknown(paths)
    pattern = values[1].text
    matches = Wildcards(pattern, True).match if any(each in pattern for each in SPECIAL) else pattern.__eq__
    return site.sequence(site.text(path) for path in paths if matches(path))


def _decode_yaml(values: Values, site: Site, names: Names) -> TreeNode:
    if len(values) != 1 or values[0].kind != SCALAR or values[0].unknown:
        return site.unknown(values[0].unknown if values else "it decodes nothing")
    if not site.budget.take(values[0].text.count("\n"), len(values[0].text)):
        return site.too_much()
    value = decoded(values[0])
    return site.unknown(value) if isinstance(value, str) else value


def _decode_csv(values: Values, site: Site, names: Names) -> TreeNode:
    if len(values) != 1 or values[0].kind != SCALAR or values[0].unknown:
        return site.unknown(values[0].unknown if values else "it decodes nothing")
    try:
        rows = list(csv.DictReader(values[0].text.splitlines(), restval=""))
    except csv.Error:
        return site.unknown("what csvdecode() takes is not read")
    return node_of([{str(name): str(value) for name, value in row.items()} for row in rows], site)


def _template_file(values: Values, site: Site, names: Names, evaluate: Evaluate) -> TreeNode:
    """A template of another file, filled in with the variables that stand beside its name."""
    text = _file(values[:1], site, names)
    if text.unknown or len(values) != 2 or values[1].kind != MAPPING:
        return site.unknown(text.unknown or values[-1].unknown or "its variables are no map")
    syntax = template(text.text, text.file or site.file)
    if syntax is None:
        return site.unknown(NOT_READ)
    own = {name: value for name, (_, value) in values[1].pairs().items()}
    value = evaluate(syntax[0], own, syntax[1])
    made = text_at(value.text.removesuffix("\n"), text.file or site.file, site)
    made.unknown = made.unknown or value.unknown or values[1].unknown
    if value.indent is None:
        made.end = (made.line, made.column)
    return made


def template(text: str, shown: str) -> tuple[HclFile, Syntax] | None:
    """A template as the only expression of a file, one line below where it stands; None where it cannot be read."""
    try:
        file = parser.parse(f"x = <<{END}\n{text}\n{END}\n", shown)
    except UnreadableInput:
        return None
    expression = file.attribute(file.root, "x")
    return (file, expression) if expression is not None else None


FUNCTIONS: Mapping[str, Callable[[Values, Site, Names], TreeNode]] = {
    "file": _file, "fileexists": _exists, "fileset": _file_set, "yamldecode": _decode_yaml, "csvdecode": _decode_csv,
}  # fmt: skip
NAMES = frozenset(("templatefile", *FUNCTIONS))
"""The functions that read files, or decode what they hold."""
