"""Jobs of Nomad: tasks that run Kafka in a container, and the files of properties and of variables that their templates make.

Source: Nomad's job specification (group, task, env, template, docker, java, raw_exec).
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.model import DEPLOYMENT, SERVER_KINDS
from collectors.files.block import Block
from collectors.files.containers.container import Container, blocks_of, count_brokers
from collectors.files.containers.container_definition import container_of, items, paths_of
from collectors.files.embedded import embedded
from collectors.files.images.cluster_ids import compare_ids
from collectors.files.sources import Sources, variables_in
from collectors.files.syntax.tree import MAPPING, TreeNode
from collectors.files.variables import Variable

FORMAT_NAME = "nomad"
NOT_READ = "a template of the task may set it, and was not read"


def job_blocks(body: TreeNode, label: str, sources: Sources) -> list[Block]:
    """The blocks of the tasks of a job; `label` is the key under which a block has its name."""
    kafka_blocks: list[Block] = []
    for group in items(body.get("group")):
        count = group.whole("count")
        for task in items(group.get("task")):
            made = list(_task(task, task.string(label) or "task", sources))
            for block in made:
                block.brokers = count or 1
            kafka_blocks += made
    count_brokers(kafka_blocks)
    compare_ids(kafka_blocks)
    return kafka_blocks


def _task(task: TreeNode, name: str, sources: Sources) -> Iterator[Block]:
    definition = task.get("config")
    if definition is None or definition.kind != MAPPING:
        definition = TreeNode(MAPPING, task.line, task.column)
    container = container_of(definition, name, FORMAT_NAME, sources)
    environment = task.get("env")
    if environment is not None:
        container.environment += container_of(task, name, FORMAT_NAME, sources).environment
    container.mounts = [*(container.mounts or ()), *paths_of(task.get("volume_mount"))]
    files = [block for template in items(task.get("template")) for block in _template(template, container, sources)]
    if any(block.kind in SERVER_KINDS for block in files):
        container.outside = container.outside or "a template of the task may set it"
    made = blocks_of(container)
    for block in files:
        block.target = next((each.target for each in made if each.target is not None), None)
    yield from files
    yield from (block for block in made if block.kind == DEPLOYMENT or block.settings or not files)


def _template(template: TreeNode, container: Container, sources: Sources) -> Iterator[Block]:
    """The properties that a template makes; variables are added to those of the container."""
    data = template.get("data")
    is_environment = template.string("env") == "true"
    if data is None or (data.unknown and "\n" not in data.text):
        container.outside = container.outside or (NOT_READ if is_environment else "")
    elif is_environment:
        for name, value, line in variables_in(data.text):
            key = TreeNode("scalar", data.line + line - (data.indent is None), 1, name)
            container.environment.append(Variable(name, value, key, None, f"{name}=", data.file))
    elif "=" in data.text:
        block = embedded(data, f"{container.name} {template.string('destination')}".strip(), FORMAT_NAME, sources.shown)
        if block.kind is not None:
            yield block
