"""What a shell script does with Kafka in words that can be followed: its tools, its server's start, containers, files.

Everything else that such a script does to a configuration (variables, sed, echo) is said to be not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from advisor.model import OVERLAY
from collectors.files import detect
from collectors.files.block import Block, deployment
from collectors.files.commands.command_line import CHANGES_FILE, overrides
from collectors.files.commands.tool_commands import TOPICS, Command, created_topic
from collectors.files.containers.application_variables import blocks_of_commands
from collectors.files.containers.container import Container, blocks_of
from collectors.files.containers.docker_options import split_options, take_options
from collectors.files.embedded import embedded
from collectors.files.syntax.tree import TreeNode

FORMAT_NAME = "shell script"
SETS_KAFKA = re.compile(
    r"\bkafka-(?:configs|storage|acls|reassign-partitions)(?:\.sh)?\b"
    r"|\b(?:KAFKA_(?!OPTS|HEAP_OPTS|JMX|LOG4J|HOME|VERSION|DEBUG|GC_LOG|JVM)|CONNECT_(?=[A-Z]+_))[A-Z_]{4,60}="
)
"""What a script does with Kafka's configuration that is not followed."""
OF_KAFKA = re.compile(
    r"kafka|confluent"
    r"|\b(?:server|broker|controller|connect|producer|consumer|admin|client|streams|zookeeper|mm2)[\w-]{0,40}\.properties",
    re.IGNORECASE,
)
"""A word, or how a file of properties is called, by which a script is about Kafka: other programs have such files, too."""
SETS_KEY = re.compile(r"(?<![\w.-])([a-z][a-z0-9]*(?:\.[a-z0-9]+)*)\s{0,5}=")
SERVER_START = re.compile(r"(?:\S*/)?kafka-server-start(?:\.sh)?$")
MIRROR_START, ABORTS = re.compile(r"(?:\S*/)?kafka-mirror-maker(?:\.sh)?$"), "--abort.on.send.failure"
"""The start of MirrorMaker 1, and the option by which it ends when a record cannot be sent."""
PROPERTIES_FILE = re.compile(r"(>>?|\btee(?:\s-a)?)\s{0,5}[\"']?(\S{0,200}\.properties)\b")
APPENDS = (">>", "a")
"""How the words end that add to a file in place of writing it anew: `>>`, `tee -a`."""
ENGINES, STARTS = ("docker", "podman", "nerdctl"), frozenset(("run", "create"))


def script_blocks(commands: Iterable[Command], file: str) -> tuple[list[Block], bool]:
    """(what the commands of a script set up, whether they do no more to a configuration than that)."""
    kafka_blocks: list[Block] = []
    followed_all, commands = True, list(commands)
    is_about_kafka = any(map(_is_about_kafka, commands))
    others: list[Command] = []
    for command in commands:
        blocks = blocks_of_command(command, file, FORMAT_NAME)
        kafka_blocks += blocks
        if not blocks:
            others.append(command)
            line = " ".join(command.words)
            followed_all &= not (SETS_KAFKA.search(line) or (is_about_kafka and CHANGES_FILE.search(line)))
    return [*kafka_blocks, *blocks_of_commands(others, file, FORMAT_NAME)], followed_all


def _is_about_kafka(command: Command) -> bool:
    """Whether a command names Kafka, one of its files or one of its keys."""
    text = "\n".join((*command.words, command.document.text if command.document else ""))
    return bool(OF_KAFKA.search(text)) or any(map(detect.is_telling, SETS_KEY.findall(text)))


def blocks_of_command(command: Command, file: str, format: str) -> list[Block]:
    """What a command sets up: a topic, a server's overrides, a container, a file of properties."""
    for number, word in enumerate(command.words):
        if TOPICS.match(word):
            return created_topic(command.words[number + 1 :], command.line, file, format)
        if SERVER_START.match(word):
            return _server(command, file, format)
        if MIRROR_START.match(word):
            return _mirror(command, file, format)
        if word in ENGINES:
            called = number + 1 + (command.words[number + 1 : number + 2] == ["container"])
            if not STARTS.isdisjoint(command.words[called : called + 1]):
                return _container(command.words[called + 1 :], command.line, file, format)
    target = PROPERTIES_FILE.search(" ".join(command.words))
    if command.document is None or target is None:
        return []
    block = embedded(command.document, target[2].rpartition("/")[2], format, file)
    if target[1].endswith(APPENDS):
        block.fragment = "the file of properties that the script adds to may set it"
    return [block] if block.kind is not None else []


def _mirror(command: Command, file: str, format: str) -> list[Block]:
    """What the start of MirrorMaker 1 says of records that it cannot send."""
    block = deployment("kafka-mirror-maker", format, file)
    for word, following in zip(command.words, [*command.words[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        if name == ABORTS:
            place = TreeNode("scalar", command.line, 1, ABORTS)
            block.translate(ABORTS.removeprefix("--"), value if equals else following, place, ABORTS)
    return [block] if block.settings else []


def _server(command: Command, file: str, format: str) -> list[Block]:
    """What the start of a server overrides of its file."""
    block = Block(None, "kafka-server-start", format, file)
    block.fragment = "the file of properties that the command names may set it"
    for setting in overrides([TreeNode("scalar", command.line, 1, word) for word in command.words]):
        setting.key_node = TreeNode("scalar", command.line, 1, setting.name)
        block.joint = "="
        block.set(setting.name, setting.value or "", setting.key_node, None, setting.name)
    block.kind = detect.kind_of(block.settings) or OVERLAY
    return [block] if block.settings else []


def _container(words: Sequence[str], line: int, file: str, format: str) -> list[Block]:
    """The container that `docker run` starts, by its variables."""
    options, image_and_arguments = split_options(words)
    image = next(iter(image_and_arguments), "")
    place = TreeNode("scalar", line, 1, image)
    name = image.rpartition("/")[2].partition(":")[0] or "container"
    container = Container(name, image, place, file, format)
    container.image_path, container.mounts = "docker run", None
    take_options(container, options, place)
    container.arguments = [TreeNode("scalar", line, 1, word) for word in image_and_arguments[1:]]
    return blocks_of(container)
