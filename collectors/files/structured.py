"""Read files that are no properties: a syntax makes a tree of the text, and the reader that knows the tree makes blocks."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from advisor import limits
from advisor.errors import NotFollowed, NothingToJudge, NotRead, UnreadableInput
from advisor.model import DEPLOYMENT, SERVER_KINDS, Entity, Setting, Suppression, Target
from collectors.files import any_document, connectors, detect
from collectors.files.block import MOST_SETTINGS, Block, settings_of_file
from collectors.files.cloud import nais, terraform_json, terraform_plan, topics_as_code
from collectors.files.compose import compose_file
from collectors.files.containers import ecs, generated_config_maps, kubernetes, workflows
from collectors.files.frameworks import (
    debezium_server,
    dotnet,
    micronaut,
    quarkus,
    schema_registry,
    spring_application,
)
from collectors.files.frameworks.dotted_properties import properties_of
from collectors.files.helm import chart_templates, charts, environments, releases, umbrella
from collectors.files.images.cluster_ids import UNSHARED
from collectors.files.images.shipped_files import LACKS
from collectors.files.images.variable_checks import REQUIRES
from collectors.files.operators import cfk, koperator, strimzi
from collectors.files.operators.embedded_resources import resources_inside
from collectors.files.run_files import RunFiles
from collectors.files.sources import Sources
from collectors.files.syntax import recognition
from collectors.files.syntax.properties import Comment
from collectors.files.syntax.properties_file import suppression
from collectors.files.syntax.text_documents import documents_in
from collectors.files.syntax.text_lines import text_lines
from collectors.files.syntax.tree import MAPPING, SEQUENCE, TreeNode, read_words
from collectors.files.syntax.yaml_numbers import read_numbers_of_manifest, read_whole_numbers
from collectors.files.syntax.yaml_templates import depths_of_lines
from collectors.files.variables import default_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collectors.files.commands.tool_commands import Command

Read = tuple[Entity, list[Suppression]]
READERS = (
    strimzi, cfk, koperator, nais, topics_as_code, kubernetes, compose_file, ecs, workflows, connectors, terraform_plan, terraform_json, spring_application, debezium_server, quarkus, releases, charts,
    micronaut, dotnet, generated_config_maps, any_document,
)  # fmt: skip
"""Each with `knows(document)` and `blocks(documents, sources)`; the first that knows a document reads it."""
READERS_OF_LISTS = (connectors, releases, any_document)
"""Those that know a document which is a list."""
AS_JSON = (strimzi, cfk, koperator, nais, topics_as_code, kubernetes, releases, charts)
"""What kubectl and Helm turn into JSON first, by YAML 1.1: yes, no, on and off are booleans."""
FLAT_READERS = (spring_application, debezium_server, quarkus, micronaut, schema_registry)
"""Each with `PREFIXES` of its properties and `flat_blocks(flat, sources)`."""
AS_NUMBERS = (strimzi, cfk, koperator, nais)
"""Resources that the API server stores: it writes a whole number without an exponent, as it reads it back."""
CODE_OF_TERRAFORM, VARIABLES_OF_TERRAFORM = (".tf", ".tf.json"), (".tfvars", ".tfvars.json")
TERRAFORM_JSON = (".tf.json", ".tfvars.json")
MARK = "kafka-advisor:"
APPLIES = re.compile(
    r"\b(?:kubectl|oc)\b.{0,200}\s(?:apply|create|replace)\b.{0,200}(?:-f|--filename)[\s=]?(?:-|/dev/stdin)(?:\s|$)"
)
"""A command that takes resources from its input."""
TEMPLATE = "Template"
"""The kind of OpenShift's templates."""
ENDLESS = chr(0x10FFFF)
"""Behind every name in the alphabet."""
NOT_FOLLOWED = "not read: a script that sets Kafka's variables, writes its files or calls its tools"
WORDS = ("kafka", "bootstrap.servers", "zookeeper.connect", "jikkou", "julie-ops")
"""One of them is in a file that would be worth reading."""


class PartlyRead:
    """A file that sets more than its entities: what of it is not read."""

    __slots__ = ("entities", "not_read")

    def __init__(self, entities: list[Read], not_read: str) -> None:
        self.entities = entities
        self.not_read = not_read


def read_structured(
    language: str, text: str, path: str, kind: str | None, target: Target | None, run: RunFiles | None = None
) -> list[Read] | PartlyRead:
    """The entities of a file. Raises UnreadableInput, NotRead, NothingToJudge."""
    shown = "<stdin>" if path == "-" else path
    with settings_of_file.reading(shown):
        if language == recognition.SCRIPT:
            return _read_script(text, shown, target)
        sources = Sources(path, shown, run)
        entities = _entities(_blocks_of(language, text, sources), text, shown, kind, target)
        return PartlyRead(entities, sources.not_read) if sources.not_read else entities


