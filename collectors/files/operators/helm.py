"""Helm values: Bitnami's chart before and after its release 26, and Confluent's cp-helm-charts.

Source: bitnami/charts (kafka/values.yaml, kafka/README.md), confluentinc/cp-helm-charts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from advisor.model import OF_TOPIC, Spelling, is_whole_number
from collectors.files.block import Block, deployment, stated_target, text_of
from collectors.files.embedded import embedded
from collectors.files.names import key_of
from collectors.files.operators.common import MOST_SERVERS, protocol, take_zookeeper
from collectors.files.operators.helm_until_25 import ALIASES, DEFAULTS, NAMES_OF_FIELDS, add_computed, field_of
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode

FORMAT_NAME = "helm-values"
BROKER = ("broker",)
SECTIONS = ("zookeeper", "kraft", "externalZookeeper", "provisioning", "externalAccess", "persistence", "logPersistence",
            "replicaCount", "controller", "broker", "listeners", "sasl", "auth", "heapOpts", "existingConfigmap", "config",
            "extraConfig", "overrideConfiguration", "image")  # fmt: skip
OWN = ("externalAccess", "kraft", "externalZookeeper", "provisioning", "logPersistence", "heapOpts", "interbroker",
       "overrideConfiguration", "extraConfig", "zookeeper", "controller")  # fmt: skip
OF_OTHERS = frozenset(("controller", "zookeeper"))
"""Sections that charts of Pinot, ClickHouse and others have, too."""
CLIENT_PARTS = frozenset(("connect", "rest", "registry", "ksql", "ksqldb", "center", "ui", "exporter", "bridge"))
"""Words in the names of charts and images that connect to Kafka."""
ROLES, CONFIGURATION = ("controller", "broker"), ("config", "extraConfig", "extraConfigYaml", "overrideConfiguration")
"""The roles of nodes of charts from 24 on, and the fields in which all nodes and those of each role are configured."""
LINES = ("extraConfig", "overrideConfiguration", "config")
"""Fields of newer charts that take any setting, the one to write first where there is none."""
CHART = "kafka"
"""The name of Bitnami's chart, under which a chart of charts has its values."""
OUTSIDE = ("LoadBalancer", "NodePort")
CONTROLLERS = 3
"""Controllers of charts from 26 on whose values do not say how many."""
NAMES = (("controller", "persistence", "existingClaim"), ("broker", "persistence", "existingClaim"), ("persistence", "existingClaim"),
         ("fullnameOverride",), ("nameOverride",), ("namespaceOverride",))  # fmt: skip
"""What names the claims of the volumes, the nearest first."""
CHARTS_NAME = (("nameOverride",), "kafka")
"""An override that changes nothing."""
TOPIC_FIELDS = (
    ("replication.factor", "replicationFactor", "replicationFactor"),
    ("partitions", "partitions", "numPartitions"),
)
"""Of a topic the field, and that of the provisioning of all topics. Source: templates/provisioning/job.yaml."""
OF_THE_RELEASE = "release"
OF_SECRET, MADE_BY_CHART = "secret-", "generated"
"""Where the cluster's id comes from that is not in the values."""
OF_CONFLUENT = "cp-kafka"
"""The chart of brokers among Confluent's charts, and its part of the values of all of them."""


def knows(document: TreeNode) -> bool:
    """Whether a document holds values of a chart that runs Kafka."""
    return any(True for _ in _values(document))


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The brokers that a chart makes, with their deployment."""
    kafka_blocks: list[Block] = []
    for document in documents:
        for path, values in _values(document):
            kafka_blocks += (
                _confluent(path, values, sources.shown)
                if _is_confluent(values)
                else _bitnami(path, values, sources.shown)
            )
    return kafka_blocks


def blocks_of_chart(values: TreeNode, sources: Sources, chart: str) -> list[Block]:
    """The brokers that values make which are known to be those of a chart of Kafka's."""
    part = values.get(OF_CONFLUENT)
    if part is not None and part.kind == MAPPING:
        return _confluent(f"{OF_CONFLUENT}.", part, sources.shown)
    if chart.startswith("cp-") or _is_confluent(values):
        return _confluent("", values, sources.shown)
    return _bitnami("", values, sources.shown)


