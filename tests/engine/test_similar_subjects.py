"""Subjects that are equal, or differ in values alone, are judged as if each were the only one."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from pathlib import Path

import pytest

from advisor import engine
from advisor.analysis.startup import equal_entities
from advisor.analysis.startup.judge import StartupJudge
from advisor.analysis.startup.verdict import StartupVerdict
from advisor.analysis.upgrade import subjects
from advisor.analysis.upgrade.subjects import PlannedSubject, Subjects
from advisor.cli.commands import starts
from advisor.config import Config
from advisor.engine import verdicts
from advisor.engine.subjects.alike import AlikeEntities
from advisor.engine.subjects.similar import SimilarSubjects
from advisor.engine.verdicts import RuleVerdict, VerdictTree, call_rule
from advisor.model import Entity, Origin, Setting, Target, Topic
from advisor.rule import Problem, Problems, Rule, Subject
from tests.support.commands import run

COMMON = "KAFKA_PROCESS_ROLES: broker\n      KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER\n      KAFKA_CONTROLLER_QUORUM_VOTERS: 99@c:9093\n"
VALUES = ("'9092'", "0", "${THREADS}", "8", "'x'", "2147483648", "1", "", "8")
"""Good values, values that Kafka refuses, one that is filled in later and one that is empty."""
ADVERTISED = (
    "PLAINTEXT://k{}",
    "PLAINTEXT://k1",
    "PLAINTEXT://localhost",
    "PLAINTEXT://0.0.0.0",
    "PLAINTEXT://",
    "SSL://k{}",
)
"""Names of hosts, which rules do not tell apart, and addresses that they do."""
FORMATS = ("json", "sarif", "junit")


def services() -> str:
    """Brokers with equal settings, with other values of the same keys, and with another key."""
    lines = ["services:\n"]
    for number in range(2 * len(VALUES)):
        lines += [f"  k{number}:\n    image: apache/kafka:4.3.0\n    environment:\n      {COMMON}"]
        lines += [
            f"      KAFKA_NODE_ID: {number // 2 % 3}\n      KAFKA_NUM_IO_THREADS: {VALUES[number % len(VALUES)]}\n"
        ]
        lines += ["      KAFKA_MIN_INSYNC_REPLICAS: 2\n"] if number % 3 else []
        lines += [f"      KAFKA_LISTENERS: PLAINTEXT://k{number}:9092\n" if number % 2 else ""]
        lines += [
            f"      KAFKA_ADVERTISED_LISTENERS: {ADVERTISED[number // 3 % len(ADVERTISED)]}:9092\n".format(number)
        ]
        lines += ["    ports: ['9092:9092']\n"] if number % 5 else []
    return "".join(lines)


def each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share nothing between subjects."""

    def frame(entity: Entity) -> Hashable:
        return id(entity)

    monkeypatch.setattr(equal_entities, "frame_of_entity", frame)
    for module in (engine, starts):
        monkeypatch.setattr(module, "verdict_tree", lambda _: VerdictTree(remember=False))


def connectors() -> str:
    """Connectors that differ in their names, and some in a value or a key."""
    rows = []
    for number in range(12):
        config = {"connector.class": "io.debezium.connector.postgresql.PostgresConnector", "topic.prefix": f"p{number}"}
        config |= {
            "producer.override.acks": str(number % 3),
            "errors.tolerance": "all",
            "tasks.max": VALUES[number % 3],
        }
        rows.append({"name": f"c{number}", "config": config | ({"bogus": "1"} if number % 4 else {})})
    return json.dumps(rows, indent=1)


def strimzi() -> str:
    """Clusters with listeners that stand at lines of their own, and topics that are resources."""
    head = "---\napiVersion: kafka.strimzi.io/v1beta2\nkind: {}\nmetadata:\n  name: k{}\n  labels: {{strimzi.io/cluster: k{}}}\nspec:\n"
    rows = []
    for number in range(12):
        listener = f"{{name: plain, port: {9092 + number // 4}, type: internal, tls: false}}"
        rows += [
            head.format("Kafka", number, number),
            "  kafka:\n    version: 3.9.0\n    replicas: 3\n    listeners:\n",
        ]
        rows += [f"      - {listener}\n    config: {{min.insync.replicas: {1 + number % 2}, foo.bar: 1}}\n"]
        rows += ["  zookeeper: {replicas: 3}\n", head.format("KafkaTopic", number, number % 3)]
        rows += [f"  partitions: 3\n  replicas: {1 + number % 3}\n  config: {{retention.ms: {number % 3 - 2}}}\n"]
    return "".join(rows)


def bindings() -> str:
    """Bindings of Spring Cloud Stream, which spell each key behind a name of their own, and some in another way."""
    rows = ["spring:\n  cloud:\n    stream:\n      kafka:\n        bindings:\n"]
    for number in range(12):
        rows += [f"          in{number}:\n            consumer:\n              configuration:\n"]
        rows += [
            f"                max.poll.records: {number % 3}\n                session.timeout.ms: {number % 3 * 5000}\n"
        ]
        rows += ["                '[isolation.level]': read_uncommitted\n" if number % 4 == 1 else ""]
        rows += ["                partition.assignment.strategy: a.B\n                fetch.min.bytes: x\n"]
    return "".join(rows)


