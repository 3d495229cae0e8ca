"""Thousands of random edits in the buffers of a language server: `python -m tests.extra.typing_at_random --edits 10000 --seed 1`."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.support.commands import ROOT
from tests.support.language_client import Client, server
from tests.support.random_typing import RandomTyping

LARGEST = 20_000
"""Bytes of an example that is typed in."""
OPEN = 8
EDITS_OF_A_ROUND = 500


def main() -> int:
    """Type, round by round, each in other files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    examples = [path for path in sorted((ROOT / "examples/inputs").iterdir()) if path.stat().st_size < LARGEST]
    with tempfile.TemporaryDirectory() as folder, server() as client:
        done = 0
        while done < options.edits:
            done += play(client, Path(folder), examples, options.seed + done)
            print(f"{done} edits, {memory(client)} MB", flush=True)
        return len([params for method, params in client.said if method == "window/logMessage"])


def play(client: Client, folder: Path, examples: list[Path], seed: int) -> int:
    """One round in some files; how many edits it was."""
    typing = RandomTyping(client, seed)
    for path in random.Random(seed).sample(examples, OPEN):
        typing.open(folder / path.name, path.read_bytes().decode("utf-8", "replace"))
    typing.play(EDITS_OF_A_ROUND)
    typing.conclude()
    for uri in typing.versions:
        client.notify("textDocument/didClose", textDocument={"uri": uri})
    return typing.edits


def memory(client: Client) -> int:
    """The resident memory of the server, in MB."""
    status = Path(f"/proc/{client.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) // 1024


if __name__ == "__main__":
    sys.exit(main())
