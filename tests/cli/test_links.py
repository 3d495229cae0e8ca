"""Reports, baselines and snapshots never follow a link that a repository or another user may have brought."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path

import pytest

from advisor import atomic_file, output_folder
from tests.support.commands import run
from tests.support.fleets import ILL, audit, collected

BAD = "bootstrap.servers=a:1,b:1\nkey.serializer=a.B\nvalue.serializer=a.B\nacks=1\n"
WRITERS = {
    "json": ("lint", "p.properties", "--no-config", "--format", "json=out"),
    "sarif": ("lint", "p.properties", "--no-config", "--format", "sarif=out"),
    "html": ("lint", "p.properties", "--no-config", "--format", "html=out"),
    "baseline": ("lint", "p.properties", "--no-config", "--write-baseline", "out"),
    "advise": ("advise", "p.properties", "--format", "markdown=out"),
    "effective": ("effective", "p.properties", "--format", "json=out"),
    "starts": ("starts", "p.properties", "--format", "html=out"),
    "diff": ("diff", "p.properties", "p.properties", "--format", "json=out"),
}
needs_links = pytest.mark.skipif(not output_folder.HAS_PARTS, reason="the system opens no part of a path by itself")
pytestmark = needs_links


@pytest.fixture(autouse=True)
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output_folder, "follows_links", False)
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / ".git").mkdir()
    monkeypatch.chdir(folder)
    Path("p.properties").write_text(BAD)
    (tmp_path / "victim").write_text("")


def writes(path: str, *options: str) -> bool:
    """Whether a report goes where a path leads; if not, one line says so."""
    ran = run("lint", "p.properties", "--no-config", "--format", f"json={path}", *options)
    if ran.code == 2:
        assert "a link" in ran.err and "--follow-links" in ran.err and len(ran.err.splitlines()) == 1
        return False
    return "kafka-advisor/1" in Path(path).read_text()


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("follows", [True, False])
def test_a_link_of_a_work_tree_is_followed_on_demand_only(name: str, follows: bool, tmp_path: Path) -> None:
    os.symlink(tmp_path / "victim", "out")
    ran = run(*WRITERS[name], *(["--follow-links"] if follows else []))
    assert bool((tmp_path / "victim").read_text()) == follows
    assert os.path.islink("out")
    if not follows:
        assert ran.code == 2 and "a link" in ran.err and len(ran.err.splitlines()) <= 2


LINKS = {
    "a folder": ("reports", "..", "reports/victim"),
    "a folder below others": ("a/b/c", "../../..", "a/b/c/victim"),
    "a link to a link": ("first", "second", "first/victim"),
    "a folder by its whole path": ("reports", "{tmp}", "reports/victim"),
    "a link that leads nowhere": ("out", "../new", "out"),
    "a link to itself": ("out", "out", "out"),
    "a parent of a link": ("reports", "..", "reports/../repository/victim"),
}


@pytest.mark.parametrize("case", LINKS)
def test_each_part_of_a_path_counts(case: str, tmp_path: Path) -> None:
    name, target, path = LINKS[case]
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    os.symlink(target.format(tmp=tmp_path), name)
    if case == "a link to a link":
        os.symlink("..", "second")
    assert not writes(path)
    assert (tmp_path / "victim").read_text() == ""
    assert not (tmp_path / "new").exists()


def test_links_outside_of_work_trees_and_shared_folders_are_followed(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "folder").symlink_to("..")
    (own / "file").symlink_to("folder/victim")
    assert writes(str(own / "file"))
    assert (own / "file").is_symlink() and (tmp_path / "victim").read_text()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file to another user")
@pytest.mark.parametrize("mode", [0o1777, 0o777, 0o775])
@pytest.mark.parametrize("options", [(), ("--follow-links",)])
def test_a_link_of_another_user_in_a_shared_folder_is_not_followed(
    mode: int, options: tuple[str, ...], tmp_path: Path
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(mode)
    os.symlink(tmp_path / "victim", shared / "out")
    os.lchown(shared / "out", 12345, 12345)
    assert writes(str(shared / "out"), *options) == bool(options)
    assert bool((tmp_path / "victim").read_text()) == bool(options)


def test_a_link_that_appears_while_a_report_is_written_leads_nowhere(tmp_path: Path) -> None:
    """The folder is held open: what takes its place by then is not written to."""
    (tmp_path / "repository/reports").mkdir()
    (tmp_path / "elsewhere").mkdir()

    def chunks() -> list[bytes]:
        os.rename("reports", "moved")
        os.symlink(tmp_path / "elsewhere", "reports")
        return [b"text"]

    class Late:
        def __iter__(self) -> object:
            return iter(chunks())

    atomic_file.write("reports/out", Late())  # type: ignore[arg-type]
    assert Path("moved/out").read_bytes() == b"text"
    assert os.listdir(tmp_path / "elsewhere") == []


def test_a_pipe_is_written_to_by_the_name_that_a_shell_gives_it() -> None:
    reader, writer = os.pipe()
    received: list[bytes] = []
    thread = threading.Thread(target=lambda: received.append(os.fdopen(reader, "rb").read()))
    thread.start()
    ran = run("lint", "p.properties", "--no-config", "--format", f"json=/proc/self/fd/{writer}")
    os.close(writer)
    thread.join()
    assert ran.code == 1 and b"kafka-advisor/1" in received[0]


def test_a_device_is_written_to() -> None:
    assert run("lint", "p.properties", "--no-config", "--format", "json=/dev/null").code == 1


def test_git_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("a program ran"))
    assert writes("out")


EDITS = {
    "--fix": ("--fix", "--unsafe-fixes"),
    "--silence": ("--silence", "KA101", "--reason", "as agreed"),
}
ELSEWHERE = {
    "a link to a file": ("p.properties", "l.properties", "l.properties"),
    "a file behind a link to a folder": ("folder", "below", "below/p.properties"),
    "a folder behind a link": ("folder", "below", "below"),
    "a link to a link": ("folder/p.properties", "l.properties", "l.properties"),
}
"""(what a link of the work tree leads to, the link, what is edited)."""


@pytest.mark.parametrize("case", ELSEWHERE)
@pytest.mark.parametrize("edit", EDITS)
def test_no_edit_leads_out_of_a_work_tree(edit: str, case: str, tmp_path: Path) -> None:
    target, link, named = ELSEWHERE[case]
    outside = tmp_path / ("p.properties" if target == "p.properties" else "folder/p.properties")
    outside.parent.mkdir(exist_ok=True)
    outside.write_text(BAD)
    if case == "a link to a link":
        os.symlink(tmp_path / target, "first.properties")
        os.symlink("first.properties", link)
    else:
        os.symlink(tmp_path / target, link)
    ran = run("lint", named, "--no-config", *EDITS[edit])
    assert outside.read_text() == BAD
    assert ran.code == 2 and "not fixed: a link in a work tree" in ran.err and "--follow-links" in ran.err
    run("lint", named, "--no-config", "--follow-links", *EDITS[edit])
    assert outside.read_text() != BAD


def test_a_link_of_ones_own_outside_of_a_work_tree_is_edited_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "own.properties").write_text(BAD)
    os.symlink(tmp_path / "own.properties", tmp_path / "link.properties")
    run("lint", tmp_path / "link.properties", "--no-config", "--fix", "--unsafe-fixes")
    assert (tmp_path / "own.properties").read_text() != BAD and (tmp_path / "link.properties").is_symlink()


@pytest.mark.parametrize("kind", ["a file", "a link to nothing", "a link to a file"])
def test_init_writes_over_nothing(kind: str, tmp_path: Path) -> None:
    if kind == "a file":
        Path("kafka-advisor.yaml").write_text("")
    else:
        os.symlink(tmp_path / ("victim" if kind == "a link to a file" else "new"), "kafka-advisor.yaml")
    ran = run("init", ".", "--yes")
    assert ran.code == 2 and "writes over nothing" in ran.err and len(ran.err.splitlines()) == 1
    assert (tmp_path / "victim").read_text() == "" and not (tmp_path / "new").exists()


def test_an_audit_does_not_follow_a_link_and_says_so(tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"one": ILL})
    (tmp_path / "elsewhere").mkdir()
    os.symlink(tmp_path / "elsewhere", "results")
    ran = audit(fleet, Path("results/today"))
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert "a link" in ran.err and "--follow-links" in ran.err
    assert list((tmp_path / "elsewhere").iterdir()) == []
