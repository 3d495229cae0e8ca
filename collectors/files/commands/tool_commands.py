"""The commands of a shell's text, and the topics that `kafka-topics --create` makes among them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from advisor.model import Spelling
from collectors.files.block import Block
from collectors.files.syntax.text_lines import text_lines
from collectors.files.syntax.tree import TreeNode

TOPICS = re.compile(r"(?:\S*/)?kafka-topics(?:\.sh)?$")
HERE_DOCUMENT = re.compile(r"<<(-?)\s{0,5}([\"']?)([A-Za-z_][A-Za-z0-9_]*)\2")
SEPARATORS = frozenset(";&|()")
ASSIGNMENT = "--replica-assignment"
LONGEST_LINE = 50_000
"""Characters of a line up to which quotes and separators are followed, which takes longer than twice for twice as many."""


class Command(NamedTuple):
    """A simple command of a script: its words, the line on which it begins, and the here-document that it reads."""

    words: list[str]
    line: int
    document: TreeNode | None


def topics_of(nodes: Sequence[TreeNode], file: str, format: str) -> list[Block]:
    """The topics that a container's command creates."""
    return [
        block
        for command in _commands_of(nodes)
        for number, word in enumerate(command.words)
        if TOPICS.match(word)
        for block in created_topic(command.words[number + 1 :], command.line, file, format)
    ]


def _commands_of(nodes: Sequence[TreeNode]) -> Iterator[Command]:
    """The commands of a text that a shell runs, at their lines; else the words of one command."""
    texts = [node for node in nodes if any(char.isspace() for char in node.text.strip())]
    if not texts:
        yield Command([node.text for node in nodes], nodes[0].line if nodes else 1, None)
    for node in texts:
        first = node.line if node.indent is not None else node.line - 1
        for words, line, document in commands(node.text):
            yield Command(words, line + first if "\n" in node.text.strip() else node.line, document)
            for word in words:
                if "kafka-topics" in word and any(char.isspace() for char in word):
                    yield from (Command(inner.words, node.line, None) for inner in commands(word))


def commands(text: str, begins: int = 1) -> Iterator[Command]:
    """The simple commands of a script that begins on a line, those on one line apart; comments are left out."""
    lines = iter(enumerate(text_lines(text), begins))
    joined, first = "", 0
    for number, line in lines:
        first = first or number
        if line.endswith("\\"):
            joined += line[:-1] + " "
            continue
        yield from _commands_of_line(joined + line, first, _document(line, lines))
        joined, first = "", 0
    if joined:
        yield from _commands_of_line(joined, first, None)


def _commands_of_line(line: str, number: int, document: TreeNode | None) -> Iterator[Command]:
    if len(line) > LONGEST_LINE:
        yield Command(line.split(), number, document)
        return
    if not line.strip():
        return
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] = []
    try:
        for word in lexer:
            if SEPARATORS.issuperset(word):
                yield Command(words, number, None)
                words = []
            else:
                words.append(word)
    except ValueError:
        words = line.split()
    if words:
        yield Command(words, number, document)


def _document(line: str, lines: Iterator[tuple[int, str]]) -> TreeNode | None:
    """The here-document that a line opens."""
    opened = HERE_DOCUMENT.search(line)
    if opened is None or line.lstrip().startswith("#"):
        return None
    last, document = 0, []
    for number, raw in lines:
        inner = raw.lstrip("\t") if opened[1] else raw
        last = number
        if inner.strip() == opened[3]:
            break
        document.append(inner)
    node = TreeNode("scalar", last - len(document) - 1, 1, "\n".join(document))
    node.indent = 0
    return node


def options_of(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(option, value) of the words of a tool; a value may stand behind an equals sign."""
    for word, following in zip(words, (*words[1:], ""), strict=False):
        name, equals, value = word.partition("=")
        if word.startswith("--"):
            yield name, value if equals else following


def _assigned(block: Block, assignment: str, line: int) -> None:
    """Add what `--replica-assignment 1:2,2:3` says: a partition behind each comma, its replicas between the colons."""
    partitions = [each.split(":") for each in assignment.split(",")]
    if all(part.isdigit() for partition in partitions for part in partition):
        place = TreeNode("scalar", line, 1, ASSIGNMENT)
        block.set("replication.factor", str(min(map(len, partitions))), place, None, ASSIGNMENT)
        block.set("partitions", str(len(partitions)), place, None, ASSIGNMENT)


def created_topic(words: Sequence[str], line: int, file: str, format: str) -> list[Block]:
    """The topic that `kafka-topics --create` makes."""
    options = list(options_of(words))
    named = dict(options)
    if "--create" not in named or not named.get("--topic"):
        return []
    block = Block("topic", named["--topic"], format, file, "--config ")
    block.spelling = Spelling(
        "--config ", names={"replication.factor": "--replication-factor", "partitions": "--partitions"}
    )
    block.joint = " "
    block.servers = named.get("--bootstrap-server", "")
    for option, key in (("--replication-factor", "replication.factor"), ("--partitions", "partitions")):
        if named.get(option):
            block.set(key, named[option], TreeNode("scalar", line, 1, option), None, option)
    _assigned(block, named.get(ASSIGNMENT, ""), line)
    for option, value in options:
        key, equals, text = value.partition("=")
        if option == "--config" and equals:
            block.set(key, text, TreeNode("scalar", line, 1, key))
    return [block] if block.settings else []
