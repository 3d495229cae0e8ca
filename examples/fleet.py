"""A fleet of made-up clusters as snapshot tables, the same for the same seed: `python examples/fleet.py --out fleet/`.

Sizes follow what is known of large fleets: topics per cluster are lognormal, most have three replicas, few are ill. Nothing
is read from a cluster. A million topics take about half a minute.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from advisor import __version__, catalog
from advisor.catalog.target import release_of
from spark_audit.schema.snapshots import (
    CLIENT_SETTING,
    COLLECTION,
    NODE,
    PARTITION,
    QUORUM,
    SETTING,
    TABLES,
    TABLES_FORMAT,
)
from spark_audit.storage import snapshot_digest
from spark_audit.storage.decode import live_of
from spark_audit.storage.run_output import RunOutput, open_output

SETTING_COLUMNS = tuple(each.name for each in CLIENT_SETTING)
VERSIONS = ("3.9", "4.1", "4.2", "4.3")
ROWS = 125_000
"""Topics in a file."""
COLLECTED = "2026-11-20T04:00:00Z"
TEAMS, ENVIRONMENTS = ("payments", "orders", "search", "billing", "fraud"), ("production", "staging", "dev")
COMMON = {
    "compression.type": ("lz4", "zstd", "producer"),
    "flush.messages": ("9223372036854775807",),
    "index.interval.bytes": ("4096", "8192"),
    "max.message.bytes": ("1048588", "1048588", "2097152"),
    "message.timestamp.type": ("CreateTime", "LogAppendTime"),
    "min.insync.replicas": ("2",) * 19 + ("1",),
    "segment.bytes": ("1073741824", "268435456"),
    "segment.jitter.ms": ("0", "60000"),
    "segment.ms": ("604800000", "3600000"),
    "unclean.leader.election.enable": ("false",) * 39 + ("true",),
}
COMPACTED = {"delete.retention.ms": ("86400000",), "min.cleanable.dirty.ratio": ("0.5", "0.1")}
DELETED = {"retention.bytes": ("-1", "10737418240")}
RETENTION = ("3600000", "86400000", "259200000", "604800000", "1209600000", "2592000000", "-1")
MESSAGE_BYTES = ("1048588", "2097152", "5242880")


class Fleet:
    """Clusters and their sizes; everything else is drawn from one generator as it is written."""

    def __init__(self, clusters: int, topics: int, seed: int, later: bool = False) -> None:
        self.rng = np.random.default_rng(seed)
        self.names = [f"cluster-{number:05d}" for number in range(clusters)]
        share = self.rng.lognormal(0, 1, clusters)
        self.sizes = np.maximum(1, np.floor(share / share.sum() * topics)).astype(np.int64)
        self.sizes[0] += max(0, topics - int(self.sizes.sum()))
        self.racks = self.rng.choice([0, 1, 2, 3], clusters, p=[0.08, 0.08, 0.08, 0.76])
        self.brokers = np.where(
            self.racks > 1, self.racks * self.rng.integers(1, 5, clusters), self.rng.integers(3, 13, clusters)
        )
        self.brokers = np.maximum(self.brokers, 3 + (self.racks == 2))
        self.versions = self.rng.integers(0, len(VERSIONS), clusters)
        self.down = np.where(self.rng.random(clusters) < 0.02, self.rng.integers(1, self.brokers + 1), 0)
        self.min_isr = self.rng.choice(["2", "1"], clusters, p=[0.9, 0.1])
        if later:
            self._a_week_later()
        self.maps = self._maps()

    def _a_week_later(self) -> None:
        """Some brokers went down, those that were down are back, some clusters were mended and some upgraded."""
        chance = np.random.default_rng(len(self.names))
        self.down = np.where(chance.random(len(self.names)) < 0.02, chance.integers(1, self.brokers + 1), 0)
        self.min_isr = np.where(chance.random(len(self.names)) < 0.5, "2", self.min_isr)
        self.versions = np.where(chance.random(len(self.names)) < 0.1, len(VERSIONS) - 1, self.versions)

    def _maps(self) -> pa.Array:
        """Settings that topics share: templates, a third of them with a retention or a message size of their own."""
        templates = []
        for _ in range(48):
            compacted = bool(self.rng.random() < 0.2)
            known = COMMON | (COMPACTED if compacted else DELETED)
            keys = sorted(self.rng.choice(list(known), self.rng.integers(7, 10), replace=False))
            policy = {"cleanup.policy": "compact" if compacted else "delete"}
            templates.append(policy | {key: str(self.rng.choice(known[key])) for key in keys})
        found = []
        for template in templates:
            for retention in (None, *RETENTION):
                for size in (None, *MESSAGE_BYTES):
                    kept = retention if template["cleanup.policy"] == "delete" else None
                    own = {"retention.ms": kept, "max.message.bytes": size}
                    settings = template | {key: value for key, value in own.items() if value}
                    found.append([_said(key, value, "DYNAMIC_TOPIC") for key, value in sorted(settings.items())])
        return pa.array(found, pa.list_(SETTING))

    # ------------------------------------------------------------------ topics

    def topics(self, places: np.ndarray) -> pa.Table:
        """The topics of some clusters."""
        rng, sizes = self.rng, self.sizes[places]
        cluster = np.repeat(places, sizes)
        count = len(cluster)
        number = np.arange(count) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        names = [f"topic-{each:06d}" for each in number.tolist()]
        internal = number == 0
        for row in np.flatnonzero(internal).tolist():
            names[row] = "__consumer_offsets"
        weights = 1 / np.arange(1, 49)
        template = rng.choice(48, count, p=weights / weights.sum())
        retention = np.where(rng.random(count) < 0.3, rng.integers(1, len(RETENTION) + 1, count), 0)
        message = np.where(rng.random(count) < 0.05, rng.integers(1, len(MESSAGE_BYTES) + 1, count), 0)
        settings = (template * (len(RETENTION) + 1) + retention) * (len(MESSAGE_BYTES) + 1) + message
        columns = {
            "cluster": pa.array(self.names).take(pa.array(cluster)),
            "name": pa.array(names),
            "internal": pa.array(internal),
            "settings": self.maps.take(pa.array(settings)),
            "defaults": pa.array(np.zeros(count, np.int32)),
            "missing": pa.nulls(count, pa.string()),
            "partitions": self._partitions(cluster, internal),
        }
        return pa.Table.from_arrays([columns[name] for name in TABLES["topics"].names], schema=TABLES["topics"])

    def _partitions(self, cluster: np.ndarray, internal: np.ndarray) -> pa.Array:
        rng = self.rng
        many = np.where(internal, 50, rng.choice([1, 3, 6, 12, 24], len(cluster), p=[0.2, 0.25, 0.37, 0.14, 0.04]))
        replicas_of_topic = rng.choice([1, 2, 3, 4, 5], len(cluster), p=[0.03, 0.08, 0.84, 0.02, 0.03])
        owner = np.repeat(np.arange(len(cluster)), many)
        home = cluster[owner]
        id = np.arange(len(owner)) - np.repeat(np.cumsum(many) - many, many)
        size = np.minimum(replicas_of_topic[owner], self.brokers[home])
        row = np.repeat(np.arange(len(owner)), size)
        place = np.arange(len(row)) - np.repeat(np.cumsum(size) - size, size)
        start, brokers = rng.integers(0, 12, len(owner)), self.brokers[home]
        same_rack = (rng.random(len(owner)) < 0.003) & (size * 3 <= brokers)
        replica = (start[row] + place * np.where(same_rack, 3, 1)[row]) % brokers[row] + 1
        luck = rng.random(len(owner))
        lost = np.where(luck < 0.002, 2, np.where(luck < 0.02, 1, 0))
        in_sync = (place < np.maximum(size - lost, 1)[row]) & (replica != self.down[home][row])
        members = np.bincount(row[in_sync], minlength=len(owner))
        first = np.concatenate(([0], np.cumsum(members)[:-1])).clip(0, max(0, int(in_sync.sum()) - 1))
        shift = np.where((rng.random(len(owner)) < 0.03) & (members > 1), 1, 0)
        led = replica[in_sync]
        leader = np.where(members > 0, led[(first + shift).clip(0, max(0, len(led) - 1))], -1)
        leader = np.where(rng.random(len(owner)) < 0.0005, -1, leader)
        nothing = pa.ListArray.from_arrays(pa.array(np.zeros(len(owner) + 1, np.int32)), pa.array([], pa.int32()))
        columns = {
            "id": pa.array(id, pa.int32()),
            "leader": pa.array(leader, pa.int32()),
            "replicas": _lists(replica, size),
            "isr": _lists(led, members),
            "elr": nothing,
            "last_elr": nothing,
            "offline": nothing,
        }
        fields = [PARTITION.field(name) for name in PARTITION.names]
        structs = pa.StructArray.from_arrays([columns[each.name].cast(each.type) for each in fields], fields=fields)
        offsets = pa.array(np.concatenate(([0], np.cumsum(many))), pa.int32())
        return pa.ListArray.from_arrays(offsets, structs, type=TABLES["topics"].field("partitions").type)

    # ------------------------------------------------------------------ the small tables

    def clusters(self) -> pa.Table:
        """One row per cluster; one in five hundred could not be reached."""
        return pa.Table.from_pylist([self._cluster(place) for place in range(len(self.names))], TABLES["clusters"])

    def _cluster(self, place: int) -> dict[str, object]:
        labels = [("team", TEAMS[place % 5]), ("environment", ENVIRONMENTS[place % 3])]
        row: dict[str, object] = {"cluster": self.names[place], "collected": COLLECTED, "labels": labels}
        if place % 500 == 499:
            return row | {"status": "unreachable", "reason": "b1:9092: no answer within 30 s"}
        version = VERSIONS[self.versions[place]]
        nodes = [self._node(place, id) for id in range(1, int(self.brokers[place]) + 1)]
        voters = [{"id": id, "voter": True, "lag": 0, "silent_ms": 100} for id in (3001, 3002, 3003)]
        quorum = {"leader": 3001, "epoch": 12, "members": voters}
        return row | {
            "status": "ok",
            "id": f"id-{self.names[place]}",
            "address": f"b1.{self.names[place]}.example:9092",
            "metadata": "kraft",
            "kafka_version": version,
            "version_reason": "metadata.version",
            "nodes": [{name: node[name] for name in (each.name for each in NODE)} for node in nodes],
            "quorum": {name: quorum[name] for name in (each.name for each in QUORUM)},
            "features": [("metadata.version", 20)],
            "supported": [("metadata.version", 25 if place % 10 == 0 else 20)],
            "unread": [],
            "defaults": DEFAULTS[version],
            "rest": REST,
        }

    def _node(self, place: int, id: int) -> dict[str, object]:
        racks, name = int(self.racks[place]), self.names[place]
        rack = f"rack-{id % racks}" if racks else None
        state = "dead" if id == self.down[place] else "alive"
        return {"id": id, "host": f"b{id}.{name}.example", "port": 9092, "rack": rack, "state": state}

    def broker_rows(self) -> pa.Table:
        """Every broker with about forty settings."""
        rows = [
            self._broker(place, id)
            for place in range(len(self.names))
            if place % 500 != 499
            for id in range(1, int(self.brokers[place]) + 1)
            if id != self.down[place]
        ]
        return pa.Table.from_pylist(rows, TABLES["brokers"])

    def _broker(self, place: int, id: int) -> dict[str, object]:
        name, rng = self.names[place], self.rng
        racks = int(self.racks[place])
        settings = {
            "node.id": str(id),
            "broker.id": str(id),
            "process.roles": "broker",
            "controller.quorum.voters": ",".join(f"{c}@c{c}.{name}.example:9093" for c in (3001, 3002, 3003)),
            "controller.listener.names": "CONTROLLER",
            "listeners": "SASL_SSL://0.0.0.0:9092,REPLICATION://0.0.0.0:9094",
            "advertised.listeners": f"SASL_SSL://b{id}.{name}.example:9092,REPLICATION://b{id}.{name}.example:9094",
            "listener.security.protocol.map": "CONTROLLER:SSL,SASL_SSL:SASL_SSL,REPLICATION:SASL_SSL",
            "inter.broker.listener.name": "REPLICATION",
            "sasl.enabled.mechanisms": "SCRAM-SHA-512",
            "sasl.mechanism.inter.broker.protocol": "SCRAM-SHA-512",
            "ssl.keystore.location": "/etc/kafka/tls/keystore.p12",
            "ssl.truststore.location": "/etc/kafka/tls/truststore.p12",
            "ssl.keystore.type": "PKCS12",
            "log.dirs": "/var/lib/kafka/a,/var/lib/kafka/b",
            "min.insync.replicas": str(self.min_isr[place]),
            "default.replication.factor": "3",
            "offsets.topic.replication.factor": "3" if place % 20 else "1",
            "transaction.state.log.replication.factor": "3",
            "transaction.state.log.min.isr": "2",
            "num.partitions": "6",
            "num.network.threads": "8",
            "num.io.threads": "16",
            "auto.create.topics.enable": "false" if place % 4 else "true",
            "unclean.leader.election.enable": "false",
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users": "User:admin",
            "log.retention.hours": "168" if id % 7 or place % 10 else "72",
            "log.segment.bytes": "1073741824",
            "socket.send.buffer.bytes": "1048576",
            "socket.receive.buffer.bytes": "1048576",
            "replica.fetch.max.bytes": "10485760",
            "num.replica.fetchers": "4",
            "group.initial.rebalance.delay.ms": "3000",
            "compression.type": "producer",
            "controlled.shutdown.enable": "true",
            "delete.topic.enable": "true",
            "num.recovery.threads.per.data.dir": "4",
        }
        settings |= {"broker.rack": f"rack-{id % racks}"} if racks else {}
        rows = [_said(key, value, "STATIC_BROKER") for key, value in sorted(settings.items())]
        rows.append(_said("ssl.keystore.password", None, "STATIC_BROKER"))
        assert rng is not None
        return {"cluster": name, "id": id, "kind": "broker", "settings": rows, "defaults": 1}

    def clients(self, each: int = 25) -> pa.Table:
        """Producers and consumers of every cluster, joined to one to four of its topics."""
        rows = [
            self._client(place, number)
            for place in range(len(self.names))
            if place % 500 != 499
            for number in range(each)
        ]
        return pa.Table.from_pylist(rows, TABLES["clients"])

    def _client(self, place: int, number: int) -> dict[str, object]:
        rng, producer = self.rng, number % 10 < 7
        hosts = [f"b{id}.{self.names[place]}.example:9092" for id in ((1, 2) if number % 10 else (1,))]
        settings = {
            "bootstrap.servers": ",".join(hosts),
            "security.protocol": "SASL_SSL",
            "sasl.mechanism": "SCRAM-SHA-512",
        }
        if producer:
            acks = ("all", "-1", "1", "0", None)[int(rng.choice(5, p=[0.6, 0.1, 0.08, 0.02, 0.2]))]
            settings |= {"acks": acks} if acks else {}
            settings |= {"linger.ms": "5", "compression.type": "lz4", "delivery.timeout.ms": "120000"}
        else:
            settings |= {"group.id": f"group-{number}", "auto.offset.reset": "earliest"}
            settings |= {"enable.auto.commit": "false", "isolation.level": "read_committed"} if number % 2 else {}
        kind = "producer" if producer else "consumer"
        used = rng.integers(1, max(2, int(self.sizes[place])), int(rng.integers(1, 5)))
        return {
            "cluster": self.names[place],
            "kind": kind,
            "name": f"app-{number:02d}",
            "file": f"clients/{self.names[place]}/app-{number:02d}.properties",
            "family": "java",
            "format": "properties",
            "kafka_version": VERSIONS[self.versions[place]],
            "version_reason": "metadata.version",
            "version_given": True,
            "topics": sorted({f"topic-{topic:06d}" for topic in used.tolist()}),
            "settings": [_written(key, value, line) for line, (key, value) in enumerate(settings.items(), 1)],
        }


def _said(key: str, value: str | None, source: str) -> dict[str, str | None]:
    return {"key": key, "value": value, "source": source}


def _written(key: str, value: str, line: int) -> dict[str, object]:
    known = {"key": key, "value": value, "source": "CLIENT_FILE", "line": line, "column": 1, "text": f"{key}={value}"}
    found = known | {"secret": False, "shape": "literal", "provider": None, "jaas": None, "shadowed": []}
    return {name: found[name] for name in SETTING_COLUMNS}


def _lists(values: np.ndarray, sizes: np.ndarray) -> pa.Array:
    offsets = pa.array(np.concatenate(([0], np.cumsum(sizes))), pa.int32())
    return pa.ListArray.from_arrays(offsets, pa.array(values, pa.int32()))


def _defaults(version: str) -> str:
    """What brokers of a release describe as defaults, of topics and of themselves."""
    parsed = release_of(version)[0]
    rows = [catalog.definitions(component, parsed) for component in ("topic", "broker")]
    tables = [{key: None if row[1] is None else str(row[1]) for key, row in table.items()} for table in rows]
    return json.dumps(tables, separators=(",", ":"))


DEFAULTS = {version: _defaults(version) for version in VERSIONS}
REST = json.dumps({"log_dirs": [], "groups": [], "acls": [], "reassignments": [], "zookeeper": None})


def write(fleet: Fleet, out: str) -> None:
    """All four tables, the mark that they are whole last."""
    with open_output(out, overwrite=True) as output:
        rows = write_tables(fleet, output)
        about = {"format": COLLECTION, "tables": TABLES_FORMAT, "collected": COLLECTED, "rows": rows}
        output.finish(about | {"tool": {"name": "kafka-advisor", "version": __version__}})


def write_tables(fleet: Fleet, output: RunOutput) -> dict[str, int]:
    """Write the tables, and say how many rows each has."""
    folder_of_table = {name: output.table(name) for name in TABLES}
    hashes: dict[str, Any] = defaultdict(sha256)
    places = np.arange(len(fleet.names))
    reached = places[places % 500 != 499]
    groups = np.array_split(reached, max(1, min(len(reached), int(fleet.sizes.sum()) // ROWS)))
    for number, some in enumerate(groups):
        path = os.path.join(folder_of_table["topics"], f"part-{number:05d}.parquet")
        topics = fleet.topics(some)
        add_rows(hashes, topics)
        pq.write_table(topics, path, compression="zstd", row_group_size=25_000)
        print(f"\r{number + 1} of {len(groups)} files of topics", end="", file=sys.stderr)
    print(file=sys.stderr)
    small = {"clusters": fleet.clusters(), "brokers": fleet.broker_rows(), "clients": fleet.clients()}
    add_rows(hashes, small["brokers"])
    add_rows(hashes, small["clients"])
    small["clusters"] = with_digests(small["clusters"], hashes)
    for name, table in small.items():
        pq.write_table(table, os.path.join(folder_of_table[name], "part-00000.parquet"), compression="zstd")
    return {name: table.num_rows for name, table in small.items()} | {"topics": int(fleet.sizes[reached].sum())}


def add_rows(hashes: dict[str, Any], rows: pa.Table) -> None:
    """Add the rows of each cluster, which follow each other, to its hash."""
    for name, own in rows_by_cluster(rows):
        snapshot_digest.add_rows(hashes[name], own)


def rows_by_cluster(rows: pa.Table) -> Iterator[tuple[str, pa.Table]]:
    """The rows of each cluster."""
    runs = pc.run_end_encode(rows.column("cluster").combine_chunks())
    start = 0
    for name, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist(), strict=True):
        yield name, rows.slice(start, end - start)
        start = end


def with_digests(clusters: pa.Table, hashes: dict[str, Any]) -> pa.Table:
    """The table `clusters` with the digest of each."""
    rows = clusters.to_pylist()
    lives = (live_of(row) if row["status"] == "ok" else None for row in rows)
    digests = [snapshot_digest.finish(hashes[row["cluster"]], row, live) for row, live in zip(rows, lives, strict=True)]
    return clusters.set_column(clusters.schema.get_field_index("digest"), "digest", pa.array(digests, pa.string()))


def main() -> None:
    """Write a fleet."""
    parser = argparse.ArgumentParser(description="write the snapshot tables of a made-up fleet")
    parser.add_argument("--clusters", type=int, default=200, help="how many clusters (200)")
    parser.add_argument("--topics", type=int, default=20_000, help="how many topics in all (20000)")
    parser.add_argument("--seed", type=int, default=7, help="the same seed gives the same fleet (7)")
    parser.add_argument("--later", action="store_true", help="the same fleet a week later")
    parser.add_argument("--out", default="fleet", metavar="FOLDER", help="where the tables go (fleet)")
    options = parser.parse_args()
    write(Fleet(options.clusters, options.topics, options.seed, options.later), options.out)


if __name__ == "__main__":
    main()
