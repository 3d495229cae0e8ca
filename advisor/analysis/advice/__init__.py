"""What to change first: plans for running clusters (`cluster_plan`) and for files (`files.plan`), step by step."""
