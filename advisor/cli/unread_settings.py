"""What files set in a form that no reader follows, beside what is judged of them or in place of it."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from advisor.model import Entity

    Judged = dict[str, set[str]]
    """Values by the spelling of their key; an empty one stands for any."""

ANY = ""
PLAN = "plan"
"""The fact of a plan of Terraform, which holds beside what it leads to all that there was before."""


def settings_beside_judged(entities: Sequence[Entity], whole: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """(file, keys) of what files that are judged set in a form that no reader of theirs follows; of `whole` formats every line is read."""
    plans = {each.file for each in entities if PLAN in each.settings}
    judged: dict[str, Judged] = {
        each.file: {} for each in entities if each.file and each.format not in whole and each.file not in plans
    }
    if not judged:
        return
    from collectors.files.unfollowed.file_settings import settings_beside

    for entity in entities:
        if entity.file in judged:
            _add(judged[entity.file], entity, entity.file)
        for file in judged.keys() & {each.origin.file for each in entity.settings.values()} - {entity.file}:
            _add(judged[file], entity, file)
    for path, settings in judged.items():
        if named := settings_beside(path, settings):
            yield path, named


def _add(judged: Judged, entity: Entity, file: str | None) -> None:
    """Add the values of an entity's settings; one that another file sets may have replaced any of this one's."""
    for setting in entity.settings.values():
        values = {each.value for each in (setting, *setting.shadowed)} if setting.origin.file == file else {ANY}
        for spelling in (setting.key, setting.written or setting.key):
            judged.setdefault(spelling, set()).update(values)


def formats_of_judged(entities: Iterable[Entity], unjudged: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The format in which files without an entity of their own are judged all the same, because another file takes all that they set."""
    formats: dict[str, str] = {}
    keys: dict[str, set[str]] = {path: set() for path in unjudged}
    for entity in entities if unjudged else ():
        for setting in entity.settings.values():
            if setting.origin.file in keys:
                keys[setting.origin.file].add(setting.key)
                formats[setting.origin.file] = entity.format
        for path in (path for path in keys if entity.root and os.path.normpath(os.path.dirname(path)) == entity.root):
            keys[path].update(entity.settings)
            formats[path] = entity.format
    return {path: format for path, format in formats.items() if set(unjudged[path]) <= keys[path]}


def several(keys: Sequence[str]) -> str:
    """The first of some settings that are not read, and how many more there are."""
    others = f" and {len(keys) - 1} more" if len(keys) > 1 else ""
    return f"{keys[0]}{others} in a form that is not followed"
