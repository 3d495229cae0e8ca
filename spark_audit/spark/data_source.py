"""The Spark data source `kafka_fleet`: every cluster of an inventory as rows of the fleet's tables.

Each row has the name of its `table`, and one column that is not null, called like it. Reading contacts every cluster
once per action: write it down first, and go on from there. Options: `inventory` (a path) or `content` (its text,
without secrets), `clusters` (names with commas between), `per_partition`, `threads`, `timeout` (seconds, over the
inventory's).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from advisor.model import is_whole_number
from spark_audit.collection.cluster_reader import read_cluster
from spark_audit.collection.entries import ClusterEntry
from spark_audit.collection.inventory import load, parse_text
from spark_audit.collection.scheduler import THREADS, Probe, Read, gather, probe_cluster
from spark_audit.schema.snapshots import TABLES

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

NAME = "kafka_fleet"
MIN_PER_PARTITION, MAX_PER_PARTITION, TARGET_PARTITIONS = 25, 100, 64
"""Clusters of one Spark partition, at least and at most; and the number of partitions that is aimed at."""
ROWS = 10_000
"""Rows per record batch, at most."""
UNIFIED_SCHEMA = pa.schema(
    [
        pa.field("table", pa.string(), False),
        *(pa.field(name, pa.struct(list(schema))) for name, schema in TABLES.items()),
    ]
)


class Clusters(InputPartition):  # type: ignore[misc]
    """The clusters that one task reads."""

    def __init__(self, items: Sequence[ClusterEntry]) -> None:
        self.items = list(items)


class FleetSource(DataSource):  # type: ignore[misc]
    """The clusters of an inventory; `probe` says whether one answers, `read` reads one."""

    probe: Probe = staticmethod(probe_cluster)
    read: Read = staticmethod(read_cluster)

    @classmethod
    def name(cls) -> str:
        """The name for `spark.read.format(…)`."""
        return NAME

    def schema(self) -> StructType:
        """One column per table."""
        return from_arrow_schema(UNIFIED_SCHEMA)

    def reader(self, schema: StructType) -> FleetReader:
        """Read the inventory; no cluster is contacted yet."""
        return FleetReader(schema, self.options, type(self).read, type(self).probe)


class FleetReader(DataSourceReader):  # type: ignore[misc]
    """Read clusters in tasks of many, each with threads of its own."""

    def __init__(self, schema: StructType, options: Mapping[str, str], read: Read, probe: Probe) -> None:
        self.schema = schema
        self.read_one = read
        self.probe = probe
        self.threads = positive_integer(options, "threads", THREADS)
        self.items = select_entries(options)
        self.per_partition = positive_integer(options, "per_partition", clusters_per_partition(len(self.items)))

    def partitions(self) -> list[Clusters]:
        """Split the clusters into Spark partitions."""
        step = self.per_partition
        return [Clusters(self.items[start : start + step]) for start in range(0, len(self.items), step)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Read these clusters; yields their rows as they come, and never raises for a cluster."""
        assert isinstance(partition, Clusters)
        arrow = to_arrow_schema(self.schema)
        for tables in gather(partition.items, self.read_one, self.threads, self.probe):
            for name, table in tables.items():
                yield from unify_rows(name, table, arrow)


def select_entries(options: Mapping[str, str]) -> list[ClusterEntry]:
    """The clusters that the options name. Raises BadInventory, ValueError."""
    names = [name.strip() for name in options.get("clusters", "").split(",") if name.strip()]
    if "inventory" in options:
        entries = load(options["inventory"], names)
    elif "content" in options:
        entries = parse_text(options["content"], names)
    else:
        raise ValueError(f"{NAME} needs .option('inventory', 'fleet.yaml')")
    for entry in entries:
        entry.timeout = float(options.get("timeout") or entry.timeout)
    return entries


def positive_integer(options: Mapping[str, str], name: str, otherwise: int) -> int:
    """An option that is a whole number from 1 on. Raises ValueError."""
    text = options.get(name, str(otherwise))
    if not is_whole_number(text) or int(text) < 1:
        raise ValueError(f"{NAME}: option {name}: {text} is not a whole number from 1 on")
    return int(text)


def clusters_per_partition(clusters: int) -> int:
    """How many clusters one task reads: a task costs more than a cluster that answers at once."""
    return min(MAX_PER_PARTITION, max(MIN_PER_PARTITION, -(-clusters // TARGET_PARTITIONS)))


def unify_rows(name: str, table: pa.Table, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows of one table as rows of all; `schema` is the unified one as Spark has it."""
    fields = list(schema.field(name).type)
    for batch in table.combine_chunks().to_batches(max_chunksize=ROWS):
        rows = batch.num_rows
        columns = [column.cast(field.type) for column, field in zip(batch.columns, fields, strict=True)]
        struct_column = pa.StructArray.from_arrays(columns, fields=fields)
        table_columns = [struct_column if field.name == name else pa.nulls(rows, field.type) for field in schema]
        yield pa.RecordBatch.from_arrays([pa.array([name] * rows), *table_columns[1:]], schema=schema)
