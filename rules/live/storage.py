"""Disks of running brokers."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, rule

FAMILY = "storage"
LITTLE, LEAST = 15, 5


@rule("KA780", "medium", dev="low")
def disk_nearly_full(broker: Subject) -> Problems:
    """A log directory's disk is nearly full.

    Why: a broker whose disk is full stops, and its leaders move to brokers that have about as little left.
    Fix: shorten retention, move partitions, or grow the disk, in that order of speed.
    Bad:
        brokers 1 2 3
        logdir 1 /data free=90 total=1000
        logdir 2 /data free=900 total=1000
        logdir 3 /data free=900 total=1000
    Good:
        brokers 1 2 3
        logdir 1 /data free=900 total=1000
        logdir 2 /data free=900 total=1000
        logdir 3 /data free=900 total=1000
    See: KIP-827
    """
    shares = [
        (free * 100 // total, path)
        for path, _, free, total in broker.live("log directories")
        if total and free is not None
    ]
    if shares and min(shares)[0] < LITTLE:
        share, path = min(shares)
        yield Problem("log directories", f"{share} % free in {path}", f"{LITTLE} %", step=1 if share < LEAST else 0)