def _blocks_of(language: str, text: str, sources: Sources) -> list[Block]:
    """The blocks of a file in some syntax. Raises UnreadableInput, NotRead, NothingToJudge."""
    shown = sources.shown
    if sources.path.endswith(TERRAFORM_JSON):
        blocks = _hcl_blocks(text, sources)
    elif language in (recognition.YAML, recognition.JSON):
        from collectors.files.syntax.yaml_tree import documents

        if language == recognition.JSON and are_records(text):
            raise NothingToJudge(f"{shown}: nothing in it concerns Kafka: it has a document of JSON in each line")
        are_values = umbrella.chart_near(sources) is not None or environments.base_of(sources) is not None
        is_named_so = are_values or "kafka" in os.path.basename(sources.path).lower()
        if strimzi.MARK in text:
            text = chart_templates.filled(text, sources)
        blocks = _blocks(list(documents(text, shown, language, every=is_named_so)), sources)
    elif language == recognition.TOML:
        blocks = _toml_blocks(text, sources)
    elif language == recognition.TEXT:
        from collectors.files.startup_log import log_blocks

        blocks = log_blocks(text, shown)
    elif language == recognition.HCL:
        blocks = _hcl_blocks(text, sources)
    elif language == recognition.DOCKERFILE:
        from collectors.files.containers.dockerfile import dockerfile_blocks

        blocks = dockerfile_blocks(text, sources)
    elif not any(word in text.lower() for word in WORDS):
        raise NothingToJudge(f"{shown}: nothing in it concerns Kafka")
    else:
        raise NotRead(f"{shown}: not read: this is {language}, not a properties file")
    return blocks


def are_records(text: str) -> bool:
    """Whether the first two lines are a document of JSON each: records, of which no reader takes settings."""
    lines = [line.strip() for line in text.split("\n", 2)[:2]]
    if len(lines) < 2 or not all(line[:1] + line[-1:] == "{}" for line in lines):
        return False
    import json

    try:
        return all(json.loads(line) is not None for line in lines)
    except ValueError:
        return False


def _read_script(text: str, shown: str, target: Target | None) -> list[Read] | PartlyRead:
    """What a shell script sets up in words that can be followed. Raises NotFollowed, NothingToJudge."""
    from collectors.files.commands.tool_commands import commands

    script = list(commands(text))
    blocks, followed_all = _of_script(script, shown)
    if not blocks and followed_all:
        raise NothingToJudge(f"{shown}: nothing in it concerns Kafka's configuration")
    if not blocks:
        raise NotFollowed(f"{shown}: {NOT_FOLLOWED}")
    entities = _entities(blocks, text, shown, None, target)
    return entities if followed_all else PartlyRead(entities, NOT_FOLLOWED)


def _of_script(script: Sequence[Command], shown: str) -> tuple[list[Block], bool]:
    """(what a script or a unit sets up, whether it does no more to a configuration than that)."""
    from collectors.files.commands import removed_options, topic_tools
    from collectors.files.containers import quadlet
    from collectors.files.containers.shell_script import FORMAT_NAME, script_blocks

    if shown.endswith(quadlet.ENDING):
        return quadlet.blocks(script, shown), True
    blocks, followed_all = script_blocks(script, shown)
    blocks += topic_tools.blocks(script, shown, FORMAT_NAME)
    blocks += removed_options.blocks(script, shown, FORMAT_NAME)
    return [*blocks, *_applied(script, Sources(shown, shown))], followed_all


def _applied(script: Sequence[Command], sources: Sources) -> list[Block]:
    """The resources that `kubectl apply -f - <<EOF` takes from here-documents."""
    texts = [each.document for each in script if each.document and APPLIES.search(" ".join(each.words))]
    return _blocks([root for text in texts for root in documents_in(text) or () if root.kind == MAPPING], sources)


def read_beside_outputs(language: str, text: str, path: str, kind: str | None, target: Target | None) -> list[Read]:
    """The entities of the logs that a text quotes beside outputs of tools."""
    if language != recognition.TEXT or recognition.LOG_MARK not in text:
        return []
    from collectors.files.startup_log import log_blocks

    shown = "<stdin>" if path == "-" else path
    blocks = log_blocks(text, shown)
    return _entities(blocks, text, shown, kind, target) if blocks else []


