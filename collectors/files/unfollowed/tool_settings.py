"""What tools, agents and images set of Kafka's in words of their own: Redpanda's rpk, kaf, Dapr, Redpanda Connect, sealed secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from advisor import catalog
from collectors.files.detect import is_telling

FACTOR = "replication.factor"
OF_KAFKA = re.compile(r"kafka|confluentinc|redpanda|producer\.override|\b(?:kcat|rpk|kaf)\s", re.IGNORECASE)
"""What names Kafka, one of its clients or what speaks its protocol."""
CREATES_TOPIC = re.compile(
    r"\b(?:rpk|kaf)\s{1,5}topic\s{1,5}create\s[^\n;&|]{0,300}?(?:-r|--replicas)[ =]{0,3}1(?![\w.])"
)
CREATES_TOPICS = re.compile(
    r"\bKAFKA_CREATE_TOPICS[\"']?\s{0,20}[=:]\s{0,20}[\"']?[^\n]{0,2000}?[\w.-]{1,249}:\d{1,9}:1(?!\d)"
)
REASSIGNS = re.compile(r"\"replicas\"\s{0,20}:\s{0,20}\[\s{0,20}\d{1,9}\s{0,20}\]")
"""A partition in a file of kafka-reassign-partitions that is left with one replica."""
OF_REDPANDA = re.compile(r"(?<!\w)((?:default|minimum)_topic_replications|internal_topic_replication_factor)[\"']?\s{0,20}[=: ]\s{0,20}[\"']?\d")  # fmt: skip
OF_DOTNET = re.compile(
    r"(?<![\w$])((?:\w{1,30}__)?\w{0,30}Kafka\w{0,30}__(?:\w{1,30}__)?(?:Acks|Enable(?:Idempotence|AutoCommit|AutoOffsetStore|SslCertificateVerification)"
    r"|MaxInFlight|MessageSendMaxRetries|MessageTimeoutMs|AutoOffsetReset|IsolationLevel|SecurityProtocol|AllowAutoCreateTopics|CompressionType))(?!\w)",
    re.IGNORECASE,
)
"""A variable that .NET reads as a setting of a section about Kafka."""
OF_DAPR = re.compile(r"(?<=type: )((?:pubsub|bindings)\.kafka)\b")
OF_CONNECT = re.compile(r"(?<![\w.-])(ack_replicas|kafka(?:_franz)?)[\"']?:(?:\s{1,20}false\b|\s{0,10}\n\s{1,40}(?:addresses|seed_brokers):)")  # fmt: skip
"""An input or an output of Redpanda Connect, which was Benthos."""
OF_IMAGE = re.compile(
    r"(?<![\w.-])((?:landoop|lensesio)/(?:fast-data-dev|box|kafka-lenses-dev)|(?:spotify|ubuntu)/kafka)(?![\w-])"
)
"""Images that run a broker with settings of their own making."""
OF_XML = re.compile(r"(?:\b(?:key|name)\s{0,5}=\s{0,5}[\"'](?:[\w-]{1,40}:){0,3}|<(?:name|key)>\s{0,20})(acks|[a-z][a-z0-9]*(?:\.[a-z0-9]+)+)(?:[\"']|\s{0,20}</)")  # fmt: skip
OF_NIX = re.compile(r"\bapache-kafka\.settings\.([a-z][a-z0-9]*(?:\.[a-z0-9]+)+)")
OF_HELM = re.compile(
    r"\b(helm\s{1,5}(?:install|upgrade|template))\b(?=(?:[^\n;&|]|\\\n){0,800}kafka)(?=(?:[^\n;&|]|\\\n){0,800}\s(?:--set|--values|-f)\b)",
    re.IGNORECASE,
)
"""A release of a chart whose name has Kafka in it, with values on the command line or in files."""
PATCHES = re.compile(r"\b(kubectl)\s[^\n;&|]{0,200}?\bpatch\s[^\n;&|]{0,100}?\bkafka\w{0,20}\b", re.IGNORECASE)
"""A patch of a resource of Kafka's."""
EDITS = re.compile(
    r"\b(yq)\s(?=[^\n;&|]{0,300}(?<=\s)(?:-i\b|--inplace))[^\n;&|]{0,300}?\bkafka[\w.-]{0,60}\.ya?ml\b", re.IGNORECASE
)
"""A file of YAML called after Kafka that is edited in place."""
OF_PAIRS = re.compile(
    r"^[ \t]{0,40}-[ \t]{1,5}key:[ \t]{1,5}[\"']?([a-z][a-z0-9]*(?:\.[a-z0-9]+)+)[\"']?[ \t]*\n[ \t]{0,40}(?:-[ \t]{1,5})?value:",
    re.MULTILINE,
)
"""A key and its value under names of their own, as Salt's file.keyvalue takes them."""
OF_MSK = re.compile(
    r"\b(ClientBroker(?=[\"']?\s{0,5}:\s{0,5}[\"']?(?:TLS_)?PLAINTEXT\b)|InCluster(?=[\"']?\s{0,5}:\s{0,5}[\"']?false\b)"
    r"|Unauthenticated(?=[\"']?\s{0,5}:\s{0,80}\{?\s{0,80}[\"']?Enabled[\"']?\s{0,5}:\s{0,5}[\"']?true\b))"
)
"""What a cluster of Amazon MSK in CloudFormation leaves open: plain text, and clients that nobody knows."""
OF_KUBEDB = re.compile(r"\b(storageType)[\"']?:\s{0,5}[\"']?Ephemeral\b")
OF_KUDO = re.compile(r"(?<![\w$])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+){1,8})[\"']?:(?=\s)")
"""A parameter of a resource of KUDO's, whose operator for Kafka calls them after the broker's keys."""
OF_STRIMZI = re.compile(r"\bkind[\"']?:\s{0,5}[\"']?(Kafka(?:Topic|NodePool|Connector))\b(?![^\n]{0,20}Definition)")
"""A resource of Strimzi's inside of something else."""
OF_TEMPLATE = re.compile(r"\b(kafka\.strimzi\.io)/(?:[^\n]{0,200}\n){1,40}?[ \t]*(?:spec|kafka):\s{0,200}\{\{")
"""A resource of Strimzi's all of which a template calculates."""
DEFINITION = "CustomResourceDefinition"
REFERENCES, NEAR = ("ownerReferences", "Ref:", 'Ref"', "healthChecks"), 120
"""What stands before a resource that is only named, within so many characters."""
PATTERNS = (
    ("apache-kafka.", OF_NIX), ("aws::msk::cluster", OF_MSK),
    ("_topic_replication", OF_REDPANDA), ("__", OF_DOTNET), (".kafka", OF_DAPR), ("kafka", OF_CONNECT), ("ack_replicas", OF_CONNECT),
    ("fast-data-dev", OF_IMAGE), ("lensesio/box", OF_IMAGE), ("kafka-lenses-dev", OF_IMAGE), ("spotify/kafka", OF_IMAGE), ("ubuntu/kafka", OF_IMAGE),
)  # fmt: skip
"""A word that is in each text with what a pattern names."""
ENCRYPTION = {"kind: SealedSecret": "SealedSecret", "ENC[AES": "sops"}
"""What is in a text whose fields are encrypted one by one, and by what."""
ENCRYPTED_FIELD = re.compile(r"(?:^|[{,\n])[ \t]*[\"']?([\w.-]{1,80})[\"']?[ \t]*[:=][ \t]*[\"']?(?:ENC\[AES|Ag[A-Za-z0-9+/]{16})")  # fmt: skip
FILES = (".properties", ".conf", ".config", ".cfg", ".yml", ".yaml", ".json", ".env")
"""How a field is called that has a whole file as its value."""


