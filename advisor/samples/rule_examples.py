"""A rule's Bad and Good examples as entities to judge: for tests, and for the story in `explain`."""

from __future__ import annotations

from advisor.catalog.target import release_of, vendor_of
from advisor.engine import judge
from advisor.engine.former_side import FormerSide
from advisor.engine.policy import Policy
from advisor.model import DEPLOYMENT, KINDS, Entity, Snapshot, Target
from advisor.model.claim import Claim
from advisor.rule import Rule
from collectors.files.reader import entity_of

KIND_OF_INPUT = {
    "application": "client",
    "config": "combined",
    "node": "combined",
    "cluster": "combined",
    "quorum": "combined",
}
FORMATS = ("compose", "helm", "kubernetes", "strimzi", "spring", "quarkus", "terraform", "plan", "registry", "workflow")
"""Formats that an example may be written in, in place of a kind."""
CLUSTER_TEXT_BEGINS = ("kafka ", "brokers ")


def entities(text: str, options: str = "", default_kind: str = "broker") -> list[Entity]:
    """The entities of a block: options are a kind and a Kafka version, `[kind]` on its own line starts another file."""
    kind, target = None, None
    for word in options.replace(",", " ").split():
        if word in FORMATS:
            return structured_entities(text, word)
        if word in (*KINDS, DEPLOYMENT):
            kind = word
        else:
            target = Target(release_of(word)[0], "the example says so", given=True, vendor=vendor_of(word))
    files: list[tuple[str | None, list[str]]] = [(kind, [])]
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith("[") and bare.endswith("]") and bare[1:-1] in (*KINDS, DEPLOYMENT):
            files.append((bare[1:-1], []))
        else:
            files[-1][1].append(line)
    return [
        entity_of("\n".join(lines), f"file-{number}.properties", own, target, default_kind)
        for number, (own, lines) in enumerate(files)
        if any(line.strip() for line in lines)
    ]


BEFORE, AFTER = "before:", "after:"
"""The lines above the two sides of a change; what stands above both is on either side."""


def sides_of(text: str) -> tuple[str | None, str]:
    """(text before a change, text after it); None for an example of a state."""
    lines = text.splitlines()
    if AFTER not in (line.strip() for line in lines):
        return None, text
    sides: dict[str, list[str]] = {"": [], BEFORE: [], AFTER: []}
    side = ""
    for line in lines:
        if line.strip() in (BEFORE, AFTER):
            side = line.strip()
        else:
            sides[side].append(line)
    return tuple("\n".join([*sides[""], *dedented(sides[side])]) for side in (BEFORE, AFTER))  # type: ignore[return-value]


def dedented(lines: list[str]) -> list[str]:
    """Lines without the blanks that all of them begin with."""
    least = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[least:] for line in lines]


def change_of(rule: Rule, options: str, text: str) -> tuple[Snapshot, FormerSide | None]:
    """The cluster that an example describes, and what it was before; None for an example of a state."""
    before, after = sides_of(text)
    today = snapshot_of(rule, options, after)
    return today, FormerSide([snapshot_of(rule, options, before)]) if before is not None else None


def structured_entities(text: str, format: str) -> list[Entity]:
    """The entities of an example that is written in YAML, in HCL for Terraform, or as properties of a schema registry."""
    from collectors.files.reader import entities_of
    from collectors.files.structured import read_flat, read_structured
    from collectors.files.syntax.recognition import HCL, YAML

    if format == "registry":
        return [entity for entity, _ in read_flat(text, "schema-registry.properties", None)]
    language, name = (HCL, "example.tf") if format == "terraform" else (YAML, "example.yaml")
    return [entity for entity, _ in entities_of(read_structured(language, text, name, None, None))]


def is_cluster_text(text: str) -> bool:
    """Whether an example describes a running cluster."""
    return text.lstrip().startswith(CLUSTER_TEXT_BEGINS)


def snapshot_of(rule: Rule, options: str, text: str) -> Snapshot:
    """The cluster that an example describes."""
    if not is_cluster_text(text):
        return Snapshot("example", entities(text, options, kind_for(rule)))
    from advisor.samples.cluster_text import parse_cluster

    return parse_cluster(text)


def kind_for(rule: Rule) -> str:
    """The kind of file that a rule's first input is."""
    first = rule.inputs[0]
    return KIND_OF_INPUT.get(first, "topic" if first in ("removed", "added") else first)


def claim_of(rule: Rule) -> Claim | None:
    """The rule's claim about its Bad example, None where it claims nothing that can be simulated."""
    if not rule.documentation().text("Proof"):
        return None
    for options, text in rule.documentation().examples("Bad"):
        for finding in judge([snapshot_of(rule, options, text)], [rule], Policy([rule])).findings:
            if finding.claim is not None:
                return finding.claim
    return None
