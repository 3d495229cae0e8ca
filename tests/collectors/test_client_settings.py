"""How the live collectors connect: one file of settings for both client libraries."""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from advisor.errors import BadSettings
from collectors.client.connection import connection
from collectors.client.oauth import NoToken, Tokens
from collectors.client.target import Connection

CANARY = "c4nary-s3cret"
PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule"
OAUTH = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"
KERBEROS = "com.sun.security.auth.module.Krb5LoginModule"
SASL = "security.protocol=SASL_PLAINTEXT\n"
TLS = "security.protocol=SSL\n"
ENDPOINT = "sasl.oauthbearer.token.endpoint.url=http://127.0.0.1:1/token\n"


class Stores:
    """A certificate in every form a client may be given it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ca, self.key, self.locked = folder / "ca.pem", folder / "key.pem", folder / "locked.pem"
        self.both, self.p12, self.jks = folder / "both.pem", folder / "keys.p12", folder / "keys.jks"
        self.other, self.other_key = folder / "other.pem", folder / "other.key"
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "3650")
        subject = ("-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1")
        openssl("req", "-x509", *curve, *subject, "-keyout", self.key, "-out", self.ca)
        openssl("req", "-x509", *curve, "-subj", "/CN=other", "-keyout", self.other_key, "-out", self.other)
        openssl("pkcs8", "-topk8", "-v2", "aes128", "-in", self.key, "-out", self.locked, "-passout", f"pass:{CANARY}")
        self.both.write_text(self.key.read_text() + self.ca.read_text())
        source = ("-in", self.ca, "-inkey", self.key)
        openssl("pkcs12", "-export", *source, "-out", self.p12, "-passout", f"pass:{CANARY}")
        digest = openssl("x509", "-hash", "-noout", "-in", self.ca)
        (folder / f"{digest}.0").write_text(self.ca.read_text())
        self.jks.write_bytes(b"\xfe\xed\xfe\xed\0\0\0\2")

    def fill(self, text: str) -> str:
        """The text with the paths and PEM texts of this folder in it."""
        texts = {
            "CA": self.ca,
            "OTHER": self.other,
            "OTHER KEY": self.other_key,
            "KEY": self.key,
            "LOCKED": self.locked,
        }
        for name, path in texts.items():
            text = text.replace(f"<{name} TEXT>", " ".join(path.read_text().split("\n")))
        paths = {**texts, "BOTH": self.both, "P12": self.p12, "JKS": self.jks, "FOLDER": self.folder}
        for name, path in paths.items():
            text = text.replace(f"<{name}>", str(path))
        return text


class Server:
    """Shakes hands over TLS with a client that has a certificate, and counts how often that worked."""

    def __init__(self, stores: Stores) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(stores.ca, stores.key)
        context.load_verify_locations(stores.ca)
        context.verify_mode = ssl.CERT_REQUIRED
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.socket.settimeout(0.05)
        self.address = f"127.0.0.1:{self.socket.getsockname()[1]}"
        self.context, self.done, self.met = context, threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.serve)

    def serve(self) -> None:
        while not self.done.is_set():
            with contextlib.suppress(OSError):
                client, _ = self.socket.accept()
                client.settimeout(5)
                with self.context.wrap_socket(client, server_side=True) as safe:
                    if safe.recv(1):
                        self.met.set()

    def __enter__(self) -> Server:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self.thread.join()
        self.socket.close()


def openssl(*arguments: object) -> str:
    return subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Stores:
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    return Stores(tmp_path_factory.mktemp("stores"))


def read(folder: Path, text: str, **environ: str) -> Connection:
    path = folder / "c.properties"
    path.write_text(text)
    return connection("h:1", str(path), environ, 10)


JAVA_AND_LIBRDKAFKA: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "nothing": ("", {"security.protocol": "PLAINTEXT"}, {"security_protocol": "PLAINTEXT"}),
    "the name": ("client.id=me", {"client.id": "me"}, {"client_id": "me"}),
    "java plain": (
        f'{SASL}sasl.mechanism=PLAIN\nsasl.jaas.config={PLAIN} required username="u\\\\"x" password="{CANARY}";',
        {"sasl.mechanism": "PLAIN", "sasl.username": 'u"x', "sasl.password": CANARY},
        {"sasl_mechanism": "PLAIN", "sasl_plain_username": 'u"x', "sasl_plain_password": CANARY},
    ),
    "java scram over lines": (
        f"{SASL}sasl.mechanism=SCRAM-SHA-512\nsasl.jaas.config={SCRAM} required \\\n username='u' \\\n password='{CANARY}';",
        {"sasl.mechanism": "SCRAM-SHA-512", "sasl.username": "u", "sasl.password": CANARY},
        {"sasl_mechanism": "SCRAM-SHA-512", "sasl_plain_username": "u", "sasl_plain_password": CANARY},
    ),
    "librdkafka scram": (
        f"security.protocol=sasl_plaintext\nsasl.mechanisms=SCRAM-SHA-256\nsasl.username=u\nsasl.password={CANARY}",
        {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "SCRAM-SHA-256", "sasl.password": CANARY},
        {"security_protocol": "SASL_PLAINTEXT", "sasl_mechanism": "SCRAM-SHA-256", "sasl_plain_password": CANARY},
    ),
    "settings before the JAAS line": (
        f'{SASL}sasl.mechanism=PLAIN\nsasl.username=mine\nsasl.jaas.config={PLAIN} required username="u" password="p";',
        {"sasl.username": "mine", "sasl.password": "p"},
        {"sasl_plain_username": "mine", "sasl_plain_password": "p"},
    ),
    "java oauth": (
        f"{SASL}{ENDPOINT}sasl.mechanism=OAUTHBEARER\nsasl.jaas.config={OAUTH} required "
        f'clientId="c" clientSecret="{CANARY}" scope="s" extension_logicalCluster="lkc-1";',
        {
            "sasl.oauthbearer.method": "oidc",
            "sasl.oauthbearer.client.id": "c",
            "sasl.oauthbearer.client.secret": CANARY,
            "sasl.oauthbearer.scope": "s",
            "sasl.oauthbearer.token.endpoint.url": "http://127.0.0.1:1/token",
            "sasl.oauthbearer.extensions": "logicalCluster=lkc-1",
        },
        {"sasl_mechanism": "OAUTHBEARER"},
    ),
    "java 4.1 oauth": (
        f"{SASL}{ENDPOINT}sasl.mechanism=OAUTHBEARER\nsasl.oauthbearer.client.credentials.client.id=c\n"
        f"sasl.oauthbearer.client.credentials.client.secret={CANARY}",
        {"sasl.oauthbearer.client.id": "c", "sasl.oauthbearer.client.secret": CANARY},
        {"sasl_mechanism": "OAUTHBEARER"},
    ),
    "librdkafka oauth": (
        f"{SASL}{ENDPOINT}sasl.mechanisms=OAUTHBEARER\nsasl.oauthbearer.method=oidc\nsasl.oauthbearer.client.id=c\n"
        f"sasl.oauthbearer.client.secret={CANARY}\nsasl.oauthbearer.extensions=a=b,c=d",
        {"sasl.oauthbearer.client.secret": CANARY, "sasl.oauthbearer.extensions": "a=b,c=d"},
        {"sasl_mechanism": "OAUTHBEARER"},
    ),
    "tls with the system's certificates": (TLS, {"security.protocol": "SSL"}, {"security_protocol": "SSL"}),
    "librdkafka ca": (TLS + "ssl.ca.location=<CA>", {"ssl.ca.location": "<CA>"}, {}),
    "librdkafka ca folder": (TLS + "ssl.ca.location=<FOLDER>", {"ssl.ca.location": "<FOLDER>"}, {}),
    "java pem store": (
        TLS + "ssl.truststore.location=<CA>\nssl.truststore.type=PEM",
        {"ssl.ca.location": "<CA>"},
        {},
    ),
    "java pem text": (TLS + "ssl.truststore.certificates=<CA TEXT>", {}, {}),
    "librdkafka mtls": (
        TLS + "ssl.certificate.location=<CA>\nssl.key.location=<KEY>",
        {"ssl.certificate.location": "<CA>", "ssl.key.location": "<KEY>"},
        {},
    ),
    "locked key": (
        TLS + f"ssl.certificate.location=<CA>\nssl.key.location=<LOCKED>\nssl.key.password={CANARY}",
        {"ssl.key.location": "<LOCKED>", "ssl.key.password": CANARY},
        {},
    ),
    "java pem key store": (
        TLS + "ssl.keystore.location=<BOTH>\nssl.keystore.type=PEM",
        {"ssl.certificate.location": "<BOTH>", "ssl.key.location": "<BOTH>"},
        {},
    ),
    "java pem key text": (TLS + "ssl.keystore.certificate.chain=<CA TEXT>\nssl.keystore.key=<KEY TEXT>", {}, {}),
    "java locked pem key text": (
        TLS + f"ssl.keystore.certificate.chain=<CA TEXT>\nssl.keystore.key=<LOCKED TEXT>\nssl.key.password={CANARY}",
        {"ssl.key.password": CANARY},
        {},
    ),
    "pkcs12 key store": (
        TLS + f"ssl.keystore.location=<P12>\nssl.keystore.password={CANARY}\nssl.key.password={CANARY}",
        {"ssl.keystore.location": "<P12>", "ssl.keystore.password": CANARY},
        {},
    ),
    "a java store that is not used": (
        TLS + "ssl.ca.location=<CA>\nssl.truststore.location=<JKS>\nssl.truststore.password=x",
        {"ssl.ca.location": "<CA>"},
        {},
    ),
    "java without host names": (
        TLS + "ssl.endpoint.identification.algorithm=",
        {"ssl.endpoint.identification.algorithm": "none"},
        {},
    ),
    "librdkafka without checks": (
        TLS + "enable.ssl.certificate.verification=false",
        {"enable.ssl.certificate.verification": False},
        {},
    ),
    "how to reach brokers": ("broker.address.family=v4", {"broker.address.family": "v4"}, {}),
}


@pytest.mark.parametrize("case", JAVA_AND_LIBRDKAFKA)
def test_both_libraries_get_what_the_file_says(case: str, stores: Stores, tmp_path: Path) -> None:
    text, confluent, kafka_python = JAVA_AND_LIBRDKAFKA[case]
    made = read(tmp_path, stores.fill(text))
    wanted = {key: stores.fill(value) if isinstance(value, str) else value for key, value in confluent.items()}
    assert {key: made.confluent.get(key) for key in wanted} == wanted
    assert {key: made.kafka_python.get(key) for key in kafka_python} == kafka_python
    assert (made.notes, made.bootstrap, made.confluent["bootstrap.servers"]) == ([], "h:1", "h:1")
    assert CANARY not in f"{made!r} {made.notes} {made.unsupported}"
    assert ("ssl_context" in made.kafka_python) == text.startswith(TLS)


@pytest.mark.parametrize("case", JAVA_AND_LIBRDKAFKA)
def test_confluent_kafka_takes_it(case: str, stores: Stores, tmp_path: Path) -> None:
    admin = pytest.importorskip("confluent_kafka.admin")
    made = read(tmp_path, stores.fill(JAVA_AND_LIBRDKAFKA[case][0]))
    assert admin.AdminClient(made.confluent) is not None


@pytest.mark.parametrize("case", JAVA_AND_LIBRDKAFKA)
def test_kafka_python_takes_it(case: str, stores: Stores, tmp_path: Path) -> None:
    kafka = pytest.importorskip("kafka")
    made = read(tmp_path, stores.fill(JAVA_AND_LIBRDKAFKA[case][0]))
    assert set(made.kafka_python) <= set(kafka.KafkaAdminClient.DEFAULT_CONFIG)
    if made.kafka_python.get("sasl_mechanism") == "OAUTHBEARER":
        sasl = pytest.importorskip("kafka.net.sasl.oauth")
        assert sasl.SaslMechanismOAuth(**made.kafka_python).token_provider is not None


def test_the_context_of_kafka_python_checks_as_told(stores: Stores, tmp_path: Path) -> None:
    def context(text: str) -> ssl.SSLContext:
        made = read(tmp_path, stores.fill(TLS + text)).kafka_python["ssl_context"]
        assert isinstance(made, ssl.SSLContext)
        return made

    usual = context("ssl.ca.location=<CA>")
    assert (usual.check_hostname, usual.verify_mode, len(usual.get_ca_certs())) == (True, ssl.CERT_REQUIRED, 1)
    assert len(context("ssl.truststore.certificates=<CA TEXT>").get_ca_certs()) == 1
    assert context("ssl.ca.location=<CA>\nssl.crl.location=<CA>").verify_flags & ssl.VERIFY_CRL_CHECK_LEAF
    nameless = context("ssl.endpoint.identification.algorithm=")
    assert (nameless.check_hostname, nameless.verify_mode) == (False, ssl.CERT_REQUIRED)
    assert context("enable.ssl.certificate.verification=false").verify_mode == ssl.CERT_NONE


OTHER_FIRST = "ssl.truststore.certificates=<OTHER TEXT> <CA TEXT>\n"
TEXTS = OTHER_FIRST + "ssl.keystore.certificate.chain=<CA TEXT>\nssl.keystore.key=<LOCKED TEXT>\n"
HANDSHAKES = {
    "texts": (f"{TEXTS}ssl.key.password={CANARY}", True),
    "files": ("ssl.ca.location=<CA>\nssl.certificate.location=<CA>\nssl.key.location=<KEY>", True),
    "a folder": ("ssl.ca.location=<FOLDER>\nssl.certificate.location=<CA>\nssl.key.location=<KEY>", True),
    "java stores": ("ssl.truststore.location=<CA>\nssl.keystore.location=<BOTH>", True),
    "pkcs12": (f"ssl.ca.location=<CA>\nssl.keystore.location=<P12>\nssl.keystore.password={CANARY}", True),
    "unchecked": (
        "enable.ssl.certificate.verification=false\nssl.certificate.location=<CA>\nssl.key.location=<KEY>",
        True,
    ),
    "another authority": ("ssl.ca.location=<OTHER>\nssl.certificate.location=<CA>\nssl.key.location=<KEY>", False),
    "no certificate": ("ssl.ca.location=<CA>", False),
}


@pytest.mark.parametrize("case", HANDSHAKES)
def test_confluent_kafka_shakes_hands(case: str, stores: Stores, tmp_path: Path) -> None:
    admin = pytest.importorskip("confluent_kafka.admin")
    text, works = HANDSHAKES[case]
    made = read(tmp_path, stores.fill(TLS + text))
    with Server(stores) as server:
        made.to(server.address)
        client = admin.AdminClient(made.confluent)
        assert server.met.wait(5 if works else 0.5) == works
        del client


@pytest.mark.parametrize("case", HANDSHAKES)
def test_kafka_python_shakes_hands(case: str, stores: Stores, tmp_path: Path) -> None:
    text, works = HANDSHAKES[case]
    made = read(tmp_path, stores.fill(TLS + text))
    assert (made.unsupported is not None) == (case == "pkcs12")
    context = made.kafka_python["ssl_context"]
    assert isinstance(context, ssl.SSLContext)
    expected = works and not made.unsupported
    with Server(stores) as server:
        host, _, port = server.address.partition(":")
        with (
            contextlib.suppress(OSError),
            context.wrap_socket(socket.create_connection((host, int(port))), server_hostname=host) as safe,
        ):
            safe.sendall(b"x")
        assert server.met.wait(5 if expected else 0.5) == expected


def test_a_pkcs12_key_store_is_for_confluent_kafka_alone(stores: Stores, tmp_path: Path) -> None:
    made = read(tmp_path, stores.fill(TLS + "ssl.keystore.location=<P12>\nssl.keystore.password=" + CANARY))
    assert made.unsupported is not None
    assert f"openssl pkcs12 -in {stores.p12} -nodes" in made.unsupported


REFUSED = {
    "no such protocol": ("security.protocol=TLS", "{0}:1: security.protocol: must be one of PLAINTEXT, SSL"),
    "no mechanism known": (SASL + "sasl.mechanism=AWS_MSK_IAM", "{0}:2: sasl.mechanism: must be one of PLAIN, SCRAM"),
    "no user": (
        SASL + "sasl.mechanism=PLAIN",
        "{0}: sasl.username: is missing; set it, or username in sasl.jaas.config",
    ),
    "no password": (SASL + "sasl.mechanism=PLAIN\nsasl.username=u", "{0}: sasl.password: is missing"),
    "broken jaas": (
        SASL + f'sasl.mechanism=PLAIN\nsasl.jaas.config={PLAIN} required username="u" password="{CANARY}"',
        "{0}:3: sasl.jaas.config: it does not end with a semicolon",
    ),
    "no endpoint": (
        SASL + f"sasl.mechanism=OAUTHBEARER\nsasl.oauthbearer.client.id=c\nsasl.oauthbearer.client.secret={CANARY}",
        "{0}: sasl.oauthbearer.token.endpoint.url: must be the http(s) address",
    ),
    "file endpoint": (
        SASL + "sasl.mechanism=OAUTHBEARER\nsasl.oauthbearer.token.endpoint.url=file:///t\n"
        f"sasl.oauthbearer.client.id=c\nsasl.oauthbearer.client.secret={CANARY}",
        "{0}:3: sasl.oauthbearer.token.endpoint.url: must be the http(s) address",
    ),
    "own token code": (
        SASL + "sasl.mechanism=OAUTHBEARER\nsasl.oauthbearer.method=default",
        "{0}:3: sasl.oauthbearer.method: must be oidc",
    ),
    "env not set": (
        SASL + "sasl.mechanism=${env:MECH}",
        "{0}:2: sasl.mechanism: ${{env:MECH}} is not set; export MECH",
    ),
    "another provider": (
        SASL + "sasl.mechanism=PLAIN\nsasl.username=u\nsasl.password=${vault:" + CANARY + ":p}",
        "{0}:4: sasl.password: ${{vault:…}} is not filled in; only ${{env:NAME}} is",
    ),
    "a shell's default": (
        SASL + "sasl.mechanism=PLAIN\nsasl.username=u\nsasl.password=${P:-" + CANARY + "}",
        "{0}:4: sasl.password: a placeholder is not filled in",
    ),
    "broken escape": (f"sasl.password={CANARY}\\u00", "{0}:1:28: a \\u that four hexadecimal digits do not follow"),
    "no such ca": (TLS + "ssl.ca.location=nowhere.pem", "{0}:2: ssl.ca.location: nowhere.pem: no such file"),
    "ca without certificate": (TLS + "ssl.ca.location=<KEY>", "{0}:2: ssl.ca.location: no certificate in PEM"),
    "pem text without certificate": (
        TLS + f"ssl.truststore.certificates={CANARY}",
        "{0}:2: ssl.truststore.certificates: no certificate in PEM",
    ),
    "jks trust store": (
        TLS + f"ssl.truststore.location=<JKS>\nssl.truststore.password={CANARY}",
        "{0}:2: ssl.truststore.location: is a JKS store, which clients without Java cannot read; "
        "keytool -list -rfc -keystore <JKS> > ca.pem, then ssl.ca.location=ca.pem",
    ),
    "pkcs12 trust store": (
        TLS + f"ssl.truststore.location=<P12>\nssl.truststore.password={CANARY}",
        "{0}:2: ssl.truststore.location: is a PKCS12 store, which clients without Java cannot read; "
        "keytool -list -rfc -keystore <P12> > ca.pem, then ssl.ca.location=ca.pem",
    ),
    "jks key store": (
        TLS + f"ssl.keystore.location=<JKS>\nssl.keystore.password={CANARY}",
        "{0}:2: ssl.keystore.location: is a JKS store, which clients without Java cannot read; keytool -importkeystore "
        "-srckeystore <JKS> -destkeystore client.p12 -deststoretype PKCS12, then ssl.keystore.location=client.p12",
    ),
    "pkcs12 without password": (
        TLS + "ssl.keystore.location=<P12>",
        "{0}:2: ssl.keystore.location: is a PKCS12 store; ssl.keystore.password is missing",
    ),
    "no key": (
        TLS + "ssl.certificate.location=<CA>",
        "{0}:2: ssl.certificate.location: has no key to it; ssl.key.location is missing",
    ),
    "locked key, no password": (
        TLS + "ssl.certificate.location=<CA>\nssl.key.location=<LOCKED>",
        "{0}:2: ssl.certificate.location: cannot be loaded; both must be PEM, and an encrypted key needs the right",
    ),
    "another key": (
        TLS + "ssl.certificate.location=<CA>\nssl.key.location=<OTHER KEY>",
        "{0}:2: ssl.certificate.location: the key does not belong to the certificate",
    ),
    "locked key, wrong password": (
        TLS + f"ssl.keystore.certificate.chain=<CA TEXT>\nssl.keystore.key=<LOCKED TEXT>\nssl.key.password={CANARY}x",
        "{0}:2: ssl.keystore.certificate.chain: cannot be loaded",
    ),
    "host names": (
        TLS + "ssl.endpoint.identification.algorithm=ldap",
        "{0}:2: ssl.endpoint.identification.algorithm: must be https, or empty",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_used_is_refused_in_one_line(case: str, stores: Stores, tmp_path: Path) -> None:
    text, says = REFUSED[case]
    with pytest.raises(BadSettings) as refused:
        read(tmp_path, stores.fill(text))
    assert str(refused.value).startswith(stores.fill(says).format(tmp_path / "c.properties"))
    assert CANARY not in repr(refused.value)
    assert "\n" not in str(refused.value)
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (None, "no such file or directory"),
        (b"a\0b", "is not a properties file; write key=value lines"),
    ],
)
def test_files_that_cannot_be_read(data: bytes | None, says: str, tmp_path: Path) -> None:
    path = tmp_path / "c.properties"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(BadSettings, match=f"^{path}: {says}"):
        connection("h:1", str(path), {}, 10)


ENVIRON = {
    "KAFKA_ADVISOR_BOOTSTRAP_SERVERS": "e:9",
    "KAFKA_ADVISOR_SECURITY_PROTOCOL": "SASL_PLAINTEXT",
    "KAFKA_ADVISOR_SASL_MECHANISM": "PLAIN",
    "KAFKA_ADVISOR_SASL_USERNAME": "eve",
    "KAFKA_ADVISOR_SASL_PASSWORD": "${not a placeholder here}",
}


def test_the_environment_alone_will_do() -> None:
    made = connection(None, None, ENVIRON, 10)
    assert (made.bootstrap, made.notes) == ("e:9", [])
    assert made.kafka_python["bootstrap_servers"] == ["e:9"]
    assert made.confluent["sasl.username"] == "eve"
    assert made.confluent["sasl.password"] == "${not a placeholder here}"


@pytest.mark.parametrize(
    ("given", "written", "address"),
    [
        ("a:1", "bootstrap.servers=f:2", "a:1"),
        (None, "bootstrap.servers=f:2", "f:2"),
        (None, "metadata.broker.list=f:2,[::1]:3", "f:2,[::1]:3"),
        (None, "bootstrap.servers=SASL_SSL://f:2 , g:3,", "f:2,g:3"),
        (None, "", "e:9"),
    ],
)
def test_the_address_is_the_nearest_one(given: str | None, written: str, address: str, tmp_path: Path) -> None:
    path = tmp_path / "c.properties"
    path.write_text(written)
    assert connection(given, str(path), ENVIRON, 10).bootstrap == address


@pytest.mark.parametrize("address", ["h", "h:", ":1", "h:0", "h:70000", "h:x", "::1:9092"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(BadSettings, match=r"host:port|brackets"):
        connection(address, None, {}, 10)


def test_without_an_address_there_is_none_until_it_is_known() -> None:
    made = connection(None, None, {}, 10)
    assert made.bootstrap == ""
    assert not {"bootstrap.servers"} & set(made.confluent)
    assert not {"bootstrap_servers"} & set(made.kafka_python)
    made.to("later:1")
    assert (made.confluent["bootstrap.servers"], made.kafka_python["bootstrap_servers"]) == ("later:1", ["later:1"])


@pytest.mark.parametrize(
    ("written", "user", "password"),
    [
        ("sasl.username=file\nsasl.password=f", "file", "f"),
        ("sasl.username=file", "file", "${not a placeholder here}"),
        ("sasl.username=file\nsasl.password=<a>{b}%c%@d@$E", "file", "<a>{b}%c%@d@$E"),
        (f'sasl.jaas.config={PLAIN} required username="jaas" password="j";', "jaas", "j"),
        ("sasl.username=${env:SOMEBODY}\nsasl.password=a${env:PART}b", "ann", "axb"),
    ],
)
def test_a_file_comes_before_the_environment(written: str, user: str, password: str, tmp_path: Path) -> None:
    made = read(tmp_path, written, **ENVIRON, SOMEBODY="ann", PART="x")
    assert (made.confluent["sasl.username"], made.confluent["sasl.password"]) == (user, password)


NOTED = {
    "keys of other clients": (
        "key.serializer=x\nacks=all\ngroup.id=g\nqueue.buffering.max.ms=1\nmax.poll.records=1",
        [],
    ),
    "providers": ("config.providers=v\nconfig.providers.v.class=x\nconfig.providers.v.param.p=q", []),
    "unused placeholders": ("acks=${vault:a:b}\nssl.keystore.location=${file:x:y}", ["{0}:2: ssl.* is not used"]),
    "two of a kind": ("sasl.mechanism=PLAIN\nsasl.username=u", ["{0}:1: sasl.* is not used"]),
    "not known": ("sasl.pasword=" + CANARY, ["{0}:1: sasl.* is not used, for security.protocol is PLAINTEXT"]),
    "a slip": (
        SASL + "sasl.mechanism=PLAIN\nsasl.username=u\nsasl.password=p\nsasl.pasword=" + CANARY,
        ["{0}:5: sasl.pasw"],
    ),
    "own keys": (
        f"schema.registry.basic.auth.user.info={CANARY}",
        ["{0}:1: schema.registry.basic.auth.user.info is no"],
    ),
    "java code": (
        SASL
        + "sasl.mechanism=PLAIN\nsasl.username=u\nsasl.password=p\nsasl.login.callback.handler.class=com.acme.Login",
        ["{0}:5: sasl.login.callback.handler.class is Java code and was left out"],
    ),
    "kafka's own code": (
        SASL + "sasl.mechanism=PLAIN\nsasl.username=u\nsasl.password=p\nsasl.login.callback.handler.class="
        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler",
        [],
    ),
}


@pytest.mark.parametrize("case", NOTED)
def test_what_is_left_out_is_said_once(case: str, tmp_path: Path) -> None:
    text, says = NOTED[case]
    made = read(tmp_path, text)
    assert len(made.notes) == len(says)
    for note, start in zip(made.notes, says, strict=True):
        assert note.startswith(start.format(tmp_path / "c.properties"))
        assert CANARY not in note


def test_a_misspelled_variable_is_said() -> None:
    made = connection("h:1", None, {"KAFKA_ADVISOR_SASL_PASWORD": CANARY, "KAFKA_ADVISOR_CACHE": "x"}, 10)
    assert made.notes == ["KAFKA_ADVISOR_SASL_PASWORD: no client setting has that name"]


def test_kerberos_needs_libraries_that_have_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    jaas = f'{KERBEROS} required useKeyTab=true keyTab="/k.keytab" principal="p@R" serviceName="kfk";'
    text = f"{SASL}sasl.mechanism=GSSAPI\nsasl.jaas.config={jaas}\nsasl.kerberos.kinit.cmd=/usr/bin/kinit"
    monkeypatch.setattr("collectors.client.sasl._built_in", lambda feature: False)
    with pytest.raises(BadSettings, match="cannot do GSSAPI; build it where librdkafka has libsasl2"):
        read(tmp_path, text)
    monkeypatch.setattr("collectors.client.sasl._built_in", lambda feature: True)
    monkeypatch.setattr("collectors.client.sasl._importable", lambda module: False)
    made = read(tmp_path, text)
    assert made.unsupported == "sasl.mechanism GSSAPI needs the package gssapi in kafka-python; pip install gssapi"
    names = ("sasl.kerberos.service.name", "sasl.kerberos.principal", "sasl.kerberos.keytab")
    assert [made.confluent[name] for name in names] == ["kfk", "p@R", "/k.keytab"]
    assert made.kafka_python["sasl_kerberos_service_name"] == "kfk"
    assert "sasl.kerberos.kinit.cmd" not in made.confluent


def test_another_grant_is_for_librdkafka_alone(tmp_path: Path) -> None:
    grant = "sasl.oauthbearer.grant.type=urn:ietf:params:oauth:grant-type:jwt-bearer"
    made = read(tmp_path, f"{SASL}{ENDPOINT}sasl.mechanism=OAUTHBEARER\n{grant}\nsasl.oauthbearer.assertion.file=/a")
    assert made.unsupported == "sasl.oauthbearer.grant.type is known to librdkafka only"
    assert made.confluent["sasl.oauthbearer.assertion.file"] == "/a"


class Provider(BaseHTTPRequestHandler):
    """An identity provider that answers by the path asked for."""

    asked: list[tuple[str, str, str]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.asked.append((self.path, self.headers["Authorization"], body))
        status, answer = {
            "/token": (200, json.dumps({"access_token": f"t{len(self.asked)}", "expires_in": 3600})),
            "/brief": (200, json.dumps({"access_token": f"t{len(self.asked)}", "expires_in": 0.001})),
            "/moved": (302, ""),
            "/empty": (200, "{}"),
            "/text": (200, CANARY),
        }.get(self.path, (401, CANARY))
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/token")
        self.end_headers()
        self.wfile.write(answer.encode())

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def identity() -> Iterator[str]:
    Provider.asked = []
    server = HTTPServer(("127.0.0.1", 0), Provider)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_token_is_fetched_once_while_it_lives(identity: str) -> None:
    tokens = Tokens(identity + "/token", "c", CANARY, "a b", extensions={}, timeout=5)
    assert [tokens.token(), tokens.token()] == ["t1", "t1"]
    assert Provider.asked == [("/token", "Basic YzpjNG5hcnktczNjcmV0", "grant_type=client_credentials&scope=a+b")]
    brief = Tokens(identity + "/brief", "c", CANARY, None, extensions={}, timeout=5)
    assert brief.token() == "t2"
    brief._until = 0.0
    assert brief.token() == "t3"


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/moved", "no token: Found"),
        ("/empty", "no token: the answer is not JSON with an access_token"),
        ("/text", "no token: the answer is not JSON with an access_token"),
        ("/forbidden", "no token: Unauthorized"),
    ],
)
def test_no_token_is_one_line_without_the_secret(identity: str, path: str, says: str) -> None:
    tokens = Tokens(identity + path, "c", CANARY, None, extensions={}, timeout=5)
    with pytest.raises(NoToken) as failed:
        tokens.token()
    assert str(failed.value) == f"{identity}{path}: {says}"
    assert CANARY not in f"{tokens!r}"
    assert len(Provider.asked) == 1


def test_nobody_at_home_is_one_line() -> None:
    tokens = Tokens("http://127.0.0.1:1/token", "c", CANARY, None, extensions={}, timeout=1)
    with pytest.raises(NoToken, match=r"^http://127.0.0.1:1/token: no token: .*refused"):
        tokens.token()
