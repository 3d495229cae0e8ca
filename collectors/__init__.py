"""Collectors read files, Kafka and ZooKeeper; they are the only code that does I/O, and judge nothing."""
