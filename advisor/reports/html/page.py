"""`--format html`: a self-contained page, without network or other files."""

from __future__ import annotations

import functools
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pkgutil import get_data

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from advisor import __version__
from advisor.model.finding import WORST_FIRST
from advisor.reports.context import RunResult, short
from advisor.reports.html.cards import PLACES, by_rule, cards
from advisor.reports.html.overview import family_bars, heading, judged_files, steps_of
from advisor.reports.html.tables import tables
from advisor.reports.text.report import UNSCORED, folded, known_sum, unknown_lines

HERE = "advisor.reports.html"
SCRIPT, STYLE, TEMPLATE = "report.js", "report.css", "report.html.j2"


def chunks(run: RunResult) -> Iterator[str]:
    """The page."""
    report, title = run.report, heading(run)
    shown = cards(run, title)
    style, script = source(STYLE), source(SCRIPT)
    places = [place for card in shown for place in (*card.shown, *card.folded)]
    yield (
        environment()
        .get_template(TEMPLATE)
        .render(
            version=__version__,
            report=report,
            heading=title,
            live=[snapshot for snapshot in report.snapshots if snapshot.live is not None],
            files=judged_files(run),
            score=report.score,
            unscored=UNSCORED,
            known=known_sum(report) if report.known else "",
            severities=WORST_FIRST,
            steps=steps_of(run, shown, title),
            bars=family_bars(run, shown),
            cards=shown,
            sources=sorted({place.source for place in places}),
            unknown=list(unknown_lines(report)),
            tables=tables(report),
            **frame(style, script),
        )
    )
    yield "\n"


def frame(style: str, script: str) -> dict[str, object]:
    """The page's style and script, and the policy that allows these alone."""
    policy = (
        f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; base-uri 'none'; "
        "form-action 'none'"
    )
    return {"style": Markup(style), "script": Markup(script), "policy": policy}


@functools.cache
def environment() -> Environment:
    """The Jinja environment: everything is escaped, control characters are removed."""
    environment = Environment(
        loader=FunctionLoader(source),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["sentence"] = begins_with_a_word
    environment.filters["prose"] = prose
    environment.filters["lines"] = lines
    return environment


def harmless(value: object) -> object:
    """Text without control characters and direction marks, cut to a maximum length."""
    return value if not isinstance(value, str) or isinstance(value, Markup) else short(value, 4000)


def prose(text: str) -> Markup:
    """Text whose parts in backquotes are code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(harmless(text)))))


def lines(rows: Iterable[str]) -> Markup:
    """Lines of a file, as they are."""
    return Markup("\n").join(short(row, 4000) for row in rows)


def begins_with_a_word(text: str) -> bool:
    """Whether a text begins with a word, which may be capitalized, and not with the name of a setting or a function."""
    return text.partition(" ")[0].rstrip(",:;").isalpha()


def source(name: str) -> str:
    """Read a file beside the template."""
    content = get_data(HERE, name)
    assert content is not None
    return content.decode()


def digest(text: str) -> str:
    """The hash by which the page's content security policy allows a script or style."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def unshown(run: RunResult) -> Iterator[str]:
    """The number of findings beyond the page's limit."""
    groups = by_rule(folded(run.report.findings)[0])
    more = sum(max(0, len(group) - PLACES) for group in groups)
    if more > 0:
        yield f"{more} findings are counted and not listed"
