"""The commands that carry out a step: Kafka's own tools, quoted for a POSIX shell."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import NamedTuple

from advisor.analysis.advice.changes import (
    BROKER,
    CLUSTER,
    STATIC,
    TOPIC,
    ConfigChange,
    FeatureChange,
    Reassignment,
)
from advisor.analysis.advice.step import PlanStep
from advisor.errors import UserError

SERVER = '--bootstrap-server "$BOOTSTRAP"'
ENTITY = {TOPIC: "--entity-type topics --entity-name {}", BROKER: "--entity-type brokers --entity-name {}"}
EVERY_BROKER = "--entity-type brokers --entity-default"


class Command(NamedTuple):
    """A command that changes something, one that only looks whether it has worked, and one that ends it (a throttle)."""

    change: str
    verify: str
    finish: str | None = None


class Reassigning(NamedTuple):
    """The reassignment file of a step."""

    name: str
    text: str


def commands_of(step: PlanStep, throttle: int) -> list[Command]:
    """The commands of a step, in order. Raises UserError for a name that no shell may be given."""
    moves = [change for change in step.changes if isinstance(change, Reassignment)]
    configs = [change for change in step.changes if isinstance(change, ConfigChange) and change.scope != STATIC]
    commands = [config_command(change) for change in configs]
    commands += [feature_command(change) for change in step.changes if isinstance(change, FeatureChange)]
    if moves:
        file = shlex.quote(file_name(step))
        base = f"kafka-reassign-partitions.sh {SERVER} --reassignment-json-file {file}"
        commands.append(
            Command(
                f"{base} --throttle {throttle} --execute", f"{base} --preserve-throttles --verify", f"{base} --verify"
            )
        )
    return commands


def config_command(change: ConfigChange) -> Command:
    """The command for one topic, one broker or all brokers."""
    entity = EVERY_BROKER if change.scope == CLUSTER else ENTITY[change.scope].format(quoted(change.name))
    added = ",".join(f"{key}={bracketed(value)}" for key, value in change.settings if value is not None)
    deleted = ",".join(key for key, value in change.settings if value is None)
    alter = f"kafka-configs.sh {SERVER} --alter {entity}"
    alter += f" --add-config {quoted(added)}" if added else ""
    alter += f" --delete-config {quoted(deleted)}" if deleted else ""
    return Command(alter, f"kafka-configs.sh {SERVER} --describe {entity}")


def feature_command(change: FeatureChange) -> Command:
    """The command that finalizes a feature's level."""
    tool = f"kafka-features.sh {SERVER}"
    return Command(f"{tool} upgrade --feature {change.feature}={change.level}", f"{tool} describe")


def file_lines(step: PlanStep) -> list[str]:
    """What to change in brokers' files, in a sentence for the files that change alike."""
    words_of: dict[str, list[str]] = {}
    for change in step.changes:
        if isinstance(change, ConfigChange) and change.scope == STATIC:
            words = [f"remove {key}" if value is None else f"set {key}={value}" for key, value in change.settings]
            words_of.setdefault(change.name, []).extend(words)
    names_of: dict[str, list[str]] = {}
    for name, words in words_of.items():
        names_of.setdefault(", ".join(words), []).append(name)
    return [f"in {files_of(names)}: {words}" for words, names in names_of.items()]


def files_of(names: Sequence[str]) -> str:
    """The files of some brokers; without a name those of all nodes."""
    if "" in names:
        return "the file of every node"
    return f"the file{'s' if len(names) > 1 else ''} of broker{'s' if len(names) > 1 else ''} {', '.join(names)}"


def reassignment_file(step: PlanStep) -> Reassigning | None:
    """The JSON that kafka-reassign-partitions.sh takes; None where nothing is moved."""
    moves = [change for change in step.changes if isinstance(change, Reassignment)]
    if not moves:
        return None
    rows = [
        json.dumps({"topic": checked(move.topic), "partition": move.partition, "replicas": list(move.new)})
        for move in moves
    ]
    return Reassigning(file_name(step), '{"version": 1, "partitions": [\n' + ",\n".join(rows) + "\n]}")


def file_name(step: PlanStep) -> str:
    """The name of a step's reassignment file."""
    return f"{step.id}.json"


def bracketed(value: str) -> str:
    """A value as kafka-configs.sh takes it: what has a comma stands in brackets."""
    return f"[{value}]" if "," in value else value


def quoted(text: str) -> str:
    """A text quoted for a POSIX shell."""
    return shlex.quote(checked(text))


def checked(text: str) -> str:
    """The text. Raises UserError where it has a character that steers a terminal or ends a line."""
    if not text.isprintable():
        raise UserError(f"{text!r:.80}: a name with control characters goes into no command; rename it first")
    return text
