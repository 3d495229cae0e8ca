"""Effective values that differ between two releases while the file stays as it is."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from advisor import catalog
from advisor.analysis.effective import (
    DOUBLES_DROPPED,
    EffectiveValue,
    default_rows,
    effective_rows,
    keys_to_show,
    row_of,
    stands_in,
)
from advisor.analysis.upgrade.plan import LEAST_NOTABLE, SETTING, SILENT, UpgradeRow, text_of
from advisor.analysis.upgrade.subject_upgrade import SubjectUpgrade
from advisor.analysis.upgrade.verdicts import DefaultRows
from advisor.config import Config, scaled
from advisor.engine.subjects.contents import frame_of
from advisor.model import DEFAULT, MASK, Version

BOOTSTRAP, OPERATORS = "bootstrap.servers", ("strimzi", "cfk")
"""What an operator sets of the addresses in its resources, whatever the default is."""
CHANGED_DEFAULT = "KA1406"
"""The rule whose keys are those of which a new default is worth a finding, in its order."""
NOTABLE, LEAST = 10, 400
"""The urgency of the first of these keys, and that of what changes little."""
IMPORTANCE = {"high": LEAST_NOTABLE, "medium": 200, "low": 300}
"""The urgency of other keys, by the importance that Kafka gives them."""


def silent_rows(subject: SubjectUpgrade) -> Iterator[UpgradeRow]:
    """A row for each key whose effective value changes by the upgrade alone."""
    if subject.entity.family != "java":
        return
    defaults = defaults_of(subject)
    written = written_rows(subject.today, subject.then, keys=defaults.keys)
    own = (key for side in written for key in side)
    rows: dict[str, UpgradeRow | None] = defaults.rows | dict.fromkeys(own)
    for key in sorted(rows):
        row = rows[key]
        if row is not None:
            yield row.at(subject.at(key))
        elif new := written[1].get(key) or defaults.after.get(key):
            yield from rows_of_key(subject, written[0].get(key) or defaults.before.get(key), new)


def defaults_of(subject: SubjectUpgrade) -> DefaultRows:
    """The defaults before and after, and the rows of those that change, which subjects with the same keys share."""
    known = subject.verdicts.defaults
    frames = tuple(frame_of(Config(side.entity)) for side in (subject.today, subject.then))
    if frames not in known or subject.entity.kind == "mirror":
        before, after = default_rows(subject.today), default_rows(subject.then)
        rows = {key: row for key, new in after.items() for row in rows_of_key(subject, before.get(key), new)}
        known[frames] = DefaultRows(before, after, rows, keys_to_compare(subject.today, subject.then))
    return known[frames]


def keys_to_compare(today: Config, then: Config) -> list[str]:
    """The keys whose values two releases may read in two ways."""
    keys = dict.fromkeys([*keys_to_show(today, all=False), *keys_to_show(then, all=False)])
    return [key for key in keys if how_it_is_read(today, key) != how_it_is_read(then, key)]


def how_it_is_read(config: Config, key: str) -> Hashable:
    """All that a release adds to a written value."""
    setting = config.setting(key)
    definitions = [config.definition(each) for each in (key, setting.key if setting else key)]
    takes_doubles = config.version < DOUBLES_DROPPED
    types = [each and (each.type, each.valid, each.type != "list" or takes_doubles) for each in definitions]
    return stands_in(config, key), types


def rows_of_key(subject: SubjectUpgrade, old: EffectiveValue | None, new: EffectiveValue) -> Iterator[UpgradeRow]:
    """The row of a key that the target has, if there is something to say of it."""
    if old is not None:
        yield from changed(subject, old, new)
    elif new.setting is not None and subject.today.definition(new.key) is None:
        reads = f"{text_of(subject.present)} ignores the key, {text_of(subject.to)} reads it"
        yield silent_row(subject, new.key, None, new.value, reads)
    elif new.source == DEFAULT and not subject.entity.fragment:
        yield from changed_since_it_came(subject, new)


def written_rows(*sides: Config, keys: Sequence[str]) -> list[dict[str, EffectiveValue]]:
    """The effective values of some keys that the file decides, and of those that one of the releases derives."""
    rows = [{row.key: row for row in effective_rows(config, keys=keys)} for config in sides]
    derived = {key for of_side in rows for key in of_side}
    for config, of_side in zip(sides, rows, strict=True):
        own = (row_of(config, key) for key in derived - of_side.keys() if config.setting(key) is not None)
        of_side.update({row.key: row for row in own if row is not None})
    return rows


def changed(subject: SubjectUpgrade, old: EffectiveValue, new: EffectiveValue) -> Iterator[UpgradeRow]:
    """The row of a key that both releases have, where its value differs; a default that was masked says nothing."""
    if new.key == BOOTSTRAP and new.source == DEFAULT and subject.entity.format in OPERATORS:
        return
    before, after = compared_text(subject.today, old), compared_text(subject.then, new)
    if MASK not in (before, after) and comparable(before) != comparable(after):
        release, source = default_change(subject, new.key)
        default = f"left at its default, and {text_of(release)} has another" if release else "left at its default"
        message = default if new.source == DEFAULT else new.note or f"{text_of(subject.to)} reads it in another way"
        yield silent_row(subject, new.key, old.value, new.value, message, source)


def default_change(subject: SubjectUpgrade, key: str) -> tuple[Version | None, str | None]:
    """The last release up to the target that changed a key's default, and the KIP or note that says so."""
    components, bare = subject.then.resolve(key)
    changes = (change for component in components for change in catalog.key_history(component, bare).defaults)
    passed = [change for change in changes if subject.crosses(change[0])]
    return (passed[-1][0], passed[-1][3]) if passed else (None, None)


