"""What a plan of Terraform changes: each resource as it was, and as it will be.

Source: Terraform's JSON output format, "Change Representation": actions, before, after, after_unknown, replace_paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.errors import UnreadableInput
from collectors.files.block import Block, deployment
from collectors.files.cloud.terraform_json import Converter, name_configurations
from collectors.files.cloud.terraform_resource import FORMAT_NAME, Resource
from collectors.files.cloud.terraform_types import CONFIGURATION, READ
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode

MAJOR = ("0", "1")
"""The major versions of the format that are known."""
ACTIONS = frozenset(("no-op", "create", "read", "update", "delete", "forget"))
KEPT = "forget"
UNKNOWN, SENSITIVE = "is known after the apply alone", "is sensitive"


def knows(document: TreeNode) -> bool:
    """Whether a document is a plan as Terraform prints it."""
    return bool(document.string("terraform_version") and document.get("resource_changes") is not None)


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The blocks of what a plan leads to; of a former run, of what there was before it."""
    return [block for each in documents for block in Plan(each, sources.shown).blocks(former=sources.run.former)]


class Plan:
    """The changes of the resources that concern Kafka. Raises UnreadableInput for a plan of a format that is not known."""

    def __init__(self, document: TreeNode, shown: str) -> None:
        self.shown = shown
        self.changes = [
            item
            for item in document.items("resource_changes")
            if item.string("mode") != "data" and item.string("type") in READ
        ]
        version = document.string("format_version")
        actions = {action for change in self.changes for action in actions_of(change)}
        if version.partition(".")[0] not in MAJOR or not actions <= ACTIONS:
            what = f"format_version {version[:20]}" if actions <= ACTIONS else f"action {min(actions - ACTIONS)[:40]}"
            raise UnreadableInput(f"{shown}: a plan with {what} is not known; write it with a release of Terraform 1")

    def blocks(self, former: bool) -> list[Block]:
        """The blocks of all resources before the plan, or behind it, and of the plan."""
        changes = [change for change in self.changes if not (former and KEPT in actions_of(change))]
        resources = [each for change in changes for each in self._resource(change, "before" if former else "after")]
        name_configurations([resource for resource, _ in resources])
        made = [block for resource, change in resources for block in self._blocks(resource, change)]
        return [*made, self._summary()] if self.changes else made

    def _blocks(self, resource: Resource, change: TreeNode) -> Iterator[Block]:
        """The blocks of a resource, with why it is replaced."""
        from collectors.files.cloud.terraform import resource_blocks

        for block in resource_blocks([resource], Sources(self.shown, self.shown)):
            block.replaced = (
                "" if resource.labels[0] == CONFIGURATION and is_created_first(change) else reason_to_replace(change)
            )
            yield block

    def _resource(self, change: TreeNode, side: str) -> Iterator[tuple[Resource, TreeNode]]:
        """The resource of a change on one side, where it is there."""
        values = change.get("change", side)
        if values is None or values.kind != MAPPING:
            return
        type, address = change.string("type"), change.string("address")
        name = address.rpartition(f"{type}.")[2] or change.string("name")
        prefix = address.removesuffix(f"{type}.{name}")
        body = Converter().body(values)
        if side == "after":
            mark(body, change.get("change", "after_unknown"), UNKNOWN)
        mark(body, change.get("change", f"{side}_sensitive"), SENSITIVE)
        yield Resource("resource", (type, name), body, prefix if prefix.startswith("module.") else ""), change

    def _summary(self) -> Block:
        """How many resources the plan adds, changes and destroys, in Terraform's words."""
        counts = dict.fromkeys(("create", "update", "delete"), 0)
        for change in self.changes:
            for action in actions_of(change):
                counts[action] = counts.get(action, 0) + 1
        facts = deployment("plan", FORMAT_NAME, self.shown)
        first = self.changes[0]
        text = f"{counts['create']} to add, {counts['update']} to change, {counts['delete']} to destroy"
        facts.translate(
            "plan", text, TreeNode(SCALAR, first.line, first.column, "resource_changes"), "resource_changes"
        )
        return facts


def actions_of(change: TreeNode) -> list[str]:
    """What a plan does with a resource."""
    return [item.text for item in change.items("change", "actions")]


def is_created_first(change: TreeNode) -> bool:
    """Whether a resource is created anew before the old one is deleted."""
    return actions_of(change) == ["create", "delete"]


def reason_to_replace(change: TreeNode) -> str:
    """The attributes that force a replacement, else Terraform's reason for it; empty where the resource stays."""
    if not {"create", "delete"} <= set(actions_of(change)):
        return ""
    paths = [".".join(part.text for part in path.children) for path in change.items("change", "replace_paths")]
    return ", ".join(paths) or change.string("action_reason").replace("_", " ") or "it is replaced"


def mark(body: TreeNode, marks: TreeNode | None, why: str) -> None:
    """Make unknown what is marked with true in a tree of the same shape; a value that is not there yet is added."""
    for name, (key, marked) in marks.pairs().items() if marks is not None and marks.kind == MAPPING else ():
        value = body.get(name)
        if marked.kind == SCALAR and marked.text == "true":
            hidden = TreeNode(
                SCALAR, (value or marked).line, (value or marked).column, "${" + why.replace(" ", "_") + "}"
            )
            hidden.unknown = why
            body.pairs_written = [pair for pair in body.pairs_written if pair[0].text != name]
            body.add(key, hidden)
        elif value is not None and value.kind == MAPPING:
            mark(value, marked.children[0] if marked.children else marked, why)
