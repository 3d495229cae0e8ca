"""The report of a run: findings with their evidence, unknowns, and the counts of all outcomes."""

from __future__ import annotations

from advisor.catalog import NEWEST
from advisor.config.cluster_config import ClusterConfig
from advisor.config.effective_settings import RELEASE
from advisor.engine.score import Score
from advisor.engine.verdicts import CRASH
from advisor.model import CLIENT_KINDS, DEPLOYMENT, SERVER_KINDS, Target
from advisor.model.finding import CERTAIN, LIKELY, Finding, rank, step_severity
from advisor.rule import SAFE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from advisor.config import Config
    from advisor.engine.policy import Policy
    from advisor.engine.verdicts import RuleVerdict, Settled
    from advisor.model import Entity, Setting, Snapshot
    from advisor.model.claim import Claim
    from advisor.model.finding import EntityName, Evidence, NotJudged
    from advisor.rule import Problem, Rule
    from advisor.rule.rule_set import RuleName

    Skipped = tuple[Rule | RuleName, tuple[str, ...]]
    Configs = tuple[Config, ...]


ASSUMED_SEVERITY = "high"
"""Of what some release refuses that the file may be for."""


class Report:
    """The result of a run: findings, unknowns, suppressed findings, skipped rules, and outcome counts."""

    def __init__(self, snapshots: Sequence[Snapshot], profile: str) -> None:
        self.snapshots = tuple(snapshots)
        self.profile = profile
        self.findings: list[Finding] = []
        self.unknown: list[NotJudged] = []
        self.suppressed: list[Finding] = []
        self.known: list[Finding] = []
        """Those of the suppressed ones that the baseline holds."""
        self.find_skipped: Callable[[], list[Skipped]] = list
        self.target = target_of(self.snapshots)
        self.profiles: list[str] = []
        self.passed = 0
        self.passed_by_rule: dict[str, dict[str, int]] = {}
        """Per snapshot and rule the subjects that passed, equal ones once."""
        self.passed_of_snapshot: dict[str, int] = {}
        """Those of the snapshot that is judged now."""
        self.repeated_entities: frozenset[int] = frozenset()
        self.not_applicable = 0
        self.crashed = False
        self.configuration: list[str] = []
        """What the files that configure the run switch off, a line for each."""
        self.ref: str | None = None
        """The commit that a change is judged against."""
        self.older = 0
        """Findings that were there at that commit, and are suppressed for that."""
        self.hint = ""
        """What the text report ends with."""
        self.newly_suppressed: list[Finding] = []
        """Findings that were not there at that commit, and that comments or waivers suppress."""
        self.not_read: list[tuple[str, str]] = []
        """(file, reason) of inputs that no reader takes."""

    @property
    def silenced(self) -> int:
        """How many findings comments and waivers suppress."""
        return len(self.suppressed) - len(self.known) - self.older

    def begin(self, snapshot: Snapshot) -> None:
        """Count what is judged from now on for this snapshot."""
        self.passed_of_snapshot = self.passed_by_rule.setdefault(snapshot.name, {})

    def add_passed(self, rule: Rule, configs: Configs, subjects: int = 1) -> None:
        """Count subjects that passed a rule whatever the item; those that equal earlier ones do not count."""
        if not self.is_repeated(configs):
            self.passed_of_snapshot[rule.id] = self.passed_of_snapshot.get(rule.id, 0) + subjects

    def add_settled(self, settled: Settled, configs: Configs) -> None:
        """Count what is known of a subject before it is judged."""
        self.passed += settled.passed
        self.not_applicable += settled.not_applicable
        if settled.passing and not self.is_repeated(configs):
            for rule in settled.passing:
                self.passed_of_snapshot[rule.id] = self.passed_of_snapshot.get(rule.id, 0) + 1

    def is_repeated(self, configs: Configs) -> bool:
        """Whether an equal subject was judged before."""
        if not self.repeated_entities:
            return False
        from advisor.engine.subjects.equal import is_repeated

        return is_repeated(configs, self.repeated_entities)

    @property
    def skipped(self) -> list[Skipped]:
        """The rules that were not asked, by id, each with the inputs that it needs and nothing here is."""
        return self.find_skipped()

    @property
    def score(self) -> Score:
        """The score of the whole report."""
        passed: dict[str, int] = {}
        for of_cluster in self.passed_by_rule.values():
            for rule, subjects in of_cluster.items():
                passed[rule] = passed.get(rule, 0) + subjects
        return Score(self.findings, self.suppressed, passed)

    @property
    def is_scored(self) -> bool:
        """Whether enough is known for a score: a finding, or more that passed than could not be judged."""
        return bool(self.findings) or self.passed > len(self.unknown)

    @property
    def judged(self) -> int:
        """The number of evaluations."""
        listed = len(self.findings) + len(self.unknown) + len(self.suppressed)
        return listed + self.passed + self.not_applicable

    @property
    def counts(self) -> dict[str, int]:
        """Findings by severity, worst first."""
        counts = {"critical": 0, "high": 0, "medium": 0, "low": 0, "info": 0}
        for finding in self.findings:
            counts[finding.severity] += 1
        return counts


