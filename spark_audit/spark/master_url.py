"""What `--master` may be, and whether anybody is there: Spark itself asks a master that is away for a minute."""

from __future__ import annotations

import os
import re

from collectors.kafka.reachability import Nobody, knock

LOCAL = re.compile(r"local(\[(\*|[1-9]\d*)(\s*,\s*[1-9]\d*)?\]|-cluster\[\s*\d+\s*,\s*\d+\s*,\s*\d+\s*\])?")
STANDALONE = "spark://"
ADDRESS = re.compile(r"[^\s/,]+:\d+")
FOLDERS = ("HADOOP_CONF_DIR", "YARN_CONF_DIR")
OTHERWISE = "leave --master out to work on this machine, or say --engine local"


def wrong(master: str, environ: os._Environ[str] | dict[str, str]) -> str | None:
    """Why there can be no session on this master, in one line with what to do; None where there may be one."""
    if master.startswith(STANDALONE):
        return _standalone(master)
    if master == "yarn":
        return None if any(map(environ.get, FOLDERS)) else f"--master yarn: set {' or '.join(FOLDERS)}; or {OTHERWISE}"
    if LOCAL.fullmatch(master) or master.startswith("k8s://"):
        return None
    return f"--master {master}: is no master of Spark's; write local[4], spark://host:7077, yarn or k8s://host:443, or {OTHERWISE}"  # fmt: skip


def _standalone(master: str) -> str | None:
    addresses = master.removeprefix(STANDALONE).split(",")
    bad = next((each for each in addresses if not ADDRESS.fullmatch(each)), None)
    if bad is not None:
        return f"--master {master}: {bad or 'nothing'} is no address; write spark://host:7077"
    try:
        knock(addresses)
    except Nobody as nobody:
        return f"--master {master}: nobody is there ({nobody}); start the master, or {OTHERWISE}"
    return None
