"""A running Kafka cluster into a snapshot."""
