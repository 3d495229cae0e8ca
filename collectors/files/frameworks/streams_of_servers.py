"""ksqlDB and Control Center: what a server's properties hand to its Streams application behind a prefix."""

from __future__ import annotations

import copy

from advisor.catalog.keys import STREAMS_OF_SERVERS
from collectors.files.block import Block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.model import Entity

SERVER = "the file is a server's of Confluent's, which decides what it leaves out"


def streams_block(server: Entity | Block) -> Block | None:
    """The Streams application of a server, by the keys with one of the prefixes; None of another file."""
    prefix = next((each for each in STREAMS_OF_SERVERS if any(key.startswith(each) for key in server.settings)), None)
    if prefix is None:
        return None
    block = Block("streams", f"{server.name} streams", server.format, server.file or "", prefix)
    block.fragment, block.joint, block.target = SERVER, "=", server.target
    for key, setting in server.settings.items():
        if key.startswith(prefix):
            handed = copy.copy(setting)
            handed.key, handed.written = key.removeprefix(prefix), setting.written or key
            block.put(handed)
    return block
