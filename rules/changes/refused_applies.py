"""Changes that a provider of Terraform or the service behind it refuses."""

from __future__ import annotations

from advisor.rule import AT_ONCE, STOPPED, Problem, Problems, Subject, applies, rule
from rules.changes.connectors import CLASS, CONFLUENT, is_declared_by

CONFIGURATION = "aws_msk_configuration."


@rule("KA2104", "medium", dev="info", effect=STOPPED, acts=AT_ONCE)
def apply_refused(config: Subject, before: Subject) -> Problems:
    """A provider or its service refuses the change, and the apply ends half-way.

    Why: Confluent's provider refuses another name for a connector, and Amazon MSK the deletion of a configuration that a cluster uses, with which
        a replacement begins. What the plan holds besides may be carried out or not, by its order.
    Fix: leave the setting as it is. For another name declare the new connector or configuration beside the old one, move to it, and take the old
        one out in a change of its own.
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
    reason = config.replaced() if (config.resource() or "").startswith(CONFIGURATION) else ""
    if reason:
        yield Problem(config.keys()[0], f"a configuration that a cluster uses is not deleted ({reason})", step=1)
