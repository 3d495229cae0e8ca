"""`kafka-advisor snapshot`: save a running cluster to a file."""

from __future__ import annotations

import argparse
import os
from argparse import Namespace

from advisor.cli.argument_types import add_cluster
from advisor.cli.live import snapshot_for
from advisor.cli.outputs import check
from advisor.cli.settings import RunSettings
from advisor.errors import ExitCode, UserError, say
from advisor.model import Snapshot, Topic
from advisor.reports.machine.json_text import dump
from collectors.snapshot.file import document, write

EPILOG = """\
example:
  kafka-advisor snapshot --bootstrap-server broker:9092 -o cluster.json.gz
  kafka-advisor lint cluster.json.gz
Secrets are masked when they are read; the file holds none. It is readable for its owner only.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `snapshot`."""
    parser.epilog = EPILOG
    parser.set_defaults(saved=None)
    add_cluster(parser)
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="cluster.json or cluster.json.gz; - is standard output"
    )


def run(options: Namespace) -> int:
    """Collect a snapshot and write it."""
    folder = os.path.dirname(os.path.abspath(options.output))
    if options.output != "-" and not os.access(folder, os.W_OK):
        raise UserError(f"{options.output}: {folder} is not a folder that can be written to")
    check([(f"--output {options.output}", options.output)], [options.command_config, options.before, options.saved])
    snapshot = snapshot_for(options, RunSettings())
    if options.output == "-":
        print(dump(document(snapshot)))
        return ExitCode.CLEAN
    write(options.output, snapshot)
    say(f"{options.output}: {summary(snapshot)}")
    return ExitCode.CLEAN


def summary(snapshot: Snapshot) -> str:
    """The contents of a snapshot in one line."""
    assert snapshot.live is not None
    topics = [entity for entity in snapshot.entities if isinstance(entity, Topic)]
    partitions = sum(len(topic.partitions or ()) for topic in topics)
    unread = f"; not read: {', '.join(sorted(snapshot.live.unread))}" if snapshot.live.unread else ""
    groups = len(snapshot.live.groups or ())
    return (
        f"cluster {snapshot.name}: {len(snapshot.live.nodes)} brokers, {len(topics)} topics, "
        f"{partitions} partitions, {groups} groups{unread}"
    )
