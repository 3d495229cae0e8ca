"""What a lint must not load: cold start is a feature, and module lists do not flicker as milliseconds do."""

from __future__ import annotations

import pytest

from tests.support.commands import loaded_by

HEAVY = (
    "rich", "yaml", "tomllib", "json", "typing", "dataclasses", "inspect", "logging", "difflib", "hashlib",
    "importlib.metadata", "importlib.resources", "shutil", "confluent_kafka", "kafka", "kazoo", "pyspark", "jinja2",
    "pyarrow", "numpy", "pandas", "functools", "collections", "enum", "re",
)  # fmt: skip


@pytest.mark.parametrize(
    "file", ["examples/good/server.properties", "examples/bad/server.properties", "examples/bad/producer.properties"]
)
def test_a_piped_lint_loads_nothing_heavy(file: str) -> None:
    loaded = loaded_by("lint", file)
    assert "advisor.engine" in loaded
    assert sorted(loaded & set(HEAVY)) == []


def test_a_file_loads_nothing_that_running_clusters_need() -> None:
    needless = {
        "advisor.engine.partitions",
        "advisor.engine.subjects.live",
        "advisor.model.cluster",
        "advisor.samples.cluster_text",
        "fnmatch",
    }
    assert sorted(loaded_by("lint", "examples/good/producer.properties") & needless) == []


def test_one_component_of_the_catalog_is_loaded() -> None:
    components = {name for name in loaded_by("lint", "examples/bad/producer.properties") if "catalog.history." in name}
    assert sorted(components) == ["advisor.catalog.history.index", "advisor.catalog.history.producer"]


def test_a_lint_without_options_needs_no_argument_parser() -> None:
    assert "argparse" not in loaded_by("lint", "examples/good/producer.properties")


@pytest.mark.parametrize(
    "option", ["kind", "with_", "profile", "select", "rules", "format", "fail_on", "exit_zero", "debug"]
)
def test_the_parser_and_the_plain_call_have_the_same_defaults(option: str) -> None:
    from advisor.cli.parser import parse
    from advisor.cli.settings import only_files

    plain = only_files(["lint", "a", "-"])
    assert plain is not None
    parsed = parse(["lint", "a", "-"])
    assert (
        list(getattr(plain, option) or ()) if option in ("with_", "select", "rules") else getattr(plain, option)
    ) == (list(getattr(parsed, option) or ()) if option in ("with_", "select", "rules") else getattr(parsed, option))
    assert only_files(["lint", "--help"]) is None


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_what_needs_no_command_loads_none(option: str) -> None:
    loaded = loaded_by(option)
    assert "advisor.cli.registry" in loaded
    assert not [name for name in loaded if name.startswith(("advisor.cli.commands", "spark_audit", "rules"))]
