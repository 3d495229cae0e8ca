"""Changes that a provider of Terraform or the service behind it refuses."""

from __future__ import annotations

from advisor.rule import AT_ONCE, STOPPED, Problem, Problems, Subject, applies, rule
from rules.changes.connectors import CLASS, CONFLUENT, is_declared_by
from rules.changes.resources import filled_in, is_of_confluent

CONFIGURATION = "aws_msk_configuration."
EDITABLE = frozenset(
    ("cleanup.policy", "delete.retention.ms", "max.message.bytes", "max.compaction.lag.ms", "message.timestamp.difference.max.ms",
     "message.timestamp.before.max.ms", "message.timestamp.after.max.ms", "message.timestamp.type", "min.compaction.lag.ms",
     "min.insync.replicas", "retention.bytes", "retention.ms", "segment.bytes", "segment.ms")
)  # fmt: skip
"""The settings of a topic that Confluent's provider changes, beside Confluent's own. Source: editableTopicSettings of its resource."""
CREATED_WITH = ("partitions", "replication.factor")


@rule("KA2104", "medium", dev="info", effect=STOPPED, acts=AT_ONCE)
def apply_refused(config: Subject, before: Subject) -> Problems:
    """A provider or its service refuses the change, and the apply ends half-way.

    Why: Confluent's provider refuses another name for a connector, and of a topic that exists all but some twenty settings. Amazon MSK refuses the
        deletion of a configuration that a cluster uses, with which a replacement begins. What the plan holds besides may be carried out or
        not, by its order.
    Fix: leave the setting as it is. For another name declare the new connector or configuration beside the old one, move to it, and take the old
        one out in a change of its own. For such a setting of a topic declare a new topic, and copy the records.
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
    reason = config.replaced() if (config.resource() or "").startswith(CONFIGURATION) else ""
    if reason:
        yield Problem(config.keys()[0], f"a configuration that a cluster uses is not deleted ({reason})", step=1)


def is_refused(topic: Subject, before: Subject, key: str) -> bool:
    """Whether a setting of a topic is another one, and not one of those that Confluent's provider changes."""
    if key in EDITABLE or key in CREATED_WITH or key.startswith("confluent."):
        return False
    old, new = (filled_in(side.text(key), key) if key in side.keys() else "" for side in (before, topic))
    return old != new
