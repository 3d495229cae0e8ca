"""What only certificates say where their files, or what is asked of them, change."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.outcome import UnknownFact

FILES = ("ssl.keystore.location", "ssl.truststore.location")
HOST_NAMES = "ssl.endpoint.identification.algorithm"
STORES = ("ssl.keystore.", "ssl.truststore.", "ssl.key.", "ssl.engine.factory.class")


def unknown_certificates(name: str, old: NodeConfig, new: NodeConfig) -> Iterator[UnknownFact]:
    """Key stores of a listener that was there before and has other ones now."""
    for key in sorted({*old.config.settings, *new.config.settings}):
        was, is_now = old.config.settings.get(key), new.config.settings.get(key)
        bare = new.bare(key)
        if is_now is None or not bare.startswith(STORES) or (was is not None and was.value == is_now.value):
            continue
        if was is not None:
            yield UnknownFact(name, key, "whether the other nodes and the clients trust what the new store holds")
        elif bare in FILES and not new.is_declared:
            yield UnknownFact(name, key, "whether the file is on the node: without it the node does not start")
    yield from unknown_host_names(name, old, new)


def unknown_host_names(name: str, old: NodeConfig, new: NodeConfig) -> Iterator[UnknownFact]:
    """Names in certificates that nodes look at from now on."""
    for listener in dict.fromkeys((old.inter_broker or "", *old.controller_names[:1])):
        is_tls = new.protocols.get(listener, "").endswith("SSL") and old.protocols.get(listener, "").endswith("SSL")
        was, is_now = (side.text(side.of_listener(listener, HOST_NAMES)) for side in (old, new))
        if is_tls and is_now and not was:
            reason = f"whether the certificate of every node names the host by which others reach it on {listener}"
            yield UnknownFact(name, HOST_NAMES, reason)
