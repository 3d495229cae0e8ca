"""Terraform: Amazon MSK's configurations and clusters, topics of several providers, connectors.

Source: the providers' documentation in registry.terraform.io (hashicorp/aws, Mongey/kafka, confluentinc/confluent,
aiven/aiven), and terraform-aws-modules/msk-kafka-cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.catalog import known_anywhere
from advisor.model import OF_CONNECTOR, OF_TOPIC, OVERLAY, Spelling
from collectors.files import generic
from collectors.files.block import WORKER, Block, stated_target, text_of
from collectors.files.cloud import terraform_facts, terraform_msk
from collectors.files.cloud.terraform_blocks import LABEL, ModuleBlock
from collectors.files.cloud.terraform_calls import instances, is_read, modules_of
from collectors.files.cloud.terraform_folder import TerraformFolder
from collectors.files.cloud.terraform_helm import release_blocks
from collectors.files.cloud.terraform_manifests import blocks_of_resources
from collectors.files.cloud.terraform_module import TerraformModule
from collectors.files.cloud.terraform_msk import MskLinks
from collectors.files.cloud.terraform_providers import with_servers_of_provider
from collectors.files.cloud.terraform_refactoring import literal, refactorings
from collectors.files.cloud.terraform_resource import FORMAT_NAME, Resource, block_of, unsettle
from collectors.files.cloud.terraform_types import (
    AIVEN_KAFKA,
    CARRIERS,
    CHECKED_TOPICS,
    CLUSTER,
    CONFIG_AS_JSON,
    CONFIGURATION,
    CONNECT_WORKER,
    CONNECTORS,
    HELM_RELEASE,
    READ,
    REMOVALS,
    TOP_LEVEL,
    TOPICS,
)
from collectors.files.cloud.terraform_variable_sources import CODE, values_of
from collectors.files.connectors import with_clients
from collectors.files.containers.nomad import job_blocks
from collectors.files.names import key_of
from collectors.files.sources import Sources
from collectors.files.syntax.recognition import dotted_words
from collectors.files.syntax.text_documents import decoded
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode

WORDS = ("kafka", "msk")
AIVEN = "Aiven decides it"
SASL = ("iam", "scram")

CONFLUENT_TOPIC, CONFLUENTS_PARTITIONS = "confluent_kafka_topic", "6"
"""The resource of the provider that takes six partitions where none are named."""


def module_blocks(text: str, sources: Sources) -> list[Block]:
    """The blocks of a file's resources that concern Kafka, in each module that its folder is. Raises UnreadableInput."""
    kafka_blocks: list[Block] = []
    for module in modules_of(sources, text):
        own = [block for block in module.blocks() if is_judged_with(block, sources)]
        kafka_blocks += [made for block in own for made in refactorings(block, module)]
        resources = [each for block in own for each in _resources(module, block, sources)]
        made_here = _called_from(module, resource_blocks(resources, sources, _links(module, sources)))
        kafka_blocks += with_servers_of_provider(made_here, module)
        jobs = (block for block in own if block.type == "job" and block.labels)
        kafka_blocks += [made for block in jobs for made in job_blocks(block.body(module, {}), LABEL, sources)]
    return kafka_blocks


def is_judged_with(block: ModuleBlock, sources: Sources) -> bool:
    """Whether a block is one of a file's; of a file that overrides it where its own is not among those of the run."""
    if sources.shown == block.override:
        return block.file not in sources.run.ending(CODE)
    return block.file == sources.shown


def _called_from(module: TerraformModule, kafka_blocks: list[Block]) -> list[Block]:
    """The blocks of a module, told apart from those that other root modules make by the same address."""
    for block in kafka_blocks if module.root else ():
        block.root = module.root
        block.scope = f"{module.root} {module.prefix}"
    return kafka_blocks


def _links(module: TerraformModule, sources: Sources) -> MskLinks:
    """Which cluster of a module takes which configuration, whatever file it stands in."""
    key = (module.root, module.prefix)
    links = module.folder.made.get(key)
    if links is None:
        own = [block for block in module.blocks() if block.labels[:1] in ((CLUSTER,), (CONFIGURATION,))]
        links = MskLinks([each for block in own for each in _resources(module, block, sources)])
        module.folder.made[key] = links
    return links


