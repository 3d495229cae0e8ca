"""A module of Terraform: the files of one folder, the values of its locals, and those of its variables.

Source: Terraform's documentation of input variables: terraform.tfvars, terraform.tfvars.json, then *.auto.tfvars and
*.auto.tfvars.json in the order of their names; other files of variables are named on the command line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from advisor.secrets.variables import holds_secret
from collectors.files.cloud.terraform_blocks import ModuleBlock, Own
from collectors.files.cloud.terraform_folder import TerraformFolder
from collectors.files.cloud.terraform_variable_types import PRIMITIVES, with_defaults
from collectors.files.syntax.hcl.values import Budget
from collectors.files.syntax.tree import SCALAR, TreeNode

UNSET = "has no value in these files"
NONE: Own = {}
MODULE = "${path.module}"
NO_WORD = re.compile(r"[^A-Za-z0-9]+")


class TerraformModule:
    """A folder's files with the values that its variables have in one call; `given` is None for the root module.

    `prefix` is the module's address with a dot behind it, `root` the folder of the root module that calls it (empty for a root module),
    `unknown` why no variable of it has a known value.
    `defaulted` names what the caller gives from defaults of its own, `defaults_used` counts how often the default of a variable was taken.
    """

    def __init__(
        self,
        folder: TerraformFolder,
        given: Mapping[str, TreeNode] | None = None,
        prefix: str = "",
        root: str = "",
        unknown: str = "",
        defaulted: frozenset[str] = frozenset(),
    ) -> None:
        self.folder = folder
        self.given = given
        self.prefix = prefix
        self.root = root
        self.unknown = unknown
        self.defaulted = defaulted
        self.budget = Budget()
        self.defaults_used = 0
        self._values: dict[tuple[str, str], TreeNode | str] = {}
        self._from_defaults: set[tuple[str, str]] = set()

    def value(self, root: str, name: str) -> TreeNode | str:
        """The value of local.name or var.name, or why it is not known; one that holds itself is not."""
        key = (root, name)
        if key not in self._values:
            self._values[key] = f"{root}.{name} refers to itself"
            before = self.defaults_used
            value = self._local(name) if root == "local" else self._variable(name)
            is_declared = root == "var" and self._is_sensitive(name)
            self._values[key] = _without_secrets(f"{root}.{name}", name, value, is_declared)
            if self.defaults_used != before:
                self._from_defaults.add(key)
        elif key in self._from_defaults:
            self.defaults_used += 1
        return self._values[key]

    def _local(self, name: str) -> TreeNode | str:
        thunk = self.folder.locals.get(name)
        return thunk(self, NONE) if thunk is not None else f"local.{name} {UNSET}"

    def _variable(self, name: str) -> TreeNode | str:
        """What is given, else the default of a variable that nothing outside of the files is known to set."""
        written = f"var.{name}"
        variable = self.folder.variables.get(name)
        value = self._given(name)
        if isinstance(value, str) or value is not None:
            self.defaults_used += name in self.defaulted
            return f"{written} {value}" if isinstance(value, str) else self._completed(name, value)
        default = variable.attributes.get("default") if variable is not None else None
        if default is None:
            return f"{written} {UNSET}"
        self.defaults_used += 1
        value = default(self, NONE)
        return f"{written} is null by default" if value.is_null else self._completed(name, value)

    def _completed(self, name: str, value: TreeNode) -> TreeNode:
        """A value of a variable with what its type declares for what it leaves out."""
        variable = self.folder.variables.get(name)
        type = variable.attributes.get("type") if variable is not None else None
        return value if type is None or value.kind == SCALAR else with_defaults(type(self, PRIMITIVES), value)

    def _is_sensitive(self, name: str) -> bool:
        """Whether a variable is declared to hold what Terraform does not show."""
        variable = self.folder.variables.get(name)
        sensitive = variable.attributes.get("sensitive") if variable is not None else None
        return sensitive is not None and sensitive(self, NONE).text == "true"

    def _given(self, name: str) -> TreeNode | str | None:
        """What a caller or a file of variables gives; a text is why that is not known, None is nothing."""
        if self.unknown:
            return self.unknown
        if self.given is not None:
            value = self.given.get(name)
            return None if value is None or value.is_null else value
        if self.folder.unread:
            return f"may be set by {self.folder.unread}, which was not read"
        if name in self.folder.loaded:
            return self.folder.loaded[name](self, NONE)
        if name in self.folder.elsewhere:
            return self.folder.elsewhere[name]
        return None

    def file(self, path: str) -> tuple[str, str] | str:
        """(shown path, text) of a file of the tree, by its path from the module's folder, or why it is not known."""
        bare, sources = self._below(path), self.folder.sources
        if bare is None:
            return f"{path[:80]} is known when Terraform runs"
        text = sources.text_of_tree(bare)
        if text is None:
            return f"{bare[:80]} is not among the files, or not read"
        if holds_secret(NO_WORD.sub("_", os.path.basename(bare)), text.strip()):
            return f"{bare[:80]} may hold a secret"
        shown = os.path.normpath(sources.shown_path(bare))
        self.folder.read.add(shown)
        return shown, text

    def files(self, path: str) -> list[str] | str:
        """The files below a folder of the tree."""
        bare = self._below(path)
        if bare is None or self.folder.sources.path == "-":
            return f"{path[:80]} is known when Terraform runs"
        return self.folder.sources.files_below(bare)

    def _below(self, path: str) -> str | None:
        """A path from the module's folder; a module that is called has none but those that begin with it."""
        prefixes = (MODULE,) if self.given is not None else (MODULE, "${path.root}", "${path.cwd}")
        prefix = next((each for each in prefixes if path == each or path.startswith(f"{each}/")), None)
        bare = path[len(prefix) :].lstrip("/") if prefix is not None else path
        is_known = "${" not in bare and not bare.startswith(("/", "~")) and (prefix is not None or self.given is None)
        return os.path.normpath(bare or ".") if is_known else None

    def blocks(self) -> list[ModuleBlock]:
        """The blocks of all files."""
        return self.folder.blocks


def _without_secrets(written: str, name: str, value: TreeNode | str, is_declared: bool) -> TreeNode | str:
    """A value, unless it is declared as sensitive, or its name or its text is that of a secret."""
    if isinstance(value, str):
        return value
    is_text = value.kind == SCALAR and not value.plain
    if is_declared and (is_text or value.kind != SCALAR):
        return f"{written} is sensitive"
    return f"{written} may hold a secret" if is_text and holds_secret(name, value.text) else value
