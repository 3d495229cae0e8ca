"""Containers that run Kafka, whatever describes them: variables become settings, the rest facts of the deployment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from copy import copy

from advisor.catalog.keys import SPELLED
from advisor.catalog.undocumented import OBJECT_STORAGE
from advisor.model import LITERAL, OVERLAY, SERVER_KINDS, Setting, Spelling
from collectors.files import detect
from collectors.files.block import Block, deployment, latest_target, make_setting, settings_of_file, stated_target
from collectors.files.commands.command_line import (
    OF_SPRING,
    changes_a_file,
    extra_flags,
    login_file,
    overrides,
    own_script,
    properties_of_spring,
)
from collectors.files.commands.tool_commands import topics_of
from collectors.files.containers.pod_limits import add_heap
from collectors.files.containers.published_ports import Port, bound_to_loopback, open_jmx
from collectors.files.images.cluster_ids import NO_ID, OF_BITNAMI, SKIPS_FORMAT, TAKES_BOTH
from collectors.files.images.image import (
    APACHE,
    BITNAMI,
    BROKER,
    CONFLUENT,
    CONNECT,
    DEBEZIUM,
    DEBEZIUM_TAKES,
    LOCAL,
    ROLES,
    WURSTMEISTER,
    ZOOKEEPER,
    ZOOKEEPER_KEYS,
    Image,
    in_order,
    other_spelling,
    property_of,
    variable_of,
)
from collectors.files.images.shipped_files import (
    LACKS,
    complete,
    complete_worker,
    dropped_from_file,
    is_zookeeper_mode,
    newest_without_zookeeper,
    version_of,
)
from collectors.files.images.variable_checks import CLUSTER_ID, REQUIRES, failing_checks, failing_settings
from collectors.files.images.worker_checks import missing_variables
from collectors.files.syntax.properties import read_from_properties
from collectors.files.syntax.tree import TreeNode
from collectors.files.variables import LONGEST_VALUE, Expansion, Variable

SERVER_STARTS = ("kafka-server-start", "/docker/run", "start-kafka", "kafka/run.sh", "entrypoint.sh", "kafka.kafka", "launch",
                 "connect-distributed", "connect-standalone")  # fmt: skip
MEMORY = "tmpfs"
TEMPORARY = ("/tmp/", "/dev/shm/", "/run/", "/var/run/", f"{MEMORY}/")
"""Folders of a host that are emptied when it starts, and what stands for a volume in its memory."""
TOOLS = ("kafka-topics", "kafka-ready", "kafka-console", "kafka-configs", "kafka-acls", "kafka-broker-api", "kafka-storage",
         "connect-ready", "zookeeper-shell", "kafka-consumer-groups", "curl ", "sleep infinity", "kafka-run-class")  # fmt: skip
IDENTITY = ("zookeeper.connect", "process.roles", "listeners", "advertised.listeners", "broker.id", "node.id",
            "controller.quorum.voters", "advertised.host.name", "controller.quorum.bootstrap.servers")  # fmt: skip
"""Settings of which a container of an unknown image has two that runs a broker."""
ASSIGNED = re.compile(r"\b(KAFKA_[A-Z0-9_]{1,100})=")
PROPERTIES_FILE = re.compile(r"\S\.properties\b")
LONGEST_COMMAND = 100_000
REGISTRY = "SCHEMA_REGISTRY_"
"""What the variables of Confluent's schema registry begin with."""
SERVER_ADDRESSES = ("KSQL_BOOTSTRAP_SERVERS", "CONTROL_CENTER_BOOTSTRAP_SERVERS")
"""The variables that ksqlDB and Control Center need."""
WORKER = {
    "CONNECT_BOOTSTRAP_SERVERS",
    "CONNECT_GROUP_ID",
    "CONNECT_CONFIG_STORAGE_TOPIC",
    "CONNECT_OFFSET_STORAGE_TOPIC",
}
"""Variables of which a container of an unknown image has two that runs a Connect worker."""
OTHER_ROLES = {BROKER: (CONNECT, "connect-distributed"), CONNECT: (BROKER, "kafka-server-start")}
"""What else a container runs whose command starts it."""
FACTS = {
    "KAFKA_JMX_OPTS": "jmx.options",
    "KAFKA_CREATE_TOPICS": "topics.created",
    **dict.fromkeys(("CLUSTER_ID", "KAFKA_CLUSTER_ID", "KAFKA_KRAFT_CLUSTER_ID"), "cluster.id"),
}
"""Variables that are facts of the deployment."""
IDLE = re.compile(
    r"(?:/?(?:usr/)?(?:bin/)?(?:ba)?sh -c [\"']?)?(?:tail -f /dev/null|sleep (?:infinity|inf|\d{1,9}[smhd]?))[\"']?"
)
"""A command that only keeps a container up, for someone who starts tools in it."""
TAKEN = "taken."
"""What the fact begins with about the key of a variable of which the script makes something else than its setting."""
APACHES_ID = "5L6g3nShT-eMCtK--X86sw"
"""The cluster's id where no variable says another one. Source: docker/resources/common-scripts/configureDefaults of apache/kafka."""
SPRING_BOOT = ("SPRING_KAFKA_", *map(str.upper, OF_SPRING))
APPLICATIONS = (*SPRING_BOOT, "SPRING_CLOUD_STREAM_KAFKA_BINDER_", "MP_MESSAGING_", "QUARKUS_", "MICRONAUT_",
                "KAFKA_PRODUCERS_", "KAFKA_CONSUMERS_")  # fmt: skip
