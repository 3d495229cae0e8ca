"""ksqlDB: what its server's properties hand to its Streams application behind `ksql.streams.`."""

from __future__ import annotations

import copy

from advisor.catalog.keys import KSQLDB_STREAMS
from collectors.files.block import Block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.model import Entity

KSQLDB = "the file is ksqlDB's, which decides what it leaves out"


def streams_block(server: Entity) -> Block:
    """The Streams application of a server, by the keys with the prefix."""
    block = Block("streams", f"{server.name} streams", "properties", server.file or "", KSQLDB_STREAMS)
    block.fragment, block.joint, block.target = KSQLDB, "=", server.target
    for key, setting in server.settings.items():
        if key.startswith(KSQLDB_STREAMS):
            handed = copy.copy(setting)
            handed.key, handed.written = key.removeprefix(KSQLDB_STREAMS), key
            block.put(handed)
    return block
