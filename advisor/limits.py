"""Limits of what is read: sizes in bytes, which --max-size raises, and counts. docs/limits.md is made from them."""

from __future__ import annotations

from advisor.errors import UnreadableInput, UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

MB = 1024 * 1024
CONFIGURATION = ("a configuration file", 32 * MB)
STRUCTURED = ("a file of YAML, JSON, TOML or HCL", 4 * MB)
SNAPSHOT = ("a saved snapshot or report, decompressed", 128 * MB)
SETTINGS = ("kafka-advisor.yaml or waivers", MB)
TOML = ("pyproject.toml", 4 * MB)
INVENTORY = ("an inventory", 32 * MB)
BASELINE = ("a baseline", 64 * MB)
QUERIES = ("a file of queries", 64 * MB)
CLIENT = ("client settings to connect with", 4 * MB)
ANSWER = ("one answer of a broker", 48 * MB)
CLUSTER = ("the memory in which a running cluster is read", 2048 * MB)
SIZES = (CONFIGURATION, STRUCTURED, SNAPSHOT, SETTINGS, TOML, INVENTORY, BASELINE, QUERIES, CLIENT, ANSWER, CLUSTER)
"""(what, bytes) of everything that is read whole, and of a cluster's reading."""
PARTITIONS = 1_000_000
NODES_OF_DOCUMENT, NODES_OF_FILE, MERGED = 50_000, 1_000_000, 200_000
MOST_ENTITIES, MOST_BROKERS, MOST_VOTERS = 3_000, 500, 50
SETTINGS_OF_FILE = 50_000
VARIABLES_OF_FILE = 250_000
EXPANDED = 1_000_000
FILES = 20_000
DEPTH = 100
NODES = 200_000
NODES_OF_INVENTORY = 2_000_000
WAIVERS = 1_000
QUERY_LENGTH = MB
EVENTS = 20
COUNTS = (
    ("partitions of a saved snapshot", PARTITIONS),
    ("levels of YAML, JSON, TOML and HCL", DEPTH),
    ("values of one document of YAML, JSON or TOML", NODES_OF_DOCUMENT),
    ("values of one file of YAML or JSON", NODES_OF_FILE),
    ("values that merge keys bring into one document", MERGED),
    ("brokers and controllers that one file describes", MOST_BROKERS),
    ("voters of a rollout", MOST_VOTERS),
    ("topics, clients and others that one file describes", MOST_ENTITIES),
    ("settings of one file, those that anchors, profiles and pools share wherever they stand", SETTINGS_OF_FILE),
    (
        "variables of the containers of one file, those that maps, files and anchors share wherever they stand",
        VARIABLES_OF_FILE,
    ),
    ("characters that $(NAME) brings into the variables of Kubernetes in one file", EXPANDED),
    ("files below a folder", FILES),
    ("values of kafka-advisor.yaml or waivers, aliases counted wherever they stand", NODES),
    ("waivers of one file", WAIVERS),
    ("values of an inventory", NODES_OF_INVENTORY),
    ("characters of one query", QUERY_LENGTH),
    ("adverse events of one simulation", EVENTS),
)
"""(what, how many) beyond sizes."""
UNITS = {"": 1, "K": 1024, "M": MB, "G": 1024 * MB}
_raised = 0


def raise_to(text: str) -> None:
    """Raise all limits of sizes to a number of bytes such as 64M. Raises UserError."""
    global _raised
    number = text.rstrip("kKmMgGbB").strip()
    unit = text[len(number) :].strip().upper().removesuffix("B")
    if not number.isascii() or not number.isdigit() or len(number) > 12 or unit not in UNITS:
        raise UserError(f"--max-size: {text[:40]} is not a size; write a number of bytes, such as 64M or 2G")
    _raised = int(number) * UNITS[unit]


def size(limit: tuple[str, int]) -> int:
    """The bytes that one limit allows in this run."""
    return max(limit[1], _raised)


def read(handle: IO[bytes], limit: tuple[str, int], shown: str) -> bytes:
    """Read a file to its end. Raises UnreadableInput for one that is larger than its limit."""
    most = size(limit)
    data = handle.read(most + 1)
    if len(data) > most:
        raise too_large(shown, limit)
    return data


def decompress(data: bytes, limit: tuple[str, int], shown: str) -> bytes:
    """Decompress gzip, member after member, no further than the limit. Raises UnreadableInput, EOFError, zlib.error."""
    import zlib

    most, pieces, total = size(limit), [], 0
    while data:
        member = zlib.decompressobj(wbits=31)
        piece = member.decompress(data, most - total + 1)
        total += len(piece)
        if total > most:
            raise too_large(shown, limit)
        if not member.eof:
            raise EOFError
        pieces.append(piece)
        data = member.unused_data.lstrip(b"\0")
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def too_large(shown: str, limit: tuple[str, int]) -> UnreadableInput:
    """The error for an input beyond its limit."""
    return UnreadableInput(f"{shown}: over {text_of(size(limit))}, the limit of {limit[0]}; --max-size raises it")


def text_of(size: int) -> str:
    """A size as people write it: 32 MB."""
    return f"{size // MB} MB" if size >= MB and size % MB == 0 else f"{size} bytes"
