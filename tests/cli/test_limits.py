"""Every reader refuses what is beyond its limit: one line, exit code 2, in bounded time and memory."""

from __future__ import annotations

import gzip
import json
import os
import tempfile
import time
from pathlib import Path

import pytest

from advisor import limits
from advisor.errors import UnreadableInput, UserError
from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import document
from tests.support.commands import run
from tests.support.fork_server import fork
from tests.support.large_texts import LARGE_TEXTS
from tests.support.work import lines_run

GOOD = "acks=all\nbootstrap.servers=a:1,b:1\n"
MEMORY = 500 * 1024
"""kB that a command may take for a file of a megabyte, or one as large as any that is read."""
SHORTEST, DOUBLINGS, ROUNDS, NOISE = 15_000, 3, 2, 0.1
FACTOR = 3.0**DOUBLINGS
"""Linear is 2 per doubling, quadratic 4."""
SECONDS = 20.0
LONG = ("comments", "one value", "continuations")
"""Texts of which a file as large as any that is read is judged; of others a quarter of a megabyte, in a quarter of the memory."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.properties").write_text(GOOD)
    return tmp_path


MEASURED = """
import resource, sys
from advisor.cli import main

code = main(sys.argv[1:])
(peak,) = (line.split()[1] for line in open("/proc/self/status") if "VmHWM" in line)
print(peak, resource.getrusage(resource.RUSAGE_SELF).ru_utime, file=sys.stderr)
sys.exit(code)
"""
"""Python that runs a command, and then writes its peak of memory and its seconds of the processor."""


def bounded(*arguments: str, stdin: str = os.devnull, memory: int = MEMORY) -> tuple[int, str]:
    """(exit code, standard error) of a command as a process; fails where it takes too much of the processor or of memory."""
    prelude = f"import os\nos.chdir({os.getcwd()!r})\n{MEASURED}"
    with open(stdin, "rb") as source, open(os.devnull, "wb") as out, tempfile.TemporaryFile() as err:
        code = fork(arguments, ("advisor.cli.commands.lint",), (source, out, err), prelude).wait(60)
        err.seek(0)
        written = err.read().decode()
    *lines, measured = written.strip().splitlines()
    peak, seconds = measured.split()
    assert float(seconds) < SECONDS
    assert int(peak) < memory
    assert "Traceback" not in written
    assert "internal error" not in written
    return code, "\n".join(lines)


def test_a_gzip_bomb_is_not_unpacked(folder: Path) -> None:
    Path("bomb.json.gz").write_bytes(gzip.compress(b" " * 100 * limits.MB, 1) * 12)
    for command in (
        ("lint", "bomb.json.gz", "--no-config"),
        ("diff", "bomb.json.gz", "good.properties", "--no-config"),
    ):
        code, err = bounded(*command)
        assert code == 2
        assert "over 128 MB" in err
        assert len(err.splitlines()) == 1


def test_standard_input_is_not_read_without_end(folder: Path) -> None:
    with open("endless", "wb") as endless:
        endless.write(b'{"')
        endless.truncate(limits.SNAPSHOT[1] + 100 * limits.MB)
    code, err = bounded("lint", "-", "--no-config", stdin="endless")
    assert code == 2
    assert "<stdin>: over 128 MB" in err


def test_dev_zero_is_no_configuration_file(folder: Path) -> None:
    code, err = bounded("lint", "/dev/zero", "--no-config")
    assert code == 2
    assert "over 32 MB" in err or "binary" in err


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
WRONG_YAML = {
    "an alias bomb": (BOMB, "more than 200000 values"),
    "an alias of itself": ("a: &a [*a]\n", "an alias that holds itself"),
    "nested": ("a: " + "[" * 100_000, "nested deeper than 100 levels"),
    "a day that is none": ("profile: 2001-99-99\n", "the value is no timestamp"),
    "a number that is none": ("profile: !!int x\n", "the value is no int"),
    "a number of 5,000 digits": (f"profile: {'1' * 5000}\n", "is no int"),
    "an object": ("profile: !!python/object/apply:os.system [id]\n", ":1:10: a tag that is not taken"),
    "a key twice": ("profile: dev\nignore: []\nprofile: dev\n", ":3:1: the key stands in line 1, too"),
    "no text": ("profile: \x00\n", "not YAML"),
    "not UTF-8": ("profile: \udcff\n", "not YAML"),
    "too large": ("# " + "x" * 2 * limits.MB, "over 1 MB"),
}
BOUNDED = ("an alias bomb", "an alias of itself", "nested", "too large")
"""Those that `lint` reads in a process of its own, whose memory and time are measured; waivers are read by the same reader."""


@pytest.mark.parametrize("name", WRONG_YAML)
@pytest.mark.parametrize("reader", ["config", "waivers"])
def test_yaml_beyond_its_limits_is_one_line(folder: Path, name: str, reader: str) -> None:
    text, reason = WRONG_YAML[name]
    Path("wrong.yaml").write_bytes(text.encode("utf-8", "surrogateescape"))
    command = ("lint", "good.properties", "--config", "wrong.yaml")
    if reader == "waivers":
        Path("c.json").write_text(json.dumps(document(parse_cluster("brokers 1"))))
        command = ("audit", "c.json", "--no-config", "--engine", "local", "--waivers", "wrong.yaml", "--out", "out")  # type: ignore[assignment]
    ran = None if name in BOUNDED and reader == "config" else run(*command)
    code, err = (ran.code, ran.err) if ran else bounded(*command)
    assert code == 2
    assert reason in err
    assert len(err) < 1000
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a = " + "[" * 100_000, "nested too deep"),
        ("[tool.kafka-advisor]\nprofile = 'dev'\nprofile = 'dev'\n", "not TOML"),
        ("[tool.kafka-advisor]\nprofile = 2001-99-99\n", "not TOML"),
        ("# " + "x" * 5 * limits.MB, "over 4 MB"),
    ],
    ids=["deep", "twice", "day", "large"],
)
def test_toml_beyond_its_limits_is_one_line(folder: Path, text: str, reason: str) -> None:
    Path("wrong.toml").write_text(text)
    code, err = bounded("lint", "good.properties", "--config", "wrong.toml")
    assert code == 2
    assert reason in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "query",
    [
        '{"events": {"kill": 1000000000}}',
        '{"events": {"kill": 21}}',
        '{"replicas": 1000000000}',
        '{"records": 1000000000}',
        '{"kafka_version": "4.²"}',
        '{"kafka_version": "' + "9" * 5000 + '.1"}',
        '{"x": ' + "[" * 100_000,
        '{"min_isr": ' + "9" * 5000 + "}",
        '{"min_isr": NaN}',
        '{"id": "' + "x" * 2 * limits.MB + '"}',
    ],
    ids=lambda query: query[:30],
)
def test_a_query_beyond_its_limits_is_one_line(folder: Path, query: str) -> None:
    Path("queries.jsonl").write_text(query + "\n")
    code, err = bounded("simulate", "--queries", "queries.jsonl")
    assert code == 2
    assert "line 1" in err
    assert len(err) < 1000
    assert len(err.splitlines()) == 1


def test_failures_beyond_the_limit_are_one_line() -> None:
    ran = run("simulate", "--rf", "3", "--fail", ",".join(["kill"] * 30))
    assert ran.code == 2
    assert "30 failures: up to 20" in ran.err


def test_voters_beyond_the_limit_of_a_rollout_are_one_line(folder: Path) -> None:
    voters = ",".join(f"{number}@c{number}:9093" for number in range(1, limits.MOST_VOTERS + 2))
    for side in ("old", "new"):
        Path(f"{side}.properties").write_text(
            f"process.roles=broker,controller\nnode.id=1\n# {side}\ncontroller.quorum.voters={voters}\n"
        )
    ran = run("rollout", "old.properties", "new.properties")
    assert ran.code == 2
    assert ran.err == "kafka-advisor: old.properties: over 50 voters; rollout judges as many\n"


def test_variables_of_kubernetes_that_hold_each_other_are_filled_in_up_to_the_limit(folder: Path) -> None:
    doubled = "".join(f"    - {{name: A{n + 1}, value: $(A{n})$(A{n})}}\n" for n in range(60))
    head = "apiVersion: v1\nkind: Pod\nmetadata: {name: k}\nspec:\n  containers:\n  - image: apache/kafka:4.0.0\n    env:\n"
    variables = "    - {name: A0, value: '1'}\n" + doubled
    for last in (3, 60):
        setting = f"    - {{name: KAFKA_NUM_IO_THREADS, value: $(A{last})}}\n"
        Path(f"k{last}.yaml").write_text(head + variables + setting)
    assert " = 11111111 " in run("effective", "k3.yaml").out
    assert " = ${A60} " in run("effective", "k60.yaml").out


def test_releases_beyond_the_limit_are_refused_before_the_others_are_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_BROKERS", 3)
    values = "overrideConfiguration: {min.insync.replicas: 1}"
    app = f"---\nkind: Application\nspec: {{source: {{chart: kafka, helm: {{values: '{values}'}}}}}}\n"
    work = []
    for count in (20, 20, 60):
        Path("apps.yaml").write_text(app * count)
        work.append(lines_run(lambda: run("lint", "apps.yaml", "--no-config")))
    assert "over 3 nodes" in run("lint", "apps.yaml", "--no-config").err
    assert work[2] - work[1] < 40 * 4000


def test_partitions_beyond_the_limit_are_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PARTITIONS", 3)
    saved = document(parse_cluster("brokers 1 2 3\ntopic a retention.ms=1\n0-3: leader 1 replicas 1,2,3 isr 1,2,3"))
    Path("c.json").write_text(json.dumps(saved))
    ran = run("lint", "c.json", "--no-config")
    assert ran.code == 2
    assert "more than 3 partitions" in ran.err


@pytest.mark.parametrize("what", LARGE_TEXTS)
def test_a_large_file_is_judged_or_refused_in_bounded_memory(folder: Path, what: str) -> None:
    """`make bench-large` measures their seconds."""
    size, memory = (32 * limits.MB, MEMORY) if what in LONG else (limits.MB // 4, MEMORY // 4)
    Path("large.properties").write_text(LARGE_TEXTS[what](size - 200))
    code, err = bounded("lint", "large.properties", "--no-config", "--exit-zero", memory=memory)
    assert code in (0, 2)
    assert len(err.splitlines()) <= 1


@pytest.mark.parametrize("what", LARGE_TEXTS)
def test_a_file_twice_as_large_takes_about_twice_as_long(folder: Path, what: str) -> None:
    text, size = LARGE_TEXTS[what], SHORTEST * 2**DOUBLINGS
    _seconds(text(100))
    shortest = min(_seconds(text(SHORTEST)) for _ in range(ROUNDS))
    assert any(_seconds(text(size)) < shortest * FACTOR + NOISE for _ in range(ROUNDS)), what


def _seconds(text: str) -> float:
    """CPU seconds of this process for one file."""
    Path("large.properties").write_text(text)
    started = time.process_time()
    run("lint", "large.properties", "--no-config", "--exit-zero")
    return time.process_time() - started


@pytest.mark.parametrize("size", ["64M", "1G", "67108864", "1 KB"])
def test_sizes_are_written_with_units(size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_raised", 0)
    limits.raise_to(size)
    assert limits.size(limits.CONFIGURATION) >= 32 * limits.MB


@pytest.mark.parametrize("size", ["", "x", "-1", "1T", "²", "1" * 30])
def test_other_sizes_are_refused(size: str) -> None:
    with pytest.raises(UserError, match="is not a size"):
        limits.raise_to(size)


def test_max_size_raises_the_limit_of_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONFIGURATION", ("a configuration file", 100))
    Path("config.yaml").write_text("# " + "x" * 2 * limits.MB + "\nprofile: dev\n")
    command = ("lint", "good.properties", "--config", "config.yaml", "--exit-zero")
    assert "--max-size raises it" in run(*command).err
    monkeypatch.setattr(limits, "_raised", 0)
    assert run("--max-size", "4M", *command).code == 0
    monkeypatch.setattr(limits, "_raised", 0)
    assert run(*command, "--max-size=4M").code == 0


def test_members_of_gzip_are_read_one_after_the_other() -> None:
    data = gzip.compress(b"a" * 10) + gzip.compress(b"b" * 10)
    assert limits.decompress(data, ("x", 20), "x") == b"a" * 10 + b"b" * 10
    with pytest.raises(UnreadableInput, match="over"):
        limits.decompress(data, ("x", 19), "x")
    with pytest.raises(EOFError):
        limits.decompress(data[:-5], ("x", 20), "x")
