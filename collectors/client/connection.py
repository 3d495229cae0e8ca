"""One set of client settings for both client libraries: Java's names and librdkafka's, from a file or the environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collectors.client import sasl, settings, tls
from collectors.client.settings import Given, is_client_setting
from collectors.client.target import Connection

if TYPE_CHECKING:
    from collections.abc import Mapping


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
    """How to connect; `timeout` is in seconds. Raises BadSettings.

    The address: `bootstrap`, else the file's, else the environment's. Everything else: the file's, else the
    environment's (KAFKA_ADVISOR_SASL_PASSWORD for sasl.password). `text` is what stands in for the file's content.
    """
    told = settings.read(command_config, environ, text)
    written = told.get("bootstrap.servers") if bootstrap is None else bootstrap
    protocol = _protocol(told)
    made = Connection(written or "", protocol, told.get("client.id") or NAME, timeout)
    if protocol.endswith("SSL"):
        tls.translate(told, made)
    if protocol.startswith("SASL"):
        sasl.translate(told, made, timeout)
    for key in PASSED:
        if value := told.get(key):
            made.confluent[key] = value
    if "debug" in made.confluent:
        del made.confluent["log_level"]
    made.notes += _remarks(told, protocol, environ)
    return made


def _protocol(told: Given) -> str:
    protocol = (told.get("security.protocol") or "PLAINTEXT").upper()
    if protocol not in PROTOCOLS:
        raise told.bad("security.protocol", f"must be one of {', '.join(PROTOCOLS)}")
    return protocol


def _remarks(told: Given, protocol: str, environ: Mapping[str, str]) -> list[str]:
    """One line for every setting that may have been meant and was left out."""
    notes, idle = [], {"sasl": not protocol.startswith("SASL"), "ssl": not protocol.endswith("SSL")}
    for key, value in told.unasked():
        family = key.partition(".")[0]
        if idle.get(family):
            notes.append(f"{value.where}: {family}.* is not used, for security.protocol is {protocol}")
            idle[family] = False
        elif key in CODE and not sasl.is_kafkas_own(value.text):
            notes.append(f"{value.where}: {key} is Java code and was left out")
        elif not is_client_setting(key) and not key.startswith("config.providers"):
            notes.append(f"{value.where}: {key} is no client setting and was left out")
    return notes + [f"{name}: no client setting has that name" for name in settings.misnamed(environ)]
