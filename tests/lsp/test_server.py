"""The language server over pipes: what is shown of buffers, what is known of keys, what may be done."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import ENVIRONMENT, ROOT
from tests.support.language_client import Client, Failed, applied, offsets_of, position_of, server

PRODUCER = "bootstrap.servers=b1:9092,b2:9092\r\nacks=1\r\nlinger.ms=60000\r\nacks=all\r\n"
BROKER = """\
process.roles=broker,controller
node.id={}
controller.quorum.voters=1@one:9093,2@two:9093,3@three:9093
listeners=BROKER://:9092,CONTROLLER://:9093
controller.listener.names=CONTROLLER
inter.broker.listener.name=BROKER
listener.security.protocol.map=BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=/var/lib/kafka
default.replication.factor=3
min.insync.replicas=2
unclean.leader.election.enable={}
"""
CRASH = """
from rules import load
def crash(producer):
    raise ZeroDivisionError("in a rule")
next(rule for rule in load("durability") if rule.id == "KA101").function = crash
"""
BLOCK = """
import os, time
from rules import load
rule = next(rule for rule in load("durability") if rule.id == "KA101")
def block(producer, plain=rule.function):
    while producer.str("client.id") == "slow" and not os.path.exists({flag!r}):
        time.sleep(0.01)
    yield from plain(producer)
