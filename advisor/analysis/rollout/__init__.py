"""Whether a change of a cluster's configuration survives its own rollout, step by step."""