def with_release(entities: Sequence[Entity]) -> Sequence[Entity]:
    """The entities that have a release of Kafka of their own; all of them where none has."""
    own = [entity for entity in entities if entity.kind not in (DEPLOYMENT, "zookeeper")]
    return own or entities


def target_of(snapshots: Sequence[Snapshot]) -> Target:
    """The target release of the report, the newest where snapshots have several."""
    entities = [entity for snapshot in snapshots for entity in snapshot.entities]
    targets = {entity.target.text: entity.target for entity in with_release(entities)}
    if not targets:
        return Target(NEWEST, "newest release: there was nothing to judge")
    newest = max(targets.values(), key=lambda target: target.version)
    several = f"the newest of {', '.join(sorted(targets))}; each input says its own"
    return newest if len(targets) == 1 else Target(newest.version, several)


def without_repetitions(findings: list[Finding]) -> list[Finding]:
    """Deduplicate findings: a client joined to several clusters is judged with each; what follows from one goes with it."""
    seen = {_identity(row): row for row in reversed(findings)}
    kept = list(reversed(seen.values()))
    if len(kept) == len(findings) or not any(row.cause for row in kept):
        return kept
    repeated = {(row.rule, row.entity) for row in findings} - {(row.rule, row.entity) for row in kept}
    return [row for row in kept if (row.cause, row.entity) not in repeated]


def _identity(row: Finding) -> tuple[object, ...]:
    """What makes a finding another one: of what stands in one line of a file for several entities there is one."""
    if row.file is not None and row.label is not None and not row.is_removal:
        return (row.rule, row.file, row.line, row.column, row.key, row.message, row.with_)
    is_of_its_kind = row.entity[0] in CLIENT_KINDS and row.file is not None and not row.is_removal
    entity = row.entity[0] if is_of_its_kind else row.entity
    return (row.rule, row.place, entity, row.key, row.line, row.message, row.with_)


def without_replaced(report: Report, rules: Iterable[Rule]) -> None:
    """Take out the findings that another finding of the same subject replaces; their rules were not applicable."""
    replaces = {rule.id: rule.replaces for rule in rules if rule.replaces} if report.findings else {}
    replaced = {(id, row.place, row.entity[1]) for row in report.findings for id in replaces.get(row.rule, ())}
    if replaced:
        findings = [row for row in report.findings if (row.rule, row.place, row.entity[1]) not in replaced]
        report.not_applicable += len(report.findings) - len(findings)
        report.findings = findings


def once_per_release(findings: list[Finding]) -> list[Finding]:
    """Say of the release itself what is the same for several files of a run only once, where it is worst."""
    said: set[tuple[str, str]] = set()
    repeated: set[int] = set()
    about_release = (row for row in findings if RELEASE in (row.key, row.kafka_key))
    for row in sorted(about_release, key=lambda row: (row.entity[0] == "controller", finding_order(row))):
        if (row.rule, row.message) in said:
            repeated.add(id(row))
        said.add((row.rule, row.message))
    return [row for row in findings if id(row) not in repeated] if repeated else findings


def finding_order(finding: Finding) -> tuple[object, ...]:
    """Sort key of findings: worst first, then by file or cluster and line."""
    return (
        -rank(finding.severity),
        finding.place,
        finding.line is None,
        finding.line or 0,
        finding.rule,
        finding.entity,
        finding.key or "",
    )


def reason_of(verdict: RuleVerdict, configs: Configs) -> str:
    """Why the verdict is unknown for this subject: its own answer to the last question."""
    reason = verdict.reason
    if verdict.questions:
        index, question = verdict.questions[-1]
        reason = getattr(configs[index].answer(question), "reason", reason)
    return shown_text_of(reason, configs)


def shown_text_of(text: str, configs: Configs) -> str:
    """What outputs show of a rule's text about these subjects: no value that is not shown itself."""
    hidden = [value for config in configs for value in config.hidden_values()] if text else ()
    if not hidden:
        return text
    from advisor.engine.shown_text import shown_text

    return shown_text(text, tuple(hidden))


