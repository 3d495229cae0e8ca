"""Which principal a node is to another one, as far as files say it.

A login stands in a JAAS line, and no name is one without a login. Whose certificate it is stands in no file: there the
principal is one of the super users whom the node was among before the change, or whom its own new file names.
Source: DefaultKafkaPrincipalBuilder.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from advisor.analysis.rollout.node import NodeConfig, listed
from advisor.analysis.rollout.peers.mapping_rules import MappingRule, name_by, rules_of
from advisor.analysis.rollout.peers.side import Side
from advisor.model import Login

ANONYMOUS = "User:ANONYMOUS"
JAAS = "sasl.jaas.config"
BUILDER, SSL_RULES = "principal.builder.class", "ssl.principal.mapping.rules"
KERBEROS_RULES = "sasl.kerberos.principal.to.local.rules"
KERBEROS = "GSSAPI"
PLAIN = "PLAIN"
NAMED_IN_JAAS = (PLAIN, "SCRAM-SHA-256", "SCRAM-SHA-512")
"""Mechanisms whose principal is the user of the JAAS line."""
BUILDERS = ("", "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder")
KEY_STORE = ("ssl.keystore.location", "ssl.keystore.certificate.chain", "ssl.engine.factory.class")
"""What decides about the certificate that a node shows."""
NO_SUPER_USER = "User:"
"""Stands for a principal that no super user can be."""


class Meeting(NamedTuple):
    """A node that asks another one: by which listener of its own, and on which one of the other."""

    a: Side
    b: Side
    asked: str
    listener: str

    @property
    def is_with_controller(self) -> bool:
        """Whether it is a controller that is asked."""
        return self.asked in self.a.now.controller_names

    @property
    def before(self) -> tuple[NodeConfig, NodeConfig, str, str] | None:
        """Both nodes before the change, and by which listener they met then; None where one of them is new."""
        a, b = self.a.before, self.b.before
        if a is None or b is None:
            return None
        asked = asked_listener(a, self.is_with_controller)
        return a, b, asked, self.listener if self.is_with_controller and self.listener in b.protocols else asked


def asked_listener(a: NodeConfig, of_controllers: bool) -> str:
    """By which listener a node asks controllers, or other brokers."""
    return next(iter(a.controller_names), "") if of_controllers else a.inter_broker or ""


def mechanism_of(a: NodeConfig, listener: str) -> str:
    """The mechanism by which a node logs in to another one."""
    role = "controller" if listener in a.controller_names else "inter.broker"
    return a.text(f"sasl.mechanism.{role}.protocol")


def identity(a: NodeConfig, asked: str) -> tuple[object, ...]:
    """What decides who a node is: its login, or where its certificate is; equal where it stays the same one."""
    protocol = a.protocols.get(asked, "")
    if protocol.startswith("SASL_"):
        mechanism = mechanism_of(a, asked)
        return mechanism, login_of(a, asked) or unnamed_login(a, asked)
    if protocol != "SSL":
        return (protocol,)
    keys = [a.of_listener(asked, key) for key in KEY_STORE]
    return protocol, *((a.text(key), key in a.changed_secrets) for key in keys)


def jaas_key(a: NodeConfig, asked: str) -> str | None:
    """The key of the JAAS line by which a node logs in."""
    own = f"listener.name.{asked.lower()}.{mechanism_of(a, asked).lower()}.{JAAS}"
    return next((key for key in (own, JAAS) if key in a.config.settings), None)


def login_of(a: NodeConfig, asked: str) -> Login | None:
    """Whom a node logs in as; None where its JAAS line does not say so in plain text."""
    key = jaas_key(a, asked)
    jaas = a.config.settings[key].jaas if key else None
    return jaas.login if jaas and mechanism_of(a, asked) in NAMED_IN_JAAS else None


def users_key(listener: str) -> str:
    """The key of the JAAS line in which the users of a listener stand whom it lets in by PLAIN."""
    return f"listener.name.{listener.lower()}.{PLAIN.lower()}.{JAAS}"


def users_of(b: NodeConfig, listener: str) -> Sequence[Login] | None:
    """Whom a listener lets in by PLAIN; None where its JAAS line does not say so, or a class of its own decides.

    Source: JaasContext.loadServerContext, PlainServerCallbackHandler.
    """
    setting = b.config.settings.get(users_key(listener))
    handler = f"{users_key(listener).removesuffix(JAAS)}sasl.server.callback.handler.class"
    jaas = setting.jaas if setting is not None and handler not in b.config.settings else None
    is_plain = jaas is not None and not jaas.problem and jaas.modules[0].endswith(".PlainLoginModule")
    return jaas.users if jaas is not None and is_plain else None


def unnamed_login(a: NodeConfig, asked: str) -> tuple[object, ...]:
    """What a login without a user in plain text is compared by."""
    key = jaas_key(a, asked)
    return (a.text(key), key in a.changed_secrets) if key else ()


def makes_principals(b: NodeConfig, listener: str) -> tuple[object, ...]:
    """How a listener makes principals, beside the rules for names."""
    protocol = b.protocols.get(listener, "")
    builder = b.text(b.of_listener(listener, BUILDER))
    asks = protocol == "SSL" and asks_for_certificates(b, listener)
    return protocol.partition("_")[0], "" if builder in BUILDERS else builder, asks


def asks_for_certificates(b: NodeConfig, listener: str) -> bool:
    """Whether a listener asks for a certificate; without one everybody is ANONYMOUS."""
    return b.text(b.of_listener(listener, "ssl.client.auth")).lower() in ("required", "requested")


def is_anonymous(b: NodeConfig, listener: str) -> bool:
    """Whether nobody logs in on a listener, so that everybody is ANONYMOUS."""
    protocol = b.protocols.get(listener, "")
    return protocol == "PLAINTEXT" or (protocol == "SSL" and not asks_for_certificates(b, listener))


def is_named_as_before(meeting: Meeting) -> bool:
    """Whether the principal is the one that it was before, whoever it is."""
    if meeting.before is None:
        return False
    a, b, asked, listener = meeting.before
    same = identity(a, asked) == identity(meeting.a.now, meeting.asked)
    if not same or makes_principals(b, listener) != makes_principals(meeting.b.now, meeting.listener):
        return False
    return keeps_names(b, listener, meeting.b.now, meeting.listener)


def keeps_names(was: NodeConfig, listener_before: str, now: NodeConfig, listener: str) -> bool:
    """Whether every name that the old rules took is taken alike: the rules are the same ones, with or without more behind them."""
    protocol = now.protocols.get(listener, "")
    if protocol == "SSL":
        rules = ssl_rules(was, listener_before), ssl_rules(now, listener)
        return was.text(SSL_RULES) == now.text(SSL_RULES) if None in rules else begins_with(rules[1], rules[0])
    if protocol.startswith("SASL_") and KERBEROS in now.values(listener, "sasl.enabled.mechanisms"):
        before, after = (
            listed(side.text(side.of_listener(name, KERBEROS_RULES)))
            for side, name in ((was, listener_before), (now, listener))
        )
        return after[: len(before)] == before
    return True


def ssl_rules(side: NodeConfig, listener: str) -> list[MappingRule] | None:
    """The rules by which a listener makes principals of certificates."""
    return rules_of(side.text(side.of_listener(listener, SSL_RULES)))


def begins_with(rules: list[MappingRule] | None, first: list[MappingRule] | None) -> bool:
    """Whether rules begin with others."""
    return rules is not None and first is not None and rules[: len(first)] == first


def renamed(
    names: frozenset[str], was: list[MappingRule] | None, now: list[MappingRule] | None, listed_now: frozenset[str]
) -> frozenset[str]:
    """What other rules make of principals; empty where the certificates' names are not known.

    Without rules a principal is the certificate's name itself; names that both sides list tell which one it is.
    """
    if was is None or now is None:
        return frozenset()
    if was == [MappingRule(None)]:
        return frozenset(principal_by(now, name) for name in names if is_certificate_name(name))
    if now == [MappingRule(None)]:
        known = {name for name in listed_now if is_certificate_name(name) and principal_by(was, name) in names}
        return frozenset({*known, NO_SUPER_USER})
    return frozenset()


def principal_by(rules: list[MappingRule], principal: str) -> str:
    """The principal that rules make of one that is a certificate's name."""
    name = name_by(rules, principal.removeprefix("User:"))
    return NO_SUPER_USER if name is None else f"User:{name}"


def is_certificate_name(principal: str) -> bool:
    """Whether a principal is written as a certificate's name."""
    return "=" in principal
