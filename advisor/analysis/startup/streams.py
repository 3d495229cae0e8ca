"""What a Streams application refuses while it starts, beside what its clients refuse."""

from __future__ import annotations

import re

from advisor.analysis.startup.check import startup_check
from advisor.analysis.startup.values import is_written, number, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.analysis.startup.check import Requirement
    from advisor.config import Config
    from advisor.model.finding import Finding

THREADS, TAKES_NEGATIVE, TAKES_NONE = "num.stream.threads", (3, 8), (3, 1)
"""The first releases that start with fewer than no stream threads, and with none."""
SERVER, PUSH = "application.server", "enable.metrics.push"
ADDRESS = re.compile(r".*:[0-9]+")
"""What org.apache.kafka.common.utils.Utils takes as host:port."""
PUSH_PREFIXES = ("main.consumer.", "consumer.", "admin.")
PUSH_IS_READ = (4, 0)
"""The first release that reads enable.metrics.push of its clients, as a boolean alone, which no text of a file is."""


def streams_refusals(config: Config) -> Iterator[Finding]:
    """What a Streams application does not start with."""
    if config.entity.kind != "streams":
        return
    yield from streams_threads_negative(config)
    yield from application_server_malformed(config)
    yield from metrics_push_of_one_client(config)


@startup_check("KA1931")
def streams_threads_negative(config: Config) -> Iterator[Requirement]:
    """A Streams application is to have fewer than no threads.

    Why: before Kafka 3.8 KafkaStreams makes an array of that many threads, and throws.
    Fix: set the number of threads, 1 by default.
    Bad (streams, 3.7):
        application.id=a
        bootstrap.servers=b1:9092
        num.stream.threads=-1
    Good (streams, 3.7):
        application.id=a
        bootstrap.servers=b1:9092
        num.stream.threads=2
    See: org.apache.kafka.streams.KafkaStreams
    """
    threads = number(config, THREADS)
    if threads is not None and threads < 0 and config.version < TAKES_NEGATIVE:
        yield THREADS, f"{threads} threads"


@startup_check("KA1932")
def application_server_malformed(config: Config) -> Iterator[Requirement]:
    """application.server is not host:port.

    Why: KafkaStreams parses the address while it is made, and throws a ConfigException.
    Fix: write the host and the port by which the other instances reach this one, or remove the key.
    Bad (streams):
        application.id=a
        bootstrap.servers=b1:9092
        application.server=orders
    Good (streams):
        application.id=a
        bootstrap.servers=b1:9092
        application.server=orders-1.example.org:7070
    See: KIP-67
    """
    server = text(config, SERVER)
    if server and not ADDRESS.fullmatch(server):
        yield SERVER, f"{server} is not host:port"


@startup_check("KA1933")
def metrics_push_of_one_client(config: Config) -> Iterator[Requirement]:
    """enable.metrics.push is set for one of the clients of a Streams application.

    Why: from Kafka 4.0 on Streams reads it of its clients as a boolean alone, which no text of a file is, and throws.
    Fix: remove the prefix: enable.metrics.push sets it for all clients.
    Bad (streams):
        application.id=a
        bootstrap.servers=b1:9092
        main.consumer.enable.metrics.push=true
    Good (streams):
        application.id=a
        bootstrap.servers=b1:9092
        enable.metrics.push=true
    See: KIP-1076
    """
    for prefix in PUSH_PREFIXES:
        if is_written(config, prefix + PUSH) and config.version >= PUSH_IS_READ:
            yield prefix + PUSH, f"cannot be set in a file: Streams takes no text here; {PUSH} sets it for all clients"


def streams_topology(config: Config) -> Iterator[Requirement]:
    """(key, reason) of what depends on the application's topology."""
    if config.entity.kind == "streams" and config.version < TAKES_NONE and number(config, THREADS) == 0:
        yield THREADS, "0 threads are taken where the topology has a global table"
