"""What files of a folder include from outside of it, or change of others that are judged without it: it is not read."""

from __future__ import annotations

import os

from advisor.model import SERVER_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.model import Entity

KUSTOMIZATION = "kustomization"


def unread_includes(
    folder: str, paths: Sequence[str], others: Sequence[str], entities: Iterable[Entity]
) -> Iterator[tuple[str, str]]:
    """(file, what of it is not read) of the files below a folder; `others` mention nothing of Kafka."""
    from collectors.files.unfollowed.outside_files import outside_files

    files = list(dict.fromkeys((*paths, *others)))
    for path, name in outside_files(files, folder):
        yield path, f"{name}, which it includes, is outside of this folder"
    if any(KUSTOMIZATION in os.path.basename(path).lower() for path in files):
        from collectors.files.run_files import RunFiles
        from collectors.files.unfollowed.kustomizations import changes_of

        for path, what in changes_of(RunFiles(files), nodes_of(entities)):
            yield path, f"its {what} change a node that is judged without them"


def nodes_of(entities: Iterable[Entity]) -> dict[str, list[str]]:
    """The names of the nodes of each file."""
    names: dict[str, list[str]] = {}
    for entity in entities:
        if entity.file and entity.kind in SERVER_KINDS:
            names.setdefault(entity.file, []).append(entity.name)
    return names
