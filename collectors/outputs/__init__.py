"""Outputs of Kafka's own tools: `reader` reads them as facts of one cluster, `snapshot` makes clusters of these."""
