"""What stops or is lost when something of a cluster fails (`cluster_impact`), and when its brokers restart in turn."""
