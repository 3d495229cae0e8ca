"""Load a user's own rules: a Python file with functions under `@rule`, or a folder of such files."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from types import ModuleType

from advisor.rule import Rule, rules_of
from advisor.signals import interrupted, watch_interrupts

PREFIX = "kafka_advisor_rules_"
"""What the names of the users' modules begin with, so that their mistakes can be told from the tool's."""


def load(paths: Sequence[str], taken: set[str]) -> list[Rule]:
    """Load the rules of modules. Raises UserError for a module that cannot be loaded or an id in use."""
    from advisor.errors import UserError

    if paths:
        watch_interrupts()
    loaded: list[Rule] = []
    for path in paths:
        for file in files(path):
            rules = rules_of(module(file))
            if not rules:
                raise UserError(f"{file}: declares no rule; put @rule(…) on a function")
            for rule in rules:
                if rule.id in taken:
                    raise UserError(f"{file}: rule id {rule.id} is taken; choose another")
                taken.add(rule.id)
            loaded += rules
    return loaded


def files(path: str) -> list[str]:
    """The module, or the modules of a folder in the order of their names."""
    if os.path.isdir(path):
        if not any(name.endswith(".py") for name in os.listdir(path)):
            raise user_error(f"{path}: no Python file in it")
        return sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith(".py"))
    return [path]


def user_error(text: str) -> Exception:
    """A UserError, imported only when there is one."""
    from advisor.errors import UserError

    return UserError(f"{text}")


def module(file: str) -> ModuleType:
    """Load a Python file as a module."""
    from importlib.util import module_from_spec, spec_from_file_location

    from advisor.errors import UserError

    name = PREFIX + "".join(char if char.isalnum() else "_" for char in os.path.abspath(file))
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None or not os.path.isfile(file):
        raise UserError(f"{file}: not a Python file that can be read")
    loaded = module_from_spec(spec)
    sys.modules[name] = loaded
    try:
        spec.loader.exec_module(loaded)
    except KeyboardInterrupt as error:
        if interrupted():
            raise
        from traceback import extract_tb

        line = extract_tb(error.__traceback__)[-1].lineno
        raise UserError(f"{file}:{line}: cannot be loaded: it raises KeyboardInterrupt") from None
    return loaded
