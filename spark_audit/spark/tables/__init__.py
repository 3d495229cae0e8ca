"""Tables that Spark reads and writes: in files, in catalogs and in memory; `open_tables` opens what a location names."""
