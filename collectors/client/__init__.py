"""Client settings for confluent-kafka and kafka-python."""
