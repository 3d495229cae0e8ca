"""Dockerfiles whose last stage runs Kafka: ENV becomes settings, CMD and ENTRYPOINT the command.

Source: the Dockerfile reference (FROM, ARG, ENV, CMD, ENTRYPOINT, COPY, RUN, here-documents, line continuation, the directive `escape`).
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from copy import copy
from typing import NamedTuple

from advisor.errors import NothingToJudge
from collectors.files.block import Block
from collectors.files.commands.command_line import changes_a_file
from collectors.files.containers.build_arguments import passed_arguments
from collectors.files.containers.container import Container, blocks_of
from collectors.files.embedded import embedded
from collectors.files.sources import Sources
from collectors.files.syntax.text_lines import text_lines
from collectors.files.syntax.tree import TreeNode
from collectors.files.variables import Variable, fill

FORMAT_NAME = "dockerfile"
OF_SETTINGS = re.compile(r"kafka\S{0,60}/config/?$|/etc/kafka(?:/docker)?/?$|/mounted/config/?$|/mnt/shared/config/?$")
"""Folders in which images look for the settings of a server."""
CODE = re.compile(r"\.(?:jar|sh|bash|py|so|crt|pem|jks|p12|xml|yml|yaml|json)$|log4j")
INSTRUCTIONS = ("FROM", "ARG", "ENV", "CMD", "ENTRYPOINT", "COPY", "ADD", "RUN")
HERE_DOCUMENT = re.compile(r"<<(-?)([\"']?)([A-Za-z_][A-Za-z0-9_]*)\2")
CHANGED = "a RUN changes the file of properties"


class Instruction(NamedTuple):
    """An instruction: its name in upper case, what stands behind it, the first of its lines, and its here-documents."""

    name: str
    text: str
    line: int
    documents: tuple[TreeNode, ...]


class Stage:
    """What one stage runs, the files that it writes out, and whether a command of it changes a file of properties."""

    def __init__(self, container: Container) -> None:
        self.container = container
        self.environment: dict[str, Variable] = {}
        self.files: list[Block] = []
        self.changed = False

    def copy(self) -> Stage:
        """A stage that builds upon this one."""
        stage = Stage(copy(self.container))
        stage.environment, stage.files, stage.changed = dict(self.environment), list(self.files), self.changed
        return stage

    def add(self, instruction: Instruction, arguments: Mapping[str, str]) -> None:
        """Follow an instruction."""
        name, words, line, documents = instruction
        container = self.container
        if name == "ENV":
            for variable in _variables(words, line, arguments):
                self.environment.pop(variable.name, None)
                self.environment[variable.name] = variable
        elif name in ("COPY", "ADD"):
            target = words.split()[-1]
            self.files += [embedded(each, os.path.basename(target), FORMAT_NAME, container.file) for each in documents]
            self.changed |= not documents and replaces_settings(words)
        elif name == "RUN":
            self.changed |= any(map(changes_a_file, (words, *(document.text for document in documents))))
        else:
            kept = [node for node in container.arguments if node.text and name != "ENTRYPOINT"]
            container.arguments = [*kept, *_words(words, line)]

    def blocks(self) -> list[Block]:
        """What the stage runs of Kafka's, and the files of Kafka's that it holds."""
        self.container.environment = list(self.environment.values())
        kafka_blocks = blocks_of(self.container)
        files = [block for block in self.files if block.kind is not None]
        for block in files:
            block.target = next((each.target for each in kafka_blocks), None)
        for block in (*kafka_blocks, *files) if self.changed else ():
            block.changed_by = CHANGED
        return [*kafka_blocks, *files]


def replaces_settings(words: str) -> bool:
    """Whether a file or a folder takes the place of the image's settings: what it holds may be anything."""
    *sources, target = [word.strip("\"',[]") for word in words.split() if not word.startswith("--")] or [""]
    is_folder = bool(OF_SETTINGS.search(target))
    return target.endswith(".properties") or (is_folder and any(not CODE.search(each) for each in sources))


