"""Build the files that spark-submit needs: `python -m spark_audit.bundle dist/`.

kafka_advisor.zip holds the packages, for --py-files; audit_job.py is what spark-submit runs. The workers' Python needs
pyarrow, numpy and pandas (and for `collect` the clients of the extra `live`), the driver's rich and pyyaml as well.
"""

from __future__ import annotations

import os
import shutil
import sys
import zipfile
from importlib import import_module

PACKAGES = ("advisor", "rules", "collectors", "spark_audit")
ZIP, JOB = "kafka_advisor.zip", "audit_job.py"
TIMESTAMP = (2020, 1, 1, 0, 0, 0)
"""The timestamp of every file, so that equal contents are equal zips."""


def bundle(folder: str) -> list[str]:
    """Write both files; returns their paths."""
    os.makedirs(folder, exist_ok=True)
    path, job = os.path.join(folder, ZIP), os.path.join(folder, JOB)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in PACKAGES:
            _add(archive, name)
    shutil.copyfile(str(import_module("spark_audit.audit_job").__file__), job)
    return [path, job]


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


if __name__ == "__main__":
    print("\n".join(bundle(sys.argv[1] if len(sys.argv) > 1 else "dist")))
