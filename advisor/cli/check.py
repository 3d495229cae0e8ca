"""`kafka-advisor check` and `snapshot`: a running cluster in, a report or a file out."""

from __future__ import annotations

import os
import sys
from copy import copy

from advisor.cli.lint import Complaints, Refused, asked, exit_code, load_rules, nothing, policy_of, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from advisor.cli.lint import Joined
    from advisor.cli.settings import Choices
    from advisor.model import Snapshot

    Options = Any

CLEAN, UNREACHABLE = 0, 4
ACLS = (
    ("cluster", "kafka-cluster", ("Describe", "DescribeConfigs"), "brokers, their settings, quorum, log directories"),
    ("topic", "*", ("Describe", "DescribeConfigs"), "topics, partitions and their settings"),
    ("group", "*", ("Describe",), "consumer groups and their offsets"),
)
"""Rights that a full read takes, none of which changes anything: resource, name, operations, what they show."""
FLAGS = {"cluster": "--cluster", "topic": "--topic '*'", "group": "--group '*'"}


class OutOfReach(Exception):
    """Nobody answered; the text is the line that says who and why."""


def run(options: Options) -> int:
    """Collect (or load), judge, show."""
    if options.required_acls:
        return required_acls()
    from advisor.cli.settings import choices

    chosen = choices(options)
    rules = load_rules(chosen.rules)
    policy = policy_of(chosen, rules)
    try:
        snapshot = snapshot_for(options, chosen)
    except OutOfReach as out:
        print(f"kafka-advisor: {out}", file=sys.stderr)
        return UNREACHABLE
    complaints = Complaints()
    join(snapshot, complaints.clients(options.with_, chosen), complaints)
    from advisor.engine import judge

    report = judge([snapshot], rules, policy)
    if not report.judged:
        return nothing(report, options, complaints)
    if options.write_baseline:
        from advisor.engine.baseline import write

        write(options.write_baseline, report)
    show(report, options, asked(rules, policy), files_only=bool(options.write_baseline))
    return exit_code(report, chosen, bool(complaints.errors), bool(options.exit_zero or options.write_baseline))


def save(options: Options) -> int:
    """Collect and write the file."""
    from advisor.cli.settings import Choices
    from collectors.snapshot.file import document, write

    chosen = Choices()
    folder = os.path.dirname(os.path.abspath(options.output))
    if options.output != "-" and not os.access(folder, os.W_OK):
        raise Refused(f"kafka-advisor: {options.output}: {folder} is no folder that can be written to")
    try:
        snapshot = snapshot_for(options, chosen)
    except OutOfReach as out:
        print(f"kafka-advisor: {out}", file=sys.stderr)
        return UNREACHABLE
    if options.output == "-":
        import json

        print(json.dumps(document(snapshot), ensure_ascii=False))
        return CLEAN
    write(options.output, snapshot)
    print(f"{options.output}: {summary(snapshot)}", file=sys.stderr)
    return CLEAN


def summary(snapshot: Snapshot) -> str:
    """What a snapshot holds, in one line."""
    from advisor.model import Topic

    assert snapshot.live is not None
    topics = [entity for entity in snapshot.entities if isinstance(entity, Topic)]
    partitions = sum(len(topic.partitions or ()) for topic in topics)
    unread = f"; not read: {', '.join(sorted(snapshot.live.unread))}" if snapshot.live.unread else ""
    groups = len(snapshot.live.groups or ())
    return (
        f"cluster {snapshot.name}: {len(snapshot.live.nodes)} brokers, {len(topics)} topics, "
        f"{partitions} partitions, {groups} groups{unread}"
    )


def required_acls() -> int:
    """Print the rights that a full read takes, as the commands that grant them."""
    print("# What kafka-advisor needs to read everything; none of it changes anything.")
    for resource, name, operations, shows in ACLS:
        print(f"# {resource} {name}: {shows}")
        flags = " ".join(f"--operation {operation}" for operation in operations)
        print(
            f"kafka-acls.sh --bootstrap-server HOST:9092 --add --allow-principal User:kafka-advisor {flags} "
            f"{FLAGS[resource]}"
        )
    return CLEAN


