"""Read the two sides of a rollout."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from advisor.cli.inputs import Inputs, clusters
from advisor.cli.settings import RunSettings
from advisor.model import Snapshot


def read_side(path: str, settings: RunSettings) -> list[Snapshot] | None:
    """The files of one side as one cluster; None where one cannot be read, which was reported."""
    inputs = Inputs()
    main = inputs.read([path], settings)
    if inputs.errors or not (main or inputs.saved):
        inputs.say_walks()
        return None
    return clusters(main, [], inputs, settings, one_cluster=True)


def renamed_files(snapshots: Sequence[Snapshot], old: str, new: str) -> dict[str, str]:
    """The files of the new side, each with the path that it has on the old one."""
    files = {entity.file for snapshot in snapshots for entity in snapshot.entities if entity.file}
    if Path(new).is_file():
        return dict.fromkeys(files, old)
    return {file: str(Path(old) / Path(file).relative_to(new)) for file in files if Path(file).is_relative_to(new)}
