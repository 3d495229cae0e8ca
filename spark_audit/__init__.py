"""The fleet audit on Spark."""
