"""Commands take work in proportion to their input, whatever it repeats: counted in lines that ran, not in seconds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.analysis.comparison import changes
from advisor.engine import judge
from advisor.engine.former_side import FormerSide
from advisor.engine.policy import Policy
from advisor.engine.report import Report
from advisor.engine.suppressions import apply, complaint
from advisor.lsp.entry_at_cursor import Typed
from advisor.lsp.key_completion import is_beside, lines_of_block
from advisor.lsp.positions import Text
from advisor.lsp.settings_at import Buffer
from advisor.model import Broker, Entity, Origin, Setting, Snapshot, Suppression, Target
from collectors.files.reader import File, read
from rules import all_rules
from tests.support.commands import run
from tests.support.work import growth, lines_run

MOST = 2.5
"""2 is linear, 4 quadratic."""
MOST_OF_A_TOPIC = 3000
"""Lines that run for a topic like another one, which is read, named and shown; a topic of its own takes 7000 or more."""
MOST_OF_A_CONNECTOR = 10_000
"""As many lines for a connector and its producer, or a cluster; one of its own takes 30,000 or more."""
MOST_OF_A_POOL = 15_000
"""As many lines for a pool of nodes with a hundred listeners, which are those of the cluster; of its own they take 22,000."""
MOST_OF_DEFAULTS = 9000
"""As many lines for a client with all defaults; defaults of its own take 12,000."""
MOST_OF_A_BROKER = 25_000
"""As many lines for a broker at all releases; one of its own takes 100,000 or more."""
NODE = "process.roles=broker\nnode.id=1\n"
Files = dict[str, str]


def each(text: Callable[[int], str], count: int) -> str:
    return "".join(map(text, range(count)))


def unknown_keys(count: int) -> Files:
    return {
        "a.properties": NODE + each(lambda n: f"log.retention.hoursx{n}=1\n", count),
        "b.properties": NODE + each(lambda n: f"log.retention.hoursy{n}=1\n", count),
    }


def listeners(count: int) -> Files:
    names = ",".join(f"L{n}" for n in range(count))
    return {
        "a.properties": f"{NODE}listeners={names.replace(',', '://h:9092,')}://h:9092\n"
        f"listener.security.protocol.map={names.replace(',', ':SSL,')}:SSL\n"
        + each(lambda n: f"listener.name.l{n}.ssl.client.auth=none\n", count)
    }


def changed_listeners(count: int) -> Files:
    old = listeners(count)["a.properties"]
    return {"a.properties": old, "b.properties": old.replace("client.auth=none", "client.auth=required")}


def sections_in_one_line(count: int) -> Files:
    """Settings of .NET's clients, all in the first line."""
    return {"appsettings.json": json.dumps({"Kafka": {f"Producer{n}": {"Acks": "None"} for n in range(count)}})}


def users(count: int) -> Files:
    """Principals of which none is a super user of the other side."""
    head = f"{NODE}authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer\nsuper.users="
    return {
        "a.properties": head + ";".join(f"User:a{n}" for n in range(count)),
        "b.properties": head + ";".join(f"User:b{n}" for n in range(count)),
    }


def directories(count: int) -> Files:
    """Log directories of which the first alone is on the other side, too."""
    return {
        f"{side}.properties": f"{NODE}log.dirs=/first," + ",".join(f"/{side}{n}" for n in range(count)) for side in "ab"
    }


def secrets_of_listeners(count: int) -> Files:
    lines = each(lambda n: f"listener.name.l{n}.ssl.key.password=a\n", count)
    return {"a.properties": NODE + lines, "b.properties": NODE + lines.replace("=a", "=b")}


def services_of_another_file(count: int) -> Files:
    """Compose files whose services all extend one of the same other file."""
    extending = "services:\n" + each(lambda n: f"  k{n}: {{extends: {{file: base.yml, service: k}}}}\n", 20)
    base = "services:\n  k: {image: apache/kafka:4.0.0}\n" + each(lambda n: f"  x{n}: {{image: a}}\n", 10 * count)
    return {"base.yml": base, **{f"c{number}.yml": extending for number in range(count)}}


def suppressions(count: int) -> Files:
    return {"a.properties": f"# kafka-advisor: ignore[{','.join(f'KA{n}' for n in range(count))}] agreed\nacks=1\n"}


def topics(count: int) -> Files:
    return {
        "a.yaml": "---\n".join(
            f"apiVersion: kafka.strimzi.io/v1beta2\nkind: KafkaTopic\nmetadata:\n  name: t{n}\nspec:\n  replicas: 3\n"
            "  config:\n    min.insync.replicas: 1\n    unclean.leader.election.enable: true\n"
            for n in range(count)
        )
    }


