"""The source distribution and the wheel, built as a release builds them; what is installed from them lints and links."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from advisor import __version__
from tests.support.browser import missing
from tests.support.commands import ROOT
from tests.support.repository_copy import copy_of_this

URLS = re.compile(r"^\[project\.urls\]\n(?:.+\n)*", re.MULTILINE)
PAGES = "https://docs.example.org/kafka/docs"
ROOMS = {"advisor", "rules", "collectors", "spark_audit"}


def built(folder: Path, with_urls: bool) -> dict[str, Path]:
    """The distributions of a copy of this project by their suffix, with or without a URL."""
    copy = copy_of_this(folder / "source")
    text = URLS.sub("", (copy / "pyproject.toml").read_text())
    own = f'\n[project.urls]\nDocumentation = "{PAGES}"\n' if with_urls else ""
    (copy / "pyproject.toml").write_text(text + own)
    command = [sys.executable, "-m", "build", "--outdir", str(folder / "dist"), str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if re.search("Could not find a version|No matching distribution", done.stdout + done.stderr):
        missing("no package index, from which a build takes setuptools")
    assert done.returncode == 0, done.stdout + done.stderr
    return {path.suffix: path for path in (folder / "dist").iterdir()}


@pytest.fixture(scope="module", params=[True, False], ids=["with a URL", "without one"])
def distributions(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[bool, dict[str, Path]]:  # fmt: skip
    return request.param, built(tmp_path_factory.mktemp("build"), request.param)


def test_both_hold_the_packages_and_nothing_else(distributions: tuple[bool, dict[str, Path]]) -> None:
    _, files = distributions
    assert {files[".whl"].name, files[".gz"].name} == {
        f"kafka_advisor-{__version__}-py3-none-any.whl",
        f"kafka_advisor-{__version__}.tar.gz",
    }
    names = zipfile.ZipFile(files[".whl"]).namelist()
    assert {name.partition("/")[0] for name in names} == {*ROOMS, f"kafka_advisor-{__version__}.dist-info"}
    with tarfile.open(files[".gz"]) as archive:
        tops = {name.split("/")[1] for name in archive.getnames() if name.count("/") == 1}
    assert {*ROOMS, "pyproject.toml", "README.md", "LICENSE"} <= tops


def test_what_is_installed_lints_and_links_to_the_projects_url(
    distributions: tuple[bool, dict[str, Path]], tmp_path: Path
) -> None:
    linked, files = distributions
    zipfile.ZipFile(files[".whl"]).extractall(tmp_path / "installed")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    environment.pop("KAFKA_ADVISOR_RULES_URL", None)
    command = [sys.executable, "-m", "advisor", "lint", "--no-config", "--format", "sarif"]
    file = ROOT / "examples/bad/producer.properties"
    done = subprocess.run(
        [*command, str(file)], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 1, done.stderr
    assert (f'"helpUri": "{PAGES}/rules/KA101.md"' in done.stdout) == linked
    assert ("kafka-advisor explain KA101" in done.stdout) == (not linked)
