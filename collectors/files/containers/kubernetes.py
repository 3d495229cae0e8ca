"""Kubernetes manifests: pods that run Kafka, and ConfigMaps that hold its properties files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from advisor.model import SERVER_KINDS, Spelling
from collectors.files.block import Block
from collectors.files.commands.tool_commands import commands
from collectors.files.containers.container import Container, blocks_of, count_brokers, fill_own_variables, unread_beside
from collectors.files.containers.pod_limits import add_pod_limits
from collectors.files.containers.replicas import add_shared_address, add_shared_id, count_clients
from collectors.files.containers.shell_script import script_blocks
from collectors.files.embedded import decoded_at, embedded_blocks
from collectors.files.frameworks.embedded_applications import application_blocks
from collectors.files.images.cluster_ids import compare_ids
from collectors.files.script_changes import mark_changed, scripts_in
from collectors.files.sources import Sources
from collectors.files.syntax.recognition import SHELLS
from collectors.files.syntax.tree import MAPPING, TreeNode, digest_of
from collectors.files.variables import Variable

FORMAT_NAME = "kubernetes"
PATCHED = "the manifest that this one patches may set it"
PODS = (
    ("spec", "template", "spec"),
    ("spec",),
    ("spec", "jobTemplate", "spec", "template", "spec"),
)
"""Where workloads, pods, and jobs on a schedule have their containers."""
CONFIG_MAP, SECRET = "ConfigMap", "Secret"
OF_TERRAFORM = (".tf", ".tf.json")
KINDS = (CONFIG_MAP, SECRET, "Service", "List")
SERVICE_PREFIX = "kafka"


class ConfigMap(NamedTuple):
    """A ConfigMap, and the file in which it stands (None: the one that is read)."""

    node: TreeNode
    file: str | None


VARIABLE = re.compile(r"[-._A-Za-z][-._A-Za-z0-9]*")
"""The name of a variable, as Kubernetes takes it."""


def knows(document: TreeNode) -> bool:
    """Whether a document is a manifest of Kubernetes itself."""
    version, kind = document.string("apiVersion"), document.string("kind")
    group = version.partition("/")[0]
    is_own = kind in KINDS and ("." not in group or group.endswith("k8s.io"))
    return bool(version and kind) and (is_own or _pod_path(document) is not None)


def _pod_path(manifest: TreeNode) -> tuple[str, ...] | None:
    """Where a manifest of any kind describes pods; None where it describes none."""
    return next((path for path in PODS if manifest.items(*path, "containers")), None)


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The blocks of manifests; a Service counts for the pods of the same file, a ConfigMap for those of its folder."""
    manifests = _without_copies(manifest for document in documents for manifest in _manifests(document))
    own = {each.string("metadata", "name"): ConfigMap(each, None) for each in manifests if _is_config_map(each)}
    config_maps = {**sources.of_folder(FORMAT_NAME, _config_maps_of_folder), **own}
    services = [each for each in manifests if each.string("kind") == "Service"]
    kafka_blocks: list[Block] = []
    embedded_nodes: list[Block] = []
    replicas = _replicas_by_volume(manifests)
    for manifest in manifests:
        if _pod_path(manifest) is not None:
            kafka_blocks += _workload(manifest, config_maps, services, sources)
        elif manifest.string("kind") in (CONFIG_MAP, SECRET):
            name = manifest.string("metadata", "name")
            for texts in _texts_of(manifest):
                held = embedded_blocks(texts, name, FORMAT_NAME, sources)
                for block in held:
                    block.brokers = replicas.get(name)
                embedded_nodes += held
                kafka_blocks += _of_scripts(texts, sources)
                kafka_blocks += application_blocks(texts, name, sources)
    kafka_blocks += embedded_nodes
    _mark_changed(embedded_nodes, manifests, sources.shown)
    uncounted = [block for block in embedded_nodes if block.brokers is None]
    count_brokers(kafka_blocks)
    compare_ids(kafka_blocks)
    clusters = {block.cluster for block in uncounted}
    for block in (each for each in kafka_blocks if each.kind in SERVER_KINDS and each.cluster in clusters):
        block.brokers = None
    return kafka_blocks


