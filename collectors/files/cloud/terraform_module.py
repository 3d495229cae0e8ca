"""A module of Terraform: the files of one folder, the values of its locals, and those of its variables.

Source: Terraform's documentation of input variables: terraform.tfvars, terraform.tfvars.json, then *.auto.tfvars and
*.auto.tfvars.json in the order of their names; other files of variables are named on the command line.
"""

from __future__ import annotations

from collections.abc import Mapping

from collectors.files.cloud.terraform_blocks import ModuleBlock, Own
from collectors.files.cloud.terraform_folder import TerraformFolder
from collectors.files.syntax.hcl_values import Budget
from collectors.files.syntax.tree import SCALAR, TreeNode
from collectors.files.variables import holds_secret

UNSET = "has no value in these files"
NONE: Own = {}


class TerraformModule:
    """A folder's files with the values that its variables have in one call; `given` is None for the root module.

    `prefix` is the module's address with a dot behind it, `unknown` why no variable of it has a known value.
    `defaults_used` counts how often the default of a variable was taken.
    """

    def __init__(
        self, folder: TerraformFolder, given: Mapping[str, TreeNode] | None = None, prefix: str = "", unknown: str = ""
    ) -> None:
        self.folder = folder
        self.given = given
        self.prefix = prefix
        self.unknown = unknown
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
            self._values[key] = _without_secrets(f"{root}.{name}", name, value)
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
            return f"{written} {value}" if isinstance(value, str) else value
        default = variable.attributes.get("default") if variable is not None else None
        if default is None:
            return f"{written} {UNSET}"
        self.defaults_used += 1
        value = default(self, NONE)
        return f"{written} is null by default" if value.is_null else value

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
            return f"is set by {self.folder.elsewhere[name]}, which Terraform takes only where it is named"
        return None

    def blocks(self) -> list[ModuleBlock]:
        """The blocks of all files."""
        return self.folder.blocks


def _without_secrets(written: str, name: str, value: TreeNode | str) -> TreeNode | str:
    """A value, unless its name or its text is that of a secret."""
    if isinstance(value, str):
        return value
    is_text = value.kind == SCALAR and not value.plain
    return f"{written} may hold a secret" if is_text and holds_secret(name, value.text) else value
