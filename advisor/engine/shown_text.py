"""Take values that are not shown out of what rules say: messages, requirements, reasons."""

from __future__ import annotations

import functools

from advisor.model import MASK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WORD = 4
"""Characters from which on a word of a hidden value is looked for; shorter ones stand in every sentence."""
MOST_PARTS = 50
"""Hidden values and parts that are looked for as a whole, the longest first; of others their words are."""
SEPARATORS = ",;\"'“”‘’()[]{}<>=:|"
JOINTS = "@/?&#\\"
"""What joins words to one: of u:p/w@h that p/w@h, and p, w and h by themselves."""
ENDS = ".!?"
"""What ends a sentence, and is not part of its last word."""
APART = str.maketrans(dict.fromkeys(JOINTS, " "))
BETWEEN_WORDS = str.maketrans(dict.fromkeys(SEPARATORS, " "))


def shown_text(text: str, hidden: tuple[tuple[str, str], ...]) -> str:
    """The text without these values, of which the second is shown, their hidden parts, and the words of those."""
    return _masking(hidden)(text)


@functools.lru_cache(maxsize=64)
def _masking(values: tuple[tuple[str, str], ...]) -> Callable[[str], str]:
    """What masks these (value, what is shown of it): releases and subjects say the same again and again."""
    spellings, words = _hidden_of(values)

    @functools.lru_cache(maxsize=1024)
    def masked(text: str) -> str:
        for spelling, shown in spellings:
            text = text.replace(spelling, shown)
        return _without_words(text, words)

    return masked


def _hidden_of(values: tuple[tuple[str, str], ...]) -> tuple[tuple[tuple[str, str], ...], frozenset[str]]:
    """((text, what is shown in its place) in the order of replacing, hidden words) of (value, what is shown of it)."""
    hidden = [_hidden(value, shown) for value, shown in values]
    parts = dict.fromkeys(part for own_parts, _ in hidden for part in own_parts)
    longest = sorted(parts, key=lambda pair: -len(pair[0]))[:MOST_PARTS]
    spellings = tuple(
        (spelling, shown)
        for part, shown in longest
        for spelling in dict.fromkeys((part, part.lower(), part.upper(), repr(part)[1:-1]))
    )
    return spellings, frozenset().union(*(words for _, words in hidden))


def _without_words(text: str, hidden_words: frozenset[str]) -> str:
    """The text with every hidden word masked, also where it is joined to others."""
    secret_words = hidden_words & (_words(text) | _words(text.translate(APART)))
    for separators in (SEPARATORS, SEPARATORS + JOINTS) if secret_words else ():
        text = "".join(_masked(piece, secret_words) for piece in _pieces(text, separators))
    return text


def _pieces(text: str, separators: str) -> list[str]:
    import re

    return re.split(f"([{re.escape(separators)}\\s]+)", text)


def _masked(piece: str, secret_words: frozenset[str]) -> str:
    word = piece.strip(ENDS)
    return piece.replace(word, MASK) if word in secret_words else piece


@functools.lru_cache(maxsize=256)
def _hidden(value: str, shown: str) -> tuple[tuple[tuple[str, str], ...], frozenset[str]]:
    """((text, what is shown in its place) of the value as a whole and of its hidden parts, the words of those)."""
    parts = dict.fromkeys(part for part in parts_between(value, shown.split(MASK)) if len(part) >= WORD)
    words = frozenset(word for part in parts for word in _words(part))
    return ((value, shown), *((part, MASK) for part in parts)), words


def parts_between(value: str, shown_parts: Sequence[str]) -> list[str]:
    """What stands in a value between the parts that are shown; the whole value where they do not stand in it."""
    hidden, end = [], len(shown_parts[0])
    if not value.startswith(shown_parts[0]):
        return [value]
    for part in shown_parts[1:]:
        begin = value.find(part, end) if part else len(value)
        if begin < 0:
            return [value]
        hidden.append(value[end:begin])
        end = begin + len(part)
    return hidden


def _words(text: str) -> set[str]:
    words = (word.strip(ENDS) for word in text.translate(BETWEEN_WORDS).split())
    return {word for word in words if len(word) >= WORD and word != MASK}
