"""Calls of Kafka's tools with `--zookeeper`, which 3.0 removed from them.

Source: the upgrade notes of 3.0 (KAFKA-12588, KAFKA-12590): kafka-topics.sh and kafka-reassign-partitions.sh take --bootstrap-server alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from collectors.files.block import Block, deployment
from collectors.files.commands.tool_commands import Command, options_of
from collectors.files.syntax.tree import TreeNode

TOOLS = re.compile(r"(?:\S*/)?(kafka-(?:topics|reassign-partitions))(?:\.sh)?$")
OPTION, FACT = "--zookeeper", "zookeeper.option."


def blocks(commands: Iterable[Command], file: str, format: str) -> list[Block]:
    """For each tool the first call with the option."""
    first: dict[str, Block] = {}
    for command in commands:
        servers = next((value for name, value in options_of(command.words) if name == OPTION), None)
        for named in map(TOOLS.match, command.words if servers is not None else ()):
            if named is not None and servers is not None and named[1] not in first:
                first[named[1]] = _block(named[1], servers, command.line, file, format)
    return list(first.values())


def _block(tool: str, servers: str, line: int, file: str, format: str) -> Block:
    block = deployment(tool, format, file)
    block.translate(FACT + tool, servers, TreeNode("scalar", line, 1, OPTION), OPTION)
    return block
