"""Which files of a folder may describe the same cluster as one that is edited, and which its reader looks at."""

from __future__ import annotations

import os
from collections.abc import Iterator

from advisor.cli.sides.changed_files import MOST_BESIDE, SPRINGS_FOLDER, TERRAFORM
from collectors.files.folder import reason_to_pass_over
from collectors.files.mentions import mentions_kafka

LARGEST = 1024 * 1024
"""Bytes of a file that is judged with another one at every pause of typing."""
COMPOSE = ("compose.yml", "compose.yaml")
YAML_OR_PROPERTIES = (".yml", ".yaml", ".properties")


def beside(path: str) -> list[str]:
    """The files that are read to see which belong to the same cluster: those of the folder, and namesakes in folders beside it."""
    folder, name = os.path.split(path)
    above = os.path.dirname(folder)
    namesakes = (
        os.path.join(above, other, name) for other in folders_of(above) if os.path.join(above, other) != folder
    )
    return [each for each in (*files_of(folder), *namesakes) if each != path and may_belong(each)]


def context(path: str) -> list[str]:
    """The files without which its reader would take a file for something else: of a module of Terraform, an application, a Compose project."""
    folder, name = os.path.split(path)
    if name.endswith(TERRAFORM):
        return [each for each in files_of(folder) if each.endswith(TERRAFORM) and each != path]
    if is_of_spring(name):
        folders = (folder, os.path.dirname(folder) if os.path.basename(folder) == SPRINGS_FOLDER else os.path.join(folder, SPRINGS_FOLDER))  # fmt: skip
        return [each for there in folders for each in files_of(there) if is_of_spring(os.path.basename(each)) and each != path]  # fmt: skip
    if is_of_compose(name):
        return [each for each in files_of(folder) if is_of_compose(os.path.basename(each)) and each != path]
    return []


def is_of_spring(name: str) -> bool:
    """Whether it is named as the configuration of a Spring application."""
    return name.startswith(("application", "bootstrap")) and name.endswith(YAML_OR_PROPERTIES)


def is_of_compose(name: str) -> bool:
    """Whether it is named as a file of a Compose project, or of its variables."""
    return name.endswith((*COMPOSE, ".env")) or (name.startswith(("compose.", "docker-compose.")) and name.endswith(YAML_OR_PROPERTIES))  # fmt: skip


def files_of(folder: str) -> Iterator[str]:
    """The regular files of a folder that may hold configuration; none of a large one."""
    entries = entries_of(folder)
    if len(entries) <= MOST_BESIDE:
        yield from (
            entry.path
            for entry in entries
            if entry.is_file(follow_symlinks=False) and not reason_to_pass_over(entry.name)
        )


def folders_of(folder: str) -> list[str]:
    """The names of the folders in a folder; none of a large one."""
    entries = entries_of(folder)
    return [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)] if len(entries) <= MOST_BESIDE else []  # fmt: skip


def entries_of(folder: str) -> list[os.DirEntry[str]]:
    """What a folder holds, in order; nothing where it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def may_belong(path: str) -> bool:
    """Whether a file is small enough to be judged with another one, and mentions Kafka."""
    try:
        return os.path.isfile(path) and os.path.getsize(path) <= LARGEST and mentions_kafka(path)
    except OSError:
        return False
