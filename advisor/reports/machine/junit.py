"""`--format junit`: a test suite per cluster or file, a failure per finding, a passed case per clean rule.

Source: GitLab Docs, "Unit test reports"; the Jenkins xUnit plugin's junit-10.xsd.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.engine.verdicts import CRASH
from advisor.errors import printable as clean
from advisor.model.finding import Finding, NotJudged
from advisor.reports.context import RunResult, lines_of, short, subject
from advisor.reports.text.finding import headline, place

Suites = dict[str, list["Case"]]
CLEAN_RULES = "rules without findings"


@dataclass(slots=True, eq=False)
class Case:
    """A test case: its outcome (None: passed), type, message and text."""

    family: str
    name: str
    kind: str | None = None
    type: str = ""
    message: str = ""
    text: str = ""


def chunks(run: RunResult) -> Iterator[str]:
    """The XML document."""
    suites = {name: unique(cases) for name, cases in suites_of(run).items()}
    all_cases = [case for cases in suites.values() for case in cases]
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<testsuites name="kafka-advisor" {count_attributes(all_cases)}>\n'
    for name, cases in suites.items():
        skipped = sum(case.kind == "skipped" for case in cases)
        yield f'  <testsuite name="{xml(short(name))}" {count_attributes(cases)} skipped="{skipped}">\n'
        yield from (case_text(case) for case in cases)
        yield "  </testsuite>\n"
    yield "</testsuites>\n"


def suites_of(run: RunResult) -> Suites:
    """Every case by the suite it stands in."""
    suites: Suites = {name: [] for name in run.clusters}
    for finding in run.report.findings:
        suites.setdefault(run.cluster(finding), []).append(failed_case(run, finding))
    for finding in run.report.suppressed:
        case = Case(run.family(finding.rule), title(finding), "skipped", message=f"suppressed: {finding.reason}")
        suites.setdefault(run.cluster(finding), []).append(case)
    for row in run.report.unknown:
        suites.setdefault(run.cluster_of(row.entity), []).append(unknown(run, row))
    suites[CLEAN_RULES] = passed_cases(run)
    return {name: cases for name, cases in suites.items() if cases}


def failed_case(run: RunResult, finding: Finding) -> Case:
    """The case of a finding, or of a rule that crashed."""
    text = "\n".join(
        [short(place(finding), 1000), *(f"{label}: {text_of_label}" for label, text_of_label in lines_of(finding))]
    )
    kind = "error" if finding.rule == CRASH else "failure"
    return Case(run.family(finding.rule), title(finding), kind, finding.severity, headline(finding), text)


def unknown(run: RunResult, row: NotJudged) -> Case:
    """The case of something that could not be judged."""
    name = f"{row.rule} {row.name} {short(row.key or '')} [{subject(row.entity)}]"
    return Case(run.family(row.rule), " ".join(name.split()), "skipped", message=f"could not be judged: {row.reason}")


def passed_cases(run: RunResult) -> list[Case]:
    """The cases of rules without findings, and of rules that lacked their input."""
    reported = {row.rule for row in (*run.report.findings, *run.report.suppressed)}
    reported |= {row.rule for row in run.report.unknown}
    reported |= {row.key for row in run.report.findings if row.rule == CRASH and row.key}
    needs = {rule.id: needs for rule, needs in run.report.skipped}
    cases = []
    for id, rule in run.rules.items():
        if id in needs:
            cases.append(Case(rule.family, f"{id} {rule.name}", "skipped", message=f"needs {' and '.join(needs[id])}"))
        elif id not in reported:
            cases.append(Case(rule.family, f"{id} {rule.name}"))
    return cases


def title(finding: Finding) -> str:
    """A case's name: rule, key and subject, the same in every run."""
    return " ".join(f"{finding.rule} {finding.name} {short(finding.key or '')} [{subject(finding.entity)}]".split())


def unique(cases: list[Case]) -> list[Case]:
    """Number the cases whose names repeat: GitLab keeps only the first of equal names."""
    seen: dict[str, int] = {}
    for case in cases:
        seen[case.name] = seen.get(case.name, 0) + 1
        if seen[case.name] > 1:
            case.name += f" #{seen[case.name]}"
    return cases


def count_attributes(cases: list[Case]) -> str:
    """The tests=, failures=, errors= attributes."""
    kinds = [case.kind for case in cases]
    return f'tests="{len(cases)}" failures="{kinds.count("failure")}" errors="{kinds.count("error")}"'


def case_text(case: Case) -> str:
    """One case."""
    head = f'    <testcase classname="{xml(case.family)}" name="{xml(case.name)}"'
    if case.kind is None:
        return head + "/>\n"
    type = f' type="{case.type}"' if case.type else ""
    inside = f'<{case.kind}{type} message="{xml(short(case.message, 2000))}">{xml(case.text, lines=True)}</{case.kind}>'
    return f"{head}>{inside}</testcase>\n"


def xml(text: str, lines: bool = False) -> str:
    """Escape text for XML, without the characters that XML forbids."""
    shown = "\n".join(clean(line) for line in text.split("\n")) if lines else clean(text)
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        shown = shown.replace(char, entity)
    return shown


def unshown(run: RunResult) -> Iterator[str]:
    """Nothing: a case needs no file."""
    yield from ()
