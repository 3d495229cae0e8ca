"""What tools that keep topics as code make of a change: refused, deleted with a resource, overwritten, deleted from now on."""

from __future__ import annotations

from advisor.rule import AT_ONCE, CHANGED, LOST, NEVER, OF_TOPIC, WEAKER, Problem, Problems, Subject, applies, rule
from rules.changes.removals import first_key
from rules.changes.resources import filled_in, resource_of_operator

DELETION = "deletion"


def resources(topic: Subject, before: Subject) -> tuple[str, str]:
    """The resource that declares a topic, before and now. Raises Unknown, NotApplicable."""
    old, new = resource_of_operator(before), resource_of_operator(topic)
    applies(old and new, "no resource of an operator on both sides")
    return filled_in(old or "", "the resource's name"), filled_in(new or "", "the resource's name")


@rule("KA1834", "medium", dev="info", effect=CHANGED, acts=NEVER)
def topic_change_refused(topic: Subject, before: Subject) -> Problems:
    """Strimzi's topic operator refuses the change of a topic: nothing of it happens in the cluster.

    Why: the operator does not rename a topic, and lowers no number of partitions: the resource gets the condition NotSupported, and with
        another topicName nothing else of it is applied either. Who reads the repository believes otherwise.
    Fix: 1. put the value back; 2. declare a new topic with the name or the partitions that you need; 3. copy the records, move writers and
        readers; 4. take the old resource out.
    Care: kubectl get kafkatopics shows READY False; alert on it.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {topicName: orders.v1, partitions: 6, replicas: 3}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {topicName: orders.v2, partitions: 6, replicas: 3}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {topicName: orders.v1, partitions: 6, replicas: 3}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {topicName: orders.v1, partitions: 6, replicas: 3, config: {retention.ms: 604800000}}
    See: https://strimzi.io/docs/operators/latest/deploying#proc-configuring-kafka-topic-str, io.strimzi.operator.topic.BatchingTopicController
    """
    old_resource, new_resource = resources(topic, before)
    applies(old_resource == new_resource, "another resource declares it")
    applies(topic.removal() == OF_TOPIC, "the operator leaves the topic alone")
    if topic.known_as() != before.known_as():
        words = f"the operator does not rename {before.known_as()}, and applies nothing of the resource"
        yield Problem(first_key(topic), words)
        return
    applies(topic.is_set("partitions") and before.is_set("partitions"), "the number is not known on both sides")
    if topic.int("partitions") < before.int("partitions"):
        yield Problem("partitions", "a topic cannot have fewer: the operator refuses it, and Kafka keeps what it has")


@rule("KA1819", "critical", dev="low", effect=LOST, acts=AT_ONCE)
def topic_resource_renamed(topic: Subject, before: Subject) -> Problems:
    """A KafkaTopic gets another metadata.name, and the topic goes with the old resource.

    Why: the resource of the old name is deleted, and the operator deletes the topic that it managed, with its records, although the new
        resource names the same one. Until then both manage it and report a ResourceConflict.
    Fix: 1. annotate the old resource with strimzi.io/managed: "false", and apply; 2. create the new one and delete the old one.
    Care: GitOps tools prune and create in one pass.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {topicName: orders.v1, partitions: 6, replicas: 3}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders-v1, labels: {strimzi.io/cluster: k}}
            spec: {topicName: orders.v1, partitions: 6, replicas: 3}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}, annotations: {strimzi.io/managed: "false"}}
            spec: {topicName: orders.v1, partitions: 6, replicas: 3}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders-v1, labels: {strimzi.io/cluster: k}}
            spec: {topicName: orders.v1, partitions: 6, replicas: 3}
    See: https://strimzi.io/docs/operators/latest/deploying#con-stopping-management-without-impact-str
    """
    old, new = resources(topic, before)
    applies(before.removal() == OF_TOPIC, "the operator deletes nothing with the old resource")
    if old != new:
        words = f"{old} is deleted, and the topic with its records with it"
        yield Problem(first_key(topic), words)


@rule("KA1818", "medium", dev="info", effect=CHANGED, acts=AT_ONCE)
def topic_managed_again(topic: Subject, before: Subject) -> Problems:
    """The topic operator manages a topic again, and overwrites what was changed meanwhile.

    Why: without strimzi.io/managed: "false" the operator sets partitions and every key of config to what the resource says, and removes the
        keys that it does not name. What was changed by hand since is lost without a word. Deleting the resource deletes the topic again.
    Fix: 1. compare the resource with kafka-configs.sh --describe and kafka-topics.sh --describe; 2. write what differs into it; 3. then
        take the annotation out.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}, annotations: {strimzi.io/managed: "false"}}
            spec: {partitions: 6, replicas: 3}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {partitions: 6, replicas: 3}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {partitions: 6, replicas: 3}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}, annotations: {strimzi.io/managed: "false"}}
            spec: {partitions: 6, replicas: 3}
    See: https://strimzi.io/docs/operators/latest/deploying#con-stopping-management-without-impact-str
    """
    applies(all(resources(topic, before)), "no resource of an operator on both sides")
    if topic.removal() == OF_TOPIC and before.removal() != OF_TOPIC:
        words = "the operator overwrites what was changed in the cluster meanwhile"
        yield Problem(first_key(topic), words, likely=True)


@rule("KA2110", "medium", dev="info", effect=WEAKER, acts=AT_ONCE)
def deletion_switched_on(deployment: Subject, before: Subject) -> Problems:
    """The tool that applies topics from files now deletes those that no file declares.

    Why: kafka-gitops deletes every topic and ACL that is not in its file unless it is called with --no-delete, JulieOps with
        ALLOW_DELETE_TOPICS=true, Jikkou with delete-orphans=true. What was made by hand, by an application or from another file is deleted with
        its records by the next run, and so is what a later change takes out by mistake.
    Fix: 1. leave deletion off, and delete topics by hand; or 2. compare kafka-topics.sh --list with the files first, declare or exclude what is missing
        (settings.topics.blacklist, topic.prefixes), and read the plan of the first run.
    Care: a call with one folder of several sees the others' topics as not declared.
    Bad (workflow):
        before:
            jobs: {topics: {steps: [{run: kafka-gitops -f state.yaml --no-delete apply}]}}
        after:
            jobs: {topics: {steps: [{run: kafka-gitops -f state.yaml apply}]}}
    Good (workflow):
        before:
            jobs: {topics: {steps: [{run: kafka-gitops -f state.yaml apply}]}}
        after:
            jobs: {topics: {steps: [{run: kafka-gitops -f state.yaml --no-delete apply}]}}
    See: https://github.com/devshawn/kafka-gitops, https://julieops.readthedocs.io/, https://www.jikkou.io/docs/
    """
    applies(deployment.is_set(DELETION) and before.is_set(DELETION), "no tool that keeps topics as code")
    if deployment.str(DELETION) == "on" != before.str(DELETION):
        yield Problem(DELETION, "topics that no file declares are deleted with their records by the next run")
