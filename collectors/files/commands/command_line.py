"""What the command of a container sets beside its variables: --override of the server's start, Spring's arguments, system properties."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence

from collectors.files.syntax.tree import TreeNode
from collectors.files.variables import Variable

OVERRIDE = "--override"
EXTRA_FLAGS = "KAFKA_EXTRA_FLAGS"
OF_SPRING = ("spring.kafka.", "spring.cloud.stream.")
SPRING_JSON = "SPRING_APPLICATION_JSON"
OPTIONS = ("JAVA_TOOL_OPTIONS", "JAVA_OPTS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "KAFKA_OPTS")
"""Variables that hold options of the JVM."""
LOGIN_FILE = "-Djava.security.auth.login.config="
CHANGES_FILE = re.compile(
    r"(?:>>?|\btee(?: -a)?|\bsed\b[^|;&]{0,200}? -i)[^|;&]{0,200}?\.properties"
    r"|\b(?:cp|mv|install)\s[^|;&]{0,200}?\s\S{1,200}?\.properties[\"']?\s{0,5}(?:[|;&\n]|$)"
    r"|\b(?:curl|wget)\b[^|;&]{0,300}? (?:-\w{0,5}[oO]|--output(?:-document)?)[ =]?\S{0,200}?\.properties"
)
"""A command that writes, edits or replaces a properties file before the server starts."""
SCRIPT = re.compile(r"(?:^|[\s\"'])(\S{0,200}\.(?:sh|bash|py))(?=$|[\s\"';&|])")
SCRIPTS_OF_IMAGES = ("/opt/bitnami/", "/opt/kafka/", "/opt/confluent", "/etc/confluent/", "/etc/kafka/docker/", "/usr/bin/",
                     "/usr/local/bin/", "/__cacert", "/docker-entrypoint.sh", "/kafka/", "bin/", "./bin/")  # fmt: skip
"""Where images keep the scripts by which they start; a name without a folder is one of theirs."""
STARTS = ("/docker/run", "kafka-server-start", "connect-distributed", "connect-standalone", "/run.sh", "start-kafka")
ARGUMENT = re.compile(r"(?:--?)?[A-Za-z][\w.-]*=")
"""What an argument begins with that is one word, whatever its value holds."""
RUNS_TEXT = re.compile(r"-[a-z]{0,4}c$")
"""The option by which a shell takes a text as its commands: sh -c, bash -ec."""
CONTINUED = "\\\n"
"""What a shell takes out: the end of a line that goes on in the next one."""
LONGEST_COMMAND = 100_000
DEEPEST = 3
"""Shells inside a command."""


class Setting(Variable):
    """A setting that a command or a variable of options holds: `name` is the key itself."""

    __slots__ = ()


def words_of(nodes: Iterable[TreeNode]) -> Iterator[tuple[str, TreeNode]]:
    """The words of a command, each with the node in which it stands: a shell splits all but an argument `key=value`."""
    before = ""
    for node in nodes:
        text = node.text[:LONGEST_COMMAND]
        whole = before == OVERRIDE or (ARGUMENT.match(text) and not RUNS_TEXT.match(before))
        for word in (text,) if whole else split(text, RUNS_TEXT.match(before) is not None):
            yield word, node
            before = word


def split(text: str, is_script: bool = False, depth: int = 0) -> Iterator[str]:
    """The words of a text as a shell splits it; behind `sh -c` a word is a text of its own."""
    text = text.replace(CONTINUED, "")
    if not is_script and not any(char.isspace() for char in text):
        yield text
        return
    try:
        words = shlex.split(text, comments=False, posix=True)
    except ValueError:
        words = text.split()
    for before, word in zip(("", *words), words, strict=False):
        if RUNS_TEXT.match(before) and depth < DEEPEST:
            yield from split(word, True, depth + 1)
        else:
            yield word


def words_of_options(node: TreeNode) -> list[TreeNode]:
    """A command in one text, in words where it begins with an option, as Compose splits it; another text as it stands."""
    if not ARGUMENT.match(node.text):
        return [node]
    return [TreeNode("scalar", node.line, node.column, word) for word in split(node.text[:LONGEST_COMMAND])]


def overrides(nodes: Sequence[TreeNode]) -> Iterator[Setting]:
    """The settings of `kafka-server-start.sh FILE --override key=value`."""
    words = list(words_of(nodes))
    for (word, node), (following, next_node) in zip(
        words, [*words[1:], ("", TreeNode("scalar", 1, 1, ""))], strict=False
    ):
        if word == OVERRIDE:
            pair, holder = following, next_node
        elif word.startswith(f"{OVERRIDE}="):
            pair, holder = word.partition("=")[2], node
        else:
            continue
        key, equals, value = pair.partition("=")
        if equals:
            yield Setting(key.strip(), value, holder, None, f"{OVERRIDE} {key}=")


def extra_flags(environment: Sequence[Variable]) -> Iterator[Setting]:
    """The settings that KAFKA_EXTRA_FLAGS hands to the server's start."""
    for variable in environment:
        if variable.name == EXTRA_FLAGS and variable.value:
            node = TreeNode("scalar", variable.key_node.line, variable.key_node.column, variable.value)
            for setting in overrides([node]):
                setting.key_node, setting.file = variable.key_node, variable.file
                yield setting


