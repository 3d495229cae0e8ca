"""The judge: evaluates rules over a snapshot, remembers verdicts, settles the evidence for each subject."""

from __future__ import annotations

from advisor.catalog import NEWEST
from advisor.config import ClusterConfig, Config
from advisor.model import CLIENT_KINDS, SERVER_KINDS, Target
from advisor.model.finding import (
    CERTAIN,
    FAIL,
    LIKELY,
    NOT_APPLICABLE,
    PASS,
    UNKNOWN,
    Finding,
    NotJudged,
    rank,
    stepped,
)
from advisor.rule import NotApplicable, Problem
from advisor.rule.outcomes import Unknown
from advisor.rule.subject import At, Facts
from advisor.simulator.claims import prove

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeVar

    from advisor.engine.policy import Policy
    from advisor.model import Snapshot
    from advisor.model.finding import EntityName, Evidence
    from advisor.rule import Rule
    from advisor.rule.subject import Question, Reads

    Configs = tuple[Config, ...]
    T = TypeVar("T")

CRASH = "KA000"
MISSING = object()
LEAVES = 2000
"""Verdicts a tree remembers; beyond that the rule reads something unique to each subject and is simply called."""
FEW = 4
"""Subjects up to which nothing is remembered."""


class Verdict:
    """What a rule said: its outcome, the problem or the reason, and every question it asked on the way."""

    __slots__ = ("outcome", "places", "problem", "questions", "reason")

    def __init__(
        self,
        outcome: str,
        questions: tuple[tuple[int, Question], ...],
        problem: Problem | None = None,
        places: tuple[At, ...] = (),
        reason: str = "",
    ) -> None:
        self.outcome = outcome
        self.questions = questions
        self.problem = problem
        self.places = places
        self.reason = reason


class Crash(Exception):
    """A rule raised what it must not; the text says what."""


class Branch:
    """A question of a rule's tree, and where each answer seen so far leads."""

    __slots__ = ("answers", "input", "question")

    def __init__(self, input: int, question: Question) -> None:
        self.input = input
        self.question = question
        self.answers: dict[object, Branch | Verdict] = {}


class Judge:
    """Evaluates rules. A rule is pure, so subjects that answer its questions alike share the verdict.

    `remember=False` calls every rule: what a single file costs is not worth remembering.
    """

    __slots__ = ("_leaves", "_remember", "_trees")

    def __init__(self, remember: bool = True) -> None:
        self._remember = remember
        self._trees: dict[object, Branch | Verdict] = {}
        self._leaves: dict[str, int] = {}

    def verdict(self, rule: Rule, inputs: Configs, item: object = None) -> Verdict:
        """The verdict of one evaluation: one rule, one combination of inputs, one item of `each=`."""
        key = (rule.id, rule.name, item)
        node = self._trees.get(key)
        while type(node) is Branch:
            config = inputs[node.input]
            answer = config.answers.get(node.question, MISSING)
            node = node.answers.get(config.answer(node.question) if answer is MISSING else answer)
        if node is not None:
            return node  # type: ignore[return-value]
        reads: Reads = []
        verdict = call(rule, inputs, item, reads)
        if self._remember and self._leaves.get(rule.id, 0) < LEAVES:
            self._leaves[rule.id] = self._leaves.get(rule.id, 0) + 1
            self._graft(key, reads, verdict)
        return verdict

    def _graft(self, key: object, reads: Reads, verdict: Verdict) -> None:
        asked = once_asked(reads)
        if not asked:
            self._trees[key] = verdict
            return
        level, step = self._trees, key
        for index, question, answer in asked:
            node = level.get(step)
            if not isinstance(node, Branch):
                node = level[step] = Branch(index, question)
            if (node.input, node.question) != (index, question):
                raise Crash("asks different questions after the same answers")
            level, step = node.answers, answer
        level[step] = verdict


def once_asked(reads: Reads) -> Reads:
    """The reads without repetitions: the same question has the same answer."""
    seen: dict[tuple[int, Question], object] = {}
    for index, question, answer in reads:
        seen.setdefault((index, question), answer)
    return [(index, question, answer) for (index, question), answer in seen.items()]


