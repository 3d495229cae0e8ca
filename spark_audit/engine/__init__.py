"""The fleet's rule engine: rules are evaluated over columns, for all subjects with one signature at once."""
