"""Whether edited files are as they should be: the findings gone, none new, all other settings the same, and what is in force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from advisor.analysis.effective import Defaults, effective_rows
from advisor.config import Config
from advisor.edits.fixes import DROP, MOVE_COMMENT, RENAME, SET
from advisor.engine.report import Report
from advisor.engine.subjects.contents import contents_of
from advisor.model import DEPLOYMENT, Entity, Snapshot
from advisor.model.finding import Finding, rank

WORSE = "medium"
"""The severity from which on a new finding, or one about a change, speaks against a fix."""
BEYOND_FIELDS = "properties."
"""What Spring's keys begin with that are Kafka's own names."""
DIGEST = "configuration.digest"
"""A fact of a deployment that follows from the settings of its brokers."""
Pair = tuple[Entity | None, Entity | None]
"""An entity before and after; None on one side where there is another number of them."""
Identity = tuple[str, str | None, tuple[str, str], str | None]


class Side(NamedTuple):
    """Files in one state: what they describe, what is reported of it, and what any rule finds there."""

    snapshots: Sequence[Snapshot]
    report: Report
    findings: Sequence[Finding]


def identity(finding: Finding) -> Identity:
    """What is the same of a finding before and after an edit."""
    return finding.rule, finding.file, finding.entity, finding.kafka_key or finding.key


def objection(fixes: Sequence[Finding], before: Side, after: Side) -> str:
    """What speaks against fixes whatever they are; empty for nothing."""
    was, now = (Counter(map(identity, side.findings)) for side in (before, after))
    wanted = Counter(map(identity, fixes))
    if any(now[each] > was[each] - count for each, count in wanted.items()):
        return "the finding would stay"
    new = next((row for row in after.findings if is_worse(row) and now[identity(row)] > was[identity(row)]), None)
    if new is not None:
        return f"it would bring {new.rule} {new.name} ({new.severity})"
    refused = {identity(row) for row in before.findings if row.refused}
    worse = next((row for row in after.findings if row.refused and identity(row) not in refused), None)
    if worse is not None:
        return f"Kafka would refuse {worse.name}: {worse.message}"
    if len(entities_of(after)) > len(entities_of(before)) and not any(map(brings_settings, fixes)):
        return "the file would describe something else, too"
    touched = {name for finding in fixes for key in keys_of(finding) for name in (key, prefix_of(finding) + key)}
    return (
        ""
        if all(is_same(*pair, touched) for pair in pairs(before, after))
        else "other settings would be read in another way"
    )


def is_worse(finding: Finding) -> bool:
    """Whether a new finding like this one speaks against a fix."""
    return rank(finding.severity) >= rank(WORSE)


def keys_of(finding: Finding) -> Iterator[str]:
    """The keys that a fix may change."""
    yield finding.kafka_key or finding.key or ""
    verb, _, argument = finding.edit.partition(" ")
    if verb in (SET, RENAME, "remove"):
        yield argument.partition("=")[0].removeprefix(BEYOND_FIELDS)


def prefix_of(finding: Finding) -> str:
    """What stands before the key of a client in the file of its worker or connector, where it is a key of that, too."""
    return (finding.key or "").removesuffix(finding.kafka_key or finding.key or "")


def entities_of(side: Side) -> list[Entity]:
    """What the files of one state describe."""
    return [entity for snapshot in side.snapshots for entity in snapshot.entities]


def brings_settings(finding: Finding) -> bool:
    """Whether a fix binds what a framework ignored, which may be all that there is of a client."""
    return finding.edit.startswith(f"{RENAME} {BEYOND_FIELDS}")


def pairs(before: Side, after: Side) -> Iterator[Pair]:
    """The entities before and after."""
    one, other = entities_of(before), entities_of(after)
    named = {(row.kind, row.name, row.file): row for row in other}
    if len(one) > len(other):
        yield None, None
    for entity in one:
        yield entity, named.get((entity.kind, entity.name, entity.file))


def is_same(old: Entity | None, new: Entity | None, touched: set[str]) -> bool:
    """Whether an entity is read as before, but for some keys, by Kafka's name or as they are written."""
    if old is None or new is None or old.target.text != new.target.text:
        return False
    keys = (old.settings.keys() | new.settings.keys()) - touched - {DIGEST}
    differing = [key for key in keys if not key.startswith("unbound.") and _text(old, key) != _text(new, key)]
    return all({row.settings[key].written for row in (old, new) if key in row.settings} & touched for key in differing)


