"""A file of variables that no Compose file takes: what an image of Kafka's or an application would make of them."""

from __future__ import annotations

import os

from advisor.errors import JudgedElsewhere, NothingToJudge
from advisor.model import DEPLOYMENT, OVERLAY
from collectors.files import detect
from collectors.files.block import Block
from collectors.files.containers.container import Container, blocks_of, in_role, node_of
from collectors.files.images.image import BROKER, CONNECT, property_of
from collectors.files.run_files import YAML
from collectors.files.sources import Sources, variables_in
from collectors.files.syntax.properties import decode
from collectors.files.syntax.tree import TreeNode
from collectors.files.variables import Variable

FORMAT_NAME = "env-file"
OUTSIDE = "what starts the container may set it"
OF_BITNAMI = "KAFKA_CFG_"

LARGEST = 1024 * 1024


def env_file_blocks(text: str, sources: Sources) -> list[Block]:
    """What the variables configure. Raises NothingToJudge where that is nothing, JudgedElsewhere where Compose takes them."""
    rows = variables_in(text)
    environment = [
        Variable(name, value, TreeNode("scalar", line, 1, name), None, f"{name}=") for name, value, line in rows
    ]
    kafka_blocks = blocks_of_variables(environment, sources)
    if kafka_blocks and _is_taken(sources):
        raise JudgedElsewhere(f"{sources.shown}: a Compose file takes it, and is judged with it", FORMAT_NAME)
    if not kafka_blocks:
        raise NothingToJudge(f"{sources.shown}: no Kafka setting in it; say what it is with --kind if it is one")
    return kafka_blocks


def blocks_of_variables(environment: list[Variable], sources: Sources) -> list[Block]:
    """The nodes, workers and clients; a broker or a worker of which only a few settings are there is a piece of one."""
    is_bitnami = any(each.name.startswith(OF_BITNAMI) for each in environment)
    container = _container(environment, sources, "bitnami/kafka" if is_bitnami else "")
    own = [each for each in blocks_of(container) if each.kind != DEPLOYMENT]
    roles = ((BROKER, "KAFKA_", detect.SERVER), (CONNECT, "CONNECT_", detect.CONNECT))
    return own or [
        _piece(container, role)
        for role, begins, keys in roles
        if any(each.name.startswith(begins) and _key(container, role, each.name) in keys for each in environment)
    ]


def _key(container: Container, role: str, variable: str) -> str | None:
    return property_of(in_role(container, role).image, variable)


def _piece(container: Container, role: str) -> Block:
    block = node_of(container, role)
    if role == BROKER and not {"process.roles", "zookeeper.connect"} & block.settings.keys():
        block.kind = OVERLAY
    return block


def _container(environment: list[Variable], sources: Sources, image: str) -> Container:
    container = Container(os.path.basename(sources.shown), image, None, sources.shown, FORMAT_NAME)
    container.environment = environment
    container.mounts, container.outside = None, OUTSIDE
    return container


def _is_taken(sources: Sources) -> bool:
    """Whether a Compose file of the run, in the folder or above it, names the file, or lies beside a `.env`."""
    name, folder = os.path.basename(sources.path), sources.folder
    for path in sources.run.ending(YAML):
        above = os.path.dirname(path)
        if above and above != folder and not folder.startswith(above + os.sep):
            continue
        text = _text(path)
        if "services:" in text and (name in text or (name == ".env" and above == folder)):
            return True
    return False


def _text(path: str) -> str:
    try:
        with open(path, "rb") as handle:
            return decode(handle.read(LARGEST))
    except OSError:
        return ""
