"""Access rules of a running cluster."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, rule

FAMILY = "security"
STRONG = ("ALL", "ALTER", "ALTER_CONFIGS", "CLUSTER_ACTION", "DELETE")


@rule("KA680", "high", dev="low", staging="medium", regulated="critical")
def everybody_may_change(cluster: Subject) -> Problems:
    """An access rule lets everybody change or delete what is not theirs.

    Why: User:* is every principal, ANONYMOUS of a PLAINTEXT listener among them.
    Fix: remove the rule and name the principals that need it.
    Bad:
        brokers 1 2 3
        acl User:* topic * ALL
    Good:
        brokers 1 2 3
        acl User:app topic orders WRITE
    See: https://kafka.apache.org/documentation/#security_authz
    """
    found = [
        (resource, name, operation)
        for principal, resource, name, operation, permission in cluster.live("access rules")
        if principal == "User:*" and permission == "ALLOW" and operation in STRONG
    ]
    if found:
        resource, name, operation = found[0]
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        yield Problem("access rules", f"User:* may {operation} on {resource.lower()} {name}{more}", "named principals")
