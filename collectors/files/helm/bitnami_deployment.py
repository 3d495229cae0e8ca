"""The deployment that Bitnami's chart makes: its image, volumes, cluster id, placement, and what is open to clients outside.

Source: bitnami/charts (kafka/templates).
"""

from __future__ import annotations

from advisor.model import Spelling
from collectors.files.block import Block, deployment, text_of
from collectors.files.helm import bitnami_from_24
from collectors.files.helm.bitnami_recognition import is_from_24
from collectors.files.helm.deployment_facts import FORMAT_NAME, MADE_BY_CHART, OF_THE_RELEASE, add_claim, add_fact
from collectors.files.operators.common import protocol
from collectors.files.syntax.tree import TreeNode

OUTSIDE = ("LoadBalancer", "NodePort")
NAMES = (("controller", "persistence", "existingClaim"), ("broker", "persistence", "existingClaim"), ("persistence", "existingClaim"),
         ("fullnameOverride",), ("nameOverride",), ("namespaceOverride",))  # fmt: skip
"""What names the claims of the volumes, the nearest first."""
CHARTS_NAME = (("nameOverride",), "kafka")
"""An override that changes nothing."""
OF_SECRET = "secret-"
"""How the id of a cluster begins that a secret holds."""
ROLES = ("controller", "broker")
SECRETS: tuple[tuple[tuple[str, ...], ...], ...] = (
    *(
        (("sasl", part, field),)
        for part in ("interbroker", "controller", "zookeeper")
        for field in ("password", "clientSecret")
    ),
    (("sasl", "client", "passwords"), ("auth", "sasl", "jaas", "clientPasswords")),
    (("auth", "sasl", "jaas", "interBrokerPassword"),),
    (("auth", "sasl", "jaas", "zookeeperPassword"),),
    (("tls", "keystorePassword"), ("tls", "truststorePassword"), ("tls", "keyPassword"), ("auth", "tls", "password")),
)
"""Fields that take secrets; of several together the first that is filled stands for the others."""


def deployment_of(values: TreeNode, path: str, file: str) -> Block:
    """What is known of the deployment."""
    facts = deployment(f"Helm {path.rstrip('.') or 'kafka'}", FORMAT_NAME, file)
    facts.spelling = Spelling(
        path, names={"storage": f"{path}persistence.enabled", "volume": f"{path}fullnameOverride"}
    )
    facts.described = {"runs": "broker", "volume": OF_THE_RELEASE, "cluster.id": MADE_BY_CHART}
    for where in (("persistence",), ("controller", "persistence"), ("broker", "persistence")):
        add_fact(facts, "storage", "ephemeral", values, path, (*where, "enabled"), "false")
        add_fact(facts, "storage.size", values.string(*where, "size"), values, path, (*where, "size"))
        add_claim(facts, values, path, where)
    if values.string("externalAccess", "enabled").lower() == "true":
        _outside(facts, values, path)
    for where in (("clusterId",), ("kraft", "clusterId")):
        add_fact(facts, "cluster.id", values.string(*where), values, path, where)
    for where in (("existingKraftSecret",), ("kraft", "existingClusterIdSecret")):
        add_fact(facts, "cluster.id", values.string(*where) and OF_SECRET + values.string(*where), values, path, where)
    _access(facts, values, path, ("service", "type"))
    facts.described["public.protocol"] = _outside_protocol(values)
    add_fact(facts, "client.authentication", "none", values, path, ("auth", "enabled"), "false")
    add_fact(facts, "client.protocol", "PLAINTEXT", values, path, ("allowPlaintextListener",), "true")
    protocol = values.string("listeners", "client", "protocol")
    add_fact(facts, "client.protocol", protocol, values, path, ("listeners", "client", "protocol"))
    _client_users(facts, values, path)
    _secrets(facts, values, path)
    _volume(facts, values, path)
    _affinity(facts, values, path)
    return facts


def _volume(facts: Block, values: TreeNode, path: str) -> None:
    """Add what the volumes are called by: a claim of one's own, else the names of the release and of its namespace."""
    named = [where for where in NAMES if values.string(*where) and (where, values.string(*where)) != CHARTS_NAME]
    key = next((key for where in named if (key := values.key(*where))), None)
    if key is not None:
        names = ".".join(f"{where[-1]}-{values.string(*where)}" for where in named)
        facts.translate("volume", names, key, path + ".".join(named[0]))


def _secrets(facts: Block, values: TreeNode, path: str) -> None:
    """Add the passwords that stand in the values."""
    for fields in SECRETS:
        for where in fields:
            key, node = values.key(*where), values.get(*where)
            if key is not None and node is not None and text_of(node).strip():
                facts.set(f"secret.{'.'.join(where)}", text_of(node), key, node, path + ".".join(where))
                break


def _client_users(facts: Block, values: TreeNode, path: str) -> None:
    """Add the users whose passwords the chart makes: as many as there are names, all anew when their number changes."""
    key = values.key("sasl", "client", "users")
    given = values.items("sasl", "client", "passwords") or values.string("sasl", "client", "passwords")
    if key is not None and not given and not values.string("sasl", "existingSecret"):
        users = ",".join(item.text for item in values.items("sasl", "client", "users"))
        facts.translate("client.users", users, key, f"{path}sasl.client.users")


def _outside_protocol(values: TreeNode) -> str:
    """The protocol of clients outside, by the chart's listeners or by the auth section of older ones."""
    if is_from_24(values):
        return bitnami_from_24.listener_of(values, "external").protocol
    login = values.string("auth", "externalClientProtocol") or values.string("auth", "clientProtocol")
    on = values.string("auth", "enabled").lower() == "true"
    return protocol(tls=on or login not in ("", "plaintext", "sasl"), sasl=login.startswith("sasl"))


def _outside(facts: Block, values: TreeNode, path: str) -> None:
    """Add how clients outside reach the brokers: of newer charts by load balancers, where the values do not say it."""
    for part in ((), *((role,) for role in ROLES)):
        _access(facts, values, path, ("externalAccess", *part, "service", "type"))
    is_said = any(values.key("externalAccess", role, "service", "type") for role in ROLES)
    if not is_said and is_from_24(values):
        add_fact(facts, "public.access", OUTSIDE[0], values, path, ("externalAccess", "enabled"))


def _access(facts: Block, values: TreeNode, path: str, where: tuple[str, ...]) -> None:
    text = values.string(*where)
    if text in OUTSIDE and "public.access" not in facts.settings:
        add_fact(facts, "public.access", text, values, path, where)


def _affinity(facts: Block, values: TreeNode, path: str) -> None:
    rules = values.mapping("affinity", "podAntiAffinity")
    if "preferredDuringSchedulingIgnoredDuringExecution" in rules and len(rules) == 1:
        key = rules["preferredDuringSchedulingIgnoredDuringExecution"][0]
        facts.translate("anti.affinity", "preferred", key, f"{path}affinity.podAntiAffinity")


def add_image(facts: Block, values: TreeNode, path: str) -> None:
    """The image, where the values name it in full."""
    registry, repository, tag = (values.string("image", field) for field in ("registry", "repository", "tag"))
    place = values.key("image", "repository")
    if place is not None and repository and tag and "{" not in registry + repository + tag:
        name = "/".join(part for part in (registry, repository) if part)
        facts.translate("image", f"{name}:{tag}", place, f"{path}image.repository")