"""What variables of applications begin with; those of Spring Boot alone are no tool's."""
UNKNOWN_IMAGE = "the image may set it"
DATA = {BITNAMI: "/bitnami/kafka", CONFLUENT: "/var/lib/kafka/data", APACHE: "/tmp/kraft-combined-logs", DEBEZIUM: "/kafka/data",
        WURSTMEISTER: "/kafka"}  # fmt: skip
"""Where an image has the log segments unless a variable says another folder."""
IMAGE_VOLUMES = {
    CONFLUENT: "/var/lib/kafka/data",
    APACHE: "/var/lib/kafka/data",
    DEBEZIUM: "/kafka/data",
    WURSTMEISTER: "/kafka",
}
"""The folder for which an image declares a VOLUME. Source: their Dockerfiles; Bitnami's declare none."""
OF_KAFKA = "/tmp/kafka-logs"
"""Where Kafka itself has the log segments: Apache's image drops its file as soon as a variable is a setting."""
HOST = "host"
"""The network of a container that has none of its own, but its host's."""
COMPOSE = "compose"
"""The format of which Docker keeps the volumes that images declare: Kubernetes deletes them with the pod."""
ANYWHERE = "/"
"""The folder of the log segments where it is not known."""
NO_DATA = ("/etc/", "/var/run/")
"""Where the mounts of configuration, secrets and sockets are, which hold no log segments."""


IN_KUBERNETES = re.compile(r"\$\(([A-Za-z_]\w{0,200})\)")
"""How the arguments of a container name a variable in Kubernetes."""


def fill_own_variables(setting: Variable, given: Mapping[str, str], expansion: Expansion) -> None:
    """Fill a container's own variables in where a shell does: `$${NAME}` in Compose, `$(NAME)` in Kubernetes."""
    if setting.value is None or "$" not in setting.value:
        return
    filled = expansion.fill(IN_KUBERNETES.sub(r"${\1}", setting.value).replace("$$", "$"), given)
    if "$" not in filled:
        setting.value = filled


