"""Unused lines of a file: overridden, unknown to the release, or unknown to all releases."""

from __future__ import annotations

from advisor import catalog
from advisor.catalog.keys import OF_PROVIDERS, SYNONYMS, is_connector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.config import Config
    from advisor.model import Setting

OF_PLUGINS = "not one of Kafka's keys: only a serializer or another plug-in can read it"
OF_CONNECTORS = "not one of Connect's keys: the connector's own class reads it, or nothing does"
WELL_KNOWN = ("broker", "topic", "producer", "consumer")


class IgnoredLine:
    """A line that has no effect, and why."""

    __slots__ = ("setting", "why")

    def __init__(self, setting: Setting, why: str) -> None:
        self.setting = setting
        self.why = why


def ignored_lines(config: Config) -> list[IgnoredLine]:
    """The lines that have no effect, in the order of the file."""
    lines = list(_find_ignored_lines(config))
    return sorted(lines, key=lambda row: (row.setting.origin.line or 0, row.setting.key))


def _find_ignored_lines(config: Config) -> Iterator[IgnoredLine]:
    for key, setting in config.settings.items():
        for earlier in setting.shadowed:
            yield IgnoredLine(earlier, f"set again in line {setting.origin.line}")
        if config.definition(key) is None and not key.startswith(OF_PROVIDERS):
            yield IgnoredLine(setting, why_unknown(config, key))
    for primary in SYNONYMS:
        winner, _ = config.find(primary)
        if winner is not None and config.definition(primary) and primary not in ("broker.id", "metadata.log.dir"):
            for loser in overridden_settings(config, primary, winner):
                yield IgnoredLine(loser, f"{winner.key} wins")


def why_unknown(config: Config, key: str) -> str:
    """Why this release ignores a key."""
    if is_connector(config.entity):
        return OF_CONNECTORS
    components, bare = config.resolve(key)
    for component in components:
        history = catalog.key_history(component, bare)
        if history.removed and config.version >= history.removed:
            return f"gone since Kafka {history.removed[0]}.{history.removed[1]}"
        if history.since and config.version < history.since:
            return f"known from Kafka {history.since[0]}.{history.since[1]} on"
    owners = [owner for owner in catalog.known_anywhere(bare) if owner not in components]
    owners.sort(key=lambda owner: (owner not in WELL_KNOWN, owner))
    return f"a {owners[0]} key" if owners else OF_PLUGINS


def overridden_settings(config: Config, key: str, winner: Setting) -> list[Setting]:
    """The settings of other keys that would decide this one if the winner were not set."""
    others = (config.settings.get(other) for other, _ in SYNONYMS.get(key, ()) if key not in ("advertised.listeners",))
    return [other for other in others if other is not None and other is not winner and other.key != "listeners"]
