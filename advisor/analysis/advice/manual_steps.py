"""Steps that no command takes: sequences of changes, in sentences."""

from __future__ import annotations

from advisor.analysis.advice.aims import VOTERS
from advisor.analysis.advice.step import Cost, PlanStep
from advisor.analysis.advice.step_inputs import SECURITY, StepInputs

ADD_CONTROLLERS = (
    "format two more controllers with --no-initial-controllers and start them as observers; when one has caught up: "
    "kafka-metadata-quorum.sh --bootstrap-server HOST:PORT --command-config controller.properties add-controller"
)
STATIC_QUORUM = (
    "the quorum is static (kraft.version 0): never add voters to controller.quorum.voters of a running cluster, for two new "
    "voters with empty logs are a majority without the metadata. Make the quorum dynamic first (from Kafka 4.1 on: "
    "kafka-features.sh --bootstrap-server HOST:PORT upgrade --feature kraft.version=1), then plan again"
)


def quorum(inputs: StepInputs) -> list[PlanStep]:
    """More controllers: a command only where the quorum is dynamic, else a migration."""
    if not inputs.asked(VOTERS):
        return []
    level = (inputs.live.features or {}).get("kraft.version", 0 if inputs.live.features is not None else None)
    if level is None:
        why = inputs.live.unread.get("features", "the cluster did not say")
        inputs.unknown.append(f"whether controllers can be added (kraft.version): {why}")
        return []
    how = ADD_CONTROLLERS if level >= 1 else STATIC_QUORUM
    return [
        PlanStep(
            "quorum",
            "Run three controllers",
            "with one voter the loss of its disk is the loss of all metadata, and its restart stops every election",
            by_hand=(how,),
            risk="a voter that is added and not caught up counts for the majority: wait for its lag to be 0 before the next",
        )
    ]


def security(inputs: StepInputs) -> list[PlanStep]:
    """TLS and authentication: a sequence in which brokers and clients never lose each other."""
    rules = sorted({finding.rule for finding, _ in inputs.aims if finding.rule.startswith(SECURITY) and finding.severity in ("critical", "high")})  # fmt: skip
    if not rules:
        return []
    return [
        PlanStep(
            "security",
            "Secure the listeners, step by step",
            f"{', '.join(rules)} say that something may be read or changed without authentication",
            by_hand=(
                "add a listener of its own with SASL_SSL (or SSL) to every broker, and restart them one by one",
                "create the users and ACLs, and deploy every client with the new listener",
                "set inter.broker.listener.name to the new listener, and restart the brokers one by one",
                "when no client is left on it, remove the old listener, and only then allow.everyone.if.no.acl.found",
            ),
            in_order=True,
            cost=Cost(restarts=3 * len(inputs.nodes)),
            risk="switching one listener over in place locks out every client that is not deployed at the same moment",
        )
    ]
