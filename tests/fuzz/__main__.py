"""`python -m tests.fuzz --seconds 60`: fuzz every reader on all cores; `--seed N` plays one input again."""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from typing import Any

LONGEST = 3.0
"""Seconds that one input may take; what takes longer beside other work is played again alone."""
TOO_LONG = f"takes over {LONGEST} s"
TIME_IS_UP = "Slow"
"""How a fault begins to read where the program under test reports the end of its time as its own."""
MEMORY = 500 * 1024
"""kB that a process may have had at most."""
GROWTH = 100 * 1024
"""kB that a process may grow by once it is warm: more is a leak."""
WARM = 5000
"""Inputs after which a process has loaded the libraries of every target, and filled most caches."""
GOOD = b"acks=all\nbootstrap.servers=b1:9092,b2:9092\nsecurity.protocol=SSL\nclient.id=a\nkey.serializer=a.B\nvalue.serializer=a.B\n"


class Slow(BaseException):
    """An input took too long."""


def play(seed: int) -> str:
    """Play the input of one seed; the name of its target. Raises what the target raises, and Slow."""
    from tests.fuzz.targets import TARGETS

    source = random.Random(seed)
    target = source.choices(list(TARGETS), list(TARGETS.values()))[0]
    allowed = 20.0 if target.__name__ == "tables" else LONGEST
    signal.setitimer(signal.ITIMER_REAL, allowed)
    try:
        target(source)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return target.__name__


def prepare(folder: str) -> None:
    """Make the folder of a process, with the files that are right."""
    import json

    from tests.fuzz.targets import SNAPSHOT

    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    for name, data in (("good", GOOD), ("bad", GOOD.replace(b"acks=all", b"acks=1"))):
        with open(f"{name}.properties", "wb") as file:
            file.write(data)
    with open("good.json", "w", encoding="utf-8") as saved:
        json.dump(SNAPSHOT, saved)
    signal.signal(signal.SIGALRM, _too_slow)


def _too_slow(*_: object) -> None:
    raise Slow


def work(number: int, folder: str, first: int, deadline: float, faults: Any, counts: Any) -> None:
    """Play seeds until the deadline; every tenth of them is noted, for a process that dies."""
    prepare(os.path.join(folder, str(number)))
    played: Counter[str] = Counter()
    warm = 0
    seed = first + number * 10**12
    while time.monotonic() < deadline:
        with open("seed", "w", encoding="utf-8") as file:
            file.write(str(seed))
        try:
            played[play(seed)] += 1
        except KeyboardInterrupt:
            break
        except BaseException as error:
            late = isinstance(error, Slow) or TIME_IS_UP in str(error)
            faults.put((seed, TOO_LONG if late else traceback.format_exc(limit=-6)))
        seed += 1
        if played.total() == WARM:
            gc.collect()
            warm = _memory()
        if played.total() % 100 == 0:
            gc.collect()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if peak > MEMORY:
        faults.put((seed, f"the process had {peak // 1024} MB"))
    gc.collect()
    if warm and _memory() - warm > GROWTH:
        faults.put((seed, f"a leak: from {warm // 1024} MB after {WARM} inputs to {_memory() // 1024} MB"))
    counts.put((played, peak))


def _memory() -> int:
    """kB that the process has now."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def run(seconds: float, first: int, jobs: int) -> int:
    """Fuzz on some processes; the exit code is 1 where anything was found."""
    context = multiprocessing.get_context("fork")
    faults, counts = context.Queue(), context.Queue()
    deadline = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="kafka-advisor-fuzz-") as folder:
        workers = [
            context.Process(target=work, args=(number, folder, first, deadline, faults, counts))
            for number in range(jobs)
        ]
        for worker in workers:
            worker.start()
        played, peak, failures = _collect(workers, faults, counts, folder)
        failures = [(seed, why) for seed, why in failures if why != TOO_LONG or _is_slow_alone(seed, folder)]
    for seed, why in failures[:20]:
        print(f"\nseed {seed}: {why}", file=sys.stderr)
    listed = ", ".join(f"{count} {name}" for name, count in played.most_common())
    print(f"fuzz: {played.total()} inputs from seed {first} on in {seconds:.0f} s ({listed}); "
          f"{len(failures)} faults; at most {peak // 1024} MB")  # fmt: skip
    return 1 if failures else 0


def _is_slow_alone(seed: int, folder: str) -> bool:
    """Whether an input takes too long when nothing else is played."""
    prepare(os.path.join(folder, "alone"))
    try:
        play(seed)
    except Slow:
        return True
    except Exception as error:
        print(f"seed {seed}: {error!r} when played again", file=sys.stderr)
        return True
    print(f"seed {seed}: {TOO_LONG} beside other work, and not alone", file=sys.stderr)
    return False


def _collect(
    workers: list[Any], faults: Any, counts: Any, folder: str
) -> tuple[Counter[str], int, list[tuple[int, str]]]:
    played: Counter[str] = Counter()
    peak, failures = 0, []
    while any(worker.is_alive() for worker in workers) or not faults.empty() or not counts.empty():
        while not faults.empty():
            failures.append(faults.get())
        while not counts.empty():
            own, memory = counts.get()
            played, peak = played + own, max(peak, memory)
        time.sleep(0.05)
    for number, worker in enumerate(workers):
        if worker.exitcode:
            with open(os.path.join(folder, str(number), "seed"), encoding="utf-8") as file:
                failures.append((int(file.read()), f"the process ended with {worker.exitcode}"))
    return played, peak, failures


def main() -> int:
    """Parse the command line and fuzz, or play one seed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--first", type=int, default=None, help="the first seed (default: the time)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=None, help="play this one alone")
    options = parser.parse_args()
    if options.seed is None:
        return run(options.seconds, options.first if options.first is not None else int(time.time()), options.jobs)
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        print(play(options.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
