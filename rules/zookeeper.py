"""ZooKeeper's own file: ensemble, data directory, limits, access."""

from __future__ import annotations

from advisor.facts import is_temporary
from advisor.rule import Problem, Problems, Subject, Unknown, applies, fact, rule
from rules import even

FAMILY = "ecosystem"
SERVER = "server."


@fact
def participants(zookeeper: Subject) -> int:
    """How many voting servers the ensemble has; a file without server.N lines has one."""
    if zookeeper.is_set("dynamicConfigFile"):
        raise Unknown("the servers are in the file that dynamicConfigFile names")
    names = [key for key in zookeeper.keys() if key.startswith(SERVER)]
    if any(not key[len(SERVER) :].isdigit() or not zookeeper.text(key) for key in names):
        raise Unknown("the server lines are filled in later")
    return len([key for key in names if ":observer" not in zookeeper.text(key).lower()])


@rule("KA1230", "high", dev="low", regulated="critical", aim="by hand: migration")
def zk_standalone(zookeeper: Subject) -> Problems:
    """ZooKeeper runs on a single server.

    Why: while it is down no Kafka leader is elected and no topic changes; with its disk the cluster's metadata is lost.
    Fix: run three or five servers and name them all in server.N lines.
    Care: two new servers with empty data are a majority, and the ensemble can start without Kafka's metadata. Start the
        second and third server with the first one's snapshot in dataDir, or add them with reconfig, and keep a copy.
    Bad:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        clientPort=2181
    Good:
        tickTime=2000
        initLimit=10
        syncLimit=5
        dataDir=/var/lib/zookeeper
        server.1=z1:2888:3888
        server.2=z2:2888:3888
        server.3=z3:2888:3888
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    if participants(zookeeper) < 2:
        yield Problem("server.1", "one server is the whole ensemble", "3 or 5 servers")


@rule("KA1231", "low", dev="info")
def zk_even(zookeeper: Subject) -> Problems:
    """The ensemble has an even number of voters, which survives no more failures than one voter fewer.

    Why: a majority of four is three, so four voters survive one failure, as three do; two survive none.
    Fix: run three or five voters, with further servers as observers.
    Care: servers with different server.N lines count different majorities: change the lines on every server, and
        restart one at a time, the leader last. Start a new server only after the others list it.
    Bad:
        tickTime=2000
        initLimit=10
        syncLimit=5
        dataDir=/var/lib/zookeeper
        server.1=z1:2888:3888
        server.2=z2:2888:3888
    Good:
        tickTime=2000
        initLimit=10
        syncLimit=5
        dataDir=/var/lib/zookeeper
        server.1=z1:2888:3888
        server.2=z2:2888:3888
        server.3=z3:2888:3888
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    voters = participants(zookeeper)
    if voters and voters % 2 == 0:
        yield Problem("server.1", even(voters, "voter"), f"{voters + 1}", step=1 if voters == 2 else 0)


@rule("KA1232", "high", dev="low", regulated="critical", each=("dataDir", "dataLogDir"), aim="by hand: address")
def zk_datadir_tmp(zookeeper: Subject, key: str) -> Problems:
    """ZooKeeper's data is in a folder for temporary files.

    Why: a reboot or a temporary-file cleaner deletes the snapshots or the transaction log, and with them Kafka's
        metadata.
    Fix: set dataDir and dataLogDir to a persistent directory such as /var/lib/zookeeper.
    Care: a server with an empty dataDir has no data, and a majority of such servers makes the cluster empty. One server
        at a time: stop it, copy the directory with myid, change the key, start it, and wait until it follows.
    Bad:
        tickTime=2000
        clientPort=2181
        dataDir=/tmp/zookeeper
    Good:
        tickTime=2000
        clientPort=2181
        dataDir=/var/lib/zookeeper
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    if is_temporary(zookeeper.str(key)):
        yield Problem(key, "a reboot or a temporary-file cleaner deletes ZooKeeper's data", "/var/lib/zookeeper")


@rule("KA1233", "medium", dev="info", aim="set autopurge.purgeInterval=24", fix="unsafe")
def zk_autopurge_off(zookeeper: Subject) -> Problems:
    """Old snapshots and transaction logs are never deleted.

    Why: autopurge.purgeInterval is 0 (never) by default; the disk fills, and a ZooKeeper server without disk space
        stops.
    Fix: set autopurge.purgeInterval=24 and autopurge.snapRetainCount=3 or a few more.
    Bad:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        clientPort=2181
    Good:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        clientPort=2181
        autopurge.purgeInterval=24
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    if zookeeper.int("autopurge.purgeInterval") <= 0:
        yield Problem("autopurge.purgeInterval", "snapshots and logs fill the disk", "24")