def snapshot_for(options: Options, chosen: Choices) -> Snapshot:
    """The snapshot that the options name: of a running cluster, or saved. Raises OutOfReach."""
    if options.saved is None:
        return collected(options, chosen)
    if options.bootstrap_server:
        raise Refused("kafka-advisor: either --bootstrap-server or a saved snapshot, not both")
    return loaded(options.saved, chosen)


def loaded(path: str, chosen: Choices) -> Snapshot:
    """A saved snapshot."""
    from collectors.files.config_file import Unreadable, content

    try:
        return parsed(path, content(path), chosen)
    except Unreadable as error:
        raise Refused(f"kafka-advisor: {error}") from None


def parsed(path: str, data: bytes, chosen: Choices) -> Snapshot:
    """The snapshot in a file's bytes."""
    from collectors.files.config_file import Unreadable, is_saved
    from collectors.snapshot.file import parse

    if not is_saved(data):
        raise Refused(f"kafka-advisor: {path}: no snapshot of a cluster; configuration files are judged by `lint`")
    try:
        return parse(data, path, chosen.target if chosen.target_given else None)
    except Unreadable as error:
        raise Refused(f"kafka-advisor: {error}") from None


def restored(path: str, data: bytes, clients: Sequence[Joined], complaints: Complaints, chosen: Choices) -> Snapshot:
    """A saved snapshot with the clients of `--with`, as `lint` judges it."""
    snapshot = parsed(path, data, chosen)
    join(snapshot, clients, complaints)
    return snapshot


def collected(options: Options, chosen: Choices) -> Snapshot:
    """A snapshot of a running cluster."""
    try:
        from collectors.client.connection import BadSettings, connection
        from collectors.kafka.cluster import Wanted, collect
        from collectors.kafka.deadline import Unreachable

        __import__("confluent_kafka")
    except ImportError as missing:
        raise Refused(
            f"kafka-advisor: {missing.name} is not installed: running clusters need `pip install 'kafka-advisor[live]'`"
        ) from None
    try:
        how = connection(options.bootstrap_server, options.command_config, os.environ, options.timeout)
    except BadSettings as bad:
        raise Refused(f"kafka-advisor: {bad}") from None
    if not how.bootstrap:
        raise Refused(
            "kafka-advisor: which cluster? Name it with --bootstrap-server HOST:PORT (or bootstrap.servers in "
            "--command-config, or KAFKA_ADVISOR_BOOTSTRAP_SERVERS)"
        )
    for note in how.notes:
        print(f"kafka-advisor: {note}", file=sys.stderr)
    from advisor.reports.progress import Progress

    with Progress(sys.stderr) as progress:
        wanted = Wanted(
            options.timeout,
            zookeeper=options.zookeeper,
            lag=options.lag,
            groups=[*options.group, *groups_before(options.before, chosen)],
            target=chosen.target if chosen.target_given else None,
            progress=progress.show,
        )
        try:
            return collect(how, wanted)
        except Unreachable as out:
            raise OutOfReach(str(out)) from None
        except BadSettings as bad:
            raise Refused(f"kafka-advisor: {bad}") from None


def groups_before(path: str | None, chosen: Choices) -> list[str]:
    """The groups of an earlier snapshot: those whose coordinator is down are listed by nobody now."""
    if path is None:
        return []
    live = loaded(path, chosen).live
    return [group.name for group in live.groups or ()] if live else []


def join(snapshot: Snapshot, clients: Sequence[Joined], complaints: Complaints) -> None:
    """Add clients and the topics that they use; a client may be joined to several clusters of different releases."""
    seen = {entity.name for entity in snapshot.entities if entity.kind == "topic"}
    topics: dict[str, tuple[str, ...]] = {}
    for (entity, _), names in clients:
        own = copy(entity)
        own.target = snapshot.entities[0].target
        snapshot.entities = (*snapshot.entities, own)
        topics[entity.file or entity.name] = names
        for name in names:
            if name not in seen and not any(mark in name for mark in "*?["):
                absent = "it is absent, or this principal may not see it"
                complaints.say(f"--with {entity.file}: cluster {snapshot.name} shows no topic {name}: {absent}")
    snapshot.joined = topics
