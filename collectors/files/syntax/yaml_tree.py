"""Read YAML, and JSON with it, into trees: from the parser's events, bounded, with the place of every node."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from advisor import limits
from advisor.catalog import known_anywhere
from advisor.errors import TooManyValues, UnreadableInput
from advisor.yaml_file import unquoted
from collectors.files.syntax.json_comments import without_comments
from collectors.files.syntax.recognition import JSON, dotted_words
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, Budget, TreeNode
from collectors.files.syntax.yaml_templates import without_templates

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MOST_SECONDS = 10.0
SEPARATOR = re.compile(r"^---(?=[ \t]|$)", re.MULTILINE)
BREAK = re.compile("[\n\x85\u2028\u2029]")
"""What ends a line to YAML 1.1; to an editor the first alone does."""
FUNCTIONS_OF_TEXT = ("!Sub", "!Base64")
"""Tags of CloudFormation whose text stands as it is, with its placeholders."""
WORDS = (
    "binarydata",
    "kind: secret",
    "kafka",
    "bootstrap",
    "zookeeper",
    "confluent",
    "replication",
    "replicas",
    "partitions",
    "connector",
    "acks",
    "msk",
    "insync",
    "unclean",
    "overrideconfiguration",
    "interbroker",
    "jikkou",
    "julie",
    "allow_delete_",
)
"""One of them is in every document that concerns Kafka."""


class Reading:
    """What has been read of one file: its nodes, and since when."""

    def __init__(self, shown: str, language: str) -> None:
        self.shown = shown
        self.language = language
        self.nodes = 0
        self.end = time.monotonic() + MOST_SECONDS

    def count(self, nodes_of_document: int, line: int) -> None:
        """Count one node more. Raises UnreadableInput beyond a limit."""
        self.nodes += 1
        if nodes_of_document > limits.NODES_OF_DOCUMENT:
            raise TooManyValues(f"{self.shown}:{line}: over {limits.NODES_OF_DOCUMENT:,} values in one document")
        if self.nodes > limits.NODES_OF_FILE:
            raise UnreadableInput(f"{self.shown}:{line}: over {limits.NODES_OF_FILE:,} values in one file")
        if self.nodes % 1000 == 0 and time.monotonic() > self.end:
            raise UnreadableInput(f"{self.shown}:{line}: takes longer than {MOST_SECONDS:.0f} s to read")


def documents(
    text: str, shown: str, language: str, every: bool = False, beside: re.Pattern[str] | None = None
) -> Iterator[TreeNode]:
    """The documents of a stream that mention Kafka, or every one, as trees; those that match `beside` are left out. Raises UnreadableInput."""
    if len(text) > limits.size(limits.STRUCTURED):
        raise limits.too_large(shown, limits.STRUCTURED)
    if language == JSON:
        text = without_comments(text)
    reading = Reading(shown, language)
    for first_line, part in _parts(text.replace("\r\n", "\n").replace("\r", "\n")):
        if beside is not None and beside.search(part):
            continue
        lower = part.lower()
        if every or any(word in lower for word in WORDS) or any(map(known_anywhere, dotted_words(part))):
            yield from _trees(without_templates(part), first_line, reading)


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """(lines before it, text) of every document of a stream."""
    starts = [match.start() for match in SEPARATOR.finditer(text)]
    bounds = [0, *(start for start in starts if start), len(text)]
    line = 0
    for start, end in itertools.pairwise(bounds):
        part = text[start:end]
        yield line, part
        line += part.count("\n")


NO_TOKEN = "found character that cannot start any token"


def _trees(text: str, lines_before: int, reading: Reading) -> Iterator[TreeNode]:
    builder = Builder(text, lines_before, reading)
    try:
        for event in yaml.parse(text, LOADER):
            tree = builder.add(event)
            if tree is not None:
                yield tree
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f":{builder.line_numbers[mark.line]}:{mark.column + 1}" if mark else ""
        is_tab = (
            mark is not None and error.problem == NO_TOKEN and text.split("\n")[mark.line][mark.column :][:1] == "\t"
        )
        problem = "a tab, where YAML indents with spaces" if is_tab else unquoted(error.problem)
        raise UnreadableInput(f"{reading.shown}{where}: not {reading.language}: {problem}") from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise UnreadableInput(
            f"{reading.shown}: not {reading.language}: {' '.join(str(error).split())[:200]}"
        ) from None


def _line_numbers(text: str, first: int) -> Sequence[int]:
    """The number that an editor shows for each line of the parser, which knows more line breaks and ends the last line."""
    if text.isascii():
        return range(first, first + text.count("\n") + 2)
    newlines = (match.group() == "\n" for match in BREAK.finditer(text))
    return list(itertools.accumulate(itertools.chain(newlines, [True]), initial=first))


class Builder:
    """Builds trees from the events of a YAML parser; aliases are shared, not copied."""

    def __init__(self, text: str, lines_before: int, reading: Reading) -> None:
        self.lines = text.split("\n")
        self.lines_before = lines_before
        self.line_numbers = _line_numbers(text, lines_before + 1)
        self.reading = reading
        self.stack: list[TreeNode] = []
        self.keys: list[TreeNode | None] = []
        self.anchors: dict[str, TreeNode] = {}
        self.root: TreeNode | None = None
        self.nodes = 0
        self.budget = Budget(reading.shown)

    def add(self, event: yaml.Event) -> TreeNode | None:
        """Take one event; the tree at the end of a document."""
        if isinstance(event, yaml.ScalarEvent):
            self._attach(self._scalar(event), event.anchor)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._open(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self.keys.pop()
            closed = self.stack.pop()
            closed.end = self._position(event.end_mark)
        elif isinstance(event, yaml.DocumentEndEvent):
            root, self.root, self.nodes = self.root, None, 0
            self.anchors.clear()
            return root
        return None

    def _node(self, kind: str, event: yaml.NodeEvent, text: str = "", plain: bool = False) -> TreeNode:
        line, column = self._position(event.start_mark)
        self.nodes += 1
        self.reading.count(self.nodes, line)
        return TreeNode(kind, line, column, text, plain)

    def _position(self, mark: Any) -> tuple[int, int]:
        return self.line_numbers[mark.line], mark.column + 1

    def _scalar(self, event: yaml.ScalarEvent) -> TreeNode:
        text, plain = event.value, not event.style
        if event.tag in FUNCTIONS_OF_TEXT:
            plain = False
        elif event.tag is not None and not event.tag.startswith("tag:yaml.org,2002:"):
            text, plain = f"${{{event.tag.strip('!')[:40] or 'tag'}}}", False
        node = self._node(SCALAR, event, text, plain)
        node.end = self._position(event.end_mark)
        if event.style == "|":
            node.indent = self._indent(event)
        return node

    def _indent(self, event: yaml.ScalarEvent) -> int:
        """The columns that the text of a block scalar is indented by, which its first line shows that is not blank."""
        first = self._position(event.start_mark)[0] - self.lines_before
        for number, line in enumerate(event.value.split("\n"), first):
            if line.strip() and number < len(self.lines):
                return max(len(self.lines[number]) - len(line), 0)
        return 0

    def _open(self, event: yaml.CollectionStartEvent) -> None:
        node = self._node(MAPPING if isinstance(event, yaml.MappingStartEvent) else SEQUENCE, event)
        node.in_flow = bool(event.flow_style)
        node.budget = self.budget
        if len(self.stack) >= limits.DEPTH:
            raise UnreadableInput(f"{self.reading.shown}:{node.line}: nested deeper than {limits.DEPTH} levels")
        self._attach(node, event.anchor)
        self.stack.append(node)
        self.keys.append(None)

    def _alias(self, event: yaml.AliasEvent) -> None:
        name = event.anchor or ""
        node = self.anchors.get(name)
        if node is None:
            line, _ = self._position(event.start_mark)
            raise UnreadableInput(
                f"{self.reading.shown}:{line}: not YAML: an alias (*) of which there is no anchor (&)"
            )
        node.shared = True
        self._attach(node, None)

    def _attach(self, node: TreeNode, anchor: str | None) -> None:
        if anchor is not None:
            self.anchors[anchor] = node
        if not self.stack:
            self.root = node
            return
        parent = self.stack[-1]
        if parent.kind == SEQUENCE:
            parent.children.append(node)
        elif self.keys[-1] is None:
            self.keys[-1] = node
        else:
            parent.pairs_written.append((self.keys[-1], node))
            self.keys[-1] = None