class Container:
    """A container as a file describes it.

    `image_path` is where its image stands in the file, `arguments` are the words of its command, `mounts` are paths in the container (None: not known), `volumes` the source, the path and the place of those that have a source, `projects` what decides the names of sources, for those of which it is known, `mounted_settings` are those of a file that its variables are appended to, `ports` what it publishes, `network` the one
    that it shares with its host or with another container, `host` its name beside its own, `extra_hosts` whether it has hosts of others, `profiles` whether it starts in profiles alone, `outside` says what else may
    set its variables, and was not read.
    """

    def __init__(self, name: str, image: str, image_node: TreeNode | None, file: str, format: str) -> None:
        self.name = name
        self.image = Image(image)
        self.image_node = image_node
        self.image_path = "image"
        self.file = file
        self.format = format
        self.environment: list[Variable] = []
        self.outside = ""
        self.arguments: list[TreeNode] = []
        self.mounts: Sequence[str] | None = ()
        self.volumes_path = "volumes"
        self.volumes: Sequence[tuple[str, str, TreeNode]] = ()
        self.projects: Mapping[str, str] = {}
        self.mounted_settings: Mapping[str, Setting] = {}
        self.published: TreeNode | None = None
        self.ports: Sequence[Port] = ()
        self.network = ""
        self.host = ""
        self.extra_hosts = False
        self.profiles = False

    @property
    def overrides(self) -> list[Variable]:
        """The settings that its command, or a variable for it, hands to the server's start."""
        settings: list[Variable] = [*extra_flags(self.environment), *overrides(self.arguments)]
        given = {each.name: each.value for each in self.environment if each.value is not None}
        expansion = Expansion(LONGEST_VALUE)
        for setting in settings:
            fill_own_variables(setting, given, expansion)
        return settings

    @property
    def command(self) -> str:
        """The command in one line."""
        return " ".join(node.text for node in self.arguments)

    @property
    def is_idle(self) -> bool:
        """Whether its command only keeps it up, so that the program of its image does not run."""
        return IDLE.fullmatch(self.command.strip()) is not None

    def add_assigned(self) -> None:
        """Add the variables that the command itself sets: what they become is known when it runs."""
        named = {variable.name for variable in self.environment}
        for name in dict.fromkeys(ASSIGNED.findall(self.command[:LONGEST_COMMAND])):
            if name not in named:
                key = TreeNode("scalar", 1, 1, name) if self.image_node is None else self.image_node
                self.environment.append(Variable(name, None, key, None, f"{name}="))

    def runs(self) -> tuple[str, ...]:
        """What it runs: BROKER, CONNECT or both, ZOOKEEPER, or nothing that is read."""
        command = self.command
        if self.image.is_other or (any(tool in command for tool in TOOLS) and not starts_server(command)):
            return ()
        names = {variable.name for variable in self.environment}
        if self.image.runs == BROKER and own_script(command) is not None and not self._has_identity():
            return ()
        if self.image.runs:
            runs = (self.image.runs,) if self.image.runs == ZOOKEEPER or self._is_configured() else ()
            also = OTHER_ROLES.get(self.image.runs) if runs and self.image.family == CONFLUENT else None
            return (*runs, also[0]) if also is not None and also[1] in command else runs
        keys = {property_of(self.image, name) for name in names} | {setting.name for setting in self.overrides}
        is_broker, is_worker = len(keys & set(IDENTITY)) > 1, len(names & WORKER) > 1
        return (*((BROKER,) if is_broker else ()), *((CONNECT,) if is_worker else ()))

    def _has_identity(self) -> bool:
        """Whether it has a setting that a node needs: a container with a script of its own and none only calls tools."""
        return any(property_of(self.image, variable.name) in IDENTITY for variable in self.environment)

    def _is_configured(self) -> bool:
        """Whether it has a setting, or starts as it is: a container of cp-kafka without variables only holds tools."""
        known = any(property_of(self.image, variable.name) for variable in self.environment)
        return known or bool(self.outside or self.overrides) or (self._starts_as_it_is() and not self.command)

    def _starts_as_it_is(self) -> bool:
        """Whether its image runs a broker without any variable."""
        return self.image.family in (APACHE, BITNAMI, DEBEZIUM) or self.image.repository == LOCAL


def starts_server(command: str) -> bool:
    """Whether a command starts a server."""
    return any(start in command for start in SERVER_STARTS)


