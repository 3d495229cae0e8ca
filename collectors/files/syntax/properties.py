"""Parse Java properties files exactly as `java.util.Properties` does, with the position of every key."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

Piece = tuple[str, int, int]
"""(text, line, column) of a piece of a logical line."""
LONGEST_ENTRY = 4 * 1024 * 1024
"""Characters of a key with its value."""
CHUNK = 64 * 1024
"""Characters of text after whose line the next lines are split."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
SEALS = {
    b"version https://git-lfs.github.com/spec/": "is a pointer of Git LFS, not the file that it stands for",
    b"$ANSIBLE_VAULT": "is encrypted by Ansible Vault",
    b"\0GITCRYPT\0": "is encrypted by git-crypt",
    b"-----BEGIN PGP MESSAGE": "is encrypted by GPG",
    b"-----BEGIN AGE ENCRYPTED FILE": "is encrypted by age",
    b"age-encryption.org/": "is encrypted by age",
}
"""What the bytes begin with that stand in place of a file, and what they are."""
BLANKS = " \t\f"
ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
HEX = frozenset("0123456789abcdefABCDEF")


class BrokenEscape(ValueError):
    """A `\\u` without four hexadecimal digits, for which Java refuses the file."""

    def __init__(self, line: int, column: int) -> None:
        super().__init__("malformed \\uxxxx escape")
        self.line = line
        self.column = column


class TooLong(ValueError):
    """A key with its value that is longer than any that a person wrote."""

    def __init__(self, line: int) -> None:
        super().__init__(f"longer than {LONGEST_ENTRY} characters")
        self.line = line


class Entry:
    """A key and its value as Java reads them, the lines and columns (from 1) of both, where it ends, and the raw lines."""

    __slots__ = ("column", "end", "key", "line", "raw", "value", "value_column", "value_line")

    def __init__(
        self, key: str, value: str, line: int, column: int, value_line: int, value_column: int, raw: str
    ) -> None:
        last = raw if "\n" not in raw else raw[raw.rfind("\n") + 1 :]
        self.end = (line + raw.count("\n"), len(last) + 1)
        self.key = key
        self.value = value
        self.line = line
        self.column = column
        self.value_line = value_line
        self.value_column = value_column
        self.raw = raw


class Comment:
    """A comment line, without its leading blanks."""

    __slots__ = ("line", "text")

    def __init__(self, line: int, text: str) -> None:
        self.line = line
        self.text = text


def decode(data: bytes) -> str:
    """Decode a file: UTF-8 if valid, else Latin-1 as in Java; a byte order mark is dropped."""
    try:
        return data.removeprefix(BYTE_ORDER_MARK).decode()
    except UnicodeDecodeError:
        return data.removeprefix(BYTE_ORDER_MARK).decode("latin-1")


def parse(text: str) -> Iterator[Entry | Comment]:
    """Parse every key and every comment, in the order of the file.

    Raises BrokenEscape, TooLong. Source: java.util.Properties.load (LineReader and loadConvert).
    """
    lines = _natural_lines(text)
    for number, line in lines:
        if not line:
            continue
        body = line.lstrip(BLANKS)
        if not body or body == "\\":
            continue
        if body[0] in "#!":
            yield Comment(number, body)
        else:
            yield _entry(*_logical_line(number, line, body, lines))


def read_from_properties(value: str) -> str:
    """A value as Java reads it from the file that an image writes `key=value` to: backslashes are Java's, and a line's end ends it."""
    if "\\" not in value and "\n" not in value:
        return value
    try:
        entry = next(parse(f"k={value}"))
    except (BrokenEscape, TooLong):
        return value
    return entry.value if isinstance(entry, Entry) else value


def _logical_line(number: int, line: str, body: str, lines: Iterator[tuple[int, str]]) -> tuple[list[Piece], str]:
    """The pieces of a key and its value, and their raw lines; those that go on are taken from `lines`."""
    first, size = number, len(line)
    pieces, raw = [(body, number, len(line) - len(body) + 1)], [line]
    while _continues(pieces[-1][0]):
        pieces[-1] = (pieces[-1][0][:-1], *pieces[-1][1:])
        number, line = next(lines, (0, ""))
        size += len(line) + 1
        if not number or size > LONGEST_ENTRY:
            break
        continuation = line.lstrip(BLANKS)
        pieces.append((continuation, number, len(line) - len(continuation) + 1))
        raw.append(line)
    if size > LONGEST_ENTRY:
        raise TooLong(first)
    return pieces, "\n".join(raw)


def _natural_lines(text: str) -> Iterator[tuple[int, str]]:
    """The number (from 1) and text of every line."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    number, start = 1, 0
    while True:
        end = text.find("\n", start + CHUNK)
        lines = text[start : len(text) if end < 0 else end].split("\n")
        yield from enumerate(lines, number)
        if end < 0:
            return
        number, start = number + len(lines), end + 1


def _continues(text: str) -> bool:
    return text.endswith("\\") and (len(text) - len(text.rstrip("\\"))) % 2 == 1


def _entry(pieces: list[tuple[str, int, int]], raw: str) -> Entry:
    logical = pieces[0][0] if len(pieces) == 1 else "".join(piece[0] for piece in pieces)
    end, start = _split(logical)
    key, value = logical[:end], logical[start:]
    if "\\" in logical:
        key, value = _unescape(key, 0, pieces), _unescape(value, start, pieces)
    _, line, column = pieces[0]
    value_line, value_column = (line, column + start) if len(pieces) == 1 else _place(start, pieces)
    return Entry(key, value, line, column, value_line, value_column, raw)


def _split(logical: str) -> tuple[int, int]:
    """(end of the key, start of the value) in a logical line."""
    end, size = 0, len(logical)
    while end < size and logical[end] not in "=: \t\f":
        end += 2 if logical[end] == "\\" else 1
    end = min(end, size)
    start = end
    while start < size and logical[start] in BLANKS:
        start += 1
    if start < size and logical[start] in "=:":
        start += 1
        while start < size and logical[start] in BLANKS:
            start += 1
    return end, start


def _place(offset: int, pieces: list[tuple[str, int, int]]) -> tuple[int, int]:
    for text, line, column in pieces:
        if offset < len(text):
            return line, column + offset
        offset -= len(text)
    text, line, column = pieces[-1]
    return line, column + len(text) + offset


def _unescape(text: str, start: int, pieces: list[tuple[str, int, int]]) -> str:
    if "\\" not in text:
        return text
    out, at, size = [], 0, len(text)
    while at < size:
        char = text[at]
        at += 1
        if char != "\\":
            out.append(char)
            continue
        char = text[at : at + 1]
        at += 1
        if char != "u":
            out.append(ESCAPES.get(char, char))
            continue
        digits = text[at : at + 4]
        if len(digits) < 4 or not HEX.issuperset(digits):
            raise BrokenEscape(*_place(start + at - 2, pieces))
        out.append(chr(int(digits, 16)))
        at += 4
    return _join_surrogates("".join(out))


def _join_surrogates(text: str) -> str:
    if any("\ud800" <= char <= "\udfff" for char in text):
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
