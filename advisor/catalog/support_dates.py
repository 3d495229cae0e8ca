"""Until when a release gets fixes: Apache's policy, and the dates that vendors publish for theirs.

Verdicts compare with AS_OF, the day on which the sources were read, and never with the clock.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.model import Version

AS_OF = "2026-11-22"
SOON = "2026-12-22"
"""A month later."""
APACHE = ((4, 2), (4, 3), (4, 4))
"""The newest three minor releases, which get fixes.

Source: https://cwiki.apache.org/confluence/display/KAFKA/Time+Based+Release+Plan (What Is Our EOL Policy?)
"""
CONFLUENT, MSK = "Confluent Platform", "Amazon MSK"
END_OF_SUPPORT: dict[str, dict[Version, str]] = {
    # "Standard End of Support" of https://docs.confluent.io/platform/current/installation/versions-interoperability.html
    CONFLUENT: {
        (5, 0): "2020-07-31", (5, 1): "2020-12-14", (5, 2): "2021-03-28", (5, 3): "2021-07-19", (5, 4): "2022-01-10",
        (5, 5): "2022-04-24", (6, 0): "2022-09-24", (6, 1): "2023-02-09", (6, 2): "2023-06-08", (7, 0): "2023-10-27",
        (7, 1): "2024-04-05", (7, 2): "2024-07-06", (7, 3): "2024-11-04", (7, 4): "2025-05-03", (7, 5): "2025-08-25",
        (7, 6): "2026-02-09", (7, 7): "2026-07-26", (7, 8): "2026-12-02", (7, 9): "2027-02-19",
    },
    # https://docs.aws.amazon.com/msk/latest/developerguide/supported-kafka-versions.html, the latest date of each minor
    MSK: {
        (2, 1): "2024-06-05", (2, 2): "2024-06-08", (2, 3): "2024-06-08", (2, 4): "2024-06-08", (2, 5): "2024-06-08",
        (2, 6): "2024-09-11", (2, 7): "2024-09-11", (2, 8): "2025-01-14", (3, 1): "2024-09-11", (3, 2): "2024-09-11",
        (3, 3): "2024-09-11", (3, 4): "2025-08-04", (3, 5): "2025-10-23", (3, 6): "2026-06-01",
    },
}  # fmt: skip
"""Each vendor's release and the day on which its support ends; a newer release than these is taken as supported."""


def ended(vendor: str, release: Version) -> str | None:
    """The day on which the vendor's support of the release ended; None where it has not, or nothing says so."""
    day = END_OF_SUPPORT[vendor].get(release)
    return day if day is not None and day <= AS_OF else None


def ends_soon(vendor: str, release: Version) -> str | None:
    """The day on which the vendor's support ends, where that is less than a month after AS_OF."""
    day = END_OF_SUPPORT[vendor].get(release)
    return day if day is not None and AS_OF < day < SOON else None


def is_listed(vendor: str, release: Version) -> bool:
    """Whether the vendor's dates say something of the release: it is among them or newer."""
    return release in END_OF_SUPPORT[vendor] or release > max(END_OF_SUPPORT[vendor])
