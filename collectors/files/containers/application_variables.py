"""Variables of applications wherever a document hands them on: `env` of charts and manifests, settings of functions and services.

A mapping of names and values, a list of pairs of a name and a value, or one of NAME=VALUE counts where one name is that of a
framework's property of Kafka (SPRING_KAFKA_PRODUCER_ACKS); a mapping `spring` with `kafka` in it is such properties.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from collectors.files.block import Block
from collectors.files.commands.tool_commands import Command
from collectors.files.containers.container import APPLICATIONS, Container, applications_clients
from collectors.files.containers.container_definition import variables_of
from collectors.files.frameworks import spring_application
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode
from collectors.files.variables import Variable

SPRING = ("spring", "kafka")
ASSIGNED = re.compile(r"(?:Environment=)?([A-Za-z_][\w.]{0,200})=(.*)", re.DOTALL)
"""A variable that a word of a shell or a line of a unit of systemd sets."""
Place = tuple[str, TreeNode]
"""The path of what holds variables or properties, and its node."""


def knows(document: TreeNode) -> bool:
    """Whether variables or properties of an application stand somewhere in a document."""
    return any(True for _ in _places(document))


def blocks(documents: Iterable[TreeNode], sources: Sources, format: str, above: str = "") -> list[Block]:
    """The clients that they configure, by the path of what holds them."""
    blocks_of_all: list[Block] = []
    for path, node in (place for document in documents for place in _places(document)):
        name = (above + path).rstrip(".")
        if node.get(*SPRING) is not None:
            clients = spring_application.blocks([node], sources)
            for block in clients:
                block.name = f"{name} {block.name}".strip()
        else:
            clients = _clients(list(variables_of(node)), (), name, sources.shown, format)
        blocks_of_all += clients
    return blocks_of_all


def blocks_of_commands(commands: Sequence[Command], file: str, format: str) -> list[Block]:
    """The clients that variables and arguments in a script configure: a name that is set again is another application's."""
    blocks_of_all: list[Block] = []
    environment: dict[str, Variable] = {}
    for command in commands:
        arguments = [TreeNode(SCALAR, command.line, 1, word) for word in command.words]
        for name, value in (match.groups() for word in command.words if (match := ASSIGNED.fullmatch(word))):
            if is_of_application(name):
                blocks_of_all += (
                    _clients(list(environment.values()), (), "", file, format) if name in environment else []
                )
                environment = {} if name in environment else environment
                environment[name] = Variable(name, value, TreeNode(SCALAR, command.line, 1, name), None, f"{name}=")
        blocks_of_all += _clients([], arguments, "", file, format)
    return [*blocks_of_all, *_clients(list(environment.values()), (), "", file, format)]


def is_of_application(name: str) -> bool:
    """Whether a variable is a property of Kafka's clients in a framework."""
    return name.upper().startswith(APPLICATIONS)


def _clients(
    environment: list[Variable], arguments: Sequence[TreeNode], name: str, file: str, format: str
) -> list[Block]:
    container = Container(name, "", None, file, format)
    container.environment, container.arguments = environment, list(arguments)
    return applications_clients(container)


def _places(node: TreeNode, path: str = "", seen: set[int] | None = None) -> Iterator[Place]:
    """The outermost of them; one that an alias shares counts once."""
    seen = set() if seen is None else seen
    if id(node) in seen or node.kind == SCALAR:
        return
    seen.add(id(node))
    if node.get(*SPRING) is not None or any(is_of_application(each.name) for each in variables_of(node)):
        yield path, node
        return
    for number, child in enumerate(node.children):
        yield from _places(child, f"{path.rstrip('.')}[{number}].", seen)
    for name, (_, child) in node.pairs().items() if node.kind == MAPPING else ():
        yield from _places(child, f"{path}{name}.", seen)
