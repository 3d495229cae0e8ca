"""Helm values: Bitnami's chart before and after its release 26, and Confluent's cp-helm-charts.

Source: bitnami/charts (kafka/values.yaml, kafka/README.md), confluentinc/cp-helm-charts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from advisor.model import OF_TOPIC, Spelling, is_whole_number
from collectors.files.block import Block, deployment, stated_target, text_of
from collectors.files.embedded import embedded
from collectors.files.names import key_of
from collectors.files.operators import helm_from_24
from collectors.files.operators.common import protocol, take_zookeeper
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
    return [block for document in documents for block in blocks_of_values(document, sources)]


def blocks_of_values(document: TreeNode, sources: Sources, above: str = "") -> list[Block]:
    """The brokers of values that stand below a path of the file."""
    kafka_blocks: list[Block] = []
    for path, values in _values(document):
        if _is_connect(values, path):
            kafka_blocks += [_connect(above + path, values, sources.shown)]
        elif _is_confluent(values):
            kafka_blocks += _confluent(above + path, values, sources.shown)
        else:
            kafka_blocks += _bitnami(above + path, values, sources)
    return kafka_blocks


def blocks_of_chart(values: TreeNode, sources: Sources, chart: str, path: str = "") -> list[Block]:
    """The brokers that values make which are known to be those of a chart of Kafka's."""
    part = values.get(OF_CONFLUENT)
    if part is not None and part.kind == MAPPING:
        return _confluent(f"{path}{OF_CONFLUENT}.", part, sources.shown)
    if chart.startswith("cp-") or _is_confluent(values):
        return _confluent(path, values, sources.shown)
    return _bitnami(path, values, sources)


def _is_whole(values: TreeNode, sources: Sources) -> bool:
    """Whether nothing but the chart's own values is below these: the image is the chart's, and no other file of values is beside them."""
    name = os.path.basename(sources.path)
    others = (each for each in sources.names((".yaml", ".yml")) if "values" in each.lower() and each != name)
    return _is_charts(values) and next(others, None) is None


def _values(document: TreeNode) -> Iterator[tuple[str, TreeNode]]:
    """(path, values) of the chart itself, or of a chart of charts below the name of the part."""
    if _is_connect(document) or _is_bitnami(document) or _is_confluent(document):
        yield "", document
        return
    for name, (_, node) in document.pairs().items():
        is_part = "kafka" in name.lower() and CLIENT_PARTS.isdisjoint(name.lower().split("-"))
        is_kafkas = _is_bitnami(node) or _is_confluent(node) or (name == CHART and _has_volumes(node))
        if node.kind == MAPPING and ((is_part and is_kafkas) or _is_connect(node, name)):
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
        or any(values.get("listeners", part, "protocol") is not None for part in ("client", "interbroker"))
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
    is_kafkas = image == "" or any(word in image for word in ("kafka", "automq"))
    return "kafka" in values.pairs() or OF_OTHERS.issuperset(sections) or not is_kafkas


def _is_confluent(values: TreeNode) -> bool:
    """Whether values are of the chart of brokers; those of the other charts name the brokers that they connect to."""
    image = values.string("image").lower().rpartition("/")[2].split("-")
    is_client = values.get("kafka", "bootstrapServers") is not None or not CLIENT_PARTS.isdisjoint(image)
    return values.get("configurationOverrides") is not None and values.get("apiVersion") is None and not is_client


def _is_connect(values: TreeNode, name: str = "") -> bool:
    """Whether values are of a chart of Connect's workers, by its image or by the name of the part."""
    image = (values.string("image", "repository") or values.string("image")).lower().rpartition("/")[2]
    overrides = values.get("configurationOverrides")
    words = (image.partition(":")[0] or name.lower().rstrip(".")).split("-")
    return overrides is not None and overrides.kind == MAPPING and "kafka" in words and "connect" in words


def _key(name: str) -> str | None:
    if name in ALIASES:
        return ALIASES[name]
    return key_of(name, BROKER) if name not in SECTIONS and any(char.isupper() for char in name) else None


def _plain(text: str) -> str:
    """A number without the underscores that keep it from becoming 2e+08: the chart removes them all."""
    digits = text.replace("_", "")
    return digits if is_whole_number(digits.lstrip("-")) else text


def _bitnami(path: str, values: TreeNode, sources: Sources) -> list[Block]:
    file, is_whole = sources.shown, _is_whole(values, sources)
    facts = _facts(values, path, file)
    tag, tag_key = values.string("image", "tag"), values.key("image", "tag")
    if tag_key is not None and CHART in (values.string("image", "repository") or CHART):
        facts.target = stated_target(tag.partition("-")[0], tag, tag_key, file, f"{path}image.tag")
    _image(facts, values, path)
    brokers, place = _brokers(values)
    if place is not None:
        facts.translate("brokers", str(brokers), place[0], path + place[1])
    facts.cluster = f"Helm {path.rstrip('.') or 'kafka'}"
    roles = _roles(values)
    nodes = [_nodes(path, values, file, each, is_whole) for each in (roles[:1], *([role] for role in roles[1:]))]
    for block, role in zip(nodes if len(nodes) > 1 else (), roles, strict=False):
        block.replicas = helm_from_24.replicas(values, role) or 0
    for block in nodes:
        block.target, block.cluster, block.brokers = facts.target, facts.cluster, brokers
    for block in nodes[1:]:
        block.name += f" {roles[1]}"
    topics = list(_topics(values, path, file))
    for topic in topics:
        topic.target = facts.target
    return [*nodes, facts, *topics]


