"""ZooKeeper's own file: ensemble, data directory, limits, access."""

from __future__ import annotations

from advisor.facts import is_temporary
from advisor.rule import Problem, Problems, Subject, Unknown, applies, fact, rule

FAMILY = "ecosystem"
SERVER = "server."


@fact
def participants(zookeeper: Subject) -> int:
    """How many voting servers the ensemble has; a file without server.N lines has one."""
    if zookeeper.is_set("dynamicConfigFile"):
        raise Unknown("the servers stand in the file that dynamicConfigFile names")
    names = [key for key in zookeeper.keys() if key.startswith(SERVER)]
    if any(not key[len(SERVER) :].isdigit() for key in names):
        raise Unknown("the server lines are filled in later")
    return len([key for key in names if ":observer" not in zookeeper.text(key).lower()])


@rule("KA1230", "high", dev="low", regulated="critical")
def zk_standalone(zookeeper: Subject) -> Problems:
    """ZooKeeper runs on a single server.

    Why: while it is down no Kafka leader is elected and no topic changes; with its disk the cluster's metadata is gone.
    Fix: run three or five servers and name them all in server.N lines.
    Care: a standalone server's data is not taken over by an ensemble that starts empty: two empty servers are a
        majority. Start the second and third with the first one's snapshot in dataDir, or add them with reconfig, and keep a
        copy.
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
        yield Problem("server.1", "no ensemble: one server", "3 or 5 servers")


@rule("KA1231", "low", dev="info")
def zk_even(zookeeper: Subject) -> Problems:
    """The ensemble has an even number of voters, which bears no more failures than one less.

    Why: a majority of four is three, so four bear one failure like three; two bear none.
    Fix: run three or five voters (more servers as observers).
    Care: change the server.N lines on every server and restart one at a time, the leader last; a server that is new
        starts only after the others know it.
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
        yield Problem("server.1", f"{voters} voters", f"{voters + 1}", step=1 if voters == 2 else 0)


@rule("KA1232", "high", dev="low", regulated="critical", each=("dataDir", "dataLogDir"))
def zk_datadir_tmp(zookeeper: Subject, key: str) -> Problems:
    """ZooKeeper's data lies under /tmp.

    Why: a reboot or a cleaning of temporary files takes the snapshots or the transaction log, and with them what Kafka
        knows of its topics.
    Fix: use a lasting directory such as /var/lib/zookeeper.
    Care: an empty dataDir makes an empty server, and a majority of those an empty cluster. One server at a time: stop
        it, copy the directory with myid, change the key, start it, and wait until it follows.
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
        yield Problem(key, "lost with a reboot or a cleaning", "/var/lib/zookeeper")


@rule("KA1233", "medium", dev="info")
def zk_autopurge_off(zookeeper: Subject) -> Problems:
    """Old snapshots and transaction logs are never deleted.

    Why: autopurge.purgeInterval is 0, never, unless it is set; the disk fills, and a ZooKeeper without disk space stops.
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
    """Many more old snapshots are kept than anyone will ever use.

    Why: every snapshot is kept with its transaction logs; a restore uses the newest that is whole.
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
        yield Problem("autopurge.snapRetainCount", f"{kept} snapshots are kept", "3 to 10")


@rule("KA1235", "low", dev="info")
def zk_shared_logdir(zookeeper: Subject) -> Problems:
    """The transaction log shares the snapshots' directory.

    Why: ZooKeeper syncs its log before it answers; snapshots on the same disk make every answer wait.
    Fix: set dataLogDir to a disk of its own.
    Care: move the log.* files from dataDir/version-2 to dataLogDir/version-2 while the server is stopped: without them
        it starts from its last snapshot alone. One server at a time.
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
        yield Problem("dataLogDir", "the log shares the snapshots' disk")


@rule("KA1236", "high", each=("initLimit", "syncLimit"), refuses=True)
def zk_limit_missing(zookeeper: Subject, key: str) -> Problems:
    """An ensemble's time limit is missing, and the server does not start.

    Why: followers have initLimit ticks to connect to the leader and syncLimit ticks to answer; neither has a default.
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
        yield Problem(key, "not set", "10" if key == "initLimit" else "5", refused=True)


@rule("KA1237", "low", dev="info")
def zk_sync_limit_short(zookeeper: Subject) -> Problems:
    """Followers are dropped after a very short silence.

    Why: a follower that does not answer within syncLimit ticks leaves the leader; pauses of a few seconds are common.
    Fix: tickTime=2000 and syncLimit=5.
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
        yield Problem("syncLimit", f"a follower is dropped after {allowed} ms", "5")


@rule("KA1238", "high", dev="medium", regulated="critical")
def zk_force_sync_off(zookeeper: Subject) -> Problems:
    """ZooKeeper answers before its log is on disk.

    Why: with forceSync=no a power loss takes answered changes with it; servers that come back disagree with what
        Kafka was told.
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
        yield Problem("forceSync", "a power loss takes answered changes", "yes")


@rule("KA1239", "high", dev="medium", regulated="critical")
def zk_skip_acl(zookeeper: Subject) -> Problems:
    """ZooKeeper does not check permissions.

    Why: with skipACL=yes whoever reaches the port changes Kafka's topics, ACLs and SCRAM credentials.
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
        yield Problem("skipACL", "anyone may change anything", "no")


@rule("KA1240", "low", dev="info", regulated="medium")
def zk_4lw_all(zookeeper: Subject) -> Problems:
    """Every four-letter command is allowed to anyone who reaches the port.

    Why: some of them list sessions, watches and the environment, and are expensive on a busy server.
    Fix: name what monitoring needs: 4lw.commands.whitelist=srvr,mntr,ruok.
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
        yield Problem("4lw.commands.whitelist", "all commands for everybody", "srvr,mntr,ruok")


@rule("KA1241", "low", dev="info")
def zk_connections_unlimited(zookeeper: Subject) -> Problems:
    """One address may open any number of connections.

    Why: a client that leaks connections takes all of ZooKeeper's, and the brokers' sessions with them.
    Fix: set maxClientCnxns (default 60) to a few times what one host needs.
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
        yield Problem("maxClientCnxns", "no limit per address", "60")


@rule("KA1242", "info", regulated="high")
def zk_plaintext(zookeeper: Subject) -> Problems:
    """ZooKeeper offers its clients no TLS.

    Why: what brokers write, SCRAM credentials among it, travels in clear and to whoever answers.
    Fix: set secureClientPort with a key store and drop clientPort.
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
    applies(zookeeper.is_set("clientPort"), "no port for clients in clear")
    if zookeeper.int("clientPort") and not zookeeper.is_set("secureClientPort"):
        yield Problem("clientPort", "only a port in clear")


@rule("KA1243", "info", regulated="medium")
def zk_admin_server(zookeeper: Subject) -> Problems:
    """ZooKeeper's HTTP admin server listens on all interfaces.

    Why: from 3.5 on it answers monitoring commands on port 8080 to everybody, without a login.
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
        yield Problem("admin.enableServer", "open to everybody", "false")