def blocks_of(container: Container) -> list[Block]:
    """The node, worker or server that a container runs, with its deployment; nothing where it runs nothing of Kafka's."""
    settings_of_file.add_variables(len(container.environment))
    if container.is_idle:
        return []
    container.add_assigned()
    runs = container.runs()
    if not runs:
        if any(variable.name.startswith(REGISTRY) for variable in container.environment):
            from collectors.files.frameworks.schema_registry import blocks_of_variables

            return blocks_of_variables(container.environment, container.name, container.file, container.format)
        return (
            _servers_of_confluent(container)
            or applications_clients(container)
            or topics_of(container.arguments, container.file, container.format)
        )
    kafka_blocks: list[Block] = []
    for role in runs:
        own = in_role(container, role)
        block = _zookeeper(own) if role == ZOOKEEPER else _node(own, role)
        if role == ZOOKEEPER and not block.settings:
            facts = _deployment(own, block)
            kafka_blocks += [facts] if any(fact.startswith(REQUIRES) for fact in facts.settings) else []
            continue
        if role != ZOOKEEPER and changes_a_file(container.command):
            block.changed_by = block.fragment = "the command changes the file of properties"
        kafka_blocks += [block] if kafka_blocks else [block, _deployment(own, block)]
    return kafka_blocks


def in_role(container: Container, role: str) -> Container:
    """The container as one of the things that it runs."""
    own = copy(container)
    own.image = Image(container.image.reference)
    own.image.runs = role
    return own


def _servers_of_confluent(container: Container) -> list[Block]:
    """ksqlDB or Control Center, which are clients of Kafka, as variables configure it."""
    if not any(variable.name in SERVER_ADDRESSES for variable in container.environment):
        return []
    from collectors.files.frameworks.confluent_servers import server_blocks

    return server_blocks(container.environment, container.name, container.format, container.file)


def applications_clients(container: Container) -> list[Block]:
    """The clients of an application that runs in a container and is configured by its variables."""
    begins = SPRING_BOOT if container.image.is_other or container.image.family else APPLICATIONS
    own = list(properties_of_spring(container.arguments, container.environment))
    if own:
        named = {setting.name for setting in own}
        container.environment = [*(each for each in container.environment if each.name not in named), *own]
    if not any(variable.name.upper().startswith(begins) for variable in container.environment):
        return _clients_of_dotnet(container)
    from collectors.files.frameworks.environment import framework_blocks
    from collectors.files.frameworks.spring_environment import spring_blocks

    about = (container.environment, container.name, container.format, container.file)
    return spring_blocks(*about) or (framework_blocks(*about) if begins[: len(APPLICATIONS)] == APPLICATIONS else [])


def node_of(container: Container, role: str) -> Block:
    """The broker or the worker that a container's variables configure, whatever it runs."""
    return _node(in_role(container, role), role)


def _clients_of_dotnet(container: Container) -> list[Block]:
    """The clients of an application of .NET."""
    if not any("__" in variable.name for variable in container.environment) or container.image.family:
        return []
    from collectors.files.frameworks.dotnet_environment import dotnet_blocks

    return dotnet_blocks(container.environment, container.name, container.format, container.file)


def _node(container: Container, runs: str) -> Block:
    image = container.image
    block = Block(None, container.name, container.format, container.file)
    block.spelling = Spelling(form=lambda key: variable_of(image, key))
    for number in in_order(image, (variable.name for variable in container.environment)):
        variable = container.environment[number]
        key = property_of(image, variable.name)
        if key is not None and other_spelling(image, variable.name) is None:
            put_variable(block, key, variable)
    for setting in (*container.overrides, *login_file(container.environment)):
        put_variable(block, setting.name, setting)
    _roles(block)
    if runs == CONNECT:
        block.kind = "connect"
        complete_worker(block, container)
    else:
        complete(block, container)
        block.kind = _kind(block)
        mounted = tuple((path.rstrip("/"), source) for source, path, _ in container.volumes)
        block.mounts = None if container.mounts is None else mounted
    _defaults(block, container, runs)
    return block


def put_variable(block: Block, key: str, variable: Variable) -> None:
    """Add what a variable sets; one that something outside the file sets is a placeholder."""
    value = read_from_properties(variable.value) if variable.value is not None else f"${{{variable.name}}}"
    setting = make_setting(key, value, variable.file or block.file, variable.key_node, variable.value_node)
    setting.written, setting.lead, setting.derived = variable.name, variable.lead, variable.derived
    block.put(setting)


def _roles(block: Block) -> None:
    roles = block.settings.get("process.roles")
    if roles is not None and roles.value in ROLES:
        roles.value = roles.shown = ROLES[roles.value]


def _kind(block: Block) -> str:
    kind = detect.kind_of(block.settings)
    return kind if kind in ("controller", "combined") else "broker"


