"""Compose files: every service that runs Kafka, ZooKeeper or a Connect worker.

Source: the Compose specification (environment, env_file, interpolation, merge keys).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from advisor.errors import JudgedElsewhere, UnreadableInput
from advisor.model import DEPLOYMENT, SERVER_KINDS, Setting
from collectors.files.block import Block, settings_of_file
from collectors.files.commands.command_line import words_of_options
from collectors.files.compose.bootstrap_addresses import unreachable_brokers
from collectors.files.compose.built_images import BUILD, take_built_image
from collectors.files.compose.conflicts import add_conflicts
from collectors.files.compose.extended_services import extended_elsewhere
from collectors.files.compose.includes import environment_of
from collectors.files.containers.container import MEMORY, Container, blocks_of, count_brokers, unread_beside
from collectors.files.containers.pod_limits import add_service_limit
from collectors.files.containers.published_ports import ports_of
from collectors.files.containers.replicas import add_shared_id, count_clients
from collectors.files.embedded import embedded_blocks
from collectors.files.images.cluster_ids import compare_ids
from collectors.files.images.image import WURSTMEISTER
from collectors.files.images.shipped_files import APPENDED_TO, CONFIGURATION
from collectors.files.sources import Sources
from collectors.files.syntax.properties_file import read_settings
from collectors.files.syntax.tree import MAPPING, SEQUENCE, TreeNode
from collectors.files.syntax.yaml_numbers import digits_of
from collectors.files.variables import Variable, fill

FORMAT_NAME = "compose"
STEMS, ENDINGS = ("docker-compose", "compose"), ("yml", "yaml")
"""The names of the files that Compose reads by itself; `.override` stands before the ending of what it merges over them."""
OVERRIDE, BASE_MISSING = ".override", "the file that this one is merged over is not judged with it, and may set it"
RESET = "${reset}"
"""What stands for `!reset`, which takes away what the files before set."""
OWN_NAME = "no project"
"""What a volume with a name of its own is of."""
SERVER_FILE = "server.properties"
DISTRIBUTIONS = ("kafka", "confluent", "wurstmeister", "debezium")
MOST_EXTENDED = 5
"""Services that extend each other."""


def knows(document: TreeNode) -> bool:
    """Whether a document is a Compose file: services, at least one of which has an image, a build or an environment."""
    services = document.mapping("services").values()
    return any(
        service.kind == MAPPING and not {"image", "build", "environment", "extends"}.isdisjoint(service.pairs())
        for _, service in services
    )


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The blocks of a Compose file; nodes whose ZooKeeper or voters another file of the folder has are of its cluster.

    Raises JudgedElsewhere for a file of which other files extend all that runs Kafka.
    """
    kafka_blocks = _own_blocks(documents, sources)
    if not kafka_blocks and _extended(sources):
        text = f"{sources.shown}: services of other Compose files extend its services, which are judged with those"
        raise JudgedElsewhere(text, FORMAT_NAME)
    if any(block.cluster for block in kafka_blocks) and sources.has_files_beside:
        _join_files(kafka_blocks, sources.of_folder(FORMAT_NAME, _files_of_folder), sources.path)
    return kafka_blocks


class ComposeFile(NamedTuple):
    """The services of a file, and the brokers that it has of each cluster."""

    services: frozenset[str]
    brokers: Mapping[str, int]


def _files_of_folder(sources: Sources) -> dict[str, ComposeFile]:
    files = {}
    for path, text in sources.texts("services:"):
        documents = [
            document for document in sources.documents(path, text) if document.kind == MAPPING and knows(document)
        ]
        if documents:
            services = frozenset(name for document in documents for name in document.mapping("services"))
            with settings_of_file.reading(path):
                kafka_blocks = _own_blocks(documents, Sources(path, path))
            nodes = [block for block in kafka_blocks if block.cluster and block.brokers]
            files[path] = ComposeFile(
                services, {block.cluster: block.brokers for block in nodes if block.cluster and block.brokers}
            )
    return files


