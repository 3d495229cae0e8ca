"""What looks like a development set-up, and how many findings its profile would leave."""

from __future__ import annotations

import os

from advisor.engine import names_of
from advisor.model import OVERLAY, SERVER_KINDS
from advisor.model.finding import OFF, SEVERITIES, rank, step_severity
from advisor.rule.rule_set import rule_set_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from advisor.cli.settings import RunSettings
    from advisor.engine.policy import Policy
    from advisor.engine.report import Report
    from advisor.model import Entity
    from advisor.model.finding import Finding
    from advisor.rule import Rule
    from advisor.rule.rule_set import RuleSet

DEV, DEFAULT = "dev", "production"
INIT = "the paths that kafka-advisor init writes"
WORDS = frozenset(
    ("dev", "develop", "development", "test", "tests", "testing", "local", "localhost", "example", "examples", "demo", "sample",
     "samples", "sandbox", "playground", "quickstart", "tutorial", "minikube", "testcontainers", "testcontainer", "ci")
)  # fmt: skip
"""Words of a path, a service or a host that say that a set-up is for development."""
PRODUCTION = frozenset(("prod", "prd", "production", "live"))
"""Words that say that it is not, whatever else stands in a name."""
TERRAFORM = "terraform"
"""The format whose labels of resources are copied from documentation and name nothing."""
FACTORS = ("offsets.topic.replication.factor", "transaction.state.log.replication.factor", "default.replication.factor")
OF_NODES = frozenset(("cluster", "quorum"))
"""The inputs that nodes make together."""
HERE = ("localhost", "127.0.0.1", "[::1]")
DEVICES = ("/dev/", "/proc/")
"""Where pipes of a shell, such as <(…), have their names."""
WORST = "medium"
"""The severity from which on a finding makes the question worth while."""


def development_hint(report: Report, rules: RuleSet | Sequence[Rule], policy: Policy, settings: RunSettings) -> str:
    """A question with what the profile `dev` would leave; empty where nothing speaks for development, or a profile was chosen."""
    files = files_for_development(report, policy)
    if settings.profile_given or policy.profile != DEFAULT or not files:
        return ""
    ours = [row for row in report.findings if row.file in files or (row.file is None and row.place in files)]
    if not any(rank(row.severity) >= rank(WORST) for row in ours):
        return ""
    sign = next(iter(files.values()))
    kinds = {entity.kind for snapshot in report.snapshots for entity in snapshot.entities}
    inputs = frozenset(name for kind in kinds for name in names_of(kind)) | (
        OF_NODES if kinds & {*SERVER_KINDS} else frozenset()
    )
    by_id = {rule.id: rule for rule in rule_set_of(rules).taking(inputs)}
    judged = [entity.file for snapshot in report.snapshots for entity in snapshot.entities if entity.file]
    paths = _paths(list(files), judged, os.path.dirname(settings.where))
    every = {row.file or row.place for row in report.findings}
    if not paths or every <= files.keys():
        counts = _counts(report.findings, by_id, policy)
        keep = f" To keep it, in kafka-advisor.yaml: {paths}" if paths else ""
        return f"{sign}: for development? --profile {DEV}: {counts}.{keep}"
    counts = _counts(ours, by_id, policy, [row for row in report.findings if row not in ours])
    return f"{sign} ({_named(files)}): for development? With profile {DEV} there: {counts}. To have it, in kafka-advisor.yaml: {paths}"


def _named(files: Iterable[str]) -> str:
    first, *others = map(_below, files)
    return f"{first} and {len(others)} more" if others else first


def _paths(files: Sequence[str], judged: Iterable[str], folder: str) -> str:
    """The line of a configuration in a folder (the working directory) that keeps the profile; none for a file outside of it."""
    paths = [_below(file, folder) for file in files]
    if not all(paths):
        return ""
    others = {_below(file, folder) for file in judged} - set(paths)
    return f'paths: {{"{pattern_of(paths, others)}": {{profile: {DEV}}}}}' if pattern_of(paths, others) else INIT


def _below(file: str, folder: str = "") -> str:
    """A file's path from a folder (the working directory) on; empty for standard input and what lies outside."""
    path = os.path.relpath(file, folder or os.curdir)
    return "" if path.startswith((os.pardir + os.sep, "<")) else path


