"""What Kafka's catalogs say of one key: type, default and valid values by release, who reads it, how it changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from advisor import catalog
from advisor.catalog import Definition, KeyHistory
from advisor.model import Version
from advisor.reports.manual.key_sentences import SENTENCES
from advisor.rule import Rule
from advisor.rule.keys import keys_of

Spans = list[tuple[Version, Version, Definition]]
READERS = {
    "broker": "brokers and controllers",
    "topic": "topics",
    "producer": "Java producers",
    "consumer": "Java consumers",
    "admin": "Java admin clients",
    "streams": "Streams",
    "group": "groups",
    "connect": "distributed Connect workers",
    "connect-standalone": "standalone Connect workers",
    "connect-worker": "Connect workers",
    "connect-source": "source connectors",
    "connect-sink": "sink connectors",
    "librdkafka": "librdkafka",
}
"""Who reads the keys of a component; of others the component's own name."""
UPDATE_MODES = {
    "read-only": "read when the broker starts",
    "per-broker": "can be changed on a running broker (kafka-configs --entity-type brokers --entity-name ID)",
    "cluster-wide": "can be changed on running brokers, for one or for all (--entity-default)",
}
LONG_LIST = 12


def key_lines(key: str, rules: Sequence[Rule], release: Version | None = None) -> Iterator[str]:
    """The page of a key as plain text, for every release or for one; nothing for a key that no catalog has."""
    components = catalog.known_anywhere(key)
    if not components:
        return
    yield key
    if key in SENTENCES:
        yield SENTENCES[key]
    for component in sorted(components, key=lambda each: each == catalog.LIBRDKAFKA):
        yield ""
        yield from _component(component, key, release)
    judging = [rule for rule in rules if judges(rule, key)]
    if judging:
        yield ""
        yield f"Rules: {', '.join(f'{rule.id} {rule.name}' for rule in judging)}"


def judges(rule: Rule, key: str) -> bool:
    """Whether a rule is about a key."""
    return key in keys_of(rule)


def _component(component: str, key: str, release: Version | None) -> Iterator[str]:
    every = list(_spans(component, key))
    spans = [(first, last, each) for first, last, each in every if release is None or first <= release <= last]
    if not spans:
        if every and release is not None:
            yield f"Not read by {READERS.get(component, component)} in {_releases(release, release)}"
        return
    first, last, definition = spans[0][0], spans[-1][1], spans[-1][2]
    of_librdkafka = component == catalog.LIBRDKAFKA
    releases = "" if of_librdkafka else f" ({_releases(first, last)})"
    yield f"Read by {READERS.get(component, component)}{releases}"
    yield from _of_definition(definition, of_librdkafka)
    if component == "topic" and catalog.synonyms(key):
        yield f"  inherits: {', '.join(other for other, _ in catalog.synonyms(key))} of the brokers where the topic does not set it"
    if len(spans) > 1:
        yield "  by release:"
        yield from (f"    {_releases(a, b):<12} {_brief(each)}" for a, b, each in spans)
    yield from _history(catalog.key_history(component, key))


def _spans(component: str, key: str) -> Iterator[tuple[Version, Version, Definition]]:
    """(first, last release, definition) for each run of releases whose type, default and valid values are equal."""
    current: tuple[Version, Version, Definition] | None = None
    for version in catalog.VERSIONS:
        definition = catalog.lookup(component, version, key)
        if current is not None and (definition is None or _brief(definition) != _brief(current[2])):
            yield current
            current = None
        if definition is not None:
            current = (current[0] if current is not None else version, version, definition)
    if current is not None:
        yield current


def _of_definition(definition: Definition, of_librdkafka: bool) -> Iterator[str]:
    yield f"  type:     {definition.type}{', required' if definition.required else ''}"
    if not definition.required:
        yield f"  default:  {default_text(definition)}"
    if definition.valid is not None:
        yield f"  valid:    {valid_text(definition.valid)}"
    if definition.update_mode is not None and not of_librdkafka:
        yield f"  dynamic:  {UPDATE_MODES.get(definition.update_mode, definition.update_mode)}"


def _brief(definition: Definition) -> str:
    """Type, default and valid values in a few words."""
    valid = f", {valid_text(definition.valid)}" if definition.valid is not None else ""
    return f"{definition.type}, {'required' if definition.required else f'default {default_text(definition)}'}{valid}"


def default_text(definition: Definition) -> str:
    return "none" if definition.default is None else definition.default or "empty"


def valid_text(valid: tuple[object, ...]) -> str:
    """Valid values in words."""
    what, *arguments = valid
    if what in ("range", "range_or"):
        low, high, *others = arguments
        bounds = f"{low} or more" if high is None else f"at most {high}" if low is None else f"{low} to {high}"
        return " or ".join((bounds, *map(str, others)))
    if what == "kafka_version":
        return "a release of Kafka"
    if what == "text":
        return str(arguments[0])
    lists = [argument for argument in arguments if isinstance(argument, tuple)]
    if lists:
        words = [str(word) for each in lists for word in each]
        more = f" and {len(words) - LONG_LIST} more" if len(words) > LONG_LIST else ""
        return ", ".join(words[:LONG_LIST]) + more + (", in any case" if str(what).startswith("in_ci") else "")
    return OTHERS.get(str(what), str(what).replace("_", " "))


OTHERS = {
    "nonempty": "not empty",
    "nonempty_list": "a list that is not empty",
    "flag": "true, t, 1, false, f or 0",
    "entries": "a list without empty entries",
    "unique_entries": "a list without repetitions",
    "unique": "a list without repetitions",
    "endpoints": "host:port, …",
    "bootstrap": "host:port, …",
    "voters": "id@host:port, …",
    "urls": "URLs",
    "urls_or_empty": "URLs, or empty",
}


OF_SOURCE = re.compile(r"^v\d[\d.]* ")
"""The tag of a source tree that a class is named with."""


def _history(history: KeyHistory) -> Iterator[str]:
    if history.deprecated is not None:
        instead = f"; instead: {history.deprecated_replacement}" if history.deprecated_replacement else ""
        yield f"  deprecated from {_text(history.deprecated)} on{instead}{_reference(history)}"
    if history.removed is not None:
        instead = f"; instead: {history.replacement}" if history.replacement else ""
        note = f" ({history.note})" if history.note else ""
        yield f"  removed in {_text(history.removed)}{note}{instead}{_reference(history)}"
    if history.renamed is not None:
        yield f"  renamed in {_text(history.renamed)}: {history.renamed_to}"


def _reference(history: KeyHistory) -> str:
    return f", {OF_SOURCE.sub('', history.reference)}" if history.reference else ""


def _releases(first: Version, last: Version) -> str:
    return _text(first) if first == last else f"{_text(first)} to {_text(last)}"


def _text(version: Version) -> str:
    return f"{version[0]}.{version[1]}"
