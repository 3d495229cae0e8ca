"""Which modules of Terraform a folder is: the root module, or one for each call of it by a module of the run."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from advisor.model import UNFOLLOWED
from collectors.files.cloud.terraform_blocks import ModuleBlock, Own, pair_of
from collectors.files.cloud.terraform_folder import TerraformFolder
from collectors.files.cloud.terraform_module import TerraformModule
from collectors.files.cloud.terraform_variable_sources import CODE
from collectors.files.run_files import RunFiles
from collectors.files.sources import Sources
from collectors.files.syntax.hcl.values import Budget, Site, entries, number_of
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode

SOURCE = re.compile(rb'"?source"?\s{0,40}[=:]\s{0,40}"(\.\.?/?[^"\n]{0,500})"')
"""The source of a module that lies beside the one that calls it."""
LARGEST = 1024 * 1024
MOST_CALLS, DEEPEST = 500, 5
"""Calls of one module that are judged one by one, and modules that call each other."""
MOST_INSTANCES = 500
"""Instances of one block that are judged one by one."""
MANY = "the instances are too many to follow"
CALLERS, FOLDER = "terraform callers", "terraform folder"


def modules_of(sources: Sources, text: str) -> list[TerraformModule]:
    """The modules that the folder of a file is. Raises UnreadableInput where the file cannot be read."""
    folder = _folder(sources.folder, sources.run)
    if folder.texts.get(sources.shown) != text:
        folder = TerraformFolder(sources, text)
    if sources.shown in folder.broken:
        raise folder.broken[sources.shown]
    return _modules(folder, sources.run, 0)


def _folder(path: str, run: RunFiles) -> TerraformFolder:
    """The files of a folder, read once in a run."""
    key = (FOLDER, path)
    if key not in run.made:
        inside = os.path.join(path, "")
        run.made[key] = TerraformFolder(Sources(inside, inside, run))
    made: TerraformFolder = run.made[key]
    return made


def _modules(folder: TerraformFolder, run: RunFiles, depth: int) -> list[TerraformModule]:
    if depth > DEEPEST:
        return [TerraformModule(folder, root=UNFOLLOWED, unknown="is given by modules that call each other too deep")]
    calls: list[TerraformModule] = []
    for caller in _callers(run).get(os.path.normpath(folder.path or "."), ()):
        for call in _calls(folder, caller, run, depth) if caller != folder.path else ():
            calls.append(call)
            if len(calls) > MOST_CALLS:
                return [TerraformModule(folder, root=UNFOLLOWED, unknown="is given by more calls than are followed")]
    return calls or [TerraformModule(folder)]


def _callers(run: RunFiles) -> dict[str, list[str]]:
    """The folders whose modules call the module of a folder, by that folder."""
    key = (CALLERS, "")
    if key not in run.made:
        callers: dict[str, list[str]] = {}
        for path in run.ending(CODE):
            for source in _local_sources(path):
                folder = os.path.normpath(os.path.join(os.path.dirname(path), source))
                names = callers.setdefault(folder, [])
                if os.path.dirname(path) not in names:
                    names.append(os.path.dirname(path))
        run.made[key] = callers
    made: dict[str, list[str]] = run.made[key]
    return made


def _local_sources(path: str) -> list[str]:
    try:
        with open(path, "rb") as handle:
            return [match.decode(errors="replace") for match in SOURCE.findall(handle.read(LARGEST))]
    except OSError:
        return []


def _calls(folder: TerraformFolder, caller: str, run: RunFiles, depth: int) -> Iterator[TerraformModule]:
    """The modules that the blocks of a calling folder make of this one."""
    for module in _modules(_folder(caller, run), run, depth + 1):
        for block in module.blocks():
            if block.type != "module" or _source_of(block, module) != os.path.normpath(folder.path or "."):
                continue
            for index, own in instances(module, block):
                given, defaulted = _given(module, block, own)
                prefix = f"{module.prefix}module.{block.labels[0]}{index}."
                root = module.root or os.path.normpath(caller or ".")
                yield TerraformModule(folder, given, prefix, root, defaulted=defaulted)


def _given(module: TerraformModule, block: ModuleBlock, own: Own) -> tuple[dict[str, TreeNode], frozenset[str]]:
    """What a call gives to a module, and which of it are defaults of the caller's own variables."""
    given, defaulted = dict[str, TreeNode](), set[str]()
    for name, thunk in block.attributes.items():
        before = module.defaults_used
        given[name] = thunk(module, own)
        if module.defaults_used != before:
            defaulted.add(name)
    return given, frozenset(defaulted)


