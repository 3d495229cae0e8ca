"""One set of client settings for both client libraries: Java's names and librdkafka's, from a file or the environment."""

from __future__ import annotations

from collectors.client import sasl, settings, tls
from collectors.client.settings import BadSettings, Given, is_client_setting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["BadSettings", "Connection", "connection"]

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


class Connection:
    """How both libraries connect: settings for confluent-kafka, keyword arguments for kafka-python.

    `bootstrap` is empty where nobody gave an address, `unsupported` says why kafka-python cannot connect, and `notes`
    are one-line remarks about what was left out.
    """

    __slots__ = ("bootstrap", "confluent", "kafka_python", "notes", "unsupported")

    def __init__(self, bootstrap: str, protocol: str, name: str, timeout: float) -> None:
        milliseconds = max(1000, int(timeout * 1000))
        self.bootstrap = ""
        self.confluent: dict[str, object] = {
            "client.id": name,
            "security.protocol": protocol,
            "socket.timeout.ms": min(milliseconds, 300_000),
            "socket.connection.setup.timeout.ms": min(milliseconds, 300_000),
            "log_level": 0,
        }
        self.kafka_python: dict[str, object] = {
            "client_id": name,
            "security_protocol": protocol,
            "request_timeout_ms": milliseconds,
            "bootstrap_timeout_ms": milliseconds,
        }
        self.notes: list[str] = []
        self.unsupported: str | None = None
        if bootstrap:
            self.to(bootstrap)

    def to(self, bootstrap: str) -> None:
        """Set the address: `host:port`, several with commas between. Raises BadSettings."""
        self.bootstrap = ",".join(_address(part.strip()) for part in bootstrap.split(",") if part.strip())
        self.confluent["bootstrap.servers"] = self.bootstrap
        self.kafka_python["bootstrap_servers"] = self.bootstrap.split(",")

    def without(self, reason: str) -> None:
        """Note why kafka-python cannot use these settings; the first reason stays."""
        self.unsupported = self.unsupported or reason

    def __repr__(self) -> str:
        return f"<Connection to {self.bootstrap or 'nowhere'}, {self.confluent['security.protocol']}>"


def connection(
    bootstrap: str | None, command_config: str | None, environ: Mapping[str, str], timeout: float
) -> Connection:
    """How to connect; `timeout` is in seconds. Raises BadSettings.

    The address: `bootstrap`, else the file's, else the environment's. Everything else: the file's, else the
    environment's (KAFKA_ADVISOR_SASL_PASSWORD for sasl.password).
    """
    told = settings.read(command_config, environ)
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


def _address(text: str) -> str:
    """host:port without the protocol that may stand before it."""
    address = text.rpartition("://")[2]
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise BadSettings(f"{address}: is no broker's address; write host:port, such as kafka1:9092")
    if ":" in host and not host.startswith("["):
        raise BadSettings(f"{address}: an IPv6 address stands in brackets: [{host}]:{port}")
    return address


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