def _join_files(kafka_blocks: Sequence[Block], files: Mapping[str, ComposeFile], path: str) -> None:
    """Count nodes for the cluster of the one file that has the hosts which their own file lacks."""
    for cluster in {block.cluster for block in kafka_blocks if block.cluster}:
        owner = _owner(cluster, files, path)
        if owner is None:
            continue
        brokers = sum(
            file.brokers.get(cluster, 0) for each, file in files.items() if _owner(cluster, files, each) == owner
        )
        for block in (each for each in kafka_blocks if each.cluster == cluster):
            block.scope = owner
            block.brokers = brokers if block.brokers is not None else None


def _owner(cluster: str, files: Mapping[str, ComposeFile], path: str) -> str | None:
    """The file whose services are the hosts of a cluster: the node's own, else the only one of the folder."""
    hosts = {part.rpartition("@")[2].partition(":")[0].partition("/")[0] for part in cluster.split(",")}
    if path in files and hosts <= files[path].services:
        return path
    owners = [each for each, file in files.items() if hosts <= file.services]
    return owners[0] if len(owners) == 1 else None


def _own_blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The blocks of one Compose file; what its override file changes is merged, and left to it there."""
    values = environment_of(sources)
    before, behind = _merged_files(sources, values)
    is_over = bool(before) or OVERRIDE in os.path.basename(sources.path)
    overrides, base = [_services_over(name, sources) for name in reversed(behind)], _services_under(before, sources)
    left_out = base | _extended(sources)
    kafka_blocks: list[Block] = []
    of_configs: dict[str, list[Block]] = {}
    services: list[tuple[Container, Sequence[Block]]] = []
    for document in documents:
        for name, (_, service) in document.mapping("services").items():
            if service.kind == MAPPING and name not in left_out:
                chain = [over[name] for over in overrides if name in over]
                chain.append(Service(service, None, document.get("services")))
                container = _container(name, chain, sources, values)
                if is_over and not base:
                    container.outside, container.mounts = BASE_MISSING, None
                container.outside = container.outside or _external_file(service, document)
                _name_volumes(container, document, values)
                container.mounted_settings = _mounted_settings(container, sources)
                own_blocks = blocks_of(container)
                if not container.arguments:
                    add_shared_id(own_blocks, *_replicas(chain))
                count_clients(own_blocks, _replicas(chain)[0], container)
                for facts in (block for block in own_blocks if block.kind == DEPLOYMENT and len(chain) == 1):
                    add_service_limit(facts, service)
                    add_folder_of_host(facts, service, container)
                kafka_blocks += own_blocks
                services.append((container, own_blocks))
                sources.not_read = sources.not_read or unread_beside(container.outside, own_blocks)
        for name, (_, config) in document.mapping("configs").items():
            content = config.pairs().get("content") if config.kind == MAPPING else None
            of_configs[name] = list(embedded_blocks({name: content}, "", FORMAT_NAME, sources)) if content else []
    kafka_blocks += unreachable_brokers(services)
    add_conflicts(services)
    _count_nodes(kafka_blocks, of_configs, documents)
    compare_ids(kafka_blocks)
    kafka_blocks += [block for config_blocks in of_configs.values() for block in config_blocks]
    return _without_ensembles_of_others(kafka_blocks, sources)


def _count_nodes(
    of_services: Sequence[Block], of_configs: Mapping[str, Sequence[Block]], documents: Sequence[TreeNode]
) -> None:
    """Count the brokers of the services; the content of `configs` that these take is their file, and no node beside them."""
    nodes = [block for block in of_services if block.kind in SERVER_KINDS]
    count_brokers(of_services)
    services = [service for document in documents for _, service in document.mapping("services").values()]
    taken = {item.string("source") or item.text for service in services for item in service.items("configs")}
    for name, config_blocks in of_configs.items():
        for block in (each for each in config_blocks if nodes and name in taken and each.kind in SERVER_KINDS):
            block.cluster, block.brokers = nodes[0].cluster, nodes[0].brokers


def _extended(sources: Sources) -> frozenset[str]:
    """The services that other files extend, in a file that Compose does not read by itself: they stand there for the others."""
    stem, _, ending = os.path.basename(sources.path).rpartition(".")
    is_started = stem.removesuffix(OVERRIDE) in STEMS and ending in ENDINGS
    return frozenset() if is_started else extended_elsewhere(sources)


def add_folder_of_host(facts: Block, service: TreeNode, container: Container) -> None:
    """Add that wurstmeister's image names the folder of the records by the host, the container's id unless it is set (start-kafka.sh)."""
    names = {variable.name for variable in container.environment}
    is_named = container.image.family == WURSTMEISTER and not names & {"KAFKA_LOG_DIRS", "KAFKA_LOG_DIR", "HOSTNAME"}
    is_own = not container.outside and not container.command and service.get("hostname") is None
    if is_named and is_own and container.image_node is not None:
        facts.translate("log.folder.of.host", "true", container.image_node, container.image_path)


def _without_ensembles_of_others(kafka_blocks: list[Block], sources: Sources) -> list[Block]:
    """The blocks without those of a ZooKeeper that no Kafka uses: all nodes are in KRaft mode, or nothing beside it is Kafka's."""
    nodes = [block for block in kafka_blocks if block.kind in SERVER_KINDS]
    ensemble = {block.name for block in kafka_blocks if block.kind == "zookeeper"}
    in_kraft = all("process.roles" in block.settings and "zookeeper.connect" not in block.settings for block in nodes)
    if not ensemble or not in_kraft or (not nodes and (sources.run.is_one or _mentions_kafka(sources))):
        return kafka_blocks
    return [block for block in kafka_blocks if block.name not in ensemble]


