"""`lint --since REF` judges what a work tree changes, and runs nothing that a repository names."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.commands import ROOT, Ran, run

CLIENT = "bootstrap.servers=a:1,b:1\nsecurity.protocol=SSL\nclient.id=x\n"
PRODUCER = CLIENT + "key.serializer=a.B\nvalue.serializer=a.B\n"
CONSUMER = CLIENT + "key.deserializer=a.B\nvalue.deserializer=a.B\nauto.offset.reset=earliest\n"
BROKER = (
    "process.roles=broker\nnode.id=1\ncontroller.quorum.bootstrap.servers=c:9093\nlisteners=PLAINTEXT://:9092\n"
    "controller.listener.names=CONTROLLER\n"
)


def git(*arguments: str) -> str:
    options = ("user.name=t", "user.email=t@example.org", "init.defaultBranch=main", "core.compression=1")
    names = [word for option in options for word in ("-c", option)]
    return subprocess.run(("git", *names, *arguments), check=True, capture_output=True, text=True).stdout


def commit(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    git("add", "-A")
    git("commit", "-qm", "files")


@pytest.fixture(autouse=True)
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A branch of a repository with a broker, a producer with a risk, and a consumer."""
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    commit(
        {
            "kafka/broker.properties": BROKER + "log.dirs=/data\n",
            "producer.properties": PRODUCER + "acks=1\n",
            "consumer.properties": CONSUMER + "group.id=a\n",
        }
    )
    git("switch", "-qc", "change")


def since(*options: str, path: str = ".") -> Ran:
    return run("lint", path, "--since", "main", "--format", "json", *options)


def since_head() -> Ran:
    return run("lint", ".", "--since", "HEAD", "--format", "json")


def changes(ran: Ran) -> list[str]:
    return [row["rule"] for row in ran.json["findings"] if row.get("change")]


def test_a_dangerous_change_is_shown_alone_whether_it_is_committed_or_not() -> None:
    Path("kafka/broker.properties").write_text(BROKER + "log.dirs=/new\n")
    assert changes(since()) == [row["rule"] for row in since().json["findings"]] == ["KA1801"]
    git("commit", "-qam", "moved")
    (finding,) = since().json["findings"]
    assert finding["before"]["value"] == "/data" and finding["before"]["line"] == 6
    assert finding["before"]["ref"] == git("rev-parse", "main")[:12]
    assert since().code == 1


def test_older_findings_are_counted_and_shown_on_demand() -> None:
    Path("producer.properties").write_text("# a word\n" + PRODUCER + "acks=1\n")
    assert since().json["findings"] == [] and since().code == 0
    assert "KA101" in {row["rule"] for row in since("--all-findings").json["findings"]}
    out = run("lint", ".", "--since", "main").out
    assert "there at" in out and "--all-findings" in out


def test_a_finding_that_the_change_brings_or_worsens_is_shown() -> None:
    Path("producer.properties").write_text(PRODUCER + "acks=0\n")
    Path("new.properties").write_text(PRODUCER + "acks=1\n")
    shown = {(row["file"], row["rule"]) for row in since().json["findings"]}
    assert {("./producer.properties", "KA1870"), ("./new.properties", "KA101")} <= shown


def test_a_renamed_file_is_the_same_file() -> None:
    git("mv", "consumer.properties", "orders.properties")
    Path("orders.properties").write_text(CONSUMER + "group.id=b\n")
    assert changes(since()) == ["KA1860"]
    assert {row["rule"] for row in since().json["findings"]} == {"KA1860"}


def moved_by_hand(old: str, new: str, edit: Callable[[str], str] = lambda text: text) -> None:
    text = Path(old).read_text()
    Path(old).unlink()
    Path(new).parent.mkdir(exist_ok=True)
    Path(new).write_text(edit(text))


@pytest.mark.parametrize("new", ["orders.properties", "a/b.properties", "line\nbreak.properties", "-o.properties"])
def test_a_file_that_is_moved_and_not_staged_is_the_same_file(new: str) -> None:
    commit({"other.properties": PRODUCER})
    state = {path: path.stat().st_mtime_ns for path in Path(".git").rglob("*")}
    moved_by_hand("consumer.properties", new, lambda text: text.replace("=a\n", "=b\n"))
    found = run("lint", ".", "--since", "HEAD", "--format", "json").json["findings"]
    assert [(row["rule"], row["before"]["value"]) for row in found] == [("KA1860", "a")]
    assert {path: path.stat().st_mtime_ns for path in Path(".git").rglob("*")} == state, "the repository is as it was"


