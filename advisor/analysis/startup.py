"""Whether something starts: what Kafka of one release refuses, what it uses instead, what the file cannot tell."""

from __future__ import annotations

from copy import copy

from advisor import catalog
from advisor.analysis.startup_externals import elsewhere, text
from advisor.analysis.startup_requirements import contradictions, missing, needed
from advisor.catalog import values
from advisor.config import Config
from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.engine.verdicts import CRASH
from advisor.model import CLIENT_KINDS, Snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.engine.report import Report
    from advisor.model import Entity, Version
    from advisor.rule import Rule

ADDRESSES = (
    *("listeners", "advertised.listeners", "listener.security.protocol.map", "controller.listener.names"),
    *("controller.quorum.voters", "controller.quorum.bootstrap.servers", "zookeeper.connect"),
)
GROUP, COMMIT = "group.id", "enable.auto.commit"


class Said:
    """A key and what there is to say of it; `rule` is the id of the rule that says so, if one does."""

    __slots__ = ("key", "message", "rule")

    def __init__(self, key: str, message: str, rule: str | None = None) -> None:
        self.key = key
        self.message = message
        self.rule = rule


class Start:
    """What one release does with the settings: `refused` is None where the file alone cannot tell."""

    __slots__ = ("changed", "ignored", "reasons", "unknown", "version")

    def __init__(self, version: Version) -> None:
        self.version = version
        self.reasons: list[Said] = []
        self.changed: list[Said] = []
        self.ignored: list[str] = []
        self.unknown: list[Said] = []

    @property
    def refused(self) -> bool | None:
        """True, False, or None for unknown."""
        return True if self.reasons else None if self.unknown else False


class Starter:
    """Asks the rules that can refuse a start or name a silent change."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = [rule for rule in rules if rule.refuses or rule.changes]
        self.by_id = {rule.id: rule for rule in self.rules}
        self.policy = Policy(self.rules)

    def start(self, entity: Entity, others: Sequence[Entity] = (), complete: bool = False) -> Start:
        """The verdict on an entity beside the others of its cluster.

        `complete` says that nothing is added later, by code or by a template: what is not there is missing.
        """
        found = Start(entity.target.version)
        config = Config(entity)
        report = self._judge(entity, others)
        if complete and report.unknown:
            report = self._judge(spelled_small(entity), others)
        self._sort(found, report, config, complete)
        if complete:
            found.reasons += [Said(key, why) for key, why in missing(config)]
        else:
            found.unknown += [Said(key, f"{key} is not in the file: the code has to set it") for key in needed(config)]
            found.unknown += [Said(key, f"{why}, unless the code sets it") for key, why in contradictions(config)]
        found.changed += uncommitted(config)
        found.changed += backed_off(config)
        found.unknown += [Said(key, reason) for key, reason in elsewhere(config)]
        found.ignored = ignored(config)
        found.reasons, found.changed = once(found.reasons), once(found.changed)
        found.unknown = once(found.unknown)
        return found

    def _judge(self, entity: Entity, others: Sequence[Entity]) -> Report:
        return judge([Snapshot(entity.name, [entity, *others])], self.rules, self.policy)

    def _sort(self, found: Start, report: Report, config: Config, complete: bool) -> None:
        for finding in report.findings:
            said = Said(finding.key or "", finding.message, finding.rule)
            if finding.rule == CRASH:
                found.unknown.append(said)
            elif finding.refused:
                found.reasons.append(said)
            elif finding.changes:
                found.changed.append(said)
        for row in report.unknown:
            if complete:
                found.reasons += literally(config, row.key, row.rule)
            elif self.by_id[row.rule].refuses:
                found.unknown.append(Said(row.key or "", row.reason, row.rule))


def spelled_small(entity: Entity) -> Entity:
    """The same with addresses in lower case: nothing in them reads like a WORD that somebody fills in."""
    small = copy(entity)
    small.settings = dict(entity.settings)
    for key in ADDRESSES:
        if key in small.settings:
            small.settings[key] = copy(small.settings[key])
            small.settings[key].value = small.settings[key].value.lower()
    return small


def literally(config: Config, key: str | None, rule: str) -> Iterator[Said]:
    """What Kafka says of a value that reads like a placeholder and is none."""
    definition = config.definition(key) if key else None
    if key and definition is not None and key in config.settings and not config.settings[key].secret:
        text = config.settings[key].value
        refusal = values.refusal(definition, text, config.version)
        if refusal:
            yield Said(key, f"{text.strip() or 'empty'}: {refusal}", rule)


def uncommitted(config: Config) -> Iterator[Said]:
    """Without a group nothing is committed, although enable.auto.commit is true by default."""
    lone = config.entity.kind == "consumer" and not config.librdkafka and config.version >= (2, 2)
    if lone and GROUP not in config.settings and COMMIT not in config.settings:
        yield Said(COMMIT, "counts as false: there is no group.id")


def backed_off(config: Config) -> Iterator[Said]:
    """A client's longest pause follows the first one, where only that is written."""
    first, longest = "reconnect.backoff.ms", "reconnect.backoff.max.ms"
    java = config.entity.kind in CLIENT_KINDS and not config.librdkafka
    if java and first in config.settings and longest not in config.settings:
        yield Said(longest, f"becomes {text(config, first)}, as {first}: the pause does not grow")


def ignored(config: Config) -> list[str]:
    """The keys that this release does not know and some other one does."""
    if config.entity.kind == "topic" or config.librdkafka:
        return []
    unknown = [key for key in config.settings if config.definition(key) is None]
    return [key for key in unknown if catalog.known_anywhere(config.resolve(key)[1])]


def once(said: list[Said]) -> list[Said]:
    """Without repetitions."""
    return list({(row.key, row.message): row for row in said}.values())