def brokers(count: int) -> Files:
    return {
        "a.yaml": "services:\n"
        + each(
            lambda n: (
                f"  b{n}:\n    image: apache/kafka:3.9.0\n    environment:\n      KAFKA_NODE_ID: {n}\n"
                "      KAFKA_PROCESS_ROLES: broker\n      KAFKA_CONTROLLER_QUORUM_VOTERS: 1000@c:9093\n"
                f"      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true'\n      KAFKA_MESSAGE_MAX_BYTES: {1000000 + n}\n"
            ),
            count,
        )
    }


def brokers_with_volumes(count: int) -> Files:
    """Brokers of Compose that differ in the names of their hosts and volumes."""
    return {
        "compose.yml": "services:\n"
        + each(
            lambda n: (
                f"  k{n}:\n    image: apache/kafka:4.0.0\n    volumes: ['v{n}:/var/lib/kafka/data']\n    environment:\n"
                f"      KAFKA_NODE_ID: {n}\n      KAFKA_PROCESS_ROLES: broker\n      KAFKA_CONTROLLER_QUORUM_VOTERS: 1@a:1\n"
                f"      KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://k{n}:9092\n      KAFKA_LISTENERS: PLAINTEXT://:9092\n"
            ),
            count,
        )
    }


def clients_of_own_hosts(count: int) -> Files:
    """Applications of which each names another host."""
    environment = "{{SPRING_KAFKA_BOOTSTRAP_SERVERS: 'k{0}:9092', SPRING_KAFKA_PRODUCER_ACKS: '0'}}"
    return {
        "compose.yml": "services:\n"
        + each(lambda n: f"  a{n}:\n    image: acme/a:{n}\n    environment: {environment.format(n)}\n", count)
    }


def clusters(count: int) -> Files:
    return {
        "main.tf": each(
            lambda n: (
                f'resource "aws_msk_cluster" "c{n}" {{\n  kafka_version = "3.6.0"\n  number_of_broker_nodes = 3\n'
                f"  configuration_info {{\n    arn = aws_msk_configuration.k{n}.arn\n    revision = 1\n  }}\n}}\n"
                f'resource "aws_msk_configuration" "k{n}" {{\n  server_properties = "unclean.leader.election.enable=true"\n}}\n'
            ),
            count,
        )
    }


def config_maps(count: int) -> Files:
    return {
        "a.yaml": each(
            lambda n: (
                f"---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c{n}\ndata:\n  server.properties: |\n"
                f"    process.roles=broker\n    node.id={n}\n"
            ),
            count,
        )
    }


def strimzi_clusters(count: int) -> Files:
    head = "---\napiVersion: kafka.strimzi.io/v1beta2\nkind: {}\nmetadata:\n  name: k{}\n".format
    return {
        "a.yaml": each(
            lambda n: (
                f"{head('Kafka', n)}spec:\n  kafka:\n    version: 3.9.0\n{head('KafkaNodePool', n)}"
                f"  labels: {{strimzi.io/cluster: k{n}}}\nspec:\n  replicas: 3\n  roles: [broker]\n"
            ),
            count,
        )
    }


def topics_of_outputs(count: int) -> Files:
    level = "DYNAMIC_TOPIC_CONFIG:min.insync.replicas=1"
    return {
        "a.txt": each(
            lambda n: (
                f"Dynamic configs for topic t{n} are:\n  min.insync.replicas=1 sensitive=false synonyms={{{level}}}\n"
            ),
            count,
        )
    }


def connectors(count: int) -> Files:
    names = {"topic.prefix": "p{}", "database.hostname": "h{}"}
    config = {"connector.class": "io.debezium.connector.postgresql.PostgresConnector", "producer.override.acks": "1"}
    named = (
        {"name": f"c{n}", "config": config | {key: name.format(n) for key, name in names.items()}} for n in range(count)
    )
    return {"a.json": json.dumps(list(named), indent=1)}


def sections_of_producers(count: int) -> Files:
    return {"a.yml": "kafka:\n  producers:\n" + each(lambda n: f"    p{n}: {{acks: 0, retries: 0}}\n", count)}


def profiles(count: int) -> Files:
    head = "kafka.bootstrap.servers=a:1\nmp.messaging.outgoing.o.connector=smallrye-kafka\n"
    text = "%p{0}.kafka.bootstrap.servers=b{0}:1\n%p{0}.mp.messaging.outgoing.o.acks=0\n"
    return {"application.properties": head + each(text.format, count)}


def starts_of_a_log(count: int) -> Files:
    return {
        "server.log": each(
            lambda n: (
                f"[2024-01-01 00:00:00,000] INFO KafkaConfig values: \n\tnode.id = {n}\n\tprocess.roles = [broker]\n"
                "\tnum.io.threads = 8\n\tunclean.leader.election.enable = true\n (kafka.server.KafkaConfig)\n"
            ),
            count,
        )
    }


