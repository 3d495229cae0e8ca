"""Tokens as java.io.StreamTokenizer makes them of the lines of a JAAS configuration, as JaasConfig sets it up."""

from __future__ import annotations


def java_tokens(value: str) -> list[tuple[str, str | None]]:
    """(kind, text) of each token; the kind of a character that stands for itself, or quotes a text, is that character.

    Words and quoted texts have a text, numbers and characters none.
    """
    tokens: list[tuple[str, str | None]] = []
    at = 0
    while at < len(value):
        char = value[at]
        if char <= " ":
            at += 1
        elif char == "/":
            at = _end_of_comment(value, at)
        elif char in "\"'":
            text, at = _quoted(value, at)
            tokens.append((char, text))
        elif _is_digit(char) and (char != "-" or value[at + 1 : at + 2] in NUMBER_GOES_ON):
            at = _end_of_number(value, at + (char == "-"))
            tokens.append(("number", None))
        elif _is_alpha(char) and char != "-":
            end = _end_of_word(value, at)
            tokens.append(("word", value[at:end]))
            at = end
        else:
            tokens.append((char, None))
            at += 1
    return tokens


NUMBER_GOES_ON = (".", *"0123456789")
ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def _is_digit(char: str) -> bool:
    return char in "0123456789.-"


def _is_alpha(char: str) -> bool:
    return (char.isascii() and char.isalpha()) or char in "-_$" or char >= "\xa0"


def _end_of_word(value: str, at: int) -> int:
    while at < len(value) and (_is_alpha(value[at]) or _is_digit(value[at])):
        at += 1
    return at


def _end_of_number(value: str, at: int) -> int:
    dots = 0
    while at < len(value) and (value[at] in "0123456789" or (value[at] == "." and not dots)):
        dots += value[at] == "."
        at += 1
    return at


def _end_of_comment(value: str, at: int) -> int:
    """A slash begins a comment: to its end where a star follows, else to the end of the line; what follows it is not looked at."""
    if value.startswith("/*", at):
        end = value.find("*/", at + 2)
        return len(value) if end < 0 else end + 2
    ends = [end for end in (value.find("\n", at + 2), value.find("\r", at + 2)) if end >= 0]
    return min(ends, default=len(value))


def _quoted(value: str, at: int) -> tuple[str, int]:
    """(text, where it ends) of a quoted text, which ends with its line at the latest."""
    mark, text = value[at], []
    at += 1
    while at < len(value) and value[at] not in (mark, "\n", "\r"):
        if value[at] == "\\" and at + 1 < len(value):
            char, at = _escaped(value, at + 1)
            text.append(char)
        else:
            text.append(value[at])
            at += 1
    return "".join(text), at + (value[at : at + 1] == mark)


def _escaped(value: str, at: int) -> tuple[str, int]:
    """(character, where it ends) behind a backslash: up to three octal digits, a letter's, or the character itself."""
    end = at
    while end < min(at + (3 if value[at] <= "3" else 2), len(value)) and value[end] in "01234567":
        end += 1
    return (chr(int(value[at:end], 8)), end) if end > at else (ESCAPES.get(value[at], value[at]), at + 1)
