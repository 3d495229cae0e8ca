"""Whether clients still may do what they do, once the authorizer, its super users or its principals are others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.analysis.rollout.cluster import RolloutCluster
from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.outcome import UnknownFact
from advisor.analysis.rollout.peers.clients import listeners_of_clients
from advisor.analysis.rollout.peers.principals import keeps_names, makes_principals
from advisor.analysis.rollout.peers.rights import open_to_all
from advisor.model import Topic
from advisor.model.cluster import Acl

AUTHORIZER = "authorizer.class.name"
NAMED = 5
"""Topics that are named where there are more."""


def unknown_access(name: str, old: NodeConfig, new: NodeConfig, cluster: RolloutCluster) -> Iterator[UnknownFact]:
    """Whether clients still may do what they do."""
    if not new.text(AUTHORIZER) or open_to_all(new):
        return
    if not old.text(AUTHORIZER):
        if any(new.protocols.get(listener) != "PLAINTEXT" for listener in new.advertised or new.listeners):
            yield UnknownFact(
                name, AUTHORIZER, "which principals clients have: those that are no super users are denied"
            )
        return
    yield from renamed_clients(name, old, new)
    if old.text(AUTHORIZER) != new.text(AUTHORIZER):
        yield UnknownFact(name, AUTHORIZER, f"whether {new.text(AUTHORIZER)} lets clients do what they may do now")
    if open_to_all(old):
        yield UnknownFact(name, "allow.everyone.if.no.acl.found", without_acls(cluster))
    gone = old.super_users - new.super_users
    if gone:
        without = sorted(gone - {row.principal for row in acls_of(cluster) or ()})
        known = f"; no ACL names {', '.join(without)}" if without and acls_of(cluster) is not None else ""
        yield UnknownFact(name, "super.users", f"whether ACLs allow {', '.join(sorted(gone))} what it does{known}")


def renamed_clients(name: str, old: NodeConfig, new: NodeConfig) -> Iterator[UnknownFact]:
    """Listeners of clients that make other principals of the same logins and certificates."""
    for listener in listeners_of_clients(old):
        if old.protocols.get(listener) != new.protocols.get(listener):
            continue
        same = makes_principals(old, listener) == makes_principals(new, listener)
        if not (same and keeps_names(old, listener, new, listener)):
            reason = f"whether ACLs name the clients of {listener} by the principals that are made of them from now on"
            yield UnknownFact(name, "super.users", reason)


def acls_of(cluster: RolloutCluster) -> Sequence[Acl] | None:
    """The ACLs of a running cluster; None where they were not read."""
    return cluster.live.acls if cluster.live else None


def without_acls(cluster: RolloutCluster) -> str:
    """What is not known of clients once only ACLs count; with the topics that none is about, where ACLs were read."""
    acls = acls_of(cluster)
    if acls is None or cluster.snapshot is None:
        return "whether there are ACLs for every client"
    topics = [each.name for each in cluster.snapshot.entities if isinstance(each, Topic) and each.name[:2] != "__"]
    bare = [topic for topic in topics if not any(is_about(row, topic) for row in acls)]
    if not bare:
        return "whether the ACLs of every topic name each client that uses it"
    more = f" and {len(bare) - NAMED} more" if len(bare) > NAMED else ""
    return f"which clients use {', '.join(bare[:NAMED])}{more}: no ACL is about them, so that all but super users are denied"


def is_about(acl: Acl, topic: str) -> bool:
    """Whether an ACL is about a topic."""
    if acl.resource.upper() != "TOPIC":
        return False
    return acl.name in ("*", topic) or (acl.pattern.upper() == "PREFIXED" and topic.startswith(acl.name))
