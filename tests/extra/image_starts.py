"""Start what images, charts and operators make of files, by Kafka's own classes: `python -m tests.extra.image_starts [--record]`.

The nodes of tests/data/image-starts.txt, of the examples and of the corpus, each with the settings that its image's own
start gives it; ports, folders and hosts are this machine's. What was refused, or started, has to be what the tool says.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from advisor.analysis.startup.judge import StartupJudge
from advisor.catalog.target import release_of
from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.errors import JudgedElsewhere, NothingToJudge, UnreadableInput
from advisor.model import SERVER_KINDS, Entity, Suppression, Target
from collectors.files.clusters import snapshots
from collectors.files.reader import File, read
from rules import all_rules
from tests.extra.compare_starts import ENVIRONMENT
from tests.extra.node_settings import SHARED, on_this_machine
from tests.extra.real_starts import environment, play
from tests.extra.verify_refusals import class_path, missing, short

DATA = Path(__file__).parent.parent / "data"
CASES, RECORDED = DATA / "image-starts.txt", DATA / "image-starts.jsonl"
OTHERS = ("examples/inputs", "examples/good", "examples/bad", "../shared/corpus")
JVMS, CHUNK, SECONDS = 2, 40, 10
RELEASES = ("2.8.2", "3.9.2", "4.3.1")
SEPARATOR = "### "
RULES = all_rules()
POLICY, STARTER = Policy(RULES), StartupJudge(RULES)


def main(arguments: Sequence[str]) -> int:
    """Play every node and print what the tool says otherwise; 1 where it says a refusal or a start that is not so."""
    why_not = missing()
    if why_not:
        print(f"image-starts: skipped: {why_not}")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = [row for path in inputs(folder) for row in rows_of(path, folder)]
        with ThreadPoolExecutor(JVMS) as pool:
            results = [
                row for part in pool.map(lambda release: played(release, rows, folder), RELEASES) for row in part
            ]
    if "--record" in arguments:
        RECORDED.write_text(
            "".join(f"{json.dumps(recorded(row))}\n" for row in results if is_case(row)), encoding="utf-8"
        )
    wrong = [row for row in results if differs(row)]
    print(*map(described, wrong), sep="\n", end="\n" if wrong else "")
    for image, counts in tally(results):
        print(f"image-starts: {image}: {counts}")
    print(f"image-starts: {len(results)} starts, {len(wrong)} said otherwise than they went")
    return 1 if wrong else 0


def inputs(folder: Path) -> Iterator[Path]:
    """The files that are played: the cases as files of a folder, the examples, and the corpus where it is there."""
    yield from written_cases(folder)
    for other in map(Path, OTHERS):
        if not other.is_dir():
            print(f"image-starts: there is no {other}: played without it")
        yield from (path for path in sorted(other.rglob("*")) if path.is_file())


def written_cases(folder: Path) -> list[Path]:
    """Write the cases as the files that they are."""
    paths = []
    for text in CASES.read_text(encoding="utf-8").split(SEPARATOR)[1:]:
        name, _, content = text.partition("\n")
        paths.append(folder / name)
        paths[-1].parent.mkdir(parents=True, exist_ok=True)
        paths[-1].write_text(content, encoding="utf-8")
    return paths


def rows_of(path: Path, folder: Path) -> Iterator[dict[str, Any]]:
    """A row for each node of a file: its settings, the nearest release that is played, and what the tool says of it."""
    try:
        pairs = read(File(str(path)))
    except (NothingToJudge, UnreadableInput, JudgedElsewhere):
        return
    if not isinstance(pairs, list):
        return
    for entity, _ in pairs:
        if entity.kind in SERVER_KINDS and not entity.fragment:
            release = nearest(entity)
            yield {
                "id": f"{str(path).removeprefix(f'{folder}/')} {entity.name}",
                "image": image_of([other for other, _ in pairs], entity),
                "release": release, "version": short(release), "component": "broker",
                "settings": {key: setting.value for key, setting in entity.settings.items()},
                **judged(entity, pairs, release),
            }  # fmt: skip


def nearest(entity: Entity) -> str:
    """The oldest release that is played and is not older than the node's; the newest for those that are newer."""
    newer = (release for release in RELEASES if entity.target.version <= release_of(short(release))[0])
    return next(newer, RELEASES[-1])


