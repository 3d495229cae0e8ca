"""Generate pages of docs/ from the code: `python -m advisor.docs_pages docs` writes, `--check` compares."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator

from advisor.cli.parser import parser_of
from advisor.cli.registry import COMMANDS
from advisor.reports.manual.aims_page import aims_page
from advisor.reports.manual.check_pages import checks_page
from advisor.reports.manual.rule_pages import NOTE, cell, index, rule_page
from advisor.reports.manual.severity_page import severity_page

BAR = "\\|"
"""A bar in a table's cell."""


def pages() -> dict[str, str]:
    """Every page by its path below docs/."""
    from advisor.analysis.startup.judge import all_checks
    from rules import all_rules, by_family

    rules = by_family(all_rules())
    texts = {
        "aims.md": page_text(aims_page(rules)),
        "cli.md": page_text(cli()),
        "configuration.md": page_text(configuration()),
        "limits.md": page_text(limit_tables()),
        "odds.md": page_text(assumptions()),
        "severities.md": page_text(severity_page(rules)),
        "start-checks.md": page_text(checks_page(all_checks())),
        "rules/README.md": page_text(index(rules)),
    }
    return texts | {f"rules/{rule.id}.md": page_text(rule_page(rule)) for rule in rules}


def page_text(lines: Iterator[str]) -> str:
    """The text of a page from its lines."""
    return "\n".join(lines) + "\n"


def cli() -> Iterator[str]:
    """Every command with its options."""
    yield from ("# The command line", "", NOTE, "")
    yield from (f"- [`kafka-advisor {name}`](#{name}): {entry.summary}" for name, entry in COMMANDS.items())
    for name, entry in COMMANDS.items():
        parser = parser_of(name)
        yield from ("", f"## {name}", "", f"{entry.summary[0].upper()}{entry.summary[1:]}.")
        yield from ("", "```", *usage(name, parser), "```", "", "| argument | what it is |", "|---|---|")
        yield from (
            f"| `{argument_text(action).replace('|', BAR)}` | {cell(argument_help(action))} |"
            for action in parser._actions
        )
        if parser.epilog:
            yield from ("", "```", parser.epilog.strip(), "```")


