"""Encode a snapshot as rows of the fleet's tables; spark_audit.storage.decode is the inverse."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from advisor.model import SERVER_KINDS, Client, Entity, Setting, Snapshot, Topic
from collectors.snapshot.codec import Tables, plain_broker, plain_live
from spark_audit.schema.snapshots import OK, PARTIAL, TABLES, UNREACHABLE
from spark_audit.storage.decode import REST
from spark_audit.storage.encode_topics import encodable, setting_rows, topic_rows
from spark_audit.storage.snapshot_digest import with_digest

Row = dict[str, Any]
IN_COLUMNS = ("nodes", "quorum", "features", "unread")
NOT_GAPS = ("the brokers' release cannot say", "brokers before Kafka 4.0 do not name")
"""Reasons that are the release's own, and no gap in what was read."""


def encode_snapshot(
    name: str, snapshot: Snapshot, labels: Mapping[str, str] | None = None, seconds: float | None = None
) -> dict[str, pa.Table]:
    """Encode one cluster as the four tables; reading it took so many seconds. Raises ValueError for invalid numbers."""
    tables = Tables()
    brokers = [_broker_row(name, entity, tables) for entity in snapshot.entities if entity.kind in SERVER_KINDS]
    topics = [entity for entity in snapshot.entities if isinstance(entity, Topic)]
    clients = [_client_row(name, entity, snapshot) for entity in snapshot.entities if isinstance(entity, Client)]
    try:
        rows = {
            "topics": topic_rows(name, topics, tables),
            "clusters": _table("clusters", [_cluster_row(name, snapshot, labels, tables) | {"seconds": seconds}]),
            "brokers": _table("brokers", brokers),
            "clients": _table("clients", clients),
        }
        return with_digest(rows, snapshot.live)
    except OverflowError as error:
        raise ValueError(f"cluster {name}: {error}") from None


def unreachable_row(
    name: str, reason: str, collected: str, labels: Mapping[str, str] | None = None, seconds: float | None = None
) -> pa.Table:
    """The row in `clusters` of a cluster that could not be read."""
    row = {"cluster": name, "status": UNREACHABLE, "reason": reason, "collected": collected, "seconds": seconds}
    return with_digest({"clusters": _table("clusters", [{**row, "labels": list((labels or {}).items())}])}, None)[
        "clusters"
    ]


def _table(name: str, rows: list[Row]) -> pa.Table:
    try:
        return pa.Table.from_pylist(rows, TABLES[name])
    except UnicodeEncodeError:
        return pa.Table.from_pylist(encodable(rows), TABLES[name])


def _cluster_row(name: str, snapshot: Snapshot, labels: Mapping[str, str] | None, tables: Tables) -> Row:
    live, target = snapshot.live, snapshot.entities[0].target
    assert live is not None
    plain = plain_live(live)
    gaps = _gaps(snapshot)
    return {
        "cluster": name,
        "status": PARTIAL if gaps else OK,
        "reason": "; ".join(gaps) or None,
        "collected": live.collected,
        "labels": list((labels or {}).items()),
        "id": live.cluster_id,
        "address": live.address,
        "metadata": live.metadata,
        "kafka_version": target.text,
        "version_reason": target.reason,
        **{column: plain[column] for column in IN_COLUMNS},
        "supported": plain["supported_features"],
        "defaults": _json(tables.defaults),
        "rest": _json({key: plain[key] for key in REST}),
    }


def _gaps(snapshot: Snapshot) -> list[str]:
    """What could not be read, in short."""
    assert snapshot.live is not None
    unread = snapshot.live.unread
    gaps = [f"{item}: {unread[item]}" for item in sorted(unread) if not any(why in unread[item] for why in NOT_GAPS)]
    reasons: dict[tuple[str, str], list[str]] = {}
    for entity in snapshot.entities:
        if entity.missing is not None:
            kind = "topic" if isinstance(entity, Topic) else "broker"
            reasons.setdefault((kind, entity.missing), []).append(entity.name)
    for (kind, why), names in reasons.items():
        gaps.append(f"{kind} {names[0]}: {why}" if len(names) == 1 else f"{len(names)} {kind}s: {why}")
    return gaps


def _json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def _broker_row(cluster: str, broker: Entity, tables: Tables) -> Row:
    row = plain_broker(broker, tables)
    levels = row.get("levels")
    settings = None if broker.missing is not None and not broker.settings else setting_rows(broker.settings)
    return {"cluster": cluster, **row, "settings": settings, "levels": _json(levels) if levels else None}


def _client_row(cluster: str, client: Client, snapshot: Snapshot) -> Row:
    return {
        "cluster": cluster,
        "kind": client.kind,
        "name": client.name,
        "file": client.file,
        "family": client.family,
        "format": client.format,
        "kafka_version": client.target.text,
        "version_reason": client.target.reason,
        "version_given": client.target.given,
        "topics": list(snapshot.joined.get(client.file or client.name, ())),
        "settings": [_client_setting(setting) for setting in client.settings.values()],
    }


def _client_setting(setting: Setting) -> Row:
    jaas, origin = setting.jaas, setting.origin
    return {
        "key": setting.key,
        "value": setting.shown,
        "source": setting.source,
        "line": origin.line,
        "column": origin.column,
        "text": f"{setting.key}={setting.shown}",
        "secret": setting.secret,
        "shape": setting.shape,
        "provider": setting.provider,
        "jaas": None if jaas is None else {"modules": list(jaas.modules), "problem": jaas.problem},
        "shadowed": [earlier.shown for earlier in setting.shadowed],
    }
