"""Operators and charts: Strimzi, Confluent for Kubernetes, Helm values."""
