"""Zip the packages of this tool, for Spark's workers."""

from __future__ import annotations

import os
import zipfile
from importlib import import_module

PACKAGES = ("advisor", "rules", "collectors", "spark_audit")
ZIP = "kafka_advisor.zip"
TIMESTAMP = (2020, 1, 1, 0, 0, 0)
"""The timestamp of every file, so that equal contents are equal zips."""


def write_zip(folder: str) -> str:
    """Write the zip into a folder; returns its path."""
    path = os.path.join(folder, ZIP)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in PACKAGES:
            _add(archive, name)
    return path


def _add(archive: zipfile.ZipFile, package: str) -> None:
    """Add a package's files to the zip, its data among them."""
    root = os.path.dirname(str(import_module(package).__file__))
    for folder, folders, names in sorted(os.walk(root)):
        folders[:] = [subfolder for subfolder in folders if subfolder != "__pycache__"]
        for name in sorted(names):
            file = os.path.join(folder, name)
            info = zipfile.ZipInfo(os.path.join(package, os.path.relpath(file, root)), TIMESTAMP)
            with open(file, "rb") as handle:
                archive.writestr(info, handle.read(), zipfile.ZIP_DEFLATED)
