"""TLS settings for both client libraries, from Java's stores and PEM texts or librdkafka's files."""

from __future__ import annotations

import os
import ssl
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collectors.client.settings import ClientSettings
    from collectors.client.target import Connection

PEM, PKCS12, JKS = "PEM", "PKCS12", "JKS"
MAGIC = {b"\xfe\xed\xfe\xed": JKS, b"\xce\xce\xce\xce": JKS}
TRUST = ("ssl.ca.location", "ssl.ca.pem", "ssl.truststore.certificates", "ssl.truststore.location")
"""Where the certificates to trust may be, first found wins."""
OWN = ("ssl.certificate.location", "ssl.certificate.pem", "ssl.keystore.certificate.chain", "ssl.keystore.location")
"""Where the client's own certificate may be, first found wins."""
KEYS = {
    "ssl.certificate.location": "ssl.key.location",
    "ssl.certificate.pem": "ssl.key.pem",
    "ssl.keystore.certificate.chain": "ssl.keystore.key",
}
"""Where the key to the client's certificate is."""
SETTLED = ("ssl.truststore.type", "ssl.truststore.password", "ssl.keystore.type", "ssl.keystore.password")


def translate(settings: ClientSettings, connection: Connection) -> None:
    """Add the TLS settings to the connection. Raises BadSettings."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    _trust(settings, connection, context)
    _own_certificate(settings, connection, context)
    _add_revocations(settings, connection, context)
    _verification(settings, connection, context)
    settings.used.update((*TRUST, *OWN, *KEYS.values(), *SETTLED, "ssl.key.password"))
    connection.kafka_python["ssl_context"] = context


def _trust(settings: ClientSettings, connection: Connection, context: ssl.SSLContext) -> None:
    key = next((key for key in TRUST if settings.get(key)), None)
    value = settings.get(key) if key else None
    if key is None or value is None:
        context.load_default_certs()
    elif key in ("ssl.ca.pem", "ssl.truststore.certificates"):
        connection.confluent["ssl.ca.pem"] = text = reflow(value)
        _load(settings, key, context, text=text)
    else:
        _must_be_pem(settings, key, value)
        connection.confluent["ssl.ca.location"] = value
        _load(settings, key, context, path=value)


def _must_be_pem(settings: ClientSettings, key: str, path: str) -> None:
    kind = PEM if os.path.isdir(path) and key == "ssl.ca.location" else kind_of_store(settings, key, path)
    if kind != PEM:
        command = f"keytool -list -rfc -keystore {_quote(path)} > ca.pem"
        raise settings.bad(
            key, f"is a {kind} store, which clients without Java cannot read; {command}, then ssl.ca.location=ca.pem"
        )


def _load(
    settings: ClientSettings, key: str, context: ssl.SSLContext, path: str | None = None, text: str | None = None
) -> None:
    try:
        if path and os.path.isdir(path):
            context.load_verify_locations(capath=path)
        else:
            context.load_verify_locations(cafile=path, cadata=text)
    except (ssl.SSLError, ValueError):
        raise settings.bad(key, "no certificate in PEM (-----BEGIN CERTIFICATE-----) can be read there") from None


def _own_certificate(settings: ClientSettings, connection: Connection, context: ssl.SSLContext) -> None:
    key = next((key for key in OWN if settings.get(key)), None)
    value = settings.get(key) if key else None
    if key is None or value is None:
        return
    password = settings.get("ssl.key.password")
    if password:
        connection.confluent["ssl.key.password"] = password
    if key == "ssl.keystore.location":
        _store(settings, connection, context, value, password)
        return
    private = settings.get(KEYS[key])
    if private is None:
        raise settings.bad(key, f"has no key to it; {KEYS[key]} is missing")
    if key == "ssl.certificate.location":
        kind_of_store(settings, key, value)
        kind_of_store(settings, KEYS[key], private)
        _files(settings, connection, context, key, value, private, password)
    else:
        chain, private = reflow(value), reflow(private)
        connection.confluent.update({"ssl.certificate.pem": chain, "ssl.key.pem": private})
        _chain_of_texts(settings, key, context, chain + private, password)


def _store(
    settings: ClientSettings, connection: Connection, context: ssl.SSLContext, path: str, password: str | None
) -> None:
    key = "ssl.keystore.location"
    kind = kind_of_store(settings, key, path)
    if kind == PEM:
        _files(settings, connection, context, key, path, path, password)
    elif kind == PKCS12:
        opened = settings.get("ssl.keystore.password")
        if opened is None:
            raise settings.bad(key, "is a PKCS12 store; ssl.keystore.password is missing")
        connection.confluent.update({key: path, "ssl.keystore.password": opened})
        connection.without(
            f"{key} is a PKCS12 store, which kafka-python cannot read; openssl pkcs12 -in {_quote(path)} -nodes -out "
            "client.pem, then ssl.certificate.location=client.pem and ssl.key.location=client.pem"
        )
    else:
        command = f"keytool -importkeystore -srckeystore {_quote(path)} -destkeystore client.p12 -deststoretype PKCS12"
        raise settings.bad(
            key, f"is a JKS store, which clients without Java cannot read; {command}, then {key}=client.p12"
        )


def _files(
    settings: ClientSettings,
    connection: Connection,
    context: ssl.SSLContext,
    key: str,
    chain: str,
    private: str,
    password: str | None,
) -> None:
    connection.confluent.update({"ssl.certificate.location": chain, "ssl.key.location": private})
    _chain(settings, key, context, chain, private, password)


def _chain_of_texts(
    settings: ClientSettings, key: str, context: ssl.SSLContext, text: str, password: str | None
) -> None:
    """Load a certificate and its key from text: Python only loads files, so through a temporary private one."""
    from advisor.temporary_folder import temporary_folder

    with temporary_folder() as folder:
        path = os.path.join(folder, "client.pem")
        with open(
            os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii", errors="replace"
        ) as out:
            out.write(text)
        _chain(settings, key, context, path, path, password)


def _chain(
    settings: ClientSettings, key: str, context: ssl.SSLContext, chain: str, private: str, password: str | None
) -> None:
    try:
        context.load_cert_chain(chain, private, password or "")
    except (ssl.SSLError, ValueError, OSError) as error:
        reason = getattr(error, "reason", None) or ""
        problem = "the key does not belong to the certificate" if "MISMATCH" in reason else "cannot be loaded"
        raise settings.bad(
            key, f"{problem}; both must be PEM, and an encrypted key needs the right ssl.key.password"
        ) from None


def _add_revocations(settings: ClientSettings, connection: Connection, context: ssl.SSLContext) -> None:
    key = "ssl.crl.location"
    if path := settings.get(key):
        kind_of_store(settings, key, path)
        connection.confluent[key] = path
        _load(settings, key, context, path=path)
        context.verify_flags |= ssl.VERIFY_CRL_CHECK_LEAF


def _verification(settings: ClientSettings, connection: Connection, context: ssl.SSLContext) -> None:
    """Set up the verification of host names and certificates."""
    key = "ssl.endpoint.identification.algorithm"
    algorithm = settings.raw(key)
    if algorithm is not None and algorithm.lower() not in ("", "none", "https"):
        raise settings.bad(key, "must be https, or empty for no check of the host's name")
    if algorithm is not None and algorithm.lower() != "https":
        connection.confluent[key] = "none"
        context.check_hostname = False
    if (settings.get("enable.ssl.certificate.verification") or "true").lower() in ("false", "0", "f"):
        connection.confluent["enable.ssl.certificate.verification"] = False
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE


def kind_of_store(settings: ClientSettings, key: str, path: str) -> str:
    """Detect a store's format by its first bytes: PEM, PKCS12 or JKS. Raises BadSettings."""
    try:
        with open(path, "rb") as handle:
            head = handle.read(4)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a file name"
        raise settings.bad(key, f"{path}: {reason.lower()}") from None
    return MAGIC.get(head) or (PKCS12 if head[:1] == b"\x30" else PEM)


def reflow(text: str) -> str:
    """Break PEM into lines as OpenSSL requires; Java also accepts it on one line."""
    import re

    pieces = (re.match(r"([A-Z0-9 ]{1,80})-----", piece) for piece in text.split("-----BEGIN ")[1:])
    bodies = ((match[1], match.string[match.end() :]) for match in pieces if match)
    parted = [(name, *body.partition(f"-----END {name}-----")) for name, body in bodies]
    return "".join(
        f"-----BEGIN {name}-----\n{_lines(body)}-----END {name}-----\n" for name, body, end, _ in parted if end
    )


def _lines(body: str) -> str:
    if ":" in body:
        return body.strip() + "\n"
    digits = "".join(body.split())
    return "".join(digits[at : at + 64] + "\n" for at in range(0, len(digits), 64))


def _quote(path: str) -> str:
    import shlex

    return shlex.quote(path)