@rule("KA1234", "low", dev="info")
def zk_retain_excessive(zookeeper: Subject) -> Problems:
    """ZooKeeper keeps many more old snapshots than a restore will ever use.

    Why: every snapshot is kept with its transaction logs; a restore uses the newest intact one.
    Fix: set autopurge.snapRetainCount to 3 to 10.
    Bad:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        autopurge.purgeInterval=24
        autopurge.snapRetainCount=500
    Good:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        autopurge.purgeInterval=24
        autopurge.snapRetainCount=5
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    kept = zookeeper.int("autopurge.snapRetainCount")
    if kept > 30:
        yield Problem("autopurge.snapRetainCount", f"{kept} snapshots and their logs stay on disk", "3 to 10")


@rule("KA1235", "low", dev="info")
def zk_shared_logdir(zookeeper: Subject) -> Problems:
    """The transaction log shares the snapshots' directory.

    Why: ZooKeeper syncs its log before it acknowledges a change; snapshots on the same disk delay every
        acknowledgement.
    Fix: set dataLogDir to a disk of its own.
    Care: without its log.* files a server starts from its last snapshot alone: move them from dataDir/version-2 to
        dataLogDir/version-2 while it is stopped, one server at a time.
    Bad:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        clientPort=2181
    Good:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        dataLogDir=/var/log/zookeeper
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    log, data = zookeeper.str("dataLogDir").rstrip("/"), zookeeper.str("dataDir").rstrip("/")
    if log in ("", data):
        yield Problem("dataLogDir", "snapshots delay every acknowledgement")


@rule("KA1236", "high", each=("initLimit", "syncLimit"), refuses=True, aim="by hand: load")
def zk_limit_missing(zookeeper: Subject, key: str) -> Problems:
    """The ensemble's initLimit or syncLimit is not set, and the server does not start.

    Why: followers have initLimit ticks to connect to the leader and syncLimit ticks to respond; neither key has a
        default.
    Fix: set initLimit=10 and syncLimit=5.
    Bad:
        tickTime=2000
        syncLimit=5
        dataDir=/var/lib/zookeeper
        server.1=z1:2888:3888
        server.2=z2:2888:3888
        server.3=z3:2888:3888
    Good:
        tickTime=2000
        initLimit=10
        syncLimit=5
        dataDir=/var/lib/zookeeper
        server.1=z1:2888:3888
        server.2=z2:2888:3888
        server.3=z3:2888:3888
    See: org.apache.zookeeper.server.quorum.QuorumPeerConfig
    """
    applies(participants(zookeeper) > 1, "not an ensemble")
    if not zookeeper.is_set(key):
        yield Problem(
            key,
            "the server of an ensemble does not start without it",
            "10" if key == "initLimit" else "5",
            refused=True,
        )


