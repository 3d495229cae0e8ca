"""Whether the calls of tools that keep topics as code let them delete what is no longer declared.

Source: kafka-gitops (PlanManager: deletes unless --no-delete), JulieOps (TopicManager: allow.delete.topics, false by default), Jikkou
(AdminClientKafkaTopicController: delete-orphans, false by default).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from collectors.files.block import Block, deployment
from collectors.files.commands.tool_commands import Command
from collectors.files.syntax.tree import TreeNode

TOOLS = {
    "kafka-gitops": re.compile(r"(?:\S*/)?kafka-gitops(?:\.sh)?$"),
    "jikkou": re.compile(r"(?:\S*/)?jikkou(?:\.sh)?(?::[\w.-]+)?$"),
    "JulieOps": re.compile(r"(?:\S*/)?(?:julie-ops(?:-cli)?|kafka-topology-builder)(?:\.sh)?(?::[\w.-]+)?$"),
}
ACTS = {"kafka-gitops": ("apply",), "jikkou": ("apply", "delete"), "JulieOps": ()}
"""The subcommands of each that change a cluster; none where every call does."""
KEEPS, ORPHANS = "--no-delete", re.compile(r"\bdelete-orphans=true\b")
ALLOWS = re.compile(r"ALLOW_DELETE_[A-Z_]{3,40}=(.{0,10})")
"""A variable that lets JulieOps delete topics, bindings or other artifacts."""


def blocks(commands: Iterable[Command], file: str, format: str) -> list[Block]:
    """For each tool that a file calls whether any of its calls deletes what is not declared."""
    calls: dict[str, list[tuple[bool, TreeNode]]] = defaultdict(list)
    for command in commands:
        for tool, deletes, word in _calls(command):
            calls[tool].append((deletes, TreeNode("scalar", command.line, 1, word)))
    return [_block(tool, of_tool, file, format) for tool, of_tool in calls.items()]


def _block(tool: str, calls: list[tuple[bool, TreeNode]], file: str, format: str) -> Block:
    deletes, place = max(calls, key=lambda call: call[0])
    block = deployment(tool, format, file)
    block.translate("deletion", "on" if deletes else "off", place, place.text)
    return block


def _calls(command: Command) -> Iterator[tuple[str, bool, str]]:
    """(tool, whether it deletes what is not declared, the word that says it) of a command."""
    for word in command.words:
        allowed = ALLOWS.match(word)
        if allowed is not None:
            yield "JulieOps", allowed[1].lower() == "true", word
    for tool, name in TOOLS.items():
        if any(name.match(word) for word in command.words) and (not ACTS[tool] or set(ACTS[tool]) & set(command.words)):
            yield tool, _deletes(tool, command.words), tool


def _deletes(tool: str, words: list[str]) -> bool:
    if tool == "kafka-gitops":
        return KEEPS not in words
    return tool == "jikkou" and any(ORPHANS.search(word) for word in words)
