"""Changes that `make test-rollout` rolls out on real clusters, node by node."""

from __future__ import annotations

from tests.live.kafka.rollout_changes import (
    ALL,
    ANONYMOUS,
    AUTHORIZER,
    STEP,
    Scenario,
    added,
    directory,
    entry,
    login,
    mapped,
    metadata,
    metadata_moved,
    more,
    moved,
    moved_directory,
    one_listener,
    same,
    swapped,
    switched,
    two_listeners,
)
from tests.live.kafka.rollout_clusters import COMBINED, DYNAMIC, THREE, ZOOKEEPER
from tests.live.kafka.rollout_controllers import (
    as_bootstrap,
    combined_protocol,
    combined_renamed,
    controller_renamed,
    controllers_secured,
    every_voter_moved,
    last_server_moved,
    last_voter_moved,
    nobody_served,
    only_first_votes,
    servers_fewer,
    without_migration,
)
from tests.live.kafka.rollout_security import (
    authorized,
    by_protocol,
    known,
    logged_in,
    only_secured,
    plain,
    scram,
    second_certificate,
    tls,
)

AT_ONCE = (
    Scenario("listener added", two_listeners),
    Scenario("inter-broker listener switched at once", switched),
    Scenario("inter-broker listener switched as planned", switched, planned=True),
    Scenario("inter-broker listener to SASL as planned", lambda node: switched(node, "SASL_PLAINTEXT"), planned=True),
    Scenario(
        "inter-broker listener switched, both there",
        lambda node: {"inter.broker.listener.name": "INTERNAL"},
        before=two_listeners,
    ),
    Scenario(
        "protocol of the inter-broker listener",
        lambda node: {**mapped(INTERNAL="SASL_PLAINTEXT"), **login("SASL_PLAINTEXT", node)},
        before=switched,
    ),
    Scenario(
        "protocol of the inter-broker listener as planned",
        lambda node: {**mapped(INTERNAL="SASL_PLAINTEXT"), **login("SASL_PLAINTEXT", node)},
        before=switched,
        planned=True,
    ),
    Scenario("listener renamed on its port", one_listener("CLIENTS", 0)),
    Scenario("listener renamed on its port as planned", one_listener("CLIENTS", 0), planned=True),
    Scenario("ports moved", one_listener("PLAINTEXT", STEP)),
    Scenario("port listened on moved alone", lambda node: {"listeners": entry("PLAINTEXT", node, STEP)}),
    Scenario("port advertised moved alone", lambda node: {"advertised.listeners": entry("PLAINTEXT", node, STEP)}),
    Scenario("log directory added, not formatted", added, nodes=(1,)),
    Scenario("log directory added, formatted", added, formats=more, patient=True),
    Scenario("log directories in another order", swapped, before=added, formats=more),
    Scenario("log directory removed", lambda node: {"log.dirs": node.data}, before=added, formats=more, patient=True),
    Scenario("log directories moved, patient", moved, formats=lambda node: [directory(node, "moved")], patient=True),
    Scenario("authorizer without super users", same(authorizer_class_name=AUTHORIZER["authorizer.class.name"]), ALL),
    Scenario("authorizer with super users", lambda node: {**AUTHORIZER, **ANONYMOUS}, ALL),
    Scenario("authorizer on brokers alone", lambda node: AUTHORIZER),
    Scenario(
        "super users lost", lambda node: {"super.users": "User:b"}, ALL, before=lambda node: {**AUTHORIZER, **ANONYMOUS}
    ),
    Scenario("authorizer open to everyone", lambda node: {**AUTHORIZER, "allow.everyone.if.no.acl.found": "true"}, ALL),
    Scenario("io threads doubled", same(num_io_threads=4)),
    Scenario("message.max.bytes up", same(message_max_bytes=5_242_880)),
    Scenario(
        "retention and segments", same(log_retention_hours=336, log_segment_bytes=2_097_152, compression_type="zstd")
    ),
    Scenario("retention in another unit", same(log_retention_ms=604_800_000)),
    Scenario("a misspelt key", same(num_io_thread=4)),
    Scenario("an invalid value", same(num_io_threads=0), nodes=(1,)),
    Scenario("session timeout on brokers alone", same(broker_session_timeout_ms=30_000)),
    Scenario("session timeout on all", same(broker_session_timeout_ms=9_000), ALL),
    Scenario("heartbeat above the session", same(broker_heartbeat_interval_ms=8_000)),
    Scenario("racks", lambda node: {"broker.rack": f"r{node.id}"}),
    Scenario("node ids", lambda node: {"node.id": node.id + 10}, nodes=(1,)),
    Scenario("min.insync.replicas up, as 4.3 formats", same(min_insync_replicas=3), ALL, elr=None),
    Scenario("unclean election on brokers alone", same(unclean_leader_election_enable="true")),
    Scenario("voters to servers", as_bootstrap, ALL),
    Scenario("a voter's port", last_voter_moved, ALL, THREE),
    Scenario("controller listener renamed", controller_renamed, ALL, THREE),
    Scenario("controller listener renamed as planned", controller_renamed, ALL, THREE, planned=True),
    Scenario("session timeout on three controllers", same(broker_session_timeout_ms=9_000), ALL, THREE),
    Scenario(
        "combined to broker",
        lambda node: {"process.roles": "broker", "listeners": entry("PLAINTEXT", node)},
        (1,),
        COMBINED,
    ),
    Scenario("three voters to one", only_first_votes, kind=COMBINED),
    Scenario("combined, harmless", same(num_io_threads=4, log_retention_hours=336), kind=COMBINED),
    Scenario("ZooKeeper: inter-broker listener switched at once", switched, kind=ZOOKEEPER),
    Scenario("ZooKeeper: inter-broker listener switched as planned", switched, kind=ZOOKEEPER, planned=True),
    Scenario("ZooKeeper: harmless", same(num_io_threads=4, log_retention_hours=336), kind=ZOOKEEPER),
    Scenario("ZooKeeper: broker ids", lambda node: {"broker.id": node.id + 10}, (1,), ZOOKEEPER),
    Scenario("ZooKeeper: log directory added", added, kind=ZOOKEEPER),
    Scenario("ZooKeeper: one broker to KRaft without a migration", without_migration, (1,), ZOOKEEPER),
)
"""Most of them rolled out at once."""
PLANNED = (
    Scenario("inter-broker listener to SSL as planned", lambda node: switched(node, "SSL"), tls=True, planned=True),
    Scenario(
        "inter-broker listener to SASL_SSL as planned", lambda node: switched(node, "SASL_SSL"), tls=True, planned=True
    ),
    Scenario("everything to SASL_SSL as planned", only_secured, tls=True, planned=True),
    Scenario(
        "protocol between brokers as planned",
        by_protocol("SASL_PLAINTEXT"),
        before=by_protocol("PLAINTEXT"),
        planned=True,
    ),
    Scenario("mechanism between brokers at once", scram, before=lambda node: switched(node, "SASL_PLAINTEXT")),
    Scenario(
        "mechanism between brokers as planned",
        scram,
        before=lambda node: switched(node, "SASL_PLAINTEXT"),
        planned=True,
    ),
    Scenario(
        "login between brokers with an authorizer, at once",
        authorized("User:a"),
        ALL,
        before=lambda node: {**AUTHORIZER, **ANONYMOUS},
    ),
    Scenario(
        "login between brokers with an authorizer, as planned",
        authorized("User:ANONYMOUS", "User:a"),
        ALL,
        before=lambda node: {**AUTHORIZER, **ANONYMOUS},
        planned=True,
    ),
    Scenario(
        "heartbeat and session as planned",
        same(broker_heartbeat_interval_ms=3500, broker_session_timeout_ms=12_000),
        ALL,
        planned=True,
    ),
    Scenario("log directories moved as planned", moved, formats=moved_directory, planned=True),
    Scenario("log directory added as planned", added, formats=more, planned=True),
    Scenario("metadata log moved on brokers as planned", metadata_moved, formats=metadata, planned=True),
    Scenario(
        "controllers logged in to on another listener, as planned",
        controllers_secured("CTRL", STEP),
        ALL,
        THREE,
        planned=True,
    ),
    Scenario(
        "controllers logged in to on their listener, as planned",
        controllers_secured("CONTROLLER", 0),
        ALL,
        THREE,
        planned=True,
    ),
    Scenario("every voter's port as planned", every_voter_moved, ALL, THREE, planned=True),
    Scenario("voters to servers as planned", as_bootstrap, ALL, THREE, planned=True),
    Scenario("one voter to three as planned", as_bootstrap, ALL, joins=(102, 103), planned=True),
    Scenario("dynamic quorum: controller listener renamed as planned", controller_renamed, ALL, DYNAMIC, planned=True),
    Scenario("combined: inter-broker listener as planned", switched, kind=COMBINED, planned=True),
    Scenario("combined: controller listener renamed as planned", combined_renamed, kind=COMBINED, planned=True),
    Scenario("combined: log directories moved as planned", moved, kind=COMBINED, formats=moved_directory, planned=True),
    Scenario(
        "ZooKeeper: inter-broker listener to SASL as planned",
        lambda node: switched(node, "SASL_PLAINTEXT"),
        kind=ZOOKEEPER,
        planned=True,
    ),
    Scenario(
        "ZooKeeper: listener renamed on its port as planned", one_listener("CLIENTS", 0), kind=ZOOKEEPER, planned=True
    ),
)
"""Carried out pass by pass, with the diffs that the plan shows."""
OTHER_QUORUMS = (
    Scenario("combined: protocol of the controller listener", combined_protocol, kind=COMBINED),
    Scenario("combined: inter-broker listener switched at once", switched, kind=COMBINED),
    Scenario("combined: session timeout", same(broker_session_timeout_ms=9_000), kind=COMBINED),
    Scenario("combined: authorizer without super users", lambda node: AUTHORIZER, kind=COMBINED),
    Scenario("combined: authorizer with super users", lambda node: {**AUTHORIZER, **ANONYMOUS}, kind=COMBINED),
    Scenario("combined: min.insync.replicas up", same(min_insync_replicas=3), kind=COMBINED),
    Scenario("dynamic quorum: harmless", same(num_io_threads=4, log_retention_hours=336), ALL, DYNAMIC),
    Scenario("dynamic quorum: fewer servers", servers_fewer, ALL, DYNAMIC),
    Scenario("dynamic quorum: no server at its port", nobody_served, ALL, DYNAMIC),
    Scenario("dynamic quorum: a voter's port", last_server_moved, ALL, DYNAMIC),
    Scenario("dynamic quorum: controller listener renamed", controller_renamed, ALL, DYNAMIC),
    Scenario("dynamic quorum: inter-broker listener switched", switched, kind=DYNAMIC),
    Scenario("ZooKeeper: log directories moved, patient", moved, kind=ZOOKEEPER, patient=True),
    Scenario("ZooKeeper: min.insync.replicas up", same(min_insync_replicas=3), kind=ZOOKEEPER),
    Scenario("ZooKeeper: ports moved", one_listener("PLAINTEXT", STEP), kind=ZOOKEEPER),
    Scenario(
        "ZooKeeper: port advertised moved alone",
        lambda node: {"advertised.listeners": entry("PLAINTEXT", node, STEP)},
        kind=ZOOKEEPER,
    ),
    Scenario(
        "ZooKeeper: authorizer without super users",
        same(authorizer_class_name="kafka.security.authorizer.AclAuthorizer"),
        kind=ZOOKEEPER,
    ),
    Scenario("ZooKeeper: racks", lambda node: {"broker.rack": f"r{node.id}"}, kind=ZOOKEEPER),
    Scenario(
        "ZooKeeper: another chroot",
        lambda node: {"zookeeper.connect": f"{node.config['zookeeper.connect']}/other"},
        (1,),
        ZOOKEEPER,
    ),
)
"""Nodes of both roles, dynamic quorums, ZooKeeper."""
RUNNING = (
    Scenario("running: harmless", same(num_io_threads=4, log_retention_hours=336), running=True),
    Scenario("running: inter-broker listener switched at once", switched, running=True),
    Scenario(
        "running: a dynamic thread count",
        same(num_io_threads=8),
        running=True,
        dynamic={"num.io.threads": "3", "log.retention.ms": "1209600000"},
    ),
    Scenario("running: min.insync.replicas up, without ELR", same(min_insync_replicas=3), running=True, elr=False),
    Scenario(
        "running: log directory removed",
        lambda node: {"log.dirs": node.data},
        before=added,
        formats=more,
        patient=True,
        running=True,
    ),
    Scenario(
        "running: port advertised moved alone",
        lambda node: {"advertised.listeners": entry("PLAINTEXT", node, STEP)},
        running=True,
    ),
    Scenario(
        "running: ZooKeeper, harmless", same(num_io_threads=4, log_retention_hours=336), kind=ZOOKEEPER, running=True
    ),
    Scenario("running: dynamic quorum, listener added", two_listeners, kind=DYNAMIC, running=True),
)
"""Against the running cluster in place of its old files."""
FIRST, OTHER, SHORT, RULE = "User:CN=localhost", "User:CN=second", "User:localhost", "RULE:^CN=(.*)$/$1/"
PRINCIPALS = (
    Scenario("logins and super users exchanged", logged_in("c"), ALL, before=logged_in("a")),
    Scenario("logins and super users exchanged, as planned", logged_in("c"), ALL, before=logged_in("a"), planned=True),
    Scenario("another password between brokers at once", plain("a", "c"), before=plain("a")),
    Scenario("another password between brokers as planned", plain("a", "c"), before=plain("a"), planned=True),
    Scenario("another user between brokers as planned", plain("c"), before=plain("a"), planned=True),
    Scenario("another version of TLS at once", tls("TLSv1.3"), before=tls("TLSv1.2"), tls=True),
    Scenario("another version of TLS as planned", tls("TLSv1.3"), before=tls("TLSv1.2"), tls=True, planned=True),
    Scenario("certificates and super users exchanged", second_certificate(OTHER), ALL, before=known(FIRST), tls=True),
    Scenario(
        "certificates and super users exchanged, as planned",
        second_certificate(OTHER),
        ALL,
        before=known(FIRST),
        tls=True,
        planned=True,
    ),
    Scenario(
        "rules for names alone", known(FIRST, ssl_principal_mapping_rules=RULE), ALL, before=known(FIRST), tls=True
    ),
    Scenario(
        "rules for names with super users",
        known(SHORT, ssl_principal_mapping_rules=RULE),
        ALL,
        before=known(FIRST),
        tls=True,
    ),
    Scenario(
        "rules for names that change no name",
        known(FIRST, ssl_principal_mapping_rules="RULE:^OU=(.*)$/$1/,DEFAULT"),
        ALL,
        before=known(FIRST),
        tls=True,
    ),
)
"""Nodes that become other principals."""
SCENARIOS = (*AT_ONCE, *PLANNED, *OTHER_QUORUMS, *RUNNING, *PRINCIPALS)
