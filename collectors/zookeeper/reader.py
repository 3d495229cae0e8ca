"""Read ZooKeeper nodes, many at once and within a deadline, through a connected client."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from typing import Any

Json = dict[str, Any]
AT_ONCE = 500
"""Requests under way at a time."""
MAY_CHANGE = 2 | 4 | 8 | 16
"""WRITE, CREATE, DELETE and ADMIN of an ACL."""
REASONS = {
    "NoAuthError": "no permission (its ACL)",
    "KazooTimeoutError": "no answer in time",
    "ConnectionLoss": "the connection was lost",
    "ConnectionClosedError": "the connection was lost",
    "SessionExpiredError": "the session expired",
}


class UnreadNode(Exception):
    """Something could not be read; the text says what and why."""


class ZooKeeperReader:
    """Reads nodes below a chroot through a kazoo client, many at once, until a deadline (of time.monotonic)."""

    __slots__ = ("absent", "chroot", "client", "forbidden", "until")

    def __init__(self, client: Any, chroot: str, seconds: float) -> None:
        from importlib import import_module

        self.client = client
        self.chroot = chroot
        self.until = time.monotonic() + seconds
        exceptions = import_module("kazoo.exceptions")
        self.absent: type[Exception] = exceptions.NoNodeError
        self.forbidden: type[Exception] = exceptions.NoAuthError

    def left(self) -> float:
        """The seconds until the deadline."""
        return max(0.0, self.until - time.monotonic())

    def get(self, path: str, below: bool = True) -> str | None:
        """The text of a node, None where there is no such node; `below` the chroot or in ZooKeeper's own tree."""
        nodes = self._ask([path], lambda full: self.client.get_async(full), below)[path]
        return _text(nodes)

    def texts(self, paths: Iterable[str]) -> dict[str, str | None]:
        """The texts of many nodes."""
        nodes = self._ask(paths, lambda full: self.client.get_async(full))
        return {path: _text(node) for path, node in nodes.items()}

    def jsons(self, paths: Iterable[str]) -> dict[str, Json]:
        """The JSON objects of many nodes; missing and empty nodes are left out."""
        return {path: _object(text) for path, text in self.texts(paths).items() if text}

    def children(self, path: str) -> list[str]:
        """The names of a node's children, sorted; none where the node does not exist."""
        return self.families([path])[path]

    def families(self, paths: Iterable[str]) -> dict[str, list[str]]:
        """The names of many nodes' children."""
        children = self._ask(paths, lambda full: self.client.get_children_async(full))
        return {path: sorted(names or ()) for path, names in children.items()}

    def open_to_all(self, paths: Iterable[str]) -> tuple[dict[str, bool], dict[str, Exception]]:
        """Whether everybody may change each existing node; and the nodes whose ACL may not be read."""
        denied: dict[str, Exception] = {}
        acls_of_node = self._ask(paths, lambda full: self.client.get_acls_async(full), denied=denied)
        return {path: _is_open(acls[0]) for path, acls in acls_of_node.items() if acls}, denied

    def _ask(
        self,
        paths: Iterable[str],
        begin: Callable[[str], Any],
        below: bool = True,
        denied: dict[str, Exception] | None = None,
    ) -> dict[str, Any]:
        waiting, answers = list(paths), {}
        for at in range(0, len(waiting), AT_ONCE):
            begun = [(path, begin(self._full(path) if below else path)) for path in waiting[at : at + AT_ONCE]]
            for path, answer in begun:
                try:
                    answers[path] = answer.get(timeout=self.left())
                except self.absent:
                    answers[path] = None
                except self.forbidden as error:
                    if denied is None:
                        raise
                    denied[path] = error
        return answers

    def _full(self, path: str) -> str:
        return (self.chroot + path).rstrip("/") or "/"


def reason_of(failure: Exception) -> str:
    """Why something could not be read, in a few words."""
    if isinstance(failure, UnreadNode):
        return str(failure)
    if isinstance(failure, (ValueError, KeyError, TypeError, AttributeError)):
        return "holds what Kafka does not write there"
    name = type(failure).__name__
    return REASONS.get(name, name)


def failures() -> tuple[type[Exception], ...]:
    """The exceptions that reading a node may raise."""
    from importlib import import_module

    kazoo = import_module("kazoo.exceptions").KazooException
    late = import_module("kazoo.handlers.threading").KazooTimeoutError
    return kazoo, late, UnreadNode, OSError, ValueError, KeyError, TypeError, AttributeError


def _text(node: tuple[bytes | None, object] | None) -> str | None:
    """A node's text; empty where it holds nothing, None where it does not exist."""
    return None if node is None else (node[0] or b"").decode("utf-8")


def _object(text: str) -> Json:
    data = json.loads(text)
    if not isinstance(data, dict):
        raise ValueError
    return data


def _is_open(acls: Iterable[Any]) -> bool:
    return any(acl.id.scheme == "world" and acl.perms & MAY_CHANGE for acl in acls)
