"""Start what images, charts and operators make of files, by Kafka's own classes: `python -m tests.extra.image_starts [FILE …]`.

The nodes of tests/data/image-starts.txt, of the examples and of the corpus, each with the settings that its image's own
start gives it; ports, folders and hosts are this machine's. What was refused, or started, has to be what the tool says.
"""

from __future__ import annotations

import io
import time
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
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
from tests.extra.node_settings import on_this_machine
from tests.extra.real_starts import environment, play
from tests.extra.verify_refusals import class_path, missing, short

DATA = Path(__file__).parent.parent / "data"
CASES, RECORDED = DATA / "image-starts.txt", DATA / "image-starts.jsonl"
OTHERS = ("examples/inputs", "examples/good", "examples/bad", "../shared/corpus")
CHUNK, SECONDS = 40, 8
RELEASES = ("2.8.2", "3.9.2", "4.3.1")
SEPARATOR = "### "
RULES = all_rules()
POLICY, STARTER = Policy(RULES), StartupJudge(RULES)


def main(files: Sequence[str]) -> int:
    """Play every node and print what the tool says otherwise; 1 where it says a refusal or a start that is not so."""
    why_not = missing()
    if why_not:
        print(f"image-starts: skipped: {why_not}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        paths = map(Path, files) if files else inputs(Path(folder))
        rows = [row for path in paths for row in rows_of(path, Path(folder))]
    results = [
        row for release in RELEASES for row in played(release, [row for row in rows if row["release"] == release])
    ]
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
    for entity, _ in pairs if isinstance(pairs, list) else ():
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
        "reasons": [f"{row.key}: {row.message}" for row in (*verdict.reasons, *findings)],
        "unknown": [f"{row.key}: {row.reason}" for row in verdict.unknown],
        "fragment": entity.fragment or "",
    }


def played(release: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with what Kafka's classes of the release made of them."""
    jars = class_path(release) if rows else None
    if jars is None:
        return []
    kept = io.StringIO()
    environment()
    with tempfile.TemporaryDirectory() as folder:
        asked = [
            row | {"settings": on_this_machine(row["settings"], number, Path(folder))}
            for number, row in enumerate(rows)
        ]
    for _done in play("Nodes", asked, jars, kept, CHUNK, SECONDS):
        r = json.loads(kept.getvalue().splitlines()[-1])
        print(time.time(), release, _done, r["id"], r["outcome"], r["detail"][:300], flush=True)
    return [json.loads(line) for line in kept.getvalue().splitlines()]


def differs(row: dict[str, Any]) -> bool:
    """Whether the tool says a refusal of what started, or a start of what was refused."""
    if any(sign in row["detail"] for sign in ENVIRONMENT):
        return False
    refused = row["outcome"] == "refused"
    return bool(row["reasons"]) != refused if row["reasons"] or not row["unknown"] else False


def described(row: dict[str, Any]) -> str:
    """A node that was said otherwise than it went."""
    settings = " ".join(f"{key}={value}" for key, value in sorted(row["settings"].items()))
    return f"{row['id']} {row['release']}\n    {settings}\n    Kafka: {row['outcome']} {row['detail'][:300]}\n    we: {row['reasons'] or row['unknown'] or 'starts'}"


def tally(rows: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """By image how many started and were refused, and of how many the file alone cannot tell."""
    for image in sorted({row["image"] for row in rows}):
        own = [row for row in rows if row["image"] == image]
        counts = Counter(row["outcome"] for row in own)
        counts["not judged"] = sum(bool(row["unknown"]) and not row["reasons"] for row in own)
        yield image, ", ".join(f"{number} {what}" for what, number in counts.items() if number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
