"""A rule of one's own: kafka-advisor lint producer.properties --rules examples/rules/client_ids.py"""

from advisor.rule import Problem, Problems, Subject, applies, rule


@rule("ACME1", "high", dev="low")
def anonymous_client(client: Subject) -> Problems:
    """A client without a client.id cannot be told from others in quotas, metrics and request logs.

    Why: quotas and broker metrics are kept by client.id; clients that have none share one and starve each other.
    Fix: set client.id to the name of the service.
    Bad:
        acks=all
    Good:
        client.id=orders-service
    See: https://kafka.apache.org/documentation/#producerconfigs_client.id
    """
    applies(client.kind() != "admin", "an admin client is a person's")
    if not client.str("client.id"):
        yield Problem("client.id", "the client has no name", "the service's name")
