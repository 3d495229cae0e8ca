"""`--format html`: a self-contained page, without network or other files."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pkgutil import get_data

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from advisor import __version__
from advisor.model.finding import SEVERITIES, WORST_FIRST, Finding
from advisor.reports.context import STORIES, Run, short
from advisor.reports.grouped import count_subjects, groups, partitions
from advisor.reports.html_tables import tables
from advisor.reports.text import LEVELS, consequence_line, folded, place, unknown_lines
from advisor.reports.trace_svg import Picture, picture

HERE = "advisor.reports"
SUBJECTS = 50
PARAGRAPHS = 2000
"""Findings (or groups of them) on a page: a browser bears no more."""


class Entry:
    """A finding, or a group of findings on a running cluster shown together."""

    def __init__(
        self, run: Run, number: int, group: list[Finding], picture: Picture | None, consequences: list[Finding]
    ) -> None:
        first = group[0]
        self.id = f"finding-{number}"
        self.first = first
        self.family = run.family(first.rule)
        self.place = short(place(first), 500) if len(group) == 1 else count_subjects(group)
        self.severity = first.severity
        self.count = len(group)
        self.subjects = [subject_line(row) for row in group[:SUBJECTS]] if first.file is None else []
        self.more = max(0, len(group) - SUBJECTS)
        self.line = setting_line(first)
        self.consequences = [consequence_line(row) for row in consequences]
        self.picture = picture
        self.evidence = [
            (row.key, "not set" if row.value is None else row.value,
             f"{row.file}:{row.line}" if row.line else LEVELS.get(row.source, row.source), " ".join(row.entity))
            for row in first.evidence
        ]  # fmt: skip


def subject_line(row: Finding) -> str:
    """One subject of a group."""
    where = f" {partitions(row)}" if row.partitions else ""
    return f"{row.entity[0]} {short(row.entity[1])}{where}: {short(row.message)}"


def setting_line(row: Finding) -> str | None:
    """The configuration line to write, where the required value is a value and no description."""
    value = row.required
    plain = value is not None and (value in ("true", "false", "all") or value.removeprefix("-").isdigit())
    return f"{row.key}={value}" if plain and row.key and row.key.isascii() and row.key.isprintable() else None


def entries(run: Run) -> list[Entry]:
    """The entries of the page, worst first, with pictures for a limited number of stories."""
    pictures: dict[str, Picture | None] = {}
    rows = []
    alone, consequences = folded(run.report.findings)
    for number, group in enumerate(groups(alone)[:PARAGRAPHS], 1):
        follows = [row for member in group for row in consequences.get(id(member), ())]
        claim = group[0].claim
        if claim is not None and claim.key not in pictures and len(pictures) < STORIES:
            pictures[claim.key] = picture(claim)
        rows.append(Entry(run, number, group, pictures.get(claim.key) if claim is not None else None, follows))
    return rows


def chunks(run: Run) -> Iterator[str]:
    """The page."""
    report, shown = run.report, entries(run)
    score = report.score
    style, script = (source(name) for name in ("report.css", "report.js"))
    template = environment().get_template("report.html.j2")
    yield template.render(
        version=__version__,
        report=report,
        clusters=[snapshot for snapshot in report.snapshots if snapshot.live is not None],
        names=run.clusters,
        score=score.rounded,
        grade=score.grade,
        severities=WORST_FIRST,
        families=families(run),
        entries=shown,
        hidden=len(groups(folded(report.findings)[0])) - len(shown),
        unknown=list(unknown_lines(report)),
        tables=tables(report),
        style=Markup(style),
        script=Markup(script),
        policy=f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; base-uri 'none'; "
        "form-action 'none'",
    )
    yield "\n"


def families(run: Run) -> list[tuple[str, dict[str, int]]]:
    """Findings of each family by severity, the family with the worst first."""
    counts_of_family: dict[str, dict[str, int]] = {}
    for row in run.report.findings:
        counts = counts_of_family.setdefault(run.family(row.rule), dict.fromkeys(SEVERITIES, 0))
        counts[row.severity] += 1
    return sorted(
        counts_of_family.items(), key=lambda each: ([-each[1][severity] for severity in WORST_FIRST], each[0])
    )


def environment() -> Environment:
    """The Jinja environment: everything is escaped, control characters are removed."""
    return Environment(
        loader=FunctionLoader(source),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def harmless(value: object) -> object:
    """Text without control characters and direction marks, cut to a maximum length."""
    return value if not isinstance(value, str) or isinstance(value, Markup) else short(value, 4000)


def source(name: str) -> str:
    """Read a file beside the template."""
    content = get_data(HERE, name)
    assert content is not None
    return content.decode()


def digest(text: str) -> str:
    """The hash by which the page's content security policy allows a script or style."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def unshown(run: Run) -> Iterator[str]:
    """The number of findings beyond the page's limit."""
    more = len(groups(run.report.findings)) - PARAGRAPHS
    if more > 0:
        yield f"{more} findings are counted and not listed"
