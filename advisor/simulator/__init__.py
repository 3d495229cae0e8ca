"""The replication simulator: one partition, up to five replicas, every failure that Kafka's own protocol can meet."""
