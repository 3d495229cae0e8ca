"""A cluster with the faults that a plan mends: few replicas, unclean election, one controller."""

BROKEN = """
kafka 4.3
brokers 1 2 3
broker * unclean.leader.election.enable=true
quorum leader=101 voters=101
features metadata.version=29/29 kraft.version=1/1
topic orders
0: leader 1 replicas 1 isr 1 sizes 1000000000
1: leader 2 replicas 2 isr 2 sizes 3000000000
topic payments unclean.leader.election.enable=true
0-2: leader 2 replicas 2,3 isr 2,3 sizes 5000000000,5000000000
topic __consumer_offsets
0-9: leader 3 replicas 3 isr 3 sizes 1000
topic __transaction_state
0-9: leader 1 replicas 1 isr 1 sizes 1000
"""
