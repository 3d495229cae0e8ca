"""Facts of the deployment that a chart's values tell: volumes, claims, what is open to clients outside."""

from __future__ import annotations

from collectors.files.block import Block
from collectors.files.syntax.tree import TreeNode

FORMAT_NAME = "helm-values"
OF_THE_RELEASE, MADE_BY_CHART = "release", "generated"
"""Whose names volumes have, and where the id of the cluster comes from, where the values do not say it."""


def add_fact(
    facts: Block, fact: str, value: str, values: TreeNode, path: str, where: tuple[str, ...], wanted: str | None = None
) -> None:
    """Add a fact at the field that says it, unless it is known; one that only a value of the field means where it has that value."""
    key = values.key(*where)
    if key is not None and fact not in facts.settings and (wanted is None or values.string(*where).lower() == wanted):
        facts.translate(fact, value, key, path + ".".join(where))


def add_claim(facts: Block, values: TreeNode, path: str, where: tuple[str, ...]) -> None:
    """Add the storage class and the size of the claims that the chart's StatefulSets make for each pod."""
    size, storage_class = values.string(*where, "size"), values.string(*where, "storageClass")
    if size and values.string(*where, "enabled").lower() != "false" and not values.string(*where, "existingClaim"):
        add_fact(facts, f"claim.{'.'.join(where)}", f"{storage_class or '-'} {size}", values, path, (*where, "size"))
