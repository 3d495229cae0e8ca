"""Entities from plain key-value pairs whose values are all literal: placeholders are not expected in them."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.model import (
    CLIENT_FILE,
    DYNAMIC_TOPIC,
    EMPTY,
    LITERAL,
    SERVER_KINDS,
    STATIC_BROKER,
    Broker,
    Client,
    Entity,
    Origin,
    Setting,
    Target,
    Topic,
)
from advisor.secrets.disclosure import protect, setting_of

COMPONENTS = {
    "broker": None, "controller": None, "combined": None, "producer": "producer", "consumer": "consumer", "admin": "admin",
    "topic": "topic", "connect": "connect", "worker": "connect", "streams": "streams",
}  # fmt: skip
"""The kind of each component; a server's follows from its process.roles."""
ROLES = {"broker": "broker", "controller": "controller"}


def kind_of(component: str, given: Mapping[str, str]) -> str:
    """The kind of an entity: process.roles says what a server is."""
    kind = COMPONENTS[component]
    if kind is not None:
        return kind
    if "process.roles" not in given:
        return "broker"
    roles = {role.strip() for role in given["process.roles"].split(",")}
    return "combined" if len(roles) != 1 else ROLES.get(roles.pop(), "combined")


def entity(kind: str, given: Mapping[str, str], target: Target) -> Entity:
    """An entity of settings that are all there is: nothing in them is filled in later."""
    source = STATIC_BROKER if kind in SERVER_KINDS else DYNAMIC_TOPIC if kind == "topic" else CLIENT_FILE
    settings = {key: setting(key, value, source) for key, value in given.items()}
    protect(kind, settings)
    if kind in SERVER_KINDS:
        return Broker(kind, kind, None, settings, target)
    return (Topic if kind == "topic" else Client)(kind, kind, None, settings, target)


def setting(key: str, value: str, source: str) -> Setting:
    """One setting; a secret's value goes no further."""
    literal = setting_of(key, value, source, Origin(None, None, None))
    literal.shape = LITERAL if value.strip() else EMPTY
    literal.provider = None
    return literal