def test_what_is_another_file_is_not_called_renamed() -> None:
    moved_by_hand(
        "consumer.properties", "elsewhere.properties", lambda _: CLIENT + "group.id=b\nfetch.min.bytes=9\n" * 9
    )
    assert changes(since()) == []


def test_a_topic_whose_file_is_moved_is_not_removed() -> None:
    commit({"old/topic.yaml": TOPIC})
    moved_by_hand("old/topic.yaml", "new/topic.yaml")
    assert changes(run("lint", ".", "--since", "HEAD", "--format", "json")) == []


TOPIC = "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: t, labels: {strimzi.io/cluster: k}}\nspec: {partitions: 3, replicas: 3}\n"
HUGE = 33 * 1024 * 1024


def replaced(make: Callable[[Path], object]) -> None:
    Path("topic.yaml").unlink()
    make(Path("topic.yaml"))


def huge(path: Path) -> None:
    path.touch()
    os.truncate(path, HUGE)


UNREADABLE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link": (lambda path: path.symlink_to("elsewhere"), "a link there"),
    "a folder": (lambda path: path.mkdir(), "no regular file there"),
    "a pipe": (lambda path: os.mkfifo(path), "no regular file there"),
    "binary": (lambda path: path.write_bytes(b"kind: \0\xff"), "is a binary file"),
    "a conflict": (lambda path: path.write_text("<<<<<<< HEAD\n" + TOPIC), "not YAML"),
    "half of it unreadable": (lambda path: path.write_text("a: b\n---\n" + TOPIC[:40] + ": [\n"), "not YAML"),
    "huge": (huge, "over 32 MB"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_today_is_unknown_and_not_removed(name: str) -> None:
    make, says = UNREADABLE[name]
    commit({"topic.yaml": TOPIC})
    replaced(make)
    ran = run("lint", ".", "--since", "HEAD", "--format", "json")
    assert changes(ran) == [] and "Traceback" not in ran.err
    assert says in {row["rule"]: row["reason"] for row in ran.json["unknown"]}["KA1850"]


@pytest.mark.parametrize(
    "make", [Path.unlink, lambda path: path.write_text(""), lambda path: path.write_text("gone\n")]
)
def test_what_is_not_there_any_more_is_removed(make: Callable[[Path], object]) -> None:
    commit({"topic.yaml": TOPIC})
    make(Path("topic.yaml"))
    assert changes(run("lint", ".", "--since", "HEAD", "--format", "json")) == ["KA1850"]


@pytest.mark.parametrize(
    ("make", "says"), [(lambda path: path.symlink_to("consumer.properties"), "a link there"), (huge, "over 32 MB")]
)
def test_what_could_not_be_read_before_is_unknown_and_not_new(make: Callable[[Path], object], says: str) -> None:
    make(Path("p.properties"))
    commit({})
    Path("p.properties").unlink()
    Path("p.properties").write_text(PRODUCER + "acks=1\n")
    ran = run("lint", ".", "--since", "HEAD", "--format", "json")
    assert says in {row["rule"]: row["reason"] for row in ran.json["unknown"]}["KA1870"]


def test_huge_and_binary_files_beside_it_change_nothing() -> None:
    for name in ("data.bin", "dump.yaml", "blob"):
        huge(Path(name))
    commit({})
    for name in ("data.bin", "dump.yaml", "blob"):
        Path(name).write_bytes(os.urandom(4096))
    Path("kafka/broker.properties").write_text(BROKER + "log.dirs=/new\n")
    assert changes(run("lint", ".", "--since", "HEAD", "--format", "json")) == ["KA1801"]


OWN = ROOT / "examples/rules/new_topics.py"
KEPT = TOPIC.replace("replicas: 3", "replicas: 3, config: {retention.ms: 1000}")


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ({}, {"topic.yaml": TOPIC}, ["ACME2"]),
        ({}, {"topic.yaml": KEPT}, []),
        ({"topic.yaml": TOPIC}, {"topic.yaml": TOPIC + "# a word\n"}, []),
        ({"old/topic.yaml": TOPIC}, {"new/topic.yaml": TOPIC, "old/topic.yaml": "gone"}, []),
        ({"topic.yaml": "<<<<<<< HEAD\n" + TOPIC}, {"topic.yaml": TOPIC}, []),
        ({"topic.yaml": TOPIC}, {"other.yaml": TOPIC.replace("name: t", "name: u")}, ["ACME2"]),
    ],
)
def test_a_rule_of_ones_own_sees_what_is_new(before: dict[str, str], after: dict[str, str], shown: list[str]) -> None:
    commit({"x": "x", **before})
    for name, text in after.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    ran = run("lint", ".", "--since", "HEAD", "--rules", OWN, "--select", "ACME2", "--format", "json")
    assert changes(ran) == shown
    assert [row["rule"] for row in ran.json["unknown"]] == ["ACME2"] * ("<<<<" in before.get("topic.yaml", ""))
    if shown:
        (finding,) = ran.json["findings"]
        assert (finding["effect"], finding["acts"], finding["before"]["value"]) == ("changed", "at once", None)


