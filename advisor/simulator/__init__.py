"""The replication simulator: one partition, up to five replicas, all failures of Kafka's protocol."""
