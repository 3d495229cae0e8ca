"""Strimzi's Kafka resource with its node pools: what the operator makes of it, each setting at the field it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from advisor.model import OF_BROKERS, OF_CLUSTER, Origin, Setting, Spelling
from advisor.secrets.placeholders import is_placeholder
from collectors.files.block import Block, deployment
from collectors.files.operators.common import authorizer, describe_access, take_zookeeper
from collectors.files.operators.strimzi_fields import (
    FORMAT_NAME,
    OPERATOR,
    api_version,
    is_converted_later,
    take_config,
    take_fields,
    target_of,
)
from collectors.files.operators.strimzi_listeners import CONTROL, REPLICATION, Listeners, made, protocol_of
from collectors.files.syntax.tree import MAPPING, TreeNode
from collectors.files.syntax.yaml_templates import FILLED_IN

OUTSIDE = ("loadbalancer", "nodeport", "route", "ingress")
MOST_VOTERS = 100
JBOD = "jbod"
AUTHORIZERS = {
    "opa": "org.openpolicyagent.kafka.OpaAuthorizer",
    "keycloak": "io.strimzi.kafka.oauth.server.authorizer.KeycloakAuthorizer",
}
STRIMZI_REPORTER = "io.strimzi.kafka.metrics.prometheus.ServerKafkaMetricsReporter"
CRUISE_CONTROL_REPORTER = "com.linkedin.kafka.cruisecontrol.metricsreporter.CruiseControlMetricsReporter"
NAMES = {
    "authorizer.class.name": "spec.kafka.authorization",
    "broker.rack": "spec.kafka.rack",
    "super.users": "spec.kafka.authorization.superUsers",
    "listeners": "spec.kafka.listeners",
    "brokers": "spec.replicas",
    "storage": "spec.kafka.storage",
}
"""Where the resource says what is a key of Kafka's elsewhere."""
FIELDS = {
    **{key: NAMES[key] for key in ("authorizer.class.name", "broker.rack", "super.users")},
    "listener.security.protocol.map": "spec.kafka.listeners[] (tls: true, and authentication)",
    "ssl.client.auth=required": "authentication: {type: tls} on the listener",
    "process.roles=controller": "roles: [controller] in a KafkaNodePool of their own",
}
"""What a user writes for a setting that the operator makes."""
CLUSTER_FIELDS = {
    "rack.key": ("spec", "kafka", "rack", "topologyKey"),
    "metadata.version": ("spec", "kafka", "metadataVersion"),
    "release": ("spec", "kafka", "version"),
    "scaledown.check": ("metadata", "annotations", "strimzi.io/skip-broker-scaledown-check"),
    "kraft": ("metadata", "annotations", "strimzi.io/kraft"),
    "zookeeper.replicas": ("spec", "zookeeper", "replicas"),
    "paused": ("metadata", "annotations", "strimzi.io/pause-reconciliation"),
}
"""What the fields of a Kafka resource say of its deployment."""
IDS_OF_POOL = 100
"""The ids that are kept for a pool of brokers; those that the operator gives out are in no file."""
ENTITY_OPERATORS = {"topicOperator": "topics", "userOperator": "users"}
EPHEMERAL = "ephemeral"
VOLUMES = "/var/lib/kafka"
"""Where the operator mounts volumes. Source: VolumeUtils."""


class Resource(NamedTuple):
    """A resource, and the file in which it stands."""

    node: TreeNode
    file: str


def cluster_blocks(document: TreeNode, pools: Sequence[Resource], file: str) -> list[Block]:
    """The nodes and the deployment of one cluster; of a pool in another file, that one has what is not a setting."""
    kafka = document.get("spec", "kafka")
    if kafka is None or kafka.kind != MAPPING:
        return []
    name = document.string("metadata", "name")
    facts = _facts(document, kafka, name, file)
    if pools and all(_is_ephemeral(pool.node.get("spec", "storage")) for pool in pools) and facts.described is not None:
        facts.described["storage.of.pools"] = EPHEMERAL
    listeners = Listeners(kafka, file)
    node_blocks = [_nodes(document, kafka, listeners, pool, facts) for pool in (pools or (None,))]
    _voters(node_blocks, pools)
    _number_nodes(node_blocks, pools)
    for block, holder in zip(node_blocks, pools or [Resource(kafka, file)], strict=True):
        _folders(block, holder, ("spec", "storage") if pools else ("storage",))
    brokers = _number_of_brokers(kafka, pools, facts)
    _brokers_of_pools(pools, facts)
    for block in node_blocks:
        block.cluster, block.brokers = f"Kafka {name}", brokers
    facts_of_pools = [pool_facts(pool, f"Kafka {name}") for pool in pools if pool.file == file]
    return [*node_blocks, facts, *facts_of_pools, *_public_access(kafka, name, file)]