def call(rule: Rule, inputs: Configs, item: object, reads: Reads) -> Verdict:
    """Call the rule itself, noting what it asks."""
    facts = [Facts(index, config, reads) for index, config in enumerate(inputs)]
    arguments = facts if rule.each is None else [*facts, item]
    try:
        if (rule.since or rule.before) and (why_not := _out_of_bounds(rule, facts[0])):
            raise NotApplicable(why_not)
        found = guarded(lambda: list(rule.function(*arguments) or ()))
    except NotApplicable as why_not:
        return Verdict(NOT_APPLICABLE, _questions(reads), reason=str(why_not))
    except Unknown as unknown:
        return Verdict(UNKNOWN, _questions(reads), reason=str(unknown))
    if len(found) > 1:
        raise Crash("yields more than one problem in one evaluation")
    if not found:
        return Verdict(PASS, _questions(reads))
    return Verdict(FAIL, _questions(reads), found[0], _places(found[0].at))


def guarded(function: Callable[[], T]) -> T:
    """Run a rule's code; whatever it raises that it must not is a Crash."""
    try:
        return function()
    except (NotApplicable, Unknown):
        raise
    except Exception as error:
        raise Crash(f"{type(error).__name__}: {error}") from error


def _out_of_bounds(rule: Rule, facts: Facts) -> str | None:
    version = facts.version()
    if rule.since and version < rule.since:
        return f"holds from Kafka {rule.since[0]}.{rule.since[1]}"
    if rule.before and version >= rule.before:
        return f"holds before Kafka {rule.before[0]}.{rule.before[1]}"
    return None


def _questions(reads: Reads) -> tuple[tuple[int, Question], ...]:
    return tuple(dict.fromkeys((index, question) for index, question, _ in reads))


def _places(at: object) -> tuple[At, ...]:
    listed = at if isinstance(at, list) else [at]
    return tuple(place if isinstance(place, At) else At(0, str(place)) for place in listed)


class Report:
    """All that was found, and all that was not: the counts of the four outcomes, unknowns, skipped rules."""

    def __init__(self, snapshots: Sequence[Snapshot], profile: str) -> None:
        self.snapshots = tuple(snapshots)
        self.profile = profile
        self.findings: list[Finding] = []
        self.unknown: list[NotJudged] = []
        self.suppressed: list[Finding] = []
        self.skipped: list[tuple[Rule, tuple[str, ...]]] = []
        self.target = target_of(self.snapshots)
        self.profiles: list[str] = []
        self.passed = 0
        self.not_applicable = 0
        self.crashed = False

    @property
    def judged(self) -> int:
        """Evaluations that took place."""
        found = len(self.findings) + len(self.unknown) + len(self.suppressed)
        return found + self.passed + self.not_applicable

    @property
    def counts(self) -> dict[str, int]:
        """Findings by severity, worst first."""
        counts = {"critical": 0, "high": 0, "medium": 0, "low": 0, "info": 0}
        for finding in self.findings:
            counts[finding.severity] += 1
        return counts


def target_of(snapshots: Sequence[Snapshot]) -> Target:
    """The release that everything was judged for, the newest where there are several."""
    targets = {entity.target.text: entity.target for snapshot in snapshots for entity in snapshot.entities}
    if not targets:
        return Target(NEWEST, "newest release: there was nothing to judge")
    newest = max(targets.values(), key=lambda target: target.version)
    several = f"the newest of {', '.join(sorted(targets))}; each input says its own"
    return newest if len(targets) == 1 else Target(newest.version, several)


def inputs_of(snapshot: Snapshot) -> dict[str, list[Config]]:
    """The snapshot's subjects by the names that rules know them by."""
    if snapshot.live is not None:
        from advisor.engine.live_subjects import inputs_of as inputs_of_live

        return inputs_of_live(snapshot, names_of)
    found: dict[str, list[Config]] = {}
    for entity in snapshot.entities:
        config = Config(entity)
        for name in names_of(entity.kind):
            found.setdefault(name, []).append(config)
    nodes = sorted(found.get("node", ()), key=lambda node: (node.entity.name, node.file or ""))
    if nodes:
        found["cluster"] = [ClusterConfig("cluster", snapshot.name, nodes)]
        if any(node.find("process.roles")[0] for node in nodes):
            found["quorum"] = [ClusterConfig("quorum", snapshot.name, nodes)]
    return found


def names_of(kind: str) -> tuple[str, ...]:
    """The inputs of rules that a kind of entity is."""
    if kind in SERVER_KINDS:
        both = ("broker", "controller") if kind == "combined" else (kind,)
        return ("config", "node", *both)
    if kind == "client":
        return ("config", "client", "producer", "consumer")
    return ("config", "client", kind) if kind in CLIENT_KINDS else ("config", kind)