def _roles(values: TreeNode) -> list[str]:
    """The roles of the nodes that there are, as far as the values say it; of older charts those with settings of their own."""
    configured = [role for role in ROLES if _is_configured(values, role)]
    if not (_is_from_24(values) and helm_from_24.is_kraft(values)):
        return configured
    are_there = {
        helm_from_24.CONTROLLER: helm_from_24.replicas(values, helm_from_24.CONTROLLER) != 0,
        helm_from_24.BROKER: helm_from_24.replicas(values, helm_from_24.BROKER) != 0
        or (helm_from_24.BROKER in configured and values.key(helm_from_24.BROKER, "replicaCount") is None),
    }
    return [role for role in ROLES if are_there[role]] or [helm_from_24.CONTROLLER]


def _is_charts(values: TreeNode) -> bool:
    """Whether the image is that of the chart."""
    return "bitnami" in (values.string("image", "repository") or "bitnami")


def _is_from_24(values: TreeNode) -> bool:
    """Whether the chart is one from 24 on: those have a mapping of listeners, and sections of controllers and of brokers."""
    has_listeners = any(values.get("listeners", part) is not None for part in helm_from_24.PARTS)
    return has_listeners or (_is_charts(values) and helm_from_24.is_from_24(values))


def _is_configured(values: TreeNode, role: str) -> bool:
    """Whether the values configure the nodes of a role by themselves; empty fields do not."""
    return any(_is_filled(values.get(role, field)) for field in CONFIGURATION)


def _is_filled(node: TreeNode | None) -> bool:
    return node is not None and bool(node.pairs() if node.kind == MAPPING else node.text.strip())


def _nodes(path: str, values: TreeNode, file: str, roles: Sequence[str], is_whole: bool) -> Block:
    """What nodes of a role run with; of all nodes where no role has a configuration of its own."""
    block = Block("broker", f"Helm {path.rstrip('.') or 'kafka'}", FORMAT_NAME, file, path)
    is_new = _is_from_24(values)
    old = _is_charts(values) and not is_new
    names = {key: path + field for key, field in NAMES_OF_FIELDS.items()} if old else {}
    block.spelling = Spelling(path, form=field_of if old else _line_of(values), names=names)
    if old:
        block.described = dict(DEFAULTS)
    for name, (key_node, value) in values.pairs().items():
        key = _key(name)
        if key is not None and value.kind != MAPPING and not value.is_null and text_of(value).strip():
            block.set(key, _plain(text_of(value)), key_node, value, path + name)
    _configuration(block, values, path, roles)
    if is_new and helm_from_24.is_kraft(values):
        _computed(block, values, path, roles[0], is_whole)
    else:
        _metadata(block, values, path)
    if old:
        add_computed(block, values, path)
    if values.string("existingConfigmap"):
        block.fragment = "existingConfigmap holds it, and is not in this file"
    elif not old:
        block.fragment = "the chart decides it"
    return block


def _computed(block: Block, values: TreeNode, path: str, role: str, is_whole: bool) -> None:
    """What newer charts make of their values, unless a whole file of settings, or one that is not here, takes its place."""
    block.spelling = Spelling(path, form=_line_of(values), in_fixes=helm_from_24.FIELDS)
    whole = (("config",), (role, "config"), ("existingConfigmap",), (role, "existingConfigmap"))
    if any(_is_filled(values.get(*field)) for field in whole):
        helm_from_24.add_quorum(block, values, path)
        return
    helm_from_24.add_roles(block, values, path, role)
    helm_from_24.add_computed(block, values, path, role, is_whole)


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
    elif not (_is_charts(values) and not _is_from_24(values)):
        helm_from_24.add_quorum(block, values, path)


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
        _outside(facts, values, path)
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
    if _is_from_24(values):
        return helm_from_24.listener_of(values, "external").protocol
    login = values.string("auth", "externalClientProtocol") or values.string("auth", "clientProtocol")
    on = values.string("auth", "enabled").lower() == "true"
    return protocol(tls=on or login not in ("", "plaintext", "sasl"), sasl=login.startswith("sasl"))


def _outside(facts: Block, values: TreeNode, path: str) -> None:
    """Add how clients outside reach the brokers: of newer charts by load balancers, where the values do not say it."""
    for part in ((), *((role,) for role in ROLES)):
        _access(facts, values, path, ("externalAccess", *part, "service", "type"))
    is_said = any(values.key("externalAccess", role, "service", "type") for role in ROLES)
    if not is_said and _is_from_24(values):
        _fact(facts, "public.access", OUTSIDE[0], values, path, ("externalAccess", "enabled"))


def _access(facts: Block, values: TreeNode, path: str, where: tuple[str, ...]) -> None:
    text = values.string(*where)
    if text in OUTSIDE and "public.access" not in facts.settings:
        _fact(facts, "public.access", text, values, path, where)


def _brokers(values: TreeNode) -> tuple[int | None, tuple[TreeNode, str] | None]:
    """(how many brokers there are, the field that says it and its name); both None where none does."""
    where: tuple[str, ...] | None = ("replicaCount",)
    number = values.whole("replicaCount")
    if not number:
        number, where = helm_from_24.brokers(values)
    key = values.key(*where) if where else None
    return (number, (key, ".".join(where))) if where and key is not None and number is not None else (None, None)


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


def _connect(path: str, values: TreeNode, file: str) -> Block:
    """A worker of a chart of Connect: what its values set of it, the chart decides the rest."""
    written = f"{path}configurationOverrides."
    block = Block("connect", f"Helm {path.rstrip('.') or 'kafka-connect'}", FORMAT_NAME, file, written)
    block.take(values.get("configurationOverrides"))
    block.fragment = "the chart decides it"
    field = ("imageTag",) if values.key("imageTag") is not None else ("image", "tag")
    key, tag = values.key(*field), values.string(*field)
    if key is not None:
        block.target = stated_target(f"cp{tag}", tag, key, file, path + ".".join(field))
    return block


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