def snapshots_that_differ(before: Side, after: Side) -> tuple[Sequence[Snapshot], Sequence[Snapshot]]:
    """The snapshots of both states without those of which every entity is read as before; all where there is another number of them."""
    old, new = before.snapshots, after.snapshots
    if len(old) != len(new):
        return old, new
    numbers = [number for number, pair in enumerate(zip(old, new, strict=True)) if not _are_same(*pair)]
    return [old[number] for number in numbers], [new[number] for number in numbers]


def _are_same(old: Snapshot, new: Snapshot) -> bool:
    return len(old.entities) == len(new.entities) and all(
        (one.kind, one.name, one.file) == (other.kind, other.name, other.file) and is_same(one, other, set())
        for one, other in zip(old.entities, new.entities, strict=True)
    )


def _text(entity: Entity, key: str) -> tuple[str, str] | None:
    setting = entity.settings.get(key)
    return None if setting is None else (setting.value, setting.shape)


def why_unsafe(
    fixes: Sequence[Finding], before: Side, after: Side, changes: Callable[[Side, Side], Sequence[Finding]]
) -> str:
    """What of what is in force a fix would change; empty for nothing. Nothing runs with a value that Kafka refuses."""
    why = other_in_force(fixes, pairs(before, after))
    if why:
        return why
    refused = {key for finding in fixes if finding.refused for key in keys_of(finding)}
    dangerous = next(
        (row for row in changes(before, after) if is_worse(row) and (row.kafka_key or row.key) not in refused),
        None,
    )
    return f"{dangerous.rule} {dangerous.name}: {dangerous.message}" if dangerous is not None else ""


def other_in_force(fixes: Sequence[Finding], of_entities: Iterable[Pair]) -> str:
    """What of what is in force is another value after fixes; empty for nothing."""
    exempt = {key for finding in fixes for key in unread_keys(finding)}
    renames = renames_of(fixes)
    compared = set[tuple[Hashable, Hashable]]()
    for old, new in of_entities:
        if old is None or new is None or old.kind == DEPLOYMENT or old.settings == new.settings:
            continue
        contents = contents_of(Config(old)), contents_of(Config(new))
        if contents in compared:
            continue
        compared.add(contents)
        was, now = in_force(old), in_force(new)
        follow_renames(renames, was)
        key = next((key for key in sorted(was.keys() | now.keys()) if key not in exempt and was.get(key) != now.get(key)), None)  # fmt: skip
        if key is not None:
            return f"{key} would be {now.get(key) or 'empty'} in place of {was.get(key) or 'empty'}"
    return ""


def unread_keys(finding: Finding) -> Iterator[str]:
    """The keys whose value was not in force before: dropped because nothing reads it, or refused by Kafka."""
    verb = finding.edit.partition(" ")[0]
    if verb == DROP or (finding.refused and (verb == SET or finding.edit == MOVE_COMMENT)):
        yield from keys_of(finding)


def renames_of(fixes: Iterable[Finding]) -> dict[str, str]:
    """The new name of each key that fixes rename."""
    edits = ((finding.kafka_key or finding.key or "", *finding.edit.partition(" ")) for finding in fixes)
    return {old: new for old, verb, _, new in edits if verb == RENAME}


def follow_renames(renames: Mapping[str, str], rows: dict[str, str | None]) -> None:
    """Expect of each key's new name what the old one said."""
    for old, new in renames.items():
        if old in rows:
            rows[new] = rows.pop(old)


def in_force(entity: Entity) -> dict[str, str | None]:
    """The effective value of every key of the release, defaults included."""
    return {row.key: row.value for row in effective_rows(Config(entity), Defaults())}