def local_source(block: ModuleBlock, module: TerraformModule) -> str:
    """The source of a module's call that is a folder beside it; empty where it lies elsewhere."""
    thunk = block.attributes.get("source")
    source = thunk(module, {}).text if thunk is not None else ""
    return source if source in (".", "..") or source.startswith(("./", "../")) else ""


def _source_of(block: ModuleBlock, module: TerraformModule) -> str:
    source = local_source(block, module)
    return os.path.normpath(os.path.join(os.path.dirname(block.file), source)) if source and block.labels else ""


def is_read(block: ModuleBlock, module: TerraformModule, run: RunFiles) -> bool:
    """Whether the module that a block calls is a folder of the run, which is judged there with what the call gives."""
    folder = _source_of(block, module)
    return bool(folder) and any(os.path.normpath(os.path.dirname(path) or ".") == folder for path in run.ending(CODE))


def instances(module: TerraformModule, block: ModuleBlock) -> Iterator[tuple[str, Own]]:
    """(index, names) of what for_each or count makes of a block; one that the defaults leave out may be made elsewhere."""
    before = module.defaults_used
    each, count = block.attributes.get("for_each"), block.attributes.get("count")
    if each is not None:
        value, name = each(module, {}), "each"
        made = list(_of_each(_site(value, module.budget), value))
    elif count is not None:
        value, name = count(module, {}), "count"
        made = list(_of_count(_site(value, module.budget), value, "count.index" in block.source))
    else:
        yield "", {}
        return
    if not made and module.defaults_used != before:
        reason = "none is made where the variables have their defaults"
        made = [("", {name: _site(value, module.budget).unknown(reason)})]
    yield from made


def _site(value: TreeNode, budget: Budget) -> Site:
    return Site(
        value.file or "",
        value.line,
        value.column,
        value.end,
        (value.text or "for_each").encode(errors="replace"),
        budget,
    )


def _of_each(site: Site, value: TreeNode) -> Iterator[tuple[str, Own]]:
    """An instance for each key of a map or member of a set, and one more for those that are not known."""
    if value.kind == SCALAR:
        yield "", {"each": site.unknown(value.unknown or "it is no map")}
        return
    for number, (key, child) in enumerate(entries(value)):
        member = key if value.kind == MAPPING or child.kind != SCALAR else child
        if number == MOST_INSTANCES or member.unknown:
            yield "", {"each": site.unknown(member.unknown or MANY)}
            return
        yield f'["{member.text}"]', {"each": pair_of(site, member, child)}
    if value.unknown:
        yield "", {"each": site.unknown(value.unknown)}


def _of_count(site: Site, value: TreeNode, uses_index: bool) -> Iterator[tuple[str, Own]]:
    """An instance for each number where they differ, else one for all."""
    number = number_of(value)
    if number is None:
        yield "", {"count": site.unknown(value.unknown or "it is no number")}
    elif number >= 1 and not uses_index:
        yield "", {}
    else:
        for index in range(min(int(number), MOST_INSTANCES)):
            yield f"[{index}]", {"count": site.mapping([(site.text("index"), site.word(str(index)))])}
        if number > MOST_INSTANCES:
            yield "", {"count": site.unknown(MANY)}