def _number_of_brokers(kafka: TreeNode, pools: Sequence[Resource], facts: Block) -> int | None:
    """How many brokers there are, None where a pool does not say it; stated at the first field that says it."""
    holders = [pool for pool in pools if "broker" in _roles(pool)] if pools else [Resource(kafka, facts.file)]
    path = ("spec", "replicas") if pools else ("replicas",)
    numbers = [number for holder in holders if (number := holder.node.whole(*path)) is not None]
    key = holders[0].node.key(*path) if holders else None
    if key is None or len(numbers) < len(holders):
        return None
    written = "spec.replicas" if pools else "spec.kafka.replicas"
    _put_at(holders[0], facts.translate("brokers", str(sum(numbers)), key, written))
    return sum(numbers)


def _brokers_of_pools(pools: Sequence[Resource], facts: Block) -> None:
    """Add how many brokers each pool has, by its name, at the field of the pool that says it."""
    for pool in pools:
        key = pool.node.key("spec", "replicas")
        if key is not None and "broker" in _roles(pool):
            fact = f"pool.{pool.node.string('metadata', 'name')}"
            _put_at(pool, facts.translate(fact, pool.node.string("spec", "replicas"), key, "spec.replicas"))


def _roles(pool: Resource) -> tuple[str, ...]:
    return tuple(item.text for item in pool.node.items("spec", "roles"))


def _put_at(pool: Resource, setting: Setting) -> None:
    """Place a setting in the file of the pool that says it."""
    setting.origin = Origin(pool.file, setting.origin.line, setting.origin.column)


def resource_of(document: TreeNode, name: str) -> str:
    """What makes a resource the same object of Kubernetes in whatever file: its namespace, if it says one, and its name."""
    namespace = document.string("metadata", "namespace")
    return f"{namespace}/{name}" if namespace else name


def _nodes(document: TreeNode, kafka: TreeNode, listeners: Listeners, pool: Resource | None, facts: Block) -> Block:
    """The settings that all nodes of a pool share; without pools the brokers of a cluster with ZooKeeper."""
    name, file = document.string("metadata", "name"), facts.file
    label = f"Kafka {name}" if pool is None else f"Kafka {name}/{pool.node.string('metadata', 'name')}"
    block = Block("broker", label, FORMAT_NAME, file, "spec.kafka.config.")
    block.spelling = Spelling("spec.kafka.config.", names=dict(NAMES), in_fixes=FIELDS)
    block.resource = resource_of(document, label.replace(name, name.rpartition("/")[2], 1))
    block.target = target_of(document, file, "spec", "kafka", "version")
    take_config(block, facts, kafka.get("config"), "spec.kafka.config.")
    if pool is None:
        _zookeeper(block, document)
    else:
        _process_roles(block, pool)
    listeners.add_to(block)
    _authorization(block, kafka, pool is not None or document.get("spec", "zookeeper") is None)
    _plugins(block, document, kafka)
    rack = kafka.get("rack")
    if rack is not None and kafka.key("rack") is not None:
        where = kafka.key("rack")
        assert where is not None
        block.translate("broker.rack", rack.string("topologyKey") or "zone", where, "spec.kafka.rack")
    return block


def _process_roles(block: Block, pool: Resource) -> None:
    roles, key = _roles(pool), pool.node.key("spec", "roles")
    if key is None or not roles:
        return
    block.kind = "combined" if len(set(roles)) > 1 else "controller" if roles[0] == "controller" else "broker"
    _put_at(pool, block.translate("process.roles", ",".join(sorted(roles)), key, "spec.roles"))
    _put_at(pool, block.translate("node.id", "0", key, "spec.roles"))
    block.settings["controller.listener.names"] = made(block, "controller.listener.names", CONTROL, key)
    _put_at(pool, block.settings["controller.listener.names"])


