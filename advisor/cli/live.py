"""The snapshot for `check` and `snapshot`: collected now, or loaded from a file."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from advisor.cli.inputs import load_snapshot
from advisor.errors import UserError, say
from advisor.reports.progress import Progress

if TYPE_CHECKING:
    from advisor.cli.settings import RunSettings
    from advisor.model import Snapshot


def snapshot_for(options: Namespace, settings: RunSettings) -> Snapshot:
    """The snapshot that the options name, collected or loaded. Raises UnreachableCluster and UserError."""
    if options.saved is None:
        return collect_now(options, settings)
    if options.bootstrap_server:
        raise UserError("either --bootstrap-server or a saved snapshot, not both")
    return load_snapshot(options.saved, settings)


def collect_now(options: Namespace, settings: RunSettings) -> Snapshot:
    """Collect a snapshot of a running cluster. Raises UnreachableCluster and UserError."""
    try:
        from collectors.client.connection import connection
        from collectors.kafka.child_process import collect_in_child
        from collectors.kafka.cluster import collect
        from collectors.kafka.options import CollectOptions

        __import__("confluent_kafka")
    except ImportError as missing:
        raise UserError(
            f"{missing.name} is not installed: running clusters need `pip install 'kafka-advisor[live]'`"
        ) from None
    target = connection(options.bootstrap_server, options.command_config, os.environ, options.timeout)
    if not target.bootstrap:
        raise UserError(
            "which cluster? Name it with --bootstrap-server HOST:PORT (or bootstrap.servers in "
            "--command-config, or KAFKA_ADVISOR_BOOTSTRAP_SERVERS)"
        )
    for note in target.notes:
        say(note)
    wanted = CollectOptions(
        options.timeout,
        zookeeper=options.zookeeper,
        lag=options.lag,
        groups=[*options.group, *groups_before(options.before, settings)],
        target=settings.target if settings.target_given else None,
    )

    def read() -> Snapshot:
        with Progress(sys.stderr) as progress:
            wanted.progress = progress.show
            return collect(target, wanted)

    return collect_in_child(target.bootstrap, read, options.timeout)


def groups_before(path: str | None, settings: RunSettings) -> list[str]:
    """The groups of an earlier snapshot: a group whose coordinator is down is in no list now."""
    if path is None:
        return []
    live = load_snapshot(path, settings).live
    return [group.name for group in live.groups or ()] if live else []
