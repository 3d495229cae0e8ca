"""Continuous integration: the containers that run beside a job (GitHub, GitLab, CircleCI, Azure, Bitbucket, Drone, Tekton).

Source: GitHub's workflow syntax (jobs.<id>.services, jobs.<id>.container, runs.steps of an action), GitLab's keywords `services`,
`variables` and `extends`, CircleCI's `docker` executor, Azure's `resources.containers`, Bitbucket's `definitions.services`, Drone's
`services`, Tekton's `sidecars`. What the steps themselves run is not followed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Sequence

from advisor.errors import NotFollowed
from collectors.files.block import Block
from collectors.files.commands import removed_options, topic_tools
from collectors.files.commands.tool_commands import Command, commands
from collectors.files.containers.application_variables import is_of_application
from collectors.files.containers.container import Container, blocks_of, count_brokers
from collectors.files.containers.container_definition import variables_of
from collectors.files.containers.docker_options import options_in, take_options
from collectors.files.containers.published_ports import LOOPBACK
from collectors.files.containers.shell_script import FORMAT_NAME as SHELL
from collectors.files.containers.shell_script import script_blocks
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode

FORMAT_NAME = "workflow"
STEPS = ("run", "script", "before_script", "after_script", "command")
"""Fields with commands of a job."""
VARIABLES = ("env", "environment", "variables")
WITH_IMAGES = ("docker", "containers", "sidecars")
"""Lists of containers, each a mapping with its image, of CircleCI, Azure and Tekton."""
TASKS, PIPELINE = ("Task", "ClusterTask"), "pipeline"
"""The kinds of Tekton's documents and of Drone's."""
IMAGE = re.compile(r"[\w.-]{1,100}(?:[/:][\w.${}:/@-]{1,300})")
"""An image with the repository that it is of, or with its tag."""
ADDRESSES = re.compile(r"--(?:bootstrap-server|zookeeper)[= ]([\w.:,\[\]-]{1,500})(?: |$)")
ELSEWHERE = frozenset(("kubectl", "oc", "ssh"))
"""Commands that run another one on another host, whose loopback is not the job's."""
FILLED_IN = "an expression in the options may set it"
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
    _mark_topics_of_jobs(set_up, script, {block.name for block in kafka_blocks})
    kafka_blocks += set_up
    if not followed_all and not kafka_blocks:
        raise NotFollowed(f"{sources.shown}: {NOT_FOLLOWED}")
    sources.not_read = "" if followed_all else NOT_FOLLOWED
    return kafka_blocks


def _mark_topics_of_jobs(blocks: Sequence[Block], script: Sequence[Command], services: Collection[str]) -> None:
    """Let topics that a job creates in a broker beside it be of the job, as that one is: both go when it ends."""
    lines = {command.line for command in script if _reaches_only_its_job(command.words, services)}
    for block in blocks:
        if block.kind == "topic" and {setting.origin.line for setting in block.settings.values()} <= lines:
            block.format = FORMAT_NAME


def _reaches_only_its_job(words: Sequence[str], services: Collection[str]) -> bool:
    """Whether a command names a broker of its own host or one of the services, and runs nowhere else."""
    options = ADDRESSES.findall(" ".join(words))
    hosts = [address.rpartition(":")[0] or address for option in options for address in option.split(",")]
    is_here = bool(hosts) and ELSEWHERE.isdisjoint(words)
    return is_here and all(host.lower() in LOOPBACK or host in services for host in hosts)


def _jobs(document: TreeNode) -> Iterator[TreeNode]:
    """The jobs of GitHub and CircleCI and the steps of an action, those of GitLab, or what Azure, Bitbucket and Drone run beside all."""
    for name, (_, job) in document.mapping("jobs").items():
        if job.kind == MAPPING and name and {"steps", "services", "container", "docker", "uses"} & job.pairs().keys():
            yield job
    for name, (_, job) in document.pairs().items() if document.kind == MAPPING else ():
        is_job = job.kind == MAPPING and name not in ("jobs", "services")
        if is_job and ({"script", "extends", "trigger"} & job.pairs().keys() or _runs_images(job)):
            yield job
    for holder, field in (
        ("runs", "steps"),
        ("resources", "containers"),
        ("definitions", "services"),
        ("spec", "sidecars"),
    ):
        if document.get(holder, field) is not None and (holder != "spec" or document.string("kind") in TASKS):
            yield document.pairs()[holder][1]
    if document.string("kind") == PIPELINE and document.items("services"):
        yield document