def _resources(module: TerraformModule, block: ModuleBlock, sources: Sources) -> Iterator[Resource]:
    """The resources or the calls of modules that a block makes, where they may concern Kafka."""
    if block.type not in ("resource", "module") or not block.labels or not _may_hold_settings(block, module, sources):
        return
    for index, own in instances(module, block):
        labels = (*block.labels[:-1], block.labels[-1] + index)
        yield Resource(block.type, labels, block.body(module, own), module.prefix, bool(own) and not index)


def _may_hold_settings(block: ModuleBlock, module: TerraformModule, sources: Sources) -> bool:
    """Whether a resource is one of Kafka's or names its settings, and a module is not judged where it lies."""
    if block.type == "module":
        return not is_read(block, module, sources.run)
    return block.labels[0] in READ or any(map(known_anywhere, dotted_words(block.source)))


def resource_blocks(resources: Sequence[Resource], sources: Sources, links: MskLinks | None = None) -> list[Block]:
    """The blocks of the resources that concern Kafka; `links` are those of all files of a folder."""
    kafka_blocks = blocks_of_resources(resources, sources)
    links = links or MskLinks(resources)
    for resource in resources:
        made = terraform_facts.with_declaration(resource, _blocks_of(resource, links, sources), sources.shown)
        for block in made:
            block.name = resource.prefix + block.name
            block.instances_unknown = resource.instances_unknown
        kafka_blocks += made
    return [block for block in kafka_blocks if block.settings]


def _blocks_of(resource: Resource, links: MskLinks, sources: Sources) -> list[Block]:
    """The blocks of one resource, or of the call of a module."""
    body, type, name, file = resource.body, resource.labels[0], resource.name, sources.shown
    if resource.type == "module":
        return terraform_msk.module(body, type, file) or _others(resource, sources) or _unread_module(body, type, file)
    if type == CONFIGURATION:
        return terraform_msk.configuration(body, name, links, file)
    if type == CLUSTER:
        return terraform_msk.cluster(body, name, links, file)
    if type == CONNECT_WORKER:
        return terraform_msk.connect_worker(body, name, file)
    if type in TOPICS:
        return [_topic(body, type, name, file)]
    if type in CONNECTORS:
        workers = terraform_msk.connect_client(body, name, file) if type == terraform_msk.CONNECTOR else []
        return [*_connector(body, type, name, file), *workers]
    if type == HELM_RELEASE:
        return release_blocks(body, name, sources)
    if type in terraform_facts.READERS:
        return terraform_facts.facts_of(resource, file)
    if type in CARRIERS or (type in REMOVALS and type != AIVEN_KAFKA):
        return []
    return [_aiven(body, name, file)] if type == AIVEN_KAFKA else _others(resource, sources)


def _others(resource: Resource, sources: Sources) -> list[Block]:
    """What is Kafka's by its keys in the body of any other resource or module."""
    body = resource.body
    for label in reversed((resource.type, *resource.labels) if resource.type == "module" else resource.labels):
        key = TreeNode(SCALAR, body.line, body.column, label)
        holder = TreeNode(MAPPING, body.line, body.column)
        holder.add(key, body)
        body = holder
    kafka_blocks = generic.blocks([body], sources)
    for block in kafka_blocks:
        block.format, block.joint = FORMAT_NAME, " = "
    return kafka_blocks


def _unread_module(body: TreeNode, name: str, file: str) -> list[Block]:
    """A module of Kafka's by its name or its source that is not among the files: all that it makes is unknown."""
    source = body.string("source")
    key = body.key("source") if body.string("create").lower() != "false" else None
    if key is None or not any(word in f"{name} {source}".lower() for word in WORDS):
        return []
    block = block_of(OVERLAY, f"module.{name}", file, f"module.{name}.")
    block.fragment = f"the module {source[:80]} decides it, and is not among the files"
    block.set(f"${{module.{name}}}", "", key, None, f"module.{name}")
    return [block]


