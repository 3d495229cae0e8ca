"""Syntaxes: properties, YAML, JSON, TOML and HCL as text and trees, each key with its place; they know nothing of Kafka."""
