"""`kafka-advisor` as a program on the path, as an installed one is."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.support.commands import ROOT


def program(folder: Path) -> Path:
    """Write the program into a folder that is made; returns its path. The words of MORE_OPTIONS come after its arguments."""
    path = folder / "kafka-advisor"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m advisor "$@" $MORE_OPTIONS\n')
    path.chmod(0o755)
    return path


def path_with(folder: Path) -> str:
    """A PATH in which the program of a folder comes first."""
    return f"{program(folder).parent}{os.pathsep}{os.environ['PATH']}"
