"""The heap and the limit of the memory of the pods that Bitnami's chart makes: of each role from 24 on, of all nodes before.

Source: bitnami/charts (kafka/templates, the variable KAFKA_HEAP_OPTS of each StatefulSet, which extraEnvVars stand behind).
"""

from __future__ import annotations

from collections.abc import Iterator

from collectors.files.block import Block, deployment
from collectors.files.containers.pod_limits import LATER_OPTIONS, OPTIONS, add_heap_of
from collectors.files.helm.bitnami_recognition import is_from_24
from collectors.files.helm.deployment_facts import FORMAT_NAME, add_fact
from collectors.files.syntax.tree import TreeNode

LIMIT = ("resources", "limits", "memory")
ROLES = (("controller",), ("broker",))


def heap_facts(values: TreeNode, path: str, file: str) -> Iterator[Block]:
    """What the values say of the heap and of the memory of nodes, where they say both."""
    for role in ROLES if is_from_24(values) else (*ROLES, ()):
        place = values.key(*role, "heapOpts")
        is_limited = values.key(*role, *LIMIT) is not None
        if (
            place is None
            or not is_limited
            or values.string(*role, "replicaCount") == "0"
            or _is_set_elsewhere(values, role)
        ):
            continue
        name = " ".join((path.rstrip(".") or "kafka", *role))
        facts = deployment(f"Helm {name} memory", FORMAT_NAME, file)
        add_heap_of(facts, values.string(*role, "heapOpts"), place, path + ".".join((*role, "heapOpts")))
        add_fact(facts, "memory.limit", values.string(*role, *LIMIT), values, path, (*role, *LIMIT))
        yield facts


def _is_set_elsewhere(values: TreeNode, role: tuple[str, ...]) -> bool:
    """Whether variables beside the chart's own may set the heap anew."""
    sections = {(), role}
    if any(values.string(*each, f"extraEnvVars{source}") for each in sections for source in ("CM", "Secret")):
        return True
    named = {item.string("name") for each in sections for item in values.items(*each, "extraEnvVars")}
    return bool(named & {OPTIONS, *LATER_OPTIONS})
