"""Read one cluster of the fleet in a process of its own: a client library that dies costs this cluster alone."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial

from advisor.errors import UnreachableCluster
from advisor.model import Snapshot
from collectors.client.target import Connection
from collectors.snapshot.joined_clients import join
from spark_audit.collection.entries import ClusterEntry

PRELOADED = ("collectors.kafka.cluster", "collectors.client.connection", "confluent_kafka.admin", "kafka", __name__)
"""Modules that the process from which the others are forked imports once."""


def read_cluster(entry: ClusterEntry) -> Snapshot:
    """Read a cluster in a child process. Raises UnreachableCluster."""
    try:
        from collectors.kafka.child_process import collect_in_child

        __import__("confluent_kafka")
    except ImportError as missing:
        where = "where clusters are read, `pip install 'kafka-advisor[live]'` is needed"
        raise UnreachableCluster(f"{missing.name} is not installed: {where}") from None
    snapshot = collect_in_child(entry.bootstrap, partial(_read, entry, dict(os.environ)), entry.timeout, PRELOADED)
    return add_clients(snapshot, entry)


def _read(entry: ClusterEntry, environ: Mapping[str, str]) -> Snapshot:
    from advisor.errors import BadSettings
    from collectors.kafka.cluster import collect
    from collectors.kafka.options import CollectOptions

    notes: list[str] = []
    try:
        target = connection(entry, environ)
        notes = target.notes
        return collect(target, CollectOptions(entry.timeout, zookeeper=entry.zookeeper, target=entry.target))
    except (UnreachableCluster, BadSettings) as error:
        raise UnreachableCluster("; ".join([str(error), *notes])) from None


def connection(entry: ClusterEntry, environ: Mapping[str, str]) -> Connection:
    """The connection to a cluster, its reference resolved in this environment. Raises BadSettings."""
    from advisor.errors import BadSettings
    from collectors.client.connection import connection

    scheme, _, name = (entry.command_config or "").partition(":")
    if scheme != "env":
        return connection(entry.bootstrap, name or None, environ, entry.timeout)
    text = environ.get(name, "").encode()
    if not text:
        problem = "is not set or empty where the cluster is read; it holds the text of a properties file"
        raise BadSettings(f"env:{name}: the variable {problem}")
    return connection(entry.bootstrap, entry.command_config, environ, entry.timeout, text)


def add_clients(snapshot: Snapshot, entry: ClusterEntry) -> Snapshot:
    """Join a cluster with its clients; a topic that a client uses and the cluster does not show is a gap."""
    assert snapshot.live is not None
    for client, topic in join(snapshot, entry.clients):
        reason = f"{client.name} uses it; it is absent, or this principal may not see it"
        snapshot.live.unread[f"topic {topic}"] = reason
    return snapshot
