"""Files of an application's framework that are texts of another file: application.yml in a ConfigMap or a Secret."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from collectors.files.block import Block
from collectors.files.frameworks import debezium_server, micronaut, quarkus, spring_application
from collectors.files.frameworks.dotted_properties import Flat, flatten, properties_of
from collectors.files.frameworks.spring_layers import PROFILE, profile_of
from collectors.files.sources import Sources
from collectors.files.syntax.properties import BrokenEscape, TooLong
from collectors.files.syntax.text_documents import documents_in, move
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode

FILE = re.compile(r"(?:application|bootstrap)(?:-[\w-]{1,80})?\.(?:ya?ml|properties)")
OTHERS = (debezium_server, quarkus, micronaut)
"""The frameworks beside Spring, each with `PREFIXES` of its properties and `flat_blocks(flat, sources)`."""


def application_blocks(texts: Mapping[str, tuple[TreeNode, TreeNode]], name: str, sources: Sources) -> list[Block]:
    """The clients of the applications whose files are among some texts; profiles lie over what all of them share."""
    flats = [
        flat for entry, (_, text) in sorted(texts.items()) if FILE.fullmatch(entry) for flat in _flats(entry, text)
    ]
    own = Sources(os.path.join(sources.folder, "application.yml"), sources.shown, sources.run)
    of_spring = [flat for flat in flats if _begins(flat, spring_application.PREFIXES)]
    blocks = spring_application.blocks_of(of_spring, own) if of_spring else []
    for reader in OTHERS:
        rows = [row for flat in flats if flat not in of_spring and _begins(flat, reader.PREFIXES) for row in flat]
        blocks += reader.flat_blocks(rows, own) if rows else []
    for block in blocks:
        block.name = f"{name} {block.name}".strip()
    return blocks


def _begins(flat: list[Flat], prefixes: tuple[str, ...]) -> bool:
    return any(name.startswith(prefixes) for name, _, _ in flat)


def _flats(entry: str, text: TreeNode) -> list[list[Flat]]:
    """The properties of each document of a text, with the profile that its name says; none where it cannot be read."""
    try:
        flats = _of_properties(text) if entry.endswith(".properties") else _of_documents(text)
    except (BrokenEscape, TooLong):
        return []
    profile = profile_of(entry)
    named_profile = (PROFILE[0], text, TreeNode(SCALAR, text.line, text.column, profile))
    return [[*flat, named_profile] for flat in flats] if profile else flats


def _of_documents(text: TreeNode) -> list[list[Flat]]:
    roots = documents_in(text) if text.kind == SCALAR else None
    return [flatten(root, text.file or "a text") for root in roots or () if root.kind == MAPPING]


def _of_properties(text: TreeNode) -> list[list[Flat]]:
    flat = properties_of(text.text) if text.kind == SCALAR else []
    move((node for _, *pair in flat for node in pair), text)
    return [flat]
