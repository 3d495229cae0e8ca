"""The doors: help without a word, what was probably meant, rules by what they are about, keys by what Kafka knows of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor import catalog
from advisor.catalog import all_keys, known_anywhere
from advisor.cli.parser import parser_of
from advisor.cli.registry import COMMANDS
from advisor.reports.manual.key_pages import key_lines, valid_text
from advisor.reports.manual.key_sentences import SENTENCES
from rules import all_rules
from tests.support.commands import run

UNDOCUMENTED = ("allow.everyone.if.no.acl.found", "partitions", "super.users")
"""Keys of authorizers and of topics' creation, which no definition of Kafka's has."""


def test_without_a_command_the_help_says_what_people_do() -> None:
    ran = run()
    assert ran.code == 2 and ran.out == run("-h").out
    assert all(f"kafka-advisor {word} " in ran.out for word in ("lint", "diff", "check", "explain"))


@pytest.mark.parametrize("columns", [80, 110])
def test_help_is_as_wide_as_the_terminal_and_commands_stay_whole(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for name in ("", *COMMANDS):
        lines = run(*([name] if name else []), "--help").out.splitlines()
        assert [line for line in lines if len(line) > columns and "  kafka-advisor" not in line] == []
        if name:
            epilog = (parser_of(name).epilog or "").split()
            assert " ".join(epilog) in " ".join(" ".join(lines).split())


MISTAKES = {
    ("lnt", "x"): "did you mean lint?",
    ("lint", "--formt", "json", "x"): "did you mean --format?",
    ("lint", "--formt=json", "x"): "did you mean --format?",
    ("lint", "--profile", "prod", "x"): "did you mean production?",
    ("lint", "--kind", "brokr", "x"): "did you mean broker?",
    ("rules", "--family", "securty"): "did you mean security?",
    ("rules", "--key", "linger.m"): "did you mean linger.ms?",
    ("explain", "min.insync.replica"): "did you mean min.insync.replicas?",
    ("explain", "akcs-not-all"): "did you mean acks-not-all?",
}


@pytest.mark.parametrize("arguments", MISTAKES)
def test_a_mistake_names_what_was_probably_meant(arguments: tuple[str, ...]) -> None:
    ran = run(*arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert MISTAKES[arguments] in ran.err
    assert (
        ran.err.startswith(f"kafka-advisor{'' if arguments[0] in ('lnt', 'explain') else f' {arguments[0]}'}")
        or "--key" in ran.err
    )


def test_what_is_like_nothing_is_told_the_choices() -> None:
    ran = run("lint", "--profile", "xyz", "x")
    assert ran.code == 2 and "production" in ran.err and "did you mean" not in ran.err


def ids(*arguments: str) -> list[str]:
    return [row["rule"] for row in run("rules", "--format", "json", *arguments).json]


def test_rules_are_chosen_by_family_severity_profile_and_key() -> None:
    everything = ids()
    security = ids("--family", "security")
    assert security and set(security) < set(everything) and all(id.startswith("KA6") for id in security)
    severe = ids("--family", "security", "--severity", "critical")
    assert (
        set(severe)
        < set(ids("--family", "security", "--severity", "critical", "--profile", "regulated"))
        < set(security)
    )
    assert "KA101" in ids("--key", "acks") and "KA104" not in ids("--key", "acks")
    assert ids("--key", "acks", "--family", "security") == []
    assert run("rules", "--family", "security", "--severity", "critical", "--profile", "dev").code == 0


def test_a_keys_page_has_a_row_for_each_change() -> None:
    page = run("explain", "linger.ms").out
    assert "    2.2 to 3.9   long, default 0, 0 or more\n" in page
    assert "    4.0 to 4.4   long, default 5, 0 or more\n" in page
    assert "Java producers (2.0 to 4.4)" in page and "librdkafka" in page
    page = run("explain", "log.message.format.version").out
    assert "deprecated from 3.0 on" in page and "removed in 4.0" in page
    page = run("explain", "min.insync.replicas").out
    assert "can be changed on running brokers" in page and "KA102 min-isr-1" in page
    assert (
        "inherits: log.retention.ms, log.retention.minutes, log.retention.hours" in run("explain", "retention.ms").out
    )


def test_a_keys_page_begins_with_what_it_does_and_is_about_one_release_on_demand() -> None:
    page = run("explain", "linger.ms", "--kafka-version", "3.9").out
    assert page.splitlines()[1].startswith("For how long a producer waits") and "4.0" not in page
    assert page.index("Java producers") < page.index("librdkafka")
    assert "Not read by" in run("explain", "log.message.format.version", "--kafka-version", "4.0").out
    ran = run("explain", "linger.ms", "--kafka-version", "banana")
    assert ran.code == 2 and "--kafka-version" in ran.err and "internal" not in ran.err
    assert all(known_anywhere(key) or key in UNDOCUMENTED for key in SENTENCES)


def test_every_key_of_every_catalog_has_a_page() -> None:
    rules = all_rules()[:1]
    for key in all_keys():
        lines = list(key_lines(key, rules))
        assert len(lines) > 2 or not any(
            catalog.lookup(component, version, key) for component in known_anywhere(key) for version in catalog.VERSIONS
        )
        assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize(
    ("valid", "text"),
    [
        (("range", 0, None), "0 or more"),
        (("range", None, 5), "at most 5"),
        (("range_or", 1, 9, -1), "1 to 9 or -1"),
        (("in", ("a", "b")), "a, b"),
        (("in_ci", ("a",)), "a, in any case"),
        (("nonempty",), "not empty"),
        (("throttled_replicas",), "throttled replicas"),
    ],
)
def test_valid_values_in_words(valid: tuple[object, ...], text: str) -> None:
    assert valid_text(valid) == text


def test_starts_and_effective_take_several_files(tmp_path: Path) -> None:
    (tmp_path / "p.properties").write_text("bootstrap.servers=b:1\nkey.serializer=a\nvalue.serializer=b\nacks=9\n")
    (tmp_path / "c.yml").write_text(
        "a:\n  bootstrap.servers: b:1\n  group.id: g\nb:\n  bootstrap.servers: b:1\n  group.id: h\n"
    )
    files = (tmp_path / "p.properties", tmp_path / "c.yml")
    ran = run("starts", *files, "--on", "4.3", "--format", "json")
    assert ran.code == 1 and [(row["kind"], row["name"]) for row in ran.json] == [
        ("producer", "p.properties"), ("consumer", "a"), ("consumer", "b")
    ]  # fmt: skip
    assert run("starts", files[0], "--on", "4.3", "--format", "json").json["file"] == str(files[0])
    ran = run("effective", *files)
    assert ran.code == 0 and f"{files[1]}: b (consumer)" in ran.out and f"{files[0]} (producer)" in ran.out
    ran = run("effective", files[0], tmp_path / "gone")
    assert ran.code == 2 and "(producer)" in ran.out and ran.err.count("\n") == 1


def test_a_folder_ends_with_what_was_judged(tmp_path: Path) -> None:
    (tmp_path / "p.properties").write_text("acks=1\n")
    (tmp_path / "app.yml").write_text("a: 1\n")
    (tmp_path / "bad.yml").write_text("kafka: [\n")
    (tmp_path / "c.yml").write_text("a:\n  bootstrap.servers: b:1\n  group.id: g\n")
    ran = run("lint", tmp_path)
    assert ran.err.splitlines()[-1] == (
        f"kafka-advisor: {tmp_path}: 2 of 4 files judged (1 properties, 1 yaml), 1 not Kafka's, 1 not read"
    )
    assert f"not Kafka's: {tmp_path / 'app.yml'}" in run("lint", tmp_path, "-v").err
    ran = run("lint", tmp_path / "p.properties", tmp_path)
    assert "1 of 3 files judged (1 yaml), 1 not Kafka's, 1 not read" in ran.err
    (tmp_path / "empty").mkdir()
    ran = run("lint", tmp_path / "empty")
    assert (ran.code, ran.err) == (
        3,
        f"kafka-advisor: nothing to check: no file below {tmp_path / 'empty'} concerns Kafka\n",
    )


def test_outputs_of_tools_are_no_client(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("Topic: t Partition: 0 Leader: 1 Replicas: 1 Isr: 1\n")
    (tmp_path / "p.properties").write_text("acks=1\n")
    ran = run("lint", tmp_path / "p.properties", "--with", tmp_path / "t.txt")
    assert ran.code == 2 and "a client's file is wanted, not outputs of tools" in ran.err