def login_file(environment: Sequence[Variable]) -> Iterator[Setting]:
    """The file of logins that options of the JVM name."""
    for variable in environment:
        for word in split(variable.value) if variable.name in OPTIONS and variable.value else ():
            if word.startswith(LOGIN_FILE):
                yield Setting(
                    LOGIN_FILE[2:-1],
                    word.partition("=")[2],
                    variable.key_node,
                    None,
                    f"{variable.name}=",
                    variable.file,
                )


def properties_of_spring(nodes: Sequence[TreeNode], environment: Sequence[Variable]) -> Iterator[Setting]:
    """Spring's properties that outrank its files: arguments, system properties, SPRING_APPLICATION_JSON."""
    for word, node in words_of(nodes):
        name, equals, value = word.removeprefix("--").removeprefix("-D").partition("=")
        if equals and word.startswith(("--", "-D")) and name.startswith(OF_SPRING):
            yield Setting(name, value, node, None, f"{name}=")
    for variable in environment:
        if variable.name in OPTIONS and variable.value:
            nodes = [
                TreeNode("scalar", variable.key_node.line, variable.key_node.column, word)
                for word in split(variable.value)
            ]
            for setting in properties_of_spring(nodes, ()):
                setting.key_node, setting.file = variable.key_node, variable.file
                yield setting
        elif variable.name == SPRING_JSON and variable.value:
            for name, value in flattened(variable.value):
                yield Setting(name, value, variable.key_node, None, f"{name}: ", variable.file)


def flattened(text: str) -> Iterator[tuple[str, str]]:
    """The properties of a JSON object by their dotted names; none where it is not one."""
    try:
        document = json.loads(text) if len(text) <= LONGEST_COMMAND else None
    except (ValueError, RecursionError):
        return
    yield from _leaves("", document)


def _leaves(prefix: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(f"{prefix}.{name}" if prefix else str(name), inner)
    elif prefix.startswith(OF_SPRING) and not isinstance(value, list):
        yield prefix, json.dumps(value) if not isinstance(value, str) else value


def changes_a_file(command: str) -> bool:
    """Whether a command writes or edits a properties file before the server reads it."""
    return bool(CHANGES_FILE.search(command[:LONGEST_COMMAND]))


def own_script(command: str) -> str | None:
    """The script that starts a container in place of its image's; None where the image's own start is part of the command."""
    command = command[:LONGEST_COMMAND]
    if any(start in command for start in STARTS):
        return None
    scripts = SCRIPT.findall(command)
    return next((path for path in scripts if "/" in path and not path.startswith(SCRIPTS_OF_IMAGES)), None)
