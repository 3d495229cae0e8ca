"""Kafka's validators, by the names used in a definition's `valid`: each returns why it refuses, or None.

Each takes the parsed value and what follows its name.
"""

from __future__ import annotations

from advisor.catalog.java import BLANKS, digits, duration, entries, is_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NAME_MARKS = {ord(mark): None for mark in "._-"}
HEADER_ACTIONS = ("set", "add", "setDate", "addDate")
PORTS = 2**16
HOST_MARKS = {ord(mark): None for mark in "-%._:"}


def _range(value: float, low: float | None, high: float | None) -> str | None:
    # NaN is neither below nor above, in Java as here, so it passes.
    if low is not None and value < low:
        return f"must be at least {low}"
    if high is not None and value > high:
        return f"must be at most {high}"
    return None


def _range_or(value: float, low: float, high: float | None, extra: float) -> str | None:
    if value == extra or _range(value, low, high) is None:
        return None
    limits = f"at least {low}" if high is None else f"between {low} and {high}"
    return f"must be {limits} or equal to {extra}"


def _in(value: str | tuple[str, ...], allowed: tuple[str | None, ...]) -> str | None:
    given = (value,) if isinstance(value, str) else value
    return None if all(one in allowed for one in given) else _takes_only(allowed)


def _in_nonempty(value: tuple[str, ...], allowed: tuple[str | None, ...]) -> str | None:
    return _in(value, allowed) if value else "must not be empty"


def _in_ci(value: str | tuple[str, ...], allowed: tuple[str, ...]) -> str | None:
    upper = value.upper() if isinstance(value, str) else tuple(one.upper() for one in value)
    return None if _in(upper, tuple(one.upper() for one in allowed)) is None else _takes_only(allowed)


def _in_ci_nonempty(value: tuple[str, ...], allowed: tuple[str, ...]) -> str | None:
    return _in_ci(value, allowed) if value else "must not be empty"


def _resource_name(value: str) -> str | None:
    """Topic.validate, which group.instance.id has to pass as well."""
    if not value:
        return "must not be empty"
    bare = value.translate(NAME_MARKS)
    good = value.isascii() and (bare.isalnum() or not bare)
    if good and value not in (".", "..") and len(value) <= 249:
        return None
    return "must be up to 249 letters, digits, dots, underscores and hyphens"


def _header_rules(value: str) -> str | None:
    """RestServerConfig.ResponseHttpHeadersValidator: action, name and value of each header."""
    rules = (rule.strip().split(None, 1) for rule in _split_unquoted(value))
    if all(len(rule) == 2 and rule[0] in HEADER_ACTIONS and _header(rule[1]) for rule in rules):
        return None
    return f"must be a list of [{'|'.join(HEADER_ACTIONS)}] name:value"


def _split_unquoted(value: str) -> list[str]:
    """The parts between commas that stand in no quotes."""
    pieces = value.split('"')
    marked = "".join(piece if index % 2 else piece.replace(",", "\0") for index, piece in enumerate(pieces))
    return marked.split("\0") if marked.strip() else []


def _header(text: str) -> bool:
    name, _, value = text.strip().partition(":")
    return bool(name and value.strip()) and ":" not in value and not any(letter.isspace() for letter in name)


def _in_or_duration(value: str, allowed: tuple[str, ...]) -> str | None:
    start, colon, amount = value.partition(":")
    if value in allowed or (colon and start == "by_duration" and duration(amount)):
        return None
    return f"{_takes_only(allowed)} or by_duration:PnDTnHnMn.nS"


def _takes_only(allowed: tuple[str | None, ...]) -> str:
    return "takes only " + ", ".join("null" if one is None else one for one in allowed)


def _one_or_some(value: str, alone: tuple[str, ...], together: tuple[str, ...]) -> str | None:
    given = entries(value) or ("",)
    if given in tuple((one,) for one in alone) or all(one in together for one in given):
        return None
    return f"takes only {' or '.join(alone)}, or any of {', '.join(together)}"


def _kafka_version(value: str, allowed: tuple[str, ...], own: tuple[int, int] = (99, 0)) -> str | None:
    """Takes 2.8, 2.8.1 and 2.8-IV1: what follows the release is not looked at, unless it names a level.

    Levels of a release after one's `own` are there already, its name is not.
    """
    numbers = value.split(".")
    release = ".".join(numbers[: 3 if value.startswith("0.") else 2])
    is_release = any(release == level.partition("-IV")[0] for level in allowed)
    if release in allowed or (is_release and tuple(map(int, numbers[:2])) <= own):
        return None
    return f"takes only versions from {allowed[0]} to {allowed[-1]}"


