"""Variables of a container that Spring Boot binds: SPRING_KAFKA_PRODUCER_ACKS is spring.kafka.producer.acks.

Source: Spring Boot's reference, relaxed binding from environment variables: dots are underscores, hyphens are left out (or
underscores, as older releases took them), all is upper case (or not: SystemEnvironmentPropertyMapper takes any case); the keys
of a map become lower case with dots.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.cache import cached
from advisor.model import Spelling
from collectors.files.block import Block
from collectors.files.frameworks.dotted_properties import CLIENTS
from collectors.files.frameworks.environment import as_variables, row_of
from collectors.files.frameworks.spring import BOUND, COMMON, COMPONENTS, FORMAT_NAME, PROPERTIES, ROOT, SSL, clients
from collectors.files.names import is_key, letters
from collectors.files.variables import Variable

PREFIX, BINDER, MAP = "SPRING_KAFKA_", "SPRING_CLOUD_STREAM_KAFKA_BINDER_", "PROPERTIES_"
LISTENER = "LISTENER_"
MOST_NAMES = 10_000
"""Names of variables of which the property is remembered."""
OF_SPRING = (ROOT, "spring.cloud.stream.")
"""What properties begin with that arguments and SPRING_APPLICATION_JSON set by their own names."""
FIELDS = {kind: {letters(field): field for field in (*COMMON, *SSL, *bound)} for kind, bound in BOUND.items()}
"""The fields of each section by their letters: securityprotocol is security.protocol."""
ALL_FIELDS = {letters(field): field for field in (*COMMON, *SSL)}
FIELDS_OF_BINDER = ("brokers", "requiredacks", "defaultbrokerport")
MAPS_OF_BINDER = {
    "CONFIGURATION_": ("configuration", CLIENTS),
    "PRODUCERPROPERTIES_": ("producerproperties", ("producer",)),
    "PRODUCER_PROPERTIES_": ("producerproperties", ("producer",)),
    "CONSUMERPROPERTIES_": ("consumerproperties", ("consumer",)),
    "CONSUMER_PROPERTIES_": ("consumerproperties", ("consumer",)),
}


def spring_blocks(environment: Sequence[Variable], name: str, format: str, file: str) -> list[Block]:
    """The clients that the variables of a container configure, over what the application itself says."""
    flat = [row_of(bound, each) for each in environment if (bound := _property(each.name)) is not None]
    blocks = clients(flat, "", file)
    for block in (each for each in blocks if each.format == FORMAT_NAME):
        section = f"{ROOT}{block.kind}." if block.kind in COMPONENTS else ROOT
        block.spelling = Spelling(section + PROPERTIES)
    return as_variables(blocks, environment, name, format, lambda property: property.replace("-", ""))


@cached(MOST_NAMES)
def _property(variable: str) -> str | None:
    """The property of a variable: SPRING_KAFKA_PROPERTIES_SASL_MECHANISM is spring.kafka.properties.sasl.mechanism."""
    if variable.startswith(OF_SPRING):
        return variable
    variable = variable.upper()
    if variable.startswith(BINDER):
        return _property_of_binder(variable[len(BINDER) :])
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


def _property_of_binder(own: str) -> str | None:
    """The property of Spring Cloud Stream's binder; None where it is not a field and no key of Kafka's."""
    if letters(own) in FIELDS_OF_BINDER:
        return f"spring.cloud.stream.kafka.binder.{letters(own)}"
    prefix = next((each for each in MAPS_OF_BINDER if own.startswith(each)), "")
    key = own[len(prefix) :].lower().replace("_", ".")
    if not prefix or not is_key(key, MAPS_OF_BINDER[prefix][1]):
        return None
    return f"spring.cloud.stream.kafka.binder.{MAPS_OF_BINDER[prefix][0]}.{key}"
