"""Encode topics as rows of the fleet's table, column by column: a cluster may have hundreds of thousands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from advisor.model import Setting, Topic
from advisor.model.cluster import Partition
from advisor.secrets.disclosure import shown_defaults
from collectors.snapshot.codec import Tables, plain_settings
from spark_audit.schema.snapshots import SETTING, TOPICS

Row = dict[str, Any]


def topic_rows(cluster: str, topics: Sequence[Topic], tables: Tables) -> pa.Table:
    """Encode topics; settings that topics share are encoded once."""
    shared: list[list[Row]] = []
    index_of_settings: dict[int, int] = {}
    for topic in topics:
        if topic.missing is None and index_of_settings.setdefault(id(topic.settings), len(shared)) == len(shared):
            shared.append(setting_rows(topic.settings))
    settings_of_topic = [index_of_settings[id(topic.settings)] if topic.missing is None else None for topic in topics]
    columns = {
        "cluster": _texts([cluster] * len(topics)),
        "name": _texts([topic.name for topic in topics]),
        "internal": pa.array([topic.internal for topic in topics], pa.bool_()),
        "settings": _nested(shared).take(pa.array(settings_of_topic, pa.int64())),
        "defaults": pa.array([_defaults(topic, tables) for topic in topics], pa.int32()),
        "missing": _texts([topic.missing for topic in topics]),
        "partitions": _partitions([topic.partitions for topic in topics]),
    }
    return pa.Table.from_arrays(list(columns.values()), schema=TOPICS)


def _defaults(topic: Topic, tables: Tables) -> int | None:
    if topic.missing is not None or topic.described is None:
        return None
    return tables.place(tables.defaults, topic.described, shown_defaults(topic.described))


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
    all_partitions = [partition for partitions in lists for partition in partitions or ()]
    type = TOPICS.field("partitions").type
    columns = [
        pa.array([getattr(partition, column.name) for partition in all_partitions], column.type)
        for column in type.value_type
    ]
    structs = pa.StructArray.from_arrays(columns, fields=list(type.value_type))
    return pa.ListArray.from_arrays(_offsets(lists), structs, type=type)


def _offsets(lists: Iterable[Sequence[object] | None]) -> pa.Array:
    """The offset where each list begins; null for a list that is null."""
    starts: list[int | None] = []
    end = 0
    for members in lists:
        starts.append(None if members is None else end)
        end += len(members or ())
    return pa.array([*starts, end], pa.int32())


def setting_rows(settings: Mapping[str, Setting]) -> list[Row]:
    """Encode settings as rows, by key."""
    plain = plain_settings(settings)
    return [
        {"key": key, "value": setting.get("value"), "source": setting["source"]}
        for key, setting in sorted(plain.items())
    ]


def encodable(thing: Any) -> Any:
    """Replace lone surrogates, which JSON allows and UTF-8 does not, at any depth."""
    if isinstance(thing, str):
        return thing.encode("utf-8", "replace").decode()
    if isinstance(thing, dict):
        return {encodable(key): encodable(value) for key, value in thing.items()}
    return type(thing)(encodable(member) for member in thing) if isinstance(thing, (list, tuple)) else thing
