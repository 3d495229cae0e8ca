"""Decode plain data (JSON, rows of Arrow) into dataclasses, as their annotations say; errors name the path.

A field whose default is None may be missing: it is not known. What a dataclass has no field for is passed over.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")
Path: TypeAlias = "str | tuple[Path, str | int]"
"""A name, or a step from a path: put into words only where something is wrong."""
Decoder = Callable[[Any, Path], Any]
NAMES = {str: "text", int: "a whole number", bool: "true or false", dict: "an object", list: "a list"}


def decode(data: Any, kind: type[T], path: str) -> T:
    """Decode data. Raises ValueError with the path of the first error."""
    annotation: Any = kind
    decoded: T = decoder(annotation)(data, path)
    return decoded


@functools.cache
def decoder(kind: Any) -> Decoder:
    """The decoder of a type: a dataclass, text, number, list, tuple, mapping, or one of these or None."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda data, path: data
    if origin is UnionType:
        return _optional(decoder(arguments[0]))
    if origin is tuple and arguments[-1] is not Ellipsis:
        return _fixed([decoder(argument) for argument in arguments])
    if origin in (list, tuple, Sequence):
        return _items(list if origin is list else tuple, decoder(arguments[0]))
    if origin in (dict, Mapping):
        return _table(arguments[0], arguments[1])
    return _record(kind) if is_dataclass(kind) else lambda data, path: _checked(data, kind, path)


def _checked(data: Any, kind: type, path: Path) -> Any:
    if type(data) is not kind:
        raise ValueError(f"{_path_text(path)}: not {NAMES[kind]}")
    return data


def _optional(inner: Decoder) -> Decoder:
    return lambda data, path: None if data is None else inner(data, path)


def _fixed(inner: Sequence[Decoder]) -> Decoder:
    def read(data: Any, path: Path) -> tuple[Any, ...]:
        if len(_checked(data, list, path)) != len(inner):
            raise ValueError(f"{_path_text(path)}: {len(data)} items in place of {len(inner)}")
        return tuple([each(item, (path, at)) for at, (item, each) in enumerate(zip(data, inner, strict=True))])

    return read


def _items(collection: Callable[[list[Any]], Any], inner: Decoder) -> Decoder:
    return lambda data, path: collection(
        [inner(item, (path, at)) for at, item in enumerate(_checked(data, list, path))]
    )


def _table(key: Any, value: Any) -> Decoder:
    """A mapping: an object, or a list of rows where its keys are tuples."""
    if get_origin(key) is tuple:
        rows = _items(list, _fixed([decoder(kind) for kind in (*get_args(key), value)]))
        return lambda data, path: {tuple(row[:-1]): row[-1] for row in rows(data, path)}
    inner = decoder(value)
    return lambda data, path: {
        _key(name, key, path): inner(item, (path, name)) for name, item in _checked(data, dict, path).items()
    }


def _key(name: str, kind: type, path: Path) -> str | int:
    try:
        return int(name) if kind is int else name
    except ValueError:
        raise ValueError(f"{_path_text(path)}: a key is not {NAMES[kind]}") from None


def _record(kind: Any) -> Decoder:
    hints = get_type_hints(kind)
    members = [(field.name, decoder(hints[field.name]), field.default is None) for field in fields(kind)]

    def read(data: Any, path: Path) -> Any:
        _checked(data, dict, path)
        values = {}
        for name, inner, may_be_missing in members:
            if name in data:
                values[name] = inner(data[name], (path, name))
            elif not may_be_missing:
                raise ValueError(f"{_path_text(path)}.{name} is missing")
        return kind(**values)

    return read


def _path_text(path: Path) -> str:
    if isinstance(path, str):
        return path
    outer, step = path
    return f"{_path_text(outer)}[{step}]" if isinstance(step, int) else f"{_path_text(outer)}.{step}"