EVERYTHING = """
from advisor.rule import Problem, Problems, Subject, rule

@rule("ACME3", "low")
def {side}_subject({side}: Subject) -> Problems:
    \"\"\"Something.

    Why: w.
    Fix: f.
    \"\"\"
    yield Problem("api.version", {side}.kind())
"""


@pytest.mark.parametrize("side", ["added", "removed"])
def test_a_rule_of_ones_own_sees_users_and_clusters_too(side: str, tmp_path: Path) -> None:
    (tmp_path / ".git/own.py").write_text(EVERYTHING.format(side=side))
    user = TOPIC.replace("KafkaTopic", "KafkaUser").partition("spec")[0] + "spec: {authentication: {type: tls}}\n"
    commit({"user.yaml": user} if side == "removed" else {"x": "x"})
    Path("user.yaml").write_text(user) if side == "added" else Path("user.yaml").unlink()
    ran = run(
        "lint", ".", "--since", "HEAD", "--rules", tmp_path / ".git/own.py", "--select", "ACME3", "--format", "json"
    )
    assert [row["message"] for row in ran.json["findings"]] == ["deployment"]


def test_without_another_side_rules_about_what_is_new_are_skipped() -> None:
    Path("topic.yaml").write_text(TOPIC)
    ran = run("lint", "topic.yaml", "--rules", OWN, "--select", "ACME2,KA103", "--format", "json")
    assert [(row["rule"], row["needs"]) for row in ran.json["skipped"] if row["rule"] == "ACME2"] == [
        ("ACME2", ["added"])
    ]


TWICE = "linger.ms=5\nlinger.ms=6\n"


@pytest.mark.parametrize(
    ("options", "linger", "batch", "says"),
    [
        ([], "", "", "fixed 1 of 1\n"),
        (["--all-findings"], "linger.ms=5\n", "", "fixed 2 of 4\n"),
        (["--select", "KA101"], "", "batch.size=1\n", "fixed 0 of 0\n"),
    ],
)
def test_what_the_change_adds_is_fixed_and_nothing_else(options: list[str], linger: str, batch: str, says: str) -> None:
    commit({"producer.properties": PRODUCER + TWICE, "old/p.properties": PRODUCER + TWICE})
    Path("producer.properties").write_text("# a word\n" + PRODUCER + TWICE + "batch.size=1\nbatch.size=32768\n")
    ran = run("lint", ".", "--since", "HEAD", "--fix", *options)
    assert says in ran.err
    rows = TWICE.replace(linger, "") + batch + "batch.size=32768\n"
    assert Path("producer.properties").read_text() == "# a word\n" + PRODUCER + rows
    assert git("status", "--short") == " M producer.properties\n", "a file that did not change is left alone"


def test_a_diff_of_fixes_is_of_what_the_change_adds() -> None:
    commit({"producer.properties": PRODUCER + TWICE})
    text = PRODUCER + TWICE + "batch.size=1\nbatch.size=32768\n"
    Path("producer.properties").write_text(text)
    ran = run("lint", ".", "--since", "HEAD", "--diff")
    assert ran.code == 1
    assert [line for line in ran.out.splitlines() if line[:1] in "+-"][2:] == ["-batch.size=1"]
    assert Path("producer.properties").read_text() == text


def test_a_dangerous_change_is_not_taken_back() -> None:
    Path("kafka/broker.properties").write_text(BROKER + "log.dirs=/new\n")
    ran = run("lint", ".", "--since", "HEAD", "--fix", "--unsafe-fixes")
    assert ran.code == 1 and "fixed 0 of 0\n" in ran.err
    assert Path("kafka/broker.properties").read_text() == BROKER + "log.dirs=/new\n"


