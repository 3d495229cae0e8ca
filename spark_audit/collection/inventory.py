"""The clusters of a fleet: `fleet.yaml`, or a table (CSV with a header, or Parquet).

A cluster's client settings are a reference, resolved where the cluster is read: `file:PATH`, or `env:NAME` for a variable
that holds the text of such a file. Paths are relative to the inventory.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from advisor.catalog.target import release_of
from advisor.errors import BadInventory, BadSettings, NothingToJudge, UnreadableInput, os_reason
from advisor.model import Client, Target
from collectors.client.target import Connection
from collectors.files import File, IsSnapshot, read
from spark_audit.collection.entries import ClusterEntry, EntryText, meant

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def load(path: str, names: Sequence[str] = ()) -> list[ClusterEntry]:
    """The clusters of an inventory, or those of them that are named. Raises BadInventory."""
    from spark_audit.collection import table_inventory, yaml_inventory

    try:
        if path.endswith(".parquet") or _is_table(path):
            told = table_inventory.parquet(path)
        else:
            with open(path, "rb") as handle:
                data = handle.read()
            told = table_inventory.csv(path, data) if path.endswith(".csv") else yaml_inventory.told(path, data)
    except OSError as error:
        raise BadInventory([f"{path}: {os_reason(error)}"]) from None
    return chosen(items(told, path), names, path)


def _is_table(path: str) -> bool:
    """Whether it is a folder of Parquet files. Raises BadInventory for any other folder."""
    names = sorted(os.listdir(path)) if os.path.isdir(path) else []
    if not os.path.isdir(path) or any(name.endswith(".parquet") or "=" in name for name in names):
        return os.path.isdir(path)
    meant = [os.path.join(path, name) for name in names if name.endswith((".yaml", ".yml", ".csv"))]
    remedy = f"did you mean {meant[0]}?" if meant else "name a fleet.yaml, or a table as CSV or Parquet"
    raise BadInventory([f"{path}: is a folder without an inventory's Parquet files; {remedy}"])


def content(text: str, names: Sequence[str] = (), shown: str = "inventory") -> list[ClusterEntry]:
    """The clusters of the text of a `fleet.yaml`; paths in it are relative to the working directory."""
    from spark_audit.collection import yaml_inventory

    return chosen(items(yaml_inventory.told(shown, text.encode()), shown), names, shown)


def chosen(found: list[ClusterEntry], names: Sequence[str], shown: str) -> list[ClusterEntry]:
    """Those that are named, all where none is. Raises BadInventory for a name that is not there."""
    if not names:
        return found
    known = {item.name: item for item in found}
    absent = [name for name in names if name not in known]
    if absent:
        raise BadInventory([f"{shown}: no cluster {name} in it; {meant(name, known)}" for name in absent])
    return [known[name] for name in dict.fromkeys(names)]


def items(told: Sequence[EntryText], shown: str) -> list[ClusterEntry]:
    """The clusters of what was told, in its order. Raises BadInventory with everything that is wrong."""
    errors: list[str] = []
    if not told:
        errors.append(f"{shown}: no cluster in it; name at least one, with name and bootstrap_servers")
    found: dict[str, ClusterEntry] = {}
    places: dict[str, str] = {}
    for each in told:
        item, wrong = item_of(each, os.path.dirname(shown))
        errors += wrong
        if item.name in found:
            errors.append(f"{each.where}: a cluster {item.name} stands at {places[item.name]}, too; each needs a name of its own")  # fmt: skip
        found.setdefault(item.name, item)
        places.setdefault(item.name, each.where)
    if errors:
        raise BadInventory(errors)
    return list(found.values())


def item_of(told: EntryText, beside: str) -> tuple[ClusterEntry, list[str]]:
    """One cluster, and what is wrong with it."""
    values = told.values
    errors = [
        f"{told.where}: a cluster without {key}; add {key}: {example}"
        for key, example in (("name", "payments-eu"), ("bootstrap_servers", "[kafka1:9092, kafka2:9092]"))
        if not values.get(key)
    ]
    item = ClusterEntry(values.get("name") or told.where, values.get("bootstrap_servers", ""))
    item.zookeeper = values.get("zookeeper") or None
    item.labels = told.labels
    for key, take in (("bootstrap_servers", _address), ("command_config", _reference), ("kafka_version", _release),
                      ("timeout", _timeout)):  # fmt: skip
        if values.get(key):
            wrong = take(item, values[key], beside)
            errors += [f"{told.places[key]}: {key}: {wrong}"] if wrong else []
    errors += _clients(item, told, beside)
    return item, errors


def _address(item: ClusterEntry, text: str, _: str) -> str | None:
    try:
        Connection(text, "PLAINTEXT", "", 1)
    except BadSettings as bad:
        return str(bad)
    return None


def _reference(item: ClusterEntry, text: str, beside: str) -> str | None:
    scheme, _, rest = text.partition(":")
    if scheme == "file" and rest and "\n" not in rest:
        item.command_config = f"file:{os.path.join(beside, rest)}"
    elif scheme == "env" and rest.isidentifier():
        item.command_config = text
    else:
        return "settings, and secrets least of all, do not belong here: write file:PATH, or env:NAME for a variable that holds them"
    return None


def _release(item: ClusterEntry, text: str, _: str) -> str | None:
    try:
        version, note = release_of(text)
    except ValueError as bad:
        return str(bad)
    item.target = Target(version, f"the inventory says {text}" + (f"; {note}" if note else ""), given=True)
    return None


def _timeout(item: ClusterEntry, text: str, _: str) -> str | None:
    try:
        item.timeout = float(text)
    except ValueError:
        return f"{text} is no number of seconds"
    return None if 0 < item.timeout <= 86_400 else f"{text} is not between 0 and 86400 seconds"


def _clients(item: ClusterEntry, told: EntryText, beside: str) -> Iterator[str]:
    for path, topics, where in told.clients:
        shown = os.path.join(beside, path)
        try:
            entity, _ = read(File(shown))
        except (UnreadableInput, NothingToJudge) as error:
            yield f"{where}: {error}"
            continue
        except IsSnapshot:
            entity = None
        if isinstance(entity, Client):
            item.clients.append((entity, topics))
        else:
            yield f"{where}: {shown}: is no client's file; name those of producers, consumers, Connect workers"
