"""Which releases have which component."""

from __future__ import annotations

from advisor import catalog
from advisor.catalog import build


def releases_of():
    """Component to the releases that have it, by the modules there are."""
    names = [
        path.stem.replace("_", "-") for path in build.TARGET.glob("*.py") if path.stem not in ("__init__", "index")
    ]
    return {name: [version for version in catalog.VERSIONS if catalog.definitions(name, version)] for name in names}
