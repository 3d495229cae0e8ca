"""Collect a snapshot of a running Kafka cluster."""
