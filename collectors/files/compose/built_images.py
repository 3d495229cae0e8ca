"""Images that Compose builds of a Dockerfile beside it: the image is that of its stage, whose variables lie below the service's.

Source: the Compose build specification (context, dockerfile, dockerfile_inline, target).
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from collectors.files.containers.container import Container
from collectors.files.containers.dockerfile import CHANGED, Stage, stage_of
from collectors.files.sources import Sources
from collectors.files.syntax.text_documents import move
from collectors.files.syntax.tree import TreeNode
from collectors.files.variables import fill

BUILD, INLINE = "build", "dockerfile_inline"


def take_built_image(container: Container, service: TreeNode, sources: Sources, values: Mapping[str, str]) -> None:
    """Give a container the image that its service builds, with the variables and the command of that image."""
    stage = _stage(service, sources, values)
    if stage is None:
        return
    if not stage.container.image.is_other:
        container.image, container.image_node, container.image_path = stage.container.image, service.key(BUILD), BUILD
    named = {variable.name for variable in container.environment}
    container.environment += [each for each in stage.environment.values() if each.name not in named]
    container.arguments = container.arguments or stage.container.arguments
    if stage.changed or stage.files:
        container.outside = container.outside or CHANGED


def _stage(service: TreeNode, sources: Sources, values: Mapping[str, str]) -> Stage | None:
    """The stage that a service builds; None where its Dockerfile is not read."""
    context = fill(service.string(BUILD) or service.string(BUILD, "context") or ".", values)
    target, inline = fill(service.string(BUILD, "target"), values), service.get(BUILD, INLINE)
    if inline is not None:
        stage = stage_of(fill(inline.text, values), sources, target)
        move((each.key_node for each in stage.environment.values()) if stage else (), inline)
        return stage
    file = os.path.normpath(os.path.join(context, fill(service.string(BUILD, "dockerfile"), values) or "Dockerfile"))
    text = None if "://" in context else sources.text_of_tree(file)
    stage = stage_of(text, Sources(file, sources.shown_path(file), sources.run), target) if text is not None else None
    for each in stage.environment.values() if stage else ():
        each.file = sources.shown_path(file)
    return stage
