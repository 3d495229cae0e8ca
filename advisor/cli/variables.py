"""The variables that fill in placeholders: --environment, then --env-file, then --set, the last of which wins."""

from __future__ import annotations

import os

from advisor.errors import UserError
from collectors.files.reader import content
from collectors.files.syntax.properties import decode
from collectors.files.variables import variables_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.cli.settings import LintOptions


def given_variables(options: LintOptions) -> dict[str, str]:
    """The variables that the user gave. Raises UserError."""
    values = dict(os.environ) if options.environment else {}
    for path in options.env_file:
        values |= variables_of(decode(content(path)))
    for word in options.set_:
        name, equals, value = word.partition("=")
        if not equals or not name.replace("_", "a").isalnum():
            raise UserError("--set: write NAME=VALUE")
        values[name] = value
    return values
