"""Functions of Terraform that files alone answer; what another one returns is not known.

Source: Terraform's documentation of its built-in functions.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from collectors.files.syntax.hcl.values import Pair, Site, number_of, same, spelled, texts_of, truth_of
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode

Values = Sequence[TreeNode]
VERB = re.compile(r"%(?:%|[sdvq])")
LARGEST_RANGE = 10_000
DEEPEST = 60


def call(name: str, values: Values, site: Site) -> TreeNode:
    """What a function returns."""
    if name in OF_PARTS:
        return OF_PARTS[name](values, site)
    unknown = next((value.unknown for value in values if value.unknown), "")
    if unknown or name not in OF_WHOLE:
        return site.unknown(unknown or f"what {name[:40]}() returns is known when Terraform runs")
    result = OF_WHOLE[name](values, site)
    return result if result is not None else site.unknown(f"{name}() is not followed here")


def _merge(values: Values, site: Site) -> TreeNode:
    """Maps over one another; behind a part that is not known, what stood before it may be replaced."""
    pairs: dict[str, Pair] = {}
    unknown = ""
    for value in values:
        if value.is_null:
            continue
        if value.unknown or value.kind != MAPPING:
            unknown = value.unknown or "a part of it is no map"
            pairs = {name: (key, site.unknown(unknown)) for name, (key, _) in pairs.items()}
        pairs |= value.pairs() if value.kind == MAPPING else {}
        if not site.budget.take(len(value.pairs_written)):
            return site.too_much()
    return site.mapping(pairs.values(), unknown)


def _concat(values: Values, site: Site) -> TreeNode:
    """Lists behind one another; one that is not known stands there as an item."""
    children: list[TreeNode] = []
    for value in values:
        children += value.children if value.kind == SEQUENCE else [value]
        if not site.budget.take(len(value.children)):
            return site.too_much()
    unknown = next((value.unknown or "a part of it is no list" for value in values if value.kind != SEQUENCE), "")
    return site.sequence(children, unknown)


def _coalesce(values: Values, site: Site) -> TreeNode:
    """The first value that is neither null nor empty."""
    for value in values:
        if value.unknown:
            return site.unknown(value.unknown)
        if not value.is_null and (value.kind != SCALAR or value.text):
            return site.moved(value)
    return site.unknown("all that coalesce() takes are empty")


def _coalesce_list(values: Values, site: Site) -> TreeNode:
    for value in values:
        if value.unknown:
            return site.unknown(value.unknown)
        if value.children or value.pairs_written:
            return value
    return site.unknown("all that coalescelist() takes are empty")


def _lookup(values: Values, site: Site) -> TreeNode:
    """What a map has under a key, else the default."""
    if len(values) < 2 or values[0].kind != MAPPING or values[1].unknown:
        return site.unknown(next((value.unknown for value in values if value.unknown), "it looks up in no map"))
    pair = values[0].pairs().get(values[1].text)
    if pair is not None:
        return site.moved(pair[1])
    if values[0].unknown or len(values) < 3:
        return site.unknown(values[0].unknown or "the map has no such key")
    return site.moved(values[2])


def _try(values: Values, site: Site) -> TreeNode:
    """The first value, if it is known: whether one that is not known is an error is seen when Terraform runs."""
    first = values[0] if values else site.unknown("it takes nothing")
    return site.moved(first)


def _same_value(values: Values, site: Site) -> TreeNode:
    return site.moved(values[0]) if len(values) == 1 else site.unknown("it takes one value")


def _as_list(values: Values, site: Site) -> TreeNode:
    return site.sequence(values)


def _optional(values: Values, site: Site) -> TreeNode:
    """The type of an attribute that may be left out, and its default."""
    return site.sequence([*values, site.word("null")][:2])


def _join(values: Values, site: Site) -> TreeNode:
    """Texts with a separator between them; an item that is not known is a placeholder in the text."""
    if len(values) < 2 or values[0].unknown or values[0].kind != SCALAR:
        return site.unknown(values[0].unknown if values else "it takes a separator and lists")
    items: list[TreeNode] = []
    for value in values[1:]:
        if value.kind != SEQUENCE:
            return site.unknown(value.unknown or "it joins no list")
        items += value.children
    if any(item.kind != SCALAR for item in items):
        return site.unknown("it joins what is no text")
    unknown = next((each.unknown for each in (*values, *items) if each.unknown), "")
    if not site.budget.take(len(items), sum(len(item.text) for item in items)):
        return site.too_much()
    return site.text(values[0].text.join(item.text for item in items), unknown)


def _format(values: Values, site: Site) -> TreeNode:
    """A text with %s, %d, %v and %q filled in; other verbs are not followed."""
    if not values or values[0].unknown or any(value.kind != SCALAR or value.is_null for value in values):
        return site.unknown(next((value.unknown for value in values if value.unknown), "it formats what is no text"))
    arguments = list(values[1:])
    verbs = [verb for verb in VERB.findall(values[0].text) if verb != "%%"]
    if len(verbs) != len(arguments) or "%" in VERB.sub("", values[0].text):
        return site.unknown("format() is not followed here")
    texts = iter([_formatted(verb, value) for verb, value in zip(verbs, arguments, strict=True)])
    text = VERB.sub(lambda match: "%" if match[0] == "%%" else next(texts), values[0].text)
    return site.text(text, next((value.unknown for value in values if value.unknown), ""))


def _formatted(verb: str, value: TreeNode) -> str:
    return json.dumps(value.text) if verb == "%q" else value.text


def _json_encode(values: Values, site: Site) -> TreeNode:
    """JSON, which is YAML as well, with placeholders in place of what is not known."""
    reasons: list[str] = []
    try:
        text = json.dumps(
            plain_value(values[0], reasons, site), separators=(",", ":"), ensure_ascii=False, sort_keys=True
        )
    except (RecursionError, IndexError):
        return site.unknown("jsonencode() is not followed here")
    return site.text(text, reasons[0] if reasons else "")


def plain_value(value: TreeNode, reasons: list[str], site: Site, depth: int = 0) -> Any:
    """A value of Python's; why it is not all known is added to the reasons. Raises RecursionError where it is too deep."""
    if depth > DEEPEST or not site.budget.take(1):
        raise RecursionError
    reasons += [value.unknown] if value.unknown else []
    if value.kind == MAPPING:
        return {name: plain_value(child, reasons, site, depth + 1) for name, (_, child) in value.pairs().items()}
    if value.kind == SEQUENCE:
        return [plain_value(child, reasons, site, depth + 1) for child in value.children]
    if value.plain and value.is_null:
        return None
    if value.plain and truth_of(value) is not None:
        return truth_of(value)
    number = number_of(value) if value.plain else None
    if number is None:
        return value.text
    return int(number) if number == number.to_integral_value() else float(number)


