"""Build the files that spark-submit needs: `python -m spark_audit.bundle dist/`.

kafka_advisor.zip holds the packages, for --py-files; audit_job.py is what spark-submit runs. The workers' Python needs
pyarrow, numpy and pandas (and for `collect` the clients of the extra `live`), the driver's rich and pyyaml as well.
"""

from __future__ import annotations

import os
import shutil
import sys
from importlib import import_module

from spark_audit.spark.package_zip import write_zip

JOB = "audit_job.py"


def bundle(folder: str) -> list[str]:
    """Write both files; returns their paths."""
    os.makedirs(folder, exist_ok=True)
    job = os.path.join(folder, JOB)
    shutil.copyfile(str(import_module("spark_audit.audit_job").__file__), job)
    return [write_zip(folder), job]


if __name__ == "__main__":
    print("\n".join(bundle(sys.argv[1] if len(sys.argv) > 1 else "dist")))
