"""Tables of collected clusters: written, read, made of snapshots and made into snapshots, and cleaned."""
