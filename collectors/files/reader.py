"""Read a file: a configuration into entities with secrets masked; else say what it is."""

from __future__ import annotations

import os
import sys

from advisor import catalog
from advisor.catalog.keys import CLIENTS
from advisor.errors import JudgedElsewhere, NoSyntax, NothingToJudge, NotOfANode, UnreadableInput, os_reason
from advisor.model import DEPLOYMENT, OVERLAY, SERVER_KINDS, Entity, Suppression, Target
from collectors.files import detect, unsaved
from collectors.files.syntax.properties import BYTE_ORDER_MARK, SEALS, decode
from collectors.files.syntax.properties_file import read_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import BinaryIO, TypeAlias

    from advisor.model import Setting
    from collectors.files.run_files import RunFiles
    from collectors.files.structured import PartlyRead

    Read = tuple[Entity, list[Suppression]]
    Contents: TypeAlias = "list[Read] | PartlyRead | SavedSnapshot | ToolOutputs"
    """What a file holds: the entities of a configuration, or a running cluster."""

PRINTED = 5
"""The number of settings with the value `null` from which on a file is what a running node printed: they are not set there."""
SMALL = 1024 * 1024
"""Bytes up to which no limit has to be looked up."""
STDIN = "<stdin>"
OURS = (b'"kafka-advisor-snapshot/', b'"kafka-advisor/')
"""What the format of a saved snapshot begins with, and that of a report."""
FRAMEWORKS = ("spring.", "quarkus.", "mp.messaging.", "kafka-streams.", "%dev.", "%test.", "%prod.", "%{", "micronaut.",
              "kafka.producers.", "kafka.consumers.", "kafka.streams.", "debezium.sink.", "debezium.source.", "kafkastore.")  # fmt: skip
"""What the keys of applications begin with that configure Kafka's clients among other things."""
WHOLE_KEYS = frozenset(("process.roles", "zookeeper.connect"))
OF_KSQLDB = ("ksql.sink.replicas",)
"""What ksqlDB makes of topics, which is no setting of Kafka's."""
SHOWN_NAMES = 4
GZIP = b"\x1f\x8b"
MARK = "\ufeff"
"""A byte order mark: Java's properties keep it as part of the first key."""


class SavedSnapshot:
    """A file that is a saved snapshot of a running cluster, not a configuration file: its bytes."""

    __slots__ = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data

    def is_whole(self) -> bool:
        """Whether it begins as a snapshot does: a report of ours, or the schema, only names the format."""
        return b"".join(self.data[:200].split()).startswith(b'{"format":"kafka-advisor-snapshot/')


class ToolOutputs:
    """A file that quotes outputs of Kafka's tools: facts of a running cluster; `entities` are those of logs beside them."""

    __slots__ = ("entities", "text")

    def __init__(self, text: str, entities: list[Read]) -> None:
        self.text = text
        self.entities = entities


class File:
    """A file to read: path (`-` is standard input), and kind, target version and variables where the user gave them.

    `run` has the other files of the run: some of one folder are about one cluster.
    """

    __slots__ = ("kind", "path", "run", "target", "variables")

    def __init__(
        self,
        path: str,
        kind: str | None = None,
        target: Target | None = None,
        variables: Mapping[str, str] | None = None,
        run: RunFiles | None = None,
    ) -> None:
        self.run = run
        self.variables = variables or {}
        self.path = path
        self.kind = kind
        self.target = target


def read(file: File) -> Contents:
    """Read one file: the entities of a configuration, or a cluster. Raises UnreadableInput, NotRead, NothingToJudge."""
    shown = STDIN if file.path == "-" else file.path
    data = content(file.path)
    check_seal(data, shown)
    if is_snapshot(data):
        return SavedSnapshot(data)
    try:
        return _parse(file, data, shown)
    except UnreadableInput as error:
        from collectors.files.syntax.recognition import names_syntax

        if file.path == "-" or names_syntax(file.path):
            raise
        raise NoSyntax(str(error)) from None


