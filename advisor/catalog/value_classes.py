"""What the value of each text key is made of, by which outputs may show it or not.

Numbers and booleans need no row, passwords have a type of their own. `make catalog` fails for a text key without a row:
whoever adds a release of Kafka decides whether a secret could stand there.
"""

from __future__ import annotations

from advisor.catalog import ADDRESS, FREE_TEXT, HARMLESS, PASSWORD, PRINCIPAL, TYPED

ADDRESSES = """
    access.control.allow.origin admin.listeners admin.serverAddress advertised.host.name advertised.listeners
    application.server authorizer.zookeeper.url bootstrap.controllers bootstrap.servers clientPortAddress
    controller.quorum.bootstrap.servers controller.quorum.voters host.name listeners
    max.connections.per.ip.overrides metadata.broker.list rest.advertised.host.name rest.advertised.listener
    rest.host.name sasl.oauthbearer.expected.issuer sasl.oauthbearer.jwks.endpoint.url
    sasl.oauthbearer.token.endpoint.url secureClientPortAddress zookeeper.connect
"""
"""Hosts, addresses and URLs: all before an @ is user info and is cut."""
PRINCIPALS = """
    sasl.kerberos.principal sasl.kerberos.principal.to.local.rules sasl.username ssl.principal.mapping.rules
    super.users
"""
"""Principals and rules for them, in which an @ begins a realm."""
CHOICES = """
    4lw.commands.whitelist access.control.allow.methods acks allow.everyone.if.no.acl.found auto.offset.reset
    broker.address.family broker.version.fallback buffer.memory.allocation.strategy built.in.metrics.version
    builtin.features cleanup.policy client.dns.lookup compression.codec compression.type config.action.reload
    config.properties.blacklist config.properties.exclude connect.protocol
    connector.client.config.override.allowlist connector.plugin.version debug
    default.dsl.store default.interactive.query.isolation.level dsl.store.format early.start.listeners
    errors.tolerance exactly.once.source.support exactly.once.support follower.replication.throttled.replicas
    forceSync group.consumer.migration.policy group.coordinator.rebalance.protocols group.protocol
    group.protocol.type group.remote.assignor header.converter.plugin.version inter.broker.protocol.version
    inter.worker.key.generation.algorithm inter.worker.signature.algorithm inter.worker.verification.algorithms
    isolation.level key.converter.plugin.version leader.replication.throttled.replicas leaderServes
    listener.security.protocol.map log.cleanup.policy log.message.format.version log.message.timestamp.type
    message.format.version message.timestamp.type metadata.recovery.strategy metric.names.formats
    metrics.recording.level offset-syncs.topic.location offset.store.method partitioner
    password.encoder.cipher.algorithm password.encoder.keyfactory.algorithm peerType plugin.discovery process.roles
    processing.guarantee queuing.strategy rack.aware.assignment.strategy remote.log.metadata.manager.impl.prefix
    remote.log.storage.manager.impl.prefix replication.policy.separator request.required.acks
    requireClientAuthScheme sasl.enabled.mechanisms sasl.mechanism sasl.mechanism.controller.protocol
    sasl.mechanism.inter.broker.protocol sasl.mechanisms sasl.oauthbearer.assertion.algorithm
    sasl.oauthbearer.assertion.claim.aud sasl.oauthbearer.assertion.claim.iss sasl.oauthbearer.assertion.claim.sub
    sasl.oauthbearer.expected.audience sasl.oauthbearer.grant.type sasl.oauthbearer.metadata.authentication.type
    sasl.oauthbearer.method sasl.oauthbearer.scope security.inter.broker.protocol security.protocol
    share.acknowledgement.mode share.acquire.mode share.auto.offset.reset share.isolation.level skipACL
    ssl.ca.certificate.stores ssl.cipher.suites ssl.client.auth ssl.curves.list ssl.enabled.protocols
    ssl.endpoint.identification.algorithm ssl.keymanager.algorithm ssl.keystore.type ssl.protocol ssl.provider
    ssl.providers ssl.secure.random.implementation ssl.sigalgs.list ssl.trustmanager.algorithm ssl.truststore.type
    topology.optimization transaction.boundary upgrade.from use.incremental.alter.configs
    value.converter.plugin.version zookeeper.ssl.cipher.suites zookeeper.ssl.enabled.protocols
    zookeeper.ssl.endpoint.identification.algorithm zookeeper.ssl.keystore.type zookeeper.ssl.protocol
    zookeeper.ssl.truststore.type
"""
"""Values that name a protocol, a mechanism, an algorithm, a version, a policy or a mode."""
CLASS_NAMES = """
    alter.config.policy.class.name authorizer.class.name client.quota.callback.class config.property.filter.class
    connector.class connector.client.config.override.policy create.topic.policy.class.name default.client.supplier
    default.deserialization.exception.handler default.key.serde default.list.key.serde.inner
    default.list.key.serde.type default.list.value.serde.inner default.list.value.serde.type
    default.production.exception.handler default.timestamp.extractor default.value.serde
    default.windowed.key.serde.inner default.windowed.value.serde.inner deserialization.exception.handler
    dsl.store.suppliers.class forwarding.admin.class group.consumer.assignors group.filter.class
    group.share.assignors group.share.dlq.manager.class.name group.share.persister.class.name
    group.streams.assignors group.streams.topology.description.plugin.class header.converter interceptor.classes
    internal.key.converter internal.value.converter kafka.metrics.reporters key.converter key.deserializer
    key.serializer metric.reporters metricsProvider.className partition.assignment.strategy partition.grouper
    partitioner.class principal.builder.class processing.exception.handler processor.wrapper.class
    production.exception.handler remote.log.metadata.manager.class.name remote.log.metadata.manager.class.path
    remote.log.storage.manager.class.name remote.log.storage.manager.class.path replica.selector.class
    replication.policy.class rest.extension.classes rocksdb.config.setter sasl.client.callback.handler.class
    sasl.login.callback.handler.class sasl.login.class sasl.oauthbearer.jwt.retriever.class
    sasl.oauthbearer.jwt.validator.class sasl.server.callback.handler.class security.providers serverCnxnFactory
    ssl.engine.factory.class task.assignor.class topic.filter.class value.converter value.deserializer
    value.serializer windowed.inner.class.serde zookeeper.clientCnxnSocket
"""
"""Names of Java classes."""
NAMES = """
    application.id broker.rack client.id client.rack clusters config.providers config.storage.topic
    control.plane.listener.name controller.listener.names errors.dead.letter.queue.topic.name
    errors.deadletterqueue.topic.name errors.deadletterqueue.topic.name.prefix group.id group.instance.id
    group.streams.rack.aware.assignment.tags groups groups.blacklist groups.exclude inter.broker.listener.name name
    offset.storage.topic offsets.storage.topic predicates rack.aware.assignment.tags
    remote.log.metadata.manager.listener.name sasl.kerberos.service.name
    sasl.oauthbearer.client.credentials.client.id sasl.oauthbearer.client.id sasl.oauthbearer.scope.claim.name
    sasl.oauthbearer.sub.claim.name source.cluster.alias ssl.engine.id status.storage.topic streams.assignor.name
    streams.rack.aware.assignment.tags target.cluster.alias topic.blacklist topic.creation.groups topics
    topics.blacklist topics.exclude topics.regex transactional.id transforms
"""
"""Ids, racks, aliases and names: of topics, groups, listeners, connectors."""
PATHS = """
    cordoned.log.dirs dataDir dataLogDir dynamicConfigFile https.ca.location log.dir log.dirs metadata.log.dir
    offset.storage.file.filename offset.store.path plugin.library.paths plugin.path sasl.kerberos.keytab
    sasl.oauthbearer.assertion.file sasl.oauthbearer.assertion.jwt.template.file
    sasl.oauthbearer.assertion.private.key.file sasl.oauthbearer.assertion.template.file ssl.ca.location
    ssl.certificate.location ssl.crl.location ssl.engine.location ssl.key.location ssl.keystore.location
    ssl.truststore.location state.dir zookeeper.ssl.keystore.location zookeeper.ssl.truststore.location
"""
"""Paths of files and folders."""
PROSE = """
    SCRAM-SHA-256 SCRAM-SHA-512 background_event_cb closesocket_cb connect_cb consume_cb default_topic_conf dr_cb
    dr_msg_cb error_cb https.ca.pem interceptors log_cb match metrics metrics.jmx.exclude metrics.jmx.include
    msg_order_cmp oauthbearer_token_refresh_cb offset_commit_cb opaque open_cb partitioner_cb rebalance_cb
    resolve_cb response.http.headers.config sasl.kerberos.kinit.cmd sasl.oauthbearer.config
    sasl.oauthbearer.extensions socket_cb ssl.ca.pem ssl.certificate.pem ssl.certificate.verify_cb ssl_ca
    ssl_certificate ssl_engine_callback_data ssl_key stats_cb throttle_cb
"""
"""Free text: commands, extensions, PEM text, what a program passes. Not shown."""
VENDORS = {
    ADDRESS: "broker.list ldap.java.naming.provider.url ldap.server.url ldap.url schema.registry.url zk.connect",
    HARMLESS: """
        spring.json.trusted.packages topic.prefix database.server.name database.dbname database.names slot.name plugin.name
        publication.name publication.autocreate.mode snapshot.mode table.include.list table.exclude.list table.whitelist
        table.blacklist collection.include.list collection.exclude.list database.include.list database.exclude.list
        schema.include.list schema.exclude.list column.include.list column.exclude.list message.key.columns
        incrementing.column.name timestamp.column.name table.name.format pk.mode pk.fields insert.mode mode
        schema.history.internal.kafka.topic database.history.kafka.topic database.port max.queue.size max.batch.size
        poll.interval.ms
    """,
}
"""Keys of vendors and of old clients whose values rules judge."""
CLASS_OF_TYPE = {"password": PASSWORD, "string": None, "list": None, "class": None, "callback": None}
"""What the type alone says of a value: nothing for texts; numbers and booleans are typed."""
WRITTEN = {
    ADDRESS: ADDRESSES,
    PRINCIPAL: PRINCIPALS,
    HARMLESS: " ".join((CHOICES, CLASS_NAMES, NAMES, PATHS)),
    FREE_TEXT: PROSE,
}


def by_key(types: dict[str, set[str]]) -> dict[str, str]:
    """The class of every key's values; `types` are those that it has in any component of any release.

    Raises ValueError for a text key without a row, and for a row without a key.
    """
    written = {key: name for name, keys in WRITTEN.items() for key in keys.split()}
    classes = {key: _of_types(kinds) or written.get(key) for key, kinds in types.items()}
    missing = sorted(key for key, name in classes.items() if name is None)
    stale = sorted(written.keys() - types.keys())
    if missing or stale:
        raise ValueError(f"advisor/catalog/value_classes.py: no row for {missing}, no key for {stale}")
    return {key: name for key, name in classes.items() if name is not None} | {
        key: name for name, keys in VENDORS.items() for key in keys.split()
    }


def _of_types(kinds: set[str]) -> str | None:
    """Password if any release says so, None if any says text."""
    classes = {CLASS_OF_TYPE.get(kind, TYPED) for kind in kinds}
    return PASSWORD if PASSWORD in classes else None if None in classes else TYPED
