"""Files into entities: read, decode, detect, mask; and entities into the snapshots of their clusters."""

from __future__ import annotations

import sys

from advisor.errors import NothingToJudge, UnreadableInput, os_reason
from advisor.model import (
    CLIENT_FILE,
    DYNAMIC_TOPIC,
    EMPTY,
    LITERAL,
    MASK,
    PLACEHOLDER,
    SERVER_KINDS,
    STATIC_BROKER,
    Broker,
    Client,
    Entity,
    Origin,
    Setting,
    Snapshot,
    Suppression,
    Topic,
    ZooKeeperEnsemble,
)
from collectors.files import detect, secrets, templates
from collectors.files.properties import BrokenEscape, Comment, Entry, decode, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import BinaryIO

    from advisor.model import Target

LIMIT = 32 * 1024 * 1024
STDIN = "<stdin>"
GZIP = b"\x1f\x8b"


class IsSnapshot(Exception):
    """The file is a saved snapshot of a running cluster, and no configuration."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.data = data


class File:
    """What was asked to be read, and what the user said of it: path (`-` is standard input), kind, target version."""

    __slots__ = ("kind", "path", "target")

    def __init__(self, path: str, kind: str | None = None, target: Target | None = None) -> None:
        self.path = path
        self.kind = kind
        self.target = target


def read(file: File) -> tuple[Entity, list[Suppression]]:
    """One entity from one file. Raises Unreadable, Nothing, or Saved where it is a snapshot."""
    shown = STDIN if file.path == "-" else file.path
    data = content(file.path)
    if is_saved(data):
        raise IsSnapshot(data)
    text = decode(checked(data, shown))
    try:
        settings, suppressions = _settings(text, shown)
    except BrokenEscape as broken:
        where = f"{shown}:{broken.line}:{broken.column}"
        raise UnreadableInput(
            f"{where}: a \\u that four hexadecimal digits do not follow; Java refuses such a file: write \\\\u or \\uXXXX"
        ) from None
    if not settings:
        raise NothingToJudge(f"{shown}: no settings in it (only blank lines and comments)")
    kind = file.kind or detect.kind_of(settings)
    if kind is None:
        raise NothingToJudge(f"{shown}: no Kafka setting in it; say what it is with --kind if it is one")
    return _entity(shown, kind, settings, file.target), suppressions


def entity_of(text: str, shown: str, kind: str | None, target: Target | None, otherwise: str) -> Entity:
    """The entity of a text that is at hand; `otherwise` is its kind where neither the caller nor the text says."""
    settings, _ = _settings(text, shown)
    return _entity(shown, kind or detect.kind_of(settings) or otherwise, settings, target)


def content(path: str) -> bytes:
    """A file as it is; `-` is standard input. Raises Unreadable."""
    return _read(path, STDIN if path == "-" else path)


def checked(data: bytes, shown: str) -> bytes:
    """The bytes of a properties file. Raises Unreadable where they cannot be one."""
    if len(data) > LIMIT:
        raise UnreadableInput(f"{shown}: over 32 MB; a configuration file is a few kB")
    if b"\0" in data:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[:4] == b"\0\0\xfe\xff":
            raise UnreadableInput(f"{shown}: is UTF-16 or UTF-32, which Kafka cannot read; save it as UTF-8")
        raise UnreadableInput(f"{shown}: is a binary file, not a properties file")
    return data


def _read(path: str, shown: str) -> bytes:
    try:
        if path == "-" and sys.stdin is None:
            raise UnreadableInput(f"{shown}: standard input is closed")
        if path == "-":
            return _whole(sys.stdin.buffer)
        with open(path, "rb") as handle:
            return _whole(handle)
    except IsADirectoryError:
        raise UnreadableInput(f"{shown}: is a directory; name the files in it") from None
    except OSError as error:
        raise UnreadableInput(f"{shown}: {os_reason(error)}") from None
    except ValueError:
        raise UnreadableInput(f"{shown!r}: not a file name") from None


def _whole(handle: BinaryIO) -> bytes:
    """All of a saved snapshot, which may be large; of anything else enough to see that it is too much."""
    data = handle.read(LIMIT + 1)
    return data + handle.read() if len(data) > LIMIT and is_saved(data) else data


def is_saved(data: bytes) -> bool:
    """Whether the bytes are those of a JSON object or compressed; a template begins with two braces."""
    if data[:2] == GZIP:
        return True
    bare = data[:200].lstrip()
    return bare[:1] == b"{" and bare[1:].lstrip()[:1] in (b'"', b"}", b"")


def _settings(text: str, shown: str) -> tuple[dict[str, Setting], list[Suppression]]:
    settings: dict[str, Setting] = {}
    suppressions: list[Suppression] = []
    pending: list[Suppression] = []
    optional: set[str] = set()
    depth = 0
    for item in parse(text):
        if type(item) is Comment:
            if "kafka-advisor:" in item.text:
                pending.append(suppression(shown, item))
            continue
        assert isinstance(item, Entry)
        step = templates.steps(item.raw.strip()) if templates.begins(item.key) else None
        if step is not None:
            depth = max(0, depth + step)
            continue
        for waiting in pending:
            waiting.key = item.key if waiting.key == "" else None
        suppressions += pending
        pending.clear()
        before = settings.pop(item.key, None)
        if depth:
            optional.add(item.key)
        settings[item.key] = _setting(item, shown, before)
        if before and item.key in optional:
            _leave_open(settings[item.key])
    return settings, suppressions + pending


def _leave_open(setting: Setting) -> None:
    """A template chooses between several values: none of them is the one, and none is overruled."""
    setting.shadowed = ()
    if not setting.secret:
        setting.shape, setting.value = PLACEHOLDER, templates.CHOICE


def _with(before: Setting) -> Sequence[Setting]:
    """The settings that a later one under the same key replaces; the list is handed on, it may be long."""
    earlier = before.shadowed if isinstance(before.shadowed, list) else list(before.shadowed)
    before.shadowed = ()
    earlier.append(before)
    return earlier


def _setting(entry: Entry, shown: str, before: Setting | None) -> Setting:
    key, value = entry.key, entry.value
    line = entry.raw.partition("\n")[0].strip(" \t\f")
    secret = secrets.is_secret(key) or "LoginModule" in value
    shadowed = _with(before) if before else ()
    if not secret:
        shape = LITERAL if value and not any(mark in value for mark in "$<{%@[") else secrets.shape_of(value)
        shown_value = value if shape == EMPTY else secrets.mask(value)
        if (shown_value is not value and shown_value != value) or ("://" in line and "@" in line):
            line = secrets.mask(line)
        origin = Origin(shown, entry.line, entry.column, line)
        provider = secrets.provider_of(value)
        return Setting(key, shown_value, STATIC_BROKER, origin, shape=shape, provider=provider, shadowed=shadowed)
    jaas = secrets.jaas_of(value) if "jaas.config" in key or "LoginModule" in value else None
    shape = secrets.shape_of_secret(value) if jaas else secrets.shape_of(value)
    hidden = "" if shape == EMPTY and not value.strip() else MASK
    origin = Origin(shown, entry.line, entry.column, f"{key}={hidden}")
    return Setting(
        key,
        hidden,
        STATIC_BROKER,
        origin,
        secret=True,
        shape=shape,
        jaas=jaas,
        provider=secrets.provider_of(value),
        shadowed=shadowed,
    )


def suppression(shown: str, comment: Comment) -> Suppression:
    """Read `# kafka-advisor: ignore[KA101,…] reason until=2027-01-31` (or ignore-file[…])."""
    words = comment.text.split("kafka-advisor:", 1)[1].strip()
    head, _, rest = words.partition("[")
    inside, closed, reason = rest.partition("]")
    until = None
    kept = []
    for word in reason.split():
        if word.startswith("until="):
            until = word[len("until=") :]
        else:
            kept.append(word)
    rules = tuple(name.strip() for name in inside.split(",") if name.strip())
    if head.strip() not in ("ignore", "ignore-file") or not closed:
        rules = ()
    key = None if head.strip() == "ignore-file" else ""
    return Suppression(shown, comment.line, key, rules, " ".join(kept), until)


def _entity(shown: str, kind: str, settings: dict[str, Setting], target: Target | None) -> Entity:
    target = target or detect.target_of(kind, settings)
    family = detect.family_of(kind, settings)
    name = _name(kind, shown, settings)
    if kind in SERVER_KINDS:
        return Broker(kind, name, shown, settings, target)
    source = DYNAMIC_TOPIC if kind == "topic" else CLIENT_FILE
    for setting in settings.values():
        setting.source = source
    made: Callable[..., Entity] = {"topic": Topic, "zookeeper": ZooKeeperEnsemble}.get(kind, Client)
    return made(kind, name, shown, settings, target, family)


def _name(kind: str, shown: str, settings: dict[str, Setting]) -> str:
    if kind in SERVER_KINDS:
        id = settings.get("node.id") or settings.get("broker.id")
        if id is not None and id.value.strip().isdigit():
            return id.value.strip()
    return shown.rpartition("/")[2]


def snapshots(
    read_files: Sequence[tuple[Entity, list[Suppression]]],
    joined: Sequence[tuple[Entity, list[Suppression]]] = (),
    one_cluster: bool = False,
) -> list[Snapshot]:
    """The clusters that the files describe; clients `joined` belong to every cluster that has a node."""
    groups: dict[object, list[tuple[Entity, list[Suppression]]]] = {}
    for number, pair in enumerate(read_files):
        groups.setdefault("one" if one_cluster else _cluster(pair[0]) or number, []).append(pair)
    if not one_cluster:
        groups = {key: part for whole, group in groups.items() for key, part in _told_apart(whole, group)}
    found = []
    for group in groups.values():
        has_node = any(entity.kind in SERVER_KINDS for entity, _ in group)
        members = [*group, *joined] if has_node else group
        found.append(_snapshot(members))
    if joined and not any(entity.kind in SERVER_KINDS for entity, _ in read_files):
        found += [_snapshot([pair]) for pair in joined]
    return found


def _snapshot(members: Sequence[tuple[Entity, list[Suppression]]]) -> Snapshot:
    name = min(entity.file or entity.name for entity, _ in members)
    return Snapshot(name, [entity for entity, _ in members], [s for _, more in members for s in more])


def _cluster(entity: Entity) -> tuple[str, ...] | None:
    """What names the cluster of a node: its quorum's voters, its controllers' addresses, or its ZooKeeper."""
    if entity.kind not in SERVER_KINDS:
        return None
    for key in ("controller.quorum.voters", "controller.quorum.bootstrap.servers", "zookeeper.connect"):
        setting = entity.settings.get(key)
        if setting is not None and setting.shape == LITERAL:
            hosts, slash, chroot = setting.value.partition("/")
            servers = sorted(part.strip().lower() for part in hosts.split(",") if part.strip())
            if servers:
                return (key, *servers, slash + chroot.strip())
    return None


def _told_apart(
    whole: object, group: list[tuple[Entity, list[Suppression]]]
) -> list[tuple[object, list[tuple[Entity, list[Suppression]]]]]:
    """Nodes under one id whose common address is the loopback are no cluster: every machine has a localhost."""
    names = [entity.name for entity, _ in group]
    if len(group) < 2 or len(set(names)) == len(names) or not isinstance(whole, tuple):
        return [(whole, group)]
    if all("localhost" in server or "127.0.0.1" in server for server in whole[1:-1]):
        return [((whole, number), [pair]) for number, pair in enumerate(group)]
    return [(whole, group)]
