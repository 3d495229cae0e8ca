"""A partition's log as it lies on a broker's disk. Source: Kafka's record batch format, version 2."""

from __future__ import annotations

import struct
from pathlib import Path

from tests.live.kafka.node import Node

FIRST_SEGMENT = "00000000000000000000.log"
BATCH_HEAD, RECORDS_AT = 12, 61
"""Base offset (8 bytes) and the length of what follows (4); where the records begin."""


def segment(node: Node, topic: str, partition: int) -> Path:
    """The file of the first segment; tests never fill it."""
    return node.data / f"{topic}-{partition}" / FIRST_SEGMENT


def values(node: Node, topic: str, partition: int) -> list[str]:
    """What a broker has, running or not: the value of the first record of every batch."""
    try:
        data = segment(node, topic, partition).read_bytes()
    except FileNotFoundError:
        return []
    return [first_value(data, at) for at in batches(data)]


def batches(data: bytes) -> list[int]:
    """Where each complete record batch of a segment begins."""
    found, at = [], 0
    while at + BATCH_HEAD <= len(data):
        end = at + BATCH_HEAD + struct.unpack_from(">i", data, at + 8)[0]
        if end > len(data):
            break
        found.append(at)
        at = end
    return found


def first_value(data: bytes, batch: int) -> str:
    """The value of the first record of an uncompressed batch: it stands after length, attributes, deltas and key."""
    at = varint(data, batch + RECORDS_AT)[1] + 1
    for _ in range(2):
        at = varint(data, at)[1]
    key, at = varint(data, at)
    size, at = varint(data, at + max(key, 0))
    return data[at : at + size].decode()


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A zigzag number of variable length, and where it ends."""
    shift = number = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return (number >> 1) ^ -(number & 1), at