def _values(document: TreeNode) -> Iterator[tuple[str, TreeNode]]:
    """(path, values) of the chart itself, or of a chart of charts below the name of the part."""
    if _is_bitnami(document) or _is_confluent(document):
        yield "", document
        return
    for name, (_, node) in document.pairs().items():
        is_part = "kafka" in name.lower() and CLIENT_PARTS.isdisjoint(name.lower().split("-"))
        is_kafkas = _is_bitnami(node) or _is_confluent(node) or (name == CHART and _has_volumes(node))
        if node.kind == MAPPING and is_part and is_kafkas:
            yield f"{name}.", node


def _is_bitnami(values: TreeNode) -> bool:
    names = values.pairs().keys()
    if "apiVersion" in names or "services" in names or "spring" in names:
        return False
    settings = [name for name in names if "." not in name and _key(name) is not None]
    sections = [name for name in OWN if name in names]
    image = values.string("image", "repository")
    return (
        image.endswith("/kafka")
        or (len(settings) >= 2 and ("replicaCount" in names or bool(sections) or "persistence" in names))
        or (values.get("listeners", "client", "protocol") is not None)
        or (len(sections) >= 2 and ("controller" in names or "kraft" in names) and not _is_of_another(values, sections))
    )


def _has_volumes(values: TreeNode) -> bool:
    """Whether values say of brokers and controllers what their volumes are, as those of Bitnami's chart from 26 on do."""
    return all(values.get(part) is not None for part in ("broker", "controller")) and any(
        values.get(part, "persistence", "enabled") is not None for part in ("broker", "controller")
    )


def _is_of_another(values: TreeNode, sections: Sequence[str]) -> bool:
    """Whether another chart may have the sections: it has controllers and ZooKeeper as well, or Kafka as a part."""
    image = values.string("image", "repository")
    return "kafka" in values.pairs() or OF_OTHERS.issuperset(sections) or (image != "" and "kafka" not in image)


def _is_confluent(values: TreeNode) -> bool:
    """Whether values are of the chart of brokers; those of the other charts name the brokers that they connect to."""
    image = values.string("image").lower().rpartition("/")[2].split("-")
    is_client = values.get("kafka", "bootstrapServers") is not None or not CLIENT_PARTS.isdisjoint(image)
    return values.get("configurationOverrides") is not None and values.get("apiVersion") is None and not is_client


def _key(name: str) -> str | None:
    if name in ALIASES:
        return ALIASES[name]
    return key_of(name, BROKER) if name not in SECTIONS and any(char.isupper() for char in name) else None


def _plain(text: str) -> str:
    """A number without the underscores that keep it from becoming 2e+08: the chart removes them all."""
    digits = text.replace("_", "")
    return digits if is_whole_number(digits.lstrip("-")) else text


def _bitnami(path: str, values: TreeNode, file: str) -> list[Block]:
    facts = _facts(values, path, file)
    tag, tag_key = values.string("image", "tag"), values.key("image", "tag")
    if tag_key is not None and CHART in (values.string("image", "repository") or CHART):
        facts.target = stated_target(tag.partition("-")[0], tag, tag_key, file, f"{path}image.tag")
    _image(facts, values, path)
    brokers, place = _brokers(values)
    if place is not None:
        facts.translate("brokers", str(brokers), place[0], path + place[1])
    facts.cluster = f"Helm {path.rstrip('.') or 'kafka'}"
    roles = [role for role in ROLES if _is_configured(values, role)]
    nodes = [_nodes(path, values, file, roles[:1])] + [_nodes(path, values, file, [role]) for role in roles[1:]]
    for block in nodes:
        block.target, block.cluster, block.brokers = facts.target, facts.cluster, brokers
    for block in nodes[1:]:
        block.name += f" {roles[1]}"
    topics = list(_topics(values, path, file))
    for topic in topics:
        topic.target = facts.target
    return [*nodes, facts, *topics]


