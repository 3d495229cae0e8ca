"""Rules about running clusters, family by family."""
