"""Storage of collected clusters: write and read their tables, encode and decode snapshots, clean damaged rows."""