def judge(snapshots: Iterable[Snapshot], rules: Sequence[Rule], policy: Policy) -> Report:
    """Evaluate the rules that the policy selects over every snapshot."""
    snapshots = tuple(snapshots)
    report = Report(snapshots, policy.profile)
    judge_ = Judge(remember=sum(len(snapshot.entities) for snapshot in snapshots) > FEW)
    chosen = _by_inputs(rule for rule in rules if policy.selects(rule))
    held: set[str] = set()
    for snapshot in snapshots:
        inputs = inputs_of(snapshot)
        before = len(report.findings)
        held |= inputs.keys()
        for names, group in chosen.items():
            if names[0] == "partition":
                if "partition" not in inputs:
                    continue
                from advisor.engine.partitions import judge_partitions

                judge_partitions(judge_, group, inputs, policy, report)
                continue
            for configs in combinations(inputs, names, snapshot):
                for rule in group:
                    evaluate(judge_, rule, configs, policy, report)
        policy.suppress(snapshot, report, before)
    for names, group in chosen.items():
        needs = tuple(name for name in names if name not in held)
        report.skipped += [(rule, needs) for rule in group if needs]
    report.skipped.sort(key=lambda row: row[0].id)
    policy.settle(report)
    report.profiles = policy.used(snapshots)
    report.findings = once(sorted(report.findings, key=order))
    unknown = {(row.rule, row.entity, row.key or "", row.reason): row for row in report.unknown}
    report.unknown = [unknown[key] for key in sorted(unknown)]
    return report


def once(findings: list[Finding]) -> list[Finding]:
    """The findings without repetitions: a client that was joined to several clusters is judged with each."""
    seen = {
        (row.rule, row.place, row.entity, row.key, row.line, row.message, row.with_): row for row in reversed(findings)
    }
    return list(reversed(seen.values()))


def order(finding: Finding) -> tuple[object, ...]:
    """Worst first, then by place."""
    return (
        -rank(finding.severity),
        finding.place,
        finding.line is None,
        finding.line or 0,
        finding.rule,
        finding.entity,
        finding.key or "",
    )


def _by_inputs(rules: Iterable[Rule]) -> dict[tuple[str, ...], list[Rule]]:
    grouped: dict[tuple[str, ...], list[Rule]] = {}
    for rule in rules:
        grouped.setdefault(rule.inputs, []).append(rule)
    return grouped


def combinations(
    inputs: dict[str, list[Config]], names: tuple[str, ...], snapshot: Snapshot | None = None
) -> Iterator[Configs]:
    """Every combination of subjects that a rule's inputs name."""
    if snapshot is not None and snapshot.live is not None and names[-1] == "topic" and len(names) > 1:
        from advisor.engine.partitions import joined

        yield from joined(inputs, names, snapshot.joined)
        return
    if len(names) == 1:
        for config in inputs.get(names[0], ()):
            yield (config,)
        return
    first = names[0]
    for config in inputs.get(first, ()):
        for rest in combinations(inputs, names[1:]):
            yield (config, *rest)


def evaluate(judge_: Judge, rule: Rule, configs: Configs, policy: Policy, report: Report) -> None:
    """Judge one combination of inputs and take what comes of it into the report."""
    try:
        for item in _items(rule, configs):
            _record(judge_.verdict(rule, configs, item), rule, configs, policy, report, item)
    except Unknown as unknown:
        kind, name = configs[0].name
        names = [member.name for member in configs[0].members] or [name]
        report.unknown += [NotJudged(rule.id, rule.name, (kind, each), str(unknown)) for each in names]
    except Crash as crash:
        report.crashed = True
        report.findings.append(crashed(rule, configs, str(crash)))


def _items(rule: Rule, configs: Configs) -> tuple[object, ...]:
    if rule.each is None:
        return (None,)
    if isinstance(rule.each, tuple):
        return rule.each
    known = configs[0].items
    if rule.each not in known:
        each = rule.each
        try:
            known[each] = guarded(lambda: each(Facts(0, configs[0], [])))
        except NotApplicable:
            known[rule.each] = ()
    return known[rule.each]