def _voters(node_blocks: Sequence[Block], pools: Sequence[Resource]) -> None:
    """The quorum: every node of every pool with the role controller."""
    controllers = [pool for pool in pools if "controller" in _roles(pool)]
    key = controllers[0].node.key("spec", "replicas") if controllers else None
    sizes = [pool.node.whole("spec", "replicas") for pool in controllers]
    if key is None:
        for block in node_blocks:
            block.fragment = OPERATOR if pools else block.fragment
        return
    total = min(sum(size for size in sizes if size), MOST_VOTERS)
    voters = ",".join(f"{number}@controller-{number}:9090" for number in range(total))
    if None in sizes:
        voters = "${replicas}"
    for block in node_blocks:
        _put_at(controllers[0], block.derive("controller.quorum.voters", voters, key, "spec.replicas"))


def _number_nodes(node_blocks: Sequence[Block], pools: Sequence[Resource]) -> None:
    """Give every pool the id of its first node, which no other has, and which stays as it is where other pools grow."""
    number = 0
    for block, pool in sorted(zip(node_blocks, pools, strict=False), key=lambda pair: pair[0].kind == "broker"):
        if block.kind == "broker":
            number += -number % IDS_OF_POOL
        id = block.settings.get("node.id")
        if id is not None:
            id.value = id.shown = str(number)
        block.replicas = pool.node.whole("spec", "replicas") or 0
        number += block.replicas or 1


def _zookeeper(block: Block, document: TreeNode) -> None:
    key = document.key("spec", "zookeeper")
    if key is None:
        block.fragment = "node pools of another file decide it"
        return
    size = (document.key("spec", "zookeeper", "replicas"), "spec.zookeeper.replicas")
    take_zookeeper(block, document.whole("spec", "zookeeper", "replicas"), key, "spec.zookeeper", size)
    block.translate("broker.id", "0", key, "spec.zookeeper")


def _folders(block: Block, holder: Resource, path: tuple[str, ...]) -> None:
    """The folders of the log segments and of the metadata: one on each volume, by the ids of the volumes and of the node."""
    storage, place = holder.node.get(*path), holder.node.key(*path)
    if storage is None or place is None:
        return
    id = block.settings.get("node.id") or block.settings.get("broker.id")
    listed = [item for item in storage.items("volumes") if item.kind == MAPPING]
    volumes = [f"data-{item.string('id')}" for item in listed] or ["data"]
    folders = [f"{VOLUMES}/{volume}/kafka-log{id.value if id is not None else '0'}" for volume in volumes]
    _put_at(holder, block.translate("log.dirs", ",".join(folders), place, ".".join(path)))
    if "process.roles" in block.settings:
        marked = (number for number, item in enumerate(listed) if item.string("kraftMetadata") == "shared")
        lowest = min(range(len(folders)), key=lambda number: listed[number].whole("id") or 0) if listed else 0
        metadata = folders[next(marked, lowest)]
        _put_at(holder, block.translate("metadata.log.dir", metadata, place, ".".join(path)))


def _authorization(block: Block, kafka: TreeNode, in_kraft: bool) -> None:
    kind, key = kafka.string("authorization", "type"), kafka.key("authorization")
    if key is None:
        return
    of_kafka = authorizer(in_kraft, block.target.version if block.target else None)
    named = kafka.string("authorization", "authorizerClass") or "${authorizerClass}"
    name = {"simple": of_kafka, "custom": named, **AUTHORIZERS}.get(kind, named)
    block.translate("authorizer.class.name", name, key, "spec.kafka.authorization")
    users = ("CN=operator,O=io.strimzi", *(item.text for item in kafka.items("authorization", "superUsers")))
    place = kafka.key("authorization", "superUsers") or key
    principals = ";".join(f"User:{user}" for user in users)
    block.translate("super.users", principals, place, "spec.kafka.authorization.superUsers")


