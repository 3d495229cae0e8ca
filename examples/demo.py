"""`make demo`: what the tool says of the examples, command by command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMMANDS = (
    ("A broker as tutorials leave it", "lint", "bad/server.properties"),
    ("The same, done well", "lint", "good/server.properties"),
    ("A producer that loses records", "lint", "bad/producer.properties"),
    (
        "Three brokers of one cluster, judged together",
        "lint",
        *(f"cluster/broker-{number}.properties" for number in (1, 2, 3)),
    ),
    ("What a rule is about", "explain", "min-isr-1"),
)


def main() -> None:
    """Run every command and show it as it would be typed."""
    for title, *arguments in COMMANDS:
        print(f"\n━━━ {title}\n$ kafka-advisor {' '.join(arguments)}\n", flush=True)
        subprocess.run([sys.executable, "-m", "advisor", *arguments], cwd=HERE, check=False)
    print("\nYour own file:  .venv/bin/kafka-advisor lint /path/to/server.properties")


if __name__ == "__main__":
    main()
