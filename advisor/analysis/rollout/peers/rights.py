"""Whether the authorizer of a node lets another one do what nodes do."""

from __future__ import annotations

from typing import NamedTuple

from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.peers.principals import (
    ANONYMOUS,
    BUILDER,
    BUILDERS,
    KERBEROS,
    Meeting,
    asked_listener,
    asks_for_certificates,
    identity,
    is_certificate_name,
    is_named_as_before,
    keeps_names,
    login_of,
    makes_principals,
    mechanism_of,
    renamed,
    ssl_rules,
)
from advisor.analysis.rollout.peers.side import OTHER, Side

AUTHORIZER, SUPER_USERS = "authorizer.class.name", "super.users"
OF_KAFKA = (
    "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "kafka.security.authorizer.AclAuthorizer",
    "kafka.security.auth.SimpleAclAuthorizer",
)
"""Authorizers that let super users do everything."""


class Right(NamedTuple):
    """Whether a node may do what nodes do; None where the files cannot tell, and why."""

    allowed: bool | None
    why: str = ""


MAY, DENIED = Right(True), f"the authorizer of {OTHER} denies it: its principal is not in super.users"


def right_of(meeting: Meeting) -> Right:
    """The right of a node at another one; what is as before the change is taken to work."""
    b, before = meeting.b.now, meeting.b.before
    if not b.text(AUTHORIZER) or open_to_all(b) or is_allowed_as_before(meeting):
        return MAY
    if b.text(AUTHORIZER) not in OF_KAFKA:
        return Right(None, f"what {b.text(AUTHORIZER)} of {OTHER} lets it do, which no file says")
    if b.is_hidden(SUPER_USERS):
        return Right(None, f"whether {OTHER} has its principal among its super users, which a running broker hides")
    if is_allowed_by_acls(meeting):
        return MAY
    allowed = allowed_by_name(meeting)
    if allowed is None and not (b.super_users or b.granted):
        return Right(None if before and before.text(AUTHORIZER) else False, DENIED)
    if allowed is None:
        return Right(None, f"whether {OTHER} has its principal among its super users: {unnamed_words(meeting)}")
    return MAY if allowed else Right(False, DENIED)


def is_allowed_as_before(meeting: Meeting) -> bool:
    """Whether the authorizer's answer is the one of before the change: it knows the principal, and takes nothing away."""
    before, now = meeting.b.before, meeting.b.now
    if before is None or not is_named_as_before(meeting) or not before.text(AUTHORIZER):
        return False
    if before.text(AUTHORIZER) != now.text(AUTHORIZER) or open_to_all(before):
        return False
    if before.is_hidden(SUPER_USERS) and not now.is_hidden(SUPER_USERS):
        return allowed_by_name(meeting) is not False
    return now.super_users >= before.super_users


def is_allowed_by_acls(meeting: Meeting) -> bool:
    """Whether a node was no super user before and did its work: ACLs allow its principal, which stays the same."""
    before = meeting.b.before
    if before is None or not works_by_names(before) or not is_named_as_before(meeting):
        return False
    return allowed_among(meeting, before.super_users) is False


def works_by_names(side: NodeConfig) -> bool:
    """Whether nodes do their work at a node because its authorizer knows them."""
    return side.text(AUTHORIZER) in OF_KAFKA and not open_to_all(side) and not side.is_hidden(SUPER_USERS)


def allowed_by_name(meeting: Meeting) -> bool | None:
    """Whether the principal is a super user of the other node, or ACLs of a running cluster let it act; None: not known."""
    now = meeting.b.now
    users = now.super_users | now.granted
    certain = allowed_among(meeting, users)
    if certain is not None:
        return certain
    names = names_of_before(meeting)
    if names:
        return is_among(names, users)
    return False if is_outside(names_of_its_file(meeting), users) else None


