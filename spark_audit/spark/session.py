"""Open a Spark session: the active one, or a new one of our own."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from importlib.resources import as_file, files
from typing import Any

from advisor.temporary_folder import temporary_folder
from spark_audit.spark.interrupts import CUT_OFF, defer_interrupts, silence_interrupts, take_interrupts
from spark_audit.spark.master_url import find_problem, find_remote_problem
from spark_audit.spark.package_zip import write_zip

JAVA = 17
"""The oldest Java that Spark 4 runs on."""
PACKAGES = ("pyspark", "pandas", "pyarrow")
"""What Spark's Python side needs: its Arrow functions refuse to run without pandas, too."""
CONNECT_PACKAGES = ("grpc", "grpc_status", "google.protobuf", "zstandard")
ALL_CORES = "local[*]"


class NoSpark(Exception):
    """Spark cannot be used here: one line with what is missing and how to get it."""


@contextlib.contextmanager
def session(master: str | None = None, remote: str | None = None, memory: str = "1g") -> Iterator[Any]:
    """The active session as it is, else a new one on `master` or `remote` (default: this machine), stopped at the end.

    `memory` is the driver's. Raises NoSpark.
    """
    check_packages()
    active = active_session()
    if active is not None:
        yield active
        return
    with contextlib.ExitStack() as stack:
        stack.enter_context(silence_interrupts())
        started = stack.enter_context(stop_at_end(new_session(stack, master, remote, memory)))
        take_interrupts()
        yield started


def active_session() -> Any:
    """The session that this program has, None where it has none."""
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession()


def new_session(stack: contextlib.ExitStack, master: str | None, remote: str | None, memory: str) -> Any:
    """A session of spark-submit, of a Spark Connect server, or of our own. Raises NoSpark."""
    from pyspark.sql import SparkSession

    if remote is not None:
        check_connect(remote)
        started = SparkSession.builder.remote(remote).getOrCreate()
        folder = stack.enter_context(temporary_folder())
        started.addArtifacts(write_zip(folder), pyfile=True)
        return started
    if "PYSPARK_GATEWAY_PORT" in os.environ or "SPARK_REMOTE" in os.environ:  # started for us, and its settings count
        return SparkSession.builder.getOrCreate()
    check_java()
    check_master(master)
    log_config = stack.enter_context(as_file(files("spark_audit.spark") / "log4j2.properties"))
    return start_session(ALL_CORES if master is None else master, memory, str(log_config))


@contextlib.contextmanager
def open_session(master: str | None = None, remote: str | None = None) -> Iterator[Any]:
    """Open a session for one command; where that or a job fails, one line says why. Raises UserError."""
    from advisor.errors import UserError

    try:
        check_packages()
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException
    except NoSpark as missing:
        raise UserError(f"{missing}") from None
    try:
        with session(master, remote) as spark:
            yield spark
    except (NoSpark, PySparkException, Py4JError) as error:
        if CUT_OFF.is_set():
            raise KeyboardInterrupt from None
        reason = str(error) if isinstance(error, NoSpark) else f"Spark: {error_line(error)}"
        raise UserError(f"{reason}") from None


@contextlib.contextmanager
def stop_at_end(spark: Any) -> Iterator[Any]:
    """Stop a session at the end; after Ctrl-C its Java process may be gone, and errors do not matter."""
    try:
        yield spark
    finally:
        if CUT_OFF.is_set():
            with contextlib.suppress(Exception), warnings.catch_warnings(action="ignore"):
                spark.stop()
        else:
            spark.stop()


def check_packages() -> None:
    """Raise NoSpark where a package is missing."""
    missing = [name for name in PACKAGES if not is_installed(name)]
    if missing:
        raise NoSpark(
            f"{' and '.join(missing)} not installed: Spark needs `pip install 'kafka-advisor[spark]'` "
            "(or --engine local, which does without)"
        )


def check_java() -> None:
    """Raise NoSpark where there is no Java, or one that is too old."""
    home = os.environ.get("JAVA_HOME")
    path = shutil.which("java", path=f"{home}/bin") if home else shutil.which("java")
    install = f"install Java {JAVA} or newer (apt install openjdk-{JAVA}-jre-headless) and set JAVA_HOME, or use --engine local"  # fmt: skip
    if not path:
        raise NoSpark(f"no java {f'in JAVA_HOME={home}' if home else 'on the PATH'}: Spark needs it; {install}")
    version_text = subprocess.run([path, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(?:1\.)?(\d+)', version_text)
    if version and int(version[1]) < JAVA:
        raise NoSpark(f"{path} is Java {version[1]}: {install}")


def check_master(master: str | None) -> None:
    """Raise NoSpark where the master URL is invalid, or nothing listens there."""
    reason = find_problem(master, os.environ) if master is not None else None
    if reason:
        raise NoSpark(reason)


def is_installed(package: str) -> bool:
    """Whether a package is installed; one inside a package that is not there is not either."""
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def check_connect(remote: str) -> None:
    """Raise NoSpark where the packages of Spark Connect are missing, or nothing listens there."""
    missing = [name for name in CONNECT_PACKAGES if not is_installed(name)]
    if missing:
        raise NoSpark(f"{missing[0]} not installed: --remote needs `pip install 'kafka-advisor[connect]'`")
    reason = find_remote_problem(remote)
    if reason:
        raise NoSpark(reason)


def start_session(master: str, memory: str, log_config: str) -> Any:
    """Start a session; a local one listens on the loopback only. Raises NoSpark."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    if master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("kafka-advisor").master(master)
    for key, value in settings(master, memory, log_config).items():
        builder = builder.config(key, value)
    try:
        with defer_interrupts():
            started = builder.getOrCreate()
    except (PySparkException, Py4JError) as error:
        raise NoSpark(f"no session on {master}: {error_line(error)}") from None
    if CUT_OFF.is_set():
        started.stop()
        raise KeyboardInterrupt
    return started


def error_line(error: Exception) -> str:
    """Reduce a Spark error to one line: what a worker refused, else Python's last line, or Java's first and its cause."""
    lines = [" ".join(line.split()) for line in str(error).splitlines() if line.strip()]
    refusal = next(filter(None, (re.match(r"advisor\.errors\.\w+: (.*)", line) for line in lines)), None)
    if refusal:
        return refusal[1][:300]
    failures = [line for line in lines if re.match(r"\w*(Error|Exception|BadInventory)\b: ", line)]
    missing = next((line for line in failures if line.startswith("ModuleNotFoundError")), None)
    if missing:
        return f"{missing}: Spark's workers need it (pip install 'kafka-advisor[live,spark]', or --py-files)"
    if failures:
        return failures[-1][:300]
    outermost = next(
        (line.removeprefix(": ") for line in lines if line.startswith(": ")),
        lines[0] if lines else type(error).__name__,
    )
    innermost = [line.rpartition("Exception: ")[2] for line in lines if line.startswith("Caused by: ")][-1:]
    return ": ".join([outermost[:300], *(reason[:200] for reason in innermost if reason not in outermost)])


def settings(master: str, memory: str, log_config: str) -> dict[str, str]:
    """The configuration of a session of our own."""
    options = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower(),
        "spark.driver.memory": memory,
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile=file:{log_config}",
    }
    if master.startswith("local"):
        loopback = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
        options |= {"spark.sql.shuffle.partitions": str(2 * cores(master)), **loopback}
    return options


def cores(master: str) -> int:
    """The number of cores that `local[N]` names; * is all of this machine."""
    number = re.match(r"local\[(\d+)", master)
    return int(number[1]) if number else (os.cpu_count() or 1) if "*" in master else 1