def _defaults(block: Block, container: Container, runs: str) -> None:
    image = container.image
    if image.release is not None and container.image_node is not None:
        block.target = stated_target(
            image.release, image.reference, container.image_node, container.file, container.image_path
        )
    elif container.image_node is not None and runs == BROKER and newest_without_zookeeper(block, image):
        block.target = latest_target(image.reference, container.image_node, container.file, container.image_path)
    script = own_script(container.command) if image.family else None
    if container.outside:
        block.fragment = container.outside
    elif script is not None:
        block.changed_by = block.fragment = f"{os.path.basename(script)} starts it, and may set it"
    elif runs == BROKER and container.overrides and PROPERTIES_FILE.search(container.command):
        block.fragment = "the file of properties that the command names may set it"
    elif image.family == DEBEZIUM and runs == CONNECT:
        block.fragment = "the image sets it"
    elif runs == BROKER and not image.family and not {"process.roles", "zookeeper.connect"} & block.settings.keys():
        block.kind, block.fragment = OVERLAY, UNKNOWN_IMAGE
    elif runs == BROKER and not image.family:
        block.fragment = UNKNOWN_IMAGE


def runs_script(container: Container, block: Block) -> bool:
    """Whether a known image starts the node by its own script, with nothing of its environment elsewhere."""
    image = container.image
    is_jvm = bool(image.family) and not image.repository.endswith("-native")
    return is_jvm and not container.outside and not container.command and block.kind in SERVER_KINDS


def _deployment(container: Container, block: Block) -> Block:
    facts = deployment(container.name, container.format, container.file)
    facts.spelling = Spelling(names={"storage": container.volumes_path, "image": container.image_path})
    facts.target, facts.cluster = block.target, block.cluster
    facts.described = {"runs": block.kind}
    if container.mounts is not None:
        facts.described["storage"] = _storage(_kept(container.mounts, container), container, block)
        facts.described["image.volume"] = _image_volume(container, block)
        _volume_elsewhere(facts, container, block)
    if container.image.family == APACHE and not container.outside:
        facts.described["cluster.id"] = APACHES_ID
    _volume(facts, container, block)
    if container.image_node is not None:
        facts.translate("image", container.image.reference, container.image_node, container.image_path)
    _failing_checks(facts, container, block)
    add_heap(facts, container.environment, runs_script(container, block))
    if block.kind == "zookeeper" and container.published:
        facts.translate("public.access", container.published.text, container.published, "ports")
    if container.image.family == APACHE and container.image_node is not None and is_zookeeper_mode(block):
        facts.translate("kraft.only", "true", container.image_node, container.image_path)
    for variable in container.environment:
        fact = _fact_of(container.image, variable.name) or _taken(container.image, variable.name, block)
        if fact is not None and variable.value is not None:
            put_variable(facts, fact, variable)
    _answers_at_ports(facts, container, block)
    if makes_random_id(container, block):
        facts.random_id = container.image_node
    return facts


def makes_random_id(container: Container, block: Block) -> bool:
    """Whether the image formats the disks with a random id: Bitnami's in KRaft mode, where no variable has the id."""
    is_known = not (container.outside or block.fragment or container.arguments)
    return container.image.family == BITNAMI and is_known and not _has_id(container)


def _has_id(container: Container) -> bool:
    """Whether a variable has the id with which Bitnami's image formats the disks, names its file, or keeps it from formatting."""
    version = version_of(container)
    taken = OF_BITNAMI if version is None or version >= TAKES_BOTH else OF_BITNAMI[:1]
    values = {variable.name: variable.value for variable in container.environment}
    skips = (values.get(SKIPS_FORMAT, "no") or "${}").lower() not in ("no", "false", "0")
    return skips or any(values.get(name, "") != "" for each in taken for name in (each, f"{each}_FILE"))


def _answers_at_ports(facts: Block, container: Container, block: Block) -> None:
    """Add what answers at the published ports that should not, and what does not that should."""
    if container.outside:
        return
    jmx = open_jmx(container.image, container.environment, None if container.network == HOST else container.ports)
    if jmx is not None:
        put_variable(facts, "jmx.port", jmx)
    bound = None if container.network else next(bound_to_loopback(block, container.ports), None)
    if bound is not None:
        listener, port = bound
        facts.translate("published.loopback", listener, port.place, "ports")


