"""What outputs show of a value is decided by its key; what rules say of it passes the same gate."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from advisor.catalog import ADDRESS, FREE_TEXT, HARMLESS, PASSWORD, PRINCIPAL, TYPED, value_classes
from advisor.catalog.history import index
from advisor.catalog.keys import value_class
from advisor.engine.shown_text import MOST_PARTS, parts_between, shown_text
from advisor.model import HIDDEN, MASK, PEM_TEXT, Setting
from advisor.secrets.disclosure import described_setting, shown, shown_value
from advisor.secrets.masking import mask
from collectors.files.reader import entity_of
from collectors.kafka.entities import setting_of
from tests.support.commands import run
from tests.support.own_rule import own_rule


@pytest.mark.parametrize(
    ("own_class", "value", "text"),
    [
        (TYPED, "8", "8"),
        (TYPED, " true ", " true "),
        (TYPED, "9223372036854775807", "9223372036854775807"),
        (TYPED, "-0.12345678901234567890123", "-0.12345678901234567890123"),
        (TYPED, "two", "two"),
        (TYPED, "a" * 20, "a" * 20),
        (TYPED, "a" * 21, MASK),
        (TYPED, "pa$$word", MASK),
        (TYPED, "8 # as agreed", f"8 # {MASK}"),
        (TYPED, "${THREADS}", "${THREADS}"),
        (TYPED, "{{ kafka_threads }}", "{{ kafka_threads }}"),
        (TYPED, "${vault:secret:x}", f"${{vault:{MASK}}}"),
        (TYPED, "${THREADS:-hunter2}", f"${{THREADS:{MASK}}}"),
        (HARMLESS, "rack-1", "rack-1"),
        (HARMLESS, "u:p@h", f"{MASK}@h"),
        (HARMLESS, "jdbc:oracle:thin:u/p@h", f"{MASK}@h"),
        (HARMLESS, "https://h/x?key=1", f"https://h/x?{MASK}"),
        (HARMLESS, "${NAME:-rack1}", "${NAME:-rack1}"),
        (HARMLESS, "a password=x b", f"a {MASK}"),
        (HARMLESS, "/a # x", f"/a # {MASK}"),
        (HARMLESS, "${DB_PASSWORD:-x}", f"${{DB_PASSWORD:-{MASK}}}"),
        (HARMLESS, "${TOKEN:-${X:-a}}", f"${{TOKEN:-{MASK}}}"),
        (HARMLESS, "a;pwd:x", f"a;pwd:{MASK}"),
        (HARMLESS, "apikey=x,b", f"apikey={MASK},b"),
        (HARMLESS, "x Bearer abc", f"x {MASK}"),
        (HARMLESS, "TOKEN:SASL_SSL,B:SSL", "TOKEN:SASL_SSL,B:SSL"),
        (ADDRESS, "token-1:9092,secret-2:9092", "token-1:9092,secret-2:9092"),
        (ADDRESS, "1@secret-1:9093,2@secret-2:9093", "1@secret-1:9093,2@secret-2:9093"),
        (HARMLESS, "org.example.TokenFilter", "org.example.TokenFilter"),
        (HARMLESS, "-----BEGIN PRIVATE KEY-----", MASK),
        (HARMLESS, "a.LoginModule required;", MASK),
        (PRINCIPAL, "User:alice@REALM;User:bob@REALM", "User:alice@REALM;User:bob@REALM"),
        (PRINCIPAL, "RULE:[1:$1@$0](.*@EXAMPLE)s/@.*//", "RULE:[1:$1@$0](.*@EXAMPLE)s/@.*//"),
        (ADDRESS, "b1:9092,b2:9092", "b1:9092,b2:9092"),
        (ADDRESS, "1@c1:9093,2@c2:9093", "1@c1:9093,2@c2:9093"),
        (ADDRESS, "{{ id }}@{{ host }}:9093", "{{ id }}@{{ host }}:9093"),
        (ADDRESS, "SASL_SSL://u:p@h:1,PLAINTEXT://:2", f"SASL_SSL://{MASK}@h:1,PLAINTEXT://:2"),
        (ADDRESS, "SASL_SSL://u:p,w@h:1,PLAINTEXT://:2", f"SASL_SSL://{MASK}@h:1,PLAINTEXT://:2"),
        (ADDRESS, "u:p,w@h:1,b2:9092", f"{MASK},{MASK}@h:1,b2:9092"),
        (ADDRESS, "u@h:1", f"{MASK}@h:1"),
        (FREE_TEXT, "kinit", MASK),
        (PASSWORD, "x", MASK),
    ],
)
def test_what_is_shown_of_a_value(own_class: str, value: str, text: str) -> None:
    assert shown(value, own_class) == text


@pytest.mark.parametrize(
    ("kind", "key", "own_class"),
    [
        ("broker", "listeners", ADDRESS),
        ("broker", "listener.name.x.ssl.client.auth", HARMLESS),
        ("broker", "listener.name.x.plain.sasl.jaas.config", PASSWORD),
        ("broker", "num.io.threads", TYPED),
        ("broker", "com.example.key", None),
        ("connect", "producer.acks", HARMLESS),
        ("connect", "producer.confluent.monitoring.interceptor.sasl.mechanism", HARMLESS),
        ("streams", "client.tag.zone", HARMLESS),
        ("producer", "sasl.kerberos.kinit.cmd", FREE_TEXT),
        ("zookeeper", "server.1", ADDRESS),
        ("zookeeper", "tickTime", TYPED),
    ],
)
def test_the_class_of_a_key(kind: str, key: str, own_class: str | None) -> None:
    assert value_class(kind, key, {}) == own_class


def test_a_text_key_without_a_row_stops_the_catalog() -> None:
    types = {key: {"string"} for names in value_classes.WRITTEN.values() for key in names.split()}
    assert value_classes.by_key(types)
    with pytest.raises(ValueError, match=r"no row for \['brand\.new\.key'\]"):
        value_classes.by_key({**types, "brand.new.key": {"string"}})
    with pytest.raises(ValueError, match="no key for"):
        value_classes.by_key({"acks": {"string"}})


def test_every_text_key_of_the_catalog_has_a_class() -> None:
    listed = {key for keys in index.KEYS_BY_VALUE_CLASS.values() for key in keys.split()}
    for key in " ".join(index.KEYS_BY_COMPONENTS.values()).split():
        types = {row[2][0] for component in _components(key) for row in component.DEFINITIONS.get(key, ())}
        if types & {"string", "list", "class", "callback", "password"}:
            assert key in listed, key


def _components(key: str) -> list[Any]:
    import importlib

    from advisor.catalog import known_anywhere

    modules = (name.replace("-", "_") for name in known_anywhere(key))
    return [importlib.import_module(f"advisor.catalog.history.{name}") for name in modules]


def test_a_running_cluster_keeps_what_is_no_harmless_value() -> None:
    def described(key: str, value: str | None, sensitive: bool = False) -> Setting:
        setting = setting_of(key, SimpleNamespace(value=value, source=4, is_sensitive=sensitive), {})
        assert setting is not None
        return setting

    assert described("num.io.threads", "8").shown == "8"
    assert described("ssl.keystore.password", "x").shape == HIDDEN
    assert described("advertised.listeners", "X://u:p@h:1").shown == f"X://{MASK}@h:1"
    assert described("my.plugin.key", "secret").value == MASK
    assert described("sasl.kerberos.kinit.cmd", "kinit -k x").value == "kinit -k x"
    assert described("sasl.kerberos.kinit.cmd", "kinit -k x").shown == MASK
    assert described_setting("x", MASK, "DYNAMIC_BROKER").shape == HIDDEN
    assert shown_value("log.dirs", "/a,/b") == "/a,/b"


def test_lines_of_pem_text_are_one_entry() -> None:
    text = "acks=all\nssl.keystore.key=-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nabc=\n-----END PRIVATE KEY-----\nlinger.ms=1\n"
    settings = entity_of(text, "x", "producer", None, "producer").settings
    assert list(settings) == ["acks", "ssl.keystore.key", PEM_TEXT, "linger.ms"]
    unfinished = "ssl.keystore.key=-----BEGIN PRIVATE KEY-----\nMIIE\nacks=all\nMIIE\n"
    assert list(entity_of(unfinished, "x", "producer", None, "producer").settings) == [
        "ssl.keystore.key", PEM_TEXT, "acks", "MIIE",
    ]  # fmt: skip


def test_what_was_meant_stays_readable() -> None:
    text = "min.insync.replica=1\ncompresion.type=gzip\nunclean.leader.election.enabled=true\nx.y=z\ncompresion.typ=zebra\n"
    settings = entity_of(text, "x", "topic", None, "topic").settings
    assert [setting.shown for setting in settings.values()] == ["1", "gzip", "true", MASK, MASK]


@pytest.mark.parametrize(
    ("value", "shown_parts", "hidden"),
    [
        ("x://u:p@h", ["x://", "@h"], ["u:p"]),
        ("u:p@h", ["", "@h"], ["u:p"]),
        ("secret", ["", ""], ["secret"]),
        ("a b", ["x", ""], ["a b"]),
    ],
)
def test_hidden_parts_stand_between_shown_ones(value: str, shown_parts: list[str], hidden: list[str]) -> None:
    assert parts_between(value, shown_parts) == hidden


@pytest.mark.parametrize(
    "message",
    ["{}", "it is “{}”", "KEY={}", "got {!r}", "the upper {}", "first word {w}", "host {w}."],
)
def test_a_message_holds_no_hidden_value(message: str) -> None:
    value = "kinit -kt /etc/hunter2.keytab hunter2@REALM"
    for text in (value, value.upper(), value.lower()):
        assert "hunter2" not in shown_text(message.format(text, w="/etc/hunter2.keytab"), ((value, MASK),)).lower()


@pytest.mark.parametrize(
    "body",
    [
        'yield Problem("sasl.kerberos.kinit.cmd", f"{command} and {command.split()[-1]}", f"not {command!r}")',
        "raise ValueError(command)",
        'client.int("num.foo." + command)',
        "from advisor.rule import Unknown; raise Unknown(command)",
    ],
)
def test_what_a_users_rule_says_passes_the_gate(tmp_path: Path, body: str) -> None:
    (tmp_path / "own.py").write_text(own_rule(f'command = client.str("sasl.kerberos.kinit.cmd"); {body}'))
    file = tmp_path / "x.properties"
    file.write_text("acks=all\nbootstrap.servers=a:1\nsasl.kerberos.kinit.cmd=kinit -k hunter2-kAn4ry\n")
    for format in ("text", "json", "html"):
        ran = run("lint", file, "--no-config", "--kind", "producer", "--rules", tmp_path / "own.py", "--format", format)
        assert "kAn4ry" not in ran.out + ran.err
        assert "ACME1" in ran.out


def test_a_word_that_is_joined_to_others_is_masked_beyond_the_longest_parts() -> None:
    longer = [f"user:a-much-longer-secret-{number}@host" for number in range(MOST_PARTS + 10)]
    hidden = (*((value, f"{MASK}@host") for value in longer), ("u:s3cr@h", f"{MASK}@h"))
    assert shown_text("no listener u:s3cr@h", hidden) == f"no listener u:{MASK}@h"


def test_an_error_about_a_file_is_no_assignment() -> None:
    for text in (
        "my-secret.yaml: not YAML",
        "token.properties:3:1: a \\u that four digits do not follow",
        "passwords: no such file",
    ):
        assert mask(text) == text
    assert mask("my-secret.yaml: password=x is there") == f"my-secret.yaml: password={MASK} is there"
