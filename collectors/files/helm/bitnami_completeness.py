"""Whether values of Bitnami's chart from 24 on decide every setting of a node: what they leave out has Kafka's default then.

Source: bitnami/charts (kafka/templates/_helpers.tpl, kafka.commonConfig, and _init_containers.tpl, charts 24 to 32).
"""

from __future__ import annotations

import re

from collectors.files.block import text_of
from collectors.files.sources import MOST_FILES, Sources
from collectors.files.syntax.tree import MAPPING, TreeNode

ELSEWHERE = ("existingConfigmap", "config", "secretConfig", "existingSecretConfig", "extraEnvVarsCM", "extraEnvVarsSecret",
             "command", "args")  # fmt: skip
"""Fields that take the place of the chart's file, or add settings that are not in the values."""
VARIABLE = "KAFKA_"
OAUTH = "OAUTHBEARER"
SECTION = re.compile(r"^(?:controller|broker|listeners|extraConfig|overrideConfiguration):", re.MULTILINE)
"""A section of the chart at the top of a file, whatever the file is called."""


def decides(values: TreeNode, role: str) -> bool:
    """Whether nothing but the values and the chart sets anything of the nodes of a role."""
    fields = [(*above, field) for field in ELSEWHERE for above in ((), (role,))]
    variables = [item for above in ((), (role,)) for item in values.items(*above, "extraEnvVars")]
    return (
        not any(_is_filled(values.get(*field)) for field in fields)
        and not any(item.string("name").startswith(VARIABLE) for item in variables)
        and OAUTH not in values.string("sasl", "enabledMechanisms").upper()
    )


def names_of_values(sources: Sources) -> set[str]:
    """The files of a folder that may be values of the chart, one of which may be laid over another, by name or by a section."""
    names = sources.names((".yaml", ".yml"))
    texts = names if len(names) <= MOST_FILES else []
    return {name for name in names if "values" in name.lower()} | {
        name for name in texts if SECTION.search(sources.text_beside(name) or "")
    }


def _is_filled(node: TreeNode | None) -> bool:
    return node is not None and bool(node.pairs() if node.kind == MAPPING else text_of(node).strip())
