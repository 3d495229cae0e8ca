"""`fleet.yaml` read with the line of everything that it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from advisor.errors import BadInventory
from spark_audit.collection.entries import KEYS, SCHEMES, SHARED, EntryText, meant

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from yaml import Node

TOP = ("defaults", "clusters")
CLIENT = ("file", "topics")


class Wrong(Exception):
    """One thing that is wrong, with its place."""


def told(shown: str, data: bytes) -> list[EntryText]:
    """What the text says of each cluster. Raises BadInventory."""
    try:
        node = yaml.compose(data, yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"{shown}:{mark.line + 1}:{mark.column + 1}" if mark else shown
        raise BadInventory([f"{place}: not YAML: {error.problem}"]) from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise BadInventory([f"{shown}: not YAML: {' '.join(str(error).split())[:200]}"]) from None
    return Reader(shown).fleet(node)


class Reader:
    """Goes through the nodes of a file and gathers what is wrong."""

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.errors: list[str] = []

    def at(self, node: Node) -> str:
        """file:line of a node."""
        return f"{self.shown}:{node.start_mark.line + 1}"

    def fleet(self, node: Node | None) -> list[EntryText]:
        """Every cluster with the defaults of all. Raises BadInventory."""
        if node is None:
            return []
        found: list[EntryText] = []
        try:
            top = dict(self.pairs(node, TOP, "the inventory"))
            shared = EntryText(self.shown)
            self.take(shared, top.get("defaults"), SHARED, "defaults")
            for each in self.parts(top["clusters"], "clusters") if "clusters" in top else ():
                found.append(self.cluster(each, shared))  # noqa: PERF401
        except Wrong as wrong:
            self.errors.append(str(wrong))
        if self.errors:
            raise BadInventory(self.errors)
        return found

    def cluster(self, node: Node, shared: EntryText) -> EntryText:
        """One cluster over the defaults."""
        own = EntryText(self.at(node))
        own.values, own.places, own.labels = dict(shared.values), dict(shared.places), dict(shared.labels)
        self.take(own, node, KEYS, "a cluster")
        return own

    def take(self, own: EntryText, node: Node | None, known: Sequence[str], what: str) -> None:
        """What a mapping says; of what is wrong each is noted, and the rest is read all the same."""
        for key, value in self.pairs(node, known, what) if node is not None else ():
            try:
                self.value(own, key, value)
            except Wrong as wrong:
                self.errors.append(str(wrong))

    def value(self, own: EntryText, key: str, node: Node) -> None:
        """One key of a cluster."""
        if key == "labels":
            own.labels |= {name: self.text(value, name) for name, value in self.pairs(node, None, key)}
        elif key == "clients":
            own.clients = [self.client(each) for each in self.parts(node, key)]
        elif key == "bootstrap_servers" and isinstance(node, yaml.SequenceNode):
            own.say(key, ",".join(self.text(each, key) for each in node.value), self.at(node))
        elif key == "command_config" and not isinstance(node, yaml.ScalarNode):
            raise Wrong(
                f"{self.at(node)}: {key}: settings, and secrets least of all, do not belong here: "
                f"write {SCHEMES[0]}PATH, or {SCHEMES[1]}NAME for a variable that holds them"
            )
        else:
            own.say(key, self.text(node, key), self.at(node))

    def client(self, node: Node) -> tuple[str, tuple[str, ...], str]:
        """A client's file and the topics it uses."""
        said = dict(self.pairs(node, CLIENT, "a client"))
        if "file" not in said:
            raise Wrong(
                f"{self.at(node)}: a client without file; write {{file: producer.properties, topics: [orders]}}"
            )
        topics = said.get("topics")
        names = tuple(self.text(each, "topics") for each in self.parts(topics, "topics")) if topics else ()
        return self.text(said["file"], "file"), names, self.at(node)

    def pairs(self, node: Node, known: Sequence[str] | None, what: str) -> Iterator[tuple[str, Node]]:
        """Key and value of a mapping; unknown keys and those that stand twice are noted. Raises Wrong."""
        if not isinstance(node, yaml.MappingNode):
            raise Wrong(f"{self.at(node)}: {what} must be a mapping" + (f" of {', '.join(known)}" if known else ""))
        seen: set[str] = set()
        for name, value in node.value:
            key = self.text(name, "a key")
            if known is not None and key not in known:
                self.errors.append(f"{self.at(name)}: {what} has no {key}; {meant(key, known)}")
            elif key in seen:
                self.errors.append(f"{self.at(name)}: {key} stands there twice; keep one")
            else:
                yield key, value
            seen.add(key)

    def parts(self, node: Node, what: str) -> list[Any]:
        """The items of a list. Raises Wrong."""
        if not isinstance(node, yaml.SequenceNode):
            raise Wrong(f"{self.at(node)}: {what} must be a list; begin each item with a dash")
        return list(node.value)

    def text(self, node: Node, what: str) -> str:
        """A text as it was written, numbers included. Raises Wrong."""
        if not isinstance(node, yaml.ScalarNode):
            raise Wrong(f"{self.at(node)}: {what} must be text")
        return "" if node.tag == "tag:yaml.org,2002:null" else str(node.value).strip()
