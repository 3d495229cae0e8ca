"""The files of one folder of Terraform: its blocks, and what its files of variables say."""

from __future__ import annotations

import os

from advisor.errors import UnreadableInput
from collectors.files.cloud.terraform_blocks import (
    ModuleBlock,
    Thunk,
    hcl_block,
    json_blocks,
    merged,
)
from collectors.files.cloud.terraform_msk import MskLinks
from collectors.files.cloud.terraform_variable_sources import (
    CODE,
    JSON_OF_CODE,
    VARIABLES,
    documents_of,
    values_of,
    variables_elsewhere,
)
from collectors.files.sources import Sources
from collectors.files.syntax.hcl import parser

FIRST = ("terraform.tfvars", "terraform.tfvars.json")
LATER = (".auto.tfvars", ".auto.tfvars.json")
LARGEST = 16 * 1024 * 1024
"""Characters of all files of a folder beyond which no more are read beside one."""
OVERRIDES = ("override.tf", "override.tf.json")
"""Files, or the ends of names behind an underscore, whose blocks Terraform merges into those of the others, whatever their order."""


class TerraformFolder:
    """What the files of a folder hold: `loaded` are values of variables that Terraform takes by itself.

    `elsewhere` says of variables how another file sets them, `unread` is a file of variables that could not be read,
    `broken` says why a file of code could not, `texts` has those that were, `read` the files that expressions took.
    """

    def __init__(self, sources: Sources, own_text: str | None = None) -> None:
        self.path = sources.folder
        self.sources = sources
        self.blocks: list[ModuleBlock] = []
        self.locals: dict[str, Thunk] = {}
        self.variables: dict[str, ModuleBlock] = {}
        self.loaded: dict[str, Thunk] = {}
        self.elsewhere = variables_elsewhere(sources)
        self.unread = ""
        self.broken: dict[str, UnreadableInput] = {}
        self.texts: dict[str, str] = {}
        self.size = 0
        self.read: set[str] = set()
        self.made: dict[tuple[str, str], MskLinks] = {}
        self._overrides: list[ModuleBlock] = []
        names = sources.names((*CODE, *VARIABLES))
        own = os.path.basename(sources.path) if own_text is not None else ""
        for name in sorted((each for each in names if each.endswith(VARIABLES)), key=_rank):
            self._add_variables(name, sources)
        for name in (name for name in names if name.endswith(CODE) and name != own):
            text = sources.text_beside(name) if self.size <= LARGEST else None
            if text is not None:
                self._add_code(text, sources.shown_path(name))
        if own_text is not None:
            self._add_code(own_text, sources.shown)
        for block in self._overrides:
            self._override(block)

    def _add_variables(self, name: str, sources: Sources) -> None:
        try:
            values = dict(values_of(sources.text_beside(name), sources.shown_path(name)))
        except UnreadableInput:
            self.unread = self.unread or name
            return
        if name in FIRST or name.endswith(LATER):
            self.loaded |= values
        else:
            self.elsewhere |= dict.fromkeys(values, f"is set by {name}, which Terraform takes only where it is named")

    def _add_code(self, text: str, shown: str) -> None:
        """Add the blocks of a file; one that cannot be read leaves its names without values."""
        self.texts[shown] = text
        self.size += len(text)
        try:
            blocks = blocks_of(text, shown)
        except UnreadableInput as error:
            self.broken[shown] = error
            return
        if is_override(shown):
            self._overrides += blocks
            return
        for block in blocks:
            self._add(block)

    def _add(self, block: ModuleBlock) -> None:
        if block.type == "locals":
            self.locals |= block.attributes
        elif block.type == "variable" and block.labels:
            self.variables[block.labels[0]] = block
        else:
            self.blocks.append(block)

    def _override(self, block: ModuleBlock) -> None:
        """Merge a block into the one of the same name; one that is the only of its name is added."""
        named = (block.type, block.labels)
        places = [at for at, each in enumerate(self.blocks) if (each.type, each.labels) == named]
        if block.type == "variable" and block.labels and block.labels[0] in self.variables:
            self.variables[block.labels[0]] = merged(self.variables[block.labels[0]], block)
        elif places:
            self.blocks[places[0]] = merged(self.blocks[places[0]], block)
        else:
            self._add(block)


def is_override(path: str) -> bool:
    """Whether a file is one whose blocks are merged into those of others."""
    name = os.path.basename(path)
    return name in OVERRIDES or name.endswith(tuple(f"_{each}" for each in OVERRIDES))


def _rank(name: str) -> tuple[int, str]:
    """The order in which Terraform takes files of variables, the later one over the earlier."""
    return (FIRST.index(name) if name in FIRST else len(FIRST), name)


def blocks_of(text: str, shown: str) -> list[ModuleBlock]:
    """The blocks of a file of code. Raises UnreadableInput."""
    if not shown.endswith(JSON_OF_CODE):
        return [hcl_block(block) for block in parser.parse(text, shown).blocks()]
    return [block for document in documents_of(text, shown) for block in json_blocks(document, shown)]
