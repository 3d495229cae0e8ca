"""The SCRAM credentials with which nodes begin to log in: they lie in the metadata, and have to be there before."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.rollout.cluster import RolloutCluster
from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.outcome import UnknownFact
from advisor.analysis.rollout.peers.principals import login_of, mechanism_of
from advisor.model import Login

SCRAM = "SCRAM-"


def scram_login(side: NodeConfig) -> tuple[str, Login | None] | None:
    """The mechanism and the user by which a broker logs in to the others by SCRAM; None where it does not."""
    listener = side.inter_broker
    if not (side.is_broker and listener and side.protocols.get(listener, "").startswith("SASL_")):
        return None
    mechanism = mechanism_of(side, listener)
    return (mechanism, login_of(side, listener)) if mechanism.startswith(SCRAM) else None


def new_mechanism(old: NodeConfig | None, new: NodeConfig | None) -> str | None:
    """The mechanism of SCRAM by which a broker begins to log in, or does as another user."""
    login = scram_login(new) if old is not None and new is not None else None
    return None if login is None or old is None or login == scram_login(old) else login[0]


def credentials_first(cluster: RolloutCluster) -> Iterator[str]:
    """What creates the credentials that brokers of a pass begin to use."""
    mechanisms = dict.fromkeys(new_mechanism(node.old, node.new) for node in cluster.nodes.values())
    for mechanism in filter(None, mechanisms):
        yield (
            "kafka-configs.sh --alter --entity-type users --entity-name <the brokers' user> --add-config "
            f"'{mechanism}=[password=…]' creates the credential; no broker logs in without it"
        )


def unknown_credential(name: str, old: NodeConfig, new: NodeConfig) -> Iterator[UnknownFact]:
    """Whether the credential is there with which a broker begins to log in."""
    mechanism = new_mechanism(old, new)
    if mechanism is not None:
        yield UnknownFact(name, "sasl.jaas.config", f"whether the {mechanism} credential of the brokers' user exists")
