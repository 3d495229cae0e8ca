"""The files of a Spring Boot application that lie over each other: application.yml, and application-prod.yml of a profile.

Source: Spring Boot's reference, external application properties: a profile's files lie over those of all profiles, those in
`config/` over those beside it, properties over YAML.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from advisor.errors import UnreadableInput
from collectors.files.block import MOST_SETTINGS, text_of
from collectors.files.frameworks.dotted_properties import Flat, flatten, properties_of
from collectors.files.frameworks.spring import is_kafkas
from collectors.files.sources import Sources
from collectors.files.syntax.properties import BrokenEscape, TooLong
from collectors.files.syntax.tree import MAPPING, TreeNode

APPLICATION, CONFIG = "application", "config"
ENDINGS = (".yaml", ".yml", ".properties")
"""Each lies over those before it."""
MOST_TAKEN_OVER = 100_000
"""Properties of the base that the profiles of one folder take over, all in all."""
PROFILE = ("spring.config.activate.on-profile", "spring.profiles")


class Layer(NamedTuple):
    """A file of an application: the properties of its documents (None: it could not be read), and whether the run has it."""

    file: str
    documents: list[list[Flat]] | None
    is_of_run: bool

    def rows(self, profile: str) -> list[Flat]:
        """The properties of all profiles, and over them those of one."""
        documents = self.documents or []
        common = [row for flat in documents if not profile_in(flat) for row in flat]
        own = [row for flat in documents if profile in profile_in(flat).replace(" ", "").split(",") for row in flat]
        return [*common, *own] if profile else common


def knows(document: TreeNode) -> bool:
    """Whether a document configures Spring Boot."""
    return bool(document.mapping("spring")) or any(name.startswith("spring.") for name in document.pairs())


def profile_in(flat: list[Flat]) -> str:
    """The profiles for which a document says that it counts; empty for all."""
    return next((text_of(value) for name, _, value in flat if name in PROFILE), "")


def profile_of(path: str) -> str:
    """The profile that the name of a file says: application-prod.yml is prod's."""
    stem, ending = os.path.splitext(os.path.basename(path))
    return stem.removeprefix(f"{APPLICATION}-") if ending in ENDINGS and stem.startswith(f"{APPLICATION}-") else ""


def base_layers(sources: Sources) -> list[Layer]:
    """The files of all profiles, weak before strong, read once in a run."""
    return sources.of_folder(APPLICATION, _base_layers)


def _base_layers(sources: Sources) -> list[Layer]:
    """The files of all profiles; unread where the profiles of the folder would take over too much of them."""
    base = list(_layers(APPLICATION, sources))
    rows = sum(len(flat) for layer in base for flat in layer.documents or ())
    profiles = sum(1 for path in sources.files_beside if profile_of(path))
    return [layer._replace(documents=None) for layer in base] if rows * profiles > MOST_TAKEN_OVER else base


def profile_layers(profile: str, sources: Sources) -> list[Layer]:
    """The files of one profile, weak before strong, the one that is read among them."""
    return list(_layers(f"{APPLICATION}-{profile}", sources))


def _layers(stem: str, sources: Sources) -> Iterator[Layer]:
    """The files of a name; above the folder of the one that is read, only those that the run has."""
    if os.path.basename(sources.folder) == CONFIG:
        above = os.path.dirname(sources.folder)
        for path in (os.path.join(above, stem + ending) for ending in ENDINGS):
            if sources.is_of_run(path):
                yield Layer(path, _documents(path, Sources(path, path).text_of(os.path.basename(path))), True)
    for name in (os.path.join(folder, stem + ending) for folder in ("", CONFIG) for ending in ENDINGS):
        if sources.holds(name):
            shown = sources.shown_path(name)
            yield Layer(shown, _documents(shown, sources.text_of(name)), sources.is_of_run(shown))


def _documents(path: str, text: str | None) -> list[list[Flat]] | None:
    """What the documents of a file say of Kafka, and for which profile; None where they cannot be read."""
    if text is None:
        return None
    try:
        flats = _flats(path, text)
    except (UnreadableInput, BrokenEscape, TooLong):
        return None
    kept = [[row for row in flat if is_kafkas(row) or row[0] in PROFILE] for flat in flats]
    for _, key, _ in (row for flat in kept for row in flat):
        key.file = path
    return kept if sum(map(len, kept)) <= MOST_SETTINGS else None


def _flats(path: str, text: str) -> list[list[Flat]]:
    if path.endswith(".properties"):
        return [properties_of(text)]
    from collectors.files.syntax.recognition import YAML
    from collectors.files.syntax.yaml_tree import documents

    known = (each for each in documents(text, path, YAML) if each.kind == MAPPING and knows(each))
    return [flatten(each, path) for each in known]
