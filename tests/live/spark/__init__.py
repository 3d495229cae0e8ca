"""Tests that need Spark: Java 17 and the extra `spark`."""