def _is_configured(values: TreeNode, role: str) -> bool:
    """Whether the values configure the nodes of a role by themselves; empty fields do not."""
    fields = [node for field in CONFIGURATION if (node := values.get(role, field)) is not None]
    return any(node.pairs() if node.kind == MAPPING else node.text.strip() for node in fields)


def _nodes(path: str, values: TreeNode, file: str, roles: Sequence[str]) -> Block:
    """What nodes of a role run with; of all nodes where no role has a configuration of its own."""
    block = Block("broker", f"Helm {path.rstrip('.') or 'kafka'}", FORMAT_NAME, file, path)
    is_charts = "bitnami" in (values.string("image", "repository") or "bitnami")
    old = is_charts and values.get("controller") is None and values.get("listeners", "client") is None
    names = {key: path + field for key, field in NAMES_OF_FIELDS.items()} if old else {}
    block.spelling = Spelling(path, form=field_of if old else _line_of(values), names=names)
    if old:
        block.described = dict(DEFAULTS)
    for name, (key_node, value) in values.pairs().items():
        key = _key(name)
        if key is not None and value.kind != MAPPING and not value.is_null and text_of(value).strip():
            block.set(key, _plain(text_of(value)), key_node, value, path + name)
    _configuration(block, values, path, roles)
    _metadata(block, values, path)
    if old:
        add_computed(block, values, path)
    if values.string("existingConfigmap"):
        block.fragment = "existingConfigmap holds it, and is not in this file"
    elif not old:
        block.fragment = "the chart decides it"
    return block


def _line_of(values: TreeNode) -> Callable[[str], str]:
    """The line of a setting in the field where newer charts take settings."""
    field = next((field for field in LINES if values.get(field) is not None), LINES[0])
    return lambda key: f"{field}.{key}"


def _image(facts: Block, values: TreeNode, path: str) -> None:
    """The image, where the values name it in full."""
    registry, repository, tag = (values.string("image", field) for field in ("registry", "repository", "tag"))
    place = values.key("image", "repository")
    if place is not None and repository and tag and "{" not in registry + repository + tag:
        name = "/".join(part for part in (registry, repository) if part)
        facts.translate("image", f"{name}:{tag}", place, f"{path}image.repository")


def _topics(values: TreeNode, path: str, file: str) -> Iterator[Block]:
    """The topics that the chart's provisioning creates: with one replica and one partition where nothing says more."""
    if values.string("provisioning", "enabled").lower() == "false":
        return
    for number, topic in enumerate(values.items("provisioning", "topics")):
        name, place = topic.string("name"), topic.key("name")
        if not name or place is None:
            continue
        written = f"{path}provisioning.topics[{number}]."
        block = Block("topic", name, FORMAT_NAME, file, f"{written}config.")
        block.removal = OF_TOPIC
        block.take(topic.get("config"))
        for key, field, common in TOPIC_FIELDS:
            own = topic.key(field) or values.key("provisioning", common)
            text = topic.string(field) or values.string("provisioning", common) or "1"
            spelled = f"{written}{field}" if topic.key(field) is not None else f"{path}provisioning.{common}"
            block.translate(key, text, own or place, spelled)
        yield block


def _configuration(block: Block, values: TreeNode, path: str, roles: Sequence[str]) -> None:
    """config, extraConfig, overrideConfiguration: whole files, lines and mappings that the chart adds."""
    for field in CONFIGURATION:
        for where in ((field,), *((role, field) for role in roles)):
            node, written = values.get(*where), f"{path}{'.'.join(where)}."
            if node is None:
                continue
            if node.kind == MAPPING:
                block.take(node, written)
            elif node.kind == SCALAR and node.text.strip():
                text = embedded(node, block.name, FORMAT_NAME, block.file, "broker", written)
                block.take_settings(text.settings.values(), written)