def pools_of_many_listeners(count: int) -> Files:
    listeners = each(lambda n: f"      - {{name: l{n}, port: {9100 + n}, type: internal, tls: false}}\n", 100)
    head = "apiVersion: kafka.strimzi.io/v1beta2\nkind: {}\nmetadata:\n  name: {}\n".format
    pool = f"---\n{head('KafkaNodePool', 'p{0}')}  labels: {{{{strimzi.io/cluster: k}}}}\nspec:\n  replicas: 3\n  roles: [broker]\n"
    kafka = f"{head('Kafka', 'k')}spec:\n  kafka:\n    version: 3.9.0\n    listeners:\n{listeners}"
    return {"a.yaml": kafka + each(pool.format, count)}


def parameters(count: int) -> Files:
    """Values of a chart that are set one by one, as an Application of Argo CD does."""
    head = "kind: Application\nspec:\n  source:\n    chart: kafka\n    helm:\n      parameters:\n"
    return {
        "a.yaml": head + each(lambda n: f"      - {{name: extraConfig.log.retention.hoursx{n}, value: '1'}}\n", count)
    }


CASES: dict[str, tuple[tuple[str, ...], Callable[[int], Files], int]] = {
    "diff of unknown keys": (("diff", "a.properties", "b.properties", "--no-config"), unknown_keys, 25),
    "lint of listeners": (("lint", "a.properties", "--no-config"), listeners, 30),
    "diff of listeners": (("diff", "a.properties", "b.properties", "--no-config"), changed_listeners, 12),
    "rollout of listeners": (("rollout", "a.properties", "b.properties"), changed_listeners, 12),
    "rollout of secrets": (("rollout", "a.properties", "b.properties"), secrets_of_listeners, 100),
    "lint of sections in one line": (
        ("lint", "appsettings.json", "--no-config", "--format", "json"),
        sections_in_one_line,
        100,
    ),
    "lint of services of another file": (("lint", ".", "--no-config"), services_of_another_file, 5),
    "diff of super users": (("diff", "a.properties", "b.properties", "--no-config"), users, 300),
    "diff of log directories": (("diff", "a.properties", "b.properties", "--no-config"), directories, 300),
    "starts of listeners": (("starts", "a.properties"), listeners, 12),
    "lint of a long suppression": (("lint", "a.properties", "--no-config"), suppressions, 400),
    "lint of clusters in HCL": (("lint", "main.tf", "--no-config"), clusters, 8),
    "lint of a chart's parameters": (("lint", "a.yaml", "--no-config"), parameters, 250),
    "lint of brokers as HTML": (("lint", "a.yaml", "--no-config", "--format", "html"), brokers, 8),
    "upgrade of topics in outputs": (("upgrade", "a.txt"), topics_of_outputs, 250),
    "advise on topics": (("advise", "a.yaml"), topics, 8),
    "advise on brokers": (("advise", "a.yaml"), brokers, 4),
}
"""The command, its files for a number of repetitions, and how many the shortest input has."""


