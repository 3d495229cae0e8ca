"""One set of client settings for confluent-kafka and kafka-python."""
