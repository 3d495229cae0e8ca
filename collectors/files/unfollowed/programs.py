"""Programs of Pulumi and of the CDKs (of AWS, Terraform and Kubernetes): code that sets up clusters, and is not read.

Source: the project files of each, beside or below which its programs lie.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from collectors.files.unfollowed.file_settings import is_of_cluster, settings_in
from collectors.files.unfollowed.tool_settings import FACTOR

PROJECTS = frozenset(("Pulumi.yaml", "Pulumi.yml", "cdk.json", "cdktf.json", "cdk8s.yaml"))
"""The files that say of a folder that it holds such a program."""
LANGUAGES = (".ts", ".js", ".mjs", ".py", ".go", ".java", ".kt", ".scala", ".cs", ".fs")
RESOURCE = re.compile(r"\b(Kafka[A-Za-z0-9]{0,40})\(\s{0,20}(?:this|self|scope|stack|chart|app)\b")
"""A resource of an operator that a program makes."""
LARGEST = 1024 * 1024


def programs_among(code: Iterable[str], paths: Iterable[str]) -> frozenset[str]:
    """The files of code that lie in or below a folder with a project's file, which is among the other paths."""
    folders = tuple({os.path.join(os.path.dirname(path), "") for path in paths if os.path.basename(path) in PROJECTS})
    return frozenset(path for path in code if path.endswith(LANGUAGES) and path.startswith(folders))


def settings_of_program(path: str) -> list[str]:
    """The settings of a cluster, and the resources of Kafka's operators, that a program names."""
    settings = [key for key in settings_in(path) if is_of_cluster(key) or key == FACTOR]
    try:
        with open(path, "rb") as handle:
            text = handle.read(LARGEST).decode(errors="replace")
    except OSError:
        return settings
    return [*settings, *dict.fromkeys(RESOURCE.findall(text))]
