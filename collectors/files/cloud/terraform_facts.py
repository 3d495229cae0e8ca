"""What other resources of Terraform say of a cluster: quotas, schemas, their compatibility, and what protects a resource.

Source: the schemas of the providers Mongey/kafka and confluentinc/confluent, and Terraform's meta-argument `lifecycle`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from advisor.model import DEPLOYMENT, OF_PROTECTION, OF_SCHEMA, SERVER_KINDS
from collectors.files.block import Block, deployment, text_of
from collectors.files.cloud.terraform_resource import FORMAT_NAME, Resource
from collectors.files.cloud.terraform_types import (
    ACLS,
    AIVEN_KAFKA,
    CLUSTER_TYPES,
    CONFLUENT_CLUSTER,
    FIXED,
    HELM_RELEASE,
    QUOTA,
    REGISTRIES,
    REMOVALS,
    SAME_VALUES,
    SCHEMA,
    SCRAM_SECRETS,
    SETS,
    TOPICS,
)
from collectors.files.frameworks.schema_registry import RUNS
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode

GUARDS = (("lifecycle", "prevent_destroy"), ("deletion_protection",), ("termination_protection",))
"""The fields that keep a resource from being deleted."""
LEFT_OUT = {(HELM_RELEASE, "namespace"): "default"}
"""What a provider takes for a fixed field that is left out."""
COMPATIBILITY = "compatibility_level"


def wide_acl(body: TreeNode, facts: Block) -> None:
    """An ACL that names every resource of a kind: its operation and the kind; nothing of any other."""
    operation, kind, resource, permission = ACLS[facts.name.partition(".")[0]]
    key = body.key(resource)
    if key is not None and body.string(resource) == "*" and body.string(permission).lower() != "deny":
        words = f"{body.string(operation).capitalize()} on {body.string(kind).lower()} *"
        facts.translate("acl.0", words, key, f"{facts.name}.{resource}")


def quota(body: TreeNode, facts: Block) -> None:
    """The rates of a quota; without the resource there is none."""
    facts.removal = OF_PROTECTION
    for rate, (key, value) in body.mapping("config").items():
        facts.translate(f"quota.{rate}", text_of(value), key, f"{facts.name}.config.{rate}")


def schema(body: TreeNode, facts: Block) -> None:
    """A schema, which is deleted for good with its resource where `hard_delete` is true."""
    facts.removal = OF_SCHEMA if body.string("hard_delete") == "true" else ""
    key = body.key("subject_name")
    if key is not None:
        facts.translate("schema", body.string("subject_name"), key, f"{facts.name}.subject_name")


def compatibility(body: TreeNode, facts: Block) -> None:
    """What a registry checks of new schemas, of all subjects or of one."""
    key = body.key(COMPATIBILITY)
    if key is not None:
        facts.described = {"runs": RUNS}
        facts.translate("registry.compatibility", body.string(COMPATIBILITY), key, f"{facts.name}.{COMPATIBILITY}")


def secrets(body: TreeNode, facts: Block) -> None:
    """The secrets with the logins of a cluster of Amazon MSK."""
    for number, secret in enumerate(body.items("secret_arn_list")):
        facts.translate(f"scram.{number}", text_of(secret), secret, f"{facts.name}.secret_arn_list")


READERS: dict[str, Callable[[TreeNode, Block], None]] = {
    **dict.fromkeys(ACLS, wide_acl),
    QUOTA: quota,
    SCHEMA: schema,
    **dict.fromkeys(REGISTRIES, compatibility),
    SCRAM_SECRETS: secrets,
}
"""What is read of each type."""


def facts_of(resource: Resource, file: str) -> list[Block]:
    """The facts that a resource of one of these types says."""
    facts = deployment(f"{resource.labels[0]}.{resource.name}", FORMAT_NAME, file)
    READERS[resource.labels[0]](resource.body, facts)
    return [facts] if facts.settings else []


def with_declaration(resource: Resource, blocks: list[Block], file: str) -> list[Block]:
    """The blocks of a resource, with what is deleted in the cluster when it goes, what replaces it, and what protects it."""
    type = resource.labels[0] if resource.type == "resource" else ""
    is_release = type == HELM_RELEASE
    if (
        type in REMOVALS
        and type not in TOPICS
        and (not is_release or any(block.kind in SERVER_KINDS for block in blocks))
    ):
        facts = next((block for block in blocks if block.kind == DEPLOYMENT and not is_release), None)
        if facts is None:
            facts = deployment(f"{type}.{resource.name}", FORMAT_NAME, file)
            blocks = [*blocks, facts]
        facts.removal = REMOVALS[type]
        _declare(facts, resource, type)
    guards = list(_guards(resource, file))
    for block in blocks:
        block.guards = tuple(guard.settings["protection"].value for guard in guards)
    return [*blocks, *guards]


def _declare(facts: Block, resource: Resource, type: str) -> None:
    """Say that a resource is there, and what its fixed fields hold."""
    body, name = resource.body, f"{type}.{resource.name}"
    place = TreeNode(SCALAR, body.line, body.column, name)
    facts.translate("resource", resource.prefix + name, place, "resource")
    for field in FIXED.get(type, ()):
        path = field.split(".")
        key, value = body.key(*path), body.get(*path)
        if key is not None and value is not None:
            is_set = field in SETS and value.kind == SEQUENCE
            written = ",".join(sorted(map(text_of, value.children))) if is_set else text_of(value)
            text = SAME_VALUES.get((type, field), {}).get(written, written)
            facts.translate(f"fixed.{field}", text, key, f"{name}.{field}")
        elif (type, field) in LEFT_OUT:
            facts.translate(f"fixed.{field}", LEFT_OUT[type, field], place, f"{name}.{field}")
    _note_service(facts, body, type, name)
    permission = body.key(ACLS[type][3]) if type in ACLS else None
    if permission is not None:
        facts.translate("permission", body.string(ACLS[type][3]), permission, f"{name}.{ACLS[type][3]}")
    if type in ACLS:
        facts.resource = " ".join(body.string(field) or "-" for field in FIXED[type])


def _note_service(facts: Block, body: TreeNode, type: str, name: str) -> None:
    """Say which plan of Aiven's or which type of Confluent's a cluster has."""
    plan = body.key("plan") if type == AIVEN_KAFKA else None
    if plan is not None and body.string("plan"):
        facts.translate("service.plan", body.string("plan"), plan, f"{name}.plan")
    for field in CLUSTER_TYPES if type == CONFLUENT_CLUSTER else ():
        key, block = body.key(field), body.get(field)
        if key is not None and block is not None and (block.kind == MAPPING or block.children):
            facts.translate("cluster.type", field, key, f"{name}.{field}")


def _guards(resource: Resource, file: str) -> Iterator[Block]:
    """What keeps a resource from being deleted, each a subject of its own, which is gone when it is switched off."""
    for path in GUARDS if resource.type == "resource" else ():
        key = resource.body.key(*path)
        if key is not None and resource.body.string(*path) == "true":
            facts = deployment(f"{resource.labels[0]}.{resource.name}.{path[-1]}", FORMAT_NAME, file)
            facts.removal = OF_PROTECTION
            place = TreeNode(SCALAR, key.line, key.column, path[-1])
            facts.translate("protection", path[-1], place, f"{resource.labels[0]}.{resource.name}.{'.'.join(path)}")
            yield facts