def _without_copies(manifests: Iterable[TreeNode]) -> list[TreeNode]:
    """The manifests, each once that a file repeats: the object is the same."""
    digests: dict[int, int] = {}
    by_digest: dict[int, TreeNode] = {}
    for manifest in manifests:
        by_digest.setdefault(digest_of(manifest, digests), manifest)
    return list(by_digest.values())


def _replicas_by_volume(manifests: Sequence[TreeNode]) -> dict[str, int]:
    """How many pods the first workload runs that has a ConfigMap or a Secret as a volume, by the name of this."""
    replicas: dict[str, int] = {}
    for manifest in manifests:
        path = _pod_path(manifest)
        volumes = (manifest.get(*path) or manifest).items("volumes") if path is not None else []
        names = {
            name for each in volumes for name in (each.string("configMap", "name"), each.string("secret", "secretName"))
        }
        for name in names:
            replicas.setdefault(name, manifest.whole("spec", "replicas") or 1)
    return replicas


def _mark_changed(kafka_blocks: Sequence[Block], manifests: Sequence[TreeNode], file: str) -> None:
    """Make unknown in nodes what scripts of the manifests set in their file before the server reads it."""
    scripts = scripts_in(manifests, file)
    for block in kafka_blocks if scripts else ():
        mark_changed(block, block.name.rpartition(" ")[2], scripts)


def _texts_of(manifest: TreeNode) -> Iterator[dict[str, tuple[TreeNode, TreeNode]]]:
    """The texts of a ConfigMap or a Secret: as they are, or those that base64 holds."""
    if manifest.string("kind") == CONFIG_MAP:
        yield manifest.mapping("data")
        yield _decoded(manifest.mapping("binaryData"))
    else:
        yield manifest.mapping("stringData")
        yield _decoded(manifest.mapping("data"))


def _decoded(pairs: dict[str, tuple[TreeNode, TreeNode]]) -> dict[str, tuple[TreeNode, TreeNode]]:
    """The texts that base64 holds, each at the line of its key; what is no text is left out."""
    texts = {}
    for name, (key, value) in pairs.items():
        node = decoded_at(key, value)
        if node is not None:
            texts[name] = (key, node)
    return texts


def _is_config_map(manifest: TreeNode) -> bool:
    return manifest.string("kind") == CONFIG_MAP


def _config_maps_of_folder(sources: Sources) -> dict[str, ConfigMap]:
    """The ConfigMaps of all files of a folder, by name; of those that share one, none."""
    by_name: dict[str, list[ConfigMap]] = {}
    for path, text in sources.texts("ConfigMap"):
        for document in sources.documents(path, text):
            for manifest in _manifests(document) if document.kind == MAPPING else ():
                if _is_config_map(manifest):
                    by_name.setdefault(manifest.string("metadata", "name"), []).append(ConfigMap(manifest, path))
    return {name: config_maps[0] for name, config_maps in by_name.items() if len(config_maps) == 1}


def _manifests(document: TreeNode) -> Iterator[TreeNode]:
    if document.string("kind") == "List":
        yield from (item for item in document.items("items") if item.kind == MAPPING)
    else:
        yield document


def _of_scripts(texts: Mapping[str, tuple[TreeNode, TreeNode]], sources: Sources) -> Iterator[Block]:
    """What the scripts of a ConfigMap set up, at their lines."""
    for _, text in (pair for entry, pair in texts.items() if entry.endswith(SHELLS) or pair[1].text.startswith("#!")):
        script = list(commands(text.text, text.line + (text.indent is not None)))
        for document in (each.document for each in script if each.document):
            document.indent = text.indent or 0
        yield from script_blocks(script, sources.shown)[0]


