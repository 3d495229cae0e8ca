"""Changes that a service carries out by itself: what Amazon MSK restarts and Aiven replaces, and what is never applied."""

from __future__ import annotations

from advisor.rule import AT_ONCE, CHANGED, NEVER, Problem, Problems, Subject, applies, rule
from rules.changes.resources import filled_in

REVISION, DIGEST, INSTANCE, CONFIGURATION = "revision", "configuration.digest", "instance.type", "configuration"
PLAN = "service.plan"
PLANS = ("hobbyist", "startup", "business", "premium")
"""The names of Aiven's plans, the smallest one first."""
RESTARTS = (INSTANCE, CONFIGURATION, REVISION)


def is_other(deployment: Subject, before: Subject, fact: str) -> bool:
    """Whether a fact that both sides have differs. Raises Unknown where one side is filled in later."""
    if not (deployment.is_set(fact) and before.is_set(fact)):
        return False
    old, new = before.text(fact), deployment.text(fact)
    return old != new and filled_in(old, fact) != filled_in(new, fact)


@rule("KA2106", "medium", dev="info", effect=CHANGED, acts=AT_ONCE)
def service_restarts_brokers(deployment: Subject, before: Subject) -> Problems:
    """Amazon MSK restarts every broker of the cluster with the apply, or Aiven replaces it, one by one.

    Why: another instance type, configuration or revision takes effect by a rolling restart that begins when the change is applied, at whatever hour that
        is. While a broker is down its partitions have one replica less: with replication factor 2 and min.insync.replicas=2 writes with acks=all
        stop, with replication factor 1 everything does. Clients with one address or short timeouts fail meanwhile. Another plan of Aiven's moves each
        broker to a new node, which copies its records. A smaller one must have room for all of them, and one with fewer nodes may be refused.
    Fix: 1. see that every topic has replication factor 3 and min.insync.replicas=2 (kafka-topics.sh --describe --at-min-isr-partitions); 2. see that
        no partition is under-replicated; 3. apply when traffic is low.
    Care: a smaller instance type has fewer CPUs, and less network and memory for the same partitions.
    Bad (terraform):
        before:
            resource "aws_msk_cluster" "m" {
              kafka_version          = "3.6.0"
              number_of_broker_nodes = 3
              broker_node_group_info { instance_type = "kafka.m5.large" }
            }
        after:
            resource "aws_msk_cluster" "m" {
              kafka_version          = "3.6.0"
              number_of_broker_nodes = 3
              broker_node_group_info { instance_type = "kafka.m7g.large" }
            }
    Good (terraform):
        before:
            resource "aws_msk_cluster" "m" {
              kafka_version          = "3.6.0"
              number_of_broker_nodes = 3
              broker_node_group_info { instance_type = "kafka.m5.large" }
            }
        after:
            resource "aws_msk_cluster" "m" {
              kafka_version          = "3.6.0"
              number_of_broker_nodes = 3
              broker_node_group_info { instance_type = "kafka.m5.large" }
              tags                   = { team = "billing" }
            }
    See: https://docs.aws.amazon.com/msk/latest/developerguide/msk-update-broker-type.html, https://docs.aws.amazon.com/msk/latest/developerguide/msk-update-cluster-config.html
    """
    if is_other(deployment, before, PLAN):
        old, new = before.str(PLAN), deployment.str(PLAN)
        smaller = is_smaller(new, old)
        more = ": it needs room for all records there, and may refuse fewer nodes" if smaller else ""
        words = f"Aiven moves every broker to a new node, one by one ({old} to {new}){more}"
        yield Problem(PLAN, words, step=0 if smaller else -1)
        return
    applies(is_msk(deployment) and is_msk(before), "no cluster of Amazon MSK on both sides")
    fact = next((fact for fact in RESTARTS if is_other(deployment, before, fact)), None)
    if fact is not None:
        yield Problem(fact, "Amazon MSK restarts every broker, one by one")
    elif not is_pinned(deployment) and is_other(deployment, before, DIGEST):
        yield Problem(DIGEST, "Amazon MSK restarts every broker, one by one, with the new revision", step=-1)


def size_of_plan(plan: str) -> list[int]:
    """The sizes in the name of a plan of Aiven's: its class, its nodes (6x) and its memory; none of another name."""
    name, *sizes = plan.split("-")
    numbers = [size.removesuffix("x") for size in sizes]
    is_known = name in PLANS and all(number.isdecimal() for number in numbers)
    return [PLANS.index(name), *map(int, numbers)] if is_known else []


def is_smaller(plan: str, before: str) -> bool:
    """Whether a plan is smaller than another one in anything that both names tell."""
    new, old = size_of_plan(plan), size_of_plan(before)
    if len(new) != len(old):
        new, old = ([*sizes[:1], *sizes[-1:]] for sizes in (new, old))
    return any(size < former for size, former in zip(new, old, strict=False))


@rule("KA2107", "medium", dev="info", effect=CHANGED, acts=NEVER)
def revision_not_used(deployment: Subject, before: Subject) -> Problems:
    """The configuration changes, and the cluster stays on the revision that it names.

    Why: each change of aws_msk_configuration makes a new revision. A cluster with a number in configuration_info.revision goes on with that one: the
        plan and the apply look clean, and no broker has the new values.
    Fix: 1. set revision = aws_msk_configuration.<name>.latest_revision in the same change; 2. see that topics survive the rolling restart that
        follows (replication factor 3, min.insync.replicas=2).
    Bad (terraform):
        before:
            resource "aws_msk_configuration" "c" {
              server_properties = "min.insync.replicas=2"
            }
            resource "aws_msk_cluster" "m" {
              configuration_info {
                arn      = aws_msk_configuration.c.arn
                revision = 1
              }
            }
        after:
            resource "aws_msk_configuration" "c" {
              server_properties = "min.insync.replicas=3"
            }
            resource "aws_msk_cluster" "m" {
              configuration_info {
                arn      = aws_msk_configuration.c.arn
                revision = 1
              }
            }
    Good (terraform):
        before:
            resource "aws_msk_configuration" "c" {
              server_properties = "min.insync.replicas=2"
            }
            resource "aws_msk_cluster" "m" {
              configuration_info {
                arn      = aws_msk_configuration.c.arn
                revision = aws_msk_configuration.c.latest_revision
              }
            }
        after:
            resource "aws_msk_configuration" "c" {
              server_properties = "min.insync.replicas=3"
            }
            resource "aws_msk_cluster" "m" {
              configuration_info {
                arn      = aws_msk_configuration.c.arn
                revision = aws_msk_configuration.c.latest_revision
              }
            }
    See: https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/msk_configuration
    """
    applies(is_pinned(deployment) and is_pinned(before), "it follows the configuration")
    if deployment.str(REVISION) == before.str(REVISION) and is_other(deployment, before, DIGEST):
        words = f"the changed configuration becomes a revision that no broker uses: the cluster stays on {before.str(REVISION)}"
        yield Problem(REVISION, words)


def is_pinned(deployment: Subject) -> bool:
    """Whether a cluster names the revision of its configuration by number."""
    return deployment.is_set(REVISION) and deployment.str(REVISION).isdecimal()


def is_msk(deployment: Subject) -> bool:
    """Whether a deployment is a cluster of Amazon MSK."""
    return deployment.is_set(INSTANCE) or deployment.is_set(CONFIGURATION) or deployment.is_set(DIGEST)
