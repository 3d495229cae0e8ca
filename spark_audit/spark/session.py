"""A Spark session: the one that is active, as it is, else one of our own."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import threading
import warnings
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from spark_audit.spark.interrupts import CUT_OFF, heed, held, silenced
from spark_audit.spark.master_url import wrong

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO, Any

JAVA = 17
"""The oldest Java that Spark 4 runs on."""
PACKAGES = ("pyspark", "pandas", "pyarrow")
"""What Spark's Python side needs: its Arrow functions refuse to run without pandas, too."""
STACK = (b"\tat ", b"\t... ", b"Caused by: ", b"Traceback ", b"  File ", b"    ", b"\n")
ALL_CORES = "local[*]"
NOISE = (b"Using incubator modules", b"Using Spark's default log4j profile")


class NoSpark(Exception):
    """There is no Spark here: one line with what is missing and how to get it."""


@contextlib.contextmanager
def session(master: str | None = None, memory: str = "1g") -> Iterator[Any]:
    """The active session as it is, else a new one on `master` (default: this machine), stopped at the end.

    `memory` is the driver's. Raises NoSpark.
    """
    packages()
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    with contextlib.ExitStack() as stack:
        stack.enter_context(silenced())
        if "PYSPARK_GATEWAY_PORT" in os.environ:  # spark-submit started us, and its settings count
            own = SparkSession.builder.getOrCreate()
        else:
            java()
            there(master)
            levels = stack.enter_context(as_file(files("spark_audit.spark") / "log4j2.properties"))
            own = made(ALL_CORES if master is None else master, memory, str(levels))
        stack.enter_context(ending(own))
        heed()
        yield own


@contextlib.contextmanager
def working(master: str | None = None) -> Iterator[Any]:
    """A session for one command; where there is none, or where a job fails, one line says why. Raises Refused."""
    from advisor.errors import UserError

    try:
        packages()
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException
    except NoSpark as missing:
        raise UserError(f"{missing}") from None
    try:
        with session(master) as spark:
            yield spark
    except (NoSpark, PySparkException, Py4JError) as error:
        if CUT_OFF.is_set():
            raise KeyboardInterrupt from None
        told = str(error) if isinstance(error, NoSpark) else f"Spark: {said(error)}"
        raise UserError(f"{told}") from None


@contextlib.contextmanager
def ending(own: Any) -> Iterator[Any]:
    """Stop a session at the end; one that was cut off may have nobody any more whom it could tell."""
    try:
        yield own
    finally:
        if CUT_OFF.is_set():
            with contextlib.suppress(Exception), warnings.catch_warnings(action="ignore"):
                own.stop()
        else:
            own.stop()


def packages() -> None:
    """Raises NoSpark where a package is missing."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise NoSpark(
            f"{' and '.join(missing)} not installed: Spark needs `pip install 'kafka-advisor[spark]'` "
            "(or --engine local, which does without)"
        )


def java() -> None:
    """Raises NoSpark where there is no Java, or one that is too old."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=f"{home}/bin") if home else shutil.which("java")
    install = f"install Java {JAVA} or newer (apt install openjdk-{JAVA}-jre-headless) and set JAVA_HOME, or use --engine local"  # fmt: skip
    if not found:
        raise NoSpark(f"no java {f'in JAVA_HOME={home}' if home else 'on the PATH'}: Spark needs it; {install}")
    said = subprocess.run([found, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(?:1\.)?(\d+)', said)
    if version and int(version[1]) < JAVA:
        raise NoSpark(f"{found} is Java {version[1]}: {install}")


def there(master: str | None) -> None:
    """Raises NoSpark where a master can be none, or where nobody is."""
    reason = wrong(master, os.environ) if master is not None else None
    if reason:
        raise NoSpark(reason)


def made(master: str, memory: str, levels: str) -> Any:
    """A new session; a local one listens on the loopback only. Raises NoSpark."""
    from py4j.protocol import Py4JError
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkRuntimeError
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    conf = SparkConf().setMaster(master).setAppName("kafka-advisor")
    for key, value in settings(master, memory, levels).items():
        conf.set(key, value)
    if master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        with held():
            gateway = launch_gateway(conf, popen_kwargs={"stderr": subprocess.PIPE})
    except PySparkRuntimeError as error:
        raise NoSpark(f"Spark's Java process does not start: {said(error)}") from None
    threading.Thread(target=relay, args=(gateway.proc.stderr, sys.stderr), daemon=True).start()
    try:
        if CUT_OFF.is_set():
            raise KeyboardInterrupt
        context = SparkContext(conf=conf, gateway=gateway)
        heed()  # Spark's own handler asks the Java process something, in the middle of another question
        return SparkSession(context)
    except Py4JError as error:
        raise NoSpark(f"no session on {master}: {said(error)}") from None
    except KeyboardInterrupt:
        gateway.proc.terminate()
        raise


def said(error: Exception) -> str:
    """One line of what Spark says in many: what a worker refuses, else of a failure in Python its last, of one in Java its first."""
    lines = [" ".join(line.split()) for line in str(error).splitlines() if line.strip()]
    refused = next(filter(None, (re.match(r"[\w.]*Refused: kafka-advisor: (.*)", line) for line in lines)), None)
    if refused:
        return refused[1][:300]
    failures = [line for line in lines if re.match(r"\w*(Error|Exception|BadInventory)\b: ", line)]
    missing = next((line for line in failures if line.startswith("ModuleNotFoundError")), None)
    if missing:
        return f"{missing}: Spark's workers need it (pip install 'kafka-advisor[live,spark]', or --py-files)"
    absent = next((line for line in failures if line.startswith("FileNotFoundError")), None)
    if absent:
        return f"{absent[:200]}: folders must be ones that Spark's workers share with this machine"
    causes = [line.removeprefix(": ") for line in lines if line.startswith(": ")]
    return (failures or causes or lines or [type(error).__name__])[-1 if failures else 0][:300]


def settings(master: str, memory: str, levels: str) -> dict[str, str]:
    """What a session of our own is set to."""
    found = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": memory,
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile=file:{levels}",
    }
    if master.startswith("local"):
        loopback = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
        found |= {"spark.sql.shuffle.partitions": str(2 * cores(master)), **loopback}
    return found


def cores(master: str) -> int:
    """How many cores `local[N]` names; * is all of this machine."""
    number = re.match(r"local\[(\d+)", master)
    return int(number[1]) if number else (os.cpu_count() or 1) if "*" in master else 1


def relay(source: IO[bytes], sink: Any) -> None:
    """What the Java process says, without the lines that it says to everybody, and without stacks."""
    for line in source:
        if not CUT_OFF.is_set() and not line.startswith(STACK) and not any(noise in line for noise in NOISE):
            print(line.decode(errors="replace"), end="", file=sink)
