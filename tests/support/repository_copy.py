"""This repository as a folder and a commit of its own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.support.commands import ROOT


def copy_of_this(folder: Path) -> Path:
    """This repository without tests and documents as a commit of its own, with what is not committed yet."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        if not name.startswith(("tests/", "docs/")) and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    commit(folder)
    return folder


def commit(folder: Path) -> None:
    """Make a repository of a folder, with everything in one commit."""
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "all")):
        named = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        subprocess.run(["git", *named, *command], cwd=folder, check=True, capture_output=True)
