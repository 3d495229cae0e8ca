"""Variables of a container that an application's framework binds: MP_MESSAGING_OUTGOING_ORDERS_ACKS, KAFKA_PRODUCERS_A_ACKS.

Source: MicroProfile Config's mapping of environment names (letters in upper case, everything else an underscore), which
Micronaut has, too. What a channel or a client is called is what stands before the longest key of Kafka's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from advisor.model import DEPLOYMENT, Spelling
from collectors.files.block import Block
from collectors.files.frameworks import micronaut, quarkus
from collectors.files.frameworks.dotted_properties import CLIENTS, Flat
from collectors.files.names import is_key
from collectors.files.sources import Sources
from collectors.files.syntax.tree import SCALAR, TreeNode
from collectors.files.variables import Variable

ELSEWHERE = "the application's own files may set it"
CHANNELS = {"MP_MESSAGING_INCOMING_": "consumer", "MP_MESSAGING_OUTGOING_": "producer"}
CHANNELS_OF_MICRONAUT = {"KAFKA_PRODUCERS_": "producer", "KAFKA_CONSUMERS_": "consumer"}
COMMON = {"KAFKA_": "kafka.", "MP_MESSAGING_CONNECTOR_SMALLRYE_KAFKA_": quarkus.ALL_CHANNELS}
"""What variables of all clients begin with."""
STREAMS = {"KAFKA_STREAMS_": quarkus.STREAMS, "QUARKUS_KAFKA_STREAMS_": quarkus.STREAMS_OF_QUARKUS}
KEYS_OF_STREAMS = ("streams", "producer", "consumer")
CONNECTOR, ENABLED = "connector", "enabled"
"""What says of a channel whether it is one of Kafka's."""
SHARED_NAME = "client.id"
"""The key whose variable is also that of `client-id`, which connectors of AMQP and MQTT have."""
OTHER_GROUPS = ("dead_letter_queue", "delayed_retry_topic")
"""What a channel's own name does not hold: clients beside it."""
QUARKUS, MICRONAUT = "QUARKUS_", "MICRONAUT_"
MOST_WORDS = 30


def framework_blocks(environment: Sequence[Variable], name: str, format: str, file: str) -> list[Block]:
    """The clients that variables configure for Quarkus or for Micronaut; none where nothing shows one of them."""
    sources = Sources(file, file)
    for mark, channels, reader in ((QUARKUS, CHANNELS, quarkus), (MICRONAUT, CHANNELS_OF_MICRONAUT, micronaut)):
        rows = list(_rows_of_clients(environment, channels))
        if rows or any(variable.name.startswith(mark) for variable in environment):
            rows += _rows_of_all(environment, reader is quarkus)
            blocks = reader.flat_blocks(rows, sources)
            return as_variables(blocks, environment, name, format, lambda key: key)
    return []


def as_variables(
    blocks: Sequence[Block], environment: Sequence[Variable], name: str, format: str, bare: Callable[[str], str]
) -> list[Block]:
    """The clients of a container that has variables: named by it, each setting by the variable in which it stands."""
    clients = [block for block in blocks if block.kind != DEPLOYMENT]
    for block in clients:
        block.name = f"{name} {block.name}".strip()
        block.format, block.joint = format, "="
        block.fragment = ELSEWHERE
        block.spelling = Spelling(form=_form(block.spelling or Spelling(), bare))
        _spell_as_variables(block, environment)
    return clients


def row_of(property: str, variable: Variable) -> Flat:
    """A variable as the property that it binds; one that something outside the file sets is a placeholder."""
    text = variable.value if variable.value is not None else f"${{{variable.name}}}"
    node = variable.value_node or variable.key_node
    value = TreeNode(SCALAR, node.line, node.column, text)
    value.end = node.end
    variable.key_node.file = variable.file
    return property, variable.key_node, value


def _form(spelling: Spelling, bare: Callable[[str], str]) -> Callable[[str], str]:
    return lambda key: re.sub(r"\W", "_", bare(spelling.spell(key))).upper()


def _rows_of_clients(environment: Sequence[Variable], channels: dict[str, str]) -> Iterator[Flat]:
    """The properties of channels or clients with a name of their own; `enabled` is also the end of other attributes."""
    taken = []
    for variable in environment:
        prefix = next((each for each in channels if variable.name.startswith(each)), "")
        name, key = _split(variable.name[len(prefix) :], channels[prefix]) if prefix else ("", "")
        if name and (channels is CHANNELS or key not in (CONNECTOR, ENABLED)):
            taken.append((prefix.lower().replace("_", ".") + name, key, variable))
    names = {name for name, key, _ in taken if key != ENABLED}
    return (row_of(f"{name}.{key}", variable) for name, key, variable in taken if name in names)


def _split(words: str, component: str) -> tuple[str, str]:
    """(name, key) of ORDERS_DELIVERY_TIMEOUT_MS; nothing where no key of the component stands behind a name."""
    parts = words.lower().split("_")
    for number in range(1, len(parts)) if len(parts) <= MOST_WORDS else ():
        name, key = "_".join(parts[:number]), ".".join(parts[number:])
        if key in (CONNECTOR, ENABLED) or (is_key(key, (component,)) and key != SHARED_NAME):
            return ("", "") if any(group in name for group in OTHER_GROUPS) else (name, key)
    return "", ""


def _rows_of_all(environment: Sequence[Variable], is_quarkus: bool) -> Iterator[Flat]:
    """The properties of all clients, and those of Kafka Streams in Quarkus."""
    for variable in environment:
        own = {**COMMON, **STREAMS} if is_quarkus else COMMON
        prefix = max((each for each in own if variable.name.startswith(each)), key=len, default="")
        key = variable.name[len(prefix) :].lower().replace("_", ".")
        if prefix and is_key(key, KEYS_OF_STREAMS if prefix in STREAMS else CLIENTS):
            yield row_of(own[prefix] + key, variable)


def _spell_as_variables(block: Block, environment: Sequence[Variable]) -> None:
    """Settings are named by the variables that they stand in."""
    names = {(each.file or block.file, each.key_node.line, each.key_node.column): each for each in environment}
    for setting in block.settings.values():
        origin = setting.origin
        variable = names.get((origin.file or "", origin.line or 0, origin.column or 0))
        if variable is not None:
            setting.written, setting.lead = variable.name, variable.lead
            if variable.value_node is None:
                setting.span = None