def _workload(
    manifest: TreeNode, config_maps: Mapping[str, ConfigMap], services: Sequence[TreeNode], sources: Sources
) -> Iterator[Block]:
    path = _pod_path(manifest) or PODS[0]
    pod = manifest.get(*path)
    if pod is None:
        return
    for index, item in enumerate(pod.items("containers")):
        if item.kind != MAPPING:
            continue
        container = _container(item, manifest, pod, config_maps, sources)
        container.image_path = f"{'.'.join(path)}.containers[{index}].image"
        own_blocks = blocks_of(container)
        replicas = manifest.whole("spec", "replicas")
        if not container.arguments:
            add_shared_id(own_blocks, replicas, manifest.key("spec", "replicas"), "spec.replicas")
        add_shared_address(own_blocks, replicas, container.command)
        count_clients(own_blocks, replicas, container)
        for block in own_blocks:
            if block.kind == "deployment":
                _add_facts(block, manifest, pod, path, services, container)
                add_pod_limits(block, pod, item, ".".join(path), index)
            elif block.kind in ("broker", "combined", "controller"):
                block.brokers = replicas or 1
            sources.not_read = sources.not_read or unread_beside(container.outside, [block])
            yield block


def _container(
    item: TreeNode, manifest: TreeNode, pod: TreeNode, config_maps: Mapping[str, ConfigMap], sources: Sources
) -> Container:
    name = manifest.string("metadata", "name") or item.string("name")
    container = Container(name, item.string("image"), item.key("image"), sources.shown, FORMAT_NAME)
    given: dict[str, str] = {}
    for entry in item.items("env"):
        for variable in _variable(entry, name, config_maps):
            fill_own_variables(variable, given, sources.expansion)
            container.environment.append(variable)
            if variable.value is not None and not variable.derived:
                given[variable.name] = variable.value
    if not all(map(VARIABLE.fullmatch, (variable.name for variable in container.environment))):
        container.outside = "a loop of the template may set it"
    for source in item.items("envFrom"):
        _add_map(container, source.string("configMapRef", "name"), config_maps, source.string("prefix"))
    container.arguments = [child for part in ("command", "args") for child in item.items(part) if child.kind != MAPPING]
    kept = {
        volume.string("name")
        for volume in pod.items("volumes")
        if volume.get("emptyDir") is None and volume.get("ephemeral") is None
    }
    kept |= {claim.string("metadata", "name") for claim in _claims(manifest)}
    kept -= {volume.string("name") for volume in pod.items("volumes") if _is_configuration(volume)}
    mounts = item.items("volumeMounts")
    container.mounts = [mount.string("mountPath") for mount in mounts if mount.string("name") in kept]
    container.volumes = list(_volumes(mounts, manifest, pod))
    if item.key("image") is None:
        container.outside, container.mounts = container.outside or PATCHED, None
    return container


def _volumes(mounts: Sequence[TreeNode], manifest: TreeNode, pod: TreeNode) -> Iterator[tuple[str, str, TreeNode]]:
    """The claim or the folder of the host, the path in the container and the place of what keeps records."""
    sources = {claim.string("metadata", "name"): claim.string("metadata", "name") for claim in _claims(manifest)}
    for volume in pod.items("volumes"):
        claim, folder = volume.string("persistentVolumeClaim", "claimName"), volume.string("hostPath", "path")
        sources[volume.string("name")] = claim or folder
    for mount in mounts:
        name = mount.get("name")
        if name is not None and sources.get(name.text) and mount.get("subPathExpr") is None:
            yield sources[name.text], mount.string("mountPath"), name


def _claims(manifest: TreeNode) -> list[TreeNode]:
    """The claims that a StatefulSet makes for each pod."""
    return [claim for claim in manifest.items("spec", "volumeClaimTemplates") if claim.kind == MAPPING]


def _add_claims(block: Block, manifest: TreeNode) -> None:
    """Add the storage class and the size of each claim; Terraform makes a StatefulSet anew whose claims change."""
    for claim in [] if block.file.endswith(OF_TERRAFORM) else _claims(manifest):
        name, spec = claim.get("metadata", "name"), claim.get("spec")
        if name is not None and spec is not None:
            words = spec.string("storageClassName"), spec.string("resources", "requests", "storage")
            text = " ".join(word or "-" for word in words)
            block.translate(f"claim.{name.text}", text, name, f"spec.volumeClaimTemplates[{name.text}]")


def _is_configuration(volume: TreeNode) -> bool:
    return any(volume.get(source) is not None for source in ("configMap", "secret", "downwardAPI", "projected"))


