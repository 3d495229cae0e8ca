"""Topics as rows of the fleet's table, made column by column: a cluster may have hundreds of thousands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from collectors.snapshot.codec import plain_settings
from spark_audit.schema.snapshots import SETTING, TOPICS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from advisor.model import Setting, Topic
    from advisor.model.cluster import Partition
    from collectors.snapshot.codec import Tables

    Row = dict[str, Any]


def topic_rows(cluster: str, topics: Sequence[Topic], tables: Tables) -> pa.Table:
    """The topics' rows, column by column: settings that topics share are made once."""
    shared: list[list[Row]] = []
    places: dict[int, int] = {}
    for topic in topics:
        if topic.missing is None and places.setdefault(id(topic.settings), len(shared)) == len(shared):
            shared.append(setting_rows(topic.settings))
    own = [places[id(topic.settings)] if topic.missing is None else None for topic in topics]
    columns = {
        "cluster": _texts([cluster] * len(topics)),
        "name": _texts([topic.name for topic in topics]),
        "internal": pa.array([topic.internal for topic in topics], pa.bool_()),
        "settings": _nested(shared).take(pa.array(own, pa.int64())),
        "defaults": pa.array([_defaults(topic, tables) for topic in topics], pa.int32()),
        "missing": _texts([topic.missing for topic in topics]),
        "partitions": _partitions([topic.partitions for topic in topics]),
    }
    return pa.Table.from_arrays(list(columns.values()), schema=TOPICS)


def _defaults(topic: Topic, tables: Tables) -> int | None:
    if topic.missing is not None or topic.described is None:
        return None
    return tables.place(tables.defaults, topic.described, dict(topic.described))


def _texts(texts: list[Any]) -> pa.Array:
    try:
        return pa.array(texts, pa.string())
    except UnicodeEncodeError:
        return pa.array(encodable(texts), pa.string())


def _nested(shared: list[list[Row]]) -> pa.Array:
    try:
        return pa.array(shared, pa.list_(SETTING))
    except UnicodeEncodeError:
        return pa.array(encodable(shared), pa.list_(SETTING))


def _partitions(lists: Sequence[Sequence[Partition] | None]) -> pa.Array:
    flat = [partition for partitions in lists for partition in partitions or ()]
    type = TOPICS.field("partitions").type
    columns = [
        pa.array([getattr(partition, column.name) for partition in flat], column.type) for column in type.value_type
    ]
    structs = pa.StructArray.from_arrays(columns, fields=list(type.value_type))
    return pa.ListArray.from_arrays(_offsets(lists), structs, type=type)


def _offsets(lists: Iterable[Sequence[object] | None]) -> pa.Array:
    """Where each list begins; null marks a list that is null."""
    starts: list[int | None] = []
    end = 0
    for each in lists:
        starts.append(None if each is None else end)
        end += len(each or ())
    return pa.array([*starts, end], pa.int32())


def setting_rows(settings: Mapping[str, Setting]) -> list[Row]:
    plain = plain_settings(settings)
    return [{"key": key, "value": said.get("value"), "source": said["source"]} for key, said in sorted(plain.items())]


def encodable(thing: Any) -> Any:
    """The same with lone surrogates, which JSON may hold and UTF-8 may not, replaced."""
    if isinstance(thing, str):
        return thing.encode("utf-8", "replace").decode()
    if isinstance(thing, dict):
        return {encodable(key): encodable(value) for key, value in thing.items()}
    return type(thing)(encodable(part) for part in thing) if isinstance(thing, (list, tuple)) else thing