@pytest.mark.parametrize(
    "name", ['"x.properties"', "x.properties\r", "x\n.properties", " x.properties", "x\\y.properties"]
)
def test_a_file_is_compared_whatever_its_name(name: str) -> None:
    commit({"x.properties": f"{BROKER}log.dirs=/data\n", name: f"{BROKER}log.dirs=/data\n"})
    Path(name).write_text(f"{BROKER}log.dirs=/new\n")
    assert changes(since_head()) == ["KA1801"]


def commits_of_many(count: int) -> str:
    """Two commits for `git fast-import`: brokers, three to a cluster, of which each moves its log directory."""
    lines = []
    for mark, log_dirs in enumerate(("/data", "/new")):
        lines += ["commit refs/heads/many", f"committer t <t@example.org> {1_700_000_000 + mark} +0000", "data 1", "m"]
        for number in range(count):
            text = BROKER.replace("c:9093", f"c{number // 3}.example:9093") + f"log.dirs={log_dirs}\n"
            lines += [f"M 100644 inline all/broker-{number}.properties", f"data {len(text)}", text]
    return "\n".join(lines) + "\n"


def test_many_changed_files_are_judged_and_told_in_a_page() -> None:
    subprocess.run(("git", "fast-import", "--quiet"), input=commits_of_many(150), check=True, text=True)
    git("switch", "-q", "many")
    ran = run("lint", ".", "--since", "HEAD~1")
    assert ran.code == 1 and "150 files (150 brokers): 150 critical" in ran.out
    assert len(ran.out) < 4000 and "and 130 more files (--all lists them)" in ran.out
    assert "broker-149.properties" in run("lint", ".", "--since", "HEAD~1", "--all").out


def test_the_merge_base_counts_and_not_the_branch() -> None:
    git("switch", "-q", "main")
    commit({"kafka/broker.properties": BROKER + "log.dirs=/other\n"})
    git("switch", "-q", "change")
    assert since().json["findings"] == []


def test_paths_and_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("kafka/broker.properties").write_text(BROKER + "log.dirs=/new\n")
    assert changes(since(path=str(Path.cwd() / "kafka/broker.properties"))) == ["KA1801"]
    assert changes(since(path="producer.properties")) == []
    monkeypatch.chdir("kafka")
    assert changes(since(path="broker.properties")) == ["KA1801"]
    assert changes(since(path="..")) == ["KA1801"]


def test_a_file_that_could_not_be_read_before_is_unknown_and_not_new() -> None:
    Path("producer.properties").write_bytes(b"\0\1\xff")
    git("commit", "-qam", "binary")
    Path("producer.properties").write_text(PRODUCER + "acks=1\n")
    ran = run("lint", "producer.properties", "--since", "HEAD", "--format", "json")
    unknown = {row["rule"]: row["reason"] for row in ran.json["unknown"]}
    assert "binary" in unknown["KA1870"] and ran.err.count("binary") == 0


def test_a_client_that_an_absolute_path_names_is_read_as_it_was() -> None:
    Path("producer.properties").write_text(PRODUCER + "acks=0\n")
    client = str(Path.cwd() / "producer.properties")
    assert "KA1870" in changes(since("--with", client, path="kafka/broker.properties"))


def test_outside_a_work_tree_is_one_line(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    Path("a.properties").write_text(PRODUCER)
    ran = run("lint", "a.properties", "--since", "main")
    assert ran.code == 2 and ran.err.endswith("is in no work tree of git\n") and ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("path", "ref", "says"),
    [
        (".", "nowhere", "fetch-depth: 0"),
        (".", "--help", "git knows no such commit"),
        ("/etc/hosts", "main", "--since compares files of the work tree"),
        ("-", "main", "--since compares files of the work tree"),
    ],
)
def test_what_cannot_be_compared_is_one_line(path: str, ref: str, says: str) -> None:
    ran = run("lint", path, f"--since={ref}")
    assert ran.code == 2 and says in ran.err and "Traceback" not in ran.err


