"""The Spark data source `kafka_fleet`: every cluster of an inventory as rows of the fleet's tables.

Each row has the name of its `table` and one column that is not null, called like it. Reading contacts every cluster once
per action: write it down first, and go on from there. Options: `inventory` (a path) or `content` (its text, without
secrets), `clusters` (names with commas between), `per_partition`, `threads`, `timeout` (seconds, over the inventory's).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from spark_audit.collection.entries import ClusterEntry
from spark_audit.collection.inventory import content, load
from spark_audit.collection.scheduler import THREADS, contact, gather, look
from spark_audit.schema.snapshots import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyspark.sql.types import StructType

    from spark_audit.collection.scheduler import Look, Read

NAME = "kafka_fleet"
FEWEST, MOST, TASKS = 25, 100, 64
"""Clusters of one Spark partition, and how many partitions there should be about."""
ROWS = 10_000
"""Rows of one batch at most."""
UNIFIED = pa.schema(
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
    """The clusters of an inventory; `look` says whether anybody is there, `read` reads one of them."""

    look: Look = staticmethod(look)
    read: Read = staticmethod(contact)

    @classmethod
    def name(cls) -> str:
        """What it is called in `spark.read.format(…)`."""
        return NAME

    def schema(self) -> StructType:
        """One column for each of the tables."""
        return from_arrow_schema(UNIFIED)

    def reader(self, schema: StructType) -> FleetReader:
        """Reads the inventory; no cluster is contacted yet."""
        return FleetReader(schema, self.options, type(self).read, type(self).look)


class FleetReader(DataSourceReader):  # type: ignore[misc]
    """Reads clusters in tasks of many, each with threads of its own."""

    def __init__(self, schema: StructType, options: Mapping[str, str], read: Read, look: Look) -> None:
        self.schema = schema
        self.read_one = read
        self.look = look
        self.threads = number(options, "threads", THREADS)
        self.items = chosen(options)
        self.per_partition = number(options, "per_partition", grain(len(self.items)))

    def partitions(self) -> list[Clusters]:
        """The clusters, so many to a task."""
        step = self.per_partition
        return [Clusters(self.items[at : at + step]) for at in range(0, len(self.items), step)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of these clusters as they come; never raises for a cluster."""
        assert isinstance(partition, Clusters)
        arrow = to_arrow_schema(self.schema)
        for tables in gather(partition.items, self.read_one, self.threads, self.look):
            for name, table in tables.items():
                yield from unified(name, table, arrow)


def chosen(options: Mapping[str, str]) -> list[ClusterEntry]:
    """The clusters that the options name. Raises BadInventory, ValueError."""
    names = [name.strip() for name in options.get("clusters", "").split(",") if name.strip()]
    if "inventory" in options:
        items = load(options["inventory"], names)
    elif "content" in options:
        items = content(options["content"], names)
    else:
        raise ValueError(f"{NAME} needs .option('inventory', 'fleet.yaml')")
    for item in items:
        item.timeout = float(options.get("timeout") or item.timeout)
    return items


def number(options: Mapping[str, str], name: str, otherwise: int) -> int:
    """A whole number from 1 on. Raises ValueError."""
    text = options.get(name, str(otherwise))
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"{NAME}: option {name}: {text} is no whole number from 1 on")
    return int(text)


def grain(clusters: int) -> int:
    """How many clusters one task reads: a task costs more than a cluster that answers at once."""
    return min(MOST, max(FEWEST, -(-clusters // TASKS)))


def unified(name: str, table: pa.Table, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows of one table as rows of all; `schema` is Spark's own idea of them."""
    fields = list(schema.field(name).type)
    for batch in table.combine_chunks().to_batches(max_chunksize=ROWS):
        rows = batch.num_rows
        columns = [column.cast(field.type) for column, field in zip(batch.columns, fields, strict=True)]
        own = pa.StructArray.from_arrays(columns, fields=fields)
        parts = [own if field.name == name else pa.nulls(rows, field.type) for field in schema]
        yield pa.RecordBatch.from_arrays([pa.array([name] * rows), *parts[1:]], schema=schema)