def _topic(body: TreeNode, type: str, name: str, file: str) -> Block:
    named_by, factor, partitions = TOPICS[type]
    field = CONFIG_AS_JSON.get(type, "config")
    config = _config_of_topic(body, type, field)
    block = block_of("topic", f"{type}.{name}", file, f"{type}.{name}.{field}.")
    block.removal = OF_TOPIC
    block.known_as = literal(body.get(named_by))
    names = {"partitions": f"{type}.{name}.{partitions}"}
    names |= {"replication.factor": f"{type}.{name}.{factor}"} if factor else {}
    block.spelling = Spelling(f"{type}.{name}.{field}.", names=names)
    for key, (key_node, value) in config.pairs().items() if config is not None else ():
        kafka_key = key if "." in key else key_of(key, ("topic",)) or ("" if type in CHECKED_TOPICS else key)
        if not kafka_key:
            continue
        block.set(kafka_key, text_of(value), key_node, value, f"{type}.{name}.{field}.{key}")
    for key, kafka_key in TOP_LEVEL.get(type, {}).items():
        place, node = body.key(key), body.get(key)
        if place is not None and node is not None and not node.is_null:
            text = text_of(node)
            block.translate(
                kafka_key, milliseconds(text) if key.endswith("_hours") else text, place, f"{type}.{name}.{key}"
            )
    block.create_with(body, factor, partitions, f"{type}.{name}.")
    place = body.key(named_by)
    block.resource = block.name if type == CONFLUENT_TOPIC else None
    if type == CONFLUENT_TOPIC and body.key(partitions) is None and place is not None:
        made = block.translate("partitions", CONFLUENTS_PARTITIONS, place, f"{type}.{name}.{partitions}")
        made.derived = "the provider's default"
    unsettle(block, config, body.key(field), f"{type}.{name}.{field}")
    return block


def milliseconds(hours: str) -> str:
    """Hours in milliseconds; for ever, and what is no number, as it is."""
    return str(int(hours) * 3_600_000) if hours.isdecimal() and len(hours) < 10 else hours


def _config_of_topic(body: TreeNode, type: str, field: str) -> TreeNode | None:
    """The settings of a topic as a mapping; a node that is unknown where they are not all known."""
    node = body.get(field)
    if type not in CONFIG_AS_JSON or node is None or node.unknown or node.is_null:
        return node
    value = decoded(node)
    if isinstance(value, TreeNode):
        return value
    node.unknown = value
    return node


def _connector(body: TreeNode, type: str, name: str, file: str) -> list[Block]:
    field = CONNECTORS[type]
    block = block_of("connect", f"{type}.{name}", file, f"{type}.{name}.{field}.")
    block.fragment, block.removal = WORKER, OF_CONNECTOR
    block.known_as = literal(body.get("name")) or literal(body.get(field, "name"))
    block.resource = f"{type}.{name}"
    block.take(body.get(field))
    unsettle(block, body.get(field), body.key(field), f"{type}.{name}.{field}")
    offsets = body.key("offsets")
    if offsets is not None:
        block.set("offsets", "given", offsets, None, f"{type}.{name}.offsets")
    if "connector.class" not in block.settings and not block.changed_by:
        block.settings.clear()
    return with_clients(block)


def _aiven(body: TreeNode, name: str, file: str) -> Block:
    written = f"aiven_kafka.{name}.kafka_user_config.kafka."
    block = block_of(OVERLAY, f"aiven_kafka.{name}", file, written)
    block.fragment = AIVEN
    for field, (key_node, value) in body.mapping("kafka_user_config", "kafka").items():
        key = key_of(field, ("broker",))
        if key is not None and not value.is_null:
            block.set(key, text_of(value), key_node, value, written + field)
    holder = body.get("kafka_user_config", "kafka") or body.get("kafka_user_config")
    unsettle(block, holder, body.key("kafka_user_config"), f"aiven_kafka.{name}.kafka_user_config")
    version = body.key("kafka_user_config", "kafka_version")
    if version is not None:
        text = body.string("kafka_user_config", "kafka_version")
        block.target = stated_target(text, text, version, file, f"aiven_kafka.{name}.kafka_user_config.kafka_version")
    return block


def value_blocks(text: str, sources: Sources) -> list[Block]:
    """What is Kafka's by its keys among the values of a file of variables, and the resources of another file of HCL.

    Raises UnreadableInput.
    """
    folder = TerraformFolder(Sources("-", sources.shown), "")
    module = TerraformModule(folder)
    values = TreeNode(MAPPING, 1, 1)
    for name, value in values_of(text, sources.shown):
        made = value(module, {})
        values.add(TreeNode(SCALAR, made.line, 1, name), made)
    kafka_blocks = generic.blocks([values], sources)
    for block in kafka_blocks:
        block.format, block.joint = FORMAT_NAME, " = "
    return kafka_blocks
