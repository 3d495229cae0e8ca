"""Random Dockerfiles, shell scripts, lists in YAML and Secrets with Kafka's settings; right at first, then damaged."""

from __future__ import annotations

import base64
import random
import shlex

from tests.fuzz import mutations

QUOTES = ("'", '"', "", "$'", '"$(', "`", "${", "\\")
OPERATORS = (" && ", "; ", " || ", " | ", " \\\n  ", "\n", " & ", " > ", " >> ", " 2>&1 ", " << EOF\n", " <<< ")
TOOLS = (
    "kafka-topics.sh --bootstrap-server b:9092 --create --topic a --replication-factor 1",
    "kafka-topics --create --topic ${TOPIC:-a} --partitions 3",
    "kafka-server-start.sh server.properties",
    "exec /opt/kafka/bin/kafka-server-start.sh $CONFIG",
    "kafka-configs.sh --alter --entity-type topics --entity-name a",
    "docker run -d --name k apache/kafka:3.9.0",
    "cat > server.properties",
    "tee -a server.properties",
    "sed -i s/a/b/ server.properties",
    "for t in a b; do kafka-topics.sh --create --topic $t; done",
    "if [ -z \"$X\" ]; then export KAFKA_OPTS=a; fi",
    "case $1 in a) echo;; esac",
    "function f { local a=1; }",
)  # fmt: skip
INSTRUCTIONS = (
    "ENV",
    "ARG",
    "RUN",
    "CMD",
    "ENTRYPOINT",
    "COPY",
    "LABEL",
    "FROM",
    "USER",
    "SHELL",
    "ONBUILD ENV",
    "env",
    "",
)


def setting(source: random.Random) -> tuple[str, str]:
    """A key of Kafka's and an odd value."""
    value = mutations.text(source) if source.random() < 0.5 else source.choice(("1", "true", "all", "PLAINTEXT://h:1"))
    return source.choice(mutations.keys(source) or ["acks"]), value.replace("\x00", "")


def variable(key: str) -> str:
    """The variable by which the official image sets a key."""
    return "KAFKA_" + key.upper().replace(".", "_")


def quoted(source: random.Random, value: str) -> str:
    """A value in quotes that may or may not fit."""
    return shlex.quote(value) if source.random() < 0.6 else f"{source.choice(QUOTES)}{value}{source.choice(QUOTES)}"


def here_document(source: random.Random) -> str:
    """A here-document of properties, which may not end."""
    end = source.choice(("EOF", "END", "'EOF'", '"E O F"', "-EOF", ""))
    lines = "\n".join(f"{key}={value}" for key, value in (setting(source) for _ in range(source.randrange(1, 6))))
    closing = source.choice((end.strip("'\"-"), end, "", "\tEOF"))
    return f"cat {source.choice(('>', '>>', ''))} server.properties <<{end}\n{lines}\n{closing}\n"


def command(source: random.Random) -> str:
    """A line of a shell script."""
    if source.random() < 0.2:
        return here_document(source)
    words = [source.choice(TOOLS)]
    for _ in range(source.randrange(4)):
        key, value = setting(source)
        option = source.choice(("--override", "--config", "--add-config", "-e", "--env", "export", ""))
        name = variable(key) if option in ("-e", "--env", "export") else key
        words.append(f"{option} {name}={quoted(source, value)}")
    return source.choice((" ", " ", *OPERATORS)).join(words)


def shell_script(source: random.Random) -> tuple[str, str]:
    """A shell script."""
    lines = [command(source) for _ in range(source.randrange(1, 8))]
    return "start.sh", "#!/bin/sh\n" + source.choice(OPERATORS).join(lines) + "\n"


def dockerfile(source: random.Random) -> tuple[str, str]:
    """A Dockerfile of one or more stages."""
    lines = ["FROM apache/kafka:3.9.0"]
    for _ in range(source.randrange(1, 8)):
        key, value = setting(source)
        forms = (
            f"{variable(key)}={quoted(source, value)}",
            f"{variable(key)} {value}",
            command(source),
            f'["a", "{value}"]',
        )
        ending = source.choice(("", "", " \\"))
        lines.append(f"{source.choice(INSTRUCTIONS)} {source.choice(forms)}{ending}")
    return source.choice(("Dockerfile", "Dockerfile.kafka", "Containerfile")), "\n".join(lines) + "\n"


def yaml_list(source: random.Random) -> tuple[str, str]:
    """A playbook, a List of resources, or tasks that hold settings as lists and as text."""
    lines = []
    for _ in range(source.randrange(1, 6)):
        key, value = setting(source)
        plain = value.replace("\n", " ")
        lines += source.choice(
            (
                [f"- name: {variable(key)}", f"  value: {plain}"],
                [f"- {key}: {plain}", f"- {key}={plain}"],
                ["- copy:", "    content: |", f"      {key}={plain}", "      process.roles=broker"],
                ["- kind: ConfigMap", "  data:", "    server.properties: |", f"      {key}={plain}"],
                [f"- [{key}, {plain}]", f"- - {{{key}: {plain}}}"],
                ["- vars: &a", f"    {key}: {plain}", "- vars: {<<: *a}"],
            )
        )
    return "playbook.yml", "\n".join(lines) + "\n"


def secret(source: random.Random) -> tuple[str, str]:
    """A Secret or binaryData, encoded, now and then not quite."""
    data = base64.b64encode(mutations.properties(source)).decode()
    data = data if source.random() < 0.7 else data[:-1] + source.choice(("", "=", "é", "\n    x"))
    kind, field = source.choice((("Secret", "data"), ("ConfigMap", "binaryData"), ("Secret", "stringData")))
    return (
        "secret.yaml",
        f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: k}}\n{field}:\n  server.properties: {data}\n",
    )


SHAPES = (shell_script, shell_script, dockerfile, dockerfile, yaml_list, secret)


def script(source: random.Random) -> tuple[str, bytes]:
    """The name and the bytes of one of them."""
    name, text = source.choice(SHAPES)(source)
    data = text.encode("utf-8", "surrogatepass")
    data = mutations.lines_changed(source, data) if source.random() < 0.3 else data
    return name, mutations.damaged(source, data) if source.random() < 0.2 else data
