"""ksqlDB and Control Center in containers: the properties that their images make of variables.

KSQL_X_Y is x.y, CONTROL_CENTER_X_Y is confluent.controlcenter.x.y, CONFLUENT_X_Y beside it is confluent.x.y. Source: the templates of
confluentinc's cp-ksqldb-server and cp-enterprise-control-center.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collectors.files.block import Block
from collectors.files.frameworks.streams_of_servers import SERVER, streams_block
from collectors.files.names import is_key
from collectors.files.syntax.properties import read_from_properties
from collectors.files.variables import Variable

ADDRESS = "bootstrap.servers"
KSQL, CONTROL_CENTER, CONFLUENT = "KSQL_", "CONTROL_CENTER_", "CONFLUENT_"
PREFIXES = (KSQL, CONTROL_CENTER)
"""What the variables of each server begin with."""
BEGINS = {KSQL: {KSQL: ""}, CONTROL_CENTER: {CONTROL_CENTER: "confluent.controlcenter.", CONFLUENT: "confluent."}}
"""What each server's properties begin with in place of what its variables begin with."""
OF_SERVERS = ("ksql.", "confluent.")
"""What the properties begin with that are the servers' own; most others are those of its web server and of its log."""
OWN = {
    "CONTROL_CENTER_BOOTSTRAP_SERVERS": ADDRESS,
    "CONTROL_CENTER_REPLICATION_FACTOR": "confluent.controlcenter.internal.topics.replication",
}
"""Variables of Control Center that become another key than their words say."""


def server_blocks(environment: Sequence[Variable], name: str, format: str, file: str) -> list[Block]:
    """The server that variables configure, and its Streams application; none where no address of brokers is among them."""
    names = {each.name for each in environment}
    prefix = next((each for each in PREFIXES if f"{each}BOOTSTRAP_SERVERS" in names), None)
    if prefix is None:
        return []
    block = Block("admin", name, format, file)
    block.fragment = SERVER
    for key, variable in dict(_properties(environment, prefix)).items():
        value = read_from_properties(variable.value) if variable.value is not None else f"${{{variable.name}}}"
        setting = block.set(key, value, variable.key_node, variable.value_node, variable.name)
        setting.lead = variable.lead
    streams = streams_block(block)
    return [block, streams] if streams is not None else [block]


def _properties(environment: Sequence[Variable], prefix: str) -> Iterator[tuple[str, Variable]]:
    """The properties of a server that concern Kafka, those with names of their own first: others are written over them."""
    own = [each for each in environment if prefix == CONTROL_CENTER and each.name in OWN]
    yield from ((OWN[each.name], each) for each in own)
    for variable in environment:
        begin = next((each for each in BEGINS[prefix] if variable.name.startswith(each)), None)
        if begin is None or variable in own:
            continue
        key = BEGINS[prefix][begin] + variable.name[len(begin) :].lower().replace("_", ".")
        if key.startswith(OF_SERVERS) or is_key(key, ("admin",)):
            yield key, variable
