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
OF_SCRIPT = "1g"
"""The heap of a broker or a controller without options of its own: kafka-server-start.sh, and Bitnami's and Confluent's scripts."""
OF_COMPOSE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,6})?)(?:([kmg])i?)?b?", re.IGNORECASE)
LIMITS = (("deploy", "resources", "limits", "memory"), ("mem_limit",))
PROBE = {"initialDelaySeconds": "0", "periodSeconds": "10", "failureThreshold": "3"}
"""The fields of a probe that say when it has failed for good, with Kubernetes' defaults."""
PORT_OF_CLIENTS = "9092"
GRACE, STOP = "terminationGracePeriodSeconds", "stop_grace_period"
DURATION = re.compile(r"(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?")


def add_heap(facts: Block, environment: Sequence[Variable], runs_script: bool) -> None:
    """Add the largest heap that the variables allow, or else the scripts of the image."""
    values = {each.name: each for each in environment}
    variable = values.get(OPTIONS)
    is_decided = not any("-Xmx" in (values[name].value or "$") for name in LATER_OPTIONS if name in values)
    heaps = HEAP.findall(variable.value or "") if variable is not None else []
    if variable is not None and heaps and is_decided and not variable.file:
        facts.translate("heap", heaps[-1], variable.key_node, OPTIONS)
    elif runs_script and not {OPTIONS, *LATER_OPTIONS} & values.keys() and facts.described is not None:
        facts.described["heap"] = OF_SCRIPT


def add_heap_of(facts: Block, options: str, place: TreeNode, written: str) -> None:
    """Add the largest heap that Java's options allow, of which the last one counts; none where one is filled in later."""
    heaps = HEAP.findall(options)
    if heaps and len(heaps) == options.count("-Xmx"):
        facts.translate("heap", heaps[-1], place, written)


def add_pod_limits(facts: Block, pod: TreeNode, container: TreeNode, written: str, number: int) -> None:
    """Add what a pod of Kubernetes says."""
    memory = container.key("resources", "limits", "memory")
    if memory is not None:
        path = f"{written}.containers[{number}].resources.limits.memory"
        facts.translate("memory.limit", container.string("resources", "limits", "memory"), memory, path)
    add_liveness(facts, container, f"{written}.containers[{number}].livenessProbe")
    grace = pod.key(GRACE)
    if grace is not None:
        facts.translate("termination.grace", pod.string(GRACE), grace, f"{written}.{GRACE}")


def add_liveness(facts: Block, container: TreeNode, written: str) -> None:
    """Add after how many seconds a container is killed that does not open the port of Kafka's clients."""
    place, probe = container.key("livenessProbe", "tcpSocket", "port"), container.get("livenessProbe")
    if place is None or probe is None or container.get("startupProbe") is not None:
        return
    if container.string("livenessProbe", "tcpSocket", "port") not in client_ports(container):
        return
    texts = [probe.string(field) or default for field, default in PROBE.items()]
    if all(text.isdecimal() and len(text) < 10 for text in texts):
        delay, period, failures = map(int, texts)
        facts.translate("liveness", str(delay + period * failures), place, written)
    else:
        filled_in = next(text for text in texts if not text.isdecimal())
        facts.translate("liveness", filled_in, place, written)


def client_ports(container: TreeNode) -> set[str]:
    """The names and the number of the port that Kafka has for clients by default."""
    names = {
        port.string("name") for port in container.items("ports") if port.string("containerPort") == PORT_OF_CLIENTS
    }
    return {PORT_OF_CLIENTS, *names} - {""}


def add_service_limit(facts: Block, service: TreeNode) -> None:
    """Add the limit of a service of Compose, as Kubernetes writes it."""
    where = next((path for path in LIMITS if service.key(*path) is not None), None)
    key = service.key(*where) if where else None
    match = OF_COMPOSE.fullmatch(service.string(*where).strip()) if where else None
    if key is not None and where and match:
        unit = f"{match[2].upper()}i" if match[2] else ""
        facts.translate("memory.limit", f"{match[1]}{unit}", key, ".".join(where))
    stop = service.key(STOP)
    seconds = seconds_of(service.string(STOP))
    if stop is not None and seconds is not None:
        facts.translate("termination.grace", str(seconds), stop, STOP)


def seconds_of(duration: str) -> int | None:
    """A duration of Compose, such as 1m30s, in seconds; None where it is none."""
    match = DURATION.fullmatch(duration.strip())
    if match is None or not any(match.groups()):
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return 3600 * hours + 60 * minutes + seconds
