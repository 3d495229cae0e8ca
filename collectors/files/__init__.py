"""Read configuration files into entities, with secrets masked; group entities into clusters."""

from __future__ import annotations

import sys

from advisor.errors import NothingToJudge, NotRead, UnreadableInput, os_reason
from advisor.model import (
    CLIENT_FILE,
    DYNAMIC_TOPIC,
    LITERAL,
    MASK,
    OVERLAY,
    PEM_TEXT,
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
from collectors.files import detect
from collectors.files.properties import LONGEST, BrokenEscape, Comment, Entry, TooLong, decode, parse
from collectors.secrets.disclosure import protect, setting_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import BinaryIO

    from advisor.model import Target

BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
PEM_LINE = 48
"""Characters from which on a line of nothing else but base64 is a piece of PEM text, and no key."""
DATE = frozenset("0123456789-")
LONGEST_NAME = 80
MOST_SETTINGS = 5_000
SMALL = 1024 * 1024
"""Bytes up to which no limit has to be looked up."""
STDIN = "<stdin>"
GZIP = b"\x1f\x8b"


class IsSnapshot(Exception):
    """The file is a saved snapshot of a running cluster, not a configuration file."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.data = data


class File:
    """A file to read: path (`-` is standard input), and kind and target version where the user gave them."""

    __slots__ = ("kind", "path", "target")

    def __init__(self, path: str, kind: str | None = None, target: Target | None = None) -> None:
        self.path = path
        self.kind = kind
        self.target = target


def read(file: File) -> tuple[Entity, list[Suppression]]:
    """Read one file into an entity. Raises UnreadableInput, NotRead, NothingToJudge, or IsSnapshot."""
    shown = STDIN if file.path == "-" else file.path
    data = content(file.path)
    if is_saved(data):
        raise IsSnapshot(data)
    text = decode(check_bytes(data, shown))
    if not file.path.endswith(".properties"):
        _refuse_other_syntax(file.path, text, shown)
    try:
        settings, suppressions = _settings(text, shown)
    except BrokenEscape as broken:
        where = f"{shown}:{broken.line}:{broken.column}"
        raise UnreadableInput(
            f"{where}: a \\u that four hexadecimal digits do not follow; Java refuses such a file: write \\\\u or \\uXXXX"
        ) from None
    except TooLong as long:
        raise UnreadableInput(f"{shown}:{long.line}: over {LONGEST // SMALL} MB in one setting") from None
    if not settings:
        raise NothingToJudge(f"{shown}: no settings in it (only blank lines and comments)")
    kind = file.kind or detect.kind_of(settings)
    if kind is None:
        raise NothingToJudge(f"{shown}: no Kafka setting in it; say what it is with --kind if it is one")
    entity = _entity(shown, kind, settings, file.target)
    entity.fragment = detect.fragment_of(kind, settings)
    return entity, suppressions


def _refuse_other_syntax(path: str, text: str, shown: str) -> None:
    from collectors.files.syntax import other_syntax

    syntax = other_syntax(path, text)
    if syntax is not None:
        raise NotRead(f"{shown}: not read: this is {syntax}, not a properties file")


def entity_of(text: str, shown: str, kind: str | None, target: Target | None, otherwise: str) -> Entity:
    """Parse a text into an entity; `otherwise` is its kind where neither caller nor text says."""
    settings, _ = _settings(text, shown)
    return _entity(shown, kind or detect.kind_of(settings) or otherwise, settings, target)


def content(path: str) -> bytes:
    """Read a file's bytes; `-` is standard input. Raises UnreadableInput."""
    return _read(path, STDIN if path == "-" else path)


def check_bytes(data: bytes, shown: str) -> bytes:
    """Check that bytes can be a properties file, and return them. Raises UnreadableInput."""
    if len(data) > SMALL:
        from advisor import limits

        if len(data) > limits.size(limits.CONFIGURATION):
            raise limits.too_large(shown, limits.CONFIGURATION)
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
            return _whole(sys.stdin.buffer, shown)
        with open(path, "rb") as handle:
            return _whole(handle, shown)
    except IsADirectoryError:
        raise UnreadableInput(f"{shown}: is a directory; name the files in it") from None
    except OSError as error:
        raise UnreadableInput(f"{shown}: {os_reason(error)}") from None
    except ValueError:
        raise UnreadableInput(f"{shown!r}: not a file name") from None


def _whole(handle: BinaryIO, shown: str) -> bytes:
    """Read a file no further than its limit: that of a saved snapshot is larger."""
    data = handle.read(SMALL + 1)
    if len(data) <= SMALL:
        return data
    from advisor import limits

    most = limits.size(limits.CONFIGURATION)
    data += handle.read(most - SMALL)
    if len(data) > most and is_saved(data):
        data += handle.read(limits.size(limits.SNAPSHOT) - most)
        if len(data) > limits.size(limits.SNAPSHOT):
            raise limits.too_large(shown, limits.SNAPSHOT)
    return data


def is_saved(data: bytes) -> bool:
    """Whether the bytes are a JSON object or compressed; a template begins with two braces."""
    if data[:2] == GZIP:
        return True
    bare = data[:200].lstrip()
    return bare[:1] == b"{" and bare[1:].lstrip()[:1] in (b'"', b"}", b"")


def _settings(text: str, shown: str) -> tuple[dict[str, Setting], list[Suppression]]:
    settings: dict[str, Setting] = {}
    suppressions: list[Suppression] = []
    pending: list[Suppression] = []
    optional: set[str] = set()
    depth, in_pem, size = 0, False, 0
    for item in parse(text):
        if type(item) is Comment:
            if "kafka-advisor:" in item.text:
                pending.append(suppression(shown, item))
                if len(pending) + len(suppressions) > MOST_SETTINGS:
                    raise UnreadableInput(f"{shown}:{item.line}: over {MOST_SETTINGS} comments that suppress findings")
            continue
        assert isinstance(item, Entry)
        step = _template_step(item)
        if step is not None:
            depth = max(0, depth + step)
            continue
        for waiting in pending:
            waiting.key = item.key if waiting.key == "" else None
        suppressions += pending
        pending.clear()
        in_pem, pem_text = _pem_text(item, in_pem)
        if pem_text:
            if PEM_TEXT in settings:
                continue
            item.key, item.value = PEM_TEXT, ""
        before = settings.pop(item.key, None)
        size += len(item.raw)
        if size > LONGEST:
            raise UnreadableInput(f"{shown}:{item.line}: over {LONGEST // SMALL} MB of settings")
        if len(settings) >= MOST_SETTINGS:
            raise UnreadableInput(
                f"{shown}:{item.line}: over {MOST_SETTINGS} settings; a configuration file has some hundred"
            )
        if depth:
            optional.add(item.key)
        settings[item.key] = _setting(item, shown, before)
        if before and item.key in optional:
            _make_undecided(settings[item.key])
    return settings, suppressions + pending


def _pem_text(entry: Entry, in_pem: bool) -> tuple[bool, bool]:
    """(whether lines of PEM text follow, whether this is one): a key of them is a piece of a secret, not a name."""
    raw = entry.raw
    if "-----" in raw:
        begins = "-----BEGIN" in raw and "-----END" not in raw
        return begins, raw.lstrip().startswith("-----")
    piece = BASE64.issuperset(raw.strip().rstrip("=")) and (in_pem or (len(entry.key) >= PEM_LINE and "." not in raw))
    return in_pem and piece, piece


def _template_step(entry: Entry) -> int | None:
    """By how many blocks a line that may steer a template nests deeper, None for a setting."""
    if not entry.key.startswith(("{", "<")):
        return None
    from collectors.files import templates

    return templates.steps(entry.raw.strip()) if templates.may_steer(entry.key) else None


def _make_undecided(setting: Setting) -> None:
    """Turn a setting that a template gives several values into a placeholder that overrides nothing."""
    from collectors.files.templates import CHOICE

    setting.shadowed = ()
    if not setting.secret:
        setting.shape, setting.value, setting.shown = PLACEHOLDER, CHOICE, CHOICE


def _earlier_with(before: Setting) -> Sequence[Setting]:
    """The earlier settings under the same key, with one more; the list may be long and is reused."""
    earlier = before.shadowed if isinstance(before.shadowed, list) else list(before.shadowed)
    before.shadowed = ()
    earlier.append(before)
    return earlier


def _setting(entry: Entry, shown: str, before: Setting | None) -> Setting:
    key, value = entry.key, entry.value
    origin = Origin(shown, entry.line, entry.column)
    shadowed = _earlier_with(before) if before else ()
    return setting_of(key, value, STATIC_BROKER, origin, shadowed)


def suppression(shown: str, comment: Comment) -> Suppression:
    """Parse `# kafka-advisor: ignore[KA101,…] reason until=2027-01-31` (or ignore-file[…])."""
    from collectors.secrets.masking import mask_prose

    words = comment.text.split("kafka-advisor:", 1)[1].strip()
    head, _, brackets = words.partition("[")
    inside, closed, reason = brackets.partition("]")
    until = None
    reason_words = []
    for word in reason.split():
        if word.startswith("until="):
            date = word[len("until=") :]
            until = date if DATE.issuperset(date) and len(date) <= len("2027-01-31") else MASK
        else:
            reason_words.append(word)
    rules = tuple(_rule_name(name.strip()) for name in inside.split(",") if name.strip())
    if head.strip() not in ("ignore", "ignore-file") or not closed:
        rules = ()
    key = None if head.strip() == "ignore-file" else ""
    return Suppression(shown, comment.line, key, rules, mask_prose(" ".join(reason_words)), until)


def _rule_name(name: str) -> str:
    """A name as rules have them, masked where it cannot be one: a comment may hold anything."""
    is_id = name[:2].upper() == "KA" and name[2:].isdigit() and len(name) <= len("KA12345")
    is_word = name.replace("-", "").isalpha() and name.islower() and len(name) <= LONGEST_NAME
    return name if is_id or is_word else MASK


def _entity(shown: str, kind: str, settings: dict[str, Setting], target: Target | None) -> Entity:
    protect(kind, settings)
    target = target or detect.target_of(kind, settings)
    family = detect.family_of(kind, settings)
    name = _name(kind, shown, settings)
    if kind in SERVER_KINDS:
        fragment = detect.PLATFORM if kind == OVERLAY else ""
        return Broker(kind, name, shown, settings, target, fragment=fragment)
    source = DYNAMIC_TOPIC if kind == "topic" else CLIENT_FILE
    for setting in settings.values():
        setting.source = source
    entity_class: Callable[..., Entity] = {"topic": Topic, "zookeeper": ZooKeeperEnsemble}.get(kind, Client)
    return entity_class(kind, name, shown, settings, target, family)


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
    """Group entities into snapshots of their clusters; clients `joined` are added to each with a node."""
    groups: dict[object, list[tuple[Entity, list[Suppression]]]] = {}
    for number, pair in enumerate(read_files):
        groups.setdefault("one" if one_cluster else _cluster(pair[0]) or number, []).append(pair)
    if not one_cluster:
        groups = {
            key: members_of_part
            for cluster, group in groups.items()
            for key, members_of_part in _split_loopback_clusters(cluster, group)
        }
    clusters = []
    for group in groups.values():
        has_node = any(entity.kind in SERVER_KINDS for entity, _ in group)
        members = [*group, *joined] if has_node else group
        clusters.append(_snapshot(members))
    if joined and not any(entity.kind in SERVER_KINDS for entity, _ in read_files):
        clusters += [_snapshot([pair]) for pair in joined]
    return clusters


def _snapshot(members: Sequence[tuple[Entity, list[Suppression]]]) -> Snapshot:
    name = min(entity.file or entity.name for entity, _ in members)
    return Snapshot(name, [entity for entity, _ in members], [s for _, more in members for s in more])


def _cluster(entity: Entity) -> tuple[str, ...] | None:
    """The identity of a node's cluster: its quorum voters, its bootstrap controllers, or its ZooKeeper."""
    if entity.kind not in SERVER_KINDS:
        return None
    for key in ("controller.quorum.voters", "controller.quorum.bootstrap.servers", "zookeeper.connect"):
        setting = entity.settings.get(key)
        if setting is not None and setting.shape == LITERAL:
            hosts, slash, chroot = setting.value.partition("/")
            servers = sorted(server.strip().lower() for server in hosts.split(",") if server.strip())
            if servers:
                return (key, *servers, slash + chroot.strip())
    return None


def _split_loopback_clusters(
    cluster: object, group: list[tuple[Entity, list[Suppression]]]
) -> list[tuple[object, list[tuple[Entity, list[Suppression]]]]]:
    """Split nodes that share only a loopback address and an id: every machine has a localhost."""
    names = [entity.name for entity, _ in group]
    if len(group) < 2 or len(set(names)) == len(names) or not isinstance(cluster, tuple):
        return [(cluster, group)]
    if all("localhost" in server or "127.0.0.1" in server for server in cluster[1:-1]):
        return [((cluster, number), [pair]) for number, pair in enumerate(group)]
    return [(cluster, group)]
