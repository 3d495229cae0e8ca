"""kafka-features describe: finalized and highest levels. Source: FeatureCommand, MetadataVersion."""

from __future__ import annotations

import re
from collections.abc import Sequence

from advisor.catalog.features import LEVELS, METADATA_VERSION
from advisor.model import is_whole_number
from collectors.outputs.facts import Facts

ROW = re.compile(
    r"Feature: (\S{1,100})\s+SupportedMinVersion: \S+\s+SupportedMaxVersion: (\S+)\s+FinalizedVersionLevel: (\S+)"
)
RELEASE = re.compile(r"(\d)\.(\d{1,2})-IV(\d{1,2})")


def read(lines: Sequence[str], facts: Facts) -> None:
    """Read the features that some lines show."""
    for line in lines:
        match = ROW.search(line) if "Feature:" in line else None
        if match is None:
            continue
        name, highest, finalized = match.groups()
        supported_level, level = level_of(name, highest), level_of(name, finalized)
        if supported_level is not None:
            facts.supported[name] = supported_level
        if level is not None:
            facts.features[name] = level


def level_of(feature: str, text: str) -> int | None:
    """The number of a level; metadata.version is written as 4.3-IV0. None for what is not a level."""
    if is_whole_number(text):
        return int(text)
    match = RELEASE.fullmatch(text) if feature == METADATA_VERSION else None
    if match is None:
        return None
    major, minor, increment = map(int, match.groups())
    before = [highest for release, highest in LEVELS.items() if release < (major, minor)]
    return max(before, default=-1) + 1 + increment
