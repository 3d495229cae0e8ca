"""Steps that change settings of topics, brokers and clients."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from advisor import catalog
from advisor.analysis.advice.aims import REMOVE, SET, Aim
from advisor.analysis.advice.changes import BROKER, CLUSTER, STATIC, TOPIC, Change, ConfigChange
from advisor.analysis.advice.restarts import nodes_to_restart, risk_of_restarts
from advisor.analysis.advice.step import Cost, PlanStep
from advisor.analysis.advice.step_inputs import MIN_ISR, SECURITY, UNCLEAN, WANTED_REPLICAS, StepInputs
from advisor.model import (
    CLIENT_KINDS,
    DYNAMIC_BROKER,
    DYNAMIC_DEFAULT_BROKER,
    DYNAMIC_TOPIC,
    SERVER_KINDS,
    STATIC_BROKER,
    Entity,
)
from advisor.model.cluster import ALIVE
from advisor.model.finding import Finding, rank

READ_ONLY = "read-only"
LEAST = "low"
"""The severity from which on a finding makes a change of a client; acks=all switches idempotence on by itself."""


def unclean_off(inputs: StepInputs) -> list[PlanStep]:
    """Switch unclean leader election off, before anything is moved."""
    if not any(aim.key == UNCLEAN for _, aim in inputs.asked(SET, REMOVE)):
        return []
    changes: list[Change] = []
    for node in inputs.nodes:
        setting = node.settings.get(UNCLEAN)
        if setting is not None and setting.source == DYNAMIC_BROKER:
            changes.append(ConfigChange(BROKER, node.name, ((UNCLEAN, None),)))
    if any(node.settings.get(UNCLEAN) is not None for node in inputs.nodes):
        changes.append(ConfigChange(CLUSTER, "", ((UNCLEAN, "false"),)))
    for topic in inputs.topics:
        setting = topic.settings.get(UNCLEAN)
        if setting is not None and setting.source == DYNAMIC_TOPIC and setting.value.strip() == "true":
            changes.append(ConfigChange(TOPIC, topic.name, ((UNCLEAN, None),)))
    return [
        PlanStep(
            "unclean-off",
            "Disable unclean leader election",
            "a replica that lacks acknowledged records must not become leader, least of all while replicas are moved",
            tuple(changes),
            risk="a partition whose whole ISR is down stays offline until one of its members is back"
            + unclean_in_files(inputs),
        )
    ]


def unclean_in_files(inputs: StepInputs) -> str:
    """What is said of the brokers' own files where no later step changes them: a dynamic setting outranks them."""
    if not lines_to_take_out(inputs) or file_changes(inputs):
        return ""
    return (
        "; the brokers' files enable it, and the dynamic setting outranks them: take the line out at the next restart"
    )


def lines_to_take_out(inputs: StepInputs) -> list[ConfigChange]:
    """The lines of brokers' files that enable unclean election, which the files lose when brokers are restarted anyway."""
    nodes = [node for node in inputs.nodes if sets_in_file(node, UNCLEAN)]
    names = [""] if nodes and len(nodes) == len(inputs.nodes) else [node.name for node in nodes]
    return [ConfigChange(STATIC, name, ((UNCLEAN, None),)) for name in names]


def sets_in_file(node: Entity, key: str) -> bool:
    """Whether a broker's file sets a key, also below a dynamic value."""
    setting = node.settings.get(key)
    levels = getattr(node, "overridden", {}).get(key, ())
    return (setting is not None and setting.source == STATIC_BROKER) or any(row[0] == STATIC_BROKER for row in levels)


def topic_settings(inputs: StepInputs) -> list[PlanStep]:
    """Set and delete the other settings of topics."""
    changes = [
        ConfigChange(TOPIC, finding.entity[1], ((aim.key, aim.value),))
        for finding, aim in inputs.asked(SET, REMOVE)
        if finding.entity[0] == "topic" and aim.key not in (UNCLEAN, MIN_ISR) and is_topic_key(aim.key, inputs)
    ]
    if not changes:
        return []
    return [
        PlanStep(
            "topic-settings",
            "Change settings of topics",
            "each of these settings does harm as it is",
            tuple(dict.fromkeys(changes)),
            risk="they apply at once; segments that exist may be deleted or compacted by the new value",
        )
    ]


def is_topic_key(key: str, inputs: StepInputs) -> bool:
    """Whether a key is one of topics."""
    return catalog.lookup("topic", inputs.snapshot.entities[0].target.version, key) is not None


def broker_settings(inputs: StepInputs) -> list[PlanStep]:
    """Change settings of brokers that apply without a restart."""
    changes = list(dict.fromkeys(change for pair in server_aims(inputs) for change in dynamic_changes(*pair, inputs)))
    if not changes:
        return []
    return [
        PlanStep(
            "broker-settings",
            "Change settings of brokers that apply at once",
            "each of these settings does harm as it is",
            tuple(changes),
            risk="dynamic settings outrank the brokers' files: take the lines out there as well",
        )
    ]


