"""What a lint must not load: cold start is a feature, and module lists do not flicker as milliseconds do."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.commands import ROOT

HEAVY = (
    "rich", "yaml", "tomllib", "json", "typing", "dataclasses", "inspect", "logging", "difflib", "hashlib",
    "importlib.metadata", "importlib.resources", "shutil", "confluent_kafka", "kafka", "kazoo", "pyspark", "jinja2",
    "pyarrow", "numpy", "pandas",
)  # fmt: skip


@pytest.mark.parametrize("file", ["examples/good/server.properties", "examples/bad/producer.properties"])
def test_a_piped_lint_loads_nothing_heavy(file: str) -> None:
    code = (
        "import sys; from advisor.cli import main; code = main(sys.argv[1:]); "
        "print('loaded', *sorted(sys.modules), file=sys.stderr)"
    )
    command = [sys.executable, "-S", "-c", code, "lint", "--no-config", file]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    loaded = set(done.stderr.split())
    assert "advisor.engine" in loaded
    assert sorted(loaded & set(HEAVY)) == []


def test_a_file_loads_nothing_that_running_clusters_need() -> None:
    code = "import sys; from advisor.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-S", "-c", code, "lint", "--no-config", "examples/good/producer.properties"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    needless = {
        "advisor.engine.partitions",
        "advisor.engine.live_subjects",
        "advisor.model.cluster",
        "advisor.samples.cluster_text",
        "fnmatch",
    }
    assert sorted(set(done.stderr.split()) & needless) == []


def test_one_component_of_the_catalog_is_loaded() -> None:
    code = (
        "import sys; from advisor.cli import main; main(sys.argv[1:]); "
        "print(*[m for m in sys.modules if 'catalog.history.' in m], file=sys.stderr)"
    )
    command = [sys.executable, "-S", "-c", code, "lint", "--no-config", "examples/bad/producer.properties"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert sorted(done.stderr.split()) == ["advisor.catalog.history.index", "advisor.catalog.history.producer"]


def test_a_lint_without_options_needs_no_argument_parser() -> None:
    code = "import sys; from advisor.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-S", "-c", code, "lint", "examples/good/producer.properties"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert "argparse" not in done.stderr.split()


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