def _variable(item: TreeNode, pod: str, config_maps: Mapping[str, ConfigMap]) -> list[Variable]:
    name, key = item.string("name"), item.get("name")
    if not name or key is None:
        return []
    value = item.get("value")
    lead = f"name: {name}  value: "
    if value is not None:
        return [Variable(name, _outside_references(value.text), key, value, lead)]
    if item.string("valueFrom", "fieldRef", "fieldPath") == "metadata.name":
        variable = Variable(name, f"{pod}-0", key, None, lead)
        variable.derived = "metadata.name"
        return [variable]
    reference = config_maps.get(item.string("valueFrom", "configMapKeyRef", "name"))
    if reference is not None:
        held = reference.node.get("data", item.string("valueFrom", "configMapKeyRef", "key"))
        return [Variable(name, held.text if held is not None else None, key, held, lead)]
    return [Variable(name, None, key, None, lead)]


def _outside_references(text: str) -> str:
    """$(NAME) is filled in by Kubernetes: a placeholder."""
    return text.replace("$(", "${").replace(")", "}") if "$(" in text else text


def _add_map(container: Container, name: str, config_maps: Mapping[str, ConfigMap], prefix: str) -> None:
    """Add what a ConfigMap holds, each under its name behind the prefix; one that is not read may set anything."""
    config_map = config_maps.get(name)
    if config_map is None:
        container.outside = f"envFrom {name or 'a secret'} may set it, and was not read"
        return
    for variable, (key, value) in config_map.node.mapping("data").items():
        own_name = prefix + variable
        container.environment.append(Variable(own_name, value.text, key, value, f"{variable}: ", config_map.file))


def _add_facts(
    block: Block,
    manifest: TreeNode,
    pod: TreeNode,
    path: tuple[str, ...],
    services: Sequence[TreeNode],
    container: Container,
) -> None:
    written = ".".join(path)
    block.spelling = block.spelling or Spelling()
    block.spelling.names = {**block.spelling.names, "service.links": f"{written}.enableServiceLinks"}
    described = block.described or {}
    version = manifest.key("apiVersion")
    if version is not None:
        block.translate("api.version", manifest.string("apiVersion"), version, "apiVersion")
    replicas, number = manifest.key("spec", "replicas"), manifest.whole("spec", "replicas")
    if replicas is not None and number is not None and described.get("runs") in ("broker", "combined"):
        block.translate("brokers", str(number), replicas, "spec.replicas")
    _add_claims(block, manifest)
    links = pod.key("enableServiceLinks")
    takes_variables = any(variable.name.startswith("KAFKA_") for variable in container.environment)
    if links is not None:
        block.translate("service.links", pod.string("enableServiceLinks"), links, f"{written}.enableServiceLinks")
    elif takes_variables and (any(_is_kafka(service) for service in services) or _names_service(container)):
        described["service.links"] = "true"
    if _is_soft(pod):
        key = pod.key("affinity", "podAntiAffinity", "preferredDuringSchedulingIgnoredDuringExecution")
        if key is not None:
            block.translate("anti.affinity", "preferred", key, f"{written}.affinity.podAntiAffinity")
    block.described = described


def _is_kafka(service: TreeNode) -> bool:
    """Whether a Service is called kafka… and has an address of its own: a headless one adds no variables."""
    name = service.string("metadata", "name")
    return service.string("spec", "clusterIP") != "None" and (
        name == SERVICE_PREFIX or name.startswith(f"{SERVICE_PREFIX}-")
    )


def _names_service(container: Container) -> bool:
    """Whether an address of the container is that of a Service whose name begins with kafka."""
    values = (variable.value or "" for variable in container.environment)
    hosts = (part.rpartition("/")[2] for value in values for part in value.split(","))
    return any(host.startswith(SERVICE_PREFIX) and ".svc" in host for host in hosts)


def _is_soft(pod: TreeNode) -> bool:
    rules = pod.mapping("affinity", "podAntiAffinity")
    return "preferredDuringSchedulingIgnoredDuringExecution" in rules and len(rules) == 1
