"""Keys that carry another component's key behind a prefix: listeners, Connect's clients, mirrored clusters."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from advisor.model import Setting

    Found = tuple[tuple[str, ...], str]

CLIENTS: dict[str, tuple[str, ...]] = {"producer.": ("producer",), "consumer.": ("consumer",), "admin.": ("admin",)}
STREAMS: dict[str, tuple[str, ...]] = {
    **CLIENTS,
    "main.consumer.": ("consumer",),
    "restore.consumer.": ("consumer",),
    "global.consumer.": ("consumer",),
    "topic.": ("topic",),
}
MIRROR = (
    "mm2-connector",
    "mm2-source",
    "mm2-checkpoint",
    "mm2-heartbeat",
    "mirror",
    "connect",
    "producer",
    "consumer",
    "admin",
)
LISTENER = "listener.name."
ADMIN_LISTENERS = "admin.listeners"
"""A worker's own, no setting of its admin client."""


def without_prefix(kind: str, key: str, settings: Mapping[str, Setting]) -> Found | None:
    """The components that may define the key and the key without its prefix; None where it has none."""
    return PREFIXES[kind](key, settings)


def _listener(key: str, _: object) -> Found | None:
    if not key.startswith(LISTENER):
        return None
    rest = key[len(LISTENER) :].partition(".")[2]
    _, dot, behind = rest.partition(".")
    if dot and behind.startswith(("sasl.", "connections.max.reauth")):
        return ("broker",), behind
    return ("broker",), rest


def _clients(key: str, _: object) -> Found | None:
    return None if key.startswith(ADMIN_LISTENERS) else _by_table(CLIENTS, key)


def _streams(key: str, _: object) -> Found | None:
    return _by_table(STREAMS, key)


def _by_table(table: Mapping[str, tuple[str, ...]], key: str) -> Found | None:
    for prefix, components in table.items():
        if key.startswith(prefix):
            return components, key[len(prefix) :]
    return None


def _mirror(key: str, settings: Mapping[str, Setting]) -> Found | None:
    head, dot, rest = key.partition(".")
    if not dot or (head not in aliases(settings) and "->" not in head):
        return _by_table(CLIENTS, key)
    return _by_table(CLIENTS, rest) or (MIRROR, rest)


def aliases(settings: Mapping[str, Setting]) -> tuple[str, ...]:
    """MirrorMaker's names of its clusters."""
    clusters = settings.get("clusters")
    return tuple(name.strip() for name in clusters.value.split(",") if name.strip()) if clusters else ()


PREFIXES = {
    "broker": _listener,
    "controller": _listener,
    "combined": _listener,
    "connect": _clients,
    "streams": _streams,
    "mirror": _mirror,
}