def _json_decode(values: Values, site: Site) -> TreeNode | None:
    try:
        return node_of(json.loads(values[0].text), site)
    except (ValueError, RecursionError, IndexError):
        return None


def node_of(value: Any, site: Site, depth: int = 0) -> TreeNode:
    """A value of Python's as a node. Raises RecursionError where it is too deep."""
    if depth > DEEPEST:
        raise RecursionError
    if isinstance(value, dict):
        return site.mapping((site.text(name), node_of(child, site, depth + 1)) for name, child in value.items())
    if isinstance(value, list):
        return site.sequence(node_of(child, site, depth + 1) for child in value)
    return site.text(value) if isinstance(value, str) else site.word(json.dumps(value))


def _base64_decode(values: Values, site: Site) -> TreeNode | None:
    texts = texts_of(values)
    try:
        return site.text(b64decode(texts[0], validate=True).decode()) if texts is not None and len(texts) == 1 else None
    except ValueError:
        return None


def _set(values: Values, site: Site) -> TreeNode | None:
    """The members once each, in the order of their texts."""
    if len(values) != 1 or values[0].kind != SEQUENCE:
        return None
    by_text = {child.text: child for child in values[0].children if child.kind == SCALAR}
    members = [by_text[text] for text in sorted(by_text)]
    return site.sequence([*members, *(child for child in values[0].children if child.kind != SCALAR)])


def _distinct(values: Values, site: Site) -> TreeNode | None:
    items = _texts(values[0]) if len(values) == 1 else None
    return (
        None
        if items is None
        else site.sequence(
            {item.text: item for item in reversed(items)}[text] for text in dict.fromkeys(item.text for item in items)
        )
    )


def _texts(value: TreeNode) -> list[TreeNode] | None:
    """The items of a list of texts; None where it is none."""
    if value.kind != SEQUENCE or any(child.kind != SCALAR for child in value.children):
        return None
    return value.children


def _compact(values: Values, site: Site) -> TreeNode | None:
    items = _texts(values[0]) if len(values) == 1 else None
    return None if items is None else site.sequence(item for item in items if item.text and not item.is_null)


def _flatten(values: Values, site: Site) -> TreeNode | None:
    return site.sequence(_flat(values[0], 0)) if len(values) == 1 and values[0].kind == SEQUENCE else None


def _flat(value: TreeNode, depth: int) -> Iterator[TreeNode]:
    for child in value.children:
        if child.kind == SEQUENCE and depth < DEEPEST:
            yield from _flat(child, depth + 1)
        else:
            yield child


def _keys(values: Values, site: Site) -> TreeNode | None:
    return site.sequence(_sorted(values[0], 0)) if len(values) == 1 and values[0].kind == MAPPING else None


def _values(values: Values, site: Site) -> TreeNode | None:
    return site.sequence(_sorted(values[0], 1)) if len(values) == 1 and values[0].kind == MAPPING else None


def _sorted(value: TreeNode, part: int) -> list[TreeNode]:
    """The keys (0) or the values (1) of a map, in the order of the keys."""
    pairs = value.pairs()
    return [pairs[name][part] for name in sorted(pairs)]


def _zip(values: Values, site: Site) -> TreeNode | None:
    if len(values) != 2 or any(value.kind != SEQUENCE for value in values):
        return None
    return site.mapping(zip(values[0].children, values[1].children, strict=False))