def _hcl_blocks(text: str, sources: Sources) -> list[Block]:
    """The blocks of a file of Terraform, or of its variables. Raises UnreadableInput."""
    from collectors.files.cloud.terraform import module_blocks, value_blocks

    blocks = [] if sources.path.endswith(VARIABLES_OF_TERRAFORM) else module_blocks(text, sources)
    return blocks if sources.path.endswith(CODE_OF_TERRAFORM) else [*blocks, *value_blocks(text, sources)]


def _toml_blocks(text: str, sources: Sources) -> list[Block]:
    """The blocks of a file that writes `key = value`."""
    from collectors.files.syntax.toml_tree import document

    root = document(text, sources.shown)
    blocks = _blocks([root], sources) if root is not None else []
    for block in blocks:
        for setting in block.settings.values():
            setting.lead = setting.lead.removesuffix(": ").removesuffix("=") + " = "
    return blocks


def read_flat(text: str, path: str, target: Target | None, run: RunFiles | None = None) -> list[Read]:
    """The entities of properties of a framework. Raises UnreadableInput, NothingToJudge."""
    shown = "<stdin>" if path == "-" else path
    flat = properties_of(text)
    reader = next(each for each in FLAT_READERS if any(name.startswith(each.PREFIXES) for name, _, _ in flat))
    with settings_of_file.reading(shown):
        return _entities(reader.flat_blocks(flat, Sources(path, shown, run)), text, shown, None, target)


def read_variables(text: str, path: str, target: Target | None, run: RunFiles | None = None) -> list[Read]:
    """The entities that variables configure which a file lists alone. Raises UnreadableInput, NothingToJudge."""
    from collectors.files.containers.env_file import env_file_blocks

    shown = "<stdin>" if path == "-" else path
    with settings_of_file.reading(shown):
        return _entities(env_file_blocks(text, Sources(path, shown, run)), text, shown, None, target)


def _entities(blocks: Sequence[Block], text: str, shown: str, kind: str | None, target: Target | None) -> list[Read]:
    """The entities of a file's blocks, the first with the comments that suppress findings."""
    blocks = list(connectors.with_inner_clients(_within_limits(blocks, shown)))
    entities = [entity for block in blocks if (entity := entity_of(block, kind, target)) is not None]
    if not entities:
        raise NothingToJudge(f"{shown}: nothing in it concerns Kafka")
    _mark_conditional(entities, text, shown)
    _quote(entities, text_lines(text), shown)
    comments = list(_comments(text, shown, entities)) if MARK in text else []
    return [(entity, comments if number == 0 else []) for number, entity in enumerate(entities)]


def _within_limits(blocks: Iterable[Block], shown: str) -> list[Block]:
    """The blocks of a file. Raises UnreadableInput as soon as there are too many."""
    taken: list[Block] = []
    nodes = 0
    for block in blocks:
        taken.append(block)
        nodes += block.kind in SERVER_KINDS
        if len(taken) > limits.MOST_ENTITIES or nodes > limits.MOST_BROKERS:
            most = f"{limits.MOST_BROKERS} nodes or {limits.MOST_ENTITIES:,} topics, clients and others"
            raise UnreadableInput(f"{shown}: over {most} in one file")
    return taken


def _mark_conditional(entities: Sequence[Entity], text: str, shown: str) -> None:
    """Mark the settings that stand deeper in blocks of a template than the others of their entity.

    Such blocks may set every variable that an image requires.
    """
    depths = depths_of_lines(text)
    for entity in entities if depths else ():
        if any(depths):
            entity.settings = {
                key: each for key, each in entity.settings.items() if not key.startswith((REQUIRES, UNSHARED, LACKS))
            }
        own = [each for each in entity.settings.values() if each.origin.line and each.origin.file == shown]
        least = min((depths[each.origin.line - 1] for each in own if each.origin.line), default=0)
        for setting in own:
            setting.conditional = bool(setting.origin.line) and depths[(setting.origin.line or 1) - 1] > least


def _quote(entities: Sequence[Entity], lines: Sequence[str], shown: str) -> None:
    """Give every setting of this file its line, those that it replaces and the pieces of its value included."""
    with_variables = {number for number, line in enumerate(lines, 1) if "${" in line or chart_templates.MARK in line}
    for setting in (each for entity in entities for each in _settings_of(entity)):
        number = setting.origin.line or 0
        setting.quoted = None
        if setting.origin.file == shown and 0 < number <= len(lines):
            setting.quoted = line = lines[number - 1]
            if number in with_variables:
                setting.variable = default_of(setting, line) or chart_templates.named_in(setting, line)


