"""The formats people keep Kafka's configuration in: what is found, under the file's own name of the key, in its own line."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from advisor import limits
from advisor.errors import NothingToJudge, UnreadableInput
from collectors.files.reader import File, read
from tests.support.commands import run

DATA = Path(__file__).parent.parent.parent / "examples" / "inputs"
EXPECTED = [
    ("compose-two-services.yml", "unclean-election", "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE", 7, "critical"),
    ("compose-two-services.yml", "internal-topic-rf", "KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR", 6, "high"),
    ("compose-two-services.yml", "default-rf-low", "KAFKA_DEFAULT_REPLICATION_FACTOR", None, "high"),
    ("compose-two-services.yml", "default-rf-low", "KAFKA_DEFAULT_REPLICATION_FACTOR", 29, "high"),
    ("compose-two-services.yml", "secret-in-config", "KAFKA_SSL_KEYSTORE_PASSWORD", 20, "medium"),
    ("compose-two-services.yml", "version-eol", "image", 3, "low"),
    ("compose-two-services.yml", "ephemeral-storage", "volumes", None, "high"),
    ("compose-two-services.yml", "internal-rf-above-brokers", "KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR", None, "high"),
    ("kubernetes-statefulset.yaml", "acks-not-all", "acks", 15, "high"),
    ("kubernetes-statefulset.yaml", "quorum-even", "KAFKA_CONTROLLER_QUORUM_VOTERS", 31, "medium"),
    ("kubernetes-statefulset.yaml", "few-brokers", "spec.replicas", 22, "medium"),
    ("kubernetes-statefulset.yaml", "ephemeral-storage", "volumes", None, "high"),
    ("kubernetes-statefulset.yaml", "service-links", "spec.template.spec.enableServiceLinks", None, "medium"),
    ("strimzi-pools.yaml", "plaintext-listener", "spec.kafka.listeners[plain].tls", 12, "medium"),
    ("strimzi-pools.yaml", "min-isr-1", "spec.kafka.config.min.insync.replicas", 25, "high"),
    ("strimzi-pools.yaml", "env-mapping", "spec.kafka.config.log.dirs", 26, "medium"),
    ("strimzi-pools.yaml", "ephemeral-storage", "spec.storage.type", 52, "high"),
    ("strimzi-pools.yaml", "topic-rf-low", "spec.replicas", 62, "high"),
    ("strimzi-pools.yaml", "invalid-value", "spec.config.segment.bytes", 65, "critical"),
    ("strimzi-pools.yaml", "acl-wildcard", "spec.authorization.acls[0].resource", 75, "high"),
    ("spring-profiles.yml", "unknown-key", "spring.kafka.producer.enable-idempotence", 7, "medium"),
    ("spring-profiles.yml", "auto-commit", "spring.kafka.consumer.enable-auto-commit", 10, "medium"),
    (
        "spring-profiles.yml",
        "session-timeout-high",
        "spring.kafka.consumer.properties.session.timeout.ms",
        15,
        "medium",
    ),
    ("spring-profiles.yml", "acks-not-all", "spring.kafka.producer.acks", 21, "high"),
    ("msk.tf", "unclean-election", "server_properties.unclean.leader.election.enable", 8, "critical"),
    ("msk.tf", "version-eol", "aws_msk_cluster.kafka_version", 14, "low"),
    ("msk.tf", "topic-rf-low", "kafka_topic.orders.replication_factor", 28, "high"),
    ("msk.tf", "retention-infinite", "kafka_topic.orders.config.retention.ms", 30, "low"),
    ("connector.json", "secret-in-config", "config.connection.password", 5, "medium"),
    ("connector.json", "errors-swallowed", "config.errors.tolerance", 6, "medium"),
    ("helm-values.yaml", "internal-topic-rf", "kafka.offsetsTopicReplicationFactor", 7, "high"),
    ("helm-values.yaml", "ephemeral-storage", "kafka.persistence.enabled", 10, "high"),
    ("helm-values.yaml", "min-isr-1", "kafka.extraEnvVars[KAFKA_CFG_MIN_INSYNC_REPLICAS]", None, "high"),
    ("ansible-vars.yml", "default-rf-low", "all.children.kafka.vars.kafka_default_replication_factor", 10, "high"),
    (
        "ansible-vars.yml",
        "unclean-election",
        "all.vars.kafka_broker_custom_properties.unclean.leader.election.enable",
        5,
        "critical",
    ),
    ("koperator.yaml", "internal-topic-rf", "spec.readOnlyConfig.offsets.topic.replication.factor", 9, "high"),
    ("nais-topic.yaml", "min-isr-1", "spec.config.minimumInSyncReplicas", 12, "high"),
    ("topicctl.yaml", "topic-rf-low", "spec.replicationFactor", 6, "high"),
    ("topicctl.yaml", "rack-in-one", "spec.placement.strategy", 9, "medium"),
    ("topicctl.yaml", "retention-short", "spec.retentionMinutes", 7, "low"),
    ("startup-log.md", "acks-not-all", "acks", 4, "medium"),
    ("startup-log.md", "version-eol", "Kafka version", 12, "info"),
    ("clients.yaml", "acks-not-all", "clients.producer.acks", 5, "high"),
]
ABSENT = [
    ("compose-two-services.yml", "zk-mode", 37),
    ("kubernetes-statefulset.yaml", "plaintext-client", 14),
    ("kubernetes-statefulset.yaml", "missing-required", None),
    ("strimzi-pools.yaml", "authorizer-missing", None),
    ("strimzi-pools.yaml", "tls-without-keystore", None),
    ("strimzi-pools.yaml", "few-brokers", None),
    ("msk.tf", "min-isr-1", None),
    ("msk.tf", "tf-revision-hardcoded", None),
    ("msk.tf", "no-authentication", None),
    ("connector.json", "missing-required", None),
    ("helm-values.yaml", "zk-single", None),
    ("startup-log.md", "secret-in-config", None),
]
"""Rules that must not fire: a container that only runs tools, what an operator or a service decides, what is written."""
_findings: dict[str, list[dict[str, Any]]] = {}


def findings(name: str) -> list[dict[str, Any]]:
    if name not in _findings:
        _findings[name] = run("lint", DATA / name, "--no-config", "--format", "json").json["findings"]
    return _findings[name]


@pytest.mark.parametrize(("name", "rule", "key", "line", "severity"), EXPECTED)
def test_what_is_found(name: str, rule: str, key: str, line: int | None, severity: str) -> None:
    rows = [row for row in findings(name) if (row["name"], row["key"], row["line"]) == (rule, key, line)]
    assert rows, [(row["name"], row["key"], row["line"]) for row in findings(name) if row["name"] == rule]
    assert rows[0]["severity"] == severity


@pytest.mark.parametrize(("name", "rule", "line"), ABSENT)
def test_what_is_not_found(name: str, rule: str, line: int | None) -> None:
    assert not [row for row in findings(name) if row["name"] == rule and line in (None, row["line"])]


def test_kafkas_own_name_stands_beside_the_files() -> None:
    (row,) = [row for row in findings("compose-two-services.yml") if row["name"] == "unclean-election"]
    assert (row["key"], row["kafka_key"], row["value"]) == (
        "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE", "unclean.leader.election.enable", "true",
    )  # fmt: skip


def test_a_line_that_several_services_share_is_one_finding() -> None:
    rows = [row for row in findings("strimzi-pools.yaml") if row["name"] == "min-isr-1"]
    assert len(rows) == 1


def test_a_comment_suppresses_the_key_below_it() -> None:
    ran = run("lint", DATA / "kubernetes-statefulset.yaml", "--no-config", "--format", "json")
    assert [row["name"] for row in ran.json["suppressed"]] == ["plaintext-client"]


def test_no_secret_is_shown() -> None:
    for name in ("compose-two-services.yml", "connector.json"):
        for format in ("text", "json", "sarif", "html", "junit", "markdown"):
            assert "hunter2" not in run("lint", DATA / name, "--no-config", "--format", format).out


def test_names_do_not_depend_on_the_order_of_services(tmp_path: Path) -> None:
    one = tmp_path / "one.yml"
    one.write_text("services:\n  a:\n    image: apache/kafka:4.3.0\n    environment: {KAFKA_NODE_ID: 1}\n")
    first = run("lint", one, "--no-config", "--format", "json").json["findings"]
    one.write_text("services:\n  z:\n    image: postgres\n" + one.read_text().partition("\n")[2])
    second = run("lint", one, "--no-config", "--format", "json").json["findings"]
    assert {row["fingerprint"] for row in first} == {row["fingerprint"] for row in second}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("services:\n\tkafka: 1\n", "a.yml:2:1: not YAML"),
        ("kafka: *nothing\n", "a.yml:1: not YAML: an alias (*) of which there is no anchor (&)"),
        ("kafka: [1, 2\n", "a.yml:2:1: not YAML"),
        ("kafka: " + "[" * 200 + "]" * 200, "nested deeper than 100 levels"),
        ("kafka: [" + "1," * 60_000 + "1]", "over 50,000 values in one document"),
    ],
)
def test_bad_yaml_is_one_line(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "a.yml").write_text(text)
    (tmp_path / "p.properties").write_text("acks=0\nbootstrap.servers=b:1\n")
    ran = run("lint", tmp_path / "a.yml", tmp_path / "p.properties", "--no-config")
    assert ran.code == 2
    assert says in ran.err
    assert len(ran.err.splitlines()) == 1
    assert "KA101" in ran.out


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        (
            "a.tf",
            'resource "kafka_topic" "x" {\n  name =\n}\nresource "kafka_topic" "y" {\n  name = "y"\n}\n',
            ":3:1: not HCL",
        ),
        ("a.tf", 'resource "kafka_topic" "x" {\n  name = "x"\n', ":3:1: not HCL"),
        ("a.tf", 'resource "kafka_topic" "x" {\n  name = [1,\n}\n', ":2:3: not HCL"),
        ("a.json", '{"name": "c", "config": {"connector.class": "a"', ":2:1: not JSON"),
        ("a.json", '{"name": "c"\n "config": {"connector.class": "a"}}', ":2:2: not JSON"),
    ],
)
def test_a_syntax_error_is_said_and_nothing_behind_it_is_lost(tmp_path: Path, name: str, text: str, says: str) -> None:
    (tmp_path / name).write_text(text)
    ran = run("lint", tmp_path / name, "--no-config")
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert f"{name}{says}" in ran.err


def test_hcl_of_any_shape_is_no_syntax_error(tmp_path: Path) -> None:
    (tmp_path / "a.tf").write_text(
        'resource "kafka_topic" "x" {\n  name = provider::x::f(var.a) # c\n  partitions = 3\n  replication_factor = 1\n}\n'
        'locals {\n  a = [for k, v in var.m : "${k}=${v}" if v != ""]\n  b = { for k, v in var.m : k => v... }\n'
        '  c = "%{ if var.x }yes%{ else }no%{ endif }"\n  d = <<-EOT\n    %{ for x in var.xs ~}\n    ${x}\n    %{ endfor ~}\n'
        '  EOT\n  e = var.list[*].id\n  f = var.list.*.id\n  l = { (var.k) = 1, "m" : 2, n = 3 }\n}\n'
    )
    assert "KA156" in run("lint", tmp_path / "a.tf", "--no-config").out


def test_aliases_are_shared_and_merges_are_bounded(tmp_path: Path) -> None:
    laughs = "a0: &a0 {kafka: 1}\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))
    merges = "b: &b {" + ", ".join(f"KAFKA_K{n}: {n}" for n in range(5000)) + "}\nservices:\n"
    merges += "".join(
        f"  s{n}:\n    image: apache/kafka:4.3.0\n    environment: {{<<: *b, KAFKA_NODE_ID: {n}}}\n" for n in range(100)
    )
    (tmp_path / "a.yml").write_text(laughs)
    with pytest.raises(NothingToJudge):
        read(File(str(tmp_path / "a.yml")))
    (tmp_path / "b.yml").write_text(merges)
    with pytest.raises(UnreadableInput, match=r"over 50,000 settings in one file|merge keys"):
        read(File(str(tmp_path / "b.yml")))


SHARED = "".join(f"KAFKA_K{number}: x\n" for number in range(4000))
SHARED_SETTINGS = {
    "compose": "x: &b\n" + indent(SHARED, "  ") + "services:\n"
    + "".join(f"  s{n}:\n    image: apache/kafka:4.3.0\n    environment: *b\n" for n in range(100)),
    "spring": "spring:\n  kafka:\n    properties:\n" + indent(SHARED, "      ")
    + "".join(
        f"---\nspring:\n  config.activate.on-profile: p{n}\n  kafka.producer.client-id: c{n}\n" for n in range(100)
    ),
    "strimzi": "apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nmetadata: {name: c}\nspec:\n  kafka:\n"
    "    config:\n" + indent(SHARED, "      ")
    + "".join(
        f"---\napiVersion: kafka.strimzi.io/v1beta2\nkind: KafkaNodePool\nmetadata:\n  name: p{n}\n"
        "  labels: {strimzi.io/cluster: c}\nspec: {replicas: 1, roles: [broker]}\n"
        for n in range(100)
    ),
    "kubernetes": "apiVersion: v1\nkind: List\nitems:\n- &a\n  apiVersion: apps/v1\n  kind: StatefulSet\n"
    "  metadata: {name: k}\n  spec:\n    template:\n      spec:\n        containers:\n        - name: k\n"
    "          image: apache/kafka:4.3.0\n          env:\n"
    + "".join(f"          - {{name: KAFKA_K{n}, value: '{n}'}}\n" for n in range(4000)) + "".join(f"- {{<<: *a, metadata: {{name: k{n}}}}}\n" for n in range(99)),
}  # fmt: skip


@pytest.mark.parametrize("name", SHARED_SETTINGS)
def test_what_subjects_of_a_file_share_is_bounded_in_sum(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text(SHARED_SETTINGS[name])
    with pytest.raises(UnreadableInput, match=r"a\.yml: over 50,000 settings in one file"):
        read(File(str(tmp_path / "a.yml")))


VARIABLES = "SPRING_KAFKA_BOOTSTRAP_SERVERS: b:9092\n" + "".join(f"V{number}: x\n" for number in range(4000))
POD = (
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: a{}}}\nspec:\n  template:\n    spec:\n      containers:\n"
    "      - {{name: c, image: acme/app, envFrom: [{{configMapRef: {{name: m}}}}], env: [{{name: SPRING_KAFKA_CLIENT_ID, value: a}}]}}\n"
)
SHARED_VARIABLES = {
    "a service": "services:\n  b:\n    image: acme/app\n    environment:\n" + indent(VARIABLES, "      ")
    + "".join(f"  s{n}: {{extends: b}}\n" for n in range(70)),
    "a file": "services:\n" + "".join(f"  s{n}: {{image: acme/app, env_file: v.env, environment: {{SPRING_KAFKA_CLIENT_ID: a}}}}\n" for n in range(70)),
    "a map": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n" + indent(VARIABLES, "  ")
    + "".join(POD.format(n) for n in range(70)),
}  # fmt: skip


@pytest.mark.parametrize("name", SHARED_VARIABLES)
def test_variables_that_containers_of_a_file_share_are_bounded_in_sum(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text(SHARED_VARIABLES[name])
    (tmp_path / "v.env").write_text(VARIABLES.replace(": ", "="))
    with pytest.raises(UnreadableInput, match=r"a\.yml: over 250,000 variables of containers in one file"):
        read(File(str(tmp_path / "a.yml")))


def test_env_files_are_read_below_the_folder_alone(tmp_path: Path) -> None:
    (tmp_path / "outside.env").write_text("KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE=true\n")
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "kafka.env").write_text("KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS=0\n")
    (folder / "link.env").symlink_to(tmp_path / "outside.env")
    text = "services:\n  k:\n    image: apache/kafka:4.3.0\n    env_file: [{}]\n    environment: {{KAFKA_NODE_ID: 1}}\n"
    for name, rule in (("kafka.env", "rebalance-delay-0"), ("link.env", None), ("../outside.env", None)):
        (folder / "compose.yml").write_text(text.format(name))
        ran = run("lint", folder / "compose.yml", "--no-config", "--format", "json")
        names = {row["name"] for row in ran.json["findings"]}
        assert "unclean-election" not in names
        assert rule is None or rule in names


def test_the_first_line_says_which_image_decided_the_release() -> None:
    first = run("lint", DATA / "compose-two-services.yml", "--no-config").out
    assert "Kafka 3.4: image confluentinc/cp-kafka:7.4.0" in first


def folder(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    for path in ("node_modules/x/compose.yml", "made/compose.yml", "docker/compose.yml"):
        (root / path).parent.mkdir(parents=True)
        (root / path).write_text(
            "services:\n  k:\n    image: apache/kafka:4.3.0\n    environment: {KAFKA_NODE_ID: 1}\n"
        )
    (root / ".gitignore").write_text("made/\n")
    (root / "docker" / "broken.yaml").write_text("kafka: [1\n")
    (root / "docker" / "other.yaml").write_text("replicas: 2\nkafka: none\n")
    (root / "docker" / "again").symlink_to(root)
    (root / "p.properties").write_text("acks=1\nbootstrap.servers=b:1\n")
    return root


def test_a_folder_is_walked_by_gits_rules(tmp_path: Path) -> None:
    root = folder(tmp_path)
    ran = run("lint", root, "--no-config", "--format", "json")
    assert {row["file"] for row in ran.json["inputs"]} == {str(root / "docker/compose.yml"), str(root / "p.properties")}
    assert ran.code == 1
    assert [row["file"] for row in ran.json["not_read"]] == [str(root / "docker/broken.yaml")]
    assert "other.yaml" not in ran.err
    assert "other.yaml" in run("lint", root, "--no-config", "--verbose").err


def test_a_folder_without_kafka_is_nothing_to_check(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: 1\n")
    ran = run("lint", tmp_path, "--no-config")
    assert ran.code == 3
    assert not ran.err or "nothing" in ran.err


@pytest.mark.parametrize(
    ("options", "fires"),
    [
        ((), False),
        (("--set", "ACKS=1"), True),
        (("--set", "ACKS=all"), False),
        (("--env-file", "ENV"), True),
        (("--env-file", "ENV", "--set", "ACKS=all"), False),
    ],
)
def test_placeholders_are_filled_in_when_told(tmp_path: Path, options: tuple[str, ...], fires: bool) -> None:
    (tmp_path / "p.properties").write_text("acks=${ACKS}\nbootstrap.servers=b:1\n")
    (tmp_path / "env").write_text("# a comment\nexport ACKS='1'\n")
    words = [str(tmp_path / "env") if word == "ENV" else word for word in options]
    ran = run("lint", tmp_path / "p.properties", "--no-config", *words, "--format", "json")
    assert ("acks-not-all" in {row["name"] for row in ran.json["findings"]}) == fires
    assert options or "acks-not-all" in {row["name"] for row in ran.json["unknown"]}


def test_the_environment_fills_in_only_when_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACKS", "1")
    (tmp_path / "p.properties").write_text("acks=${ACKS}\nbootstrap.servers=b:1\n")
    for options, fires in (((), False), (("--environment",), True)):
        ran = run("lint", tmp_path / "p.properties", "--no-config", *options, "--format", "json")
        assert ("acks-not-all" in {row["name"] for row in ran.json["findings"]}) == fires


def test_the_page_of_formats_is_what_the_tool_says() -> None:
    from examples.inputs import FORMATS, page

    root = Path(__file__).parent.parent.parent
    assert (root / "docs/inputs.md").read_text() == page(), "docs/formats.md is stale: run make docs"
    assert {name for _, name, _ in FORMATS} == {path.name for path in DATA.iterdir()}


def test_what_an_image_chooses_for_one_broker_is_at_most_low_and_says_whose_default_it_is(tmp_path: Path) -> None:
    (tmp_path / "c.yml").write_text(
        "services:\n  k:\n    image: bitnamilegacy/kafka:3.8.0\n    environment:\n      KAFKA_CFG_NODE_ID: 1\n"
        "      KAFKA_CFG_PROCESS_ROLES: broker,controller\n      KAFKA_CFG_CONTROLLER_QUORUM_VOTERS: 1@k:9093\n"
    )
    rows = run("lint", tmp_path / "c.yml", "--no-config", "--format", "json").json["findings"]
    (row,) = [row for row in rows if row.get("kafka_key") == "offsets.topic.replication.factor"]
    assert row["severity"] == "low"
    assert row["message"].endswith("(not written: the default of the Bitnami image's server.properties)")


def test_a_pool_without_roles_beside_controllers_is_no_internal_error(tmp_path: Path) -> None:
    text = (DATA / "strimzi-pools.yaml").read_text().replace("  roles:\n    - broker\n", "")
    (tmp_path / "k.yaml").write_text(text)
    ran = run("lint", tmp_path / "k.yaml", "--no-config")
    assert ran.code == 1
    assert "internal error" not in ran.err


ODD_NUMBERS = ("²", "9" * 5000, "-1", "1.5", "${N}", "", "[1]")


@pytest.mark.parametrize("number", ODD_NUMBERS)
@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nspec: {kafka: {replicas: N, version: N.N}, zookeeper: {replicas: N}}\n",
        "apiVersion: platform.confluent.io/v1beta1\nkind: Kafka\nspec: {replicas: N, image: {application: confluentinc/cp-server:N.N}}\n",
        "apiVersion: apps/v1\nkind: StatefulSet\nspec: {replicas: N, template: {spec: {containers: [{image: apache/kafka}]}}}\n",
        "replicaCount: N\nnumPartitions: N\nlogRetentionHours: 1\npersistence: {size: N}\nimage: {tag: N.N}\ncontroller: {replicaCount: N}\n",
        "services: {k: {image: 'apache/kafka:N.N', environment: {KAFKA_NODE_ID: N, KAFKA_CREATE_TOPICS: 'a:1:N'}}}\n",
        "meta: {name: a}\nspec: {partitions: N, replicationFactor: N, retentionMinutes: N}\n",
    ],
)
def test_a_number_that_is_none_is_no_internal_error(tmp_path: Path, text: str, number: str) -> None:
    (tmp_path / "k.yaml").write_text("# kafka\n" + text.replace("N", number))
    ran = run("lint", tmp_path / "k.yaml", "--no-config")
    assert "internal error" not in ran.err
    assert "Traceback" not in ran.err


def test_a_key_that_stands_twice_is_said(tmp_path: Path) -> None:
    (tmp_path / "c.yml").write_text(
        "services:\n  k:\n    image: apache/kafka:4.3.0\n    environment:\n      KAFKA_NODE_ID: 1\n"
        "      KAFKA_NUM_PARTITIONS: 3\n      KAFKA_NUM_PARTITIONS: 6\n"
    )
    rows = run("lint", tmp_path / "c.yml", "--no-config", "--format", "json").json["findings"]
    assert [(row["key"], row["line"]) for row in rows if row["name"] == "duplicate-key"] == [
        ("KAFKA_NUM_PARTITIONS", 7)
    ]


def test_a_worker_of_an_unknown_image_is_judged_for_no_release_of_its_tag(tmp_path: Path) -> None:
    (tmp_path / "c.yml").write_text(
        "services:\n  c:\n    image: example/connect-worker:0.5.0\n    environment:\n"
        "      CONNECT_BOOTSTRAP_SERVERS: b:1\n      CONNECT_GROUP_ID: g\n      CONNECT_CONFIG_STORAGE_TOPIC: c\n"
    )
    (row, *_) = run("lint", tmp_path / "c.yml", "--no-config", "--format", "json").json["inputs"]
    assert (row["kind"], row["kafka_version"]) == ("connect", "4.4")


def test_a_terraform_resource_without_a_name_is_no_internal_error(tmp_path: Path) -> None:
    (tmp_path / "m.tf").write_text(
        'resource "aws_msk_configuration" {\n  kafka_versions = ["3.6.0"]\n}\n'
        'resource "aws_msk_cluster" "m" {\n  kafka_version = "3.6.0"\n  number_of_broker_nodes = 3\n}\n'
    )
    assert "internal error" not in run("lint", tmp_path / "m.tf", "--no-config").err


def test_comments_take_time_in_proportion(tmp_path: Path) -> None:
    (tmp_path / "k.yml").write_text(
        "kafka: 1\n" + "# kafka-advisor: ignore[KA101] why\n" * 5001 + "a: {acks: 1, linger.ms: 1, batch.size: 1}\n"
    )
    with pytest.raises(UnreadableInput, match="comments that suppress findings"):
        read(File(str(tmp_path / "k.yml")))


def _in_files(folder: Path, documents: list[str]) -> None:
    folder.mkdir()
    for number, document in enumerate(documents):
        (folder / f"{number}.yaml").write_text(document)


def _problems(*paths: Path) -> set[tuple[str, str, str]]:
    ran = run("lint", *paths, "--no-config", "--format", "json")
    return {(row["name"], row["key"], row["message"]) for row in ran.json["findings"]}


def test_strimzis_resources_of_one_folder_are_one_cluster(tmp_path: Path) -> None:
    whole = DATA / "strimzi-pools.yaml"
    documents = whole.read_text().split("---\n")
    _in_files(tmp_path / "apart", documents)
    assert _problems(tmp_path / "apart") == _problems(whole) != set()
    assert _problems(*sorted((tmp_path / "apart").iterdir())) == _problems(whole)
    ran = run("lint", tmp_path / "apart", "--no-config", "--format", "json")
    pools = [row for row in ran.json["findings"] if row["name"] == "ephemeral-storage"]
    assert [Path(row["file"]).name for row in pools] == ["2.yaml"]


def test_two_clusters_of_one_name_in_a_folder_share_no_pools(tmp_path: Path) -> None:
    documents = (DATA / "strimzi-pools.yaml").read_text().split("---\n")
    _in_files(tmp_path / "twice", [documents[0], *documents])
    _in_files(tmp_path / "alone", [documents[0]])
    twice = run("lint", tmp_path / "twice", "--no-config", "--format", "json").json["findings"]
    kafka = {(row["name"], row["message"]) for row in twice if Path(row["file"]).name == "0.yaml"}
    assert kafka == {(name, message) for name, _, message in _problems(tmp_path / "alone")}


def _rows(path: Path) -> set[tuple[str, int | None, str]]:
    ran = run("lint", path, "--no-config", "--format", "json")
    return {(Path(row["file"]).name, row["line"], row["name"]) for row in ran.json["findings"]}


def test_a_service_may_extend_one_of_another_file(tmp_path: Path) -> None:
    (tmp_path / "base.yml").write_text(
        "services:\n  base:\n    image: confluentinc/cp-kafka:7.9.0\n    volumes: [data:/var/lib/kafka/data]\n    environment:\n"
        "      KAFKA_ZOOKEEPER_CONNECT: z:2181\n      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: true\n"
        "      KAFKA_DEFAULT_REPLICATION_FACTOR: 1\n"
    )
    (tmp_path / "x.yml").write_text(
        "services:\n  kafka:\n    extends: {file: base.yml, service: base}\n    environment:\n      KAFKA_BROKER_ID: 1\n"
        "      KAFKA_DEFAULT_REPLICATION_FACTOR: 3\n"
    )
    rows = _rows(tmp_path / "x.yml")
    assert ("base.yml", 7, "unclean-election") in rows
    assert not {name for _, _, name in rows} & {"default-rf-low", "ephemeral-storage"}


@pytest.mark.parametrize("file", ["../base.yml", "gone.yml", "/etc/passwd", "x.yml"])
def test_what_a_service_extends_is_unknown_where_it_is_not_read(tmp_path: Path, file: str) -> None:
    (tmp_path / "x.yml").write_text(
        f"services:\n  kafka:\n    image: confluentinc/cp-kafka:7.9.0\n    extends: {{file: {file}, service: kafka}}\n    environment:\n"
        "      KAFKA_BROKER_ID: 1\n      KAFKA_ZOOKEEPER_CONNECT: z:2181\n"
    )
    ran = run("lint", tmp_path / "x.yml", "--no-config", "--format", "json")
    names = {row["name"] for row in ran.json["findings"]}
    assert ("ephemeral-storage" in names) == (file == "x.yml")
    assert ("min-isr-1" in names) == (file == "x.yml")


def test_variables_of_an_env_file_stand_in_that_file(tmp_path: Path) -> None:
    (tmp_path / "kafka.env").write_text("# broker\nKAFKA_UNCLEAN_LEADER_ELECTION_ENABLE=true\n")
    (tmp_path / "x.yml").write_text(
        "services:\n  kafka:\n    image: confluentinc/cp-kafka:7.9.0\n    env_file: kafka.env\n    environment:\n"
        "      KAFKA_BROKER_ID: 1\n      KAFKA_ZOOKEEPER_CONNECT: z:2181\n"
    )
    assert ("kafka.env", 2, "unclean-election") in _rows(tmp_path / "x.yml")
    (tmp_path / "x.yml").write_text((tmp_path / "x.yml").read_text().replace("kafka.env", "./kafka.env"))
    rows = run("lint", tmp_path / "x.yml", "--no-config", "--format", "json").json["findings"]
    assert str(tmp_path / "kafka.env") in {row["file"] for row in rows}


def test_a_config_map_of_another_file_of_the_folder_sets_variables(tmp_path: Path) -> None:
    folder = tmp_path / "k8s"
    folder.mkdir()
    (folder / "map.yaml").write_text(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kafka-env}\ndata:\n  KAFKA_ZOOKEEPER_CONNECT: z:2181\n"
        '  KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: "true"\n'
    )
    (folder / "pod.yaml").write_text(
        "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: kafka}\nspec:\n  replicas: 3\n  template:\n    spec:\n"
        "      containers:\n      - name: kafka\n        image: confluentinc/cp-kafka:7.9.0\n"
        "        envFrom: [{configMapRef: {name: kafka-env}}]\n"
    )
    assert ("map.yaml", 6, "unclean-election") in _rows(folder)
    assert "unclean-election" not in {name for _, _, name in _rows(folder / "pod.yaml")}
    (folder / "other.yaml").write_text((folder / "map.yaml").read_text())
    assert "unclean-election" not in {name for _, _, name in _rows(folder)}


def _node(name: str, id: int, connect: str, more: str = "") -> str:
    return (
        f"  {name}:\n    image: confluentinc/cp-kafka:7.9.0\n    volumes: [{name}:/var/lib/kafka/data]\n    environment:\n"
        f"      KAFKA_BROKER_ID: {id}\n      KAFKA_ZOOKEEPER_CONNECT: {connect}\n{more}"
    )


ZOOKEEPER = "  zookeeper:\n    image: confluentinc/cp-zookeeper:7.9.0\n    environment: {ZOOKEEPER_CLIENT_PORT: 2181}\n"


def test_nodes_of_several_compose_files_of_a_folder_are_one_cluster(tmp_path: Path) -> None:
    folder = tmp_path / "apart"
    folder.mkdir()
    (folder / "zookeeper.yml").write_text(f"services:\n{ZOOKEEPER}")
    for id in (1, 2, 3):
        more = f"      KAFKA_MESSAGE_MAX_BYTES: {1_000_000 * id}\n"
        (folder / f"kafka{id}.yml").write_text(f"services:\n{_node(f'kafka{id}', id, 'zookeeper:2181', more)}")
    names = {name for _, _, name in _rows(folder)}
    assert "same-on-all-brokers" in names and "internal-rf-above-brokers" not in names
    assert "same-on-all-brokers" not in {name for _, _, name in _rows(folder / "kafka1.yml")}


def test_compose_files_that_are_whole_stay_clusters_of_their_own(tmp_path: Path) -> None:
    folder = tmp_path / "examples"
    folder.mkdir()
    for id in (1, 2):
        more = f"      KAFKA_MESSAGE_MAX_BYTES: {1_000_000 * id}\n"
        (folder / f"{id}.yml").write_text(f"services:\n{ZOOKEEPER}{_node('kafka', id, 'zookeeper:2181', more)}")
    (folder / "other.yml").write_text(f"services:\n{_node('kafka', 9, 'zookeeper:2181')}")
    assert "same-on-all-brokers" not in {name for _, _, name in _rows(folder)}


def test_a_folder_of_many_files_shares_nothing_and_env_files_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    (folder / "kafka.env").write_text("KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE=true\n")
    node = _node("kafka", 1, "zookeeper:2181").replace("    environment", "    env_file: kafka.env\n    environment")
    (folder / "a.yml").write_text(f"services:\n{node}")
    (folder / "zookeeper.yml").write_text(f"services:\n{ZOOKEEPER}")
    assert ("kafka.env", 1, "unclean-election") in _rows(folder)
    for number in range(120):
        (folder / f"z{number}.yml").write_text(f"services:\n{_node(f'k{number}', number, 'zookeeper:2181')}")
    rows = _rows(folder)
    assert ("kafka.env", 1, "unclean-election") in rows
    assert "differ-on-all-brokers" not in {name for _, _, name in rows}


def test_files_beside_do_not_count_for_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SETTINGS_OF_FILE", 1_000)
    many = "".join(f"      KAFKA_K{number}: x\n" for number in range(100))
    for number in range(4):
        services = "".join(
            f"  s{each}:\n    image: apache/kafka:4.3.0\n    environment:\n      KAFKA_NODE_ID: {each}\n"
            f"      KAFKA_CONTROLLER_QUORUM_VOTERS: 1@s1:9093\n{many}"
            for each in range(8)
        )
        (tmp_path / f"c{number}.yml").write_text(f"services:\n{services}")
    ran = run("lint", tmp_path, "--no-config", "--quiet")
    assert "settings in one file" not in ran.out + ran.err
    monkeypatch.setattr(limits, "SETTINGS_OF_FILE", 800)
    ran = run("lint", tmp_path, "--no-config", "--quiet")
    assert "800 settings in one file" in ran.out + ran.err


def test_an_env_file_that_compose_takes_is_judged_with_it(tmp_path: Path) -> None:
    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "kafka.env").write_text("KAFKA_NODE_ID=1\nKAFKA_PROCESS_ROLES=broker\n")
    (tmp_path / "compose.yml").write_text(
        "services:\n  k:\n    image: apache/kafka:4.3.0\n    env_file: env/kafka.env\n"
    )
    assert "2 of 2 files judged (1 compose, 1 env-file)" in run("lint", tmp_path, "--no-config").err


@pytest.mark.parametrize("line_break", ["\x85", "\u2028", "\u2029"])
def test_lines_are_those_of_an_editor_where_yaml_breaks_more(tmp_path: Path, line_break: str) -> None:
    text = f'services:\n  k:\n    image: apache/kafka:4.3.0\n    labels: ["a{line_break}  b"]\n    environment:\n      A: "{{{{ x }}}}"\n'
    (tmp_path / "compose.yml").write_text(f"{text}      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: 0")
    rows = run("lint", tmp_path / "compose.yml", "--no-config", "--format", "json").json["findings"]
    assert [row["line"] for row in rows if row["name"] == "rebalance-delay-0"] == [7]


@pytest.mark.parametrize("line_break", ["\x0b", "\x0c", "\x1c", "\x1e", "\x85", "\u2028"])
@pytest.mark.parametrize(
    "name, text",
    [
        ("kafka.env", "A=x{}y\nB={{{{ x }}}}\nKAFKA_NODE_ID=1\nKAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS=0"),
        ("Dockerfile", "FROM apache/kafka:4.3.0\nLABEL a=x{}y\n\nENV KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS=0"),
        ("server.properties", "# a{}b\nprocess.roles=broker\nnode.id=1\ngroup.initial.rebalance.delay.ms=0"),
        ("create.sh", "# a{}b\n\n\nkafka-topics.sh --create --topic a --replication-factor 1"),
    ],
)
def test_lines_are_those_of_an_editor_where_python_breaks_more(
    tmp_path: Path, name: str, text: str, line_break: str
) -> None:
    (tmp_path / name).write_text(text.format(line_break))
    rows = run("lint", tmp_path / name, "--no-config", "--format", "json").json["findings"]
    rules_of_line = {"rebalance-delay-0", "topic-rf-low"}
    assert [row["line"] for row in rows if row["name"] in rules_of_line] == [4]


def test_a_comment_silences_the_key_below_it_where_python_breaks_more_lines(tmp_path: Path) -> None:
    silence = "      # kafka-advisor: ignore[rebalance-delay-0] tests start alone\n"
    text = f"services:\n  k:\n    image: apache/kafka:4.3.0\n    labels: ['a\x85b']\n    environment:\n{silence}"
    (tmp_path / "compose.yml").write_text(f"{text}      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: 0\n")
    rows = run("lint", tmp_path / "compose.yml", "--no-config", "--format", "json").json["findings"]
    assert "rebalance-delay-0" not in {row["name"] for row in rows}


OVERRIDES = '{connector.class: a.B, producer.override.acks: "1", producer.override.ackz: "1"}'


@pytest.mark.parametrize(
    "text",
    [
        f"apiVersion: kafka.strimzi.io/v1\nkind: KafkaConnector\nmetadata: {{name: c}}\nspec:\n  class: a.B\n  config: {OVERRIDES}\n",
        f"apiVersion: platform.confluent.io/v1beta1\nkind: Connector\nmetadata: {{name: c}}\nspec:\n  class: a.B\n  configs: {OVERRIDES}\n",
        '{"name": "c", "config": {"connector.class": "a.B", "producer.override.acks": "1", "producer.override.ackz": "1"}}',
    ],
    ids=["strimzi", "cfk", "connect"],
)
def test_the_clients_of_a_connector_are_judged(tmp_path: Path, text: str) -> None:
    (tmp_path / "c.yaml").write_text(text)
    rows = run("lint", tmp_path / "c.yaml", "--no-config", "--format", "json").json["findings"]
    by_rule = [(row["name"], row["key"].rpartition("producer.")[2]) for row in rows]
    assert ("acks-not-all", "override.acks") in by_rule
    assert [each for each in by_rule if each[0] == "unknown-key"] == [("unknown-key", "override.ackz")]


CFK_BROKER = """apiVersion: platform.confluent.io/v1beta1
kind: KRaftController
metadata: {name: kraftcontroller}
spec: {replicas: 3}
---
apiVersion: platform.confluent.io/v1beta1
kind: Kafka
metadata: {name: kafka}
spec:
  replicas: 3
  configOverrides:
    server:
      - listener.name.controller.ssl.client.auth=required
