"""Units of Podman's Quadlet: kafka.container describes a container by its image, its variables and its command.

Source: podman-systemd.unit(5), the section [Container].
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from collectors.files.block import Block
from collectors.files.commands.tool_commands import Command
from collectors.files.containers.container import Container, blocks_of
from collectors.files.images.shipped_files import CONFIGURATION
from collectors.files.syntax.tree import TreeNode
from collectors.files.variables import Variable

ENDING, FORMAT_NAME = ".container", "quadlet"
Words = tuple[list[str], int]
"""The words of a field, and its line."""


def blocks(commands: Iterable[Command], file: str) -> list[Block]:
    """What the container of a unit runs, which is read as commands are: its lines are words with continuations."""
    fields: dict[str, list[Words]] = {}
    for command in commands:
        name, equals, first = (command.words[0] if command.words else "").partition("=")
        if equals:
            fields.setdefault(name, []).append(([first, *command.words[1:]], command.line))
    return blocks_of(_container(fields, file)) if "Image" in fields else []


def _container(fields: dict[str, list[Words]], file: str) -> Container:
    words, line = fields["Image"][-1]
    name = next(_words(fields, "ContainerName"), file.rpartition("/")[2].removesuffix(ENDING))
    container = Container(name, words[0], TreeNode("scalar", line, 1, words[0]), file, FORMAT_NAME)
    container.image_path, container.mounts = "Image", None
    container.environment = list({each.name: each for each in _variables(fields)}.values())
    container.arguments = [
        TreeNode("scalar", line, 1, word) for words, line in fields.get("Exec", [])[-1:] for word in words
    ]
    if "EnvironmentFile" in fields:
        container.outside = "a file of variables may set it, and was not read"
    elif any(path in word for word in _words(fields, "Volume") for path in CONFIGURATION.values()):
        container.outside = "a file of properties that is mounted may set it"
    elif "PodmanArgs" in fields or "Secret" in fields or "EnvironmentHost" in fields:
        container.outside = "other fields of the unit may set it"
    return container


def _variables(fields: dict[str, list[Words]]) -> Iterator[Variable]:
    for words, line in fields.get("Environment", []):
        for name, equals, value in (word.partition("=") for word in words):
            if equals:
                yield Variable(name, value, TreeNode("scalar", line, 1, name), None, f"{name}=")


def _words(fields: dict[str, list[Words]], name: str) -> Iterator[str]:
    return (word for words, _ in fields.get(name, ()) for word in words)
