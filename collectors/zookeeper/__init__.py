"""What ZooKeeper holds of a Kafka cluster, and the ensemble itself."""