def allowed_among(meeting: Meeting, users: frozenset[str]) -> bool | None:
    """Whether the principal is one of some, where a file names it: by its login, or as nobody; None where none does."""
    b, protocol = meeting.b.now, meeting.b.now.protocols.get(meeting.listener, "")
    if b.text(b.of_listener(meeting.listener, BUILDER)) not in BUILDERS:
        return None
    if protocol.startswith("SASL_"):
        login = login_of(meeting.a.now, meeting.asked)
        return None if login is None else login.is_one_of(tuple(users))
    if protocol == "SSL" and asks_for_certificates(b, meeting.listener):
        return None
    return ANONYMOUS in users


def is_among(names: frozenset[str], users: frozenset[str]) -> bool | None:
    """Whether all of some names are users, or none of them; None where some are."""
    return names <= users if names <= users or names.isdisjoint(users) else None


def is_outside(names: frozenset[str], users: frozenset[str]) -> bool:
    """Whether none of some names is a user."""
    return bool(names) and names.isdisjoint(users)


def names_of_before(meeting: Meeting) -> frozenset[str]:
    """Whom the node may be, by the super users of before, as which it did its work; empty where that is not known."""
    if meeting.before is None:
        return frozenset()
    a, b, asked, listener = meeting.before
    if not works_by_names(b) or identity(a, asked) != identity(meeting.a.now, meeting.asked):
        return frozenset()
    return as_named_by(meeting, b, listener, listed_with_its_identity(meeting))


def listed_with_its_identity(meeting: Meeting) -> frozenset[str]:
    """The super users of the node's own files, old and new, with which it is who it is now."""
    asked, of_controllers = meeting.asked, meeting.is_with_controller
    users: set[str] = set()
    for file in meeting.a.now.both_files:
        if identity(file, asked_listener(file, of_controllers)) == identity(meeting.a.now, asked):
            users |= file.super_users
    return frozenset(users)


def names_of_its_file(meeting: Meeting) -> frozenset[str]:
    """Whom the node may be if its own file is right, which lists the super users that it is to be among."""
    own = meeting.a.now
    if not works_by_names(own):
        return frozenset()
    return as_named_by(meeting, own, meeting.asked, listed_with_its_identity(meeting))


def as_named_by(
    meeting: Meeting, other: NodeConfig, listener: str, among: frozenset[str] = frozenset()
) -> frozenset[str]:
    """The super users of a node, of some if some of them are, in the names that the one which is asked has for them."""
    b = meeting.b.now
    if makes_principals(other, listener) != makes_principals(b, meeting.listener):
        return frozenset()
    users = (other.super_users & among or other.super_users) - {ANONYMOUS}
    is_ssl = b.protocols.get(meeting.listener) == "SSL"
    rules = (ssl_rules(other, listener), ssl_rules(b, meeting.listener)) if is_ssl else (None, None)
    if keeps_names(other, listener, b, meeting.listener):
        without_rules = is_ssl and rules[0] is not None and rules[0][0].pattern is None
        return frozenset(filter(is_certificate_name, users)) if without_rules else users
    return renamed(users, *rules, b.super_users) if is_ssl else frozenset()


def unnamed_words(meeting: Meeting) -> str:
    """Why no file says who a node is."""
    b = meeting.b.now
    if b.text(b.of_listener(meeting.listener, BUILDER)) not in BUILDERS:
        return "a class of its own makes principals there"
    if b.protocols.get(meeting.listener) == "SSL":
        return "no file says whose certificate it has"
    if mechanism_of(meeting.a.now, meeting.asked) == KERBEROS:
        return "rules for names of Kerberos are not tried here"
    return "its JAAS line does not say in plain text as whom it logs in"


def own_right(side: NodeConfig, listener: str) -> bool | None:
    """Whether a node would let one of the same file do what nodes do."""
    return allowed_by_name(Meeting(Side(side, None), Side(side, None), listener, listener))


def open_to_all(node: NodeConfig) -> bool:
    """Whether everyone may do what no ACL is about."""
    return node.text("allow.everyone.if.no.acl.found").lower() == "true"
