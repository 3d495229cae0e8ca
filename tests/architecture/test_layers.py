"""The rooms of the house: every package is in the contract of layers, no import goes back up, nothing goes in a circle."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator

import pytest

from tests.support.commands import ROOT, loaded_by

PACKAGES = ("advisor", "rules", "collectors", "spark_audit")
WHOLE_PACKAGES = ("rules", "collectors")
"""Packages that are one room each."""
LEAVES = {"advisor.py.typed"}
COLD_MODULES = 84
"""Modules of ours that a lint of one file loads."""


@pytest.fixture(scope="module")
def graph() -> object:
    """Every import between our modules, lazy and type-checking ones included."""
    import grimp

    return grimp.build_graph(*PACKAGES, exclude_type_checking_imports=False, cache_dir=None)


def contracts() -> list[dict[str, object]]:
    """The contracts of import-linter, as pyproject.toml has them."""
    declared: list[dict[str, object]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
        "contracts"
    ]
    return declared


def rooms() -> Iterator[str]:
    """Every child of the packages."""
    for package in PACKAGES:
        if package in WHOLE_PACKAGES:
            yield package
            continue
        for path in sorted((ROOT / package).iterdir()):
            if path.is_dir() and (path / "__init__.py").exists():
                yield f"{package}.{path.name}"
            elif path.suffix == ".py" and path.stem != "__init__":
                yield f"{package}.{path.stem}"


def test_every_room_is_in_the_contract_of_layers() -> None:
    (layers,) = [contract["layers"] for contract in contracts() if contract["type"] == "layers"]
    named = {name.strip() for layer in layers for name in layer.replace(":", "|").split("|")}  # type: ignore[attr-defined]
    assert named == set(rooms())


def test_the_contracts_count_every_import() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert not settings.get("exclude_type_checking_imports")
    for contract in contracts():
        assert not {"ignore_imports", "allow_indirect_imports"} & contract.keys()


def test_the_contracts_hold() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as lint; lint()", "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_pyspark_is_imported_by_one_package_alone() -> None:
    (protected,) = [contract for contract in contracts() if contract["type"] == "protected"]
    assert (protected["protected_modules"], protected["allowed_importers"]) == (["pyspark"], ["spark_audit.spark"])


def test_there_is_no_import_circle(graph: object) -> None:
    assert circles(graph) == []


def circles(graph: object) -> list[list[str]]:
    """Modules that reach themselves: strongly connected components, by Tarjan's algorithm."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    components: list[list[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for imported in graph.find_modules_directly_imported_by(module):  # type: ignore[attr-defined]
            if imported not in index:
                visit(imported)
            if imported in stack:
                low[module] = min(low[module], low[imported])
        if low[module] == index[module]:
            at = stack.index(module)
            components.append(sorted(stack[at:]))
            del stack[at:]

    for module in sorted(graph.modules):  # type: ignore[attr-defined]
        if module not in index:
            visit(module)
    return [component for component in components if len(component) > 1]


def test_a_circle_would_be_seen() -> None:
    class Three:
        """a imports b, b imports c, c imports a."""

        modules = frozenset("abc")

        def find_modules_directly_imported_by(self, module: str) -> set[str]:
            return {"a": {"b"}, "b": {"c"}, "c": {"a"}}[module]

    assert circles(Three()) == [["a", "b", "c"]]


def test_commands_import_no_command(graph: object) -> None:
    names = {path.stem for path in (ROOT / "advisor/cli/commands").glob("*.py")} - {"__init__"}
    commands = {f"advisor.cli.commands.{name}" for name in names}
    assert {"advisor.cli.commands.lint", "advisor.cli.commands.check", "advisor.cli.commands.explain"} <= commands
    for command in commands:
        assert not commands & graph.find_modules_directly_imported_by(command), command  # type: ignore[attr-defined]


def test_a_rule_needs_little(graph: object) -> None:
    allowed = ("advisor.cache", "advisor.rule", "advisor.facts", "advisor.catalog", "rules.claims", "rules")
    for path in sorted((ROOT / "rules").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if module in ("rules", "rules.build_index", "rules.claims"):
            continue
        imported = graph.find_modules_directly_imported_by(module)  # type: ignore[attr-defined]
        assert not [name for name in imported if not name.startswith(allowed)], module


def test_a_cold_lint_loads_few_modules() -> None:
    ours = [name for name in loaded_by("lint", "examples/bad/server.properties") if name.partition(".")[0] in PACKAGES]
    assert 50 < len(ours) <= COLD_MODULES, sorted(ours)


def test_no_test_imports_another() -> None:
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not [name for name in names if name.startswith("tests.") and ".test_" in name], path