@pytest.mark.parametrize("name", CASES)
def test_twice_the_input_takes_about_twice_the_work(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command, files, shortest = CASES[name]

    def work(count: int) -> Callable[[], object]:
        for path, text in files(count).items():
            Path(path).write_text(text)
        return lambda: run(*command)

    assert growth(work, shortest) < MOST


@pytest.mark.parametrize(("files", "shortest"), [(config_maps, 30), (strimzi_clusters, 20)])
def test_a_file_is_read_in_linear_work(
    files: Callable[[int], Files], shortest: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def work(count: int) -> Callable[[], object]:
        ((path, text),) = files(count).items()
        Path(path).write_text(text)
        return lambda: read(File(path))

    assert growth(work, shortest) < MOST


@pytest.mark.parametrize(
    "text",
    [
        f"{NODE}controller.quorum.voters=" + ",".join(f"{n}@h{n}:9093" for n in range(1000)),
        "bootstrap.servers=" + ",".join(f"h{n}:9092" for n in range(1000)),
    ],
    ids=["voters", "addresses"],
)
def test_what_is_the_same_at_each_release_is_read_once(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.properties").write_text(text)
    one, all_releases = (
        lines_run(lambda command=command: run(*command))  # type: ignore[misc]
        for command in (("starts", "a.properties", "--on", "4.4"), ("starts", "a.properties"))
    )
    assert all_releases < 5 * one


@pytest.mark.parametrize(
    ("command", "files", "most"),
    [
        ("lint", topics_of_outputs, MOST_OF_A_TOPIC),
        ("advise", topics_of_outputs, MOST_OF_A_TOPIC),
        ("upgrade", topics_of_outputs, MOST_OF_A_TOPIC),
        ("starts", connectors, MOST_OF_A_CONNECTOR),
        ("upgrade", connectors, MOST_OF_A_CONNECTOR),
        ("starts", strimzi_clusters, MOST_OF_A_CONNECTOR),
        ("starts", brokers_with_volumes, MOST_OF_A_BROKER),
        ("starts", clients_of_own_hosts, MOST_OF_A_CONNECTOR),
        ("starts", sections_of_producers, MOST_OF_A_TOPIC),
        ("starts", profiles, MOST_OF_A_TOPIC),
        ("starts", starts_of_a_log, MOST_OF_A_CONNECTOR),
        ("lint --no-config", pools_of_many_listeners, MOST_OF_A_POOL),
        ("effective --all --format json", sections_of_producers, MOST_OF_DEFAULTS),
    ],
)
def test_what_differs_in_its_names_alone_is_judged_once(
    command: str, files: Callable[[int], Files], most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def work(count: int) -> int:
        ((path, text),) = files(count).items()
        Path(path).write_text(text)
        return lines_run(lambda: run(*command.split(), path))

    work(2)
    few, more = work(20), work(40)
    assert more - few < 20 * most


def test_values_that_hold_each_other_make_no_more_than_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    turns = each(lambda n: f"  a{n + 1} = flatten([for x in local.a{n} : local.a{n}])\n", 12)
    topic = 'resource "kafka_topic" "t" {\n  name = join(",", local.a12)\n  replication_factor = 1\n}\n'
    Path("main.tf").write_text(f"locals {{\n  a0 = [1,2,3,4,5,6,7,8,9,10]\n{turns}}}\n{topic}")
    assert lines_run(lambda: run("lint", "main.tf", "--no-config")) < 5_000_000


def test_outputs_below_a_folder_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = each(lambda n: f"Topic: t\tPartition: {n}\tLeader: 1\tReplicas: 1,2\tIsr: 1,2\n", 1000)
    Path("a.txt").write_text(lines)
    run("lint", ".")
    named = lines_run(lambda: run("lint", "a.txt"))
    assert lines_run(lambda: run("lint", ".")) < 1.3 * named


def test_a_setting_that_differs_costs_the_same_beside_many_others() -> None:
    def work(count: int) -> Callable[[], object]:
        old, new = (
            Entity(
                "broker",
                "1",
                "f",
                {key: Setting(key, text, "file", Origin("f", 1, 1)) for key in map("my.key{}".format, range(count))},
                Target((4, 0), ""),
            )
            for text in "ab"
        )
        return lambda: changes(old, new)

    assert growth(work, 100) < MOST


def test_clusters_find_their_former_selves_in_linear_work() -> None:
    def side(count: int) -> list[Snapshot]:
        brokers = (Broker("broker", "1", f"{number}.properties", {}, Target((4, 0), "")) for number in range(count))
        return [Snapshot(broker.file or "", [broker]) for broker in brokers]

    def work(count: int) -> Callable[[], object]:
        old, new = side(count), side(count)
        return lambda: judge(new, [], Policy([]), (), FormerSide(old))

    assert growth(work, 100) < MOST


def test_comments_find_what_they_silence_in_linear_work() -> None:
    policy = Policy(all_rules())

    def work(count: int) -> Callable[[], object]:
        comments = [Suppression("f", number, f"k{number}", ("KA101",), "agreed", None) for number in range(count)]
        report = Report([], "production")
        report.findings = [complaint(("KA101", ""), "low", comment, "", policy) for comment in comments]
        for comment, finding in zip(comments, report.findings, strict=True):
            finding.key = comment.key
        return lambda: apply(comments, report, policy)

    assert growth(work, 100) < MOST


def test_the_settings_beside_a_key_that_is_typed_are_known_in_linear_work() -> None:
    def work(count: int) -> Callable[[], object]:
        buffer, typed = Buffer("a.yaml", Text("a:\n" + "  b: 1\n" * count)), Typed(count // 2, 0, 0, "  ", "", None, "")
        settings = [Setting("b", "1", "file", Origin("a.yaml", number + 2, 3)) for number in range(count)]

        def beside() -> None:
            lines = lines_of_block(buffer, typed)
            assert all(is_beside(buffer, setting, typed, lines) for setting in settings)
            assert not is_beside(buffer, Setting("a", "", "file", Origin("a.yaml", 1, 1)), typed, lines)

        return beside

    assert growth(work, 100) < MOST


def test_what_is_quadratic_is_seen() -> None:
    assert growth(lambda count: lambda: [0 for _ in range(count) for _ in range(count)], 100) > MOST