def _settings_of(entity: Entity) -> Iterator[Setting]:
    if entity.target.stated is not None:
        yield entity.target.stated
    for setting in entity.settings.values():
        yield from (setting, *setting.shadowed, *(setting.parts or {}).values())


def _blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    known: dict[int, list[TreeNode]] = {}
    of_parts, documents = umbrella.judged(documents, sources)
    of_environments, documents = environments.judged(documents, sources)
    for document in _resources(documents):
        number = _number_of_reader(document)
        inside = list(resources_inside(document)) if number is None or READERS[number] not in AS_NUMBERS else []
        for resource in inside:
            _take(resource, _number_of_reader(resource), known)
        if not (inside and number is not None and READERS[number] is any_document):
            _take(document, number, known)
    blocks = (block for number in sorted(known) for block in READERS[number].blocks(known[number], sources))
    return _within_limits(chain(of_parts, of_environments, blocks), sources.shown)


def _number_of_reader(document: TreeNode) -> int | None:
    """Which of the readers takes a document; None where none does."""
    if document.kind not in (MAPPING, SEQUENCE):
        return None
    readers = READERS if document.kind == MAPPING else READERS_OF_LISTS
    return next((READERS.index(reader) for reader in readers if reader.knows(document)), None)


def _take(document: TreeNode, number: int | None, known: dict[int, list[TreeNode]]) -> None:
    """Keep a document for its reader, with its words and numbers as those who store it read them."""
    if number is not None:
        scalars = list(document.scalars())
        if READERS[number] in AS_JSON:
            read_words(scalars)
        if READERS[number] in AS_NUMBERS:
            read_numbers_of_manifest(document, scalars)
        elif READERS[number] is not workflows:
            read_whole_numbers(scalars)
        known.setdefault(number, []).append(document)


def _resources(documents: Sequence[TreeNode]) -> Iterator[TreeNode]:
    """The documents, with the items of a list of Kubernetes' resources, or of a template of OpenShift's, in its place."""
    for document in documents:
        kind = document.string("kind")
        field = "objects" if kind == TEMPLATE else "items"
        items = document.items(field) if kind == TEMPLATE or kind.endswith("List") else []
        yield from items if items and all(item.string("apiVersion") for item in items) else [document]


def entity_of(block: Block, kind: str | None, target: Target | None) -> Entity | None:
    """The entity of a block, None where nothing in it is Kafka's."""
    own_kind = block.kind if block.kind == DEPLOYMENT else kind or block.kind or detect.kind_of(block.settings)
    if own_kind is None:
        return None
    if len(block.settings) > MOST_SETTINGS:
        raise UnreadableInput(f"{block.file}: over {MOST_SETTINGS} settings of {own_kind} {block.name[:80]}")
    entity = detect.make_entity(block.file, own_kind, block.settings, target or block.target)
    entity.name = block.name or entity.name
    entity.format = block.format
    entity.family = block.family or entity.family
    entity.member_of = None if block.cluster is None else (block.scope or block.file, block.cluster)
    entity.servers, entity.cluster_size, entity.replicas = block.servers, block.brokers, block.replicas
    entity.described = block.described
    entity.platform = block.platform
    entity.removal, entity.known_as, entity.instances_unknown = block.removal, block.known_as, block.instances_unknown
    entity.resource, entity.root = block.resource, block.root
    entity.replaced, entity.guards = block.replaced, block.guards
    entity.spelling = block.spelling
    entity.places = block.places
    entity.changed_by, entity.mounts = block.changed_by, block.mounts
    entity.fragment = (
        block.fragment or block.changed_by or entity.fragment or detect.fragment_of(own_kind, block.settings)
    )
    return entity


def _comments(text: str, shown: str, entities: Sequence[Entity]) -> Iterable[Suppression]:
    """The comments that suppress findings, each with the key below it."""
    keys = sorted(
        (setting.origin.line, setting.written or setting.key)
        for entity in entities
        for setting in entity.settings.values()
        if setting.origin.line is not None and setting.origin.file == shown
    )
    comments = 0
    for number, line in enumerate(text_lines(text), 1):
        bare = line.strip()
        if bare.startswith(("#", "//")) and MARK in bare:
            comments += 1
            if comments > MOST_SETTINGS:
                raise UnreadableInput(f"{shown}:{number}: over {MOST_SETTINGS} comments that suppress findings")
            comment = suppression(shown, Comment(number, bare))
            below = bisect_right(keys, (number, ENDLESS))
            if comment.key == "" and below < len(keys):
                comment.line_of_key, comment.key = keys[below]
            yield comment
