"""The target release that everything is judged for, from a Kafka or Confluent Platform version."""

from __future__ import annotations

from advisor.catalog import NEWEST, OLDEST, VERSIONS
from advisor.catalog.support_dates import CONFLUENT as CONFLUENT_PLATFORM
from advisor.catalog.support_dates import MSK
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
MSK_BUILDS = ("tiered", "kraft")
"""What Amazon MSK adds to a release: 2.8.2.tiered, 3.7.x.kraft."""
VENDORS = {"cp": CONFLUENT_PLATFORM, "msk": MSK}
BUILDS = dict.fromkeys(CONFLUENT_BUILDS, CONFLUENT_PLATFORM) | dict.fromkeys(MSK_BUILDS, MSK)
LATEST = "latest"
NOT_SAID = "newest release: the brokers did not say theirs"
"""The reason for the release of a cluster whose brokers did not say it."""
KNOWN = f"known are Kafka {', '.join(f'{major}.{minor}' for major, minor in sorted(VERSIONS))} and {LATEST}"
HOW = "write it like 3.9, 3.9.2, 3.9-IV0 or, for a vendor's, cp7.9 (Confluent Platform) and msk3.6 (Amazon MSK)"

LONGEST_WORD = 8
"""Characters of a text without a dot that is quoted where a release belongs; a longer one may be a secret."""


def target_of(text: str, where: str) -> Target:
    """Parse the target release that a person gave at `where`, an option or a line of a file. Raises UserError."""
    if text.strip().lower() == LATEST:
        return Target(NEWEST, f"{where} {LATEST}", given=True)
    try:
        version, note = release_of(text)
    except ValueError as bad:
        raise UserError(f"{where}: {bad}") from None
    if note:
        raise UserError(f"{where} {text}: {note.partition(': judged as')[0].removesuffix('.')}; {KNOWN}")
    return Target(version, f"{where} {text}", given=True, vendor=vendor_of(text))


def release_of(text: str) -> tuple[tuple[int, int], str | None]:
    """The version of the catalogs nearest to the release that a text names, and a note if it is not that one."""
    vendor, pair = _named(text)
    return _nearest_confluent(pair) if vendor == CONFLUENT_PLATFORM else _nearest(pair)


def vendor_of(text: str) -> tuple[str, tuple[int, int]] | None:
    """The vendor whose release a text names, and the vendor's own number of it; None for Apache's."""
    vendor, pair = _named(text)
    return (vendor, pair) if vendor else None


def _named(text: str) -> tuple[str | None, tuple[int, int]]:
    """The vendor and the first two numbers of the release that a text names."""
    wanted = text.strip().lower()
    vendor = next((name for prefix, name in VENDORS.items() if wanted.startswith(prefix)), None)
    wanted = wanted.removeprefix("cp").removeprefix("msk").lstrip("-_ ") if vendor else wanted.removeprefix("v")
    release, dash, build = wanted.partition("-")
    head, dot, last = release.rpartition(".")
    if last in MSK_BUILDS:
        release, dash, build = head, dot, last
    pair = _pair(release)
    if pair is None or (dash and not build.replace(".", "").replace("-", "").isalnum()):
        shown = f"'{text[:60]}'" if "." in text or len(text) <= LONGEST_WORD else "what stands there"
        raise ValueError(f"{shown} is not a Kafka version: {HOW}.")
    return vendor or BUILDS.get(build.split("-")[0]), pair


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
