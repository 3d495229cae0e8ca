"""Helpers for numpy and Arrow arrays that know nothing of Kafka."""
