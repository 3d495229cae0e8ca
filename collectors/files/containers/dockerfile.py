"""Dockerfiles whose last stage runs Kafka: ENV becomes settings, CMD and ENTRYPOINT the command.

Source: the Dockerfile reference (FROM, ARG, ENV, CMD, ENTRYPOINT, line continuation, the directive `escape`).
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from advisor.errors import NothingToJudge
from collectors.files.block import Block
from collectors.files.containers.container import Container, blocks_of
from collectors.files.syntax.tree import TreeNode
from collectors.files.variables import Variable, fill

FORMAT_NAME = "dockerfile"
INSTRUCTIONS = ("FROM", "ARG", "ENV", "CMD", "ENTRYPOINT")


class Instruction(NamedTuple):
    """An instruction: its name in upper case, what stands behind it, and the first of its lines."""

    name: str
    text: str
    line: int


def dockerfile_blocks(text: str, shown: str) -> list[Block]:
    """What the last stage runs. Raises NothingToJudge where that is nothing of Kafka's."""
    container: Container | None = None
    arguments: dict[str, str] = {}
    for name, words, line in instructions(text):
        if name == "ARG":
            argument, equals, default = words.partition("=")
            arguments |= {argument.strip(): default.strip("\"' ")} if equals else {}
        elif name == "FROM":
            container = _stage(words, line, shown, arguments)
        elif container is not None and name == "ENV":
            container.environment = _with(container.environment, _variables(words, line, arguments))
        elif container is not None:
            kept = [node for node in container.arguments if node.text and name != "ENTRYPOINT"]
            container.arguments = [*kept, *_words(words, line)]
    kafka_blocks = blocks_of(container) if container is not None else []
    if not kafka_blocks:
        raise NothingToJudge(f"{shown}: the last stage of it runs nothing of Kafka's")
    return kafka_blocks


def instructions(text: str) -> Iterator[Instruction]:
    """The instructions of a Dockerfile, each on one line; comments inside of one are left out."""
    joined, first = "", 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        first = first or number
        if line.endswith(("\\", "`")):
            joined += line[:-1] + " "
            continue
        name, _, words = (joined + line).strip().partition(" ")
        if name.upper() in INSTRUCTIONS:
            yield Instruction(name.upper(), words.strip(), first)
        joined, first = "", 0


def _stage(words: str, line: int, shown: str, arguments: Mapping[str, str]) -> Container:
    image = next((word for word in words.split() if not word.startswith("--")), "")
    container = Container(
        os.path.basename(shown), fill(image, arguments), TreeNode("scalar", line, 1, image), shown, FORMAT_NAME
    )
    container.image_path = "FROM"
    container.mounts = None
    container.outside = "what starts the container may set it"
    return container


def _with(environment: list[Variable], added: list[Variable]) -> list[Variable]:
    """Variables with others that replace those of the same name."""
    names = {variable.name for variable in added}
    return [*(variable for variable in environment if variable.name not in names), *added]


def _variables(words: str, line: int, arguments: Mapping[str, str]) -> list[Variable]:
    """ENV A=b C="d e", or the older ENV A b."""
    name, _, rest = words.partition(" ")
    if "=" not in name:
        pairs = [(name, rest.strip())]
    else:
        try:
            pairs = [(each.partition("=")[0], each.partition("=")[2]) for each in shlex.split(words)]
        except ValueError:
            pairs = []
    return [
        Variable(name, fill(value, arguments), TreeNode("scalar", line, 1, name), None, f"{name}=")
        for name, value in pairs
    ]


def _words(text: str, line: int) -> list[TreeNode]:
    """The words of CMD and ENTRYPOINT: a list of JSON, or a command of the shell."""
    try:
        words = json.loads(text) if text.startswith("[") else [text]
    except ValueError:
        words = [text]
    return [TreeNode("scalar", line, 1, str(word)) for word in words]
