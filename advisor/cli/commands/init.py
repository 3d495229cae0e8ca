"""`kafka-advisor init`: a kafka-advisor.yaml for a repository, made from what its files hold, and a gate for its CI."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence

from advisor.cli.argument_types import lint_defaults
from advisor.cli.common import policy_of
from advisor.cli.config_file import YAML
from advisor.cli.development import DEV, covers_none, files_for_development, pattern_of
from advisor.cli.inputs import Inputs, clusters
from advisor.cli.settings import run_settings
from advisor.edits.change import NotEdited
from advisor.edits.fixes import Subjects
from advisor.engine import judge
from advisor.engine.report import Report
from advisor.errors import ExitCode, UserError, os_reason, say
from advisor.model.finding import Finding, rank
from rules import rule_set

EPILOG = """\
examples:
  kafka-advisor init
  kafka-advisor init deploy --yes

It shows the file and asks before it writes; with --yes, or where no terminal is there to ask, see --yes. An existing configuration
is never written over.

exit codes:
  0  the file was written, or shown and declined
  2  wrong usage, or there is a configuration already
  3  no file below FOLDER concerns Kafka
"""
STAGING, STAGING_WORDS = "staging", frozenset(("staging", "stage", "stg", "uat", "qa", "preprod", "pre-prod"))
GITHUB = """\
# .github/workflows/kafka-advisor.yml (docs/ci.md says how to install kafka-advisor)
on: [pull_request]
jobs:
  kafka-advisor:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with: {fetch-depth: 0}
      - run: kafka-advisor lint . --config-from "origin/$GITHUB_BASE_REF" --format github"""
GITLAB = """\
# .gitlab-ci.yml (docs/ci.md says how to install kafka-advisor)
kafka-advisor:
  script: kafka-advisor lint . --format text --format gitlab=gl-code-quality-report.json
  artifacts: {reports: {codequality: gl-code-quality-report.json}}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `init`."""
    parser.epilog = EPILOG
    lint_defaults(parser)
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="FOLDER", help="the repository (default: this folder)"
    )
    parser.add_argument("--yes", action="store_true", help="write the file without asking")


def run(options: argparse.Namespace) -> int:
    """Read the folder, show the configuration, ask, and write it. Raises UserError."""
    path = os.path.join(options.folder, YAML)
    if os.path.lexists(path):
        raise UserError(f"{path}: is there already, and init writes over nothing; take it away first")
    options.no_config = True
    settings, inputs = run_settings(options), Inputs()  # type: ignore[arg-type]
    snapshots = clusters(inputs.read([options.folder], settings), [], inputs, settings)
    inputs.say_walks()
    if not any(snapshot.entities for snapshot in snapshots):
        return ExitCode.NOTHING
    policy = policy_of(settings, rule_set())
    report = judge(snapshots, rule_set(), policy)
    text = "".join(f"{line}\n" for line in configuration(report, files_for_development(report, policy), options.folder))
    print(f"{text}\n{snippet(options.folder)}")
    if options.yes or agreed(path):
        write(path, text)
        say(f"written to {path}", sys.stdout)
    return ExitCode.CLEAN


def agreed(path: str) -> bool:
    """Whether the user wants the file; where nobody can be asked, it is only shown."""
    if not (sys.stdin and sys.stdin.isatty()):
        say(f"{path} is not written: say --yes")
        return False
    print(f"\nWrite {path}? [y/N] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def write(path: str, text: str) -> None:
    """Write the configuration whole or not at all. Raises UserError."""
    from advisor import atomic_file

    try:
        atomic_file.write(path, [text.encode()])
    except OSError as error:
        raise UserError(f"{path}: {os_reason(error)}") from None


def configuration(report: Report, development: dict[str, str], folder: str) -> Iterator[str]:
    """The lines of a kafka-advisor.yaml: the profile, that of paths, the release."""
    files = list(
        dict.fromkeys(entity.file for snapshot in report.snapshots for entity in snapshot.entities if entity.file)
    )
    yield f"# What kafka-advisor judges this repository by: {len(files)} file{'s' if len(files) > 1 else ''} with Kafka configuration."
    subjects = Subjects(report.snapshots)
    severe = sum(
        rank(row.severity) >= rank("high") and _file_of(row, subjects) not in development for row in report.findings
    )
    yield f"profile: production  # {severe} finding{'s' if severe != 1 else ''} of high or above outside of what is for development"
    yield "fail-on: high"
    staging = _staging(files, development)
    rows = [*_paths_of(development, DEV, folder, files), *_paths_of(staging, STAGING, folder, files)]
    if rows:
        yield "paths:"
        yield from rows
    yield from _release(report)


def _file_of(row: Finding, subjects: Subjects) -> str:
    """The file whose profile a finding has: that of its subject, where it stands in another such as an env_file."""
    try:
        return subjects.of(row).file or row.place
    except NotEdited:
        return row.file or row.place


def _staging(files: list[str], development: dict[str, str]) -> dict[str, str]:
    """The files that a folder or a name says are for staging."""
    words = {
        file: STAGING_WORDS.intersection(os.path.normpath(file).lower().replace(".", "/").split("/")) for file in files
    }
    return {
        file: f"“{sorted(found)[0]}” in its path" for file, found in words.items() if found and file not in development
    }


def _paths_of(signs: dict[str, str], profile: str, folder: str, judged: Sequence[str]) -> Iterator[str]:
    """A line for each pattern of paths, with what speaks for the profile."""
    others = {os.path.relpath(file, folder) for file in judged} - {os.path.relpath(file, folder) for file in signs}
    by_folder: dict[str, list[str]] = {}
    for file in signs:
        by_folder.setdefault(os.path.dirname(file), []).append(file)
    for files in by_folder.values():
        paths = [os.path.relpath(file, folder) for file in files]
        inner = os.path.dirname(paths[0])
        pattern = f"{inner}/*" if inner and covers_none(f"{inner}/*", others) else pattern_of(paths, others)
        for each in [pattern] if pattern else paths:
            yield f'  "{each}": {{profile: {profile}}}  # {signs[files[0]]}'


def _release(report: Report) -> Iterator[str]:
    """The release that files say, for those that say none."""
    targets = [entity.target for snapshot in report.snapshots for entity in snapshot.entities]
    known = sorted({target.text for target in targets if target.given})
    if known and any(not target.given for target in targets):
        yield f'# kafka-version: "{known[-1]}"  # files that name no release are judged for the newest; files here say {", ".join(known)}'


def snippet(folder: str) -> str:
    """A gate for the repository's CI."""
    is_gitlab = os.path.exists(os.path.join(folder, ".gitlab-ci.yml"))
    return GITLAB if is_gitlab else GITHUB
