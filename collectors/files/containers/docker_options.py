"""The options of `docker run` and `docker create`, which the services of GitHub's and Azure's workflows take as well.

Source: docker's command line (cli/command/container/opts.go), which pflag reads: `-dp 1:1`, `-eA=b`, `-e=A=b`, `--env A=b`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collectors.files.containers.container import Container
from collectors.files.images.shipped_files import CONFIGURATION
from collectors.files.syntax.tree import TreeNode
from collectors.files.variables import Variable

LETTERS = frozenset("ditPq")
"""The options of one letter that take no value."""
WITHOUT_VALUE = frozenset(
    ("detach", "disable-content-trust", "env-host", "help", "init", "interactive", "no-healthcheck", "no-hosts",
     "oom-kill-disable", "privileged", "publish-all", "quiet", "read-only", "replace", "rm", "rmi", "sig-proxy", "tty")
)  # fmt: skip
VARIABLES, OF_FILES, MOUNTS = ("e", "env"), ("env-file",), ("v", "volume", "mount")
Option = tuple[str, str]
"""The name of an option without its dashes, and its value."""


def split_options(words: Sequence[str]) -> tuple[list[Option], Sequence[str]]:
    """(the options that words begin with, the words behind them)."""
    options: list[Option] = []
    position = 0
    while position < len(words) and words[position].startswith("-"):
        option, position = _option_at(words, position)
        options.append(option)
    return options, words[position:]


def options_in(words: Sequence[str]) -> Iterator[Option]:
    """The options among words of which no image ends them."""
    position = 0
    while position < len(words):
        if words[position].startswith("-"):
            option, position = _option_at(words, position)
            yield option
        else:
            position += 1


def take_options(container: Container, options: Sequence[Option], place: TreeNode) -> None:
    """Add the variables that options set, and say what else may set some."""
    for name, value in options:
        if name in VARIABLES:
            variable, given, text = value.partition("=")
            key = TreeNode("scalar", place.line, place.column, variable)
            container.environment.append(Variable(variable, text if given else None, key, None, f"-e {variable}="))
        elif name in OF_FILES:
            container.outside = f"{value} may set it, and was not read"
        elif name in MOUNTS and any(each in value for each in CONFIGURATION.values()):
            container.outside = "a file of properties that is mounted may set it"


def _option_at(words: Sequence[str], position: int) -> tuple[Option, int]:
    """The option at a position, and the position behind it and its value."""
    name, value = _option(words[position])
    if value is not None:
        return (name, value), position + 1
    return (name, words[position + 1] if position + 1 < len(words) else ""), position + 2


def _option(word: str) -> tuple[str, str | None]:
    """An option's name, and its value; None where that is the next word."""
    if word.startswith("--"):
        name, equals, value = word[2:].partition("=")
        return name, value if equals else "" if name in WITHOUT_VALUE else None
    letters = word[1:].lstrip("".join(LETTERS))
    return letters[:1], (letters[1:].removeprefix("=") or None) if letters else ""
