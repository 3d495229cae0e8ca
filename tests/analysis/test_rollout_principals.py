"""What `rollout` says where nodes become other principals: certificates, rules for names, logins, super users, authorizers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from advisor.analysis.rollout.passes.second_users import STAGES
from advisor.analysis.rollout.peers.mapping_rules import name_by, rules_of
from tests.support.rollouts import AUTHORIZER, BROKERS, Change, Value, answer, changed, listeners, separate

ALL = (*BROKERS, 101)
LISTENERS = ("plaintext", "controller")


def jaas(user: str, password: str = "canary", /, **users: str) -> dict[str, Value]:
    """The logins of nodes on both listeners, and whom they let in: a and b where no users are given."""
    module, mechanism = "org.apache.kafka.common.security.plain.PlainLoginModule", "plain"
    entries = " ".join(f'user_{name}="{each}"' for name, each in (users or {"a": "canary", "b": "canary"}).items())
    line = f'{module} required username="{user}" password="{password}" {entries};'
    return {f"listener.name.{name}.{mechanism}.sasl.jaas.config": line for name in LISTENERS}


def both(protocol: str) -> dict[str, Value]:
    """One protocol for all listeners."""
    return {"listener.security.protocol.map": f"CONTROLLER:{protocol},PLAINTEXT:{protocol}"}


def rules(text: str | None) -> dict[str, Value]:
    """Rules for the names of certificates."""
    return {"ssl.principal.mapping.rules": text}


def users(*names: str) -> dict[str, Value]:
    """Super users."""
    return {"super.users": ";".join(f"User:{name}" for name in names)}


CLOSED: Change = {"authorizer.class.name": AUTHORIZER}
SASL: Change = {
    **CLOSED,
    **both("SASL_SSL"),
    **jaas("a"),
    **users("a"),
    "sasl.enabled.mechanisms": "PLAIN",
    "sasl.mechanism.inter.broker.protocol": "PLAIN",
    "sasl.mechanism.controller.protocol": "PLAIN",
}
NAME, OTHER_NAME = "CN=broker,O=x", "CN=new,O=x"
SSL: Change = {
    **CLOSED,
    **both("SSL"),
    **users(NAME),
    "ssl.keystore.location": "/etc/kafka/node.p12",
    "ssl.keystore.type": "PKCS12",
    "ssl.truststore.location": "/etc/kafka/trust.p12",
    "ssl.client.auth": "required",
}
CLIENTS_APART: Change = {
    **SSL,
    "listeners": listeners("PLAINTEXT", "INTERNAL"),
    "advertised.listeners": listeners("PLAINTEXT", "INTERNAL"),
    "inter.broker.listener.name": "INTERNAL",
    "listener.security.protocol.map": "CONTROLLER:SSL,INTERNAL:SSL,PLAINTEXT:PLAINTEXT",
}
KERBEROS: Change = {
    **SASL,
    **dict.fromkeys(jaas("a")),
    "sasl.enabled.mechanisms": "GSSAPI",
    "sasl.mechanism.inter.broker.protocol": "GSSAPI",
    "sasl.mechanism.controller.protocol": "GSSAPI",
}
FIRST_WORD = "RULE:^CN=([^,]+),.*$/$1/"
OWN: Change = {"authorizer.class.name": "com.example.Own"}
NEW_STORE: Change = {"ssl.keystore.location": "/etc/kafka/new.p12"}
OPEN: Change = {"allow.everyone.if.no.acl.found": "true"}
SHUT: Change = {"allow.everyone.if.no.acl.found": None}
ANONYMOUS = users("ANONYMOUS")
KERBEROS_RULES = "sasl.kerberos.principal.to.local.rules"

CASES: dict[str, tuple[Change, Change, str, tuple[str, ...]]] = {
    "a login that is no super user": (SASL, jaas("b"), "unavailable_during", ()),
    "a login that is one, and let in by all": ({**SASL, **users("a", "b")}, jaas("b"), "safe", ()),
    "a user more is let in": (SASL, jaas("a", a="canary", b="canary", c="other"), "safe", ()),
    "a user less is let in": (SASL, jaas("a", a="canary"), "unknown", ()),
    "nobody lets the nodes in": (SASL, jaas("a", b="canary"), "unavailable_during", ()),
    "another user, whom old nodes do not let in": (
        {**SASL, **jaas("a", a="canary"), **users("a", "b")},
        jaas("b", b="canary"),
        "needs_passes",
        (
            "add the new user_ entries, which nothing uses yet",
            "let nodes log in as their new users",
            "take the old user_ entries away",
        ),
    ),
    "another password of the same user": (
        {**SASL, **jaas("a", a="canary")},
        jaas("a", "other", a="other"),
        "needs_passes",
        (*(title for title, *_ in STAGES), "take the second user away"),
    ),
    "a login that is empty": (SASL, dict.fromkeys(jaas("a"), ""), "unknown", ()),
    "a login that was empty": ({**SASL, **dict.fromkeys(jaas("a"), "")}, jaas("a"), "unknown", ()),
    "a login without its end": (SASL, dict.fromkeys(jaas("a"), "x required"), "unknown", ()),
    "a password that is filled in": (SASL, jaas("a", "${PASSWORD}", a="${PASSWORD}"), "unknown", ()),
    "a name of a user that is not read": (SASL, jaas("a", **{"a": "canary", "x@y": "canary"}), "unknown", ()),
    "login and super user exchanged": (
        SASL,
        {**jaas("b"), **users("b")},
        "needs_passes",
        ("add User:b, which nothing uses yet", "let nodes log in as their new users", "take User:a away"),
    ),
    "super user exchanged, not the login": (SASL, users("b"), "unavailable_during", ()),
    "brokers allowed by ACLs, a super user goes": ({**SASL, **users("x", "y")}, users("x"), "unknown", ()),
    "certificate and super user exchanged": (
        SSL,
        {**NEW_STORE, **users(OTHER_NAME)},
        "needs_passes",
        (f"add User:{OTHER_NAME}, which nothing uses yet", "give nodes their new certificates", f"take User:{NAME} away"),
    ),
    "super user exchanged, and perhaps the certificate in place": (
        SSL,
        users(OTHER_NAME),
        "needs_passes",
        (f"add User:{OTHER_NAME}, which nothing uses yet", f"take User:{NAME} away"),
    ),
    "another certificate, the same super users": (SSL, NEW_STORE, "unknown", ()),
    "certificates are no longer asked for": (SSL, {"ssl.client.auth": "none"}, "unavailable_during", ()),
    "a rule that makes another principal": (CLIENTS_APART, rules(FIRST_WORD), "unavailable_during", ()),
    "a rule that makes another super user": (
        {**CLIENTS_APART, **users(NAME, "broker")},
        rules(FIRST_WORD),
        "safe",
        (),
    ),
    "a rule and its super users": (CLIENTS_APART, {**rules(FIRST_WORD), **users(NAME, "broker")}, "safe", ()),
    "a rule that makes the same principal": (CLIENTS_APART, rules("RULE:^CN=other,.*$/o/,DEFAULT"), "safe", ()),
    "a rule that fits no certificate": (CLIENTS_APART, rules("RULE:^CN=other,.*$/o/"), "unavailable_during", ()),
    "a pattern that is not tried": (CLIENTS_APART, rules("RULE:^(C+)+.*$/o/"), "unknown", ()),
    "a rule behind those that there are": (
        {**SSL, **rules(FIRST_WORD), **users("broker")},
        rules(f"{FIRST_WORD} , DEFAULT"),
        "safe",
        (),
    ),
    "no rules any more": (
        {**CLIENTS_APART, **rules(FIRST_WORD), **users("broker")},
        rules(None),
        "unavailable_during",
        (),
    ),
    "no rules any more, the names are listed": (
        {**CLIENTS_APART, **rules(FIRST_WORD), **users("broker", NAME)},
        rules(None),
        "unknown",
        (),
    ),
    "clients get other principals": ({**SSL, **users(NAME, "broker")}, rules(FIRST_WORD), "unknown", ()),
    "rules for certificates where nodes log in": (SASL, rules(FIRST_WORD), "safe", ()),
    "rules for Kerberos where nodes log in": (SASL, {KERBEROS_RULES: "RULE:[1:$1](.*)s/a/b/,DEFAULT"}, "safe", ()),
    "rules for certificates without any": ({**CLOSED, **ANONYMOUS}, rules(FIRST_WORD), "safe", ()),
    "rules for Kerberos": ({**KERBEROS, **users("kafka")}, {KERBEROS_RULES: "RULE:[2:$1-x](.*)"}, "unknown", ()),
    "more rules for Kerberos": (
        {**KERBEROS, **users("kafka")},
        {KERBEROS_RULES: "DEFAULT,RULE:[2:$1-x](.*)"},
        "safe",
        (),
    ),
    "a class that makes principals": (SSL, {"principal.builder.class": "com.example.Own"}, "unknown", ()),
    "an authorizer of its own": (SASL, {**OWN, "super.users": None}, "unknown", ()),
    "an authorizer of its own loses a super user": ({**SASL, **OWN}, users("b"), "unknown", ()),
    "an authorizer of Kafka's, the login listed": ({**SASL, **OWN}, CLOSED, "unknown", ()),
    "authorizer and a login that is listed": ({**SASL, "authorizer.class.name": None}, {**CLOSED, **OPEN}, "safe", ()),
    "authorizer and another login listed": (
        {**SASL, "authorizer.class.name": None},
        {**CLOSED, **users("b")},
        "unavailable_during",
        (),
    ),
    "authorizer and certificates": ({**SSL, "authorizer.class.name": None}, {**CLOSED, **OPEN}, "safe", ()),
    "authorizer and certificates, not open": ({**CLIENTS_APART, "authorizer.class.name": None, **users(NAME, "ANONYMOUS")}, CLOSED, "unknown", ()),
    "authorizer taken away": (SASL, {"authorizer.class.name": None}, "safe", ()),
    "no longer open, the login listed": ({**SASL, **OPEN}, SHUT, "unknown", ()),
    "no longer open, another login listed": ({**SASL, **OPEN, **users("b")}, SHUT, "unavailable_during", ()),
    "no longer open, nobody listed": ({**CLOSED, **OPEN}, SHUT, "unavailable_during", ()),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_verdict_and_passes(tmp_path: Path, name: str) -> None:
    before, change, verdict, passes = CASES[name]
    old = changed(separate(), before, ALL)
    if "INTERNAL" in str(before.get("inter.broker.listener.name")):
        old[101] |= {"listeners": "CONTROLLER://10.0.0.101:9601"}
        old[101] = {
            key: value
            for key, value in old[101].items()
            if key not in ("advertised.listeners", "inter.broker.listener.name")
        }
    document = answer(tmp_path, old, changed(old, change, ALL))
    assert document["verdict"] == verdict, document["unknown"]
    assert tuple(each["title"] for each in document["passes"]) == passes


def lines_of(document: dict[str, Any], number: int) -> list[str]:
    """What a pass changes in the first file."""
    lines: list[str] = document["passes"][number]["files"][0]["diff"][2:]
    return [line for line in lines if not line.startswith("@@")]


def test_a_new_login_is_written_in_the_pass_that_takes_it(tmp_path: Path) -> None:
    """Both values are hidden, and differ: between two passes with both super users, not in the one that takes the old away."""
    old = changed(separate(), SASL, ALL)
    document = answer(tmp_path, old, changed(old, {**jaas("b"), **users("b")}, ALL))
    assert lines_of(document, 0) == ["-super.users=User:a", "+super.users=User:a;User:b"]
    keys = [f"listener.name.{name}.plain.sasl.jaas.config" for name in LISTENERS]
    hidden = "<the value that the {} file has>"
    assert lines_of(document, 1) == [
        *(f"-{key}={hidden.format('old')}" for key in keys),
        *(f"+{key}={hidden.format('new')}" for key in keys),
    ]
    assert lines_of(document, 2) == ["-super.users=User:a;User:b", "+super.users=User:b"]
    assert "canary" not in str(document)


def test_certificates_are_looked_at_before_a_super_user_goes(tmp_path: Path) -> None:
    old = changed(separate(), SSL, ALL)
    document = answer(tmp_path, old, changed(old, users(OTHER_NAME), ALL))
    (condition,) = document["passes"][-1]["before"]
    assert condition.startswith("openssl x509 ")
    assert f"User:{NAME}" in condition


RULES = (
    "RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/L , RULE:^CN=(.*?),OU=(.*?),O=(.*?),L=(.*?),ST=(.*?),C=(.*?)$/$1@$2/L, "
    "RULE:^cn=(.*?),ou=(.*?),dc=(.*?),dc=(.*?)$/$1@$2/U,RULE:^.*[Cc][Nn]=([a-zA-Z0-9.]*).*$/$1/U, DEFAULT, RULE:x/y/"
)
NAMES = {
    "CN=Duke,OU=ServiceUsers,O=Org,C=US": "duke",
    "CN=Duke,OU=SME,O=mycp,L=Fulton,ST=MD,C=US": "duke@sme",
    "cn=duke,ou=sme,dc=mycp,dc=com": "DUKE@SME",
    "cN=duke,OU=JavaSoft,O=Sun Microsystems": "DUKE",
    "OU=JavaSoft,O=Sun Microsystems,C=US": "OU=JavaSoft,O=Sun Microsystems,C=US",
}


def test_names_are_made_as_kafka_makes_them() -> None:
    """The examples of SslPrincipalMapperTest; what is no rule, or is behind DEFAULT, is none."""
    made = rules_of(RULES)
    assert made is not None
    assert len(made) == 5
    assert {name: name_by(made, name) for name in NAMES} == NAMES
    assert rules_of("RULE:^CN=(.*?)$/$1") is None
    assert name_by(rules_of("RULE:^CN=(a)$/$1$2/") or [], "CN=a") == "a$2"
    assert rules_of("RULE:(a/x/,DEFAULT") is None


@pytest.mark.parametrize(
    ("before", "change", "advice"),
    [
        (SSL, {"ssl.client.auth": "none"}, "lets all of them do anything"),
        (SSL, both("PLAINTEXT"), "lets all of them do anything"),
        ({**SASL, "authorizer.class.name": None}, {**CLOSED, **users("b")}, "set the authorizer then"),
        (SASL, jaas("b"), "name the principals that nodes get"),
    ],
)
def test_what_to_do_where_the_authorizer_denies_nodes(
    tmp_path: Path, before: Change, change: Change, advice: str
) -> None:
    old = changed(separate(), before, ALL)
    texts = answer(tmp_path, old, changed(old, change, ALL))["instead"]
    assert [advice in text for text in texts] == [True]
