"""JSON text that no terminal can be steered by."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MARGIN = "  "
WORDS = {None: "null", True: "true", False: "false"}


def dump(value: object, indented: bool = False) -> str:
    """JSON text, with non-ASCII characters unless they could steer a terminal."""
    text = _text(value, indented, ensure_ascii=False)
    if text.isprintable() or text.replace("\n", "").isprintable():
        return text
    return _text(value, indented, ensure_ascii=True)


def dump_documents(documents: Sequence[object]) -> str:
    """One document as it is, several as a list."""
    return dump(documents[0] if len(documents) == 1 else list(documents), indented=True)


def _text(value: object, indented: bool, ensure_ascii: bool) -> str:
    return Indented(ensure_ascii).text(value) if indented else json.dumps(value, ensure_ascii=ensure_ascii)


class Indented:
    """JSON text with two spaces for each level, in which a value that stands in many places is written twice at most."""

    def __init__(self, ensure_ascii: bool) -> None:
        self._ensure_ascii = ensure_ascii
        self._encoders: dict[str, json.JSONEncoder] = {}
        self._keys: dict[object, str] = {}
        self._written: set[tuple[int, str]] = set()
        self._repeated: dict[tuple[int, str], str] = {}

    def text(self, value: object, line: str = "\n") -> str:
        """The text of a value that begins in such a line."""
        if value is None or value is True or value is False:
            return WORDS[value]
        if not value or not isinstance(value, dict | list | tuple):
            return self._encoder(line).encode(value)
        known = (id(value), line)
        if known in self._repeated:
            return self._repeated[known]
        text = self._container(value, line)
        if known in self._written:
            self._repeated[known] = text
        self._written.add(known)
        return text

    def _container(self, value: dict[object, object] | Sequence[object], line: str) -> str:
        inner = line + MARGIN
        if not isinstance(value, dict):
            return f"[{inner}{f',{inner}'.join([self.text(each, inner) for each in value])}{line}]"
        if any(each and isinstance(each, dict | list | tuple) for each in value.values()):
            rows = [f"{self._key(key)}: {self.text(each, inner)}" for key, each in value.items()]
            return f"{{{inner}{f',{inner}'.join(rows)}{line}}}"
        return f"{{{inner}{self._encoder(inner).encode(value)[1:-1]}{line}}}"

    def _key(self, key: object) -> str:
        if key not in self._keys:
            self._keys[key] = self._encoder("\n").encode({key: 0})[1 : -len(": 0}")]
        return self._keys[key]

    def _encoder(self, line: str) -> json.JSONEncoder:
        """What writes the members of an object one below the other."""
        if line not in self._encoders:
            separators = (f",{line}", ": ")
            self._encoders[line] = json.JSONEncoder(ensure_ascii=self._ensure_ascii, separators=separators)
        return self._encoders[line]