def _plugins(block: Block, document: TreeNode, kafka: TreeNode) -> None:
    """Tiered storage and the reporters of metrics, whose classes are in the operator's image."""
    storage = kafka.key("tieredStorage")
    if storage is not None and block.kind != "controller":
        manager = ("tieredStorage", "remoteStorageManager")
        own = {
            "remote.log.storage.system.enable": "true",
            "remote.log.storage.manager.class.name": kafka.string(*manager, "className") or "${className}",
            "remote.log.storage.manager.class.path": kafka.string(*manager, "classPath"),
            "remote.log.metadata.manager.listener.name": REPLICATION,
        }
        for key, value in own.items():
            if value:
                block.translate(key, value, storage, "spec.kafka.tieredStorage")
    metrics, control = kafka.key("metricsConfig"), document.key("spec", "cruiseControl")
    reporters = {
        STRIMZI_REPORTER: metrics if kafka.string("metricsConfig", "type") == "strimziMetricsReporter" else None
    }
    reporters[CRUISE_CONTROL_REPORTER] = control if block.kind != "controller" else None
    places = [(name, place) for name, place in reporters.items() if place is not None]
    written = block.settings.get("metric.reporters")
    if places:
        names = [*((written.value,) if written is not None else ()), *(name for name, _ in places)]
        field = "spec.kafka.metricsConfig" if places[0][0] == STRIMZI_REPORTER else "spec.cruiseControl"
        block.translate("metric.reporters", ",".join(names), places[0][1], field)


def _facts(document: TreeNode, kafka: TreeNode, name: str, file: str) -> Block:
    facts = deployment(f"Kafka {name}", FORMAT_NAME, file)
    facts.spelling = Spelling("spec.kafka.", names={"storage": "spec.kafka.storage"})
    facts.cluster, facts.removal = f"Kafka {name}", OF_CLUSTER
    plain_name = name.rpartition("/")[2]
    facts.resource = resource_of(document, plain_name) if document.string("metadata", "namespace") else None
    follows = {} if document.get("spec", "zookeeper") else {"metadata.version": "follows"}
    facts.described = {"runs": "broker", **follows}
    api_version(facts, document)
    _storage(facts, kafka.get("storage"), "spec.kafka.storage")
    take_fields(facts, document, CLUSTER_FIELDS | limits_below("spec", "kafka"))
    _operators(facts, document)
    for item in kafka.items("listeners"):
        place = item.key("type")
        if place is not None and item.string("name"):
            written = f"spec.kafka.listeners[{item.string('name')}].type"
            facts.translate(f"listener.{item.string('name')}", item.string("type"), place, written)
    return facts


def limits_below(*path: str) -> dict[str, tuple[str, ...]]:
    """What a field of nodes says of their heap, their memory, and how long they may take to end."""
    return {
        "heap": (*path, "jvmOptions", "-Xmx"),
        "memory.limit": (*path, "resources", "limits", "memory"),
        "termination.grace": (*path, "template", "pod", "terminationGracePeriodSeconds"),
    }


def _operators(facts: Block, document: TreeNode) -> None:
    """Add which of the entity operators run beside the cluster, and whether Cruise Control does."""
    key = document.key("spec", "entityOperator")
    names = [name for field, name in ENTITY_OPERATORS.items() if document.get("spec", "entityOperator", field)]
    if key is not None and names:
        facts.translate("entity.operators", ",".join(names), key, "spec.entityOperator")
    control = document.key("spec", "cruiseControl")
    if control is not None:
        facts.translate("cruise.control", "on", control, "spec.cruiseControl")


def _public_access(kafka: TreeNode, name: str, file: str) -> list[Block]:
    """Every listener that is reachable from outside of Kubernetes, and its protocol."""
    outside = [item for item in kafka.items("listeners") if item.kind == MAPPING and item.string("type") in OUTSIDE]
    blocks = []
    for item in outside:
        facts = deployment(f"Kafka {name} listener {item.string('name')}", FORMAT_NAME, file)
        place = item.key("tls") or item.key("type")
        describe_access(facts, protocol_of(item), place)
        if place is not None:
            written = f"spec.kafka.listeners[{item.string('name')}].tls"
            facts.translate("public.access", f"{item.string('type')} {item.string('name')}", place, written)
        blocks.append(facts)
    return blocks