def profiles() -> str:
    """Profiles of a Quarkus application, whose keys stand behind the names of the profiles."""
    head = "kafka.bootstrap.servers=a:1\nmp.messaging.outgoing.o.connector=smallrye-kafka\n"
    rows = [
        f"%p{number}.kafka.bootstrap.servers=b{number}:1\n%p{number}.mp.messaging.outgoing.o.acks={number % 3}\n"
        f"%p{number}.mp.messaging.outgoing.o.partitioner.class=a.B\n"
        for number in range(12)
    ]
    return head + "".join(rows)


def sections() -> str:
    """Sections of producers whose keys stand there in Kafka's words, and some in those of the section."""
    rows = [
        f"    p{number}: {{{'Acks' if number % 4 == 1 else 'acks'}: {number % 3}, retries: {number % 2}, linger.ms: x}}\n"
        for number in range(12)
    ]
    return "kafka:\n  bootstrap.servers: a:1\n  producers:\n" + "".join(rows)


def log() -> str:
    """A log of the starts of several nodes, some of whose values are defaults."""
    rows = [
        f"[2024-01-01 00:00:00,000] INFO KafkaConfig values: \n\tnode.id = {number}\n\tprocess.roles = [broker]\n"
        f"\tnum.io.threads = {8 + number % 2}\n\tmin.insync.replicas = 1\n\tunclean.leader.election.enable = true\n"
        f"\tlog.retention.bytes = {-1 - number % 3}\n (kafka.server.KafkaConfig)\n"
        for number in range(12)
    ]
    return "".join(rows)


NAMES_OF_FILES: dict[Callable[[], str], str] = {
    bindings: "application.yml",
    sections: "application.yml",
    profiles: "application.properties",
    log: "server.log",
}
"""Of those that are not for Compose."""


