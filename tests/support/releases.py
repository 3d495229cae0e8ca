"""Which releases have which component."""

from __future__ import annotations

from advisor import catalog
from advisor.catalog import Definition, build
from advisor.model import Version


def defined(component: str, version: Version, key: str) -> Definition:
    """The definition of a key that the release has."""
    definition = catalog.lookup(component, version, key)
    assert definition is not None, key
    return definition


def releases_of() -> dict[str, list[Version]]:
    """Component to the releases that have it, by the modules there are."""
    names = [
        path.stem.replace("_", "-") for path in build.TARGET.glob("*.py") if path.stem not in ("__init__", "index")
    ]
    return {name: [version for version in catalog.VERSIONS if catalog.definitions(name, version)] for name in names}