def pool_facts(pool: Resource, cluster: str | None) -> Block:
    """What of a pool is not a setting: its storage."""
    facts = deployment(f"KafkaNodePool {pool.node.string('metadata', 'name')}", FORMAT_NAME, pool.file)
    facts.cluster = cluster
    facts.spelling = Spelling("spec.", names={"storage": "spec.storage"})
    facts.described = {"runs": "broker"}
    if is_converted_later(pool.node):
        api_version(facts, pool.node)
    roles = [item.text for item in pool.node.items("spec", "roles")]
    _pool(facts, pool.node, roles)
    take_fields(facts, pool.node, limits_below("spec"))
    _storage(facts, pool.node.get("spec", "storage"), "spec.storage")
    return facts


def _pool(facts: Block, pool: TreeNode, roles: Sequence[str]) -> None:
    """Add the pool's roles and number of nodes, and whether the operator would remove brokers that hold replicas."""
    facts.removal = OF_BROKERS if "broker" in roles else ""
    for fact, value, path in (
        ("roles", ",".join(sorted(roles)), ("spec", "roles")),
        ("replicas", pool.string("spec", "replicas"), ("spec", "replicas")),
    ):
        key = pool.key(*path)
        if key is not None and value:
            facts.translate(fact, value, key, ".".join(path))


def _is_ephemeral(storage: TreeNode | None) -> bool:
    """Whether nothing of a storage is left when its pods go."""
    if storage is None or storage.kind != MAPPING:
        return False
    return all(volume.string("type") == EPHEMERAL for volume in storage.items("volumes") or [storage])


def _storage(facts: Block, storage: TreeNode | None, written: str) -> None:
    """Add what a storage says: of several volumes the first that says it; how many keep the metadata log, at the second."""
    if storage is None:
        return
    if storage.kind != MAPPING:
        facts.translate("storage", FILLED_IN, storage, written)
        return
    volumes = [(storage, written)]
    listed = [item for item in storage.items("volumes") if item.kind == MAPPING]
    volumes += [(item, f"{written}.volumes[{'*' if len(listed) > 1 else 0}]") for item in listed]
    for volume, path in volumes:
        for fact, field, value in (("storage", "type", EPHEMERAL), ("storage.delete", "deleteClaim", "true")):
            key = volume.key(field)
            if key is not None and volume.string(field) == value and fact not in facts.settings:
                facts.translate(fact, value, key, f"{path}.{field}")
        key = volume.key("size")
        if key is not None and "storage.size" not in facts.settings:
            facts.translate("storage.size", volume.string("size"), key, f"{path}.size")
    _unknown_type(facts, storage, volumes)
    _volumes(facts, storage, listed, written)
    marked = [(key, path) for volume, path in volumes if (key := volume.key("kraftMetadata")) is not None]
    if marked:
        key, path = marked[min(1, len(marked) - 1)]
        facts.translate("metadata.volumes", str(len(marked)), key, f"{path}.kraftMetadata")


def _unknown_type(facts: Block, storage: TreeNode, volumes: Sequence[tuple[TreeNode, str]]) -> None:
    """Add that a type of storage is filled in later, or a list of volumes, which say nothing by themselves."""
    place = storage.key("volumes") or storage.key("type")
    is_list = storage.key("volumes") is not None or storage.string("type") == JBOD
    holders = volumes[1:] or ([] if is_list else volumes)
    is_known = holders and all(
        holder.string("type") and not is_placeholder(holder.string("type")) for holder, _ in holders
    )
    if "storage" not in facts.settings and not is_known:
        facts.translate("storage", FILLED_IN, place or storage, f"{volumes[0][1]}.type")


def _volumes(facts: Block, storage: TreeNode, listed: Sequence[TreeNode], written: str) -> None:
    """Add what each volume is made of, by its id, and which one has the metadata log: the marked one, else the first."""
    place = storage.key("volumes") or storage.key("type")
    if place is None:
        return
    field = f"{written}.{place.text}"
    volumes = [(item.string("id"), item) for item in listed] or [("", storage)]
    for id, volume in volumes:
        words = (volume.string(part) or "-" for part in ("type", "class", "size"))
        facts.translate(f"volume.{id or 'only'}", " ".join(words), volume.key("type") or place, field)
    marked = next((id for id, volume in volumes if volume.get("kraftMetadata") is not None), None)
    facts.translate("metadata.volume", marked or min(id for id, _ in volumes) or "only", place, field)
