"""Compare what the tool says of a start with Kafka's own classes, here and now.

`python -m tests.extra.verify_refusals [RELEASE …]` takes full releases such as 4.3.1, `4.4.0/4.3.1` for one whose Connect
and Streams are not there. It needs Maven and a JDK from 17 on, and says so where they are missing. STARTS and NODES in the
environment say how many random combinations are started for real; build/starts keeps them, and a later run goes on.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from advisor.analysis.startup.judge import StartupJudge
from advisor.analysis.startup.node import CHECKPOINTS, FACTOR, LEVEL, METADATA_ROLL, PLUG_INS, QUORUM, WAITS
from advisor.analysis.startup.queries import answer, read
from rules import all_rules
from tests.extra.questions import questions
from tests.extra.verify_starts import verify

HERE = Path(__file__).parent
RELEASES = ("2.8.2", "3.9.2", "4.3.1", "4.4.0/4.3.1")
KEPT = Path("build/starts")
EACH, SEED = 250, 1
JAVA = 17
OTHERS = ("connect", "streams")
"""What is not asked where its classes are those of another release."""
LIMIT = 600
"""Seconds for one release."""


def main(arguments: Sequence[str]) -> int:
    """Ask Kafka and the tool the same questions about each release, and print where they differ."""
    why_not = missing()
    if why_not:
        print(f"verify-refusals: skipped: {why_not}")
        return 0
    starter, wrong = StartupJudge(all_rules()), 0
    for release in arguments or RELEASES:
        started = time.perf_counter()
        jars = class_path(release)
        if jars is None:
            wrong += 1
            continue
        asked = [
            row for row in questions(short(release), SEED, EACH) if "/" not in release or row["component"] not in OTHERS
        ]
        differing = compare(asked, kafka(asked, jars), starter)
        wrong += differing
        print(f"verify-refusals: {release}: {len(asked)} questions, {differing} answered otherwise than by Kafka, "
              f"{time.perf_counter() - started:.0f} s")  # fmt: skip
        clients, nodes = (int(os.environ.get(name, "0")) for name in ("STARTS", "NODES"))
        wrong += verify(release, short(release), jars, starter, KEPT, clients, nodes)
    return 1 if wrong else 0


def missing() -> str | None:
    """Why the comparison cannot be made here."""
    lacking = [tool for tool in ("mvn", "java", "javac") if shutil.which(tool) is None]
    if lacking:
        return f"there is no {' and no '.join(lacking)}"
    said = subprocess.run(["java", "-version"], capture_output=True, text=True, check=False).stderr
    number = said.partition('version "')[2].split(".")[0].strip('"')
    return None if number.isdigit() and int(number) >= JAVA else f"it takes Java {JAVA}, not {number or 'this one'}"


def short(release: str) -> str:
    """4.3 of 4.3.1 and of 4.3.1/4.2.0."""
    return ".".join(release.partition("/")[0].split(".")[:2])


def class_path(release: str) -> str | None:
    """The jars of a release, from Maven; None and a line where it does not find them."""
    kafka_version, _, others = release.partition("/")
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "class-path"
        command = ["mvn", "-q", "-B", "-f", str(HERE / "kafka-classes.pom.xml"), f"-Dkafka.version={kafka_version}"]
        command += [f"-Dothers.version={others or kafka_version}"]
        command += ["dependency:build-classpath", f"-Dmdep.outputFile={found}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
        if done.returncode or not found.is_file():
            lines = [line for line in done.stdout.splitlines() if "ERROR" in line] or [done.stderr]
            print(f"verify-refusals: {release}: Maven does not find it: {lines[0][:300]}")
            return None
        return found.read_text()


def kafka(asked: Iterable[dict[str, Any]], jars: str) -> dict[str, dict[str, Any]]:
    """What Kafka's classes did with each question, by its id."""
    command = ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", jars, str(HERE / "Starts.java")]
    lines = "".join(json.dumps(row) + "\n" for row in asked)
    done = subprocess.run(
        command,
        input=lines,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode or not rows:
        raise SystemExit(f"verify-refusals: Java failed:\n{done.stderr[-2000:]}")
    return {row["id"]: row for row in rows}


def compare(asked: Iterable[dict[str, Any]], outcomes: dict[str, dict[str, Any]], starter: StartupJudge) -> int:
    """Print the questions that are answered otherwise; what the tool does not know is not a difference."""
    differing = 0
    for question in asked:
        said, did = answer(read(json.dumps(question)), starter), outcomes[question["id"]]
        if said["refused"] is None or said["refused"] == (did["outcome"] == "refused"):
            continue
        if phase_after(said) or (said["refused"] and question["component"] in OTHERS):
            continue
        differing += 1
        print(f"{question['id']}: {question['change']}")
        print(f"    Kafka: {did['outcome']} {did['detail'][:160]}")
        print(f"    we: {said['refused']} {said['reasons']}")
    return differing


LATER = (
    *(*PLUG_INS, *WAITS, *QUORUM, *CHECKPOINTS, LEVEL, METADATA_ROLL, FACTOR, "request.timeout.ms", "super.users"),
    *("log.dirs", "remote.log.storage.manager.class.name", "remote.log.metadata.manager.listener.name"),
)
"""Keys whose refusal comes after the configuration was read, where Starts.java stops: Nodes.java shows those, Clients.java
what workers and Streams refuse."""


def phase_after(said: dict[str, Any]) -> bool:
    """Whether the refusal is one that only a real start shows."""
    return bool(said["reasons"]) and all(reason["key"] in LATER for reason in said["reasons"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
