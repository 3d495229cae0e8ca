"""Compose projects: the services that run Kafka, and what they take from each other and from their host."""