def test_a_shallow_clone_says_how_to_fetch_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit({"other.txt": "x"})
    git("clone", "-q", "--depth=1", "--no-single-branch", f"file://{tmp_path}", str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    ran = run("lint", ".", "--since", "origin/main")
    assert ran.code == 2 and "fetch-depth: 0" in ran.err


def test_no_program_of_the_repository_runs(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\ncat\n")
    program.chmod(0o755)
    commit({".gitattributes": "* filter=f diff=f\n"})
    for key in (
        "filter.f.clean",
        "filter.f.smudge",
        "diff.f.textconv",
        "diff.external",
        "core.fsmonitor",
        "core.pager",
    ):
        git("config", key, str(program))
    Path("kafka/broker.properties").write_text(BROKER + "log.dirs=/new\n")
    (tmp_path / "ran").unlink(missing_ok=True)
    assert changes(since()) == ["KA1801"]
    assert not (tmp_path / "ran").exists()


COMPOSE = "services:\n  kafka:\n    image: apache/kafka:4.3.0\n    env_file: env/kafka.env\n"
NODES = "KAFKA_NODE_ID=1\nKAFKA_PROCESS_ROLES=broker\nKAFKA_CONTROLLER_QUORUM_BOOTSTRAP_SERVERS=e:9093\n"
MODULE = 'variable "log" {}\nresource "kafka_topic" "t" {\n  name = "t"\n  replication_factor = var.log\n}\n'
CALLER = 'module "t" {\n  source = "./modules/t"\n  log = 3\n}\n'
TOGETHER: dict[str, tuple[dict[str, str], str, int]] = {
    "a file that did not change": ({"a/x.properties": PRODUCER}, "producer.properties", 2),
    "one beside it": ({"p/a.properties": PRODUCER, "p/b.properties": PRODUCER}, "p/a.properties", 3),
    "nodes of one quorum": (
        {f"n{id}/s.properties": BROKER.replace("id=1", f"id={id}").replace("c:9093", "c.example:9093") for id in (1, 2)},
        "n1/s.properties",
        3,
    ),
    "what names it": ({"compose.yml": COMPOSE, "env/kafka.env": NODES}, "env/kafka.env", 1),
    "a module's caller": (
        {"main.tf": CALLER, "modules/t/main.tf": MODULE},
        "main.tf",
        1,
    ),
    "a caller below the module": (
        {"main.tf": MODULE, "examples/a/main.tf": CALLER.replace("./modules/t", "../..")},
        "main.tf",
        1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TOGETHER)
def test_what_changed_is_judged_with_the_unchanged_files_that_belong_to_it(name: str) -> None:
    files, changed, unchanged = TOGETHER[name]
    commit(files)
    Path(changed).write_text(f"# a word\n{Path(changed).read_text()}")
    assert f"; {unchanged} unchanged\n" in run("lint", ".", "--since", "HEAD").err


def test_root_modules_that_call_a_module_by_one_name_are_told_apart() -> None:
    caller = 'module "m" {\n  source = "../.."\n  brokers = 6\n}\n'
    smaller = caller.replace("6", "3")
    commit({"main.tf": OF_MSK, "examples/a/main.tf": caller, "examples/b/main.tf": smaller})
    Path("main.tf").write_text(f"# a word\n{OF_MSK}")
    assert changes(since_head()) == []
    Path("examples/a/main.tf").write_text(smaller)
    Path("examples/b/main.tf").write_text(caller)
    assert changes(since_head()) == ["KA1832"]
    Path("examples/a/main.tf").unlink()
    assert changes(since_head()) == ["KA1855"]


POOLS = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {{name: brokers, labels: {{strimzi.io/cluster: shop}}}}
spec: {{replicas: {0}, roles: [controller, broker], storage: {{type: persistent-claim, size: 10Gi}}}}
---
apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {{name: shop}}
spec: {{kafka: {{version: 4.2.0, listeners: [{{name: tls, port: 9093, type: internal, tls: true}}]}}}}
"""
DECLARED = """\
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {name: orders, labels: {strimzi.io/cluster: shop}}
spec: {partitions: 3, replicas: 3}
"""


@pytest.mark.parametrize(
    ("was", "topic_was", "never"),
    [(3, DECLARED, []), (3, "", ["KA157"]), (2, DECLARED, [])],
    ids=["brokers sufficed", "a new topic", "it was there already"],
)
def test_topics_that_were_created_are_not_said_to_be_never_created(was: int, topic_was: str, never: list[str]) -> None:
    commit({"k.yaml": POOLS.format(was) + topic_was})
    Path("k.yaml").write_text(POOLS.format(2) + DECLARED)
    rows = since_head().json["findings"]
    assert [row["rule"] for row in rows if row["rule"] in ("KA157", "KA1706")] == never


def test_a_module_that_nothing_called_before_lost_nothing() -> None:
    caller = CALLER.replace("./modules/t", "../modules/t")
    commit({"modules/t/main.tf": MODULE})
    Path("a").mkdir()
    Path("a/main.tf").write_text(caller)
    assert changes(since_head()) == []


def test_a_module_that_moves_makes_what_it_made() -> None:
    callers = {f"{name}/main.tf": CALLER.replace("./modules/t", "../modules/t") for name in ("a", "b")}
    commit({"modules/t/main.tf": MODULE, "modules/v2/main.tf": MODULE, **callers})
    for file, text in callers.items():
        Path(file).write_text(text.replace("modules/t", "modules/v2"))
    assert changes(since_head()) == []


def test_a_module_with_more_calls_than_are_followed_lost_nothing_that_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collectors.files.cloud.terraform_calls.MOST_CALLS", 2)
    calls = [CALLER.replace('"t"', f'"t{number}"') for number in range(3)]
    commit({"main.tf": "".join(calls[:2]), "modules/t/main.tf": MODULE})
    Path("main.tf").write_text("".join(calls))
    ran = since_head()
    assert changes(ran) == []
    assert {row["rule"] for row in ran.json["unknown"] if "is not followed" in row["reason"]} >= {"KA1850"}


def test_a_topic_that_another_file_of_the_folder_declares_is_not_removed() -> None:
    commit({"k8s/plain.yaml": TOPIC, "k8s/tls.yaml": TOPIC, "other/plain.yaml": TOPIC})
    Path("k8s/tls.yaml").unlink()
    assert changes(since_head()) == []
    Path("other/plain.yaml").unlink()
    assert changes(since_head()) == ["KA1850"]


OF_MSK = """variable "brokers" {}
resource "aws_msk_cluster" "c" {
  cluster_name           = "c"
  kafka_version          = "3.9.x"
  number_of_broker_nodes = var.brokers
}
"""
LINKED = "services:\n  kafka:\n    image: apache/kafka:${TAG}\n    environment: {KAFKA_NODE_ID: 1}\n    volumes: ['logs:/tmp/logs']\n"


def test_a_linked_env_file_is_followed_on_both_sides() -> None:
    Path(".env").symlink_to("env/release.env")
    commit({"compose.yml": LINKED, "env/release.env": "TAG=4.3.0\n"})
    assert "no file that concerns Kafka changed" in since_head().err, "a link that leads where it led is unchanged"
    Path("env/release.env").write_text("TAG=4.1.0\n")
    assert changes(since_head()) == ["KA1833"]


def test_what_something_else_may_set_from_now_on_is_unknown_and_not_moved() -> None:
    service = "services:\n  kafka:\n    image: {}\n    environment: {{KAFKA_BROKER_ID: 1, KAFKA_ZOOKEEPER_CONNECT: 'z:2181'}}\n"
    commit({"compose.yml": service.format("confluentinc/cp-kafka:7.6.0")})
    Path("compose.yml").write_text(service.format("acme/kafka:$TAG"))
    ran = since_head()
    assert "KA1801" not in changes(ran)
    assert "log.dirs is not set here" in {row["rule"]: row["reason"] for row in ran.json["unknown"]}["KA1801"]
    Path("compose.yml").write_text(service.format("apache/kafka:3.9.0"))
    assert "KA1801" in changes(since_head())


MSK_MODULE = """variable "scram" { default = false }
resource "aws_msk_cluster" "a" {
  cluster_name = "a"
  kafka_version = "3.6.0"
  number_of_broker_nodes = 3
%s}
resource "aws_msk_scram_secret_association" "a" {
  count = var.scram && var.other ? 1 : 0
  cluster_arn = aws_msk_cluster.a.arn
  secret_arn_list = []
}
"""
OFF = "  client_authentication {\n    unauthenticated = false\n    sasl {\n      scram = var.scram\n      iam = false\n    }\n  }\n"
CALL = 'variable "scram" { default = false }\nmodule "kafka" {\n  source = "../m"\n%s}\n'


@pytest.mark.parametrize(("default", "rules"), [("false", []), ("true", ["KA1809"])])
def test_a_caller_that_names_a_default_of_its_own_changes_nothing(default: str, rules: list[str]) -> None:
    commit({"m/main.tf": MSK_MODULE % "", "a/main.tf": CALL % ""})
    Path("m/main.tf").write_text(MSK_MODULE % OFF)
    Path("a/main.tf").write_text((CALL % "  scram = var.scram\n").replace("false", default))
    assert changes(since_head()) == rules


def test_a_release_that_is_written_down_or_no_longer_is_not_another_one() -> None:
    topics = "apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nmetadata: {name: k}\nspec: {kafka: {%slisteners: {plain: {}}, replicas: 3}}\n"
    commit({"kafka.yaml": topics % ""})
    Path("kafka.yaml").write_text(topics % "version: 2.1.0, ")
    assert changes(since_head()) == []
    commit({})
    Path("kafka.yaml").write_text(topics % "")
    assert changes(since_head()) == []
    Path("kafka.yaml").write_text(topics % "version: 2.8.0, ")
    assert changes(since_head())


def test_an_image_is_no_service_that_was_run_from_another_one() -> None:
    service = "services:\n  kafka:\n    image: confluentinc/cp-kafka:7.6.0\n    environment:\n      KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:9092\n"
    own = {"KAFKA_NODE_ID": "1", "KAFKA_PROCESS_ROLES": "broker", "KAFKA_LISTENERS": "PLAINTEXT://0.0.0.0:9092"}
    lines = "".join(f"      {name}: {value}\n" for name, value in own.items())
    commit({"compose.yml": service + lines})
    Path("compose.yml").write_text(service.replace("confluentinc/cp-kafka:7.6.0", "${IMAGE}-kafka"))
    layers = "".join(f"ENV {name}={value}\n" for name, value in own.items())
    Path("Dockerfile").write_text(f"FROM confluentinc/cp-kafka:7.6.0\n{layers}")
    git("add", "-A")
    assert changes(since_head()) == []


WORKER = "image: confluentinc/cp-kafka-connect\nimageTag: 5.0.1\n"


@pytest.mark.parametrize(("value", "rules"), [("false", []), ("true", ["KA1892"])])
def test_fields_of_an_older_chart_of_workers_are_their_settings(value: str, rules: list[str]) -> None:
    commit(
        {"values.yaml": f"{WORKER}connectKeyConverterSchemaEnable: false\nconfigurationOverrides: {{group.id: g}}\n"}
    )
    overrides = f"{{group.id: g, key.converter.schemas.enable: {value}}}"
    Path("values.yaml").write_text(f"{WORKER}configurationOverrides: {overrides}\n")
    assert changes(since_head()) == rules


def test_confluents_chart_advertises_its_own_listener_beside_the_overrides() -> None:
    image = "image: confluentinc/cp-kafka\nimageTag: 4.1.2\nbrokers: 3\n"
    commit({"values.yaml": image + "configurationOverrides: {offsets.topic.replication.factor: 3}\n"})
    more = "{offsets.topic.replication.factor: 3, listener.security.protocol.map: 'PLAINTEXT:PLAINTEXT,EXTERNAL:PLAINTEXT', advertised.listeners: 'EXTERNAL://${HOST_IP}:31090'}"
    Path("values.yaml").write_text(f"{image}configurationOverrides: {more}\n")
    assert "KA1812" not in changes(since_head())


KOPERATOR = """apiVersion: kafka.banzaicloud.io/v1beta1
kind: KafkaCluster
metadata: {{name: kafka}}
spec:
  readOnlyConfig: |
    auto.create.topics.enable=false
{}  brokers: [{{id: 0}}]
"""
ANSIBLE = "kafka_broker_custom_properties:\n  auto.create.topics.enable: false\n  default.replication.factor: 3\n{}"


@pytest.mark.parametrize(
    ("name", "text", "line", "judged"),
    [
        ("k.yaml", KOPERATOR, "    min.insync.replicas=2\n", "findings"),
        ("group_vars/kafka.yml", ANSIBLE, "  min.insync.replicas: 2\n", "unknown"),
    ],
)
def test_what_is_taken_out_of_a_piece_of_a_configuration_is_judged_or_unknown(
    name: str, text: str, line: str, judged: str
) -> None:
    commit({name: text.format(line)})
    Path(name).write_text(text.format(""))
    document = since_head().json
    assert {part for part in ("findings", "unknown") if any(row["rule"] == "KA1843" for row in document[part])} == {
        judged
    }
    Path(name).write_text(text.format(line) + "# as it was\n")
    document = since_head().json
    assert not [row for part in ("findings", "unknown") for row in document[part] if row["rule"] == "KA1843"]


def test_nothing_changed_is_nothing_to_check_and_no_failure() -> None:
    ran = run("lint", ".", "--since", "HEAD")
    assert ran.err == (
        "kafka-advisor: no file that concerns Kafka changed since HEAD\nkafka-advisor: .: 3 files unchanged\n"
    )
    assert ran.code == 0
    assert run("lint", "producer.properties", "--since", "HEAD", "--format", "json").json["findings"] == []


def test_what_did_not_change_is_not_read() -> None:
    commit({"broken/compose.yml": "services: [\n", "producer.properties": PRODUCER + "acks=all\n"})
    Path("producer.properties").write_text(PRODUCER + "acks=0\n")
    ran = run("lint", ".", "--since", "HEAD")
    assert ran.code == 1 and "broken" not in ran.err and "; 2 unchanged" in ran.err


def test_a_waiver_of_a_file_that_did_not_change_is_not_called_unused() -> None:
    Path("waivers.yaml").write_text("- rule: KA101\n  subject: producer.properties\n  reason: known\n")
    Path("consumer.properties").write_text(CONSUMER + "group.id=a\nclient.rack=r\n")
    assert "KA004" not in {row["rule"] for row in since("--waivers", "waivers.yaml").json["findings"]}


def test_a_pipe_in_the_place_of_a_file_is_not_opened() -> None:
    Path("producer.properties").unlink()
    os.mkfifo("producer.properties")
    Path("kafka/broker.properties").write_text(BROKER + "log.dirs=/new\n")
    assert changes(since()) == ["KA1801"]


def test_a_change_that_acts_at_a_restart_names_the_command_that_plays_it() -> None:
    Path("kafka/broker.properties").write_text(BROKER + "log.dirs=/new\n")
    assert run("lint", ".", "--since", "main").out.endswith("Node by node: kafka-advisor rollout main:kafka kafka\n")
    assert "kafka-advisor rollout main:kafka kafka" in run("diff", "main:kafka", "kafka").out
    Path("kafka/broker.properties").write_text(BROKER + "log.dirs=/data\n")
    Path("producer.properties").write_text(PRODUCER + "acks=0\n")
    assert "rollout" not in run("lint", ".", "--since", "main").out


def test_everything_that_is_gone_is_named() -> None:
    topics = {
        name: MODULE.replace('variable "log" {}\n', "").replace('"t"', f'"{name}"').replace("var.log", "3")
        for name in "abc"
    }
    commit({"topics.tf": "".join(topics.values())})
    Path("topics.tf").write_text(topics["a"])
    ran = since_head()
    assert [(row["rule"], row["entity"]["name"]) for row in ran.json["findings"]] == [
        ("KA1850", "kafka_topic.b"),
        ("KA1850", "kafka_topic.c"),
    ]
    assert "kafka_topic.b, kafka_topic.c: no longer declared" in run("lint", ".", "--since", "HEAD").out
    for format in ("github", "gitlab", "sarif", "junit", "concise"):
        out = run("lint", ".", "--since", "HEAD", "--format", format).out
        assert all(f"kafka_topic.{name}: no longer declared" in out for name in "bc"), format
    out = run("lint", ".", "--since", "HEAD", "--format", "html").out
    assert all(f"topics.tf: kafka_topic.{name}</a>" in out for name in "bc") and out.count('class="was"') == 2


def test_what_confluents_chart_advertises_without_an_override_is_unknown() -> None:
    """Some of its templates add EXTERNAL at nodeport.firstListenerPort themselves."""
    image = "image: confluentinc/cp-kafka\nimageTag: 5.0.0\nbrokers: 3\nnodeport: {enabled: false, firstListenerPort: 31090}\n"
    mapped = "listener.security.protocol.map: 'PLAINTEXT:PLAINTEXT,EXTERNAL:PLAINTEXT'"
    commit(
        {"values.yaml": f"{image}configurationOverrides: {{{mapped}, advertised.listeners: 'EXTERNAL://h:31090'}}\n"}
    )
    Path("values.yaml").write_text(f"{image}configurationOverrides: {{{mapped}}}\n")
    assert "KA1812" not in changes(since_head())
    assert "KA1812" in {row["rule"] for row in since_head().json["unknown"]}
