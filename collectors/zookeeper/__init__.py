"""Read a Kafka cluster's data in ZooKeeper, and the state of the ensemble."""