def _metadata(block: Block, values: TreeNode, path: str) -> None:
    """ZooKeeper or KRaft: what the chart says of both."""
    kraft = values.string("kraft", "enabled").lower() == "true" or values.get("controller") is not None
    with_listeners = values.get("listeners", "client") is not None  # charts from 24 on, whose default is KRaft
    kraft |= with_listeners and values.string("zookeeper", "enabled").lower() != "true"
    key = values.key("zookeeper", "enabled") or values.key("zookeeper") or values.key("externalZookeeper")
    if not kraft and key is not None and values.string("zookeeper", "enabled").lower() != "false":
        written = f"{path}zookeeper.enabled" if values.key("zookeeper", "enabled") is not None else f"{path}zookeeper"
        size = (values.key("zookeeper", "replicaCount"), f"{path}zookeeper.replicaCount")
        take_zookeeper(block, values.whole("zookeeper", "replicaCount"), key, written, size)
        return
    controllers = values.key("controller", "replicaCount") or values.key("kraftVersion")
    replicas = values.whole("controller", "replicaCount") or (CONTROLLERS if values.key("kraftVersion") else 0)
    if controllers is not None and replicas and values.string("kraftVersion") == "1":
        servers = ",".join(f"controller-{number}:9093" for number in range(min(replicas, MOST_SERVERS)))
        place = values.key("kraftVersion") or controllers
        block.derive("controller.quorum.bootstrap.servers", servers, place, f"{path}kraftVersion")
    elif controllers is not None and replicas:
        voters = ",".join(f"{number}@controller-{number}:9093" for number in range(min(replicas, MOST_SERVERS)))
        block.derive("controller.quorum.voters", voters, controllers, f"{path}controller.replicaCount")


def _facts(values: TreeNode, path: str, file: str) -> Block:
    facts = deployment(f"Helm {path.rstrip('.') or 'kafka'}", FORMAT_NAME, file)
    facts.spelling = Spelling(
        path, names={"storage": f"{path}persistence.enabled", "volume": f"{path}fullnameOverride"}
    )
    facts.described = {"runs": "broker", "volume": OF_THE_RELEASE, "cluster.id": MADE_BY_CHART}
    for where in (("persistence",), ("controller", "persistence"), ("broker", "persistence")):
        _fact(facts, "storage", "ephemeral", values, path, (*where, "enabled"), "false")
        _fact(facts, "storage.size", values.string(*where, "size"), values, path, (*where, "size"))
        _claim(facts, values, path, where)
    if values.string("externalAccess", "enabled").lower() == "true":
        _access(facts, values, path, ("externalAccess", "service", "type"))
        _access(facts, values, path, ("externalAccess", "controller", "service", "type"))
    for where in (("clusterId",), ("kraft", "clusterId")):
        _fact(facts, "cluster.id", values.string(*where), values, path, where)
    for where in (("existingKraftSecret",), ("kraft", "existingClusterIdSecret")):
        _fact(facts, "cluster.id", values.string(*where) and OF_SECRET + values.string(*where), values, path, where)
    _access(facts, values, path, ("service", "type"))
    facts.described["public.protocol"] = _outside_protocol(values)
    _fact(facts, "client.authentication", "none", values, path, ("auth", "enabled"), "false")
    _fact(facts, "client.protocol", "PLAINTEXT", values, path, ("allowPlaintextListener",), "true")
    protocol = values.string("listeners", "client", "protocol")
    _fact(facts, "client.protocol", protocol, values, path, ("listeners", "client", "protocol"))
    _client_users(facts, values, path)
    _volume(facts, values, path)
    _affinity(facts, values, path)
    return facts


def _volume(facts: Block, values: TreeNode, path: str) -> None:
    """Add what the volumes are called by: a claim of one's own, else the names of the release and of its namespace."""
    named = [where for where in NAMES if values.string(*where) and (where, values.string(*where)) != CHARTS_NAME]
    key = next((key for where in named if (key := values.key(*where))), None)
    if key is not None:
        names = ".".join(f"{where[-1]}-{values.string(*where)}" for where in named)
        facts.translate("volume", names, key, path + ".".join(named[0]))


