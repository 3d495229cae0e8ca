"""Run the command line in this process, or as a process of its own."""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from advisor.cli import main

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
OF_SPARK = ("SPARK_SUBMIT_OPTS",)
"""Variables that a process has of this one (see spark_archive)."""


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run(*arguments: object) -> Ran:
    """The command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as left:
            code = int(left.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())


def loaded_by(*arguments: str) -> set[str]:
    """The modules that a command loads, those of `site` left out."""
    code = (
        "import sys\nfrom advisor.cli import main\n"
        "try:\n    main(sys.argv[1:])\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-S", "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=ENVIRONMENT, check=True)
    return set(done.stderr.split())


def process(
    *arguments: object,
    stdin: bytes = b"",
    cwd: Path = ROOT,
    flags: tuple[str, ...] = (),
    largest_file: int = -1,
    environment: Mapping[str, str] = ENVIRONMENT,
) -> Ran:
    """The command as a process of its own, whose files may have no more bytes than `largest_file`."""
    done = subprocess.run(
        [sys.executable, *flags, "-m", "advisor", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={name: os.environ[name] for name in OF_SPARK if name in os.environ} | dict(environment),
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file)),
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