def _failing_checks(facts: Block, container: Container, block: Block) -> None:
    """Add the variables that end the image's script, set or not, where nothing else may set variables."""
    if container.image_node is None or container.outside or container.arguments:
        return
    variables = {variable.name: variable for variable in container.environment}
    check = failing_checks if container.image.runs == BROKER else missing_variables
    checks = check(container.image, {name: each.value for name, each in variables.items()})
    if block.kind in SERVER_KINDS and not block.fragment:
        checks += failing_settings(container.image, block.settings, variables.keys())
    for fact in checks:
        name = fact.partition(".")[2]
        if name in variables:
            put_variable(facts, fact, variables[name])
        else:
            facts.translate(fact, "", container.image_node, name)
    for name in dropped_from_file(block, container):
        facts.translate(LACKS + name, "", container.image_node, name)
    if REQUIRES + CLUSTER_ID in facts.settings:
        facts.described = {**(facts.described or {}), "cluster.id": NO_ID}


def _fact_of(image: Image, variable: str) -> str | None:
    """The fact of the deployment that a variable is; None for settings and all others."""
    spelling = other_spelling(image, variable)
    return SPELLED + spelling if spelling is not None else FACTS.get(variable)


def _taken(image: Image, variable: str, block: Block) -> str | None:
    """The fact about a key whose variable the script takes itself, so that no setting has it; None for settings and all others."""
    if image.family == DEBEZIUM and variable in DEBEZIUM_TAKES:
        return TAKEN + variable.removeprefix("KAFKA_").lower().replace("_", ".")
    key = property_of(image, variable) if block.kind in SERVER_KINDS else None
    return TAKEN + key if key is not None and key not in block.settings else None


def _volume(facts: Block, container: Container, block: Block) -> None:
    """Add the volume that holds the log segments."""
    folders = data_folders(container, block)
    for source, path, node in container.volumes:
        if any(_covers(path, folder) for folder in folders):
            facts.translate("volume", source, node, container.volumes_path)
            if source in container.projects:
                facts.translate("project", container.projects[source], node, container.volumes_path)
            return


def _volume_elsewhere(facts: Block, container: Container, block: Block) -> None:
    """Say where a volume is, and where the log segments are, if no volume holds them."""
    folders = data_folders(container, block)
    mounted = [(path, node) for _, path, node in container.volumes if not path.startswith(NO_DATA)]
    is_ephemeral = facts.described is not None and facts.described.get("storage") == "ephemeral"
    lost = [row for row in container.volumes if is_temporary(row[0]) and any(_covers(row[1], each) for each in folders)]
    if is_ephemeral and lost:
        facts.translate("storage", "ephemeral", lost[0][2], container.volumes_path)
        facts.translate("host.folder", lost[0][0], lost[0][2], container.volumes_path)
    elif is_ephemeral and mounted and folders != [ANYWHERE] and block.kind in SERVER_KINDS:
        path, node = mounted[0]
        for fact, value in (("storage", "ephemeral"), ("storage.folder", folders[0]), ("mount.folder", path)):
            facts.translate(fact, value, node, container.volumes_path)


def is_temporary(source: str) -> bool:
    """Whether a volume is in the memory of the host, or a folder that is emptied when the host starts."""
    return f"{source}/".startswith(TEMPORARY)


def _kept(mounts: Sequence[str], container: Container) -> list[str]:
    """The paths in the container that volumes are mounted at which outlive a start of the host."""
    temporary = {path for source, path, _ in container.volumes if is_temporary(source)}
    return [path for path in mounts if path not in temporary]


def data_folders(container: Container, block: Block) -> list[str]:
    """Where the log segments are in a container."""
    written = block.settings.get("log.dirs") or block.settings.get("log.dir")
    is_dropped = container.image.family == APACHE and block.kind != "zookeeper" and block.described is None
    default = OF_KAFKA if is_dropped and not block.fragment else DATA.get(container.image.family, ANYWHERE)
    folder = written.value if written is not None else default
    if written is not None and written.shape != LITERAL:
        return [ANYWHERE]
    return [each.strip().rstrip("/") or "/" for each in folder.split(",")]