def _nonempty(value: str | tuple[str, ...]) -> str | None:
    return None if value else "must not be empty"


def _nonempty_no_control(value: str) -> str | None:
    if any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in value):
        return "must not contain control characters"
    return _nonempty(value)


def _no_blank(value: tuple[str, ...]) -> str | None:
    return None if all(value) else "must not hold an empty entry: take out the comma too many"


def _nonempty_list(value: tuple[str, ...]) -> str | None:
    return _nonempty(value) or _no_blank(value)


def _unique(value: tuple[str, ...]) -> str | None:
    return None if len(set(value)) == len(value) else "must not name the same alias twice"


def _unique_entries(value: tuple[str, ...]) -> str | None:
    return _no_blank(value) or (None if len(set(value)) == len(value) else "must not hold an entry twice")


def _at_most_entries(value: tuple[str, ...], most: int) -> str | None:
    return None if len(value) <= most else f"must hold at most {most} entries"


def _throttled_replicas(value: tuple[str, ...]) -> str | None:
    if value == ("*",) or all(_pair(entry) for entry in value):
        return None
    return "must be * or a list of partition:broker, such as 0:1,1:2"


def _pair(entry: str) -> bool:
    partition, _, broker = entry.partition(":")
    return not entry or (digits(partition) and digits(broker))


def _voters(value: tuple[str, ...], loose: bool = False) -> str | None:
    return None if all(_voter(entry, loose) for entry in value) else "must be a list of id@host:port"


def _voter(entry: str, loose: bool) -> bool:
    # Java's split leaves out empty parts at the end.
    voter, *endpoints = entry.rstrip("@").split("@")
    return len(endpoints) == 1 and is_int(voter) and _endpoint(endpoints[0], loose)


def _endpoints(value: tuple[str, ...], loose: bool = False) -> str | None:
    return None if all(_endpoint(entry, loose) for entry in value) else "must be a list of host:port"


def _endpoint(entry: str, loose: bool) -> bool:
    # Utils.HOST_PORT_PATTERN: a scheme and brackets may stand around the host; before 4.0 anything might, as `loose` says.
    address, colon, port = entry.rpartition(":")
    scheme, _, host = address.rpartition("://")
    plain = _host(host.removeprefix("[").removesuffix("]")) and _host(scheme) and ":" not in scheme
    return bool(colon) and digits(port) and len(port) < 10 and int(port) < PORTS and (loose or plain)


def _bootstrap(value: tuple[str, ...], loose: bool = False, skips: bool = True) -> str | None:
    # A client before 4.2 skips empty entries, and is left with nothing to connect to if there is no other.
    addresses = tuple(filter(None, value)) if skips else value
    return _endpoints(addresses, loose) if any(addresses) else "must not be empty"


def _host_numbers(value: str) -> str | None:
    pairs = (entry.rpartition(":") for entry in entries(value.rstrip(f",{BLANKS}")))
    if all(colon and _host(host) and is_int(number.strip(BLANKS)) for host, colon, number in pairs):
        return None
    return "must be a list of host:number"


def _host(text: str) -> bool:
    return text.isascii() and (text.translate(HOST_MARKS).isalnum() or not text.translate(HOST_MARKS))


def _unchecked(*_: object) -> str | None:
    return None


CHECKS: dict[str, Callable[..., str | None]] = {
    "range": _range,
    "range_or": _range_or,
    "in": _in,
    "in_nonempty": _in_nonempty,
    "in_ci": _in_ci,
    "in_ci_nonempty": _in_ci_nonempty,
    "resource_name": _resource_name,
    "header_rules": _header_rules,
    "in_or_duration": _in_or_duration,
    "one_or_some": _one_or_some,
    "kafka_version": _kafka_version,
    "nonempty": _nonempty,
    "nonempty_no_control": _nonempty_no_control,
    "nonempty_list": _nonempty_list,
    "entries": _no_blank,
    "urls": _nonempty_list,
    "urls_or_empty": _no_blank,
    "unique": _unique,
    "unique_entries": _unique_entries,
    "at_most_entries": _at_most_entries,
    "throttled_replicas": _throttled_replicas,
    "voters": _voters,
    "endpoints": _endpoints,
    "bootstrap": _bootstrap,
    "host_numbers": _host_numbers,
    "flag": _unchecked,
    "text": _unchecked,
}
