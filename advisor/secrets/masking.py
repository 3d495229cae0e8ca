"""Cut user info, queries and assigned secrets out of a text, in time in proportion to its length."""

from __future__ import annotations

from advisor.model import MASK
from advisor.secrets import WORDS, is_secret
from advisor.secrets.text_scan import name_before, positions_of, skip_blanks, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SCHEME = "://"
LONGEST_NAME = 60
"""Characters of a name that an error shows."""
OF_CONNECTION_STRINGS = ("accesskey", "accountkey", "signature", "sessionid")
"""How the names of secrets end that Azure's connection strings hold."""
OF_QUERIES = ("sig",)
USER_OPTIONS = ("-u", "--user")
"""Options of curl and the like before a user and a password."""
BLANKS_AND_QUOTES = " \t\n\"'"


def mask(text: str) -> str:
    """Mask user info of addresses, and what is assigned to a name such as password, in any text."""
    text = _mask_urls(text, BLANKS_AND_QUOTES)
    if "@" in text:
        text = "".join(_without_user_info(word) for word in words_of(text))
    if any(option in text for option in USER_OPTIONS):
        text = _mask_users(text)
    return mask_assignments(text)


def _mask_users(text: str) -> str:
    """Mask the password in `-u user:password`."""
    masked, option = [], False
    for word in words_of(text):
        user, colon, password = word.partition(":")
        masked.append(f"{user}:{MASK}" if option and colon and password else word)
        option = word in USER_OPTIONS or (option and word.isspace())
    return "".join(masked)


def mask_principals(text: str) -> str:
    """Mask user info of URLs, and what is assigned; an @ elsewhere begins a realm."""
    return mask_assignments(_mask_urls(text, BLANKS_AND_QUOTES))


def mask_addresses(text: str) -> str:
    """Mask user info and queries of a list of addresses: all before the last @ of each that is not a node's id."""
    scheme = text.find(SCHEME)
    if scheme >= 0:
        first = scheme - len(name_before(text, scheme, 0))
        return mask_assignments(_mask_hosts(text[:first]) + _mask_urls(text[first:], ""))
    return mask_assignments(_mask_hosts(text))


def name_like(name: str, known: Iterable[str]) -> str:
    """A wrong name for an error, masked where it is like none of those that are known: the file may be about something else."""
    from difflib import get_close_matches

    lowered = {each.lower() for each in known}
    return name[:LONGEST_NAME] if get_close_matches(name.lower()[:LONGEST_NAME], lowered, 1) else MASK


def _mask_hosts(text: str) -> str:
    """Where no item has user info all are shown; else those, too, are masked that may be the beginning of it."""
    items = text.split(",")
    if not any(_has_user_info(item) for item in items):
        return text
    return ",".join(_host(item) for item in items)


def mask_prose(text: str) -> str:
    """Mask a comment: what `mask` finds, and all that follows a word such as password."""
    text, lowered = mask(text), text.lower()
    first = min((at + len(word) for word in WORDS if (at := lowered.find(word)) >= 0), default=None)
    if first is None or len(lowered) != len(text):
        return text if first is None else MASK
    return text if not text[first:].strip() else f"{text[:first]} {MASK}"


def _has_user_info(item: str) -> bool:
    """Whether something stands before the last @ that is not a node's id."""
    before, at, _ = item.rpartition("@")
    return bool(at) and not before.strip().isdigit() and not _is_placeholder(before)


def _host(item: str) -> str:
    if "@" in item:
        return f"{MASK}@{item.rpartition('@')[2]}" if _has_user_info(item) else item
    _, colon, port = item.strip().rpartition(":")
    return item if colon and (port.isdigit() or _is_placeholder(port)) else MASK


def _is_placeholder(text: str) -> bool:
    from advisor.secrets.placeholders import is_placeholder

    return ":" not in text and is_placeholder(text.strip())


def _without_user_info(word: str) -> str:
    """A word without scheme: what stands before its last @ is cut where a colon stands there."""
    before, at, behind = word.rpartition("@")
    return f"{MASK}@{behind}" if at and ":" in before and SCHEME not in before and MASK not in before else word


def _mask_urls(text: str, ends: str) -> str:
    """Cut user info and query of every URL; a URL ends where one of `ends` stands, or the next one begins."""
    pieces, done, scheme = [], 0, text.find(SCHEME)
    while scheme >= 0:
        first, following = scheme + len(SCHEME), text.find(SCHEME, scheme + len(SCHEME))
        last = len(text) if following < 0 else following - len(name_before(text, following, first))
        end = min((at for mark in ends if (at := text.find(mark, first, last)) >= 0), default=last)
        pieces += [text[done:first], _authority(text[first:end])]
        done, scheme = end, following
    return "".join([*pieces, text[done:]])


def _authority(text: str) -> str:
    """What follows ://, without user info and query."""
    _, at, host = text.rpartition("@")
    host, mark, query = host.partition("?")
    hidden_query = f"?{MASK}{',' if query.endswith(',') else ''}" if mark else ""
    return f"{MASK if at else ''}{at}{host}{hidden_query}"


def mask_assignments(text: str, signs: str = "=") -> str:
    """Mask the value behind every name= (or name:), where the name is that of a secret; listeners are written in capitals."""
    masked, done, start = [], 0, 0
    for sign in positions_of(signs, text):
        if sign < start or text.startswith(SCHEME, sign):
            continue
        name = name_before(text, sign, start)
        first, start = skip_blanks(text, sign + 1), sign + 1
        if names_secret(name) and not (text[sign] == ":" and name.isupper()):
            end = _end_of_value(text, first)
            is_port = text[sign] == ":" and text[first:end].isdigit()
            if end > first and not is_port:
                masked += [text[done:first], MASK]
                done = start = end
    return "".join([*masked, text[done:]])


def names_secret(name: str) -> bool:
    """Whether a word before a value names a secret."""
    lowered = name.lower()
    is_spelled = lowered.endswith(OF_CONNECTION_STRINGS) or lowered in OF_QUERIES
    return is_spelled or any(word in lowered for word in WORDS) or (bool(name) and is_secret(name))


def _end_of_value(text: str, first: int) -> int:
    """Behind the closing quote, or the end of the text where there is none; else before what ends a bare value."""
    mark = text[first : first + 1]
    if mark and mark in "\"'":
        close = text.find(mark, first + 1)
        return len(text) if close < 0 else close + 1
    end = first
    while end < len(text) and text[end] not in ";,\"'" and not text[end].isspace():
        end += 1
    return end
