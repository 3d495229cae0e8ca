"""What all replicas of one container have alike: an id that is written down is that of each of them."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.model import CLIENT_KINDS, DEPLOYMENT, LITERAL, SERVER_KINDS
from collectors.files.block import Block
from collectors.files.containers.container import Container
from collectors.files.syntax.tree import TreeNode

SHARED_ID = "hosts.of.id."
"""What the fact begins with about an id that several nodes have."""
IDS = ("node.id", "broker.id")
ADVERTISED, ADVERTISED_IN_COMMAND = "advertised.listeners", "ADVERTISED"
"""What the brokers tell clients to connect to, and the word by which a command may set it anew."""
OF_INSTANCE = ("group.instance.id", "transactional.id")
OF_SHELL = ("$", "export", "env ")
"""What stands in a command that may set a variable anew."""


def count_clients(blocks: Iterable[Block], replicas: int | None, container: Container) -> None:
    """Say of clients how many replicas have their settings, unless the command or the pod may set others."""
    names = [variable.value for variable in container.environment if variable.derived and variable.value]
    if replicas and not any(word in container.command for word in OF_SHELL):
        for block in blocks:
            ids = [block.settings[key].value for key in OF_INSTANCE if key in block.settings]
            is_of_pod = any(name in id for name in names for id in ids)
            if block.kind in CLIENT_KINDS and not (block.changed_by or is_of_pod):
                block.replicas = replicas


def add_shared_address(blocks: Iterable[Block], replicas: int | None, command: str) -> None:
    """Say that several brokers advertise one address, where nothing but the file sets it."""
    blocks = list(blocks)
    node = next((block for block in blocks if block.kind in ("broker", "combined")), None)
    facts = next((block for block in blocks if block.kind == DEPLOYMENT), None)
    address = node.settings.get(ADVERTISED) if node is not None else None
    if node is None or facts is None or address is None or not replicas or replicas < 2:
        return
    is_fixed = address.shape == LITERAL and not address.derived and ADVERTISED_IN_COMMAND not in command.upper()
    if is_fixed and not (node.fragment or node.changed_by):
        written = address.written or ADVERTISED
        place = TreeNode("scalar", address.origin.line or 1, address.origin.column or 1, written)
        facts.translate("shared.address", f"{replicas} replicas: {address.value.strip()}", place, written)


def add_shared_id(blocks: Iterable[Block], replicas: int | None, place: TreeNode | None, written: str) -> None:
    """Say that several replicas get one id, where nothing but the file sets it."""
    blocks = list(blocks)
    node = next((block for block in blocks if block.kind in SERVER_KINDS), None)
    facts = next((block for block in blocks if block.kind == DEPLOYMENT), None)
    if node is None or facts is None or place is None or not replicas or replicas < 2:
        return
    id = next((node.settings[key] for key in IDS if key in node.settings), None)
    is_fixed = id is not None and id.shape == LITERAL and not id.derived and id.value.strip().isdigit()
    if id is not None and is_fixed and not (node.fragment or node.changed_by):
        facts.translate(SHARED_ID + id.value.strip(), f"{replicas} replicas", place, written)
