"""Compose files: every service that runs Kafka, ZooKeeper or a Connect worker.

Source: the Compose specification (environment, env_file, interpolation, merge keys).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from collectors.files.block import Block
from collectors.files.containers import Container, blocks_of, count_brokers
from collectors.files.sources import Sources
from collectors.files.tree import MAPPING, SEQUENCE, Node
from collectors.files.variables import Variable, fill

FORMAT = "compose"


def knows(document: Node) -> bool:
    """Whether a document is a Compose file: services, at least one of which has an image, a build or an environment."""
    services = document.mapping("services").values()
    return any(
        service.kind == MAPPING and not {"image", "build", "environment", "extends"}.isdisjoint(service.pairs())
        for _, service in services
    )


def blocks(documents: Sequence[Node], sources: Sources) -> list[Block]:
    """The blocks of a Compose file."""
    values = sources.environment()
    kafka_blocks: list[Block] = []
    for document in documents:
        for name, (_, service) in document.mapping("services").items():
            if service.kind == MAPPING:
                kafka_blocks += blocks_of(_container(name, service, document, sources, values))
    count_brokers(kafka_blocks)
    return kafka_blocks


def _container(name: str, service: Node, document: Node, sources: Sources, values: Mapping[str, str]) -> Container:
    parent = _extended(service, document)
    image_holder = service if service.get("image") is not None or parent is None else parent
    image = fill(image_holder.string("image"), values)
    container = Container(name, image, image_holder.key("image"), sources.shown, FORMAT)
    container.environment = _environment(service, values)
    named = {variable.name for variable in container.environment}
    if parent is not None:
        container.environment += [each for each in _environment(parent, values) if each.name not in named]
    container.command = " ".join(_command(each) for each in (parent, service) if each is not None)
    container.mounts = [path for each in (parent, service) if each is not None for path in _mounts(each)]
    container.published = _published(service)
    if service.get("env_file") is not None:
        _env_files(container, service, sources)
    return container


def _extended(service: Node, document: Node) -> Node | None:
    """The service of the same file that a service extends."""
    name = service.string("extends", "service") or service.string("extends")
    if not name or service.string("extends", "file"):
        return None
    parent = document.get("services", name)
    return parent if parent is not None and parent.kind == MAPPING and parent is not service else None


def _environment(service: Node, values: Mapping[str, str]) -> list[Variable]:
    environment = service.get("environment")
    if environment is None:
        return []
    if environment.kind == SEQUENCE:
        return [_from_item(item, values) for item in environment.children if item.text]
    return [
        Variable(name, None if value.is_null else fill(value.text, values), key, value, f"{name}: ")
        for name, pair in environment.pairs().items()
        for key, value in (*environment.earlier(name), pair)
        if value.kind not in (MAPPING, SEQUENCE)
    ]


def _from_item(item: Node, values: Mapping[str, str]) -> Variable:
    name, equals, value = item.text.partition("=")
    return Variable(name.strip(), fill(value, values) if equals else None, item, None, f"{name}=")


def _command(service: Node) -> str:
    words = []
    for name in ("entrypoint", "command"):
        node = service.get(name)
        if node is not None:
            words += [node.text, *(item.text for item in node.children)]
    return " ".join(words)


def _mounts(service: Node) -> list[str]:
    """The paths in the container that volumes are mounted at; a tmpfs keeps nothing."""
    paths = []
    for item in service.items("volumes"):
        if item.kind == MAPPING:
            paths += [item.string("target")] if item.string("type") != "tmpfs" else []
        else:
            parts = item.text.split(":")
            paths.append(parts[1] if len(parts) > 1 else parts[0])
    return paths


def _published(service: Node) -> Node | None:
    """The first port that is published on every interface of the host."""
    for item in service.items("ports"):
        text = item.string("published") if item.kind == MAPPING else item.text
        host = item.string("host_ip") if item.kind == MAPPING else text.rpartition(":")[0].rpartition(":")[0]
        published = bool(text) if item.kind == MAPPING else ":" in text
        if published and host not in ("127.0.0.1", "localhost", "[::1]"):
            return item if item.kind != MAPPING else item.get("published")
    return None


def _env_files(container: Container, service: Node, sources: Sources) -> None:
    """Add the variables of env_file below those of environment; what cannot be read may set anything."""
    node = service.get("env_file")
    assert node is not None
    items = node.children if node.kind == SEQUENCE else [node]
    named = {variable.name for variable in container.environment}
    for item in items:
        path = item.string("path") if item.kind == MAPPING else item.text
        variables = sources.env_file(path)
        if variables is None:
            container.outside = f"{path} may set it, and was not read"
            continue
        for name, value, line in variables:
            if name not in named:
                key = Node("scalar", line, 1, name)
                container.environment.append(Variable(name, value, key, None, f"{name}="))