def _mentions_kafka(sources: Sources) -> bool:
    """Whether a Compose file of the folder names Kafka, or a distribution of it."""
    return any(word in text.lower() for _, text in sources.texts("services:") for word in DISTRIBUTIONS)


def _merged_files(sources: Sources, values: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """(files before this one, files behind it) that Compose merges with it, each over those before.

    COMPOSE_FILE of the `.env` beside names them, else the file with `.override` in its name is merged over the one without.
    """
    own = os.path.basename(sources.path)
    named = values.get("COMPOSE_FILE", "").split(values.get("COMPOSE_PATH_SEPARATOR") or os.pathsep)
    files = [os.path.normpath(name.strip()) for name in named if name.strip()] or _default_files(own, sources)
    if own not in files:
        return [], []
    at = files.index(own)
    return files[:at], files[at + 1 :]


def _default_files(own: str, sources: Sources) -> list[str]:
    """The file that Compose reads by itself and its override file, where this one is either."""
    stem, _, ending = own.rpartition(".")
    bare = stem.removesuffix(OVERRIDE)
    if bare not in STEMS or ending not in ENDINGS:
        return []
    stems = (f"{bare}.", f"{bare}.override.")
    names = (next((f"{each}{end}" for end in ENDINGS if sources.holds(f"{each}{end}")), "") for each in stems)
    return [name for name in names if name]


def _services_over(name: str, sources: Sources) -> dict[str, Service]:
    """The services of a file that Compose merges over this one."""
    services = _services_of(name, sources)
    if services is None:
        return {}
    file = sources.shown_path(name)
    return {each: Service(node, file, services) for each, (_, node) in services.pairs().items() if node.kind == MAPPING}


def _services_under(names: Sequence[str], sources: Sources) -> frozenset[str]:
    """The services of the files before this one: they are judged there, with it."""
    own = [name for name in names if sources.is_of_run(os.path.join(sources.folder, name))]
    services = [each for name in own if (each := _services_of(name, sources)) is not None]
    return frozenset(name for each in services for name in each.pairs())


class Service(NamedTuple):
    """A service, the file in which it stands (None: the one that is read), and the services of that file."""

    node: TreeNode
    file: str | None
    siblings: TreeNode | None


def _container(name: str, extended: list[Service], sources: Sources, values: Mapping[str, str]) -> Container:
    """The container of a service: that of an override file first, then the file's own, then what it extends."""
    service = next(each.node for each in extended if each.file is None)
    unread = _add_extended(extended, sources)
    image_holder = next((each for each in extended if each.node.get("image") is not None), extended[0])
    image = fill(image_holder.node.string("image"), values)
    image_node = image_holder.node.key("image") if image_holder.file is None else service.key("extends")
    container = Container(name, image, image_node, sources.shown, FORMAT_NAME)
    runs_alone = any(each.node.get(part) is not None for each in extended for part in ("image", "build"))
    container.outside = f"{unread} may set it, and was not read" if unread else "" if runs_alone else BASE_MISSING
    for each in extended:
        named = {variable.name for variable in container.environment}
        container.environment += [
            variable for variable in _environment(each, values) if variable.name not in named or each is extended[0]
        ]
        if each.node.string("environment") == RESET:
            break
    container.arguments = [node for each in reversed(extended) for node in _command(each.node)]
    container.mounts = None if container.outside else [path for each in extended for path in _mounts(each.node)]
    container.volumes = [volume for each in extended for volume in _volumes(each.node)]
    container.published = _published(service)
    container.ports = ports_of([each.node for each in extended], values)
    container.network = next((mode for each in extended if (mode := each.node.string("network_mode"))), "")
    container.host = fill(service.string("container_name"), values)
    container.extra_hosts = any(each.node.get("extra_hosts") is not None for each in extended)
    container.profiles = any(each.node.get("profiles") is not None for each in extended)
    for each in extended:
        if each.node.get("env_file") is not None:
            _env_files(container, each.node, sources)
    builder = next((each for each in extended if each.node.get(BUILD) is not None), None)
    if builder is not None and builder.file is None:
        take_built_image(container, builder.node, sources, values)
    return container


def _replicas(chain: Sequence[Service]) -> tuple[int | None, TreeNode | None, str]:
    """(how many containers a service has, the field that says it, its name)."""
    for service in chain:
        for field in (("deploy", "replicas"), ("scale",)):
            key = service.node.key(*field) if service.file is None else None
            if key is not None:
                return service.node.whole(*field), key, ".".join(field)
    return None, None, ""


def _add_extended(chain: list[Service], sources: Sources) -> str:
    """Add what a service extends, near before far; returns a file that could not be read."""
    while len(chain) <= MOST_EXTENDED:
        service = chain[-1]
        name = service.node.string("extends", "service") or service.node.string("extends")
        file = service.node.string("extends", "file")
        if not name:
            break
        siblings = _services_of(file, sources) if file else service.siblings
        if siblings is None:
            return file
        parent = siblings.get(name)
        if parent is None or parent.kind != MAPPING or any(parent is each.node for each in chain):
            break
        chain.append(Service(parent, sources.shown_path(file) if file else service.file, siblings))
    return ""


def _services_of(file: str, sources: Sources) -> TreeNode | None:
    """The services of another Compose file; None where it cannot be read."""
    documents = sources.documents_of(file) or ()
    services = (document.get("services") for document in documents if document.kind == MAPPING)
    return next((each for each in services if each is not None), None)


def _environment(service: Service, values: Mapping[str, str]) -> list[Variable]:
    environment = service.node.get("environment")
    if environment is None:
        return []
    if environment.kind == SEQUENCE:
        return [_from_item(item, values, service.file) for item in environment.children if item.text]
    return [
        Variable(
            name,
            _passed(name, values) if value.is_null else fill(digits_of(value), values),
            key,
            value,
            f"{name}: ",
            service.file,
        )
        for name, pair in environment.pairs().items()
        for key, value in (*environment.earlier(name), pair)
        if value.kind not in (MAPPING, SEQUENCE)
    ]


def _from_item(item: TreeNode, values: Mapping[str, str], file: str | None) -> Variable:
    name, equals, value = item.text.partition("=")
    text = fill(value, values) if equals else _passed(name.strip(), values)
    return Variable(name.strip(), text, item, None, f"{name}=", file)


def _passed(name: str, values: Mapping[str, str]) -> str | None:
    """The value that Compose hands on of a variable without one; None where nothing that is read sets it."""
    text = fill(f"${{{name}}}", values)
    return None if name not in values or text == f"${{{name}}}" else text


def _command(service: TreeNode) -> list[TreeNode]:
    """The words of a service's entry point and of its command."""
    nodes = (service.get(name) for name in ("entrypoint", "command"))
    return [each for node in nodes if node is not None for each in (node.children or words_of_options(node))]


def _mounts(service: TreeNode) -> list[str]:
    """The paths in the container that volumes are mounted at; a tmpfs keeps nothing."""
    paths = []
    for item in service.items("volumes"):
        if item.kind == MAPPING:
            paths += [item.string("target")] if item.string("type") != "tmpfs" else []
        else:
            parts = item.text.split(":")
            paths.append(parts[1] if len(parts) > 1 else parts[0])
    return [*paths, *(path for _, _, path in _held(service))]


def _held(service: TreeNode) -> Iterator[tuple[str, str, str]]:
    """(field, name, path in the container) of the configs and secrets that are a file of the user's for the image."""
    for field in ("configs", "secrets"):
        for item in service.items(field):
            if item.string("target").startswith(tuple(CONFIGURATION.values())):
                yield field, item.string("source"), item.string("target")


def _external_file(service: TreeNode, document: TreeNode) -> str:
    """Why the settings of a service are not known: its file of settings is kept outside of Compose; empty where it is not."""
    held = (name for field, name, _ in _held(service) if document.string(field, name, "external").lower() == "true")
    return next((f"the external config {name} may set it, and was not read" for name in held), "")


def _volumes(service: TreeNode) -> Iterator[tuple[str, str, TreeNode]]:
    """The source, the path in the container and the place of the volumes and folders that are mounted."""
    for item in service.items("volumes"):
        if item.kind == MAPPING:
            place = item.get("source")
            if place is not None and item.string("type") != "tmpfs":
                part = item.string("volume", "subpath")
                yield f"{place.text}/{part}" if part else place.text, item.string("target"), place
        elif ":" in item.text:
            source, path = item.text.split(":")[:2]
            yield source, path, item


def _mounted_settings(container: Container, sources: Sources) -> Mapping[str, Setting]:
    """The settings of the mounted file that the image appends the variables to; none where there is none that is read."""
    for source, path, _ in container.volumes:
        folder, _, ending = path.rstrip("/").partition(f"/{SERVER_FILE}")
        if folder != APPENDED_TO or ending:
            continue
        name = os.path.normpath(source if folder != path.rstrip("/") else os.path.join(source, SERVER_FILE))
        text = sources.text_of_tree(name)
        try:
            return read_settings(text, sources.shown_path(name))[0] if text is not None else {}
        except UnreadableInput:
            return {}
    return {}


def _name_volumes(container: Container, document: TreeNode, values: Mapping[str, str]) -> None:
    """Give volumes the names that Docker knows them by, where the file says what they begin with or has given them one."""
    project = values.get("COMPOSE_PROJECT_NAME") or fill(document.string("name"), values)
    declared, named, projects = document.mapping("volumes"), [], {}
    for source, path, place in container.volumes:
        source, slash, part = _named_part(fill(source, values))
        volume = declared[source][1] if source in declared else None
        own = volume.string("name") if volume is not None and volume.kind == MAPPING else ""
        if volume is not None and volume.string("driver_opts", "type") == MEMORY:
            source = MEMORY
        elif volume is not None and (own or volume.string("external") == "true"):
            source = fill(own, values) or source
            projects[source + slash + part] = OWN_NAME
        elif volume is not None and project:
            source = f"{project}_{source}"
            projects[source + slash + part] = project
        named.append((source + slash + part, path, place))
    container.volumes, container.projects = named, projects


def _named_part(source: str) -> tuple[str, str, str]:
    """A volume, and the folder in it that is mounted; a folder of the host is all one."""
    return (source, "", "") if source.startswith((".", "/", "~", "$")) else source.partition("/")


def _published(service: TreeNode) -> TreeNode | None:
    """The first port that is published on every interface of the host."""
    for item in service.items("ports"):
        text = item.string("published") if item.kind == MAPPING else item.text
        host = item.string("host_ip") if item.kind == MAPPING else text.rpartition(":")[0].rpartition(":")[0]
        published = bool(text) if item.kind == MAPPING else ":" in text
        if published and host not in ("127.0.0.1", "localhost", "[::1]"):
            return item if item.kind != MAPPING else item.get("published")
    return None


def _env_files(container: Container, service: TreeNode, sources: Sources) -> None:
    """Add the variables of env_file below those of environment; what cannot be read may set anything."""
    node = service.get("env_file")
    assert node is not None
    items = node.children if node.kind == SEQUENCE else [node]
    named = {variable.name for variable in container.environment}
    for item in items:
        path = item.string("path") if item.kind == MAPPING else item.text
        variables = sources.env_file(path)
        if variables is None:
            container.outside = f"{path} may set it, and was not read"
            continue
        for name, value, line in variables:
            if name not in named:
                key = TreeNode("scalar", line, 1, name)
                container.environment.append(Variable(name, value, key, None, f"{name}=", sources.shown_path(path)))
