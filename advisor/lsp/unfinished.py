"""What a buffer would describe if the line that is typed were another one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from advisor.edits.fixes import UNBOUND
from advisor.lsp.positions import Text
from advisor.lsp.session import Session
from advisor.lsp.settings_at import Buffer, data_of
from advisor.model import DEPLOYMENT, Entity, Setting, Snapshot

Neighbour = tuple[Snapshot, Entity, Setting]


def read(session: Session, path: str, text: Text) -> tuple[Buffer, Sequence[Snapshot]]:
    """What a buffer would describe with another text; what was judged already is not read again."""
    document = session.documents.get(path)
    state = session.known(document) if document is not None and document.text is text else None
    if state is not None:
        return state.buffers[path], state.judged.side.snapshots
    together = (document.together if document else None) or (path,)
    texts = {os.path.realpath(each.path): data_of(each.text.text) for each in session.documents.values()}
    texts[os.path.realpath(path)] = data_of(text.text)
    return Buffer(path, text), session.judge.read(together, texts, session.client)


def settings_of(path: str, snapshots: Iterable[Snapshot]) -> list[Neighbour]:
    """The settings that stand in a file and are its own words."""
    return [
        (snapshot, entity, setting)
        for snapshot in snapshots
        for entity in snapshot.entities
        if entity.kind != DEPLOYMENT
        for setting in entity.settings.values()
        if setting.origin.file == path
        and setting.origin.line
        and not setting.derived
        and not setting.key.startswith(UNBOUND)
    ]
