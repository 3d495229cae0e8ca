"""The target release that everything is judged for, from a Kafka or Confluent Platform version."""

from __future__ import annotations

from advisor.catalog import NEWEST, OLDEST, VERSIONS
from advisor.errors import UserError
from advisor.model import Target

# Confluent Platform counts on its own: 5.0 is Kafka 2.0.
CONFLUENT: dict[tuple[int, int], tuple[int, int]] = {
    **{(5, n): (2, n) for n in range(6)},
    (6, 0): (2, 6), (6, 1): (2, 7), (6, 2): (2, 8),
    **{(7, n): (3, n) for n in range(10)},
    **{(8, n): (4, n) for n in range(5)},
}  # fmt: skip
CONFLUENT_BUILDS = ("ccs", "ce")


def target_of(text: str, where: str) -> Target:
    """Parse the target release given at `where`, an option or a line of a file. Raises UserError."""
    try:
        version, note = release_of(text)
    except ValueError as bad:
        raise UserError(f"{where}: {bad}") from None
    return Target(version, f"{where} {text}" + (f"; {note}" if note else ""), given=True)


def release_of(text: str) -> tuple[tuple[int, int], str | None]:
    """The version of the catalogs nearest to the release that a text names, and a note if it is not that one."""
    wanted = text.strip().lower()
    confluent = wanted.startswith("cp")
    wanted = wanted[2:].lstrip("-_ ") if confluent else wanted.removeprefix("v")
    release, dash, build = wanted.partition("-")
    pair = _pair(release)
    if pair is None or (dash and not build.replace(".", "").replace("-", "").isalnum()):
        how = "write it like 3.9, 3.9.2, 3.9-IV0 or, for Confluent Platform, cp7.9"
        raise ValueError(f"'{text[:60]}' is not a Kafka version: {how}.")
    if confluent or build.split("-")[0] in CONFLUENT_BUILDS:
        return _nearest_confluent(pair)
    return _nearest(pair)


def _pair(release: str) -> tuple[int, int] | None:
    """The first two numbers of '3.9.2'; what follows may be a number or an x."""
    numbers = release.split(".")
    if len(numbers) < 2 or not all(
        number.isascii() and number.isdigit() and len(number) < 10 for number in numbers[:2]
    ):
        return None
    if not all(number == "x" or (number.isascii() and number.isdigit()) for number in numbers[2:]):
        return None
    return int(numbers[0]), int(numbers[1])


def _nearest(pair: tuple[int, int]) -> tuple[tuple[int, int], str | None]:
    if pair in VERSIONS:
        return pair, None
    named = f"Kafka {pair[0]}.{pair[1]}"
    if pair < OLDEST:
        return OLDEST, f"{named} is older than the catalogs, which begin with 2.0: judged as 2.0."
    if pair > NEWEST:
        hint = f" (Confluent Platform is written cp{pair[0]}.{pair[1]})" if pair in CONFLUENT else ""
        return NEWEST, f"{named} is newer than the catalogs{hint}: judged as {NEWEST[0]}.{NEWEST[1]}."
    near = max(version for version in VERSIONS if version < pair)
    return near, f"There is no {named}: judged as {near[0]}.{near[1]}."


def _nearest_confluent(pair: tuple[int, int]) -> tuple[tuple[int, int], str | None]:
    if pair in CONFLUENT:
        return CONFLUENT[pair], None
    named = f"Confluent Platform {pair[0]}.{pair[1]}"
    if pair < min(CONFLUENT):
        return OLDEST, f"{named} is older than the catalogs, which begin with Kafka 2.0: judged as 2.0."
    near = CONFLUENT[max(release for release in CONFLUENT if release < pair)]
    why = "is newer than the catalogs" if pair > max(CONFLUENT) else "does not exist"
    return near, f"{named} {why}: judged as Kafka {near[0]}.{near[1]}."
