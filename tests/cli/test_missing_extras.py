"""A command whose extra is not installed says which one to install."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

AUDIT = ["audit", "fleet", "--out", "results"]
AUDIT_DIFF = ["audit-diff", "old", "new", "--out", "results"]
AUDIT_REPORT = ["audit-report", "results", "--html", "page.html"]
COLLECT = ["collect", "--inventory", "inventory.yaml", "--out", "fleet"]
CASES = [
    ("pygls", ["lsp"]),
    ("pyarrow", AUDIT),
    ("pyarrow", AUDIT_DIFF),
    ("pyarrow", AUDIT_REPORT),
    ("pyarrow", COLLECT),
    ("numpy", AUDIT),
    ("numpy", AUDIT_DIFF),
]


@pytest.mark.parametrize(("package", "arguments"), CASES, ids=lambda case: case if isinstance(case, str) else case[0])
def test_a_command_without_its_extra_names_it(tmp_path: Path, package: str, arguments: list[str]) -> None:
    absent = f'raise ModuleNotFoundError("No module named {package!r}", name="{package}")\n'
    (tmp_path / f"{package}.py").write_text(absent)
    command = [sys.executable, "-m", "advisor", *arguments]
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{Path(__file__).parents[2]}"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"kafka-advisor[{'lsp' if arguments == ['lsp'] else 'fleet'}]" in done.stderr
    assert "internal error" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