def finding_of(rule: Rule, verdict: RuleVerdict, configs: Configs, policy: Policy, assumed: str = "") -> Finding:
    """Turn a failing verdict into a finding for these subjects: severity, location, evidence, texts.

    `assumed` says which releases refuse what the verdict is about, where only some do that the file may be for.
    """
    problem = verdict.problem
    assert problem is not None
    first = verdict.places[0]
    subject = configs[first.input]
    setting = part_of(subject.setting(first.key), problem)
    refused = problem.refused and not assumed and _is_in_force(subject, setting)
    platform = platform_of(subject, first.key, setting)
    origin = setting.origin if setting else (subject.entity.places or {}).get(first.key)
    key, kafka_key = _keys(subject, first.key, setting, configs)
    severity = _severity(problem, policy.severity(rule, subject.file), refused, subject, platform)
    documentation = rule.documentation()
    finding = Finding(
        rule=rule.id,
        name=rule.name,
        severity=ASSUMED_SEVERITY if assumed else severity,
        confidence=_confidence(rule, problem, refused, setting, assumed),
        message=shown_text_of(_message(problem, platform, setting, assumed), configs),
        why=documentation.text("Why"),
        fix=_fix_where_platform_decides(documentation.text("Fix"), subject, first.key, False),
        care=documentation.text("Care"),
        cause=problem.cause,
        entity=subject.name,
        with_=tuple([name for config in configs for name in other_entities(config, subject)]),
        key=key,
        kafka_key=kafka_key if kafka_key != key else None,
        value=setting.shown if setting else subject.fact(first.key),
        required=problem.required and shown_text_of(problem.required, configs),
        file=origin.file if origin else subject.file,
        line=origin.line if origin else None,
        column=origin.column if origin else None,
        source_line=(lambda: source_line(setting)) if setting and setting.origin.line else None,
        label=setting.lead.rstrip(":= ") if setting and setting.written else None,
        evidence=lambda: evidence_of(verdict, configs),
        refused=refused,
        changes=problem.changes,
        used=problem.used and shown_text_of(problem.used, configs),
        target=subject.release,
        place=place_of(subject, policy),
        explain=rule.explain,
    )
    finding.refused_if_assumed = bool(assumed)
    finding.derived = source_of(setting) if setting else ""
    if rule.fix and subject.entity.cluster is None:
        _add_edit(finding, rule, problem, subject, first.key)
    if problem.claim is not None:
        finding.claim, finding.prove = problem.claim, prove
    return finding


def _is_in_force(subject: Config, setting: Setting | None) -> bool:
    """Whether Kafka would read what stands there: what runs was not refused, and a condition or a variable may set something else."""
    return subject.entity.cluster is None and not (setting and (setting.conditional or setting.variable))


def _confidence(rule: Rule, problem: Problem, refused: bool, setting: Setting | None, assumed: str) -> str:
    """How certain a problem is; a setting in a condition, or the default of a variable, is likely what is in force."""
    if problem.likely or assumed or (setting and (setting.conditional or setting.variable)):
        return LIKELY
    return CERTAIN if refused else rule.confidence


def _message(problem: Problem, platform: str, setting: Setting | None, assumed: str) -> str:
    """What is wrong, and what that rests on which the file does not say."""
    parts = (
        problem.message,
        f"(refused {assumed}; release assumed)" if assumed else "",
        f"(not written: the default of {platform})" if platform else "",
        f"(unless {setting.variable} is set)" if setting and setting.variable else "",
    )
    return " ".join([part for part in parts if part])


def _add_edit(finding: Finding, rule: Rule, problem: Problem, subject: Config, key: str) -> None:
    """Add the edit that mends a finding; in words, too, what has no effect is removed."""
    finding.applicability, edit = rule.fix_of(problem)
    is_without_effect = finding.applicability == SAFE
    finding.fix = _fix_where_platform_decides(rule.documentation().text("Fix"), subject, key, is_without_effect)
    finding.edit = _fix_where_platform_decides(edit, subject, key, is_without_effect)


def _fix_where_platform_decides(fix: str, subject: Config, key: str, is_without_effect: bool) -> str:
    """A fix that removes a key from a piece of a node's configuration writes Kafka's default: the platform may have another.

    What has no effect is removed.
    """
    has_own_defaults = subject.entity.fragment or (subject.entity.described and subject.entity.cluster is None)
    if is_without_effect or "remove " not in fix or not has_own_defaults or subject.name[0] not in SERVER_KINDS:
        return fix
    from advisor.config.written_defaults import written_default

    return written_default(fix, subject, key)


