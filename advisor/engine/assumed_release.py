"""What is refused where nothing says which release a file is for: by every release that it may be for, or by some."""

from __future__ import annotations

from copy import copy

from advisor.cache import cached
from advisor.catalog import FIRST_KRAFT, LAST_ZOOKEEPER, NEWEST, OLDEST, VERSIONS
from advisor.config import Config
from advisor.engine.verdicts import items_of
from advisor.model import SERVER_KINDS, Target
from advisor.model.finding import FAIL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.engine.verdicts import RuleVerdict, VerdictTree
    from advisor.model import Version
    from advisor.rule import Rule

    Configs = tuple[Config, ...]


LARGE = 50_000
"""Characters of all values of a subject, above which only the assumed release is asked; a broker's file has some thousand."""
MANY = 1_000
"""Settings of a subject above which the same holds; a broker's file has some hundred."""


def is_assumed(configs: Configs) -> bool:
    """Whether nothing said the release of the first subject, which is one entity of a file."""
    entity = configs[0].entity
    return type(configs[0]) is Config and not entity.target.given and entity.cluster is None


def releases_refusing(rule: Rule, verdict: RuleVerdict, configs: Configs, item: object, verdicts: VerdictTree) -> str:
    """Which releases refuse what a verdict says, of those the file may be for; empty where all of them do.

    A release that lacks a key which the verdict is about is none the file is for.
    """
    written = [at.key for at in verdict.places if at.input == 0 and configs[0].setting(at.key) is not None]
    known = [key for key in written if configs[0].definition(key) is not None]
    if is_large(configs[0]):
        return words_of([configs[0].version], [])
    refusing, possible = [], []
    for version in possible_releases(configs[0]):
        at_version = tuple(_at(config, version) for config in configs)
        if any(at_version[0].definition(key) is None for key in known):
            continue
        possible.append(version)
        asked = (item,) if written or rule.each is None else items_of(rule, at_version)
        if any(_refuses(rule, at_version, each, verdicts) for each in asked):
            refusing.append(version)
    return "" if refusing == possible or not refusing else words_of(refusing, possible)


def is_large(config: Config) -> bool:
    """Whether a subject has too many settings, or too much text, to be judged once for every release."""
    settings = config.entity.settings
    return len(settings) > MANY or sum(len(setting.value or "") for setting in settings.values()) > LARGE


def possible_releases(config: Config) -> Sequence[Version]:
    """The releases that a file may be for, by the mode that a node is in."""
    is_node = config.entity.kind in SERVER_KINDS
    in_kraft = is_node and "process.roles" in config.settings
    with_zookeeper = is_node and not in_kraft and any(key.startswith("zookeeper.") for key in config.settings)
    first = FIRST_KRAFT if in_kraft else OLDEST
    last = max(LAST_ZOOKEEPER, config.version) if with_zookeeper else NEWEST
    return [version for version in VERSIONS if first <= version <= last]


@cached(4 * len(VERSIONS))
def _at(config: Config, version: Version) -> Config:
    """The subject at a release, with what it has answered there: several rules refuse one subject."""
    entity = copy(config.entity)
    if not entity.target.given:
        entity.target = Target(version, "one of those that it may be for")
    other = Config(entity, config.facts)
    other.other_role = config.other_role
    return other


def _refuses(rule: Rule, configs: Configs, item: object, verdicts: VerdictTree) -> bool:
    verdict = verdicts.verdict(rule, configs, item)
    return verdict.outcome == FAIL and verdict.problem is not None and verdict.problem.refused


def words_of(refusing: Sequence[Version], possible: Sequence[Version]) -> str:
    """The releases that refuse, in words: they are the newest or the oldest ones, else they are listed."""
    texts = [f"{major}.{minor}" for major, minor in refusing]
    if possible and list(refusing) == list(possible[-len(refusing) :]):
        return f"from Kafka {texts[0]} on"
    if list(refusing) == list(possible[: len(refusing)]):
        return f"up to Kafka {texts[-1]}"
    return f"by Kafka {', '.join(texts)}"
