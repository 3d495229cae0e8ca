"""Container images of Kafka: whose they are, what they ship, and what each makes of its variables."""
