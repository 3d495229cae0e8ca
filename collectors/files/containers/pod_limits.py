"""What a container may use, and how long it may take to end: its heap, the limit of its memory, the time until it is killed.

Sources: kafka-run-class.sh (the order of Java's options), Kubernetes' pods, the Compose specification (mem_limit, deploy.resources).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from collectors.files.block import Block
from collectors.files.syntax.tree import TreeNode
from collectors.files.variables import Variable

HEAP = re.compile(r"-Xmx([0-9]{1,15}[kKmMgGtT]?)(?![^\s\"'])")
OPTIONS = "KAFKA_HEAP_OPTS"
LATER_OPTIONS = ("KAFKA_JVM_PERFORMANCE_OPTS", "KAFKA_OPTS", "KAFKA_JMX_OPTS", "JAVA_TOOL_OPTIONS", "EXTRA_ARGS")
"""Variables whose options may set the heap anew."""
OF_COMPOSE = re.compile(r"([0-9]{1,15})([kmg])b?", re.IGNORECASE)
LIMITS = (("deploy", "resources", "limits", "memory"), ("mem_limit",))
GRACE = "terminationGracePeriodSeconds"


def add_heap(facts: Block, environment: Sequence[Variable]) -> None:
    """Add the largest heap that the variables allow."""
    values = {each.name: each for each in environment}
    variable = values.get(OPTIONS)
    is_decided = not any("-Xmx" in (values[name].value or "$") for name in LATER_OPTIONS if name in values)
    heaps = HEAP.findall(variable.value or "") if variable is not None else []
    if variable is not None and heaps and is_decided and not variable.file:
        facts.translate("heap", heaps[-1], variable.key_node, OPTIONS)


def add_pod_limits(facts: Block, pod: TreeNode, container: TreeNode, written: str, number: int) -> None:
    """Add what a pod of Kubernetes says."""
    memory = container.key("resources", "limits", "memory")
    if memory is not None:
        path = f"{written}.containers[{number}].resources.limits.memory"
        facts.translate("memory.limit", container.string("resources", "limits", "memory"), memory, path)
    grace = pod.key(GRACE)
    if grace is not None:
        facts.translate("termination.grace", pod.string(GRACE), grace, f"{written}.{GRACE}")


def add_service_limit(facts: Block, service: TreeNode) -> None:
    """Add the limit of a service of Compose, as Kubernetes writes it."""
    where = next((path for path in LIMITS if service.key(*path) is not None), None)
    key = service.key(*where) if where else None
    match = OF_COMPOSE.fullmatch(service.string(*where).strip()) if where else None
    if key is not None and where and match:
        facts.translate("memory.limit", f"{match[1]}{match[2].upper()}i", key, ".".join(where))
