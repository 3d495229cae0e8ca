"""What the walk of a folder reads: what a broker is made of, whatever its file is called; the rest is passed over with a reason."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from collectors.files.ignore_patterns import patterns_of, verdict
from tests.support.commands import run

NODE = "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=9@c:1\nlisteners=SSL://h:1\nlog.dirs=/d\n"
UNCLEAN = NODE + "unclean.leader.election.enable=true\n"
NAMES = (
    *("server.properties", "server.properties.prod", "server.properties.erb", "server.properties.j2", "broker.props"),
    *(
        "server.properties.tpl",
        "server.properties.tmpl",
        "server.properties.prod.j2",
        "kraft.ini",
        "server.conf",
        "broker",
    ),
    *(
        "server.cfg",
        "controller.config",
        "broker-1",
        "server.properties.orig",
        "server.properties.dist",
        "server.template",
    ),
)
FEW_KEYS = (
    "process.roles=broker\nnode.id=1\nunclean.leader.election.enable=true\n",
    "log.dirs=/d\nbroker.id=1\nunclean.leader.election.enable=true\n",
    "min.insync.replicas=1\nunclean.leader.election.enable=true\nlog.dirs=/d\nbroker.id=1\n",
)
STRAY = (
    "spring.x=1\n",
    "node.environment=production\n",
    "quarkus.a=b\n",
    "goals=x\n",
    "# Config values:\n",
    "# PartitionCount: 3 Isr: 1\n",
    "connector.name=hive\n",
    "micronaut.x=1\n",
    "%dev.x=1\n",
)


def git(folder: Path, *arguments: str) -> None:
    names = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(("git", *names, *arguments), cwd=folder, check=True, capture_output=True)


def found(folder: Path) -> bool:
    return "KA104" in run("lint", folder, "--no-config", "--format", "concise").out


@pytest.mark.parametrize("name", NAMES)
def test_a_brokers_file_is_read_whatever_it_is_called(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(UNCLEAN)
    assert found(tmp_path)


@pytest.mark.parametrize("text", FEW_KEYS)
def test_keys_of_the_catalog_are_enough(text: str, tmp_path: Path) -> None:
    (tmp_path / "server.properties").write_text(text)
    assert found(tmp_path)


@pytest.mark.parametrize("line", STRAY)
@pytest.mark.parametrize("name", ["server.properties", "broker.conf"])
def test_a_stray_line_makes_a_brokers_file_no_other_tools(line: str, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(line + UNCLEAN)
    assert found(tmp_path)


def test_git_says_what_belongs_to_a_work_tree(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.properties\ntarget/\n")
    (tmp_path / "target").mkdir()
    (tmp_path / "target/server.properties").write_text(UNCLEAN)
    (tmp_path / "ignored.properties").write_text(UNCLEAN)
    git(tmp_path, "init", "-q")
    assert not found(tmp_path)
    git(tmp_path, "add", "-f", "target/server.properties")
    assert found(tmp_path)
    assert "target/server.properties" in run("lint", tmp_path, "--no-config", "--format", "concise").out
    (tmp_path / "untracked.conf").write_text(UNCLEAN)
    assert "untracked.conf" in run("lint", tmp_path, "--no-config", "--format", "concise").out


def test_a_hostile_repository_runs_nothing(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    proof = tmp_path / "ran"
    program = tmp_path / "program.sh"
    program.write_text(f"#!/bin/sh\ntouch {proof}\n")
    program.chmod(0o755)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "diff.external",
        "core.sshCommand",
        "filter.x.clean",
        "filter.x.process",
    ):
        git(tmp_path, "config", key, str(program))
    (tmp_path / ".gitattributes").write_text("* filter=x diff=x\n")
    (tmp_path / "server.properties").write_text(UNCLEAN)
    assert found(tmp_path)
    assert not proof.exists()


def test_what_is_passed_over_is_counted_and_named(tmp_path: Path) -> None:
    (tmp_path / "server.properties").write_text(UNCLEAN)
    for name in ("Main.java", "logo.png", "a.jar"):
        (tmp_path / name).write_text("kafka")
    (tmp_path / "venv").mkdir()
    (tmp_path / "link.properties").symlink_to(tmp_path / "server.properties")
    (tmp_path / ".gitignore").write_text("secret*\n")
    (tmp_path / "secret.properties").write_text(UNCLEAN)
    ran = run("lint", tmp_path, "--no-config", "-v")
    last = "1 of 2 files judged (1 properties), 1 not Kafka's; passed over: "
    assert last in ran.err
    for reason in ("1 source code", "2 binary files", "1 links", "1 folders of tools", "1 ignored by .gitignore"):
        assert reason in ran.err.rpartition(last)[2]
    assert f"passed over, source code: {tmp_path / 'Main.java'}" in ran.err


def test_many_files_of_one_ending_are_counted_by_folder(tmp_path: Path) -> None:
    (tmp_path / "server.properties").write_text(UNCLEAN)
    for folder in "abcdefg":
        (tmp_path / folder).mkdir()
        for number in range(2 if folder == "a" else 1):
            (tmp_path / folder / f"{number}.yml").write_text("a: 1\n")
    (tmp_path / "bad.yml").write_text("kafka: [\n")
    err = run("lint", tmp_path, "--no-config", "-v").err
    folders = ", ".join(f"{2 if folder == 'a' else 1} in {tmp_path / folder}" for folder in "abcde")
    assert f"not Kafka's: 8 .yml: {folders}, 2 in other folders\n" in err and "0.yml" not in err
    assert f"{tmp_path / 'bad.yml'}:2:1: not YAML" in err


WHOLE = ("**/", "/**", "**", "[a-c]", "[!a]", "[^b-", "[[:alpha:]]", "[[:digit:]]", "[]a]", "[a-", "\\", "//", "\\ ")
PATTERNS = st.lists(
    st.lists(st.sampled_from((*"ab-*?/!.[]^: #é", *WHOLE)), min_size=1, max_size=6).map("".join), max_size=4
)
PATHS = st.lists(
    st.text("ab-.]é ", min_size=1, max_size=3).filter(lambda name: name.strip(". ")), min_size=1, max_size=4
)


@example(["?//"], ["a"])
@example(["a/**"], ["a"])
@example(["**/b"], ["b"])
@example(["**//**b"], ["a", "b"])
@example(["a**/b"], ["aa", "a", "b"])
@given(PATTERNS, PATHS)
def test_patterns_outside_of_a_work_tree_mean_what_git_says(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], parts: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("ignored")
    git(folder, "init", "-q")
    (folder / ".gitignore").write_text("\n".join(lines) + "\n")
    path = "/".join(parts)
    asked = subprocess.run(
        ("git", "check-ignore", "-q", "--no-index", "--", path), cwd=folder, capture_output=True, check=False
    )
    patterns = patterns_of("\n".join(lines))
    ours = any(verdict(patterns, parts[:length], length < len(parts)) for length in range(1, len(parts) + 1))
    assert ours == (asked.returncode == 0)


def test_patterns_take_time_in_proportion() -> None:
    patterns = patterns_of("*a" * 2000 + "b\n" + "**/" * 300 + "x\n")
    assert verdict(patterns, ["a" * 200] * 50, False) is None


@pytest.mark.parametrize("name", ["Cargo.lock", "package-lock.json", "x.pyc"])
def test_what_no_person_writes_is_not_opened(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(UNCLEAN)
    assert not found(tmp_path)
    assert os.path.exists(tmp_path / name)


@pytest.mark.parametrize("tracked", [True, False])
def test_a_repository_inside_of_another_is_read(tracked: bool, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    for folder in (tmp_path, inner):
        git(folder, "init", "-q")
    (inner / "server.properties").write_text(UNCLEAN)
    git(inner, "add", "-A")
    git(inner, "commit", "-qm", "one")
    if tracked:
        git(tmp_path, "-c", "advice.addEmbeddedRepo=false", "add", "inner")
    assert found(tmp_path)


def test_what_is_not_checked_out_is_counted(tmp_path: Path) -> None:
    module, project = tmp_path / "module", tmp_path / "project"
    for folder in (module, project):
        folder.mkdir()
        git(folder, "init", "-q")
        (folder / "server.properties").write_text(NODE)
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", "x")
    git(project, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(module), "kafka")
    git(project, "submodule", "deinit", "-q", "-f", "kafka")
    git(project, "update-index", "--skip-worktree", "server.properties")
    (project / "server.properties").unlink()
    said = run("lint", project, "--no-config", "-v").err
    assert f"passed over, not in the work tree: {project / 'server.properties'}" in said
    assert f"passed over, submodules without files: {project / 'kafka'}" in said


@pytest.mark.parametrize("is_work_tree", [False, True])
def test_a_pipe_is_not_opened(is_work_tree: bool, tmp_path: Path) -> None:
    if is_work_tree:
        git(tmp_path, "init", "-q")
    os.mkfifo(tmp_path / "server.properties")
    (tmp_path / "broker.properties").write_text(UNCLEAN)
    said = run("lint", tmp_path, "--no-config", "-v").err
    assert is_work_tree or f"passed over, pipes, sockets and devices: {tmp_path / 'server.properties'}" in said
    assert "1 of 1 files judged" in said


def test_what_stands_between_wildcards_decides_nothing_by_itself() -> None:
    draw = random.Random(34)
    for _ in range(3000):
        text = "ab" + "".join(draw.choices("ab[]\\\\/", k=draw.randrange(8)))
        for pattern in patterns_of("ab" + "".join(draw.choices("ab*?[]\\\\/", k=8)) + "a"):
            expected = text.startswith(pattern.literal) and pattern.wildcards.match(text[len(pattern.literal) :])
            assert pattern.for_names or pattern.matches(text, True) == expected