def _parse(file: File, data: bytes, shown: str) -> Contents:
    text = decode(check_bytes(data, shown))
    if file.kind is None and file.run is not None:
        _check_not_taken(file.path, file.run, shown)
    if file.variables:
        from collectors.files.variables import fill_given

        text = fill_given(text, file.variables)
    if not file.path.endswith(".properties"):
        from collectors.files.syntax.recognition import PROPERTIES, SCRIPT, holds_outputs, syntax_of

        syntax = syntax_of(file.path, text)
        if syntax != PROPERTIES:
            from collectors.files.structured import read_beside_outputs, read_structured

            if holds_outputs(syntax, text):
                return ToolOutputs(text, read_beside_outputs(syntax, text, file.path, file.kind, file.target))
            contents = read_structured(syntax, text, file.path, file.kind, file.target, file.run)
            if syntax == SCRIPT:
                _mark_changed(entities_of(contents) if isinstance(contents, list) else contents.entities, file)
            return contents
    entities = _read_properties(file, MARK + text if data.startswith(BYTE_ORDER_MARK) else text, shown)
    _mark_changed(entities, file)
    return _partly_read(entities)


def _partly_read(entities: list[Read]) -> list[Read] | PartlyRead:
    """The entities of a file, and what it sets that no reader follows: ksqlDB's own topics."""
    named = [key for entity, _ in entities if entity.kind == "admin" for key in entity.settings if key in OF_KSQLDB]
    if not named:
        return entities
    from collectors.files.structured import PartlyRead

    return PartlyRead(entities, f"not read beside what is judged: it names {named[0]} in a form that is not followed")


def _mark_changed(entities: Sequence[Read], file: File) -> None:
    """Make unknown in nodes what scripts of the run set in their file."""
    if (
        file.run is not None
        and len(file.run.ending(("",))) > 1
        and any(entity.kind in (*SERVER_KINDS, "zookeeper") for entity, _ in entities)
    ):
        from collectors.files.script_changes import PROPERTIES, mark_changed, scripts_near

        for entity, _ in entities:
            name = os.path.basename(file.path) if entity.format == "properties" else entity.name
            if entity.format == "properties" or name.endswith(PROPERTIES):
                others = (each for each in scripts_near(file.path, file.run) if each.path != file.path)
                mark_changed(entity, name, others)


def _check_not_taken(path: str, run: RunFiles, shown: str) -> None:
    """Raise JudgedElsewhere for a file that another one of the run takes."""
    if run.has_terraform and not path.endswith(".tf"):
        from collectors.files.cloud.terraform_file_calls import FORMAT_NAME, is_taken

        if is_taken(path, run):
            raise JudgedElsewhere(f"{shown}: Terraform takes it, and is judged with it", FORMAT_NAME)
    if path.endswith(".properties") and run.compose_files:
        from collectors.files.compose import mounted_files

        if mounted_files.is_mounted(path, run):
            text = f"{shown}: Compose mounts it for a service whose variables complete it, and is judged with it"
            raise JudgedElsewhere(text, mounted_files.FORMAT_NAME)


def read_one(file: File) -> Read | None:
    """Read a file that describes one entity; None of a saved snapshot. Raises UnreadableInput where it describes several."""
    contents = read(file)
    if isinstance(contents, SavedSnapshot):
        return None
    configurations = [pair for pair in entities_of(contents) if pair[0].kind != DEPLOYMENT]
    if len(configurations) == 1:
        return configurations[0]
    names = ", ".join(f"{entity.kind} {entity.name}" for entity, _ in configurations[:SHOWN_NAMES])
    raise UnreadableInput(f"{file.path}: describes {len(configurations)} configurations ({names}); one is wanted")


def entities_of(contents: Contents) -> list[Read]:
    """The entities of a configuration, alone or beside outputs of tools; a saved snapshot holds none."""
    if isinstance(contents, list):
        return contents
    return [] if isinstance(contents, SavedSnapshot) else contents.entities