rule.function = block
"""
SLOW = "bootstrap.servers=b1:9092,b2:9092\nclient.id=slow\nacks=1\n"
MODIFIED, CANCELLED, ASK_AGAIN = -32801, -32800, -32802


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """One server for the tests that need no settings of their own."""
    with server() as running:
        yield running


@pytest.fixture
def producer(tmp_path: Path) -> Path:
    """A file whose buffer is another one: it is not there at all."""
    return tmp_path / "producer.properties"


def text_at(text: str, row: Any) -> str:
    """The text that a diagnostic stands at."""
    start, end = offsets_of(text, row["range"])
    return text[start:end]


def row_of(client: Client, uri: str, rule: str, version: int = 1) -> Any:
    """The one diagnostic of a rule."""
    (row,) = [row for row in client.diagnostics(uri, version) if row.get("code") == rule]
    return row


def test_the_buffer_is_judged_not_the_file(client: Client, producer: Path) -> None:
    producer.write_text("acks=all\nbootstrap.servers=b1:9092,b2:9092\n")
    uri = client.open(producer, "bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
    row = row_of(client, uri, "KA101")
    assert text_at(client.texts[uri], row) == "1"
    assert (row["severity"], row["source"]) == (1, "kafka-advisor")
    assert "Fix: " in row["message"]


def test_a_change_is_judged_and_a_file_that_is_closed_shows_nothing(client: Client, producer: Path) -> None:
    uri = client.open(producer, PRODUCER.replace("acks=1\r\n", ""))
    assert "KA101" not in client.codes(uri)
    at = client.texts[uri].index("all")
    client.change(uri, 2, (at, at + 3, "1"), (0, 0, "# 😀\r\n"))
    assert text_at(client.texts[uri], row_of(client, uri, "KA101", 2)) == "1"
    client.shown.pop(uri)
    client.notify("textDocument/didClose", textDocument={"uri": uri})
    assert client.diagnostics(uri, None) == []


@pytest.mark.parametrize(
    ("text", "rule", "tag", "where"),
    [
        (PRODUCER, "KA1407", 1, "all"),
        ("bootstrap.servers=b1:9092,b2:9092\npartitioner.class=org.apache.kafka.clients.producer.RoundRobinPartitioner\n"
         "# kafka-advisor: ignore[KA101] no reason\nlinger.ms=5\n", "KA002", 1, None),
    ],
    ids=["twice", "silence"],
)  # fmt: skip
def test_what_does_nothing_is_marked(
    client: Client, producer: Path, text: str, rule: str, tag: int, where: str | None
) -> None:
    uri = client.open(producer, text)
    row = row_of(client, uri, rule)
    assert row["tags"] == [tag]
    assert where is None or text_at(text, row) == where


def test_a_deprecated_key_is_marked(client: Client, tmp_path: Path) -> None:
    uri = client.open(tmp_path / "connect-distributed.properties", "group.id=g\nbootstrap.servers=a:9092\nconfig.storage.topic=c\noffset.storage.topic=o\nstatus.storage.topic=s\nkey.converter=org.apache.kafka.connect.json.JsonConverter\nvalue.converter=org.apache.kafka.connect.json.JsonConverter\nmetrics.num.samples=2\nauto.include.jmx.reporter=true\n")  # fmt: skip
    tags = [row.get("tags") for row in client.diagnostics(uri)]
    assert [2] in tags or [1] in tags


def test_other_lines_that_a_finding_rests_on_are_named(client: Client, producer: Path) -> None:
    uri = client.open(producer, "bootstrap.servers=b1:9092,b2:9092\nretries=0\nacks=all\nenable.idempotence=true\n")
    related = [
        (text_at(client.texts[uri], other["location"]), other["message"])
        for row in client.diagnostics(uri)
        for other in row.get("relatedInformation", ())
        if other["location"]["uri"] == uri
    ]
    assert ("acks=all", "acks=all") in related


def test_a_fix_is_an_edit_of_the_buffer(client: Client, producer: Path) -> None:
    uri = client.open(producer, PRODUCER)
    actions = client.actions(uri, "all\r\n")
    (fix,) = [row for row in actions if row["title"].startswith("KA1407")]
    assert (fix["isPreferred"], fix["kind"], fix["diagnostics"][0]["code"]) == (True, "quickfix", "KA1407")
    assert client.applied(uri, fix) == PRODUCER.replace("acks=1\r\n", "")
    assert fix["edit"]["documentChanges"][0]["textDocument"]["version"] == 1
    (everything,) = client.actions(uri, "all\r\n", ["source.fixAll"])
    assert everything["kind"] == "source.fixAll.kafkaAdvisor"
    assert client.applied(uri, everything) == PRODUCER.replace("acks=1\r\n", "")


def test_all_fixes_are_tried_when_they_are_taken_where_the_client_asks_then(tmp_path: Path) -> None:
    support = {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}
    with server({"textDocument": {"codeAction": support}}) as client:
        uri = client.open(tmp_path / "producer.properties", PRODUCER)
        (offered,) = [row for row in client.actions(uri, "all\r\n") if row["kind"] == "source.fixAll.kafkaAdvisor"]
        assert "edit" not in offered
        assert client.applied(uri, client.request("codeAction/resolve", **offered)) == PRODUCER.replace(
            "acks=1\r\n", ""
        )
        (named,) = client.actions(uri, "all\r\n", ["source.fixAll"])
        assert client.applied(uri, named) == PRODUCER.replace("acks=1\r\n", "")
        safe = client.open(tmp_path / "application.properties", "spring.kafka.producer.acks=1\n")
        assert not [row for row in client.actions(safe, "1\n") if row["kind"] == "source.fixAll.kafkaAdvisor"]


def test_an_unsafe_fix_is_not_preferred(client: Client, producer: Path) -> None:
    text = "bootstrap.servers=b1:9092,b2:9092\nacks=1\n"
    uri = client.open(producer, text)
    (fix,) = [row for row in client.actions(uri, "1\n") if row["title"].startswith("KA101: set")]
    assert "unsafe" in fix["title"]
    assert not fix["isPreferred"]
    assert client.applied(uri, fix) == text.replace("acks=1", "acks=all")
    assert not client.actions(uri, "1\n", ["source.fixAll.kafkaAdvisor"])


def test_a_finding_is_silenced_with_a_reason(client: Client, tmp_path: Path) -> None:
    text = "spring:\n  kafka:\n    bootstrap-servers: b1:9092,b2:9092\n    producer:\n      acks: 1\n"
    uri = client.open(tmp_path / "application.yml", text)
    (silence,) = [row for row in client.actions(uri, "acks") if row["title"].startswith("Silence KA101 here")]
    silenced = client.applied(uri, silence)
    assert silenced == text.replace("      acks", "      # kafka-advisor: ignore[KA101] \n      acks")
    client.execute(silence)
    (shown,) = [params for method, params in client.asked if method == "window/showDocument" and params["uri"] == uri]
    cursor, _ = offsets_of(silenced, shown["selection"])
    client.replace(uri, 2, silenced)
    assert {"KA001", "KA101"} <= set(client.codes(uri, 2))
    client.change(uri, 3, (cursor, cursor, " logs may be lost"))
    assert not {"KA001", "KA101"} & set(client.codes(uri, 3))


def with_pages(url: str) -> str:
    """Python by which a server's rules have their pages there."""
    return f"import os; os.environ['KAFKA_ADVISOR_RULES_URL'] = {url!r}"


