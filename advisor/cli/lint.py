"""`kafka-advisor lint`: files in, a report out."""

from __future__ import annotations

import os
import sys

from advisor.engine import judge
from advisor.engine.policy import BadPolicy, Policy, fails
from advisor.model import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.cli.options import LintOptions
    from advisor.cli.settings import Choices
    from advisor.engine import Report
    from advisor.model import Entity, Snapshot, Suppression
    from advisor.rule import Rule

    Read = tuple[Entity, list[Suppression]]
    Joined = tuple[Read, tuple[str, ...]]
    """A client, and the topics that it uses."""

CLEAN, FINDINGS, ERROR, NOTHING = 0, 1, 2, 3
TEXT = ("text",)


class Refused(Exception):
    """The user asked for something that cannot be done; the text is the one line that says so."""


def run(options: LintOptions) -> int:
    """Read, judge, show; the exit code is that of the command."""
    from advisor.cli.settings import choices

    chosen = choices(options)
    rules = load_rules(chosen.rules)
    policy = policy_of(chosen, rules)
    complaints = Complaints()
    main = complaints.read(options.files, chosen)
    clients = complaints.clients(options.with_, chosen)
    report = judge(clusters(main, clients, complaints, chosen, options.one_cluster), rules, policy)
    if not report.judged:
        return nothing(report, options, complaints)
    if options.write_baseline:
        from advisor.engine.baseline import write

        write(options.write_baseline, report)
    show(report, options, asked(rules, policy), files_only=bool(options.write_baseline))
    return exit_code(report, chosen, bool(complaints.errors), bool(options.exit_zero or options.write_baseline))


def nothing(report: Report, options: LintOptions, complaints: Complaints) -> int:
    """Nothing was judged: programs get an empty report all the same, people have been told why."""
    if report.snapshots:
        print("kafka-advisor: nothing to check: no rule that was selected has something to say here", file=sys.stderr)
    if tuple(options.format) != TEXT:
        show(report, options)
    return ERROR if complaints.errors else CLEAN if options.allow_nothing else NOTHING


def clusters(
    main: Sequence[Read], clients: Sequence[Joined], complaints: Complaints, chosen: Choices, one_cluster: bool = False
) -> list[Snapshot]:
    """The clusters that files describe and those that were saved, each with its clients."""
    found: list[Snapshot] = []
    if complaints.saved:
        from advisor.cli.check import restored

        found += [restored(path, data, clients, complaints, chosen) for path, data in complaints.saved]
    if main or not found:
        from collectors.files.config_file import snapshots

        found += snapshots(main, [client for client, _ in clients], one_cluster)
    return found


class Complaints:
    """Reads files and says in one line each what could not be read, while the others go on."""

    def __init__(self) -> None:
        self.errors = 0
        self.seen: set[str] = set()
        self.saved: list[tuple[str, bytes]] = []

    def clients(self, words: Sequence[str], chosen: Choices) -> list[Joined]:
        """The clients of `--with FILE[=TOPIC,TOPIC]`, each with the topics that it uses."""
        found = []
        for word in words:
            path, topics = with_topics(word)
            found += [(client, topics) for client in self.read([path], chosen, joined=True)]
        return found

    def say(self, error: str) -> None:
        """One line for what keeps the run from doing what was asked."""
        self.errors += 1
        print(f"kafka-advisor: {error}", file=sys.stderr)

    def read(self, paths: Sequence[str], chosen: Choices, joined: bool = False) -> list[Read]:
        """The files that can be read; snapshots of running clusters are put aside in `saved`."""
        from collectors.files.config_file import File, Nothing, Saved, Unreadable, read

        found = []
        for path in paths:
            real = os.path.realpath(path) if path != "-" else path
            if real in self.seen:
                continue
            self.seen.add(real)
            kind, target = chosen.for_path(path)
            try:
                found.append(read(File(path, None if joined else kind, target)))
            except Saved as saved:
                if joined:
                    self.say(f"--with {path}: a client's file is wanted, not a snapshot of a cluster")
                else:
                    self.saved.append((path, saved.data))
            except Unreadable as error:
                self.say(str(error))
            except Nothing as nothing:
                print(f"kafka-advisor: nothing to check: {nothing}", file=sys.stderr)
        return found


def with_topics(word: str) -> tuple[str, tuple[str, ...]]:
    """(file, topics) of FILE=topic,topic; a file's own name may hold an equals sign."""
    if "=" not in word or os.path.exists(word):
        return word, ()
    path, _, names = word.rpartition("=")
    return path, tuple(name.strip() for name in names.split(",") if name.strip())


def load_rules(paths: Sequence[str]) -> list[Rule]:
    """The tool's rules, and those of the user's modules."""
    from rules import all_rules

    found = all_rules()
    if paths:
        from advisor.rule.loading import load

        found += load(paths, {rule.id for rule in found} | {rule.name for rule in found})
    return found


def policy_of(chosen: Choices, rules: Sequence[Rule]) -> Policy:
    """The policy of a run; BadPolicy becomes the one line the user sees."""
    baseline: frozenset[str] = frozenset()
    if chosen.baseline:
        from advisor.engine.baseline import read as read_baseline

        baseline = read_baseline(chosen.baseline)
    try:
        return Policy(
            rules,
            profile=chosen.profile,
            profiles=chosen.profiles,
            select=chosen.select,
            ignore=chosen.ignore,
            severities=chosen.severities,
            baseline=baseline,
            base=os.path.dirname(chosen.where),
        )
    except BadPolicy as bad:
        where = f"{chosen.where}: " if str(bad).split(": ")[1] in chosen.said_in_file else ""
        raise Refused(f"kafka-advisor: {where}{bad}") from None


def target(text: str, where: str) -> Target:
    """The target version that somebody asked for."""
    from advisor.catalog.target import release_of

    try:
        version, note = release_of(text)
    except ValueError as bad:
        raise Refused(f"kafka-advisor: {where}: {bad}") from None
    return Target(version, f"{where} {text}" + (f"; {note}" if note else ""), given=True)


def asked(rules: Sequence[Rule], policy: Policy) -> list[Rule]:
    """The rules that were selected."""
    return [rule for rule in rules if policy.selects(rule)]


def show(report: Report, options: LintOptions, rules: Sequence[Rule] = (), files_only: bool = False) -> None:
    """Write the report in every format that was asked for; text alone goes the short way."""
    if options.format == TEXT and not files_only and not sys.stdout.isatty():
        from advisor.reports import text

        lines = text.lines(report, verbose=options.verbose, all=options.all)
        sys.stdout.write("\n".join(lines) + "\n")
        return
    from advisor.reports.context import Run
    from advisor.reports.formats import Unwritable, write

    try:
        write(Run(report, rules, options.verbose, options.all), options.format, files_only)
    except Unwritable as wrong:
        raise Refused(f"kafka-advisor: {wrong}") from None


def exit_code(report: Report, chosen: Choices, errors: bool, exit_zero: bool) -> int:
    """What scripts can trust: 2 before 1 before 0."""
    if errors or report.crashed:
        return ERROR
    if exit_zero:
        return CLEAN
    if fails(report.findings, chosen.fail_on) or (chosen.fail_on_unknown and report.unknown):
        return FINDINGS
    return CLEAN
