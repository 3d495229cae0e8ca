"""Containers as Amazon ECS, Nomad and Terraform's providers describe them: a mapping of an image, its variables and its command.

Source: the parameters of ECS's task definitions, Nomad's job specification (docker), and kreuzwerker/docker (docker_container).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collectors.files.containers.container import Container
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SEQUENCE, TreeNode
from collectors.files.variables import Variable

COMMAND = ("entrypoint", "entryPoint", "EntryPoint", "command", "Command", "args")
ENVIRONMENT = ("environment", "Environment", "env", "Env")
OF_SECRETS = ("secrets", "Secrets")
FILES = ("environmentFiles", "EnvironmentFiles")
MOUNTS = ("mountPoints", "MountPoints", "mount", "mounts", "volumes", "volume", "volume_mount")
PATHS = ("containerPath", "ContainerPath", "container_path", "target", "destination")
"""The names under which the formats have the same: words of the command, variables, mounts and their paths in the container."""


def container_of(definition: TreeNode, name: str, format: str, sources: Sources) -> Container:
    """The container that a mapping describes."""
    image = first(definition, ("image", "Image"))
    text = image.text if image is not None and not image.is_null else ""
    container = Container(name, text, image, sources.shown, format)
    for field in ENVIRONMENT:
        container.environment += variables_of(definition.get(field))
    for field in OF_SECRETS:
        container.environment += [Variable(each.name, None, each.key_node, None, each.lead) for each in variables_of(definition.get(field))]  # fmt: skip
    if first(definition, FILES) is not None:
        container.outside = "files of variables may set it, and were not read"
    container.arguments = [word for field in COMMAND for word in items(definition.get(field))]
    container.mounts = [path for field in MOUNTS for path in paths_of(definition.get(field))]
    return container


def first(definition: TreeNode, fields: Sequence[str]) -> TreeNode | None:
    """What stands under the first of some names that is there."""
    return next((node for field in fields if (node := definition.get(field)) is not None), None)


def items(node: TreeNode | None) -> list[TreeNode]:
    """The items of a list, or what stands in its place."""
    if node is None or node.is_null:
        return []
    return node.children if node.kind == SEQUENCE else [node]


def variables_of(node: TreeNode | None) -> Iterator[Variable]:
    """Variables as a mapping, as pairs of name and value, or as NAME=VALUE."""
    if node is not None and node.kind == MAPPING and first(node, ("name", "Name")) is None:
        for name, (key, value) in node.pairs().items():
            yield _variable(name, key, value, f"{name}: ")
        return
    for item in items(node):
        named = first(item, ("name", "Name"))
        if item.kind == MAPPING and named is not None:
            given = first(item, ("value", "Value"))
            yield _variable(named.text, named, given, f"name: {named.text}  value: ")
        elif item.kind != MAPPING and "=" in item.text:
            name, _, text = item.text.partition("=")
            yield Variable(name, text, item, None, f"{name}=", item.file)


def _variable(name: str, key: TreeNode, value: TreeNode | None, lead: str) -> Variable:
    """A variable whose value is a text, or a mapping with the text as its `value`; null is a value from outside."""
    value = value.get("value") or value if value is not None and value.kind == MAPPING else value
    is_text = value is not None and value.kind not in (MAPPING, SEQUENCE) and not value.is_null
    return Variable(name, value.text if value is not None and is_text else None, key, value if is_text else None, lead, key.file)  # fmt: skip


def paths_of(node: TreeNode | None) -> Iterator[str]:
    """The paths in the container that are mounted."""
    for item in items(node):
        if item.kind == MAPPING:
            path = first(item, PATHS)
            if path is not None and item.string("type") != "tmpfs":
                yield path.text
        else:
            parts = item.text.split(":")
            yield parts[1] if len(parts) > 1 else parts[0]
