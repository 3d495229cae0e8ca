"""Services that those of another Compose file extend: they are judged there, with what is set over them.

Source: the Compose specification (extends: file, service).
"""

from __future__ import annotations

import os

from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING

EXTENDS = "extends"


def extended_elsewhere(sources: Sources) -> frozenset[str]:
    """The services of a file which those of other files of the run extend."""
    services = sources.of_run("services that others extend", _extended_by_file)
    return frozenset(services.get(os.path.normpath(sources.path), ()))


def _extended_by_file(sources: Sources) -> dict[str, set[str]]:
    """The services that the Compose files of the run extend, by the file in which they stand: another one than that of what extends them."""
    extended: dict[str, set[str]] = {}
    for path in sources.run.compose_files:
        parent = Sources(path, path, sources.run)
        text = parent.text_beside(os.path.basename(path)) or ""
        for document in parent.documents(path, text, every=True) if EXTENDS in text else ():
            for _, service in document.mapping("services").values():
                file = service.string(EXTENDS, "file") if service.kind == MAPPING else ""
                base = os.path.normpath(os.path.join(parent.folder, file))
                if file and base != os.path.normpath(path):
                    extended.setdefault(base, set()).add(service.string(EXTENDS, "service"))
    return extended
