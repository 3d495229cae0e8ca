"""Clusters of Amazon MSK: instances, revisions of their configuration, and replication between the brokers."""

from __future__ import annotations

from advisor.facts import is_whole_number
from advisor.rule import Problem, Problems, Subject, applies, rule

FAMILY = "deployment"
SMALL_INSTANCES = ("kafka.t3.small",)


@rule("KA1725", "low")
def tf_revision_hardcoded(deployment: Subject) -> Problems:
    """The cluster is pinned to one revision of its configuration, so later changes are never applied.

    Why: each change of aws_msk_configuration creates a new revision; a fixed number keeps the cluster on the old one
        while the plan looks clean.
    Fix: set revision = aws_msk_configuration.<name>.latest_revision.
    Care: the next apply restarts all brokers with the latest revision: check first what has changed since.
    Bad (deployment):
        revision=1
    Good (deployment):
        brokers=3
    See: https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/msk_configuration
    """
    applies(deployment.is_set("revision"), "it follows the configuration")
    if is_whole_number(deployment.str("revision")):
        yield Problem("revision", "later revisions of the configuration are never applied", "latest_revision")


@rule("KA1726", "low")
def version_mismatch(deployment: Subject) -> Problems:
    """The configuration is written for another release of Kafka than the cluster runs.

    Why: a configuration of Amazon MSK is checked against the releases that it names; keys of another release are
        refused or have no effect.
    Fix: set kafka_versions to the cluster's release.
    Bad (deployment):
        configuration.versions=2.6.1 2.8.0
    Good (deployment):
        configuration.versions=2.6.1, 2.8.0 2.8.0
    See: https://docs.aws.amazon.com/msk/latest/developerguide/msk-configuration-operations.html
    """
    applies(deployment.is_set("configuration.versions"), "nothing says which ones")
    versions, _, cluster = deployment.str("configuration.versions").rpartition(" ")
    if cluster not in versions.split(", "):
        yield Problem(
            "configuration.versions", f"the configuration is for {versions}, but the cluster runs {cluster}", cluster
        )


@rule("KA1727", "low", dev="info")
def instance_small(deployment: Subject) -> Problems:
    """The brokers' instances are too small for production.

    Why: burstable instances run out of CPU credits under load, and then the broker lags and leaves the ISR.
    Fix: set the instance type to kafka.m7g.large or larger.
    Care: a new instance type restarts the brokers one by one: check first that no partition is at its
        min.insync.replicas.
    Bad (deployment):
        instance.type=kafka.t3.small
    Good (deployment):
        instance.type=kafka.m7g.large
    See: https://docs.aws.amazon.com/msk/latest/developerguide/bestpractices.html
    """
    if deployment.str("instance.type") in SMALL_INSTANCES:
        yield Problem("instance.type", "a burstable instance runs out of CPU credits under load", "kafka.m7g.large")


@rule("KA1753", "medium", dev="info", staging="low", regulated="critical", aim="by hand: choice")
def plaintext_replication(deployment: Subject) -> Problems:
    """The brokers of a managed service replicate over unencrypted connections.

    Why: every record crosses the network between the brokers once per follower. On Amazon MSK in_cluster = false leaves that
        traffic in plain text; it is encrypted unless that is said.
    Fix: remove in_cluster = false from encryption_in_transit (default true).
    Care: MSK does not change it on an existing cluster: Terraform deletes the cluster and creates it anew, without its
        records. Create a second cluster, and move the topics and their clients there.
    Bad (deployment):
        runs=broker
        replication.encrypted=false
    Good (deployment):
        runs=broker
        replication.encrypted=true
    See: https://docs.aws.amazon.com/msk/latest/developerguide/msk-encryption.html
    """
    applies(deployment.is_set("replication.encrypted"), "left at the service's default")
    if not deployment.bool("replication.encrypted"):
        yield Problem("replication.encrypted", "brokers replicate in plain text", "true")
