"""Changes of users: how they log in, what they may do, how much they may send."""

from __future__ import annotations

import re

from advisor.rule import AT_ONCE, CHANGED, OF_USER, STOPPED, Problem, Problems, Subject, Unknown, applies, rule
from rules.changes.removals import first_key

QUOTA, SCRAM, USERS = "quota.", "scram.", "client.users"
ACL = re.compile(r"(deny )?(.+?) on (\S+)(?: (\S+?))?( prefix)?")
IMPLIES = {"Describe": ("Read", "Write", "Delete", "Alter"), "DescribeConfigs": ("AlterConfigs",)}
"""What an operation is allowed by, too. Source: org.apache.kafka.metadata.authorizer.StandardAuthorizerData."""


Access = tuple[str, str, str, bool]
"""(operation, type of the resource, its name, whether that is a prefix) that a rule of a user is about."""


def covers(rule: Access, other: Access) -> bool:
    """Whether a rule allows everything that another one allows."""
    (operation, type, name, prefixed), (other_operation, other_type, other_name, other_prefixed) = rule, other
    if type != other_type or operation not in ("All", other_operation, *IMPLIES.get(other_operation, ())):
        return False
    if prefixed:
        return other_name.startswith(name)
    return name == "*" or (name == other_name and not other_prefixed)


def in_words(rule: Access) -> str:
    """Read on topic orders…, where the name is a prefix."""
    operation, type, name, prefixed = rule
    return f"{operation} on {type} {name}{'…' if prefixed else ''}".rstrip()


def access(deployment: Subject) -> tuple[list[Access], list[Access]]:
    """(what the rules of a user allow, what they deny), a row for each operation. Raises Unknown."""
    allowed: list[Access] = []
    denied: list[Access] = []
    for key in (key for key in deployment.keys() if key.startswith("acl.")):
        match = ACL.fullmatch(deployment.text(key))
        if match is None or not {"$", "{"}.isdisjoint(match[0]):
            raise Unknown("a rule of the user is filled in later")
        denies, operations, type, name, prefixed = match.groups()
        rows = denied if denies else allowed
        rows += [(operation, type, name or "", bool(prefixed)) for operation in operations.split(", ")]
    return allowed, denied


def secrets_of(deployment: Subject) -> set[str]:
    """The secrets with logins that a cluster of Amazon MSK takes."""
    return {deployment.text(key) for key in deployment.keys() if key.startswith(SCRAM)}


def is_less(new: str, old: str) -> bool:
    """Whether a number is less than another one. Raises Unknown."""
    try:
        return float(new) < float(old)
    except ValueError:
        raise Unknown("a quota is filled in later") from None


@rule("KA1876", "critical", dev="low", effect=STOPPED, acts=AT_ONCE)
def user_login_changed(deployment: Subject, before: Subject) -> Problems:
    """A user logs in by another mechanism, and is another principal with it.

    Why: with TLS the principal is User:CN=NAME, with SCRAM it is User:NAME. In one pass the operator creates the new credential, moves ACLs
        and quotas to the new principal and takes them from the old one: clients that still log in as before are denied at the next request.
    Fix: 1. declare a second user with the new mechanism and the same ACLs; 2. move the clients to its Secret; 3. take the old user out.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: scram-sha-512}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}, quotas: {producerByteRate: 1048576}}
    See: https://strimzi.io/docs/operators/latest/deploying#con-securing-client-authentication-str, io.strimzi.operator.user.operator.KafkaUserOperator
    """
    applies(deployment.is_set("login") and before.is_set("login"), "the user does not log in on both sides")
    old, new = before.str("login"), deployment.str("login")
    if old != new:
        yield Problem("login", f"{old} before: the principal is another one, and the clients of the old one are denied")


@rule("KA1877", "high", dev="low", effect=STOPPED, acts=AT_ONCE)
def access_narrowed(deployment: Subject, before: Subject) -> Problems:
    """A user may do less than before.

    Why: authorizers hold no session: what no rule allows any more is denied at the next request of a connection that is open. Idempotent
        and transactional producers end with the error.
    Fix: 1. see in the authorizer's log (kafka.authorizer.logger at DEBUG) that the access is not used; 2. then take it out. For another
        pattern or name declare the new rule beside the old one first.
    Care: a consumer needs Read on its group, a transactional producer Write on its transactional id, Streams its prefix.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}, authorization: {type: simple, acls: [{resource: {type: topic, name: orders, patternType: prefix}, operations: [Read, Write]}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}, authorization: {type: simple, acls: [{resource: {type: topic, name: orders, patternType: prefix}, operations: [Read]}]}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}, authorization: {type: simple, acls: [{resource: {type: topic, name: orders, patternType: literal}, operations: [Read]}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}, authorization: {type: simple, acls: [{resource: {type: topic, name: orders, patternType: prefix}, operations: [Read, Write]}]}}
    See: https://kafka.apache.org/documentation/#security_authz
    """
    applies(deployment.removal() == OF_USER and before.removal() == OF_USER, "no user on both sides")
    secrets = secrets_of(deployment)
    if secrets and secrets_of(before) - secrets:
        yield Problem(
            f"{SCRAM}0",
            f"{', '.join(sorted(secrets_of(before) - secrets))} is taken out: its user cannot log in any more",
        )
        return
    (allowed_before, denied_before), (allowed, denied) = access(before), access(deployment)
    lost = [each for each in allowed_before if not any(covers(rule, each) for rule in allowed)]
    new_denials = [each for each in denied if each not in denied_before]
    if lost or new_denials:
        words = (
            f"{in_words(lost[0])} is no longer allowed"
            if lost
            else f"{in_words(new_denials[0])} is denied by a new rule"
        )
        more = f", and {len(lost) - 1} more" if len(lost) > 1 else ""
        yield Problem(next((key for key in deployment.keys() if key.startswith("acl.")), "login"), words + more)


