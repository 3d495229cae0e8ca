"""Whether Kafka starts with a file, release by release, and what it uses instead."""
