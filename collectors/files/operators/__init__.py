"""Operators: Strimzi, Confluent for Kubernetes, Koperator."""