def broker_files(inputs: StepInputs) -> list[PlanStep]:
    """Change settings that brokers read when they start."""
    changes = file_changes(inputs)
    if not changes:
        return []
    changes = without_contradictions([*changes, *lines_to_take_out(inputs)], inputs)
    restarts = nodes_to_restart({change.name for change in changes}, inputs)
    return [
        PlanStep(
            "broker-files",
            "Change brokers' files, and restart them one by one",
            "these settings are read when a broker starts",
            tuple(changes),
            restarts=restarts,
            cost=Cost(restarts=len(restarts)),
            risk=risk_of_restarts(inputs),
            needs=("internal-replicas", "replicas"),
        )
    ]


def file_changes(inputs: StepInputs) -> list[ConfigChange]:
    """The changes of brokers' files that no dynamic setting reaches."""
    return [
        ConfigChange(STATIC, "" if finding.entity[0] == "cluster" else finding.entity[1], ((aim.key, aim.value),))
        for finding, aim in server_aims(inputs)
        if not list(dynamic_changes(finding, aim, inputs))
    ]


def without_contradictions(changes: Iterable[ConfigChange], inputs: StepInputs) -> list[ConfigChange]:
    """Changes of files, each key of a file once: what one finding removes and another sets to its default is removed."""
    values: dict[tuple[str, str], list[str | None]] = {}
    for change in changes:
        for key, value in change.settings:
            values.setdefault((change.name, key), []).append(value)
    of_every_file = {key for name, key in values if not name}
    return [
        ConfigChange(STATIC, name, ((key, chosen_value(wanted, default_of(key, inputs))),))
        for (name, key), wanted in values.items()
        if not name or key not in of_every_file
    ]


def chosen_value(wanted: Sequence[str | None], default: str | None) -> str | None:
    """The value of several that findings ask for, None to remove the key."""
    written = [value for value in wanted if value is not None]
    removed = None in wanted and set(written) <= {default}
    return None if removed or not written else written[0]


def default_of(key: str, inputs: StepInputs) -> str | None:
    """A broker's default of the cluster's release."""
    definition = catalog.lookup("broker", inputs.snapshot.entities[0].target.version, key)
    return definition.default if definition else None


def server_aims(inputs: StepInputs) -> Iterator[tuple[Finding, Aim]]:
    """Settings of brokers to set or remove; security is a sequence of its own."""
    for finding, aim in inputs.asked(SET, REMOVE):
        is_server = finding.entity[0] in (*SERVER_KINDS, "node", "cluster")
        is_own_step = aim.key in (UNCLEAN, MIN_ISR) or finding.rule.startswith(SECURITY)
        if is_server and not is_own_step and fits(aim, inputs):
            yield finding, aim


def fits(aim: Aim, inputs: StepInputs) -> bool:
    """Whether there are brokers enough for a replication factor of three, which defaults are as well."""
    alive = sum(node.state == ALIVE for node in inputs.live.nodes)
    if not aim.key.endswith("replication.factor") or alive >= WANTED_REPLICAS:
        return True
    inputs.hinder(f"{aim.key}: three replicas need three live brokers, and there are {alive}")
    return False


def dynamic_changes(finding: Finding, aim: Aim, inputs: StepInputs) -> Iterator[ConfigChange]:
    """The dynamic changes that reach an aim; none where the setting is read at the start only."""
    definition = catalog.lookup("broker", inputs.snapshot.entities[0].target.version, aim.key)
    if definition is None or (definition.update_mode or READ_ONLY) == READ_ONLY:
        return
    nodes = [node for node in inputs.nodes if finding.entity[0] == "cluster" or node.name == finding.entity[1]]
    sources = {node.name: setting.source for node in nodes if (setting := node.settings.get(aim.key)) is not None}
    for name, source in sources.items():
        if source == DYNAMIC_BROKER:
            yield ConfigChange(BROKER, name, ((aim.key, None),))
    value = aim.value if aim.value is not None else definition.default
    if DYNAMIC_DEFAULT_BROKER in sources.values() and aim.value is None:
        yield ConfigChange(CLUSTER, "", ((aim.key, None),))
    elif value is not None and set(sources.values()) != {DYNAMIC_BROKER}:
        yield ConfigChange(CLUSTER, "", ((aim.key, value),))


def clients(inputs: StepInputs) -> list[PlanStep]:
    """Changes of the clients that were joined."""
    lines = [
        f"{finding.file or finding.entity[1]}{f':{finding.line}' if finding.line else ''}: "
        f"{'remove ' + aim.key if aim.value is None else f'set {aim.key}={aim.value}'}"
        for finding, aim in inputs.asked(SET, REMOVE)
        if finding.entity[0] in CLIENT_KINDS
        and rank(finding.severity) >= rank(LEAST)
        and aim.key != "enable.idempotence"
    ]
    if not lines:
        return []
    files = {line.partition(":")[0] for line in lines}
    return [
        PlanStep(
            "clients",
            "Redeploy the clients",
            "what clients ask for decides what an acknowledgement means",
            by_hand=tuple(dict.fromkeys(lines)),
            cost=Cost(clients=len(files)),
            risk="with acks=all a producer waits for every replica in sync: latency grows by one round trip between brokers",
            needs=("min-isr",),
        )
    ]