def _read_properties(file: File, text: str, shown: str) -> list[Read]:
    settings, suppressions = read_settings(text, shown)
    if not settings:
        raise NothingToJudge(f"{shown}: no settings in it (only blank lines and comments)")
    null = {key for key, setting in settings.items() if is_null(setting)}
    is_printed = len(null) >= PRINTED
    if is_printed:
        settings = {key: setting for key, setting in settings.items() if key not in null}
    if detect.is_hocon(file.path, settings):
        language = "JAAS" if any(key.endswith("LoginModule") for key in settings) else "HOCON"
        raise NothingToJudge(f"{shown}: not read: this is {language}, not a properties file")
    if file.kind is None and is_of_framework(settings):
        from collectors.files.structured import read_flat

        return read_flat(text, file.path, file.target, file.run)
    if file.kind is None and are_variables(settings):
        from collectors.files.structured import read_variables

        return read_variables(text, file.path, file.target, file.run)
    if "connector.class" in settings and file.kind in (None, "connect"):
        from collectors.files.connectors import blocks_of_properties, is_connector
        from collectors.files.structured import entity_of as entity_of_block

        if is_connector(settings):
            entities = (entity_of_block(block, None, file.target) for block in blocks_of_properties(settings, shown))
            return [(entity, [] if number else suppressions) for number, entity in enumerate(filter(None, entities))]
    kind = file.kind or _kind_of(shown, settings)
    entity = detect.make_entity(
        shown, kind, settings, file.target or (target_printed(settings) if is_printed else None)
    )
    entity.fragment = detect.fragment_of_file(kind, settings)
    if is_printed:
        leave_defaults_out(entity)
    clients = (*_inner_clients(entity), *_streams_of_server(entity))
    return [(entity, suppressions), *((client, []) for client in clients)]


def _kind_of(shown: str, settings: Mapping[str, Setting]) -> str:
    """What a file of properties is for. Raises NothingToJudge where that is nothing of Kafka's."""
    kind = detect.kind_of({key.removeprefix(MARK): setting for key, setting in settings.items()})
    if kind is None or detect.is_of_others(kind, settings):
        which = "no Kafka setting" if kind is None else "more of another program's settings than of Kafka's"
        raise NothingToJudge(f"{shown}: {which} in it; say what it is with --kind if it is one")
    if detect.is_of_raft_server(shown, settings):
        raise NotOfANode(f"{shown}: TestRaftServer reads it, which is no node; say what it is with --kind if it is one")
    return OVERLAY if detect.is_piece_of_node(kind, shown, settings) else kind


def is_null(setting: Setting) -> bool:
    """Whether a value, which may be masked, is `null`."""
    return setting.value == "null" or (setting.secret and (setting.quoted or "").rstrip().endswith(("=null", "= null")))


def target_printed(settings: Mapping[str, Setting]) -> Target | None:
    """The release of a broker that printed its settings: the protocol's, which is the newest where nobody sets it."""
    release = detect.lower_bound(settings)
    return (
        Target(release, "a broker printed its settings, inter.broker.protocol.version among them") if release else None
    )


def leave_defaults_out(entity: Entity) -> None:
    """Take out what a node prints of itself that nobody has set."""
    component = "broker" if entity.kind in SERVER_KINDS else entity.kind
    for key, setting in list(entity.settings.items()):
        definition = catalog.lookup(component, entity.target.version, key)
        if definition is not None and setting.value == (definition.default or ""):
            del entity.settings[key]


def _inner_clients(entity: Entity) -> list[Entity]:
    """The clients whose settings a worker's or an application's file holds; none of another file."""
    if not any(key.startswith(tuple(CLIENTS)) for key in entity.settings):
        return []
    from collectors.files.block import Block
    from collectors.files.connectors import with_inner_clients
    from collectors.files.structured import entity_of as entity_of_block

    holder = Block(entity.kind, entity.name, "properties", entity.file or "")
    holder.settings, holder.joint, holder.target = entity.settings, "=", entity.target
    made = (entity_of_block(block, None, entity.target) for block in list(with_inner_clients([holder]))[1:])
    return [each for each in made if each is not None]


