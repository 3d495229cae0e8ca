"""A data source whose clusters are made up: what a cluster is, is in its name."""

from __future__ import annotations

import os

from advisor.errors import UnreachableCluster
from advisor.model import Snapshot
from advisor.samples.cluster_text import parse_cluster
from spark_audit.collection.entries import ClusterEntry
from spark_audit.spark.data_source import FleetSource


def read(item: ClusterEntry) -> Snapshot:
    """Notes that the cluster was contacted, and gives what it is; every twentieth is broken."""
    with open(os.path.join(item.labels["contacts"], item.name), "a", encoding="utf-8") as handle:
        handle.write(f"{item.timeout:g} {os.getpid()}\n")
    number = int(item.name[1:])
    if number % 20 == 0:
        raise ZeroDivisionError("odd") if number % 40 else UnreachableCluster("no answer")
    topics = "".join(f"topic t{n} retention.ms={n}\n0-2: leader 1 replicas 1,2 isr 1,2\n" for n in range(number % 7))
    return parse_cluster(
        f"kafka 4.3\nbrokers 1/a 2\nfeatures metadata.version=29/30\nquorum leader=1 voters=1,2\n{topics}"
    )


class Fake(FleetSource):
    """The fleet's source, with another way to read a cluster."""

    probe = staticmethod(lambda item: True)
    read = staticmethod(read)


def inventory(contacts: str, many: int = 200) -> str:
    """That many clusters c0, c1, …"""
    row = "  - {{name: c{0}, bootstrap_servers: 'h:1', labels: {{contacts: '{1}'}}}}\n"
    return "clusters:\n" + "".join(row.format(number, contacts) for number in range(many))