def _claim(facts: Block, values: TreeNode, path: str, where: tuple[str, ...]) -> None:
    """Add the storage class and the size of the claims that the chart's StatefulSets make for each pod."""
    size, storage_class = values.string(*where, "size"), values.string(*where, "storageClass")
    if size and values.string(*where, "enabled").lower() != "false" and not values.string(*where, "existingClaim"):
        _fact(facts, f"claim.{'.'.join(where)}", f"{storage_class or '-'} {size}", values, path, (*where, "size"))


def _client_users(facts: Block, values: TreeNode, path: str) -> None:
    """Add the users whose passwords the chart makes: as many as there are names, all anew when their number changes."""
    key = values.key("sasl", "client", "users")
    given = values.items("sasl", "client", "passwords") or values.string("sasl", "client", "passwords")
    if key is not None and not given and not values.string("sasl", "existingSecret"):
        users = ",".join(item.text for item in values.items("sasl", "client", "users"))
        facts.translate("client.users", users, key, f"{path}sasl.client.users")


def _outside_protocol(values: TreeNode) -> str:
    """The protocol of clients outside, by the chart's listeners or by the auth section of older ones."""
    written = values.string("listeners", "external", "protocol")
    if written:
        return written
    login = values.string("auth", "externalClientProtocol") or values.string("auth", "clientProtocol")
    on = values.string("auth", "enabled").lower() == "true"
    return protocol(tls=on or login not in ("", "plaintext", "sasl"), sasl=login.startswith("sasl"))


def _access(facts: Block, values: TreeNode, path: str, where: tuple[str, ...]) -> None:
    text = values.string(*where)
    if text in OUTSIDE and "public.access" not in facts.settings:
        _fact(facts, "public.access", text, values, path, where)


def _brokers(values: TreeNode) -> tuple[int | None, tuple[TreeNode, str] | None]:
    """(how many brokers there are, the field that says it and its name); both None where none does."""
    controllers = values.whole("controller", "replicaCount")
    both = controllers if values.string("controller", "controllerOnly") != "true" else 0
    for where in (("broker", "replicaCount"), ("replicaCount",), ("controller", "replicaCount")):
        number, key = values.whole(*where), values.key(*where)
        if key is not None and number:
            return number + ((both or 0) if where[0] == "broker" else 0), (key, ".".join(where))
    return None, None


def _fact(
    facts: Block, fact: str, value: str, values: TreeNode, path: str, where: tuple[str, ...], wanted: str | None = None
) -> None:
    key = values.key(*where)
    if key is not None and fact not in facts.settings and (wanted is None or values.string(*where).lower() == wanted):
        facts.translate(fact, value, key, path + ".".join(where))


def _affinity(facts: Block, values: TreeNode, path: str) -> None:
    rules = values.mapping("affinity", "podAntiAffinity")
    if "preferredDuringSchedulingIgnoredDuringExecution" in rules and len(rules) == 1:
        key = rules["preferredDuringSchedulingIgnoredDuringExecution"][0]
        facts.translate("anti.affinity", "preferred", key, f"{path}affinity.podAntiAffinity")


def _confluent(path: str, values: TreeNode, file: str) -> list[Block]:
    written = f"{path}configurationOverrides."
    block = Block("broker", f"Helm {path.rstrip('.') or 'cp-kafka'}", FORMAT_NAME, file, written)
    block.take(values.get("configurationOverrides"))
    block.fragment = "the chart decides it"
    facts = deployment(block.name, FORMAT_NAME, file)
    facts.described = {"runs": "broker", "volume": OF_THE_RELEASE, "cluster.id": MADE_BY_CHART}
    for field in ("brokers", "replicaCount"):
        number = values.whole(field)
        if number is not None:
            _fact(facts, "brokers", str(number), values, path, (field,))
            block.brokers = number
    _fact(facts, "storage", "ephemeral", values, path, ("persistence", "enabled"), "false")
    _fact(facts, "storage.size", values.string("persistence", "size"), values, path, ("persistence", "size"))
    _claim(facts, values, path, ("persistence",))
    block.cluster = facts.cluster = block.name
    key, tag = values.key("imageTag"), values.string("imageTag")
    if key is not None:
        block.target = stated_target(f"cp{tag}", tag, key, file, f"{path}imageTag")
    return [block, facts]
