"""A canary in every secret place: it must appear nowhere, whatever the format, whatever goes wrong."""

from __future__ import annotations

import pytest

from advisor.secrets import is_secret
from advisor.secrets.jaas import jaas_of, shape_of_secret
from advisor.secrets.masking import mask
from advisor.secrets.placeholders import provider_of, shape_of
from tests.support.canary import JAAS


@pytest.mark.parametrize(
    ("key", "secret"),
    [
        ("ssl.keystore.password", True),
        ("sasl.jaas.config", True),
        ("password.encoder.secret", True),
        ("listener.name.token.sasl.enabled.mechanisms", False),
        ("listener.name.token.oauthbearer.sasl.jaas.config", True),
        ("listener.name.token.ssl.key.password", True),
        ("listener.name.token", True),
        ("password.encoder.iterations", False),
        ("password.encoder.cipher.algorithm", False),
        ("delegation.token.max.lifetime.ms", False),
        ("delegation.token.master.key", True),
        ("confluent.metadata.server.token.key.path", False),
        ("sasl.oauthbearer.token.endpoint.url", False),
        ("sasl.oauthbearer.client.credentials.client.id", False),
        ("ssl.keystore.location", False),
        ("key.serializer", False),
        ("group.id", False),
        ("confluent.metadata.http.auth.credentials.provider", False),
        ("sasl.login.callback.handler.class", False),
    ],
)
def test_what_is_secret(key: str, secret: bool) -> None:
    assert is_secret(key) is secret


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("secret", "literal"),
        ("${env:X}", "placeholder"),
        ("#{Kafka Brokers}", "placeholder"),
        (":BOOTSTRAP_SERVERS:", "placeholder"),
        (":9092", "literal"),
        ("::1", "literal"),
        ("a-{{ b }}-c", "placeholder"),
        ("%X%", "placeholder"),
        ("@X@", "placeholder"),
        ("<pass>", "placeholder"),
        ("$(POD)", "placeholder"),
        ("$HOST_NAME", "placeholder"),
        ("{host}:9092", "placeholder"),
        ("{% for node in nodes -%}", "placeholder"),
        ("PLAINTEXT://{0}:9092", "placeholder"),
        ("[bootstrap server url]", "placeholder"),
        ("[a-z]{2}-\\p{Alpha}", "literal"),
        ("[::1]:9092", "literal"),
        ("1@a:9093,2@b:9093", "literal"),
        ("100%", "literal"),
        ("RULE:^CN=(.*?),.*$/$1/", "literal"),
        ("(?<name>x)", "literal"),
    ],
)
def test_the_shape_of_a_value(value: str, shape: str) -> None:
    assert shape_of(value) == shape


@pytest.mark.parametrize(
    ("jaas", "shape"),
    [
        (JAAS, "literal"),
        ('a.LoginModule required password="${env:P}";', "placeholder"),
        ('a.LoginModule required useKeyTab=true keyTab="/k";', "empty"),
        ('a.LoginModule required username="u" password="";', "empty"),
    ],
)
def test_the_shape_of_a_jaas_line(jaas: str, shape: str) -> None:
    assert shape_of_secret(jaas) == shape


@pytest.mark.parametrize(
    ("jaas", "principals", "answer"),
    [
        ('a.LoginModule required username="bob" password="p";', ["User:al", "User:bob"], True),
        ("a.LoginModule required username='bob' user_bob=p;", ["User:al"], False),
        ("a.LoginModule required username='bo\\x62';", ["User:box62"], True),
        ("a.LoginModule required username='b\\157b';", ["User:bob"], True),
        ('a.LoginModule required username="${NAME}" password="p";', [], None),
        ('a.LoginModule required useKeyTab=true keyTab="/k";', [], None),
        ('a.B required username="x"; c.D required username="y";', [], None),
    ],
)
def test_whom_a_jaas_line_logs_in_as(jaas: str, principals: list[str], answer: bool | None) -> None:
    login = jaas_of(jaas).login
    assert (login and login.is_one_of(principals)) is answer
    assert "bob" not in repr(login)


@pytest.mark.parametrize(
    ("jaas", "problem"),
    [
        (JAAS, None),
        (JAAS[:-1], "semicolon"),
        ("a.B;", "control flag"),
        ("a.B sometimes;", "control flag"),
        ("a.B required x;", "no value"),
        ("a.B required x='p q' y=\"it's\";", None),
        ("a.B required x=${NAME} ;", "no value"),
        ("a.B required x=30;", "needs quotes"),
        ("a.B required x=a30 y=-b;", "no value"),
        ("a.B required x=/etc/krb5.keytab;", "needs quotes"),
        ("a.B required x=y // the rest is a comment;", "semicolon"),
        ("a.B /* and here */ REQUIRED x=y;", None),
        ('a.B required x="y;', "semicolon"),
        ("a.B required x@y=z;", "no value"),
        ("", "empty"),
    ],
)
def test_what_is_wrong_with_a_jaas_line(jaas: str, problem: str | None) -> None:
    found = jaas_of(jaas).problem
    assert (problem is None and found is None) or (problem is not None and problem in str(found))


def test_masking_leaves_the_rest_readable() -> None:
    assert mask("https://u:p@h:1/x") == "https://********@h:1/x"
    assert mask("PLAINTEXT://h:9092,SSL://h:9093") == "PLAINTEXT://h:9092,SSL://h:9093"


@pytest.mark.parametrize(
    ("value", "provider"),
    [
        ("${file:/a:b}", "file"),
        ("${env:X}", "env"),
        ("${X}", None),
        ("${X:-y}", None),
        ("${NAME:y}", None),
        ("x", None),
    ],
)
def test_the_provider_a_value_asks(value: str, provider: str | None) -> None:
    assert provider_of(value) == provider


def test_kafkas_own_passwords_are_secret_and_nothing_else_of_kafka_is() -> None:
    from advisor import catalog
    from advisor.catalog.history.index import KEYS_BY_COMPONENTS

    wrong = set()
    for key in " ".join(KEYS_BY_COMPONENTS.values()).split():
        components = catalog.known_anywhere(key)
        found = [catalog.lookup(component, version, key) for component in components for version in catalog.VERSIONS]
        password = any(definition and definition.type == "password" for definition in found)
        if is_secret(key) is not password:
            wrong.add(key)
    assert wrong == set()
