"""What a release takes: one version everywhere, its part of the changelog, workflows with few rights and pinned actions."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from advisor import __version__
from tests.support.commands import ROOT

WORKFLOWS = {path.stem: path for path in (ROOT / ".github/workflows").glob("*.yml")}
PINNED = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+")
NAMED = {
    "docs/formats.md": r"rev: v(\S+)",
    "README.md": r"kafka-advisor@v([\d.]+)",
    "examples/ci/github.yml": r"ref: v(\S+)",
}


def notes(folder: Path, tag: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([folder / ".ci/release-notes", tag], capture_output=True, text=True, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The files that the release notes are made of, in a folder of their own."""
    for name in (".ci/release-notes", "advisor/__init__.py", "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_the_release_notes_are_the_versions_part_of_the_changelog() -> None:
    ran = notes(ROOT, f"v{__version__}")
    assert ran.returncode == 0, ran.stderr
    text = (ROOT / "CHANGELOG.md").read_text()
    assert ran.stdout.strip() in text
    assert ran.stdout.strip().startswith(text.partition(f"## [{__version__}]")[2].partition("\n")[2].strip()[:40])
    assert "\n## " not in f"\n{ran.stdout}"


@pytest.mark.parametrize("tag", ["1.0.0", f"v{__version__}1", f"v{__version__}-rc1", "main"])
def test_another_tag_is_no_release(tag: str) -> None:
    ran = notes(ROOT, tag)
    assert (ran.returncode, ran.stdout) == (1, "") and f"advisor/__init__.py has {__version__}" in ran.stderr


def test_the_notes_end_at_the_next_release_and_at_the_links(project: Path) -> None:
    changelog = project / "CHANGELOG.md"
    changelog.write_text(
        f"# Changelog\n\n## [Unreleased]\n\n- later\n\n## [{__version__}] - 2026-11-25\n\n### Added\n\n- this, see [a]\n\n"
        "## [0.9.0] - 2026-10-01\n\n- before\n\n[a]: https://example.org\n"
    )
    assert notes(project, f"v{__version__}").stdout == "\n### Added\n\n- this, see [a]\n"
    changelog.write_text(changelog.read_text().partition("## [0.9.0]")[0] + "[a]: https://example.org\n")
    assert "https" not in notes(project, f"v{__version__}").stdout
    changelog.write_text(f"# Changelog\n\n## [Unreleased]\n\n- later\n\n## [{__version__}]\n\n")
    ran = notes(project, f"v{__version__}")
    assert (ran.returncode, "says nothing" in ran.stderr) == (1, True)


def test_the_changelog_has_releases_of_keep_a_changelog() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", each) for each in headings[1:])
    for release in re.split(r"^## .*$", text, flags=re.MULTILINE)[1:]:
        kinds = re.findall(r"^### (.*)$", release, re.MULTILINE)
        assert len(set(kinds)) == len(kinds)
        assert set(kinds) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


@pytest.mark.parametrize("file", NAMED)
def test_what_users_copy_names_this_release(file: str) -> None:
    assert re.findall(NAMED[file], (ROOT / file).read_text()) == [__version__]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_actions_are_pinned_and_rights_are_given_to_jobs(name: str) -> None:
    text = WORKFLOWS[name].read_text()
    used = re.findall(r"uses: (?!\./)(.*)$", text, re.MULTILINE)
    assert used and [each for each in used if not PINNED.fullmatch(each)] == []
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    assert all("permissions" in job and "write-all" not in str(job["permissions"]) for job in workflow["jobs"].values())
    for job in workflow["jobs"].values():
        for step in job.get("steps", ()):
            assert "${{" not in step.get("run", ""), "values come through the environment, never into a script"
            assert "checkout" not in step.get("uses", "") or step["with"]["persist-credentials"] is False


def release_jobs() -> Any:
    return yaml.safe_load(WORKFLOWS["release"].read_text())["jobs"]


def test_a_jobs_identity_is_for_who_runs_none_of_our_code() -> None:
    jobs = release_jobs()
    trusted = {name for name, job in jobs.items() if job["permissions"].get("id-token") == "write"}
    assert trusted == {"attest", "publish"}
    for name in trusted:
        assert not any("run" in step or "checkout" in step["uses"] for step in jobs[name]["steps"])
    assert jobs["publish"]["environment"] == "pypi"
    assert [name for name, job in jobs.items() if job["permissions"].get("contents") == "write"] == ["release"]


def test_nothing_is_published_that_was_not_tested_built_and_attested() -> None:
    jobs, left = release_jobs(), ["release"]
    needed: set[str] = set()
    while left:
        needs = jobs[left.pop()].get("needs", [])
        new = {needs} if isinstance(needs, str) else set(needs)
        left += new - needed
        needed |= new
    assert needed == {"publish", "attest", "build", "test"}
    assert WORKFLOWS["test"].name in jobs["test"]["uses"]


def test_ci_plays_the_pythons_that_the_package_names() -> None:
    jobs = yaml.safe_load(WORKFLOWS["test"].read_text())["jobs"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [each.rpartition(" ")[2] for each in project["classifiers"] if "Python :: 3." in each]
    assert jobs["python"]["strategy"]["matrix"]["python"] == named
    assert project["requires-python"] == f">={named[0]}"
    assert [step for step in jobs["everything"]["steps"] if step.get("run") == ".ci/run"]
