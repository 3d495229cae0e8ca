"""What a Streams application refuses while it starts, beside what its clients refuse."""

from __future__ import annotations

import re

from advisor.analysis.startup.values import is_written, number, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.analysis.startup.externals import Requirement
    from advisor.config import Config

THREADS, TAKES_NEGATIVE, TAKES_NONE = "num.stream.threads", (3, 8), (3, 1)
"""The first releases that start with fewer than no stream threads, and with none."""
SERVER, PUSH = "application.server", "enable.metrics.push"
ADDRESS = re.compile(r".*?\[?([0-9a-zA-Z\-%._:]*)\]?:([0-9]+)")
"""What org.apache.kafka.common.utils.Utils takes as host:port."""
PUSH_PREFIXES = ("main.consumer.", "consumer.", "admin.")
PUSH_IS_READ = (4, 0)
"""The first release that reads enable.metrics.push of its clients, as a boolean alone, which no text of a file is."""


def streams_refusals(config: Config) -> Iterator[Requirement]:
    """(key, reason) of what a Streams application does not start with."""
    if config.entity.kind != "streams":
        return
    threads = number(config, THREADS)
    if threads is not None and threads < 0 and config.version < TAKES_NEGATIVE:
        yield THREADS, f"{threads} threads"
    server = text(config, SERVER)
    if server and not ADDRESS.fullmatch(server):
        yield SERVER, f"{server} is not host:port"
    for prefix in PUSH_PREFIXES:
        if is_written(config, prefix + PUSH) and config.version >= PUSH_IS_READ:
            yield prefix + PUSH, f"cannot be set in a file: Streams takes no text here; {PUSH} sets it for all clients"


def streams_topology(config: Config) -> Iterator[Requirement]:
    """(key, reason) of what depends on the application's topology."""
    if config.entity.kind == "streams" and config.version < TAKES_NONE and number(config, THREADS) == 0:
        yield THREADS, "0 threads are taken where the topology has a global table"
