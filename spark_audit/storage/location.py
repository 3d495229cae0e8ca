"""Name where tables lie: a folder of this machine, a URI, or tables of a Spark catalog that share a prefix."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

FOLDER, URI, CATALOG = "folder", "uri", "catalog"
SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
PREFIX = re.compile(r"((?:[A-Za-z_][\w-]*\.)+)(?:@(.+))?")
"""catalog.schema. with the dot at its end; behind @ the name of an audit."""


class Location(NamedTuple):
    """What a user named: `root` is an absolute folder, a URI, or a prefix of tables; `audit` one of those in a catalog."""

    shown: str
    kind: str
    root: str
    audit: str | None = None

    @property
    def is_remote(self) -> bool:
        """Whether it is not a folder of this machine."""
        return self.kind != FOLDER

    @property
    def name(self) -> str:
        """What an audit there is called without a given name; empty where it needs one."""
        return self.audit or ("" if self.kind == CATALOG else os.path.basename(self.root.rstrip("/")))


def parse_location(text: str) -> Location:
    """Parse what a user named; a path that exists is a path, whatever it looks like."""
    scheme = SCHEME.match(text)
    if scheme and scheme[1].lower() != "file":
        return Location(text, URI, text.rstrip("/"))
    path = text[len(scheme[0]) :] if scheme else text
    prefix = PREFIX.fullmatch(text)
    if prefix and not os.path.exists(path):
        return Location(text, CATALOG, prefix[1], prefix[2])
    return Location(text, FOLDER, os.path.abspath(path))
