"""Spring Boot's files: an application's clients, and those that a profile changes, in a document or a file of its own."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model import DEPLOYMENT
from collectors.files.block import Block
from collectors.files.detect import fragment_of
from collectors.files.frameworks.dotted_properties import Flat, flatten
from collectors.files.frameworks.spring import FORMAT_NAME, clients, is_kafkas
from collectors.files.frameworks.spring_imports import with_imports
from collectors.files.frameworks.spring_layers import Layer, base_layers, knows, profile_in, profile_layers, profile_of
from collectors.files.sources import Sources
from collectors.files.syntax.tree import TreeNode

__all__ = ["PREFIXES", "blocks", "flat_blocks", "knows"]
PREFIXES = ("spring.",)
"""What the properties of such an application begin with."""


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The clients of an application: those of the base, and for every profile those that it changes."""
    return blocks_of([flatten(document, sources.shown) for document in documents], sources)


def blocks_of(flats: Sequence[list[Flat]], sources: Sources) -> list[Block]:
    """The clients of an application whose documents hold some properties each."""
    read = [with_imports(flat, sources) for flat in flats]
    kafka_blocks = _blocks([flat for flat, _ in read], sources)
    return _changed_by(kafka_blocks, next((unknown for _, unknown in read if unknown), ""))


def _changed_by(blocks: list[Block], unknown: str) -> list[Block]:
    """The clients, any key of which an import that is not followed may set."""
    for block in blocks if unknown else ():
        if block.kind != DEPLOYMENT:
            block.changed_by = block.changed_by or unknown
    return blocks


def _blocks(flats: Sequence[list[Flat]], sources: Sources) -> list[Block]:
    base = [row for flat in flats if not profile_in(flat) for row in flat]
    profiles = [(profile_in(flat), flat) for flat in flats if profile_in(flat) and any(map(is_kafkas, flat))]
    profile = profile_of(sources.path)
    if profile:
        return _over_base(profile, base, profiles, sources)
    kafka_blocks = clients(base, "", sources.shown)
    for name, flat in profiles:
        kafka_blocks += clients([*base, *flat], name, sources.shown)
    return kafka_blocks


def flat_blocks(flat: Sequence[Flat], sources: Sources) -> list[Block]:
    """The clients of an application that is configured by properties."""
    profile = profile_of(sources.path)
    rows, unknown = with_imports(flat, sources)
    kafka_blocks = _over_base(profile, rows, (), sources) if profile else clients(rows, "", sources.shown)
    return _changed_by(kafka_blocks, unknown)


def _over_base(
    profile: str, own: Sequence[Flat], inner: Sequence[tuple[str, Sequence[Flat]]], sources: Sources
) -> list[Block]:
    """The clients that a profile's file changes, with what the application's other files say of them."""
    base = base_layers(sources)
    rows = [row for layer in base for row in layer.rows(profile)]
    beside = profile_layers(profile, sources)
    for layer in beside:
        rows += own if layer.file == sources.shown else layer.rows("")
    kafka_blocks = clients(rows, profile, sources.shown)
    for name, flat in inner:
        kafka_blocks += clients([*rows, *flat], f"{profile} {name}", sources.shown)
    changed = [block for block in kafka_blocks if _stands_in(block, sources.shown)]
    _leave_to_base(changed, profile, base, beside, sources)
    return changed


def _stands_in(block: Block, file: str) -> bool:
    return any(setting.origin.file == file for setting in block.settings.values())


def _leave_to_base(
    changed: Sequence[Block], profile: str, base: Sequence[Layer], beside: Sequence[Layer], sources: Sources
) -> None:
    """Say who decides what a profile leaves out: a file that was not read, or one that is judged for itself."""
    unread = next((layer.file for layer in (*base, *beside) if layer.documents is None), "")
    judged = {} if unread else sources.of_folder(FORMAT_NAME, lambda _: _judged(base))
    for block in changed:
        who = f"{unread} may set it, and was not read" if unread else judged.get(_identity(block, profile), "")
        block.fragment = block.fragment or who


def _judged(base: Sequence[Layer]) -> dict[tuple[str, str], str]:
    """Why of the clients of the base nothing that is left out is said again: the run judges them whole."""
    return {
        (block.kind or "", block.name): f"{layer.file} leaves it out for every profile"
        for layer in base
        if layer.is_of_run
        for block in clients(layer.rows(""), "", layer.file)
        if not block.fragment and not fragment_of(block.kind or "", block.settings)
    }


def _identity(block: Block, profile: str) -> tuple[str, str]:
    return block.kind or "", block.name.removesuffix(f" {profile}")