"""
ADDED = "#!/bin/sh\ncat <<EOF >{0} /opt/kafka/config/server.properties\nnum.partitions=3\nlisteners=PLAINTEXT://:9092\nlog.dirs=/d\nEOF\n"
REFUSING = {
    "a listener that controllers have, as an operator names it": ("kafka.yaml", CFK_BROKER, "KA628", False),
    "what a script writes is the file": ("setup.sh", ADDED.format(""), "KA1410", True),
    "what a script adds is a piece of the file": ("setup.sh", ADDED.format(">"), "KA1410", False),
    "an empty value": ("producer.properties", "bootstrap.servers=\nacks=all\nlinger.ms=5\n", "KA1409", True),
    "a value left empty in a template": ("producer.properties.sample", "bootstrap.servers=\nacks=all\nlinger.ms=5\n", "KA1409", False),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSING)
def test_what_is_known_to_be_refused(tmp_path: Path, case: str) -> None:
    name, text, rule, fires = REFUSING[case]
    (tmp_path / name).write_text(text)
    report = run("lint", tmp_path / name, "--no-config", "--format", "json").json
    assert (rule in {row["rule"] for row in report["findings"]}) is fires
    if not fires and rule != "KA1410":
        assert rule in {row["rule"] for row in report["unknown"]}


def test_what_a_broker_printed_of_itself_is_set_nowhere(tmp_path: Path) -> None:
    """`null` is no value, and a default no decision: of 3.8, as inter.broker.protocol.version says, these are all."""
    nulls = ("alter.config.policy.class.name", "early.start.listeners", "log.retention.minutes", "sasl.jaas.config")
    (tmp_path / "broker.conf").write_text(
        "".join(f"{key}=null\n" for key in (*nulls, "control.plane.listener.name"))
        + "process.roles=broker\nnode.id=1\nlog.dirs=/d\ncontroller.quorum.voters=100@c1:9093,101@c2:9093,102@c3:9093\n"
        "listeners=A://:9091\nlistener.security.protocol.map=A:PLAINTEXT,CONTROLLER:PLAINTEXT\ncontroller.listener.names=CONTROLLER\n"
        "inter.broker.listener.name=A\nsecurity.inter.broker.protocol=PLAINTEXT\ninter.broker.protocol.version=3.8-IV0\n"
        "unclean.leader.election.enable=true\n"
    )
    report = run("lint", tmp_path / "broker.conf", "--no-config", "--format", "json").json
    rules = {row["rule"]: row for row in report["findings"]}
    assert "KA109" in rules
    assert not [row["rule"] for row in report["findings"] if row["refused_by_kafka"]]
    assert "KA1402" not in rules


CHART = """{{- /*
Copyright of somebody: kafka
*/}}
{{- if .Values.enabled }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "kafka.fullname" . }}
  labels: {{- include "common.labels" . | nindent 4 }}
    component: broker
