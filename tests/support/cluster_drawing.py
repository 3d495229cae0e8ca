"""A running cluster with something of everything, drawn as text."""

from __future__ import annotations

DRAWING = """
kafka 4.3
brokers 1/a 2/b !3
broker * log.retention.ms=-2 ssl.keystore.password=hidden
broker 2 unreadable not permitted
cluster-wide min.insync.replicas=1
topic orders retention.ms=1000
0-1: leader 1 replicas 1,2,3 isr 1,2 elr 3
2: leader none replicas 3 isr 3 elr ?
topic __consumer_offsets cleanup.policy=compact
0: leader 1 replicas 1 isr 1
topic hidden missing=not_permitted
group pay state=STABLE members=2 committed=orders/0:5 lag=3
group ship unread=no_answer
group idle state=EMPTY members=0
quorum leader=101 voters=101,102 observers=1 behind=102
features metadata.version=29/30
logdir 1 /data free=5 total=100
acl User:* topic * ALL
unread reassignments: no answer
"""
