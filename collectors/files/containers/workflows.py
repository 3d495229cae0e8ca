"""Continuous integration: the containers that run beside a job (GitHub Actions, GitLab CI, CircleCI).

Source: GitHub's workflow syntax (jobs.<id>.services, jobs.<id>.container), GitLab's keyword `services` with `variables`, and
CircleCI's `docker` executor. What the steps themselves run is not followed.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from advisor.errors import NotFollowed
from collectors.files.block import Block
from collectors.files.commands import removed_options, topic_tools
from collectors.files.commands.tool_commands import Command, commands
from collectors.files.containers.container import Container, blocks_of, count_brokers
from collectors.files.containers.shell_script import FORMAT_NAME as SHELL
from collectors.files.containers.shell_script import script_blocks
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode
from collectors.files.variables import Variable

FORMAT_NAME = "workflow"
STEPS = ("run", "script", "before_script", "after_script", "command")
"""Fields with commands of a job."""
VARIABLES = ("env", "environment", "variables")
NOT_FOLLOWED = "not read: a job that sets Kafka's variables, writes its files or calls its tools"


def knows(document: TreeNode) -> bool:
    """Whether a document describes jobs."""
    return any(True for _ in _jobs(document))


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """What the containers beside the jobs and the commands of these run. Raises NotFollowed where none of it is followed."""
    kafka_blocks: list[Block] = []
    for document in documents:
        for number, job in enumerate(_holders(document)):
            kafka_blocks += _blocks_of_job(job, number, document, sources.shown)
    script = [command for document in documents for command in _script(document)]
    kafka_blocks += topic_tools.blocks(script, sources.shown, SHELL)
    kafka_blocks += removed_options.blocks(script, sources.shown, SHELL)
    set_up, followed_all = script_blocks(script, sources.shown)
    kafka_blocks += set_up
    if not followed_all and not kafka_blocks:
        raise NotFollowed(f"{sources.shown}: {NOT_FOLLOWED}")
    sources.not_read = "" if followed_all else NOT_FOLLOWED
    return kafka_blocks


def _jobs(document: TreeNode) -> Iterator[TreeNode]:
    """The jobs of GitHub and CircleCI, or those of GitLab with what counts for all."""
    for name, (_, job) in document.mapping("jobs").items():
        if job.kind == MAPPING and name and {"steps", "services", "container", "docker", "uses"} & job.pairs().keys():
            yield job
    for name, (_, job) in document.pairs().items() if document.kind == MAPPING else ():
        if job.kind == MAPPING and name != "jobs" and {"script", "extends", "trigger"} & job.pairs().keys():
            yield job


def _holders(document: TreeNode) -> list[TreeNode]:
    """What has containers beside it: the jobs, and what counts for all of them."""
    default = document.get("default")
    common = document.get("jobs") is None and document.items("services")
    return [
        *_jobs(document),
        *([default] if default is not None and default.kind == MAPPING else []),
        *([document] if common else []),
    ]


def _blocks_of_job(job: TreeNode, number: int, document: TreeNode, file: str) -> list[Block]:
    """What the containers of one job run: a cluster of its own, whatever those of other jobs are called."""
    made = [block for container in _containers(job, document, file) for block in blocks_of(container)]
    count_brokers(made)
    for block in made:
        block.scope = f"{file} {number}"
    return made


def _containers(job: TreeNode, document: TreeNode, file: str) -> Iterator[Container]:
    for name, (key, service) in job.mapping("services").items():
        yield _container(name, service, service.get("env"), file, key)
    if job.get("container") is not None:
        yield _container("container", job.get("container"), job.get("container", "env"), file, job.key("container"))
    for item in job.items("docker"):
        yield _container(item.string("name") or item.string("image"), item, item.get("environment"), file, None)
    for item in job.items("services"):
        yield _of_gitlab(item, job, document, file)


def _container(
    name: str, node: TreeNode | None, environment: TreeNode | None, file: str, key: TreeNode | None
) -> Container:
    """A container, whose description is its image alone or a mapping with it."""
    is_mapping = node is not None and node.kind == MAPPING
    image = node.string("image") if node is not None and is_mapping else node.text if node is not None else ""
    container = Container(name, image, node.key("image") if node is not None and is_mapping else key, file, FORMAT_NAME)
    container.environment = list(_variables(environment))
    container.mounts = None
    for field in ("entrypoint", "command", "options"):
        words = node.get(field) if node is not None and is_mapping else None
        container.arguments += [] if words is None else words.children or [words]
    return container


def _of_gitlab(item: TreeNode, job: TreeNode, document: TreeNode, file: str) -> Container:
    """A service of GitLab: its own variables over the job's, and these over those of all jobs."""
    is_mapping = item.kind == MAPPING
    image = item.string("name") if is_mapping else item.text
    name = (item.string("alias") if is_mapping else "") or image
    container = _container(name, item, None, file, item)
    container.image = type(container.image)(image)
    container.image_node = item.key("name") if is_mapping else item
    for holder in (item, job, document):
        variables = holder.get("variables") if holder.kind == MAPPING else None
        named = {variable.name for variable in container.environment}
        container.environment += [each for each in _variables(variables) if each.name not in named]
    return container


def _variables(environment: TreeNode | None) -> Iterator[Variable]:
    if environment is None:
        return
    for name, (key, value) in environment.pairs().items() if environment.kind == MAPPING else ():
        value = value.get("value") or value if value.kind == MAPPING else value
        if value.kind == SCALAR:
            yield Variable(name, None if value.is_null else value.text, key, value, f"{name}: ")
    for item in environment.children:
        name, equals, text = item.text.partition("=")
        yield Variable(name.strip(), text if equals else None, item, None, f"{name}=")


def _script(document: TreeNode) -> Iterator[Command]:
    """The commands of all jobs at their lines, and the variables that a step sets, as a shell would write them."""
    nodes, seen = [document], set[int]()
    while nodes:
        node = nodes.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        for name, (_, value) in node.pairs().items() if node.kind == MAPPING else ():
            if name in STEPS:
                for each in [value] if value.kind == SCALAR else value.children:
                    yield from commands(each.text, each.line + (each.indent is not None))
            elif name in VARIABLES and value.kind == MAPPING:
                of_step = bool({"run", "uses"} & node.pairs().keys())
                yield from _assignments(value, of_step)
            nodes.append(value)
        nodes += node.children if node.kind == SEQUENCE else []


def _assignments(environment: TreeNode, of_step: bool) -> Iterator[Command]:
    """The variables of a mapping as a shell sets them, each at its line; outside of a step those of JulieOps alone."""
    for variable, (key, value) in environment.pairs().items():
        assignment = f"{variable}={shlex.quote(value.text)}"
        if of_step or topic_tools.ALLOWS.match(assignment):
            yield from commands(assignment, max(key.line, 1))
