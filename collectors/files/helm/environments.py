"""Values of an environment, which lie over the values.yaml beside them: that one alone tells that they are of a chart of Kafka's.

Source: Helm's documentation of values files (`helm install -f values.yaml -f values-prod.yaml`).
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from collectors.files.block import Block
from collectors.files.helm import charts
from collectors.files.helm.bitnami_recognition import SECTIONS, is_bitnami, setting_of_field
from collectors.files.helm.values import merged
from collectors.files.run_files import YAML, RunFiles
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, TreeNode, read_words

OWN_VALUES, VALUES = "values.yaml", "values"
IMAGE = ("image", "repository")


def judged(documents: Sequence[TreeNode], sources: Sources) -> tuple[list[Block], Sequence[TreeNode]]:
    """The brokers of the values of an environment, and the documents without those values."""
    base = base_of(sources)
    overlays = [each for each in documents if _may_lie_over(each)] if base is not None else []
    if base is None or not overlays:
        return [], documents
    read_words(scalar for each in overlays for scalar in each.scalars())
    blocks = [block for each in overlays for block in charts.blocks_of_values(merged([base, each]), sources, "", False)]
    return blocks, [each for each in documents if each not in overlays]


def base_of(sources: Sources) -> TreeNode | None:
    """The values of the chart over which a file lies; None where it lies over none."""
    if not is_named_as_overlay(sources.path):
        return None
    return sources.of_folder("values of a chart of Kafka's", base_beside)


def is_named_as_overlay(path: str) -> bool:
    """Whether a file is called as values of an environment are: values-prod.yaml, prod-values.yml."""
    name = os.path.basename(path)
    return name != OWN_VALUES and VALUES in name.lower() and name.endswith(YAML)


def base_beside(sources: Sources) -> TreeNode | None:
    """The values of Bitnami's chart beside a file; None where there are none."""
    base = own_values(sources.folder or os.curdir, sources)
    return base if base is not None and is_bitnami(base) else None


def own_values(folder: str, sources: Sources) -> TreeNode | None:
    """A chart's own values, over which those of another file lie; None where its folder has none."""
    path = os.path.join(os.path.relpath(folder, sources.folder or os.curdir), OWN_VALUES)
    text, shown = sources.text_of_tree(path), sources.shown_path(path)
    documents = sources.documents(shown, text, every=True) if text is not None else ()
    if len(documents) != 1 or documents[0].kind != MAPPING:
        return None
    read_words(documents[0].scalars())
    documents[0].stand_in(shown)
    return documents[0]


def overlays_among(others: Sequence[str], run: RunFiles) -> list[str]:
    """The files without a word of Kafka that lie over values of a chart of Kafka's."""
    return [path for path in others if base_of(Sources(path, path, run)) is not None]


def _may_lie_over(document: TreeNode) -> bool:
    """Whether a document has fields of the chart, and is not of another image."""
    if document.kind != MAPPING or document.string("kind"):
        return False
    has_fields = any(name in SECTIONS or setting_of_field(name) is not None for name in document.pairs())
    return has_fields and "kafka" in (document.string(*IMAGE) or "kafka")
