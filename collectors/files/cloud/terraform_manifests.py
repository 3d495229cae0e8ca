"""Kubernetes' objects, task definitions of ECS and containers of Docker that Terraform makes.

Source: the providers hashicorp/kubernetes, hashicorp/google, hashicorp/azurerm, heroku/heroku, gavinbunney/kubectl, hashicorp/aws and kreuzwerker/docker.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from collectors.files import generic
from collectors.files.block import Block
from collectors.files.cloud import topics_as_code
from collectors.files.cloud.terraform_resource import FORMAT_NAME, Resource, unknown_block
from collectors.files.cloud.terraform_types import APPLICATIONS, DOCKER_CONTAINER, ECS_TASK, MANIFESTS, OBJECTS
from collectors.files.containers import application_variables, ecs, kubernetes
from collectors.files.containers.container import blocks_of
from collectors.files.containers.container_definition import container_of
from collectors.files.containers.kubernetes import SECRET
from collectors.files.names import camel_case
from collectors.files.operators import cfk, strimzi
from collectors.files.sources import Sources
from collectors.files.syntax.text_documents import decoded
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode, read_words

READERS: Sequence[ModuleType] = (strimzi, cfk, topics_as_code, kubernetes, generic)
LISTS = {
    "container": "containers", "init_container": "initContainers", "env": "env", "env_from": "envFrom", "volume": "volumes",
    "volume_mount": "volumeMounts", "volume_claim_template": "volumeClaimTemplates", "port": "ports",
}  # fmt: skip
"""Blocks that Kubernetes has as lists."""
TEXTS = ("data", "binary_data", "annotations", "labels", "match_labels", "string_data")
"""Maps whose names are not Kubernetes'."""


def blocks_of_resources(resources: Sequence[Resource], sources: Sources) -> list[Block]:
    """The blocks of all resources of a file that describe containers or objects of Kubernetes."""
    kafka_blocks: list[Block] = []
    manifests: dict[ModuleType, list[TreeNode]] = {}
    for resource in resources:
        type, name = resource.labels[0], ".".join(resource.labels)
        if type == ECS_TASK:
            kafka_blocks += _task(resource.body, name, sources)
        elif type == DOCKER_CONTAINER:
            kafka_blocks += blocks_of(container_of(resource.body, name, FORMAT_NAME, sources))
        elif type in APPLICATIONS:
            kafka_blocks += application_variables.blocks([resource.body], sources, FORMAT_NAME, f"{name}.")
        elif type in OBJECTS or type in MANIFESTS:
            manifest = _manifest(resource)
            if isinstance(manifest, str):
                kafka_blocks += unknown_block(name, resource.body, MANIFESTS[type], sources.shown, manifest)
            elif (reader := next((each for each in READERS if each.knows(manifest)), None)) is not None:
                manifests.setdefault(reader, []).append(manifest)
    kafka_blocks += [block for reader, nodes in manifests.items() for block in reader.blocks(nodes, sources)]
    return kafka_blocks


def _task(body: TreeNode, name: str, sources: Sources) -> list[Block]:
    text = body.get("container_definitions")
    tree = _tree(text) if text is not None else "it has no containers"
    if isinstance(tree, str) or tree.kind != SEQUENCE:
        return unknown_block(name, body, "container_definitions", sources.shown, tree if isinstance(tree, str) else "")
    made = list(ecs.blocks_of_containers(tree, sources, name))
    for block in made:
        block.format = FORMAT_NAME
    return made


def _manifest(resource: Resource) -> TreeNode | str:
    """An object of Kubernetes as a manifest, or why that is not known."""
    type, body = resource.labels[0], resource.body
    if type in OBJECTS:
        return _object(body, OBJECTS[type])
    node = body.get(MANIFESTS[type])
    tree = _tree(node) if node is not None else "it has no manifest"
    if not isinstance(tree, str):
        read_words(tree.scalars())
    return tree if isinstance(tree, str) or tree.kind == MAPPING else "it is no object"


def _tree(node: TreeNode) -> TreeNode | str:
    """A value, or what its text holds; a reason where that is not known."""
    if node.kind != SCALAR:
        return node
    return decoded(node) if not node.unknown or any(mark in node.text for mark in "\n{:") else node.unknown


def _object(body: TreeNode, kind: str) -> TreeNode:
    manifest = _renamed(body, "")
    for key in [name for name, _ in manifest.pairs_written if kind == SECRET and name.text == "data"]:
        key.text = "stringData"
    for name, text in (("apiVersion", "v1"), ("kind", kind)):
        manifest.add(TreeNode(SCALAR, body.line, body.column, name), TreeNode(SCALAR, body.line, body.column, text))
    return manifest


def _renamed(node: TreeNode, field: str) -> TreeNode:
    """Blocks under the names that Kubernetes' own manifests have."""
    if field in TEXTS or node.kind == SCALAR:
        return node
    made = TreeNode(node.kind, node.line, node.column)
    made.children = [_renamed(child, "") for child in node.children]
    for name, (key, value) in node.pairs().items():
        word = TreeNode(SCALAR, key.line, key.column, LISTS.get(name) or camel_case(name.replace("_", ".")))
        inner = _renamed(value, name)
        if name in LISTS and inner.kind == MAPPING:
            inner, inner.children = TreeNode(SEQUENCE, key.line, key.column), [inner]
        made.add(word, inner)
    return made
