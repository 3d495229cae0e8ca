"""Changes of a schema registry: the topic that keeps the schemas, who writes it, and what is checked."""

from __future__ import annotations

from advisor.rule import LOST, RESTART, STOPPED, WEAKER, Problem, Problems, Subject, applies, rule

REGISTRY = "schema-registry"
TOPIC, GROUP, LEADER, LEVEL = (
    "registry.topic",
    "registry.group.id",
    "registry.leader.eligibility",
    "registry.compatibility",
)
NEW_READERS, OLD_READERS, ALL = "new readers of old records", "old readers of new records", "versions before the last"
CHECKS: dict[str, set[str]] = {
    "none": set(),
    "backward": {NEW_READERS},
    "backward_transitive": {NEW_READERS, ALL},
    "forward": {OLD_READERS},
    "forward_transitive": {OLD_READERS, ALL},
    "full": {NEW_READERS, OLD_READERS},
    "full_transitive": {NEW_READERS, OLD_READERS, ALL},
}
"""What each level of compatibility checks."""
TURNED = ({"backward", "forward"}, {"backward_transitive", "forward_transitive"})


@rule("KA1887", "critical", dev="low", effect=LOST, acts=RESTART)
def registry_moved(deployment: Subject, before: Subject) -> Problems:
    """A schema registry keeps its schemas in another topic, or elects its leader in another group.

    Why: in an empty topic the ids begin at 1 again: the ids in records that are there already resolve to nothing, or to another schema.
        With another group the restarted node is a second leader beside the old one until the last node has it: both give out the same ids.
        Without a node that may lead no schema is registered.
    Fix: 1. for another topic copy the old one first, with its one partition and its keys, and keep cleanup.policy=compact; import with mode
        IMPORT where ids have to stay; 2. for another group stop all nodes, then start them.
    Care: a topic that was auto-created may be cleaned by time: set cleanup.policy=compact.
    Bad (registry):
        before:
            kafkastore.bootstrap.servers=PLAINTEXT://b1:9092
            kafkastore.topic=_schemas
        after:
            kafkastore.bootstrap.servers=PLAINTEXT://b1:9092
            kafkastore.topic=_schemas_v2
    Good (registry):
        before:
            kafkastore.bootstrap.servers=PLAINTEXT://b1:9092
            kafkastore.topic=_schemas
        after:
            kafkastore.bootstrap.servers=PLAINTEXT://b1:9092
            kafkastore.topic.replication.factor=3
    See: https://docs.confluent.io/platform/current/schema-registry/installation/config.html
    """
    applies(deployment.str("runs") == before.str("runs") == REGISTRY, "no schema registry")
    old, new = before.str(TOPIC), deployment.str(TOPIC)
    if old != new:
        yield Problem(
            TOPIC, f"the schemas are in {old}: ids of records that are there resolve to nothing, or to another schema"
        )
        return
    old, new = before.str(GROUP), deployment.str(GROUP)
    if old != new:
        yield Problem(
            GROUP,
            f"nodes of the group {old} have a leader, too: both give out the same ids until the last node has it",
            likely=True,
        )
    elif before.bool(LEADER) and not deployment.bool(LEADER):
        yield Problem(
            LEADER, "schemas are registered only where another node may lead", step=-1, effect=STOPPED, likely=True
        )


@rule("KA1888", "high", dev="low", effect=WEAKER, acts=RESTART)
def compatibility_lowered(deployment: Subject, before: Subject) -> Problems:
    """A schema registry checks less of a new schema, or checks it in the other direction.

    Why: the level decides which schemas are accepted: with a weaker one the next one that breaks readers or writers goes through, and shows
        when they fail. Between BACKWARD and FORWARD it turns round who has to be upgraded first. Without TRANSITIVE only the newest version
        is compared, and old records may become unreadable.
    Fix: keep the level, and lower it for one subject where one schema needs it (PUT /config/SUBJECT), for as long as that takes.
    Bad (registry):
        before:
            kafkastore.bootstrap.servers=PLAINTEXT://b1:9092
            schema.compatibility.level=full
        after:
            kafkastore.bootstrap.servers=PLAINTEXT://b1:9092
            schema.compatibility.level=none
    Good (registry):
        before:
            kafkastore.bootstrap.servers=PLAINTEXT://b1:9092
            schema.compatibility.level=backward
        after:
            kafkastore.bootstrap.servers=PLAINTEXT://b1:9092
            schema.compatibility.level=full
    See: https://docs.confluent.io/platform/current/schema-registry/fundamentals/schema-evolution.html
    """
    applies(deployment.str("runs") == before.str("runs") == REGISTRY, "no schema registry")
    old, new = (side.str(LEVEL).lower() for side in (before, deployment))
    applies(old in CHECKS and new in CHECKS, "no level of the registry")
    if CHECKS[old] - CHECKS[new]:
        missing = sorted(CHECKS[old] - CHECKS[new])
        turned = {old, new} in TURNED
        words = (
            "readers and writers are upgraded in the other order"
            if turned
            else f"no longer checked: {' and '.join(missing)}"
        )
        yield Problem(LEVEL, f"{words} ({old} before)", step=-1 if turned or missing == [ALL] else 0)
