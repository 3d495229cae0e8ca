"""Load the inventory of a fleet: `fleet.yaml`, or a table (CSV with a header, or Parquet).

A cluster's client settings are a reference, resolved where the cluster is read: `file:PATH`, or `env:NAME` for a
variable that holds the text of such a file. Paths are relative to the inventory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from advisor import limits
from advisor.catalog.target import target_of
from advisor.errors import BadInventory, BadSettings, NothingToJudge, UnreadableInput, UserError, os_reason
from advisor.model import Client
from collectors.client.target import Connection
from collectors.files.reader import File, read_one
from spark_audit.collection.entries import ClusterEntry, EntryText, suggest
from spark_audit.storage.file_store import open_input


def load(path: str, names: Sequence[str] = ()) -> list[ClusterEntry]:
    """Load the clusters of an inventory, or those that are named. Raises BadInventory."""
    from spark_audit.collection import table_inventory, yaml_inventory

    try:
        if "://" not in path and (path.endswith(".parquet") or _is_table(path)):
            texts = table_inventory.parse_parquet(path)
        else:
            with open_input(path) as handle:
                data = limits.read(handle, limits.INVENTORY, path)
            texts = (
                table_inventory.parse_csv(path, data)
                if path.endswith(".csv")
                else yaml_inventory.parse_yaml(path, data)
            )
    except OSError as error:
        raise BadInventory([f"{path}: {os_reason(error)}"]) from None
    return select_entries(parse_entries(texts, path), names, path)


def _is_table(path: str) -> bool:
    """Whether the path is a folder of Parquet files. Raises BadInventory for any other folder."""
    names = sorted(os.listdir(path)) if os.path.isdir(path) else []
    if not os.path.isdir(path) or any(name.endswith(".parquet") or "=" in name for name in names):
        return os.path.isdir(path)
    candidates = [os.path.join(path, name) for name in names if name.endswith((".yaml", ".yml", ".csv"))]
    remedy = f"did you mean {candidates[0]}?" if candidates else "name a fleet.yaml, or a table as CSV or Parquet"
    raise BadInventory([f"{path}: is a folder without an inventory's Parquet files; {remedy}"])


def parse_text(text: str, names: Sequence[str] = (), shown: str = "inventory") -> list[ClusterEntry]:
    """Parse the text of a `fleet.yaml`; paths in it are relative to the working directory."""
    from spark_audit.collection import yaml_inventory

    return select_entries(parse_entries(yaml_inventory.parse_yaml(shown, text.encode()), shown), names, shown)


def select_entries(entries: list[ClusterEntry], names: Sequence[str], shown: str) -> list[ClusterEntry]:
    """The entries that are named, all where no name is given. Raises BadInventory for an unknown name."""
    if not names:
        return entries
    entry_of_name = {entry.name: entry for entry in entries}
    unknown = [name for name in names if name not in entry_of_name]
    if unknown:
        raise BadInventory([f"{shown}: no cluster {name} in it; {suggest(name, entry_of_name)}" for name in unknown])
    return [entry_of_name[name] for name in dict.fromkeys(names)]


def parse_entries(texts: Sequence[EntryText], shown: str) -> list[ClusterEntry]:
    """Parse the entries of an inventory, in order. Raises BadInventory with all errors."""
    errors: list[str] = []
    if not texts:
        errors.append(f"{shown}: no cluster in it; name at least one, with name and bootstrap_servers")
    entry_of_name: dict[str, ClusterEntry] = {}
    where_of_name: dict[str, str] = {}
    for text in texts:
        entry, problems = parse_entry(text, os.path.dirname(shown))
        errors += problems
        if entry.name in entry_of_name:
            errors.append(f"{text.where}: a cluster {entry.name} stands at {where_of_name[entry.name]}, too; each needs a name of its own")  # fmt: skip
        entry_of_name.setdefault(entry.name, entry)
        where_of_name.setdefault(entry.name, text.where)
    if errors:
        raise BadInventory(errors)
    return list(entry_of_name.values())


def parse_entry(text: EntryText, folder: str) -> tuple[ClusterEntry, list[str]]:
    """Parse one entry; the entry, and its errors."""
    values = text.values
    errors = [
        f"{text.where}: a cluster without {key}; add {key}: {example}"
        for key, example in (("name", "payments-eu"), ("bootstrap_servers", "[kafka1:9092, kafka2:9092]"))
        if not values.get(key)
    ]
    entry = ClusterEntry(values.get("name") or text.where, values.get("bootstrap_servers", ""))
    entry.zookeeper = values.get("zookeeper") or None
    entry.labels = text.labels
    for key, set_value in (("bootstrap_servers", _address), ("command_config", _reference), ("kafka_version", _release),
                      ("timeout", _timeout)):  # fmt: skip
        if values.get(key):
            problem = set_value(entry, values[key], folder)
            errors += [f"{text.where_of_key[key]}: {key}: {problem}"] if problem else []
    errors += _clients(entry, text, folder)
    return entry, errors


def _address(entry: ClusterEntry, text: str, _: str) -> str | None:
    try:
        Connection(text, "PLAINTEXT", "", 1)
    except BadSettings as bad:
        return str(bad)
    return None


def _reference(entry: ClusterEntry, text: str, folder: str) -> str | None:
    scheme, _, target = text.partition(":")
    if scheme == "file" and target and "\n" not in target:
        entry.command_config = f"file:{os.path.join(folder, target)}"
    elif scheme == "env" and target.isidentifier():
        entry.command_config = text
    else:
        return "settings, and secrets least of all, do not belong here: write file:PATH, or env:NAME for a variable that holds them"
    return None


def _release(entry: ClusterEntry, text: str, _: str) -> str | None:
    try:
        entry.target = target_of(text, "the inventory says")
    except UserError as bad:
        return str(bad)
    return None


def _timeout(entry: ClusterEntry, text: str, _: str) -> str | None:
    try:
        entry.timeout = float(text)
    except ValueError:
        return f"{text} is not a number of seconds"
    return None if 0 < entry.timeout <= 86_400 else f"{text} is not between 0 and 86400 seconds"


def _clients(entry: ClusterEntry, text: EntryText, folder: str) -> Iterator[str]:
    for path, topics, where in text.clients:
        shown = os.path.join(folder, path)
        try:
            pair = read_one(File(shown))
        except (UnreadableInput, NothingToJudge) as error:
            yield f"{where}: {error}"
            continue
        entity = pair[0] if pair is not None else None
        if isinstance(entity, Client):
            entry.clients.append((entity, topics))
        else:
            yield f"{where}: {shown}: is no client's file; name those of producers, consumers, Connect workers"
