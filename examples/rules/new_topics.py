"""A rule of one's own about a change: kafka-advisor lint . --since main --rules examples/rules/new_topics.py"""

from advisor.rule import AT_ONCE, CHANGED, Problem, Problems, Subject, applies, rule


@rule("ACME2", "medium", dev="info", effect=CHANGED, acts=AT_ONCE)
def new_topic_without_retention(added: Subject) -> Problems:
    """A new topic does not say how long it keeps its records.

    Why: the brokers' default may change, and nobody remembers then what the topic was made for.
    Fix: set retention.ms, or cleanup.policy=compact, where the topic is declared.
    Bad (strimzi):
        before:
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {partitions: 6, replicas: 3}
    Good (strimzi):
        before:
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {partitions: 6, replicas: 3, config: {retention.ms: 604800000}}
    """
    applies(added.kind() == "topic", "no topic")
    applies(added.str("cleanup.policy") != "compact", "a compacted topic has no retention")
    if not added.is_set("retention.ms"):
        yield Problem("retention.ms", "the new topic keeps its records as long as the brokers' default says")