@rule("KA1237", "low", dev="info")
def zk_sync_limit_short(zookeeper: Subject) -> Problems:
    """The leader drops followers that are silent for a very short time.

    Why: the leader drops a follower that does not respond within syncLimit ticks; pauses of a few seconds are common.
    Fix: set tickTime=2000 and syncLimit=5.
    Bad:
        tickTime=500
        initLimit=10
        syncLimit=2
        dataDir=/var/lib/zookeeper
    Good:
        tickTime=2000
        initLimit=10
        syncLimit=5
        dataDir=/var/lib/zookeeper
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    applies(zookeeper.is_set("syncLimit"), "not an ensemble")
    allowed = zookeeper.int("tickTime") * zookeeper.int("syncLimit")
    if allowed < 4000:
        yield Problem("syncLimit", f"the leader drops a follower after {allowed} ms of silence", "5")


@rule("KA1238", "high", dev="medium", regulated="critical", aim="remove forceSync")
def zk_force_sync_off(zookeeper: Subject) -> Problems:
    """ZooKeeper acknowledges changes before its log is on disk.

    Why: with forceSync=no a power failure loses acknowledged changes, and servers that restart disagree with what Kafka
        was told.
    Fix: remove forceSync=no.
    Bad:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        forceSync=no
    Good:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        forceSync=yes
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    if zookeeper.str("forceSync").lower() in ("no", "false"):
        yield Problem("forceSync", "a power failure loses acknowledged changes", "yes")


@rule("KA1239", "high", dev="medium", regulated="critical", aim="remove skipACL")
def zk_skip_acl(zookeeper: Subject) -> Problems:
    """ZooKeeper does not check ACLs.

    Why: with skipACL=yes any client that reaches the port can change Kafka's topics, ACLs and SCRAM credentials.
    Fix: remove skipACL=yes.
    Bad:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        skipACL=yes
    Good:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        skipACL=no
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    if zookeeper.str("skipACL").lower() == "yes":
        yield Problem("skipACL", "any client that reaches the port may change everything", "no")


@rule("KA1240", "low", dev="info", regulated="medium")
def zk_4lw_all(zookeeper: Subject) -> Problems:
    """Any client that reaches the port may run every four-letter command.

    Why: some commands list sessions, watches and the environment, and are expensive on a busy server.
    Fix: set 4lw.commands.whitelist=srvr,mntr,ruok, or to whatever monitoring needs.
    Bad:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        4lw.commands.whitelist=*
    Good:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        4lw.commands.whitelist=srvr,mntr,ruok
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    if "*" in zookeeper.list("4lw.commands.whitelist"):
        yield Problem(
            "4lw.commands.whitelist", "any client that reaches the port may run every command", "srvr,mntr,ruok"
        )


@rule("KA1241", "low", dev="info")
def zk_connections_unlimited(zookeeper: Subject) -> Problems:
    """A single client address may open any number of connections.

    Why: a client that leaks connections exhausts ZooKeeper's, and the brokers lose their sessions.
    Fix: set maxClientCnxns (default 60) to a few times the connections that one host needs.
    Bad:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        maxClientCnxns=0
    Good:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        maxClientCnxns=60
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    if zookeeper.int("maxClientCnxns") == 0:
        yield Problem("maxClientCnxns", "one client address may exhaust the connections", "60")


@rule("KA1242", "info", regulated="high")
def zk_plaintext(zookeeper: Subject) -> Problems:
    """ZooKeeper has no TLS port for its clients.

    Why: what brokers write, SCRAM credentials included, crosses the network in clear text, and to a server that nobody
        has verified.
    Fix: set secureClientPort with a key store, and remove clientPort.
    Bad:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        clientPort=2181
    Good:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        secureClientPort=2182
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    applies(zookeeper.is_set("clientPort"), "no client port without TLS")
    if zookeeper.int("clientPort") and not zookeeper.is_set("secureClientPort"):
        yield Problem("clientPort", "clients have only a port without TLS")


@rule("KA1243", "info", regulated="medium")
def zk_admin_server(zookeeper: Subject) -> Problems:
    """ZooKeeper's HTTP admin server listens on all interfaces.

    Why: from ZooKeeper 3.5 on it serves monitoring commands on port 8080 to every client, without a login.
    Fix: set admin.enableServer=false, or admin.serverAddress=127.0.0.1.
    Bad:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        admin.serverPort=9990
    Good:
        tickTime=2000
        dataDir=/var/lib/zookeeper
        admin.enableServer=false
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    if zookeeper.bool("admin.enableServer") and zookeeper.str("admin.serverAddress") == "0.0.0.0":
        yield Problem("admin.enableServer", "every client may query the admin server without a login", "false")
