"""The fleet on Spark: session, data source, collect, audit, drift. No other package imports pyspark."""
