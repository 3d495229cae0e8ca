"""Values of the charts that run Kafka: Bitnami's up to 23 and from 24 on, and Confluent's cp-helm-charts, also as a part of a larger chart.

Source: bitnami/charts (kafka/values.yaml, kafka/README.md), confluentinc/cp-helm-charts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collectors.files.block import Block
from collectors.files.helm import bitnami, bitnami_recognition, confluent
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, TreeNode


def knows(document: TreeNode) -> bool:
    """Whether a document holds values of a chart that runs Kafka."""
    return any(True for _ in _values(document))


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The brokers that a chart makes, with their deployment."""
    return [block for document in documents for block in blocks_of_values(document, sources)]


def blocks_of_values(
    document: TreeNode, sources: Sources, above: str = "", is_whole: bool | None = None
) -> list[Block]:
    """The brokers of values that stand below a path of the file."""
    kafka_blocks: list[Block] = []
    for path, values in _values(document):
        if confluent.is_connect(values, path):
            kafka_blocks += [confluent.worker(above + path, values, sources.shown)]
        elif confluent.is_confluent(values):
            kafka_blocks += confluent.brokers(above + path, values, sources.shown)
        else:
            kafka_blocks += bitnami.bitnami_blocks(above + path, values, sources, is_whole)
    return kafka_blocks


def blocks_of_chart(
    values: TreeNode, sources: Sources, chart: str, path: str = "", is_whole: bool | None = None
) -> list[Block]:
    """The brokers that values make which are known to be those of a chart of Kafka's."""
    part = values.get(confluent.OF_CONFLUENT)
    if part is not None and part.kind == MAPPING:
        return confluent.brokers(f"{path}{confluent.OF_CONFLUENT}.", part, sources.shown)
    if chart.startswith("cp-") or confluent.is_confluent(values):
        return confluent.brokers(path, values, sources.shown)
    return bitnami.bitnami_blocks(path, values, sources, is_whole)


def _values(document: TreeNode) -> Iterator[tuple[str, TreeNode]]:
    """(path, values) of the chart itself, or of a chart of charts below the name of the part."""
    if confluent.is_connect(document) or bitnami_recognition.is_bitnami(document) or confluent.is_confluent(document):
        yield "", document
        return
    for name, (_, node) in document.pairs().items():
        is_part = "kafka" in name.lower() and confluent.CLIENT_PARTS.isdisjoint(name.lower().split("-"))
        is_kafkas = (
            bitnami_recognition.is_bitnami(node)
            or confluent.is_confluent(node)
            or (name == bitnami.CHART and bitnami_recognition.has_volumes(node))
        )
        if node.kind == MAPPING and ((is_part and is_kafkas) or confluent.is_connect(node, name)):
            yield f"{name}.", node
