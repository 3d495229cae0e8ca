"""Frameworks of applications, Spring and SmallRye: properties that they do not bind, and how they commit offsets."""

from __future__ import annotations

from advisor.rule import PLACEHOLDER, Problem, Problems, Subject, Unknown, applies, rule
from rules.deployment import keys_with

FAMILY = "deployment"
MANUAL = ("manual", "manual_immediate")
"""Spring's modes in which the listener's code acknowledges."""
UNBOUND = "unbound."
"""What the fact begins with about a property that a framework does not bind; where it would work follows."""


def unbound_properties(deployment: Subject) -> tuple[str, ...]:
    """The properties that a framework does not bind to any setting."""
    return keys_with(deployment, (UNBOUND,))


@rule("KA1730", "medium", each=unbound_properties, fix="unsafe: rename")
def unknown_key(deployment: Subject, key: str) -> Problems:
    """The framework has no such property: it is silently dropped, and the default stays in force.

    Why: Spring Boot binds a fixed list of fields to the settings of its clients. linger-ms beside acks looks right but
        has no effect; a misspelled bootstrap-servers sends the client to localhost:9092.
    Fix: set a key that has no field of its own under properties, with Kafka's name.
    Bad (spring):
        spring:
          kafka:
            producer:
              linger-ms: 10
    Good (spring):
        spring:
          kafka:
            producer:
              properties:
                linger.ms: 10
    See: https://docs.spring.io/spring-boot/appendix/application-properties/index.html
    """
    applies(key != UNBOUND, "all properties are bound")
    where = key.removeprefix(UNBOUND)
    address = where == "bootstrap-servers"
    says = "the client connects to localhost:9092" if address else "the framework ignores it"
    fix = f"rename {where}" if where.startswith("properties.") else ""
    yield Problem(key, f"{says}, since the property is {where}", where, step=1 if address else 0, fix=fix)


SKIPS = "skips."
"""What the fact begins with that says what an application does after a record that it failed to process."""


def skipping_channels(deployment: Subject) -> tuple[str, ...]:
    """What the channels of an application do after a record which they failed to process."""
    return keys_with(deployment, (SKIPS,))


@rule("KA1738", "medium", dev="low", regulated="high", each=skipping_channels, aim="by hand: application")
def failed_records_skipped(deployment: Subject, key: str) -> Problems:
    """A channel goes on after a record that it failed to process, and commits its offset.

    Why: with failure-strategy=ignore SmallRye logs an exception of the application and takes the next record. The offset of the one
        that failed is committed with those behind it: it is never read again, and nothing but the log tells which one it was.
    Fix: set failure-strategy=dead-letter-queue, which keeps the record in a topic, or delayed-retry-topic; `fail` (the default)
        stops the channel.
    Bad (quarkus):
        mp.messaging.incoming.orders:
          connector: smallrye-kafka
          failure-strategy: ignore
    Good (quarkus):
        mp.messaging.incoming.orders:
          connector: smallrye-kafka
          failure-strategy: dead-letter-queue
    See: https://smallrye.io/smallrye-reactive-messaging/latest/kafka/receiving-kafka-records/
    """
    applies(key != SKIPS, "no channel says what it does")
    if deployment.shape(key) == PLACEHOLDER:
        raise Unknown(f"failure-strategy is filled in later: {deployment.text(key)}")
    if deployment.text(key).strip().lower() == "ignore":
        yield Problem(key, "a record that fails is logged and never read again", "dead-letter-queue")


@rule("KA1743", "critical", dev="high", confidence="likely", aim="by hand: application")
def manual_ack_with_auto_commit(deployment: Subject) -> Problems:
    """Spring's listeners acknowledge records themselves, and the consumer commits on a timer, which Spring refuses.

    Why: with ack-mode manual or manual_immediate the listener's code says when an offset is committed. With enable-auto-commit: true the
        consumer commits whatever was polled. Spring's container does not start with both: "Consumer cannot be configured for auto
        commit for ackMode MANUAL".
    Fix: remove enable-auto-commit, which Spring sets to false, or set ack-mode: batch where the code acknowledges nothing.
    Bad (spring):
        spring.kafka:
          bootstrap-servers: b1:9092
          consumer: {group-id: g, enable-auto-commit: true}
          listener: {ack-mode: manual}
    Good (spring):
        spring.kafka:
          bootstrap-servers: b1:9092
          consumer: {group-id: g, enable-auto-commit: false}
          listener: {ack-mode: manual}
    See: https://docs.spring.io/spring-kafka/reference/kafka/receiving-messages/message-listener-container.html
    """
    applies(deployment.is_set("ack.mode"), "nothing says who commits")
    mode = deployment.str("ack.mode")
    applies(mode in MANUAL, "Spring commits")
    if deployment.bool("auto.commit"):
        yield Problem(
            "ack.mode",
            f"ack-mode {mode} with enable-auto-commit: the listener's container does not start",
            "one of both",
        )
