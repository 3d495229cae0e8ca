"""Users of a secured cluster, and their rights."""

from __future__ import annotations

from collections.abc import Iterable

from confluent_kafka.admin import AdminClient, ScramCredentialInfo, ScramMechanism, UserScramCredentialUpsertion

from tests.live.kafka import security, wire
from tests.live.kafka.node import PATIENCE, Node, until
from tests.live.kafka.processes import Processes


def add(cluster: Processes, admin: AdminClient, name: str, password: str) -> None:
    """A user, and wait until every broker lets it in."""
    credential = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096)
    change = UserScramCredentialUpsertion(name, credential, password.encode())
    admin.alter_user_scram_credentials([change])[name].result(PATIENCE)
    cluster.passwords[name] = password

    def lets_in(node: Node) -> bool:
        return bool(wire.known_brokers(node.id, cluster.python_settings(node, name)))

    until(lambda: cluster.everywhere(lets_in), lambda: f"{name} can log in")


def allow(
    cluster: Processes, admin: AdminClient, user: str, resource: str, name: str, operations: Iterable[str]
) -> None:
    """Rights of a user, and wait until every broker knows them."""

    def rights(node: Node) -> int:
        return wire.rights(node.id, cluster.python_settings(node), f"User:{user}")

    known: list[int] = []

    def answers(node: Node) -> bool:
        known.append(rights(node))
        return True

    until(lambda: cluster.everywhere(answers), lambda: f"each broker answers what rights {user} has")
    before = min(known)
    futures = admin.create_acls(security.bindings(user, resource, name, operations))
    for future in futures.values():
        future.result(PATIENCE)
    until(
        lambda: cluster.everywhere(lambda node: rights(node) >= before + len(futures)), lambda: f"the rights of {user}"
    )
