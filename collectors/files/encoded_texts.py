"""Texts that a document holds in another form: base64 in fields that are known for it, URLs of data, and functions of CloudFormation.

Source: AWS::MSK::Configuration, AWS::KafkaConnect::WorkerConfiguration, Fn::Join, Fn::Base64 and Fn::Sub of CloudFormation; Ignition's files; RFC 2397.
"""

from __future__ import annotations

import os

from collectors.files.embedded import decoded_at
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode

IN_BASE64 = ("ServerProperties", "serverProperties", "PropertiesFileContent", "propertiesFileContent")
"""Fields that take a file of properties in base64, or as it is."""
CONTENT, CONTENTS, SOURCE = "content", "contents", "source"
ENCODINGS = ("b64", "base64", "gz", "gzip", "gz+b64", "gz+base64", "gzip+b64", "gzip+base64")
"""How the field of a file that cloud-init writes may be encoded; what gzip compressed stands there as `!!binary`."""
DATA, OF_BASE64 = "data:", ";base64"
JOIN, PLAIN_FUNCTIONS = "Fn::Join", ("Fn::Base64", "Fn::Sub")
UNKNOWN = "${filled-in}"
"""What stands for a piece that is known only when the stack is made."""


def decoded(holder: TreeNode, name: str, key: TreeNode, value: TreeNode) -> tuple[str, TreeNode, bool]:
    """(the name of what a field holds, its text, whether that was in another form)."""
    if name == CONTENT and holder.string("encoding") in ENCODINGS:
        text = decoded_at(key, value)
    elif name == CONTENTS and value.kind == MAPPING and value.string(SOURCE).startswith(DATA):
        text = _of_url(key, value.string(SOURCE))
        name = os.path.basename(holder.string("path")) or name
    elif name in IN_BASE64:
        plain = _made(value) or value
        text = (decoded_at(key, plain) if plain.kind == SCALAR else None) or (plain if plain is not value else None)
    else:
        text = None
    return (name, value, False) if text is None else (name, text, True)


def _of_url(key: TreeNode, url: str) -> TreeNode | None:
    from urllib.parse import unquote

    head, _, data = url.removeprefix(DATA).partition(",")
    text = TreeNode(SCALAR, key.line, key.column, unquote(data))
    text.end = (key.line, key.column)
    return decoded_at(key, text) if head.endswith(OF_BASE64) else text


def _made(value: TreeNode) -> TreeNode | None:
    """The text that a function makes; None where it is none of those that are followed."""
    if value.kind != MAPPING or len(value.pairs_written) != 1:
        return None
    function, argument = value.pairs_written[0]
    if function.text in PLAIN_FUNCTIONS:
        return argument if argument.kind == SCALAR else _made(argument)
    pieces = argument.children if function.text == JOIN and argument.kind == SEQUENCE else []
    if len(pieces) != 2 or pieces[0].kind != SCALAR or pieces[1].kind != SEQUENCE:
        return None
    texts = (each.text if each.kind == SCALAR else UNKNOWN for each in pieces[1].children)
    text = TreeNode(SCALAR, function.line, function.column, pieces[0].text.join(texts))
    text.end = (function.line, function.column)
    return text
