"""Definitions that no ConfigDef holds: authorizer keys, MirrorMaker's own file, ZooKeeper's zoo.cfg.

Rows are (type, default, required, valid, importance, update mode), as in the generated modules.
Sources: StandardAuthorizer and AclAuthorizer, MirrorMakerConfig, ZooKeeper's QuorumPeerConfig and Administrator's Guide.
"""

from __future__ import annotations

AUTHORIZER: dict[str, tuple[object, ...]] = {
    "allow.everyone.if.no.acl.found": ("string", "false", False, None, "high", "read-only"),
    "super.users": ("string", None, False, None, "high", "read-only"),
    "authorizer.zookeeper.url": ("string", None, False, None, "low", "read-only"),
    "authorizer.zookeeper.connection.timeout.ms": ("int", None, False, None, "low", "read-only"),
    "authorizer.zookeeper.session.timeout.ms": ("int", None, False, None, "low", "read-only"),
    "authorizer.zookeeper.max.in.flight.requests": ("int", None, False, None, "low", "read-only"),
    "kafka.metrics.reporters": ("list", None, False, None, "low", "read-only"),
    "kafka.metrics.polling.interval.secs": ("int", "10", False, None, "low", "read-only"),
    "metrics.jmx.include": ("string", None, False, None, "low", "read-only"),
    "metrics.jmx.exclude": ("string", None, False, None, "low", "read-only"),
}
OBJECT_STORAGE = frozenset(("elasticstream.enable", "s3.data.buckets"))
"""Keys of AutoMQ, whose brokers keep records in object storage: every partition has one replica, whatever is asked for."""
OF_REPLICAS = frozenset(
    (
        "default.replication.factor",
        "min.insync.replicas",
        "offsets.topic.replication.factor",
        "transaction.state.log.replication.factor",
        "transaction.state.log.min.isr",
        "share.coordinator.state.topic.replication.factor",
        "share.coordinator.state.topic.min.isr",
    )
)
"""Keys of replicas, which such brokers do not have."""
MIRROR: dict[str, tuple[object, ...]] = {
    "clusters": ("list", None, True, None, "high", None),
    "enabled": ("boolean", "false", False, None, "high", None),
    "dedicated.mode.enable.internal.rest": ("boolean", "false", False, None, "low", None),
}
ZOOKEEPER: dict[str, tuple[object, ...]] = {
    "tickTime": ("int", "3000", False, ("range", 1, None), "high", None),
    "initLimit": ("int", None, False, ("range", 1, None), "high", None),
    "syncLimit": ("int", None, False, ("range", 1, None), "high", None),
    "dataDir": ("string", None, True, None, "high", None),
    "dataLogDir": ("string", None, False, None, "high", None),
    "clientPort": ("int", None, False, ("range", 0, 65535), "high", None),
    "clientPortAddress": ("string", None, False, None, "low", None),
    "secureClientPort": ("int", None, False, ("range", 0, 65535), "medium", None),
    "secureClientPortAddress": ("string", None, False, None, "low", None),
    "maxClientCnxns": ("int", "60", False, ("range", 0, None), "medium", None),
    "minSessionTimeout": ("int", "-1", False, None, "low", None),
    "maxSessionTimeout": ("int", "-1", False, None, "low", None),
    "autopurge.purgeInterval": ("int", "0", False, ("range", 0, None), "medium", None),
    "autopurge.snapRetainCount": ("int", "3", False, ("range", 3, None), "medium", None),
    "snapCount": ("int", "100000", False, None, "low", None),
    "preAllocSize": ("int", "65536", False, None, "low", None),
    "globalOutstandingLimit": ("int", "1000", False, None, "low", None),
    "electionAlg": ("int", "3", False, None, "low", None),
    "electionPortBindRetry": ("int", "3", False, None, "low", None),
    "leaderServes": ("string", "yes", False, None, "low", None),
    "standaloneEnabled": ("boolean", "true", False, None, "medium", None),
    "reconfigEnabled": ("boolean", "false", False, None, "medium", None),
    "dynamicConfigFile": ("string", None, False, None, "medium", None),
    "peerType": ("string", "participant", False, None, "medium", None),
    "syncEnabled": ("boolean", "true", False, None, "low", None),
    "forceSync": ("string", "yes", False, None, "high", None),
    "fsync.warningthresholdms": ("int", "1000", False, None, "low", None),
    "4lw.commands.whitelist": ("list", "srvr", False, None, "low", None),
    "admin.enableServer": ("boolean", "true", False, None, "low", None),
    "admin.serverPort": ("int", "8080", False, ("range", 0, 65535), "low", None),
    "admin.serverAddress": ("string", "0.0.0.0", False, None, "low", None),
    "quorumListenOnAllIPs": ("boolean", "false", False, None, "low", None),
    "cnxTimeout": ("int", None, False, None, "low", None),
    "jute.maxbuffer": ("int", "1048575", False, None, "low", None),
    "skipACL": ("string", "no", False, None, "high", None),
    "serverCnxnFactory": ("string", None, False, None, "medium", None),
    "sslQuorum": ("boolean", "false", False, None, "medium", None),
    "portUnification": ("boolean", "false", False, None, "low", None),
    "extendedTypesEnabled": ("boolean", "false", False, None, "low", None),
    "localSessionsEnabled": ("boolean", "false", False, None, "low", None),
    "localSessionsUpgradingEnabled": ("boolean", "false", False, None, "low", None),
    "metricsProvider.className": ("class", None, False, None, "low", None),
    "metricsProvider.httpPort": ("int", "7000", False, None, "low", None),
    "metricsProvider.exportJvmInfo": ("boolean", "true", False, None, "low", None),
    "requireClientAuthScheme": ("string", None, False, None, "medium", None),
    "jaasLoginRenew": ("int", None, False, None, "low", None),
    "quorum.auth.enableSasl": ("boolean", "false", False, None, "medium", None),
    "quorum.auth.learnerRequireSasl": ("boolean", "false", False, None, "medium", None),
    "quorum.auth.serverRequireSasl": ("boolean", "false", False, None, "medium", None),
    "snapshot.trust.empty": ("boolean", "false", False, None, "medium", None),
}
DEPLOYMENT: dict[str, tuple[object, ...]] = {
    "image": ("string", None, False, None, "high", None),
    "runs": ("string", None, False, None, "high", None),
    "storage": ("string", None, False, None, "high", None),
    "image.volume": ("string", None, False, None, "low", None),
    "storage.size": ("string", None, False, None, "medium", None),
    "storage.delete": ("boolean", None, False, None, "medium", None),
    "metadata.volumes": ("int", None, False, None, "high", None),
    "brokers": ("int", None, False, None, "high", None),
    "zookeepers": ("int", None, False, None, "high", None),
    "public.access": ("string", None, False, None, "high", None),
    "client.authentication": ("string", None, False, None, "high", None),
    "public.protocol": ("string", None, False, None, "high", None),
    "source.replication.policy.class": ("string", None, False, None, "medium", None),
    "client.protocol": ("string", None, False, None, "high", None),
    "placement": ("string", None, False, None, "medium", None),
    "replication.policy.class": ("string", None, False, None, "medium", None),
    "jmx.options": ("string", None, False, None, "medium", None),
    "jmx.port": ("int", None, False, None, "medium", None),
    "published.loopback": ("string", None, False, None, "high", None),
    "topics.created": ("string", None, False, None, "medium", None),
    "kraft.only": ("boolean", "false", False, None, "high", None),
    "service.links": ("boolean", None, False, None, "medium", None),
    "api.version": ("string", None, False, None, "low", None),
    "anti.affinity": ("string", None, False, None, "low", None),
    "rack.key": ("string", None, False, None, "medium", None),
    "revision": ("string", None, False, None, "low", None),
    "configuration": ("string", None, False, None, "low", None),
    "configuration.digest": ("string", None, False, None, "low", None),
    "deletion": ("string", None, False, None, "low", None),
    "configuration.versions": ("string", None, False, None, "low", None),
    "instance.type": ("string", None, False, None, "low", None),
    "roles": ("list", None, False, None, "medium", None),
    "replicas": ("int", None, False, None, "medium", None),
    "volume": ("string", None, False, None, "high", None),
    "project": ("string", None, False, None, "high", None),
    "cluster.id": ("string", None, False, None, "high", None),
    "plan": ("string", None, False, None, "low", None),
    "service.plan": ("string", None, False, None, "low", None),
    "cluster.type": ("string", None, False, None, "low", None),
    "resource": ("string", None, False, None, "low", None),
    "protection": ("string", None, False, None, "low", None),
    "schema": ("string", None, False, None, "low", None),
    "permission": ("string", None, False, None, "low", None),
    "disk.size": ("int", None, False, None, "low", None),
    "client.logins": ("list", None, False, None, "medium", None),
    "moved": ("string", None, False, None, "low", None),
    "released": ("string", None, False, None, "low", None),
    "login": ("string", None, False, None, "high", None),
    "access": ("string", None, False, None, "high", None),
    "cluster.label": ("string", None, False, None, "high", None),
    "metadata.version": ("string", None, False, None, "high", None),
    "metadata.volume": ("string", None, False, None, "high", None),
    "release": ("string", None, False, None, "high", None),
    "scaledown.check": ("boolean", None, False, None, "medium", None),
    "kraft": ("string", None, False, None, "medium", None),
    "zookeeper.replicas": ("int", None, False, None, "medium", None),
    "paused": ("boolean", None, False, None, "medium", None),
    "registry.bootstrap.servers": ("string", None, False, None, "medium", None),
    "registry.topic": ("string", "_schemas", False, None, "high", None),
    "registry.replication.factor": ("int", "3", False, None, "high", None),
    "registry.group.id": ("string", "schema-registry", False, None, "high", None),
    "registry.compatibility": ("string", "backward", False, None, "medium", None),
    "registry.leader.eligibility": ("boolean", "true", False, None, "medium", None),
    "client.users": ("list", None, False, None, "medium", None),
    "cruise.control": ("string", None, False, None, "medium", None),
    "abort.on.send.failure": ("boolean", "true", False, None, "medium", None),
    "entity.operators": ("list", None, False, None, "medium", None),
}
"""What a container, an operator or a service runs Kafka with: facts that are no setting, under names of our own."""
NAMED = (
    "acl.",
    "quota.",
    "volume.",
    "claim.",
    "pool.",
    "listener.",
    "scram.",
    "fixed.",
    "unshared.",
    "hosts.of.id.",
    "lacks.",
    "unreachable.",
    "skips.",
)
"""What the facts begin with whose names go on with what they are of."""
FREE_TEXTS = ("jmx.options",)
"""Facts of a deployment which may hold any text."""
TOPIC_CREATION: dict[str, tuple[object, ...]] = {
    "replication.factor": ("int", None, False, None, "high", None),
    "partitions": ("int", None, False, None, "high", None),
}
"""What a topic is created with beside its settings, as tools that create topics spell it."""
CONNECTOR: dict[str, tuple[object, ...]] = dict.fromkeys(
    ("topic.prefix", "database.server.name", "database.hostname", "slot.name", "schema.history.internal.kafka.topic",
     "database.history.kafka.topic", "mode", "incrementing.column.name", "timestamp.column.name", "query", "plugin.name",
     "publication.name", "publication.autocreate.mode", "slot.drop.on.stop", "snapshot.mode", "table.include.list",
     "collection.include.list", "database.include.list", "schema.include.list", "decimal.handling.mode", "time.precision.mode",
     "binary.handling.mode", "tombstones.on.delete", "offsets", "event.processing.failure.handling.mode",
     "behavior.on.malformed.documents", "behavior.on.error", "database.dbname", "database.names", "database.port",
     "max.queue.size", "max.batch.size"),
    ("string", None, False, None, "high", None),
)  # fmt: skip
"""What connectors of Debezium and JDBC keep their positions under, what they read and how they write it. Source: their documentation."""
OVERRIDE_POLICY: dict[str, tuple[object, ...]] = {
    "connector.client.config.override.allowlist": ("list", "", False, None, "medium", None),
}
"""What AllowlistConnectorClientConfigOverridePolicy asks beside the worker's own keys. Source: KIP-1188."""
KAFKAS = {"authorizer": AUTHORIZER, "mirror": MIRROR, "override-policy": OVERRIDE_POLICY, "zookeeper": ZOOKEEPER}
COMPONENTS = {
    "topic-creation": TOPIC_CREATION,
    "authorizer": AUTHORIZER,
    "mirror": MIRROR,
    "override-policy": OVERRIDE_POLICY,
    "zookeeper": ZOOKEEPER,
    "deployment": DEPLOYMENT,
    "connector": CONNECTOR,
}
