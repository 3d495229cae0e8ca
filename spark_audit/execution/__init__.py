"""Judge parts of a fleet, in any process of any engine: topics and clusters in, rows of findings out."""