def usage(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """A command's usage line."""
    operands = [operand(action) for action in parser._actions if not action.option_strings]
    yield " ".join(("kafka-advisor", name, "[OPTIONS]", *operands))


def operand(action: argparse.Action) -> str:
    """An operand in a usage line."""
    word = str(action.metavar or action.dest.upper())
    return {"+": f"{word}…", "*": f"[{word}…]", "?": f"[{word}]"}.get(str(action.nargs), word)


def argument_text(action: argparse.Action) -> str:
    """An option or operand as it is typed."""
    if not action.option_strings:
        return operand(action)
    word = (
        "" if action.nargs == 0 else f" {action.metavar or '|'.join(map(str, action.choices or [action.dest.upper()]))}"
    )
    return f"{', '.join(action.option_strings)}{word}"


def argument_help(action: argparse.Action) -> str:
    """An argument's help, with its choices where its name does not list them."""
    text = (action.help or "").replace("%%", "%")
    words = ", ".join(map(str, action.choices or ()))
    return f"{text}; {words}" if words and action.metavar and words not in text else text


TAKES = {
    "text": "text",
    "list": "a list of names",
    "map": "a mapping",
    "flag": "true or false",
    "waivers": "a list of waivers, or the path of a file with one",
}
MEANS = {
    "kafka-version": "the release everything is judged for, whatever the files say; --kafka-version comes before it",
    "profile": "how strict: each severity is the profile's",
    "select": "only these rules: ids, names, families or prefixes",
    "ignore": "not these rules",
    "severity": "a severity of your own for a rule, by id or name",
    "fail-on": "the severity from which the exit code is 1",
    "fail-on-unknown": "exit with 1 when something could not be judged, too",
    "baseline": "a file of findings that are known; relative to this file",
    "rules": "Python modules with rules of your own; relative to this file",
    "paths": "a mapping of file patterns to what holds for the files that match",
    "kind": "what the files are",
    "waivers": "findings whose risk is accepted; a path is relative to this file",
    "profiles": "the profile for each value of a label: `label: {environment: {prod: production}}`",
}


def configuration() -> Iterator[str]:
    """Every key of the configuration file."""
    from advisor.cli.config_file import TOML, YAML
    from advisor.cli.settings import KEYS, PATH_KEYS, RunSettings

    defaults = vars(RunSettings())
    yield from ("# Configuration", "", NOTE, "")
    yield f"`{YAML}`, or `{TOML}` with `[tool.kafka-advisor]`, of the working directory or the nearest folder above is read; `--config FILE` names"
    yield "another, `--no-config` reads none. Options of the command line come first, then this file, then the defaults."
    yield from ("", "| key | takes | default | what it does |", "|---|---|---|---|")
    for key, takes in KEYS.items():
        default = defaults.get("severities" if key == "severity" else key.replace("-", "_"))
        default_text = "" if default in (None, [], {}) else str(default).lower()
        yield f"| `{key}` | {accepted_values(takes)} | {default_text} | {MEANS[key]} |"
    yield from ("", "Below `paths`, for each pattern:", "", "| key | takes | what it does |", "|---|---|---|")
    yield from (f"| `{key}` | {accepted_values(takes)} | {MEANS[key]} |" for key, takes in PATH_KEYS.items())
    yield from ("", "```yaml", *EXAMPLE.strip().splitlines(), "```", "", "In a file, a comment silences a finding:")
    yield from ("", "```properties", *SILENCE.strip().splitlines(), "```", "", *WAIVERS.strip().splitlines())


EXAMPLE = """
profile: staging
kafka-version: "3.9"
ignore: [auto-create-topics]
severity:
  KA101: critical
fail-on: medium
paths:
  "clients/*.properties":
    kind: producer
    profile: dev
    ignore: [compression-off]
profiles:
  label:
    environment: {dev: dev, prod: regulated}
waivers:
  - rule: KA151
    subject: scratch-*
    reason: rebuilt every night from the warehouse
    until: 2027-01-31
"""
SILENCE = """
# kafka-advisor: ignore[KA101] metrics only, a gap is fine until=2027-01-31
acks=1
"""


WAIVERS = """
A **waiver** silences findings whose risk is accepted, in `lint`, `check` and `audit` alike: in this file, or in a list of
its own (`--waivers FILE`). `rule` (an id, a name or a family) and `reason` are needed. `subject` is the name of a topic,
broker or client, or the path of a file; `cluster` a running cluster's name (`*` and `?` stand for any characters); `label` the
labels of the cluster (of an inventory, or of `--label NAME=VALUE`); `until` the last day that it holds. A waiver that has run
out is a finding (KA003), and so is one that covers nothing of what was judged (KA004).
"""


def accepted_values(takes: object) -> str:
    """The type or choices of a configuration key."""
    return ", ".join(takes) if isinstance(takes, tuple) else TAKES[str(takes)]


FUZZED = """\
`make fuzz SECONDS=60` feeds every reader random input on all cores: configuration files of every format, saved clusters, baselines,
waivers, inventories, our own configuration, queries, audits, standard streams that are closed or full. It fails on a
crash, an internal error, output that could steer a terminal, an input that takes over 3 s, a process over 500 MB, or a
leak; it prints its seeds, and `python -m tests.fuzz --seed N` plays one again. It runs in CI.

The longest run so far: 1,272,986 inputs from seed 1795408668 on in 90 minutes on two cores beside other work (469,805 texts,
209,259 formats, 209,082 files, 130,952 configurations, 78,514 inventories, 78,256 snapshots, 31,508 waivers, 31,327 queries,
31,164 baselines, 2,073 tables, 1,046 streams). None crashed, none steered a terminal, no process took more than 250 MB. 19
inputs ran out of their three seconds while two test suites ran beside them; played again alone, the slowest took 2.1 s. One of
the two processes had 202 MB after 640,000 inputs and 96 MB after the first thousand, before the audit's libraries were loaded;
another run had 196 MB after 14,000. Runs of 866,170 and 933,268 inputs before found six places,
which are mended and tested."""


def limit_tables() -> Iterator[str]:
    """Every limit of what is read."""
    from advisor import limits
    from advisor.catalog.spelling import SUGGESTIONS
    from collectors.files.syntax.properties import LONGEST_ENTRY
    from collectors.files.syntax.properties_file import MOST_SETTINGS

    counts = (
        ("settings of one file", MOST_SETTINGS),
        ("comments of one file that suppress findings", MOST_SETTINGS),
        ("characters of all settings of one file", LONGEST_ENTRY),
        ("unknown keys of one file that a nearest key is looked for", SUGGESTIONS),
        *limits.COUNTS,
    )
    yield from ("# Limits", "", NOTE, "")
    yield "What is beyond a limit is refused in one line, exit code 2; all other inputs are judged. A file of 1 MB is judged"
    yield "or refused within about two seconds, one of 32 MB within twenty and in less than 400 MB of memory."
    yield from ("", "Sizes, which `--max-size 64M` raises for every command:", "", "| what | bytes |", "|---|---|")
    yield from (f"| {what} | {limits.text_of(size)} |" for what, size in limits.SIZES)
    yield from ("", "Counts:", "", "| what | at most |", "|---|---|")
    yield from (f"| {what} | {most:,} |" for what, most in counts)
    yield from ("", FUZZED)


SOURCES = {
    "broker_failures": "assumed: machines alone fail 0.3 to 0.6 times (J. Dean, on new clusters); the rest is software and restarts",
    "repair": "assumed: an operator is on call",
    "disk_failures": "Backblaze, 1.57 % of hard disks in 2024; cloud volumes 0.1 to 0.2 %",
    "disk_repair": "assumed: Kafka does not replace a lost replica by itself",
    "power": "J. Dean (Data-Intensive Computing Symposium, 2008): overheating powers down most machines of a new cluster 0.5 times in its first year; taken for any power loss of one site. Assumed for an availability zone: 0.1",
    "crash_share": "assumed: most failures are of the process, whose page cache survives",
    "unflushed": "Linux writes dirty pages after 30 s and looks every 5 s; Kafka does not flush by itself",
    "failover": "broker.session.timeout.ms of KRaft, 9 s, and the clients' metadata",
    "records": "an example",
    "replication_delay": "an example: a follower in the same region",
}


def assumptions() -> Iterator[str]:
    """The default assumptions of the odds."""
    from advisor.simulator.odds import ASSUMPTIONS, CAUSES, Rates, assumption_text

    rates = Rates()
    yield from ("# The assumptions behind the odds", "", NOTE, "")
    yield "`simulate` and `diff` take others with `--assume broker_failures=2/year,repair=4h`."
    yield from ("", "| name | unless told otherwise | what it is | where it comes from |", "|---|---|---|---|")
    for name, (_, what) in ASSUMPTIONS.items():
        yield f"| `{name}` | {assumption_text(name, getattr(rates, name))} | {what} | {SOURCES[name]} |"
    yield from ("", "What is computed from them, per year:", "", "| name | what it is |", "|---|---|")
    yield from (f"| `{name}` | {what} |" for name, what in CAUSES.items())


def stale(folder: str) -> list[str]:
    """The pages that differ from the code, and those that are no longer generated."""
    wanted = pages()
    rules_folder = os.path.join(folder, "rules")
    on_disk = (
        {f"rules/{name}" for name in os.listdir(rules_folder) if name.endswith(".md")}
        if os.path.isdir(rules_folder)
        else set()
    )
    wrong = [path for path, text in wanted.items() if read(os.path.join(folder, path)) != text]
    return sorted({*wrong, *(on_disk - wanted.keys())})


def read(path: str) -> str | None:
    """A file's text, None where there is none."""
    try:
        with open(path, encoding="utf-8") as handle:
            return handle.read()
    except FileNotFoundError:
        return None


def write(folder: str) -> None:
    """Write every page, and delete those of removed rules."""
    wanted = pages()
    os.makedirs(os.path.join(folder, "rules"), exist_ok=True)
    for path in stale(folder):
        if path not in wanted:
            os.remove(os.path.join(folder, path))
    for path, text in wanted.items():
        with open(os.path.join(folder, path), "w", encoding="utf-8") as handle:
            handle.write(text)


if __name__ == "__main__":
    folder = sys.argv[1]
    if "--check" in sys.argv:
        wrong = stale(folder)
        sys.exit(f"stale, run make docs: {', '.join(wrong)}" if wrong else 0)
    write(folder)
