"""Changes that a provider of Terraform or the service behind it refuses."""

from __future__ import annotations

from advisor.rule import AT_ONCE, CHANGED, NEVER, STOPPED, Problem, Problems, Subject, applies, rule
from rules.changes.connectors import CLASS, CONFLUENT, is_declared_by
from rules.changes.resources import filled_in, is_filled_in_later, is_of_confluent

CONFIGURATION = "aws_msk_configuration."
EDITABLE = frozenset(
    ("cleanup.policy", "delete.retention.ms", "max.message.bytes", "max.compaction.lag.ms", "message.timestamp.difference.max.ms",
     "message.timestamp.before.max.ms", "message.timestamp.after.max.ms", "message.timestamp.type", "min.compaction.lag.ms",
     "min.insync.replicas", "retention.bytes", "retention.ms", "segment.bytes", "segment.ms")
)  # fmt: skip
"""The settings of a topic that Confluent's provider changes, beside Confluent's own. Source: editableTopicSettings of its resource."""
IDENTITY = ("name", "kafka_versions")
"""The fields of a configuration of Amazon MSK of which a change replaces it. Source: the provider's schema (ForceNew)."""
CREATED_WITH = ("partitions", "replication.factor")


@rule("KA2104", "medium", dev="info", effect=STOPPED, acts=AT_ONCE)
def apply_refused(config: Subject, before: Subject) -> Problems:
    """A provider or its service refuses the change, and the apply ends half-way.

    Why: Confluent's provider refuses another name for a connector, and of a topic that exists all but some twenty settings. Amazon MSK refuses the
        deletion of a configuration that a cluster uses, with which a replacement (another name, other kafka_versions) begins. What the plan holds besides may be carried out or
        not, by its order.
    Fix: leave the setting as it is. For another name declare the new connector or configuration beside the old one, move to it, and take the old
        one out in a change of its own; create_before_destroy does that with a configuration that has another name. For such a setting of a topic declare a new topic, and copy the records.
    Bad (terraform):
        before:
            resource "confluent_connector" "orders" {
              config_nonsensitive = {
                "connector.class" = "PostgresCdcSource"
                "name"            = "orders"
              }
            }
        after:
            resource "confluent_connector" "orders" {
              config_nonsensitive = {
                "connector.class" = "PostgresCdcSource"
                "name"            = "orders-v2"
              }
            }
    Good (terraform):
        before:
            resource "confluent_connector" "orders" {
              config_nonsensitive = {
                "connector.class" = "PostgresCdcSource"
                "name"            = "orders"
              }
            }
        after:
            resource "confluent_connector" "orders" {
              config_nonsensitive = {
                "connector.class" = "PostgresCdcSource"
                "name"            = "orders"
                "tasks.max"       = "1"
              }
            }
    See: https://registry.terraform.io/providers/confluentinc/confluent/latest/docs/resources/confluent_connector, https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/msk_configuration
    """
    if config.kind() == "connect":
        old, new = before.known_as(), config.known_as()
        applies(old and new and is_declared_by(config, CONFLUENT) and not config.replaced(), "its name may be changed")
        if old != new:
            yield Problem(CLASS, f"the provider does not rename a connector ({old} to {new})")
        return
    if config.kind() == "topic":
        applies(is_of_confluent(config) and not config.replaced(), "its provider changes every setting")
        key = next((key for key in sorted({*config.keys(), *before.keys()}) if is_refused(config, before, key)), None)
        if key is not None:
            yield Problem(
                key, "Confluent's provider changes other settings, and refuses this one of a topic that exists"
            )
        return
    reason, likely = reason_to_replace(config, before)
    if reason:
        words = f"a configuration that a cluster uses is not deleted ({reason})"
        yield Problem(config.keys()[0], words, step=0 if likely else 1, likely=likely)


def reason_to_replace(config: Subject, before: Subject) -> tuple[str, bool]:
    """The fields for which a configuration of Amazon MSK is deleted and created anew, and whether a reference decides it."""
    old, new = (side.resource() or "" for side in (before, config))
    planned = config.replaced()
    if not new.startswith(CONFIGURATION):
        return "", False
    if planned is not None:
        return planned, False
    pairs = zip(IDENTITY, old.split()[1:], new.split()[1:], strict=False)
    changed = {field: was + is_now for field, was, is_now in pairs if was != is_now}
    known = [field for field, texts in changed.items() if not is_filled_in_later(texts)]
    return ", ".join(known or changed), not known


def is_refused(topic: Subject, before: Subject, key: str) -> bool:
    """Whether a setting of a topic is another one, and not one of those that Confluent's provider changes."""
    if key in EDITABLE or key in CREATED_WITH or key.startswith("confluent."):
        return False
    old, new = (filled_in(side.text(key), key) if key in side.keys() else "" for side in (before, topic))
    return old != new


TYPE = "cluster.type"


@rule("KA2115", "medium", dev="info", effect=CHANGED, acts=NEVER)
def cluster_type_refused(deployment: Subject, before: Subject) -> Problems:
    """A cluster of Confluent Cloud gets another type, which the provider does not change.

    Why: the provider upgrades a Basic cluster to a Standard one, and no other. From and to Dedicated, and from Standard to Basic, it refuses the
        plan; between other types nothing is changed, and the next plan shows the difference again.
    Fix: put the type back. For another type create a second cluster beside it, mirror the topics (cluster linking), move the clients, and take
        the old one out in a change of its own.
    Bad (terraform):
        before:
            resource "confluent_kafka_cluster" "orders" {
              availability = "MULTI_ZONE"
              standard {}
            }
        after:
            resource "confluent_kafka_cluster" "orders" {
              availability = "MULTI_ZONE"
              dedicated {
                cku = 2
              }
            }
    Good (terraform):
        before:
            resource "confluent_kafka_cluster" "orders" {
              availability = "SINGLE_ZONE"
              basic {}
            }
        after:
            resource "confluent_kafka_cluster" "orders" {
              availability = "SINGLE_ZONE"
              standard {}
            }
    See: https://registry.terraform.io/providers/confluentinc/confluent/latest/docs/resources/confluent_kafka_cluster
    """
    applies(deployment.is_set(TYPE) and before.is_set(TYPE), "no cluster of Confluent Cloud on both sides")
    applies(not deployment.replaced(), "a plan replaces it")
    old, new = before.str(TYPE), deployment.str(TYPE)
    if old != new and (old, new) != ("basic", "standard"):
        yield Problem(TYPE, f"the provider changes no type but basic to standard ({old} to {new})")
