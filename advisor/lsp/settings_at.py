"""The settings of a buffer by their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from advisor.edits.change import NotEdited
from advisor.edits.editor import entry_at
from advisor.edits.text import FileText
from advisor.lsp.positions import Text
from advisor.model import Entity, Setting, Snapshot


class SettingPlace(NamedTuple):
    """A setting of a buffer: what it is of, and the offsets of its key and of its value."""

    snapshot: Snapshot
    entity: Entity
    setting: Setting
    key: tuple[int, int]
    value: tuple[int, int]


class Buffer:
    """A buffer as it was judged: its path and text, and the same text as the editor of files sees it."""

    def __init__(self, path: str, text: Text) -> None:
        self.path = path
        self.text = text
        self.data = data_of(text.text)
        self.file = FileText(path, self.data)

    def setting_range(self, setting: Setting) -> tuple[tuple[int, int], tuple[int, int]]:
        """Where the key and the value of a setting stand, as offsets of the buffer."""
        line, column = setting.origin.line or 1, setting.origin.column or 1
        start = self.text.offset_of(line, column)
        end = self.text.bounds(line - 1)[1]
        if setting.span is not None:
            first, last = self.text.span(setting.span)
            return (start, min(max(start, first), end)), (first, max(first, last))
        try:
            entry = entry_at(self.file, line, setting.origin.column, setting.written or setting.key, None)
        except NotEdited:
            return (start, end), (start, max(start, end))
        shift = start - entry.key[0] if entry.key[0] <= start else 0
        return tuple((a + shift, b + shift) for a, b in (entry.key, entry.value))  # type: ignore[return-value]

    def place_at(self, snapshots: Sequence[Snapshot], offset: int) -> SettingPlace | None:
        """The setting at an offset, the one with the shortest text of several."""
        line = self.text.line_and_column(offset)[0]
        places = [place for place in self._near(snapshots, line) if place.key[0] <= offset <= place.value[1]]
        return min(places, key=lambda place: place.value[1] - place.key[0], default=None)

    def _near(self, snapshots: Sequence[Snapshot], line: int) -> Iterator[SettingPlace]:
        """The settings that may stand in a line: those that begin in it or above it and end in it or below."""
        for snapshot in snapshots:
            for entity in snapshot.entities:
                for setting in written_settings(entity):
                    last = setting.span[2] if setting.span else setting.origin.line or 0
                    if setting.origin.file == self.path and (setting.origin.line or 0) <= line <= last:
                        yield SettingPlace(snapshot, entity, setting, *self.setting_range(setting))


def written_settings(entity: Entity) -> Iterator[Setting]:
    """Every setting of an entity, those that another one shadows and pieces of values included."""
    for setting in entity.settings.values():
        yield setting
        yield from setting.shadowed
        yield from (setting.parts or {}).values()


def data_of(text: str) -> bytes:
    """A buffer's text as the bytes of its file; half a character, which JSON allows, is a question mark."""
    return text.encode("utf-8", "replace")
