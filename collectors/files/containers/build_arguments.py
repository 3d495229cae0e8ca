"""Arguments that builds of images pass over the defaults of an ARG: build.args of Compose, build-args of workflows, --build-arg."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from collectors.files.run_files import RunFiles
from collectors.files.sources import Sources

OPTION = re.compile(r"--build-arg[\s=]{1,5}[\"']?([A-Za-z_]\w{0,100})")
BLOCK = re.compile(r"^([ \t]*)(?:build[-_]?)?[aA]rgs:(.*(?:\n\1(?:[ \t]+|-[ \t]{0,8})\S.*)*)", re.MULTILINE)
"""A mapping, a list or a text of arguments in YAML: what stands deeper than its key, and a list's dashes beside it."""
INLINE = re.compile(r"(?<![\w-])(?:build[-_]?)?args[\"']?\s{0,5}[:=]\s{0,5}[{\[]([^}\]]{0,5000})", re.IGNORECASE)
"""A mapping or a list of arguments between brackets, in YAML, JSON or HCL."""
NAME = re.compile(r"(?:^|[\s{\[,'\"-])([A-Za-z_]\w{0,100})[\"']?[ \t]?[:=]", re.MULTILINE)
ENDINGS = (
    ".yml",
    ".yaml",
    ".hcl",
    ".tf",
    ".json",
    ".sh",
    ".bash",
    ".mk",
    ".ps1",
    ".bat",
    "Makefile",
    "makefile",
    "Jenkinsfile",
    "Taskfile",
    "justfile",
)
KIND = "arguments of builds"


def passed_arguments(run: RunFiles) -> frozenset[str]:
    """The names of the arguments that files of a run pass to builds."""
    key = (KIND, "")
    if key not in run.made:
        run.made[key] = frozenset(name for path in run.ending(ENDINGS) for name in _names(path, run))
    names: frozenset[str] = run.made[key]
    return names


def _names(path: str, run: RunFiles) -> Iterator[str]:
    text = Sources(path, path, run).text_beside(os.path.basename(path)) or ""
    if "arg" in text.lower():
        yield from OPTION.findall(text)
        for block in (*(block for _, block in BLOCK.findall(text)), *INLINE.findall(text)):
            yield from NAME.findall(block)
