"""The brokers to which Terraform's provider of Kafka connects: those of its topics."""

from __future__ import annotations

import re

from collectors.files.block import Block
from collectors.files.cloud.terraform_module import TerraformModule
from collectors.files.syntax.tree import TreeNode

PROVIDER = ("provider", ("kafka",))
OF_MSK = re.compile(r"\baws_msk_cluster\.[\w-]{1,100}")


def with_servers_of_provider(kafka_blocks: list[Block], module: TerraformModule) -> list[Block]:
    """The blocks of a module, its topics with the brokers to which the provider of Kafka connects, where it has one."""
    topics = [block for block in kafka_blocks if block.kind == "topic" and block.name.startswith("kafka_topic.")]
    providers = [block for block in module.blocks() if topics and (block.type, block.labels[:1]) == PROVIDER]
    for topic in topics if len(providers) == 1 else ():
        topic.servers = servers_of_provider(providers[0].body(module, {}))
    return kafka_blocks


def servers_of_provider(body: TreeNode) -> str:
    """Its bootstrap_servers; an expression about one cluster of Amazon MSK is an attribute of that one."""
    texts = [item.text for item in body.items("bootstrap_servers")] or [body.string("bootstrap_servers")]
    clusters = dict.fromkeys(name for text in texts for name in OF_MSK.findall(text))
    return f"${{{next(iter(clusters))}.servers}}" if len(clusters) == 1 else ",".join(texts)