def compared_text(config: Config, row: EffectiveValue) -> str | None:
    """The value to compare: what outputs hide of a default that a cluster described is still one value or another."""
    if row.source != DEFAULT or config.entity.described is None or config.entity.fragment:
        return row.value
    text, factor = config.default(row.key)
    return scaled(text, factor) if text is not None else None


def comparable(value: str | None) -> str | tuple[str, ...]:
    """A value as it counts: none is empty, and the order of a map's entries means nothing."""
    entries = (value or "").split(",")
    return tuple(sorted(entries)) if all(":" in entry for entry in entries) else value or ""


def changed_since_it_came(subject: SubjectUpgrade, new: EffectiveValue) -> Iterator[UpgradeRow]:
    """The row of a key that only the target has, and whose default is no longer the one it came with."""
    components, bare = subject.then.resolve(new.key)
    histories = (catalog.key_history(component, bare) for component in components)
    history = next((each for each in histories if each.since and each.defaults), None)
    release, source = default_change(subject, new.key)
    if history is None or release is None or comparable(history.defaults[0][1]) == comparable(new.value):
        return
    message = f"the key came with {text_of(history.since or subject.to)}, and {text_of(release)} changed its default"
    row = silent_row(subject, new.key, history.defaults[0][1], new.value, message, source)
    yield row if row.urgency < LEAST_NOTABLE else row._replace(urgency=LEAST)


def silent_row(
    subject: SubjectUpgrade, key: str, old: str | None, new: str | None, message: str, source: str | None = None
) -> UpgradeRow:
    """A silent change, as urgent as its key."""
    order = urgency(subject, key)
    return subject.row(SILENT, SETTING, key, message, source=source, change=(old, new), urgency=order)


def urgency(subject: SubjectUpgrade, key: str) -> int:
    """How far up a change of the key stands: 0 is worst."""
    notable = subject.verdicts.items(CHANGED_DEFAULT)
    _, bare = subject.then.resolve(key)
    if bare in notable:
        return NOTABLE + notable.index(bare)
    definition = subject.then.definition(key)
    return IMPORTANCE.get((definition.importance if definition else None) or "", LEAST)