def prove(claim: Claim) -> dict[str, object]:
    """The proof of a claim; a report that shows none loads no simulator."""
    from advisor.simulator import claims

    return claims.prove(claim)


def _severity(problem: Problem, of_rule: str, refused: bool, subject: Config, platform: str) -> str:
    """The severity of a problem: critical where Kafka refuses it for sure, bounded where a platform chose the value.

    An image's defaults are made for one broker: where there are more, they are as severe as what is written.
    """
    severity = "critical" if refused and not problem.likely else step_severity(of_rule, problem.step)
    if not platform or (subject.entity.cluster_size or 0) > 1:
        return severity
    return min(severity, "medium" if subject.entity.kind in CLIENT_KINDS else "low", key=rank)


def part_of(setting: Setting | None, problem: Problem) -> Setting | None:
    """The piece of a setting that a problem is about, the setting itself where it stands in one place."""
    if setting is None or setting.parts is None or problem.part is None:
        return setting
    return setting.parts.get(problem.part, setting)


def platform_of(subject: Config, key: str, setting: Setting | None) -> str:
    """Whose default a finding rests on, where a platform chose it and not the file; empty otherwise."""
    entity = subject.entity
    from_platform = setting is None and entity.platform and entity.described is not None and key in entity.described
    return entity.platform if from_platform else ""


def _keys(subject: Config, key: str, setting: Setting | None, configs: Configs) -> tuple[str, str]:
    """(the key as the subject's file spells it, Kafka's name of it)."""
    spelling = subject.spelling(key)
    if setting is not None:
        kafka_key = setting.key if setting.written else key
        written = setting.written or setting.key
    else:
        kafka_key = shown_text_of(key, configs)
        written = shown_text_of(spelling.spell(key), configs) if spelling else kafka_key
    return (written, written) if subject.entity.kind == DEPLOYMENT else (written, kafka_key)


def source_of(setting: Setting) -> str:
    """What a value was made of that the file does not hold: a field of its line, or what the image brings."""
    if setting.derived or setting.quoted is None or setting.span is not None or not setting.written:
        return setting.derived
    is_there = not setting.value or setting.secret or setting.value.splitlines()[0] in setting.quoted
    return "" if is_there or setting.key.startswith(setting.written) else setting.written


def source_line(setting: Setting) -> str:
    """The line that a setting stands in, as outputs show it; a report that shows none loads nothing for it."""
    from advisor.engine.quoted_line import quoted_line

    return quoted_line(setting)


def place_of(subject: Config, policy: Policy) -> str:
    """Where a finding belongs: its running cluster, else its file."""
    if subject.entity.cluster is not None:
        return subject.entity.cluster
    return policy.place(subject.name[1] if isinstance(subject, ClusterConfig) else subject.file or subject.name[1])


def other_entities(config: Config, subject: Config) -> list[EntityName]:
    """The other entities of a finding: the remaining inputs, and the nodes of a cluster."""
    if isinstance(config, ClusterConfig) and config.entity.cluster is None:
        return [node.name for node in config.nodes]
    return [] if config is subject else [config.name]


def evidence_of(verdict: RuleVerdict, configs: Configs) -> tuple[Evidence, ...]:
    """The evidence for a verdict: every setting it depends on, once."""
    rows: dict[tuple[EntityName, str, bool], Evidence] = {}
    formers = [any(each.before is config for each in configs) for config in configs]
    questions = [(at.input, ("text", at.key)) for at in verdict.places]
    for index, question in (*questions, *verdict.questions):
        for row in configs[index].evidence(question):
            rows.setdefault((row.entity, row.key, formers[index]), row)
    return tuple(rows.values())


def crash_finding(rule: Rule, error: str, subject: Config | None = None) -> Finding:
    """A finding about a rule that crashed; without a subject where several were judged at once."""
    return Finding(
        rule=CRASH,
        name="rule-crashed",
        severity="high",
        confidence=CERTAIN,
        message=f"rule {rule.id} {rule.name} crashed: {shown_text_of(error, (subject,) if subject else ())}",
        why="A rule that crashes has judged nothing: this is a fault of the tool or of a rule of yours.",
        fix="Report it with the file's lines that matter, or leave the rule out with --ignore.",
        entity=subject.name if subject else ("", ""),
        file=subject.file if subject else None,
        key=rule.id,
        place=(subject.entity.cluster or subject.file or subject.name[1]) if subject else "",
    )
