"""Hypothesis strategies for running clusters: partitions, topics, snapshots."""

from __future__ import annotations

from hypothesis import strategies as st

from advisor.model import DYNAMIC_TOPIC, LIVE, Setting, Snapshot, Topic
from advisor.model.cluster import ALIVE, NOBODY, Node, Partition
from advisor.samples.cluster_text import parse_cluster
from rules import all_rules

RULES = all_rules()


VALUES = {
    "min.insync.replicas": ["1", "2", "3", "abc"],
    "unclean.leader.election.enable": ["true", "false"],
    "retention.ms": ["1000", "-1"],
    "cleanup.policy": ["compact", "delete"],
}


@st.composite
def partitions(draw: st.DrawFn, id: int) -> Partition:
    replicas = tuple(draw(st.permutations([1, 2, 3, 4]))[: draw(st.integers(1, 3))])
    isr = tuple(r for r in replicas if draw(st.booleans())) or replicas[:1]
    leader = draw(st.sampled_from([NOBODY, *isr]))
    elr = draw(st.sampled_from([None, (), tuple(r for r in replicas if r not in isr)[:1]]))
    return Partition(id, leader, replicas, isr, elr, (), draw(st.sampled_from([None, ()])))


@st.composite
def topics(draw: st.DrawFn, name: str) -> Topic:
    own = {
        key: Setting(key, draw(st.sampled_from(values)), DYNAMIC_TOPIC, LIVE)
        for key, values in VALUES.items()
        if draw(st.booleans())
    }
    target = parse_cluster("brokers 1").entities[0].target
    missing = draw(st.sampled_from([None, None, None, "not permitted"]))
    topic = Topic("topic", name, None, {} if missing else own, target, cluster="example", missing=missing)
    topic.internal = name.startswith("__")
    many = draw(st.sampled_from([None, 0, 1, 2, 3, 4]))
    topic.partitions = None if many is None else tuple(draw(partitions(id)) for id in range(many))
    return topic


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    names = ["__consumer_offsets", *(f"t{number}" for number in range(draw(st.integers(0, 6))))]
    base = parse_cluster(
        "kafka 4.3\nbrokers 1 2 3 4\nfeatures metadata.version=30/30\ngroup pay state=STABLE members=1"
    )
    assert base.live is not None
    base.live.nodes = tuple(Node(id, "h", 1, draw(st.sampled_from(["a", "b", None])), ALIVE) for id in (1, 2, 3, 4))
    found = [draw(topics(name)) for name in names]
    shared: dict[tuple[tuple[str, str], ...], dict[str, Setting]] = {}
    for topic in found:  # as a collector does it
        key = tuple((setting.key, setting.value) for setting in topic.settings.values())
        topic.settings = shared.setdefault(key, topic.settings)
    return Snapshot("example", [*base.entities, *found], live=base.live)
