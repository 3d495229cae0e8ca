"""Parse `fleet.yaml`, keeping the line of every value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import yaml
from yaml import Node

from advisor import limits, yaml_file
from advisor.errors import BadInventory
from advisor.secrets.masking import name_like
from spark_audit.collection.entries import KEYS, SCHEMES, SHARED, EntryText, suggest

TOP = ("defaults", "clusters")
CLIENT = ("file", "topics")


class InventoryError(Exception):
    """One error, with its place."""


def parse_yaml(shown: str, data: bytes) -> list[EntryText]:
    """Parse the text of a `fleet.yaml`. Raises BadInventory."""
    try:
        node = yaml_file.compose(data, shown, limits.NODES_OF_INVENTORY)
    except yaml_file.BadYaml as bad:
        raise BadInventory([str(bad)]) from None
    return InventoryReader(shown).fleet(node)


class InventoryReader:
    """Walk the YAML nodes of an inventory and collect its errors."""

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.errors: list[str] = []

    def at(self, node: Node) -> str:
        """file:line of a node."""
        return f"{self.shown}:{node.start_mark.line + 1}"

    def fleet(self, node: Node | None) -> list[EntryText]:
        """All clusters, over the shared defaults. Raises BadInventory."""
        if node is None:
            return []
        clusters: list[EntryText] = []
        try:
            top = dict(self.pairs(node, TOP, "the inventory"))
            shared = EntryText(self.shown)
            self.read_mapping(shared, top.get("defaults"), SHARED, "defaults")
            for item in self.items(top["clusters"], "clusters") if "clusters" in top else ():
                clusters.append(self.cluster(item, shared))  # noqa: PERF401
        except InventoryError as wrong:
            self.errors.append(str(wrong))
        if self.errors:
            raise BadInventory(self.errors)
        return clusters

    def cluster(self, node: Node, shared: EntryText) -> EntryText:
        """One cluster over the defaults."""
        entry = EntryText(self.at(node))
        entry.values, entry.where_of_key, entry.labels = (
            dict(shared.values),
            dict(shared.where_of_key),
            dict(shared.labels),
        )
        self.read_mapping(entry, node, KEYS, "a cluster")
        return entry

    def read_mapping(self, entry: EntryText, node: Node | None, keys: Sequence[str], what: str) -> None:
        """Read a mapping; errors are noted, and what is right is read all the same."""
        for key, value in self.pairs(node, keys, what) if node is not None else ():
            try:
                self.read_value(entry, key, value)
            except InventoryError as wrong:
                self.errors.append(str(wrong))

    def read_value(self, entry: EntryText, key: str, node: Node) -> None:
        """One key of a cluster."""
        if key == "labels":
            entry.labels |= {name: self.text(value, name) for name, value in self.pairs(node, None, key)}
        elif key == "clients":
            entry.clients = [self.client(item) for item in self.items(node, key)]
        elif key == "bootstrap_servers" and isinstance(node, yaml.SequenceNode):
            entry.set(key, ",".join(self.text(item, key) for item in node.value), self.at(node))
        elif key == "command_config" and not isinstance(node, yaml.ScalarNode):
            raise InventoryError(
                f"{self.at(node)}: {key}: settings, and secrets least of all, do not belong here: "
                f"write {SCHEMES[0]}PATH, or {SCHEMES[1]}NAME for a variable that holds them"
            )
        else:
            entry.set(key, self.text(node, key), self.at(node))

    def client(self, node: Node) -> tuple[str, tuple[str, ...], str]:
        """A client's file and the topics it uses."""
        values = dict(self.pairs(node, CLIENT, "a client"))
        if "file" not in values:
            raise InventoryError(
                f"{self.at(node)}: a client without file; write {{file: producer.properties, topics: [orders]}}"
            )
        topics = values.get("topics")
        names = tuple(self.text(item, "topics") for item in self.items(topics, "topics")) if topics else ()
        return self.text(values["file"], "file"), names, self.at(node)

    def pairs(self, node: Node, keys: Sequence[str] | None, what: str) -> Iterator[tuple[str, Node]]:
        """Key and value of a mapping; unknown and duplicate keys are noted. Raises InventoryError."""
        if not isinstance(node, yaml.MappingNode):
            raise InventoryError(
                f"{self.at(node)}: {what} must be a mapping" + (f" of {', '.join(keys)}" if keys else "")
            )
        seen: set[str] = set()
        for name, value in node.value:
            key = self.text(name, "a key")
            if keys is not None and key not in keys:
                self.errors.append(f"{self.at(name)}: {what} has no {name_like(key, keys)}; {suggest(key, keys)}")
            elif key in seen:
                self.errors.append(f"{self.at(name)}: {key} stands there twice; keep one")
            else:
                yield key, value
            seen.add(key)

    def items(self, node: Node, what: str) -> list[Any]:
        """The items of a list. Raises InventoryError."""
        if not isinstance(node, yaml.SequenceNode):
            raise InventoryError(f"{self.at(node)}: {what} must be a list; begin each item with a dash")
        return list(node.value)

    def text(self, node: Node, what: str) -> str:
        """A scalar as it was written, numbers included. Raises InventoryError."""
        if not isinstance(node, yaml.ScalarNode):
            raise InventoryError(f"{self.at(node)}: {what} must be text")
        return "" if node.tag == "tag:yaml.org,2002:null" else str(node.value).strip()
