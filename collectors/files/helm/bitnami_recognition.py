"""How values of Bitnami's chart are told from those of others, and which generation they are of."""

from __future__ import annotations

from collections.abc import Sequence

from collectors.files.helm import bitnami_from_24
from collectors.files.helm.bitnami_until_23 import ALIASES
from collectors.files.names import key_of
from collectors.files.syntax.tree import TreeNode

BROKER = ("broker",)
SECTIONS = ("zookeeper", "kraft", "externalZookeeper", "provisioning", "externalAccess", "persistence", "logPersistence",
            "replicaCount", "controller", "broker", "listeners", "sasl", "auth", "heapOpts", "existingConfigmap", "config",
            "extraConfig", "overrideConfiguration", "image")  # fmt: skip
OWN = ("externalAccess", "kraft", "externalZookeeper", "provisioning", "logPersistence", "heapOpts", "interbroker",
       "overrideConfiguration", "extraConfig", "zookeeper", "controller")  # fmt: skip
OF_OTHERS = frozenset(("controller", "zookeeper"))
"""Sections that charts of Pinot, ClickHouse and others have, too."""


def is_bitnami(values: TreeNode) -> bool:
    """Whether values are of the chart, by its image, its sections or its fields."""
    names = values.pairs().keys()
    if "apiVersion" in names or "services" in names or "spring" in names:
        return False
    settings = [name for name in names if "." not in name and setting_of_field(name) is not None]
    sections = [name for name in OWN if name in names]
    image = values.string("image", "repository")
    return (
        image.endswith("/kafka")
        or (len(settings) >= 2 and ("replicaCount" in names or bool(sections) or "persistence" in names))
        or any(values.get("listeners", part, "protocol") is not None for part in ("client", "interbroker"))
        or (len(sections) >= 2 and ("controller" in names or "kraft" in names) and not _is_of_another(values, sections))
    )


def has_volumes(values: TreeNode) -> bool:
    """Whether values say of brokers and controllers what their volumes are, as those of Bitnami's chart from 26 on do."""
    return all(values.get(part) is not None for part in ("broker", "controller")) and any(
        values.get(part, "persistence", "enabled") is not None for part in ("broker", "controller")
    )


def _is_of_another(values: TreeNode, sections: Sequence[str]) -> bool:
    """Whether another chart may have the sections: it has controllers and ZooKeeper as well, or Kafka as a part."""
    image = values.string("image", "repository")
    is_kafkas = image == "" or any(word in image for word in ("kafka", "automq"))
    return "kafka" in values.pairs() or OF_OTHERS.issuperset(sections) or not is_kafkas


def setting_of_field(name: str) -> str | None:
    """The setting that a field at the top is about; None for a section."""
    if name in ALIASES:
        return ALIASES[name]
    return key_of(name, BROKER) if name not in SECTIONS and any(char.isupper() for char in name) else None


def is_charts(values: TreeNode) -> bool:
    """Whether the image is that of the chart."""
    return "bitnami" in (values.string("image", "repository") or "bitnami")


def is_from_24(values: TreeNode) -> bool:
    """Whether the chart is one from 24 on: those have a mapping of listeners, and sections of controllers and of brokers."""
    has_listeners = any(values.get("listeners", part) is not None for part in bitnami_from_24.PARTS)
    return has_listeners or (is_charts(values) and bitnami_from_24.is_from_24(values))