data:
  start.sh: |
    node.id=1
    unclean.leader.election.enable=true
  server.properties: |
    node.id=1
    process.roles=broker,controller
    unclean.leader.election.enable=true
{{- end }}
"""


def test_templates_of_a_chart_are_read_around_comments_and_parts_of_mappings(tmp_path: Path) -> None:
    (tmp_path / "configmap.yaml").write_text(CHART)
    report = run("lint", tmp_path, "--no-config", "--format", "json").json
    assert report["not_read"] == []
    assert [row["line"] for row in report["findings"] if row["rule"] == "KA104"] == [18]


NOT_PROPERTIES = {
    "_helpers.tpl": '{{- define "kafka.config" -}}\nunclean.leader.election.enable=true\nnode.id={{ .id }}\n{{- end -}}\n',
    "julie.conf": 'bootstrap.servers="b:9092"\nsecurity.protocol="SASL_SSL"\nsasl.mechanism="PLAIN"\n',
}


@pytest.mark.parametrize("name", NOT_PROPERTIES)
def test_what_only_looks_like_properties_is_not_read(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(NOT_PROPERTIES[name])
    report = run("lint", tmp_path, "--no-config", "--format", "json").json
    assert [Path(row["file"]).name for row in report["not_read"]] == [name]
    assert report["findings"] == []


def test_a_manifest_with_replicas_alone_is_not_about_kafka(tmp_path: Path) -> None:
    (tmp_path / "hpa.yaml").write_text("kind: HorizontalPodAutoscaler\nspec: {minReplicas: 1\n")
    ran = run("lint", tmp_path, "--no-config")
    assert "not YAML" not in ran.err


def test_an_object_that_a_file_repeats_is_one(tmp_path: Path) -> None:
    form = (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: kafka, labels: {{{}}}}}\nspec:\n  template:\n    spec:\n      containers:\n"
        "      - {{name: k, image: 'apache/kafka:4.1.0', env: [{{name: KAFKA_NODE_ID, value: '{}'}}, {{name: KAFKA_PROCESS_ROLES, value: broker}}]}}\n"
    )
    file = tmp_path / "kafka.yaml"
    for second, rules in (
        (form.format("b: c, a: b", 1), set()),
        (form.format("a: b", 1).replace("kafka, l", "k2, l"), {"KA305"}),
    ):
        file.write_text(form.format("a: b, b: c", 1) + "---\n" + second)
        found = {row["rule"] for row in run("lint", file, "--no-config", "--format", "json").json["findings"]}
        assert found & {"KA305"} == rules