@rule("KA1878", "critical", dev="low", effect=STOPPED, acts=AT_ONCE)
def user_unselected(deployment: Subject, before: Subject) -> Problems:
    """A user loses the label by which the user operator finds it, and is deleted in the cluster.

    Why: the operator looks after the KafkaUsers with its cluster's name in strimzi.io/cluster. One without the label is gone for it: its
        credentials, ACLs, quotas and its Secret are deleted.
    Fix: put the label back; to move a user to another cluster declare it there first.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app}
            spec: {authentication: {type: tls}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}, annotations: {a: b}}
            spec: {authentication: {type: tls}}
    See: https://strimzi.io/docs/operators/latest/deploying#assembly-using-the-user-operator-str
    """
    applies(deployment.removal() == OF_USER and before.is_set("cluster.label"), "the operator did not look after it")
    new = deployment.str("cluster.label") if deployment.is_set("cluster.label") else ""
    if new != before.str("cluster.label"):
        words = "its credentials and ACLs are deleted in the old cluster, and its clients are refused"
        yield Problem("cluster.label" if new else first_key(deployment), words)


@rule("KA1879", "medium", dev="info", effect=CHANGED, acts=AT_ONCE)
def quota_lowered(deployment: Subject, before: Subject) -> Problems:
    """The quota of a user is lower than before, or gone.

    Why: brokers hold answers back as long as the clients of the user are above the quota: latency rises, consumers and mirrors fall behind.
        Without a quota the next one in the order of precedence counts, or none.
    Fix: 1. look at the byte rates of the user (kafka.server:type=Produce,user=…, type=Fetch); 2. set the quota above them.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}, quotas: {producerByteRate: 1048576}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}, quotas: {producerByteRate: 1024}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}, quotas: {producerByteRate: 1024}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}, quotas: {producerByteRate: 1048576}}
    See: https://kafka.apache.org/documentation/#design_quotas
    """
    for key in (key for key in before.keys() if key.startswith(QUOTA)):
        old = before.text(key)
        if key not in deployment.keys():
            yield Problem(
                first_key(deployment), f"{key.removeprefix(QUOTA)} has no quota any more ({old} before)", step=-1
            )
            return
        new = deployment.text(key)
        if is_less(new, old):
            yield Problem(key, f"{key.removeprefix(QUOTA)} is held at {new}, {old} before: clients above it wait")
            return


@rule("KA1889", "critical", dev="low", effect=STOPPED, acts=AT_ONCE)
def passwords_generated_anew(deployment: Subject, before: Subject) -> Problems:
    """Bitnami's chart makes new passwords for all clients, because there is another number of users.

    Why: where sasl.client.passwords is not set the chart keeps the generated ones only as long as their number is that of the users. With
        one user more or less every password is another one, and clients with the old Secret are refused at their next connection.
    Fix: 1. read the passwords of today from the Secret; 2. set them as sasl.client.passwords, or name a Secret of your own in
        sasl.existingSecret; 3. then change the users.
    Bad (helm):
        before:
            sasl: {client: {users: [a, b]}}
            image: {repository: bitnami/kafka, tag: 4.0.0}
        after:
            sasl: {client: {users: [a, b, c]}}
            image: {repository: bitnami/kafka, tag: 4.0.0}
    Good (helm):
        before:
            sasl: {client: {users: [a, b], passwords: "x,y"}}
            image: {repository: bitnami/kafka, tag: 4.0.0}
        after:
            sasl: {client: {users: [a, b, c], passwords: "x,y,z"}}
            image: {repository: bitnami/kafka, tag: 4.0.0}
    See: https://github.com/bitnami/charts/blob/main/bitnami/kafka/templates/secrets.yaml
    """
    applies(deployment.is_set(USERS) and before.is_set(USERS), "the chart makes no passwords")
    old, new = before.list(USERS), deployment.list(USERS)
    if len(old) != len(new):
        yield Problem(USERS, f"{len(new)} users in place of {len(old)}, without passwords: all of them get new ones")
