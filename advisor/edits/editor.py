"""Edit settings of files: a value, a name, the setting away, a new one below one of its block. Secrets are in no line that is touched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from advisor.edits.change import FileChange, NotEdited
from advisor.edits.entry import Entry
from advisor.edits.text import FileText, Splice, in_order
from advisor.model import Span
from collectors.files.syntax.recognition import HCL, JSON, PROPERTIES, TOML, YAML

WORDS = {"yes": "true", "on": "true", "no": "false", "off": "false"}
"""What YAML 1.1 reads as booleans."""
LEVELS = ("", ".", ":", " ", "]", '"')
"""What ends the name of a level above."""


def splice_of(text: FileText, change: FileChange) -> Splice:
    """The splice that a change is. Raises NotEdited."""
    if change.line is None:
        return addition(text, change)
    entry = entry_at(text, change.line, change.column, change.written, change.span)
    if change.value is None and change.renamed is None:
        return entry.remove()
    if change.old is None or WORDS.get(entry.parsed.lower(), entry.parsed) != change.old:
        raise NotEdited("the file writes its value in another way than Kafka")
    if change.renamed is not None:
        return entry.rename(renamed(entry, change))
    return entry.set(change.value or "")


def renamed(entry: Entry, change: FileChange) -> str:
    """The new name without what stands above it. Raises NotEdited where the old one stands on several levels."""
    above = change.written.removesuffix(entry.name)
    if change.renamed is None or not change.renamed.startswith(above):
        raise NotEdited("its name stands on several levels")
    return change.renamed.removeprefix(above)


def splices_of(text: FileText, changes: Iterable[FileChange]) -> list[Splice]:
    """The splices that changes are, each once. Raises NotEdited."""
    return in_order(dict.fromkeys(splice_of(text, change) for change in changes))


def is_edited(text: FileText, change: FileChange) -> bool:
    """Whether a change can be made."""
    try:
        splice_of(text, change)
    except NotEdited:
        return False
    return True


def addition(text: FileText, change: FileChange) -> Splice:
    """A new setting: below a sibling and in its form, or at the end of a properties file. Raises NotEdited."""
    for splice in _below_siblings(text, change):
        return splice
    if text.syntax == PROPERTIES:
        from advisor.edits.properties import at_the_end

        return at_the_end(text, change.written, change.value or "")
    raise NotEdited("no setting of its block has a form that a new one can be written in")


def _below_siblings(text: FileText, change: FileChange) -> Iterator[Splice]:
    for sibling in change.siblings:
        try:
            entry = entry_at(text, sibling.line, sibling.column, sibling.written, sibling.span)
            above = sibling.written.removesuffix(entry.name)
            if change.written.startswith(above) and entry.parsed == sibling.value:
                yield entry.add_below(change.written.removeprefix(above), change.value or "")
        except NotEdited:
            continue


def entry_at(text: FileText, line: int, column: int | None, written: str, span: Span | None) -> Entry:
    """The setting that a file has at a line, under this name. Raises NotEdited."""
    if text.syntax == PROPERTIES:
        from advisor.edits.properties import line_at

        entry: Entry = line_at(text, line)
    elif text.syntax in (YAML, JSON):
        entry = _node_at(text, line, column, written)
    elif text.syntax in (TOML, HCL):
        from advisor.edits.lines import attribute_at

        entry = attribute_at(text, line, column, written, span)
    else:
        raise NotEdited(f"it stands in {text.syntax}")
    if not is_named(written, entry.name) or (text.syntax == PROPERTIES and written != entry.name):
        raise NotEdited("its line sets something else")
    return entry


def is_named(written: str, name: str) -> bool:
    """Whether a key in its full spelling ends with a name that stands in its line."""
    return written.endswith(name) and written[: len(written) - len(name)][-1:] in LEVELS


def _node_at(text: FileText, line: int, column: int | None, written: str) -> Entry:
    """The setting of a YAML or JSON file at a place. Raises NotEdited."""
    from advisor.edits import yaml, yaml_index
    from advisor.edits.properties import line_at

    index = yaml_index.index_of(text)
    entries = {
        yaml_index.PAIR: yaml.pair_entry,
        yaml_index.ITEM: yaml.item_entry,
        yaml_index.VARIABLE: yaml.variable_entry,
    }
    for place in index.places(line, column):
        name = place.nodes[0].text.partition("=")[0] if place.kind == yaml_index.ITEM else place.nodes[0].text
        if is_named(written, name):
            if place.shared:
                raise NotEdited("it stands in a block that an anchor shares with others")
            return entries[place.kind](text, place)
    if line not in index.texts:
        raise NotEdited("it is made of something that the file says in another form")
    if index.texts[line]:
        raise NotEdited("it stands in a text that an anchor shares with others")
    entry = line_at(text, line)
    entry.is_alone = False
    return entry
