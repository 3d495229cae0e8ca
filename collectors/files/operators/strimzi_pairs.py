"""What resources of Strimzi say of each other: the label of a topic or a user, the login of a user and those of the listeners.

Source: strimzi-kafka-operator (the operators of topics and users watch resources with the label of their cluster).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from collectors.files.block import Block, deployment
from collectors.files.operators.strimzi_fields import FORMAT_NAME
from collectors.files.sources import Sources
from collectors.files.syntax.tree import TreeNode

OPERATORS = {"KafkaTopic": "topicOperator", "KafkaUser": "userOperator"}
LABEL = ("metadata", "labels", "strimzi.io/cluster")
LOGINS = ("tls", "scram-sha-512")
"""The logins of users that are those of a listener."""
KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization", "Chart.yaml", "../Chart.yaml")
"""Files by which another tool may add labels, or change resources, before they are applied."""


def mismatches(documents: Sequence[TreeNode], clusters: Mapping[str, TreeNode], sources: Sources) -> Iterator[Block]:
    """A deployment for each resource that no operator takes, or whose login no listener has."""
    if not clusters or any(map(sources.holds, KUSTOMIZATIONS)):
        return
    for document in documents:
        kind, name = document.string("kind"), document.string("metadata", "name")
        place = document.key("metadata", "name")
        if kind not in OPERATORS or place is None:
            continue
        facts = deployment(f"{kind} {name}", FORMAT_NAME, sources.shown)
        if not document.string(*LABEL) and document.key(*LABEL) is None:
            if _is_watched(clusters, OPERATORS[kind]):
                facts.translate("unlabelled", kind, place, ".".join(LABEL))
        elif kind == "KafkaUser":
            _login(facts, document, clusters.get(document.string(*LABEL)))
        if facts.settings:
            yield facts


def _is_watched(clusters: Mapping[str, TreeNode], operator: str) -> bool:
    """Whether the entity operator of a cluster looks after such resources."""
    return any(cluster.get("spec", "entityOperator", operator) is not None for cluster in clusters.values())


def _login(facts: Block, user: TreeNode, cluster: TreeNode | None) -> None:
    """Add a login that no listener of the user's cluster has."""
    login, place = user.string("spec", "authentication", "type"), user.key("spec", "authentication")
    listeners = cluster.items("spec", "kafka", "listeners") if cluster is not None else []
    logins = [listener.string("authentication", "type") for listener in listeners]
    is_known = bool(listeners) and all(each in ("", *LOGINS) for each in logins)
    if place is not None and is_known and login in LOGINS and login not in logins:
        facts.translate("login.unserved", login, place, "spec.authentication.type")