def files_for_development(report: Report, policy: Policy) -> dict[str, str]:
    """The files under the default profile that look like development, each with what speaks for it."""
    signs: dict[str, str] = {}
    for snapshot in report.snapshots if all(each.live is None for each in report.snapshots) else ():
        nodes = [each for each in snapshot.entities if each.kind in SERVER_KINDS and each.kind != OVERLAY]
        for entity in snapshot.entities:
            if (
                not entity.file
                or policy.profile_of(entity.file) != policy.profile
                or entity.file in policy.profiles
                or os.path.abspath(entity.file).startswith(DEVICES)
            ):
                continue
            if sign := _sign(entity, nodes):
                signs.setdefault(entity.file, sign)
    return signs


def _sign(entity: Entity, nodes: Sequence[Entity]) -> str:
    """What of an entity says that it is for development."""
    factors = [factor for key in FACTORS if (factor := _written(entity, key) or _of_platform(entity, key))]
    is_alone = len(nodes) == 1 and (entity.cluster_size or 1) == 1 and entity is nodes[0]
    if is_alone and factors and set(factors) == {"1"}:
        return "One broker, factors of 1"
    advertised = entity.settings.get("advertised.listeners")
    addresses = [
        part.rpartition("://")[2].rpartition(":")[0] for part in (advertised.value.split(",") if advertised else ())
    ]
    if is_alone and addresses and all(address.strip() in HERE for address in addresses):
        return "One broker, advertised at localhost"
    words = _words_of(entity)
    return f"“{words[0]}” in its name" if words else ""


def _written(entity: Entity, key: str) -> str:
    setting = entity.settings.get(key)
    return "" if setting is None else setting.value.strip()


def _of_platform(entity: Entity, key: str) -> str:
    """What a key is where the file leaves it out, by the image's own file."""
    return (entity.described or {}).get(key) or "" if entity.platform else ""


def _words_of(entity: Entity) -> list[str]:
    path = _below(entity.file) or os.path.basename(entity.file) if entity.file else ""
    name = entity.known_as or ("" if entity.format == TERRAFORM else entity.name)
    words = "".join(char if char.isalnum() else " " for char in f"{path} {name}".lower()).split()
    return [word for word in words if word in WORDS] if PRODUCTION.isdisjoint(words) else []


def _counts(
    findings: Iterable[Finding], by_id: Mapping[str, Rule], policy: Policy, others: Iterable[Finding] = ()
) -> str:
    """The findings by severity under the profile for development, with others as they are."""
    counts = dict.fromkeys(reversed(SEVERITIES), 0)
    severities = [*(_severity(row, by_id.get(row.rule), policy) for row in findings), *(row.severity for row in others)]
    for severity in severities:
        if severity != OFF:
            counts[severity] += 1
    lower = counts.pop("low") + counts.pop("info")
    parts = [f"{count} {severity}" for severity, count in counts.items() if count]
    return ", ".join([*parts, *([f"{lower} lower"] if lower else [])]) or "no findings"


def _severity(row: Finding, rule: Rule | None, policy: Policy) -> str:
    """A finding's severity under the profile for development: what this value raises or lowers stays."""
    if rule is None or row.refused or rule.id in policy.overrides:
        return row.severity
    own = rule.severity(DEV)
    return own if own == OFF else step_severity(own, rank(row.severity) - rank(rule.severity(policy.profile)))


def pattern_of(paths: Sequence[str], others: Collection[str]) -> str:
    """A pattern for some paths, relative to the configuration's folder, that covers none of the others; empty where none is simple."""
    return next((pattern for pattern in _patterns(paths) if covers_none(pattern, others)), "")


def covers_none(pattern: str, others: Collection[str]) -> bool:
    """Whether a pattern leaves out all of some paths."""
    if not others:
        return True
    from fnmatch import filter as matching

    return not matching(others, pattern)


def _patterns(paths: Sequence[str]) -> Iterator[str]:
    """Patterns that cover all of some paths."""
    names = {os.path.basename(path) for path in paths}
    folder = os.path.commonpath([os.path.dirname(path) for path in paths])
    if not any(map(os.path.dirname, paths)) and all(name.startswith(("docker-compose", "compose")) for name in names):
        yield "docker-compose*" if all(name.startswith("docker-compose") for name in names) else "*compose*"
    if len(paths) == 1:
        yield paths[0]
    yield f"{folder}/*" if folder else "*"
