"""kafka-advisor: reads Kafka configuration, says what is risky, proves it and says what to change."""

__version__ = "1.0.0"