def image_of(entities: Sequence[Entity], node: Entity) -> str:
    """What a node comes from: its image without the tag, else the format of its file."""
    for entity in entities:
        if entity.kind == "deployment" and entity.name == node.name and "image" in entity.settings:
            return entity.settings["image"].value.partition(":")[0].removeprefix("quay.io/")
    return node.format


def judged(entity: Entity, pairs: Sequence[tuple[Entity, list[Suppression]]], release: str) -> dict[str, Any]:
    """What `starts` says of a node, and `lint` of its file, of the release that is played."""
    target = Target(release_of(short(release))[0], "played", given=True)
    for other, _ in pairs:
        other.target = target
    verdict = STARTER.judge(entity)
    findings = [
        finding
        for finding in judge(snapshots(pairs), RULES, POLICY).findings
        if finding.refused and finding.entity[1] == entity.name
    ]
    return {
        "reasons": list(dict.fromkeys(f"{row.key}: {row.message}" for row in (*verdict.reasons, *findings))),
        "unknown": [f"{row.key}: {row.reason}" for row in verdict.unknown],
    }


def played(release: str, rows: Sequence[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """The rows of a release with what Kafka's classes made of them."""
    jars = class_path(release)
    if jars is None:
        return []
    environment()
    beside, kept = SHARED + 2 * RELEASES.index(release), io.StringIO()
    asked = [
        row | {"settings": on_this_machine(row["settings"], number, beside, folder)}
        for number, row in enumerate(rows)
        if row["release"] == release
    ]
    for _ in play("Nodes", asked, jars, kept, CHUNK, SECONDS):
        print(f"image-starts: {release}: {kept.getvalue().count(chr(10))} of {len(asked)}", flush=True)
    return [json.loads(line) for line in kept.getvalue().splitlines()]


def recorded(row: dict[str, Any]) -> dict[str, Any]:
    """What `make test` holds the tool against: what became of a case."""
    return {key: row[key] for key in ("id", "release", "outcome")} | {
        "detail": row["detail"][:200] * (row["outcome"] == "refused")
    }


def is_case(row: dict[str, Any]) -> bool:
    """Whether a row is one of the cases that ship, and Kafka, not the machine, decided it."""
    return not row["id"].startswith(OTHERS) and not is_of_machine(row)


def is_of_machine(row: dict[str, Any]) -> bool:
    """Whether the machine, not the settings, ended a start."""
    return any(sign in row["detail"] for sign in ENVIRONMENT)


def differs(row: dict[str, Any]) -> bool:
    """Whether the tool says a refusal of what started, or a start of what was refused."""
    judged = row["reasons"] or not row["unknown"]
    return bool(judged) and not is_of_machine(row) and bool(row["reasons"]) != (row["outcome"] == "refused")


def described(row: dict[str, Any]) -> str:
    """A node that was said otherwise than it went."""
    settings = " ".join(f"{key}={value}" for key, value in sorted(row["settings"].items()))
    said = f"    we: {row['reasons'] or row['unknown'] or 'starts'}"
    return f"{row['id']} {row['release']}\n    {settings}\n    Kafka: {row['outcome']} {row['detail'][:300]}\n{said}"


def tally(rows: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """By image how many started and were refused, and of how many the file alone cannot tell."""
    for image in sorted({row["image"] for row in rows}):
        own = [row for row in rows if row["image"] == image]
        counts = Counter(row["outcome"] for row in own)
        counts["not judged"] = sum(bool(row["unknown"]) and not row["reasons"] for row in own)
        yield image, ", ".join(f"{number} {what}" for what, number in counts.items() if number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