def _record(
    verdict: Verdict, rule: Rule, configs: Configs, policy: Policy, report: Report, item: object = None
) -> None:
    crowd = next((config for config in configs if config.members), None)
    if crowd is not None and verdict.outcome in (FAIL, UNKNOWN):
        from advisor.engine.partitions import alone

        for member in crowd.members:
            _record(verdict, rule, alone(configs, crowd, member), policy, report, item)
    elif verdict.outcome == PASS:
        report.passed += len(crowd.members) if crowd else 1
    elif verdict.outcome == NOT_APPLICABLE:
        report.not_applicable += len(crowd.members) if crowd else 1
    elif verdict.outcome == UNKNOWN:
        key = item if isinstance(item, str) else None
        report.unknown.append(NotJudged(rule.id, rule.name, configs[0].name, reason_of(verdict, configs), key))
    elif verdict.outcome == FAIL:
        report.findings.append(finding_of(rule, verdict, configs, policy))


def reason_of(verdict: Verdict, configs: Configs) -> str:
    """Why this subject's verdict is unknown: its own answer to the last question."""
    if not verdict.questions:
        return verdict.reason
    index, question = verdict.questions[-1]
    answer = configs[index].answer(question)
    return getattr(answer, "reason", verdict.reason)


def finding_of(rule: Rule, verdict: Verdict, configs: Configs, policy: Policy) -> Finding:
    """The verdict, settled for these subjects: severity, place, evidence and words."""
    problem = verdict.problem
    assert problem is not None
    first = verdict.places[0]
    subject = configs[first.input]
    setting = subject.setting(first.key)
    documentation = rule.documentation()
    severity = stepped(policy.severity(rule, subject.file), problem.step)
    refused = problem.refused and subject.entity.cluster is None  # what runs was not refused
    severity = "critical" if refused and not problem.likely else severity
    found = Finding(
        rule=rule.id,
        name=rule.name,
        severity=severity,
        confidence=LIKELY if problem.likely else CERTAIN if refused else rule.confidence,
        message=problem.message,
        why=documentation.text("Why"),
        fix=documentation.text("Fix"),
        entity=subject.name,
        with_=tuple(name for config in configs for name in others(config, subject)),
        key=setting.key if setting else first.key,
        kafka_key=first.key if setting and setting.key != first.key else None,
        value=setting.value if setting else subject.fact(first.key),
        required=problem.required,
        file=setting.origin.file if setting else subject.file,
        line=setting.origin.line if setting else None,
        column=setting.origin.column if setting else None,
        source_line=setting.origin.text if setting else None,
        evidence=lambda: evidence_of(verdict, configs),
        refused=refused,
        changes=problem.changes,
        target=subject.release,
        place=place_of(subject, policy),
    )
    if problem.claim is not None:
        found.claim, found.proof = problem.claim, prove(problem.claim)
    return found


def place_of(subject: Config, policy: Policy) -> str:
    """What a finding is placed by: the running cluster, else the file."""
    if subject.entity.cluster is not None:
        return subject.entity.cluster
    return policy.place(subject.name[1] if isinstance(subject, ClusterConfig) else subject.file or subject.name[1])


def others(config: Config, subject: Config) -> list[EntityName]:
    """The entities that a finding speaks of beside its subject: the other inputs, and the nodes of a cluster."""
    if isinstance(config, ClusterConfig) and config.entity.cluster is None:
        return [node.name for node in config.nodes]
    return [] if config is subject else [config.name]


def evidence_of(verdict: Verdict, configs: Configs) -> tuple[Evidence, ...]:
    """Every setting the verdict rests on, each resolved through its own subject, once."""
    rows: dict[tuple[EntityName, str], Evidence] = {}
    questions = [(place.input, ("text", place.key)) for place in verdict.places]
    for index, question in (*questions, *verdict.questions):
        for row in configs[index].evidence(question):
            rows.setdefault((row.entity, row.key), row)
    return tuple(rows.values())


def crashed(rule: Rule, configs: Configs, error: str) -> Finding:
    """A rule that raised, as a finding of its own."""
    return Finding(
        rule=CRASH,
        name="rule-crashed",
        severity="high",
        confidence=CERTAIN,
        message=f"rule {rule.id} {rule.name} crashed: {error}",
        why="A rule that crashes has judged nothing: this is a fault of the tool or of a rule of yours.",
        fix="Report it with the file's lines that matter, or leave the rule out with --ignore.",
        entity=configs[0].name,
        file=configs[0].file,
        key=rule.id,
        place=configs[0].entity.cluster or configs[0].file or configs[0].name[1],
    )