def test_a_rule_is_explained_by_its_page(producer: Path) -> None:
    with server(prelude=with_pages("https://docs.example.org/rules")) as client:
        uri = client.open(producer, "bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
        page = "https://docs.example.org/rules/KA101.md"
        assert row_of(client, uri, "KA101")["codeDescription"]["href"] == page
        (explain,) = [row for row in client.actions(uri, "acks") if row["title"].startswith("Explain KA101")][:1]
        client.execute(explain)
        assert client.asked[-1][0] == "window/showDocument"
        assert (client.asked[-1][1]["uri"], client.asked[-1][1]["external"]) == (page, True)


def test_without_a_page_no_code_is_described_and_no_page_is_offered(producer: Path) -> None:
    without = "import advisor.reports.links as links; links.project_pages = lambda: ''"
    with server(prelude=without) as client:
        uri = client.open(producer, "bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
        assert "codeDescription" not in row_of(client, uri, "KA101")
        assert not [row for row in client.actions(uri, "acks") if row["title"].startswith("Explain")]


def test_a_client_that_shows_no_pages_gets_no_commands(producer: Path) -> None:
    with server(capabilities={}) as plain:
        uri = plain.open(producer, "bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
        actions = plain.actions(uri, "acks")
        assert not [row for row in actions if row["title"].startswith("Explain") or row.get("command")]
        assert [row for row in actions if row["title"].startswith("Silence")]


def test_files_of_one_cluster_are_judged_together(client: Client, tmp_path: Path) -> None:
    one, two = tmp_path / "one.properties", tmp_path / "two.properties"
    other = tmp_path / "other.properties"
    two.write_text(BROKER.format(2, "true"))
    other.write_text("bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
    uri = client.open(one, BROKER.format(1, "false"))
    shown = client.diagnostics(uri)
    client.wait(lambda: two.as_uri() in client.shown)
    assert "KA104" not in [row["code"] for row in shown]
    (unclean,) = [row for row in client.shown[two.as_uri()] if row["code"] == "KA104"]
    assert text_at(two.read_text(), unclean) == "true"
    assert other.as_uri() not in client.shown
    client.notify("textDocument/didClose", textDocument={"uri": uri})
    client.wait(lambda: client.shown[two.as_uri()] == [])


def test_a_renamed_file_is_judged_under_its_new_name(client: Client, tmp_path: Path) -> None:
    old, new = tmp_path / "producer.properties", tmp_path / "client.properties"
    uri = client.open(old, PRODUCER)
    client.diagnostics(uri)
    client.notify("textDocument/didClose", textDocument={"uri": uri})
    renamed = client.open(new, PRODUCER)
    assert "KA1407" in client.codes(renamed)
    client.wait(lambda: client.shown[uri] == [])


def test_configuration_is_followed_and_read_again(client: Client, tmp_path: Path) -> None:
    configuration = tmp_path / "kafka-advisor.yaml"
    configuration.write_text("ignore: [KA101]\n")
    (tmp_path / "app").mkdir()
    uri = client.open(tmp_path / "app" / "producer.properties", "bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
    assert "KA101" not in client.codes(uri)
    configuration.write_text("ignore: [KA650]\n")
    client.shown.pop(uri)
    client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": configuration.as_uri(), "type": 2}])
    assert "KA101" in client.codes(uri)
    configuration.write_text("ignroe: [KA650]\n")
    client.shown.pop(uri)
    client.notify("textDocument/didSave", textDocument={"uri": uri})
    assert client.codes(uri) == []
    messages = [params["message"] for method, params in client.said if method == "window/showMessage"]
    assert any("ignroe: no such key; did you mean ignore?" in message for message in messages)


@pytest.mark.parametrize(
    ("options", "settings", "codes"),
    [
        ({"select": ["KA101"]}, None, ["KA101"]),
        ({"kafka-advisor": {"ignore": "KA101"}}, None, None),
        ({}, {"ignore": ["KA101"]}, None),
        ({"kafka-version": "2.8", "profile": "dev", "select": ["KA101"]}, {}, ["KA101"]),
    ],
    ids=["options", "section", "asked for", "dashes"],
)
def test_settings_of_the_client(producer: Path, options: Any, settings: Any, codes: list[str] | None) -> None:
    with server({"workspace": {"configuration": True}}, options, settings) as running:
        if settings:
            running.wait(lambda: any(method == "workspace/configuration" for method, _ in running.asked))
            running.rest(0.3)
        uri = running.open(producer, "bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
        shown = running.codes(uri)
        assert "KA101" not in shown if codes is None else shown == codes


def test_a_setting_of_the_client_that_is_wrong_is_said(producer: Path) -> None:
    with server(options={"profil": "dev"}) as running:
        uri = running.open(producer, "bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
        assert "KA101" in running.codes(uri)
        assert any("profil: no such setting" in params["message"] for _, params in running.said)


def test_unsafe_fixes_are_left_out_on_demand(producer: Path) -> None:
    with server(options={"unsafeFixes": False}) as running:
        uri = running.open(producer, "bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
        assert not [row for row in running.actions(uri, "1\n") if row["title"].startswith("KA101")]


def test_changes_since_a_commit_are_shown(tmp_path: Path) -> None:
    broker = tmp_path / "server.properties"
    broker.write_text(BROKER.format(1, "false"))
    git = ("git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *command], check=True)
    with server(options={"since": "HEAD"}) as running:
        uri = running.open(broker, BROKER.format(7, "false"))
        changes = [row for row in running.diagnostics(uri) if str(row.get("code")).startswith("KA18")]
        assert [text_at(running.texts[uri], row) for row in changes][:1] == ["7"]


def test_what_cannot_be_read_is_said_at_its_line(client: Client, tmp_path: Path) -> None:
    text = "spring:\n  kafka:\n    bootstrap-servers: b1:9092\n   producer: {\n"
    uri = client.open(tmp_path / "application.yml", text)
    (row,) = client.diagnostics(uri)
    assert row["message"].startswith("not judged: ")
    assert row["severity"] == 2
    others = client.open(tmp_path / "other.yml", "a: {\n b: [\n")
    assert client.diagnostics(others) == []


def test_a_large_buffer_is_one_warning(client: Client, tmp_path: Path) -> None:
    text = "bootstrap.servers=b1:9092\nacks=1\n" + f"# {'x' * 996}\n" * 5_000 + "acks=1\n"
    assert len(text) > 4_990_000
    uri = client.open(tmp_path / "large.properties", text)
    (row,) = client.diagnostics(uri)
    assert (row["severity"], row["range"]["start"]["line"]) == (2, 0)
    assert "over 4 MB" in row["message"]
    client.change(uri, 2, (0, 0, "x"))
    assert len(client.diagnostics(uri, 2)) == 1
    assert client.at("textDocument/hover", uri, "acks") is None
    assert not client.actions(uri, "acks")


def test_a_crash_of_a_rule_is_a_finding_and_a_line_of_the_log(producer: Path) -> None:
    with server(prelude=CRASH) as running:
        uri = running.open(producer, "bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
        codes = running.codes(uri)
        assert "KA000" in codes
        assert len(codes) > 1
        (line,) = [params for method, params in running.said if method == "window/logMessage"]
        assert line["type"] == 1
        assert "KA000" in line["message"]
        assert "KA101" in line["message"]


def test_a_slow_file_blocks_no_other_and_old_requests_are_cancelled(tmp_path: Path) -> None:
    flag = tmp_path / "go-on"
    with server(prelude=BLOCK.format(flag=str(flag))) as running:
        slow = running.open(tmp_path / "slow.properties", SLOW)
        where = {"textDocument": {"uri": slow}, "position": position_of(SLOW, 0)}
        hover = running.start_request("textDocument/hover", **where)
        cancelled = running.start_request("textDocument/hover", **where)
        pulled = running.start_request("textDocument/diagnostic", textDocument={"uri": slow})
        other = running.open(tmp_path / "other" / "producer.properties", "bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
        assert "KA101" in running.codes(other)
        running.notify("$/cancelRequest", id=cancelled)
        running.change(slow, 2, (0, 0, "# later\n"))
        running.at("textDocument/hover", other, "acks")
        flag.write_text("")
        errors = {}
        for number in (hover, cancelled, pulled):
            with pytest.raises(Failed) as failed:
                running.answer(number)
            errors[number] = failed.value.code
        assert errors == {hover: MODIFIED, cancelled: CANCELLED, pulled: ASK_AGAIN}
        assert "KA101" in running.codes(slow, 2)


def test_diagnostics_are_pulled(producer: Path) -> None:
    with server({"textDocument": {"diagnostic": {}}}) as running:
        uri = running.open(producer, "bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
        report = running.request("textDocument/diagnostic", textDocument={"uri": uri})
        assert report["kind"] == "full"
        assert "KA101" in [row["code"] for row in report["items"]]
        running.rest(0.5)
        assert uri not in running.shown


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_positions_are_counted_as_negotiated(tmp_path: Path, encoding: str, units: int) -> None:
    text = "spring.kafka:\n  bootstrap-servers: b1:9092,b2:9092\n  producer: {client-id: 😀, acks: 1}\n"
    with server({"general": {"positionEncodings": [encoding]}}) as running:
        uri = running.open(tmp_path / "application.yml", text)
        row = row_of(running, uri, "KA101")
        line = text.splitlines()[2]
        assert row["range"]["start"] == {"line": 2, "character": line.index("1}") - 1 + units}


def test_a_mark_at_the_beginning_moves_nothing(client: Client, tmp_path: Path) -> None:
    text = "\ufeffspring: {kafka: {bootstrap-servers: 'b1:9092,b2:9092', producer: {acks: 1}}}\n"
    uri = client.open(tmp_path / "application.yml", text)
    assert text_at(text, row_of(client, uri, "KA101")) == "1"
    (fix,) = [row for row in client.actions(uri, "acks") if row["title"].startswith("KA101: set")]
    assert client.applied(uri, fix) == text.replace("acks: 1", "acks: all")


def test_the_server_says_nothing_of_a_secret(client: Client, tmp_path: Path) -> None:
    text = "bootstrap.servers=b1:9092\nsecurity.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nssl.truststore.password=hunter22\nsasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\"hunter22\";\n"  # fmt: skip
    uri = client.open(tmp_path / "client.properties", text)
    said = [client.diagnostics(uri), client.at("textDocument/hover", uri, "hunter22"), client.at("textDocument/hover", uri, "sasl.jaas")]  # fmt: skip
    assert "hunter22" not in json.dumps(said)
    assert applied(text, []) == text


def test_a_commit_that_is_not_there_is_said_and_the_rest_is_judged(producer: Path) -> None:
    with server(options={"since": "nowhere"}) as running:
        uri = running.open(producer, "bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
        assert "KA101" in running.codes(uri)
        assert any("since: nowhere" in params["message"] for _, params in running.said)


def test_a_client_that_goes_away_ends_the_server(producer: Path) -> None:
    command = [sys.executable, "-m", "advisor", "lsp"]
    done = subprocess.run(command, input=b"", capture_output=True, cwd=ROOT, env=ENVIRONMENT, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_what_topics_of_one_line_share_is_offered_once(client: Client, tmp_path: Path) -> None:
    line = '  config = { "unclean.leader.election.enable" = "true" }\n'
    names = ", ".join(f'"a{number}" = 3' for number in range(5))
    text = (
        f'resource "kafka_topic" "t" {{\n  for_each = {{ {names} }}\n  name = each.key\n  partitions = 3\n'
        f"  replication_factor = each.value\n{line}}}\n"
    )
    uri = client.open(tmp_path / "topics.tf", text)
    titles = [row["title"] for row in client.actions(uri, "unclean")]
    assert titles and len(titles) == len(set(titles))
