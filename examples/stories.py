"""`make docs`: the classic ways to lose records and service, told by the simulator, as docs/stories.md."""

from __future__ import annotations

import contextlib
import io
import shlex

from advisor.cli import main

STORIES = (
    (
        "One replica of __consumer_offsets, and its broker is down",
        "With `offsets.topic.replication.factor=1` every group whose positions lie on that broker stops: it can neither "
        "commit nor join, although two of three brokers are up.",
        'simulate --rf 1 --no-elr --fail "kill any" --property available-to-consume',
    ),
    (
        "Three replicas, min.insync.replicas=1, and the ISR has shrunk to the leader",
        "acks=all waits for the replicas that are in sync just then. That may be the leader alone.",
        'simulate --rf 3 --min-isr 1 --no-elr --fail "lag follower, lag follower, power-loss leader"',
    ),
    (
        "Unclean leader election",
        "Of first, second and third the record in the middle is lost: it was written while the other replica was down, "
        "and then that one was made leader.",
        'simulate --rf 2 --min-isr 1 --unclean --no-elr --fail "kill follower, kill leader"',
    ),
    (
        "acks=1 and a leader that dies before the followers fetch",
        "The leader answers at once; min.insync.replicas is not asked.",
        'simulate --rf 3 --min-isr 2 --acks 1 --no-elr --fail "kill leader"',
    ),
)


def page() -> str:
    """The stories as Markdown."""
    parts = [
        "# Four classic stories",
        "Made by `make docs` from `kafka-advisor simulate`; each command can be run as it stands.",
    ]
    for title, text, command in STORIES:
        parts += [f"## {title}", text, f"```\n$ kafka-advisor {command}\n{story(command)}\n```"]
    return "\n\n".join(parts) + "\n"


def story(command: str) -> str:
    """The part of the output that tells what happens."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        main(shlex.split(command))
    lines = out.getvalue().splitlines()
    return "\n".join(lines[lines.index("How the failures asked for do it:") + 1 : end(lines)])


def end(lines: list[str]) -> int:
    """Where the story ends: before the odds."""
    return next(number for number, line in enumerate(lines) if line.startswith("Odds per year")) - 1


if __name__ == "__main__":
    print(page(), end="")
