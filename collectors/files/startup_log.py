"""Start-up logs: what `AbstractConfig.logAll` prints is the effective configuration of a broker or client.

`null` is not set, `[a, b]` a list, `class x.Y` is x.Y and `[hidden]` a secret; a block that is printed twice counts last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from advisor import catalog
from advisor.errors import UnreadableInput
from advisor.model import Origin, Setting, Target
from collectors.files.block import MOST_SETTINGS, Block, deployment, make_setting, stated_target
from collectors.files.syntax.text_lines import text_lines
from collectors.files.syntax.tree import SCALAR, TreeNode

FORMAT_NAME = "startup-log"
HEADER = re.compile(r"\b(\w{1,60})Config values:\s*$")
LINE = re.compile(r"^(.{0,200}?)([A-Za-z][\w.-]{1,120}) = ?(.*)$")
VERSION = re.compile(r"\bKafka version ?: ([\w.-]{1,40})")
CONFIGURING = re.compile(r"^\[Configuring\] '(\w[\w.-]{0,120})' in ")
SERVICE_KEY = re.compile(r"^(?:[\w.]*\.)?port\.\d+\.tcp(?:\.port|\.proto|\.addr)?$|\.service\.(?:host|port)")
POD_NAME = re.compile(r"-[a-z0-9]{6,10}-[a-z0-9]{5}(?:/|$)")
KINDS = {
    "Kafka": "broker",
    "Producer": "producer",
    "Consumer": "consumer",
    "AdminClient": "admin",
    "Streams": "streams",
    "Distributed": "connect",
    "Standalone": "connect",
}
"""What the classes' names begin with, and the kind that each configures."""
HIDDEN = "[hidden]"
WHOLE, WHOLE_OF_ANY = 2, 4
"""Which part of a release's values a block has at least that is no excerpt: a half, of an unknown release a quarter."""
MOST_LINES = 1_000_000


class Printed:
    """The settings of one block of a log."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.rows: dict[str, tuple[str, int, int]] = {}

    def values(self) -> dict[str, str]:
        """The printed values alone: the same block is often printed twice."""
        return {key: row[0] for key, row in self.rows.items()}


def log_blocks(text: str, shown: str) -> list[Block]:
    """A block for every kind whose configuration a log prints, with what it says of containers."""
    lines = text_lines(text)[:MOST_LINES]
    printed = _last_of_each(list(_printed(lines, shown)))
    target = _target(lines, shown)
    kafka_blocks = [_block(each, target, shown) for each in printed]
    facts = _facts(lines, kafka_blocks, shown)
    return [*kafka_blocks, facts] if facts.settings and kafka_blocks else kafka_blocks


def _last_of_each(printed: list[Printed]) -> list[Printed]:
    by_identity: dict[tuple[str, str], Printed] = {}
    for each in printed:
        identity = next(
            (each.rows[key][0] for key in ("node.id", "broker.id", "client.id", "group.id") if key in each.rows), ""
        )
        before = by_identity.get((each.kind, identity))
        if before is None or before.values() != each.values():
            by_identity[each.kind, identity] = each
    return list(by_identity.values())


def _printed(lines: list[str], shown: str) -> Iterator[Printed]:
    current: Printed | None = None
    for number, line in enumerate(lines, 1):
        header = HEADER.search(line)
        if header is not None:
            if current is not None and current.rows:
                yield current
            kind = KINDS.get(header.group(1))
            current = Printed(kind) if kind is not None else None
            continue
        if current is None:
            continue
        row = LINE.match(line)
        if row is None or not _is_row(row.group(1)):
            if line.strip() and current.rows:
                yield current
                current = None
            continue
        if len(current.rows) >= MOST_SETTINGS:
            raise UnreadableInput(f"{shown}:{number}: over {MOST_SETTINGS} settings of one {current.kind}")
        current.rows[row.group(2)] = (row.group(3).strip(), number, row.start(2) + 1)
    if current is not None and current.rows:
        yield current


def _is_row(prefix: str) -> bool:
    """Whether nothing but a log's own prefix stands in front of a key."""
    return not prefix.strip() or prefix.endswith(("\t", "  ", "| ", "|\t"))


def _block(printed: Printed, target: Target | None, shown: str) -> Block:
    block = Block(printed.kind, f"{printed.kind} in {shown.rpartition('/')[2]}", FORMAT_NAME, shown)
    block.target = target
    block.described, block.places = {}, {}
    version = target.version if target is not None else catalog.NEWEST
    roles = printed.rows.get("process.roles")
    if roles is not None and "controller" in roles[0]:
        block.kind = "combined" if "broker" in roles[0] else "controller"
    component = "connect" if printed.kind == "connect" else printed.kind
    every = len(catalog.definitions(component, version))
    if len(printed.rows) * (WHOLE if target is not None else WHOLE_OF_ANY) < every:
        block.fragment = block.changed_by = (
            f"the log shows {len(printed.rows)} of about {every} values: it is an excerpt"
        )
    for key, (text, line, column) in printed.rows.items():
        value = _value(text)
        definition = catalog.lookup(component, version, key)
        if value is None or (definition is not None and (definition.default or "") == value):
            block.described[key] = value
            block.places[key] = Origin(shown, line, column)
        else:
            block.put(_setting(key, value, line, column, shown))
    return block


def _setting(key: str, value: str, line: int, column: int, shown: str) -> Setting:
    setting = make_setting(key, value, shown, TreeNode(SCALAR, line, column, key), None)
    setting.lead = f"{key} = "
    if value == HIDDEN:
        setting.value = setting.shown = "********"
        setting.shape = "hidden"
    return setting


def _value(text: str) -> str | None:
    """A printed value as a file would have it, None where it is not set."""
    if text == "null":
        return None
    if text == HIDDEN:
        return HIDDEN
    if text.startswith("[") and text.endswith("]"):
        return ",".join(_class(item.strip()) for item in text[1:-1].split(","))
    return _class(text)


def _class(text: str) -> str:
    return text.removeprefix("class ")


def _target(lines: list[str], shown: str) -> Target | None:
    for number, line in enumerate(lines, 1):
        match = VERSION.search(line)
        if match is None:
            continue
        key = TreeNode(SCALAR, number, match.start() + 1, "Kafka version")
        return stated_target(match.group(1), match.group(1), key, shown, "Kafka version")
    return None


def _facts(lines: list[str], blocks: list[Block], shown: str) -> Block:
    """What a log says of containers: variables of a Service, a folder that is named after the pod."""
    facts = deployment(f"container in {shown.rpartition('/')[2]}", FORMAT_NAME, shown)
    for number, line in enumerate(lines, 1):
        match = CONFIGURING.match(line)
        if match is not None and SERVICE_KEY.search(match.group(1)) and "service.links" not in facts.settings:
            place = TreeNode(SCALAR, number, match.start(1) + 1, match.group(1))
            facts.translate("service.links", "true", place, match.group(1))
    for block in blocks:
        for key in ("log.dirs", "log.dir"):
            setting = block.settings.get(key)
            if setting is not None and POD_NAME.search(setting.value) and "storage" not in facts.settings:
                place = TreeNode(SCALAR, setting.origin.line or 1, setting.origin.column or 1, key)
                facts.translate("storage", "ephemeral", place, key)
    return facts
