"""Connection: how to reach a cluster with confluent-kafka and with kafka-python."""

from __future__ import annotations

from advisor import limits
from advisor.errors import BadSettings
from advisor.model import MASK, is_whole_number

LARGEST_ANSWER = 2**31 - 1
"""Bytes; librdkafka takes no more for receive.message.max.bytes."""


class Connection:
    """How both libraries connect: settings for confluent-kafka, keyword arguments for kafka-python.

    `bootstrap` is empty if no address was given, `unsupported` says why kafka-python cannot connect, and `notes`
    are one-line remarks about what was left out.
    """

    __slots__ = ("bootstrap", "confluent", "kafka_python", "notes", "unsupported")

    def __init__(self, bootstrap: str, protocol: str, name: str, timeout: float) -> None:
        milliseconds = max(1000, int(timeout * 1000))
        answer = min(limits.size(limits.ANSWER), LARGEST_ANSWER)
        self.bootstrap = ""
        self.confluent: dict[str, object] = {
            "client.id": name,
            "security.protocol": protocol,
            "socket.timeout.ms": min(milliseconds, 300_000),
            "socket.connection.setup.timeout.ms": min(milliseconds, 300_000),
            "receive.message.max.bytes": answer,
            "log_level": 0,
        }
        self.kafka_python: dict[str, object] = {
            "client_id": name,
            "receive_message_max_bytes": answer,
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
        self.bootstrap = ",".join(_address(address.strip()) for address in bootstrap.split(",") if address.strip())
        self.confluent["bootstrap.servers"] = self.bootstrap
        self.kafka_python["bootstrap_servers"] = self.bootstrap.split(",")

    def without(self, reason: str) -> None:
        """Note why kafka-python cannot use these settings; the first reason is kept."""
        self.unsupported = self.unsupported or reason

    def __repr__(self) -> str:
        return f"<Connection to {self.bootstrap or 'nowhere'}, {self.confluent['security.protocol']}>"


def _address(text: str) -> str:
    """host:port without the protocol that may stand before it."""
    address = text.rpartition("://")[2]
    host, _, port = address.rpartition(":")
    if "@" in address:
        shown = address.rpartition("@")[2].partition("?")[0]
        raise BadSettings(f"{MASK}@{shown}: write host:port; who logs in stands in the file of --command-config")
    if not host or not is_whole_number(port) or not 0 < int(port) < 65536:
        raise BadSettings(f"{address.partition('?')[0]}: is no broker's address; write host:port, such as kafka1:9092")
    if ":" in host and not host.startswith("["):
        raise BadSettings(f"{address}: an IPv6 address stands in brackets: [{host}]:{port}")
    return address