def _runs_images(job: TreeNode) -> bool:
    """Whether the services of a job are images, as GitLab names them."""
    names = [item.string("name") if item.kind == MAPPING else item.text for item in job.items("services")]
    return any(map(IMAGE.fullmatch, names))


def _holders(document: TreeNode) -> list[TreeNode]:
    """What has containers beside it: the jobs, and what counts for all of them."""
    default = document.get("default")
    common = document.get("jobs") is None and document.items("services") and document.string("kind") != PIPELINE
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
        yield _container(name, service, file, key)
    if job.get("container") is not None:
        yield _container("container", job.get("container"), file, job.key("container"))
    for item in (each for field in WITH_IMAGES for each in job.items(field) if each.kind == MAPPING):
        yield _container(item.string("name") or item.string("container") or item.string("image"), item, file, None)
    inherited = _inherited(job, document)
    for item in next((items for each in inherited if (items := each.items("services"))), []):
        if item.kind == MAPPING and item.get("image") is not None:
            yield _container(item.string("name"), item, file, None)
        else:
            yield _of_gitlab(item, inherited, document, file)


def _inherited(job: TreeNode, document: TreeNode) -> list[TreeNode]:
    """A job of GitLab and those that it extends, near before far; of several the last one comes first."""
    chain = [job]
    for each in chain:
        named = each.get("extends") if each.kind == MAPPING else None
        names = [] if named is None else [named.text, *(item.text for item in named.children)]
        parents = [parent for name in reversed(names) if (parent := document.get(name)) is not None]
        chain += [parent for parent in parents if all(parent is not other for other in chain)]
    return chain


def _container(name: str, node: TreeNode | None, file: str, key: TreeNode | None) -> Container:
    """A container, whose description is its image alone or a mapping with it."""
    is_mapping = node is not None and node.kind == MAPPING
    image = _image(node) if node is not None and is_mapping else node.text if node is not None else ""
    container = Container(name, image, node.key("image") if node is not None and is_mapping else key, file, FORMAT_NAME)
    container.mounts = None
    if node is None or not is_mapping:
        return container
    container.environment = [each for field in VARIABLES for each in variables_of(node.get(field))]
    for field in ("entrypoint", "command"):
        words = node.get(field)
        container.arguments += [] if words is None else words.children or [words]
    _take_options(container, node.get("options"))
    return container


def _image(node: TreeNode) -> str:
    return node.string("image") or node.string("image", "name")


def _take_options(container: Container, node: TreeNode | None) -> None:
    """Take the options that a workflow hands to `docker create`."""
    if node is None or node.kind != SCALAR:
        return
    try:
        words = shlex.split(node.text)
    except ValueError:
        words = node.text.split()
    take_options(container, list(options_in(words)), node)
    if "${{" in node.text and not container.outside:
        container.outside = FILLED_IN


def _of_gitlab(item: TreeNode, jobs: Sequence[TreeNode], document: TreeNode, file: str) -> Container:
    """A service of GitLab: its own variables over the job's and those that it extends, and these over those of all jobs."""
    is_mapping = item.kind == MAPPING
    image = item.string("name") if is_mapping else item.text
    name = (item.string("alias") if is_mapping else "") or image
    container = _container(name, item, file, item)
    container.image = type(container.image)(image)
    container.image_node = item.key("name") if is_mapping else item
    container.environment = []
    for holder in (item, *jobs, document):
        variables = holder.get("variables") if holder.kind == MAPPING else None
        named = {variable.name for variable in container.environment}
        container.environment += [each for each in variables_of(variables) if each.name not in named]
    return container


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
    """The variables of a mapping as a shell sets them, each at its line; outside of a step those of JulieOps and of applications."""
    for variable, (key, value) in environment.pairs().items():
        assignment = f"{variable}={shlex.quote(value.text)}"
        if of_step or topic_tools.ALLOWS.match(assignment) or is_of_application(variable):
            yield from commands(assignment, max(key.line, 1))