def _image_volume(container: Container, block: Block) -> str | None:
    """The volume of the image's in which all log segments are; None where Docker makes none for them."""
    volume = IMAGE_VOLUMES.get(container.image.family) if container.format == COMPOSE else None
    folders = data_folders(container, block)
    return volume if volume and all(f"{folder}/".startswith(f"{volume}/") for folder in folders) else None


def _storage(mounts: Sequence[str], container: Container, block: Block) -> str:
    """`ephemeral` where no mount covers the folder of the log segments, `persistent` where one does, `mounted` where one may."""
    folders = data_folders(container, block)
    if not any(_covers(mount, folder) for mount in mounts for folder in folders):
        is_elsewhere = block.kind == "broker" and not OBJECT_STORAGE.isdisjoint(block.settings)
        return "mounted" if is_elsewhere else "ephemeral"
    return "mounted" if folders == [ANYWHERE] else "persistent"


def _covers(mount: str, folder: str) -> bool:
    """Whether a mount may hold what is in a folder."""
    path = mount.rstrip("/")
    if folder == ANYWHERE:
        return path != "" and not path.startswith(NO_DATA)
    return path != "" and (f"{folder}/".startswith(f"{path}/") or f"{path}/".startswith(f"{folder}/"))


def _zookeeper(container: Container) -> Block:
    block = Block("zookeeper", container.name, container.format, container.file)
    for variable in container.environment:
        prefix = next((each for each in ("ZOOKEEPER_", "ZOO_") if variable.name.startswith(each)), "")
        key = ZOOKEEPER_KEYS.get(variable.name[len(prefix) :]) if prefix else None
        if key is not None:
            put_variable(block, key, variable)
        elif prefix and variable.name.endswith("_SERVERS") and variable.value:
            _servers(block, variable)
    block.fragment = "the image sets what its variables leave out"
    return block


def _servers(block: Block, variable: Variable) -> None:
    """ZOOKEEPER_SERVERS=zk1:2888:3888;zk2:2888:3888, and ZOO_SERVERS=server.1=zk1:2888:3888;2181 …"""
    words = (variable.value or "").replace(";", " ").replace(",", " ").split()
    addresses = [word for word in words if not _is_of_clients(word)]
    for number, address in enumerate(addresses[:50], 1):
        name, equals, after = address.partition("=")
        key = name if equals and name.startswith("server.") else f"server.{number}"
        file = variable.file or block.file
        setting = make_setting(key, after if equals else address, file, variable.key_node, variable.value_node)
        setting.written, setting.lead = variable.name, variable.lead
        block.put(setting)


def _is_of_clients(word: str) -> bool:
    """Whether a word is where a server listens for clients, `2181` or `zk1:2181`: what servers use has two ports."""
    return word.count(":") < 2 and word.rpartition(":")[2].isdigit()


def count_brokers(blocks: Sequence[Block]) -> None:
    """Say of every node how many brokers its cluster has: those with the same voters or the same ZooKeeper."""
    nodes_of_cluster: dict[str, list[Block]] = {}
    for block in blocks:
        if block.kind in SERVER_KINDS:
            nodes_of_cluster.setdefault(_cluster(block), []).append(block)
    for cluster, nodes in nodes_of_cluster.items():
        brokers = sum(node.brokers or 1 for node in nodes if node.kind != "controller")
        for node in nodes:
            node.cluster, node.brokers = cluster, brokers


def _cluster(block: Block) -> str:
    for key in ("controller.quorum.voters", "controller.quorum.bootstrap.servers", "zookeeper.connect"):
        if key in block.settings:
            return ",".join(sorted(part.strip() for part in block.settings[key].value.split(",")))
    return ""


NOT_READ = ", and was not read"


def unread_beside(outside: str, blocks: Sequence[Block]) -> str:
    """What may set up a node or a worker and was not read, as a report says it of a file; empty where that is nothing."""
    is_unread = outside.endswith(NOT_READ) and any(block.kind in (*SERVER_KINDS, "connect") for block in blocks)
    return f"not read beside what is judged: {outside.removesuffix(NOT_READ)}" if is_unread else ""