def settings_of_tools(text: str) -> Iterator[str]:
    """The settings that a text has in words of tools other than Kafka's own."""
    lower = text.lower()
    for word, pattern in PATTERNS:
        yield from pattern.findall(text) if word in lower else ()
    yield from filter(is_telling, OF_PAIRS.findall(text)) if "value:" in text else ()
    yield from OF_KUBEDB.findall(text) if "kubedb.com/" in text else ()
    if "kudo.dev/" in text:
        yield from filter(is_of_broker, (name.lower().replace("_", ".") for name in OF_KUDO.findall(text)))
    if CREATES_TOPIC.search(text):
        yield FACTOR


def resources_of_tools(text: str) -> Iterator[str]:
    """What a text that nothing else is read of does with resources of Kafka's: those inside of others, releases of Helm, patches."""
    for kind in OF_STRIMZI.finditer(text) if "kind" in text and DEFINITION not in text else ():
        before = text[max(0, kind.start() - NEAR) : kind.start()]
        yield from () if any(word in before for word in REFERENCES) else (kind.group(1),)
    yield from OF_TEMPLATE.findall(text) if "{{" in text else ()
    yield from OF_HELM.findall(text) if "helm" in text else ()
    yield from PATCHES.findall(text) if "kubectl" in text else ()
    yield from EDITS.findall(text) if "yq" in text else ()


def is_of_broker(key: str) -> bool:
    """Whether a key is one of a broker's, and no other program's."""
    return is_telling(key) and "broker" in catalog.known_anywhere(key)


def replicas_of_topics(text: str) -> Iterator[str]:
    """The factor of replication, where a list of topics or a reassignment of partitions leaves one replica."""
    reassigns = '"partitions"' in text and '"topic"' in text and REASSIGNS.search(text)
    if reassigns or CREATES_TOPICS.search(text):
        yield FACTOR


def encrypted_settings(text: str, names_kafka: bool) -> Iterator[str]:
    """How fields are encrypted that may hold settings of Kafka's: as a SealedSecret or by sops."""
    for mark in (each for each in ENCRYPTION if each in text):
        fields = ENCRYPTED_FIELD.findall(text)
        is_file = any(field.lower().endswith(FILES) for field in fields)
        if is_file and (names_kafka or any(field.endswith(FILES[0]) for field in fields)):
            yield ENCRYPTION[mark]
