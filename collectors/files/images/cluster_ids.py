"""The id with which the images format the disks of a quorum's nodes: nodes that differ in it refuse each other.

Source: kafka_kraft_storage_initialize of bitnami/containers (libkafka.sh), which makes a random one where no variable has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.model import DEPLOYMENT, LITERAL, SERVER_KINDS
from collectors.files.block import Block
from collectors.files.syntax.tree import TreeNode

UNSHARED = "unshared."
"""What the fact begins with about the variable of the id that a node does not have in common with its quorum."""
VARIABLE, ID = "KAFKA_KRAFT_CLUSTER_ID", "cluster.id"
OF_BITNAMI = (VARIABLE, "KAFKA_CLUSTER_ID")
"""The variables of which Bitnami's image takes the id; releases before 4.0 take the first alone."""
TAKES_BOTH = (3, 8)
"""The first release that may take both of them: the scripts of 3.8 and 3.9 are not known."""
OF_APACHE, NO_ID = "CLUSTER_ID", "missing"
"""The variable of which Apache's image takes the id, which has one of its own where it is not set; what stands for one that no image has."""
SKIPS_FORMAT = "KAFKA_SKIP_KRAFT_STORAGE_INIT"
"""The variable with which Bitnami's image formats nothing."""
VOTERS = "controller.quorum.voters"
BOTH_ROLES = {"broker", "controller"}


def compare_ids(blocks: Sequence[Block]) -> None:
    """Say of the nodes of each quorum that they are formatted with different ids."""
    deployments = {block.name: block for block in blocks if block.kind == DEPLOYMENT}
    for nodes in _quorums(blocks):
        facts = [deployments[node.name] for node in nodes if node.name in deployments]
        random = [each for each in facts if each.random_id is not None] if _is_shared(nodes) else []
        for each in random:
            each.translate(UNSHARED + VARIABLE, "", each.random_id or TreeNode("scalar", 0, 0), VARIABLE)
        _compare_written(facts if not random else ())


def _quorums(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """The nodes in KRaft mode, by their quorum."""
    by_quorum: dict[str, list[Block]] = {}
    for block in blocks:
        if block.kind in SERVER_KINDS and block.cluster and "process.roles" in block.settings:
            by_quorum.setdefault(block.cluster, []).append(block)
    yield from by_quorum.values()


def _is_shared(nodes: Sequence[Block]) -> bool:
    """Whether a quorum has more than one node, here or elsewhere."""
    first = nodes[0].settings
    voters = first[VOTERS].value.count("@") if VOTERS in first else 1
    roles = {role.strip() for role in first["process.roles"].value.split(",")}
    is_one_role = first["process.roles"].shape == LITERAL and roles < BOTH_ROLES
    return len(nodes) > 1 or voters > 1 or (nodes[0].brokers or 1) > 1 or is_one_role


def _compare_written(facts: Sequence[Block]) -> None:
    """Say of nodes that their id is another one than the first node's."""
    written = [each for each in facts if ID in each.settings and each.settings[ID].shape == LITERAL]
    for each in facts if written else ():
        own, image = (each.described or {}).get(ID), each.settings.get("image")
        if ID not in each.settings and own not in (None, NO_ID, written[0].settings[ID].value) and image is not None:
            place = TreeNode("scalar", image.origin.line or 0, image.origin.column or 0, OF_APACHE)
            each.translate(UNSHARED + OF_APACHE, "", place, OF_APACHE)
    for each in written[1:]:
        id, first = each.settings[ID], written[0].settings[ID]
        if id.value != first.value:
            place = TreeNode("scalar", id.origin.line or 0, id.origin.column or 0, id.written or ID)
            each.translate(UNSHARED + place.text, id.value, place, place.text)
