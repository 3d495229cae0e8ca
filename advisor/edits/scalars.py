"""Values as YAML and JSON write them."""

from __future__ import annotations

import json
import re

import yaml

from advisor.cache import cached
from advisor.edits.change import NotEdited

NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})")
BOOLEAN = re.compile(r"true|false|yes|no|on|off", re.IGNORECASE)
LIKE_NUMBER = re.compile(r"[-+]?(\.?\d[\d_.]*([eE][-+]?\d+)?|0[xob][\da-fA-F_]+|\.(inf|nan))", re.IGNORECASE)
"""What some release of YAML reads as a number."""
FLOW = frozenset(",[]{}")
PRINTABLE = re.compile(r"[^\x00-\x1f\x7f\x85\u2028\u2029\ufeff]*")


def style_of(source: str) -> str:
    """The quote of a scalar; empty for a plain one. Raises NotEdited for what has an anchor or a tag, or is a block."""
    if source[:1] in ("&", "*", "!"):
        raise NotEdited("its value has an anchor or a tag")
    if source[:1] in ("|", ">"):
        raise NotEdited("its value is a text of several lines")
    return source[:1] if source[:1] in ("'", '"') else ""


def yaml_scalar(value: str, like: str, in_flow: bool = False, text_only: bool = False) -> str:
    """A value in the style of another one, in quotes where it would be read as something else.

    `text_only` says that only a text may stand there, as in the variables of a container of Kubernetes.
    """
    style = style_of(like)
    if not PRINTABLE.fullmatch(value):
        raise NotEdited("the new value has characters that are not printed")
    if style == "'":
        return "'" + value.replace("'", "''") + "'"
    is_same_sort = not text_only and any(sort.fullmatch(value) and sort.fullmatch(like) for sort in (NUMBER, BOOLEAN))
    is_number = not text_only and NUMBER.fullmatch(value) is not None
    if not style and (is_same_sort or is_number or is_plain_text(value, in_flow)):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


@cached(1000)
def is_plain_text(value: str, in_flow: bool) -> bool:
    """Whether YAML reads a value without quotes as the text that it is."""
    if not value or value != value.strip() or LIKE_NUMBER.fullmatch(value) or (in_flow and FLOW.intersection(value)):
        return False
    try:
        return bool(yaml.safe_load(value) == value and yaml.safe_load(f"a: {value}") == {"a": value})
    except yaml.YAMLError:
        return False


def json_scalar(value: str, like: str) -> str:
    """A value as JSON writes it: a number or a boolean only in the place of one."""
    is_same_sort = any(sort.fullmatch(value) and sort.fullmatch(like) for sort in (NUMBER, re.compile("true|false")))
    return value if is_same_sort else json.dumps(value, ensure_ascii=False)
