"""What the reports on single files have in common: how an entity is named, and one or several documents of JSON."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.model import Entity


def named(entity: Entity) -> str:
    """The file of an entity, and its name where the file's format gives it one."""
    return f"{entity.file}" if entity.format == "properties" else f"{entity.file}: {entity.name}"


def dump_documents(documents: Sequence[object]) -> str:
    """One document as it is, several as a list."""
    from advisor.reports.json_text import dump

    return dump(documents[0] if len(documents) == 1 else list(documents), indent=2)
