"""What a disk does: lose the tail of a log, or everything."""

from __future__ import annotations

import shutil

from tests.live.kafka.logs import batches, segment
from tests.live.kafka.node import Node
from tests.live.kafka.settings import identifier

CLEAN = ".kafka_cleanshutdown"


def cut_tail(node: Node, topic: str, partition: int, records: int = 1) -> int:
    """Power loss: kill the broker and cut the last record batches off its log; how many there were to cut."""
    node.kill()
    (node.data / CLEAN).unlink(missing_ok=True)
    log = segment(node, topic, partition)
    starts = batches(log.read_bytes())
    cut = min(records, len(starts))
    if cut:
        with log.open("r+b") as file:
            file.truncate(starts[-cut])
    return cut


def replace_disk(node: Node, new_id: bool = True) -> None:
    """Kill the broker and empty its log directory, formatted with a new or with the old directory id."""
    node.kill()
    meta = node.data / "meta.properties"
    lines = meta.read_text().splitlines()
    shutil.rmtree(node.data)
    node.data.mkdir()
    meta.write_text("".join(f"{renewed(line) if new_id else line}\n" for line in lines))


def renewed(line: str) -> str:
    """A line of meta.properties, with another directory id."""
    return f"directory.id={identifier()}" if line.startswith("directory.id=") else line
