"""Variables of a container that Spring Boot binds: SPRING_KAFKA_PRODUCER_ACKS is spring.kafka.producer.acks.

Source: Spring Boot's reference, relaxed binding from environment variables: dots are underscores, hyphens are left out (or
underscores, as older releases took them), all is upper case; the keys of a map become lower case with dots.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from advisor.model import Spelling
from collectors.files.block import Block
from collectors.files.framework_properties import Flat
from collectors.files.names import letters
from collectors.files.spring import BOUND, COMMON, COMPONENTS, PROPERTIES, ROOT, SSL, clients
from collectors.files.tree import SCALAR, Node
from collectors.files.variables import Variable

PREFIX, MAP = "SPRING_KAFKA_", "PROPERTIES_"
ELSEWHERE = "the application's own files may set it"
LISTENER = "LISTENER_"
FIELDS = {kind: {letters(field): field for field in (*COMMON, *SSL, *bound)} for kind, bound in BOUND.items()}
"""The fields of each section by their letters: securityprotocol is security.protocol."""
ALL_FIELDS = {letters(field): field for field in (*COMMON, *SSL)}


def environment_blocks(environment: Sequence[Variable], name: str, format: str, file: str) -> list[Block]:
    """The clients that the variables of a container configure, over what the application itself says."""
    flat = [row for variable in environment if (row := _row(variable)) is not None]
    blocks = [block for block in clients(flat, "", file) if block.kind != "deployment"]
    for block in blocks:
        block.name = f"{name} {block.name}".strip()
        block.format, block.joint = format, "="
        block.fragment = ELSEWHERE
        block.spelling = Spelling(form=functools.partial(_variable_of, block.kind or ""))
        _spell_as_variables(block, environment)
    return blocks


def _row(variable: Variable) -> Flat | None:
    """A variable as the property that it binds; None where it binds no setting of a client."""
    name = _property(variable.name)
    if name is None:
        return None
    text = variable.value if variable.value is not None else f"${{{variable.name}}}"
    node = variable.value_node or variable.key_node
    value = Node(SCALAR, node.line, node.column, text)
    value.end = node.end
    return name, variable.key_node, value


def _property(variable: str) -> str | None:
    """The property of a variable: SPRING_KAFKA_PROPERTIES_SASL_MECHANISM is spring.kafka.properties.sasl.mechanism."""
    spring_name = variable[len(PREFIX) :] if variable.startswith(PREFIX) else ""
    kind = next((kind for kind in COMPONENTS if spring_name.startswith(f"{kind.upper()}_")), "")
    own = spring_name[len(kind) + 1 :] if kind else spring_name
    if own.startswith(MAP):
        field: str | None = PROPERTIES + own[len(MAP) :].lower().replace("_", ".")
    else:
        field = (FIELDS[kind] if kind else ALL_FIELDS).get(letters(own))
    if field is None:
        return f"{ROOT}{spring_name.lower()}" if spring_name.startswith(LISTENER) else None
    return f"{ROOT}{kind}.{field}" if kind else ROOT + field


def _variable_of(kind: str, key: str) -> str:
    section = f"{kind.upper()}_" if kind in COMPONENTS else ""
    return f"{PREFIX}{section}{MAP}{key.upper().replace('.', '_')}"


def _spell_as_variables(block: Block, environment: Sequence[Variable]) -> None:
    """Settings are named by the variables that they stand in."""
    names = {(each.key_node.line, each.key_node.column): each for each in environment}
    for setting in block.settings.values():
        variable = names.get((setting.origin.line or 0, setting.origin.column or 0))
        if variable is not None:
            setting.written, setting.lead = variable.name, variable.lead
            if variable.value_node is None:
                setting.span = None
