"""The release of Kafka that Bitnami's chart runs, and the generation of its values, by its own version.

Source: bitnami/charts (the history of kafka/Chart.yaml); versions whose charts ran two releases are left out.
"""

from __future__ import annotations

import re

RELEASES = {
    "13": "2.8", "14": "2.8", "16": "3.1", "17": "3.2", "18": "3.2", "19": "3.3", "21": "3.4", "22": "3.4", "23": "3.5",
    "24": "3.5", "25": "3.5", "26": "3.6", "27": "3.7", "28": "3.7", "29": "3.7", "30": "3.8", "31": "3.9", "32": "4.0",
}  # fmt: skip
VERSION = re.compile(r"\s*[v~^=]?\s*([0-9]+)(?:\.(?:[0-9]+|[x*]))*\s*")


def release_of_chart(version: str) -> str:
    """Kafka's release by the version of a chart, or by a range within one; empty where it is not known."""
    match = VERSION.fullmatch(version)
    return RELEASES.get(match[1], "") if match else ""


def version_is_from_24(version: str) -> bool:
    """Whether a chart of that version has sections of controllers and of brokers, and runs KRaft where nothing else is said."""
    match = VERSION.fullmatch(version)
    return match is not None and int(match[1]) >= 24
