"""Containers that run Kafka: Compose, Kubernetes manifests, and what each image makes of its variables."""
