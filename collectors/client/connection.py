"""Connection settings for both client libraries, from Java's or librdkafka's names."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.model import MASK
from advisor.secrets.variables import is_token
from collectors.client import sasl, settings, tls
from collectors.client.settings import ClientSettings, is_client_setting
from collectors.client.target import Connection

PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
PASSED = ("broker.address.family", "client.dns.lookup", "debug", "socket.keepalive.enable", "socket.nagle.disable")
"""librdkafka's own ways to reach a broker, which are handed on as they are."""
NAME = "kafka-advisor"
CODE = (
    "security.providers",
    "ssl.engine.factory.class",
    "sasl.client.callback.handler.class",
    "sasl.login.class",
    "sasl.login.callback.handler.class",
)
"""Settings whose value is Java code that may be needed to connect."""


def connection(
    bootstrap: str | None,
    command_config: str | None,
    environ: Mapping[str, str],
    timeout: float,
    text: bytes | None = None,
) -> Connection:
    """Build the connection settings; `timeout` is in seconds. Raises BadSettings.

    The address: `bootstrap`, else the file's, else the environment's. Everything else: the file's, else the
    environment's (KAFKA_ADVISOR_SASL_PASSWORD for sasl.password). `text` is what stands in for the file's content.
    """
    client_settings = settings.read(command_config, environ, text)
    written = client_settings.get("bootstrap.servers") if bootstrap is None else bootstrap
    protocol = _protocol(client_settings)
    target = Connection(written or "", protocol, client_settings.get("client.id") or NAME, timeout)
    if protocol.endswith("SSL"):
        tls.translate(client_settings, target)
    if protocol.startswith("SASL"):
        sasl.translate(client_settings, target, timeout)
    for key in PASSED:
        if value := client_settings.get(key):
            target.confluent[key] = value
    if "debug" in target.confluent:
        del target.confluent["log_level"]
    target.notes += _remarks(client_settings, protocol, environ)
    return target


def _protocol(client_settings: ClientSettings) -> str:
    protocol = (client_settings.get("security.protocol") or "PLAINTEXT").upper()
    if protocol not in PROTOCOLS:
        raise client_settings.bad("security.protocol", f"must be one of {', '.join(PROTOCOLS)}")
    return protocol


def _name(key: str) -> str:
    """A key as a note names it: what is no dotted name may be a password whose line was broken."""
    letters = "".join(part for word in key.split(".") for part in word.split("-"))
    return key if "." in key and letters.isalnum() and key.islower() and not is_token(key) else MASK


def _remarks(client_settings: ClientSettings, protocol: str, environ: Mapping[str, str]) -> list[str]:
    """One note for every setting that was left out and may have been intended."""
    notes, idle = [], {"sasl": not protocol.startswith("SASL"), "ssl": not protocol.endswith("SSL")}
    for key, value in client_settings.unused():
        family = key.partition(".")[0]
        if idle.get(family):
            notes.append(f"{value.where}: {family}.* is not used, for security.protocol is {protocol}")
            idle[family] = False
        elif key in CODE and not sasl.is_kafkas_own(value.text):
            notes.append(f"{value.where}: {key} is Java code and was left out")
        elif not is_client_setting(key) and not key.startswith("config.providers"):
            notes.append(f"{value.where}: {_name(key)} is not a client setting and was left out")
    return notes + [f"{name}: no client setting has that name" for name in settings.unknown_variables(environ)]