def _element(values: Values, site: Site) -> TreeNode | None:
    number = number_of(values[1]) if len(values) == 2 else None
    children = values[0].children
    return site.moved(children[int(number) % len(children)]) if number is not None and children else None


def _one(values: Values, site: Site) -> TreeNode | None:
    children = values[0].children if len(values) == 1 and values[0].kind == SEQUENCE else []
    return site.moved(children[0]) if len(children) == 1 else None


def _length(values: Values, site: Site) -> TreeNode | None:
    value = values[0]
    size = len(value.pairs()) if value.kind == MAPPING else len(value.children or value.text)
    return site.word(str(size))


def _contains(values: Values, site: Site) -> TreeNode | None:
    items = _texts(values[0]) if len(values) == 2 else None
    if items is None or values[1].kind != SCALAR or any(item.unknown for item in items):
        return None
    return site.truth(any(same(item, values[1]) for item in items))


def _range(values: Values, site: Site) -> TreeNode | None:
    numbers = [number_of(value) for value in values]
    whole = [int(number) for number in numbers if number is not None and number == int(number)]
    if not 1 <= len(whole) == len(values) <= 3 or (len(whole) == 3 and not whole[2]):
        return None
    numbers_of_range = range(*whole)
    return (
        site.sequence(site.word(str(each)) for each in numbers_of_range)
        if len(numbers_of_range) <= LARGEST_RANGE
        else None
    )


def _split(values: Values, site: Site) -> TreeNode | None:
    texts = texts_of(values)
    if texts is None or len(texts) != 2 or not texts[0]:
        return None
    return site.sequence(site.text(part) for part in texts[1].split(texts[0]))


def _as_number(values: Values, site: Site) -> TreeNode | None:
    number = number_of(values[0]) if len(values) == 1 else None
    return None if number is None else site.word(spelled(number))


def _as_text(values: Values, site: Site) -> TreeNode | None:
    texts = texts_of(values)
    return site.text(texts[0]) if texts is not None and len(texts) == 1 else None


def _as_truth(values: Values, site: Site) -> TreeNode | None:
    truth = truth_of(values[0]) if len(values) == 1 else None
    return None if truth is None else site.truth(truth)


def _of_texts(change: Callable[..., str], count: int) -> Callable[[Values, Site], TreeNode | None]:
    """A function of some texts that returns one."""

    def changed(values: Values, site: Site) -> TreeNode | None:
        texts = texts_of(values)
        if texts is None or len(texts) != count or any(text[:1] == "/" == text[-1:] for text in texts[1:2]):
            return None
        if count == 3 and not site.budget.take(0, len(texts[0]) * len(texts[2])):
            return None
        return site.text(change(*texts))

    return changed


def _of_numbers(choose: Callable[[Sequence[Decimal]], Decimal]) -> Callable[[Values, Site], TreeNode | None]:
    """A function that chooses one of some numbers."""

    def chosen(values: Values, site: Site) -> TreeNode | None:
        numbers = [number for value in values if (number := number_of(value)) is not None]
        return site.word(spelled(choose(numbers))) if numbers and len(numbers) == len(values) else None

    return chosen


OF_PARTS: Mapping[str, Callable[[Values, Site], TreeNode]] = {
    "merge": _merge, "concat": _concat, "coalesce": _coalesce, "coalescelist": _coalesce_list, "lookup": _lookup, "try": _try,
    "join": _join, "format": _format, "jsonencode": _json_encode, "yamlencode": _json_encode, "tomap": _same_value, "tolist": _same_value,
    "nonsensitive": _same_value, "object": _same_value, "map": _as_list, "list": _as_list, "set": _as_list, "optional": _optional,
}  # fmt: skip
"""Functions that say something even where a part of what they take is not known, and those of which types are made."""
OF_WHOLE: Mapping[str, Callable[[Values, Site], TreeNode | None]] = {
    "toset": _set, "jsondecode": _json_decode, "distinct": _distinct, "compact": _compact, "flatten": _flatten, "keys": _keys,
    "values": _values, "zipmap": _zip, "element": _element, "one": _one, "length": _length, "contains": _contains,
    "range": _range, "split": _split, "tonumber": _as_number, "tostring": _as_text, "tobool": _as_truth, "setunion": lambda values, site: _set([_concat(values, site)], site),
    "sort": _set, "upper": _of_texts(str.upper, 1), "lower": _of_texts(str.lower, 1), "trimspace": _of_texts(str.strip, 1),
    "base64encode": _of_texts(lambda text: b64encode(text.encode()).decode(), 1), "base64decode": _base64_decode,
    "chomp": _of_texts(lambda text: text.rstrip("\r\n"), 1), "replace": _of_texts(str.replace, 3),
    "trimprefix": _of_texts(str.removeprefix, 2), "trimsuffix": _of_texts(str.removesuffix, 2), "max": _of_numbers(max),
    "min": _of_numbers(min), "title": _of_texts(str.title, 1),
}  # fmt: skip
"""Functions that need all they take."""
