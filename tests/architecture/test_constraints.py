"""constraints.txt: an exact version of everything that is installed for a test, and nothing that says where from."""

from __future__ import annotations

import re
import tomllib

from tests.support.commands import ROOT

LINES = (ROOT / "constraints.txt").read_text().splitlines()
OWN = "kafka-advisor"


def name_of(requirement: str) -> str:
    """The name of a package as registries compare it."""
    return re.split(r"[\[<>=!~; ]", requirement, maxsplit=1)[0].lower().replace("_", "-").replace(".", "-")


def test_every_line_is_an_exact_version() -> None:
    assert [line for line in LINES if not re.fullmatch(r"[\w.-]+==[\w.+!-]+", line)] == []


def test_everything_that_a_test_needs_has_a_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {name_of(each) for each in project["dependencies"]}
    needed |= {name_of(each) for extra in project["optional-dependencies"].values() for each in extra}
    assert sorted(needed - {OWN} - {name_of(line) for line in LINES}) == []