def _streams_of_server(entity: Entity) -> list[Entity]:
    """The Streams application whose settings a file of ksqlDB or Control Center holds; none of another file."""
    if entity.kind != "admin":
        return []
    from collectors.files.frameworks.streams_of_servers import streams_block
    from collectors.files.structured import entity_of as entity_of_block

    block = streams_block(entity)
    streams = entity_of_block(block, None, entity.target) if block is not None else None
    return [streams] if streams is not None else []


def is_of_framework(keys: Iterable[str]) -> bool:
    """Whether a framework has more of the keys than Kafka: a stray line makes a broker's file no application's."""
    of_framework = sum(key.startswith(FRAMEWORKS) for key in keys)
    return of_framework > 0 and of_framework >= sum(key in WHOLE_KEYS or detect.is_telling(key) for key in keys)


def are_variables(settings: Mapping[str, Setting]) -> bool:
    """Whether a file lists variables of an environment, one of which may be Kafka's or a client's, and no settings."""
    exported = settings.get("export")
    names = list(settings)
    names += [each.value.partition("=")[0] for each in (exported, *exported.shadowed)] if exported is not None else []
    is_kafkas = any(
        "KAFKA" in name.upper() or name.startswith(("CONNECT_", "MP_MESSAGING_")) or "__" in name for name in names
    )
    return is_kafkas and all(name.isidentifier() for name in names)


def entity_of(text: str, shown: str, kind: str | None, target: Target | None, otherwise: str) -> Entity:
    """Parse a text into an entity; `otherwise` is its kind where neither caller nor text says."""
    settings, _ = read_settings(text, shown)
    return detect.make_entity(shown, kind or detect.kind_of(settings) or otherwise, settings, target)


def content(path: str) -> bytes:
    """Read a file's bytes; `-` is standard input. Raises UnreadableInput."""
    return _read(path, STDIN if path == "-" else path)


def check_seal(data: bytes, shown: str) -> None:
    """Raise UnreadableInput for bytes that stand in place of a file."""
    if data.startswith(tuple(SEALS)):
        raise UnreadableInput(
            f"{shown}: not read: it {next(text for seal, text in SEALS.items() if data.startswith(seal))}"
        )


def check_bytes(data: bytes, shown: str) -> bytes:
    """Check that bytes can be a properties file, and return them. Raises UnreadableInput."""
    if len(data) > SMALL:
        from advisor import limits

        if len(data) > limits.size(limits.CONFIGURATION):
            raise limits.too_large(shown, limits.CONFIGURATION)
    if b"\0" in data:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[:4] == b"\0\0\xfe\xff":
            raise UnreadableInput(f"{shown}: is UTF-16 or UTF-32, which Kafka cannot read; save it as UTF-8")
        raise UnreadableInput(f"{shown}: is a binary file, not text")
    return data


def _read(path: str, shown: str) -> bytes:
    try:
        if unsaved.texts and (text := unsaved.texts.get(path if path == "-" else os.path.realpath(path))) is not None:
            return text
        if path == "-" and sys.stdin is None:
            raise UnreadableInput(f"{shown}: standard input is closed")
        if path == "-":
            return _whole(sys.stdin.buffer, shown)
        with open(path, "rb") as handle:
            return _whole(handle, shown)
    except IsADirectoryError:
        raise UnreadableInput(f"{shown}: is a directory; this command takes files") from None
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


def is_snapshot(data: bytes) -> bool:
    """Whether the bytes are a saved snapshot, or a report: compressed, or JSON that says so."""
    return data[:2] == GZIP or (is_saved(data) and any(mark in data for mark in OURS))


def is_saved(data: bytes) -> bool:
    """Whether the bytes are a JSON object or compressed; a template begins with two braces."""
    if data[:2] == GZIP:
        return True
    bare = data[:200].lstrip()
    return bare[:1] == b"{" and bare[1:].lstrip()[:1] in (b'"', b"}", b"")