@pytest.mark.parametrize("files", [services, connectors, strimzi, bindings, profiles, sections, log])
@pytest.mark.parametrize("command", ["lint --no-config", "starts", "starts --on 3.9,4.3"])
def test_what_is_shared_changes_no_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, files: Callable[[], str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = NAMES_OF_FILES.get(files, "compose.yml")
    Path(name).write_text(files())
    formats = [f"--format={format}=report.{format}" for format in FORMATS]
    arguments = (*command.split(), name, "--format=text", *formats)
    shared, reports = run(*arguments), [Path(f"report.{format}").read_text() for format in FORMATS]
    each_alone(monkeypatch)
    alone = run(*arguments)
    assert alone.code in (0, 1), alone.err
    assert min(map(len, (alone.out, *reports))) > 700
    assert shared == alone
    assert reports == [Path(f"report.{format}").read_text() for format in FORMATS]


def rules_called(count: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often a rule is called for so many brokers that differ in their ids and hosts alone."""
    variables = f"{COMMON}      KAFKA_NODE_ID: {{0}}\n      KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://k{{0}}:9092\n"
    service = f"  k{{0}}:\n    image: apache/kafka:4.3.0\n    environment:\n      {variables}"
    (folder / "compose.yml").write_text("services:\n" + "".join(map(service.format, range(1, count + 1))))
    calls = []

    def counted(rule: Rule, *arguments: object) -> RuleVerdict:
        calls.append(rule.id)
        return call_rule(rule, *arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(verdicts, "call_rule", counted)
        assert run("lint", "--no-config", folder / "compose.yml").code == 1
    return len(calls)


def test_brokers_that_differ_in_ids_and_hosts_call_no_rule_but_of_these(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = rules_called(40, tmp_path, monkeypatch) - rules_called(20, tmp_path, monkeypatch)
    assert more < 20 * 12


PRODUCER = (
    "  app{0}:\n    image: acme/app\n    environment:\n      SPRING_KAFKA_BOOTSTRAP_SERVERS: kafka1:9092\n"
    "      SPRING_KAFKA_PRODUCER_ACKS: '1'\n      SPRING_KAFKA_PRODUCER_CLIENT_ID: c{0}\n"
)
BROKER = (
    f"  k{{0}}:\n    image: apache/kafka:4.3.0\n    environment:\n      {COMMON}      KAFKA_NODE_ID: {{0}}\n"
    "      KAFKA_LISTENERS: PLAINTEXT://k{0}:9092\n"
)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the entities of which starts are judged, as far as a test has come."""
    names = []

    def counted(judge: StartupJudge, entity: Entity, *arguments: object) -> list[StartupVerdict]:
        names.append(entity.name)
        return judge_releases(judge, entity, *arguments)  # type: ignore[arg-type]

    judge_releases = StartupJudge.judge_releases
    monkeypatch.setattr(StartupJudge, "judge_releases", counted)
    return names


@pytest.mark.parametrize("service", [PRODUCER, BROKER])
def test_entities_that_differ_in_nothing_that_a_start_rests_on_are_judged_once(
    tmp_path: Path, judged: list[str], service: str
) -> None:
    (tmp_path / "compose.yml").write_text("services:\n" + "".join(map(service.format, range(1, 31))))
    assert run("starts", "--format=json", tmp_path / "compose.yml").out.count('"kafka-advisor-starts/1"') == 30
    assert len(judged) == 2


def write_nodes(folder: Path, changed: str) -> None:
    """The files of brokers that differ in their hosts, directories and some values, before and after a change."""
    for side, text in (("old", ""), ("new", changed)):
        (folder / side).mkdir()
        for n in range(12):
            (folder / side / f"k{n}.properties").write_text(
                f"process.roles=broker\nnode.id={n}\ncontroller.listener.names=CONTROLLER\n"
                f"controller.quorum.voters=99@c:9093\nlisteners=PLAINTEXT://k{n % 5}:9092\nlog.dirs=/data/{n}\n"
                + text.format(n=n, value=VALUES[n % len(VALUES)])
            )


def test_nodes_whose_directories_differ_are_judged_once_for_a_rollout(tmp_path: Path, judged: list[str]) -> None:
    write_nodes(tmp_path, "min.insync.replicas=2\n")
    assert run("rollout", tmp_path / "old", tmp_path / "new").out
    assert 1 < len(judged) <= 4


@pytest.mark.parametrize("changed", ["num.io.threads={value}\n", "log.dirs=/new/{n}\n", "compression.type=x{n}\n"])
def test_what_a_rollout_takes_over_from_other_nodes_changes_no_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    write_nodes(tmp_path, changed)
    command = ("rollout", tmp_path / "old", tmp_path / "new", "--format", "json")
    answer = run(*command).out
    monkeypatch.setattr(AlikeEntities, "find", lambda *_: None)
    assert run(*command).out == answer != ""


@pytest.mark.parametrize("service", [PRODUCER, BROKER])
def test_subjects_that_differ_in_nothing_that_a_plan_rests_on_are_planned_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, service: str
) -> None:
    (tmp_path / "compose.yml").write_text("services:\n" + "".join(map(service.format, range(1, 31))))
    planned = []

    def counted(planned_subjects: Subjects) -> PlannedSubject:
        planned.append(planned_subjects[0].entity.name)
        return plan_all_else(planned_subjects)

    plan_all_else = subjects.plan_all_else
    monkeypatch.setattr(subjects, "plan_all_else", counted)
    assert run("upgrade", "--format=json", tmp_path / "compose.yml").code in (0, 1)
    assert len(planned) == 2


@pytest.mark.parametrize("format", FORMATS)
def test_a_plan_for_keys_behind_other_names_changes_no_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    (tmp_path / "application.yml").write_text(bindings())
    shared = run("upgrade", f"--format={format}", tmp_path / "application.yml")
    assert "bindings.in7.consumer" in shared.out
    monkeypatch.setattr(subjects, "frame_of_entity", id)
    assert shared == run("upgrade", f"--format={format}", tmp_path / "application.yml")


@pytest.mark.parametrize("values", [("1", "all", "0", "x"), ("0", "1")])
def test_a_plan_for_alike_subjects_changes_no_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, values: tuple[str, ...]
) -> None:
    services = [PRODUCER.replace("'1'", values[number % len(values)]).format(number) for number in range(12)]
    services += [BROKER.replace("k{0}:\n", f"k{number}:\n", 1).format(number % 5) for number in range(12)]
    (tmp_path / "compose.yml").write_text("services:\n" + "".join(services))
    shared = [run("upgrade", f"--format={format}", tmp_path / "compose.yml") for format in FORMATS]
    monkeypatch.setattr(subjects, "frame_of_entity", id)
    assert shared == [run("upgrade", f"--format={format}", tmp_path / "compose.yml") for format in FORMATS]


def test_evidence_shows_the_values_of_each_entity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(4):
        text = f"bootstrap.servers=a:1,b:1\ngroup.id=g{number}\nsession.timeout.ms=1000\n"
        Path(f"{number}.properties").write_text(text)
    report = run("starts", "--format=sarif", *(f"{number}.properties" for number in range(4))).out
    assert all(f"group.id=g{number}" in report for number in range(4))


def test_entities_that_share_their_settings_keep_their_names() -> None:
    def named(topic: Subject) -> Problems:
        yield Problem("", str(topic.known_as()))

    settings = {"retention.ms": Setting("retention.ms", "1", "file", Origin("f", 1, 1))}
    rules = [[Rule(id, named, ("high",) * 4, "certain", None, None, None)] for id in ("X1", "X2")]
    tree = SimilarSubjects()

    def message(of: int, name: str) -> str | None:
        entity = Topic("topic", name, "f", settings, Target((4, 0), ""))
        entity.known_as = name
        configs = (Config(entity),)
        known = [row for _, known in tree.settled(rules[of], configs).others if known for row in known.items]
        verdict = known[0][1] if known and known[0][1] else tree.verdict(rules[of][0], configs)
        assert verdict.problem is not None
        return verdict.problem.message

    asked = [(0, "a"), (0, "a"), (1, "b"), (1, "b"), (1, "a")]
    assert [message(*each) for each in asked] == [name for _, name in asked]
