"""Command lines and scripts: what they set, and what Kafka's tools create by them."""
