"""Check `--master` and `--remote`: their syntax, and whether a server listens; Spark itself waits minutes for none."""

from __future__ import annotations

import os
import re

from collectors.kafka.reachability import NobodyThere, probe

LOCAL = re.compile(r"local(\[(\*|[1-9]\d*)(\s*,\s*[1-9]\d*)?\]|-cluster\[\s*\d+\s*,\s*\d+\s*,\s*\d+\s*\])?")
STANDALONE = "spark://"
ADDRESS = re.compile(r"[^\s/,]+:\d+")
REMOTE = re.compile(r"sc://(\[[^\]\s]+\]|[^\s/:;]+)(?::(\d+))?(?:/.*)?")
CONNECT_PORT = 15002
FOLDERS = ("HADOOP_CONF_DIR", "YARN_CONF_DIR")
OTHERWISE = "leave --master out to work on this machine, or say --engine local"


def find_problem(master: str, environ: os._Environ[str] | dict[str, str]) -> str | None:
    """Why there can be no session on this master, with a remedy; None where there can be one."""
    if master.startswith(STANDALONE):
        return _standalone(master)
    if master == "yarn":
        return None if any(map(environ.get, FOLDERS)) else f"--master yarn: set {' or '.join(FOLDERS)}; or {OTHERWISE}"
    if LOCAL.fullmatch(master) or master.startswith("k8s://"):
        return None
    return f"--master {master}: is no master of Spark's; write local[4], spark://host:7077, yarn or k8s://host:443, or {OTHERWISE}"  # fmt: skip


def find_remote_problem(remote: str) -> str | None:
    """Why there can be no session of this Spark Connect server, with a remedy; None where there can be one."""
    if LOCAL.fullmatch(remote):
        return None
    match = REMOTE.fullmatch(remote)
    if match is None:
        return f"--remote {remote}: is no Spark Connect server; write sc://host:15002"
    try:
        probe([f"{match[1]}:{match[2] or CONNECT_PORT}"])
    except NobodyThere as nobody:
        return f"--remote {remote}: nothing listens there ({nobody}); start-connect-server.sh of Spark starts one"
    return None


def _standalone(master: str) -> str | None:
    addresses = master.removeprefix(STANDALONE).split(",")
    malformed = next((address for address in addresses if not ADDRESS.fullmatch(address)), None)
    if malformed is not None:
        return f"--master {master}: {malformed or 'an empty text'} is not an address; write spark://host:7077"
    try:
        probe(addresses)
    except NobodyThere as nobody:
        return f"--master {master}: nothing listens there ({nobody}); start the master, or {OTHERWISE}"
    return None