def dockerfile_blocks(text: str, sources: Sources) -> list[Block]:
    """What the last stage runs. Raises NothingToJudge where that is nothing of Kafka's."""
    stage = stage_of(text, sources)
    kafka_blocks = stage.blocks() if stage is not None else []
    if not kafka_blocks:
        raise NothingToJudge(f"{sources.shown}: the last stage of it runs nothing of Kafka's")
    return kafka_blocks


def stage_of(text: str, sources: Sources, target: str = "") -> Stage | None:
    """The stage of that name, or the last one; None where there is none."""
    stage: Stage | None = None
    stages: dict[str, Stage] = {}
    arguments: dict[str, str] = {}
    for instruction in instructions(text):
        name, words, line, _ = instruction
        if name == "ARG":
            arguments |= dict(_pairs(words))
        elif name == "FROM":
            image, alias = _image_and_alias(words)
            known = stages.get(image)
            stage = known.copy() if known else Stage(_container(image, line, sources.shown, arguments))
            stages[alias] = stage
        elif stage is not None and words:
            stage.add(instruction, _known(arguments, sources) if name == "ENV" and arguments else arguments)
    return stages.get(target) if target else stage


def _known(arguments: Mapping[str, str], sources: Sources) -> dict[str, str]:
    """The arguments whose defaults no build of the run replaces."""
    passed = passed_arguments(sources.run)
    return {name: default for name, default in arguments.items() if name not in passed}


def instructions(text: str) -> Iterator[Instruction]:
    """The instructions of a Dockerfile, each on one line; comments inside of one are left out."""
    joined, first = "", 0
    lines = iter(enumerate(text_lines(text), 1))
    for number, raw in lines:
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        first = first or number
        if line.endswith(("\\", "`")):
            joined += line[:-1] + " "
            continue
        name, _, words = (joined + line).strip().partition(" ")
        if name.upper() in INSTRUCTIONS:
            yield Instruction(name.upper(), words.strip(), first, tuple(_documents(name, words, lines)))
        joined, first = "", 0


def _documents(name: str, words: str, lines: Iterator[tuple[int, str]]) -> Iterator[TreeNode]:
    """The here-documents that an instruction opens: COPY <<EOF /path."""
    for tabs, _, end in HERE_DOCUMENT.findall(words) if name.upper() in ("COPY", "ADD", "RUN") else ():
        last, document = 0, []
        for number, raw in lines:
            line = raw.lstrip("\t") if tabs else raw
            last = number
            if line == end:
                break
            document.append(line)
        node = TreeNode("scalar", last - len(document) - 1, 1, "\n".join(document))
        node.indent = 0
        yield node


def _image_and_alias(words: str) -> tuple[str, str]:
    """The image of a stage, or the stage that it builds upon, and how later stages call it."""
    image, *named = [word for word in words.split() if not word.startswith("--")] or [""]
    return image, named[1] if len(named) > 1 else ""


def _container(image: str, line: int, shown: str, arguments: Mapping[str, str]) -> Container:
    container = Container(
        os.path.basename(shown), fill(image, arguments), TreeNode("scalar", line, 1, image), shown, FORMAT_NAME
    )
    container.image_path = "FROM"
    container.mounts = None
    container.outside = "what starts the container may set it"
    return container


def _variables(words: str, line: int, arguments: Mapping[str, str]) -> list[Variable]:
    """ENV A=b C="d e", or the older ENV A b."""
    name, _, rest = words.partition(" ")
    pairs = _pairs(words) if "=" in name else [(name, rest.strip())]
    return [
        Variable(name, fill(value, arguments), TreeNode("scalar", line, 1, name), None, f"{name}=")
        for name, value in pairs
    ]


def _pairs(words: str) -> list[tuple[str, str]]:
    """The names and values of ENV and ARG; an argument without a default is none of them."""
    try:
        rows = [each.partition("=") for each in shlex.split(words)]
    except ValueError:
        return []
    return [(name, value) for name, equals, value in rows if equals]


def _words(text: str, line: int) -> list[TreeNode]:
    """The words of CMD and ENTRYPOINT: a list of JSON, or a command of the shell."""
    try:
        words = json.loads(text) if text.startswith("[") else [text]
    except ValueError:
        words = [text]
    return [TreeNode("scalar", line, 1, str(word)) for word in words]
