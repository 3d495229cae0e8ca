"""What an operator, or Compose, does by itself when a change is applied, and where it hangs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from advisor.analysis.rollout.cluster import RolloutCluster
from advisor.analysis.rollout.course import Course

STRIMZI, CFK, HELM, COMPOSE, KUBERNETES = "strimzi", "cfk", "helm-values", "compose", "kubernetes"


OF_FIELDS = (
    *("listeners", "listener.", "advertised.", "inter.broker.listener.name", "controller.", "process.roles", "node.id"),
    *("broker.id", "security.", "sasl.", "ssl.", "principal.builder.class", "authorizer.", "super.user", "log.dir"),
)
"""What the keys begin with that Strimzi writes from its own fields. Source: KafkaClusterSpec.FORBIDDEN_PREFIXES."""


def is_writable(keys: Iterable[str], cluster: RolloutCluster) -> bool:
    """Whether files can hold values of keys which neither the old nor the new ones have: Strimzi drops those of its own fields."""
    is_strimzis = any(node.either.entity.format == STRIMZI for node in cluster.nodes.values())
    return not is_strimzis or not any(key.startswith(OF_FIELDS) for key in keys)


def altering_operator(cluster: RolloutCluster) -> str:
    """The operator that alters dynamic values when its resource is applied, and takes back what commands set beside it.

    Source: Strimzi's KafkaRoller.dynamicUpdateKafkaConfig.
    """
    return "Strimzi" if any(node.either.entity.format == STRIMZI for node in cluster.nodes.values()) else ""


def operator_notes(cluster: RolloutCluster, course: Course, needs_restart: bool, passes: int) -> list[str]:
    """Sentences about each of them that the files are for; none where nothing changes that they would apply."""
    targets = [
        (node.old.entity.target.version, node.new.entity.target.version)
        for node in cluster.nodes.values()
        if node.old and node.new
    ]
    needs_restart |= any(was != is_now for was, is_now in targets)
    if not needs_restart and not any(node.changed for node in cluster.nodes.values()):
        return []
    formats = {node.either.entity.format for node in cluster.nodes.values()}
    notes: list[str] = []
    for format, words in WORDS.items():
        if format in formats:
            notes += words(course, needs_restart)
    if notes and passes > 1:
        notes.append(f"Apply the {passes} passes one by one: each is rolled as soon as it is there.")
    return notes


def strimzi(course: Course, needs_restart: bool) -> Iterator[str]:
    """KafkaRoller and KafkaConfigurationDiff."""
    if not needs_restart:
        yield "Strimzi alters these values dynamically when the resource is applied, and restarts no pod."
        return
    yield (
        "Strimzi restarts the pods by itself when the resource is applied: controllers first, the active one last, then "
        "brokers, each only while enough voters are caught up and no partition of it is at min.insync.replicas."
    )
    number = first_short(course)
    if number is not None:
        yield (
            f"It hangs after step {number} ({course.steps[number - 1].node}): the next broker holds partitions at "
            "min.insync.replicas, and the ISR does not grow. It knows nothing of who reaches whom."
        )
    if course.by_design:
        yield "Partitions with no more replicas than min.insync.replicas are restarted all the same: their writes stop."


def cfk(course: Course, needs_restart: bool) -> Iterator[str]:
    """Confluent for Kubernetes."""
    if not needs_restart:
        return
    yield "Confluent for Kubernetes restarts pod after pod when the resource is applied, each once no partition is under-replicated."
    number = first_short(course)
    if number is not None:
        yield f"It hangs after step {number} ({course.steps[number - 1].node}): the ISR does not grow any more."


def stateful_set(_: Course, needs_restart: bool) -> Iterator[str]:
    """A StatefulSet."""
    if needs_restart:
        yield (
            "A StatefulSet restarts its pods from the last one down and waits for their readiness alone, not for the ISR: "
            "set updateStrategy to OnDelete, or a partition, and delete one pod after the other."
        )


def compose(_: Course, needs_restart: bool) -> Iterator[str]:
    """docker compose up."""
    if needs_restart:
        yield (
            "docker compose up -d recreates every changed service at once: nothing is rolled, and all partitions are offline "
            "meanwhile. Name one service at a time: docker compose up -d --no-deps SERVICE, then wait for the ISR."
        )


WORDS = {STRIMZI: strimzi, CFK: cfk, HELM: stateful_set, KUBERNETES: stateful_set, COMPOSE: compose}


def first_short(course: Course) -> int | None:
    """The number of the first step after which replicas do not come back into the ISR."""
    return next((number for number, step in enumerate(course.steps, 1) if step.counts["not_full"]), None)
