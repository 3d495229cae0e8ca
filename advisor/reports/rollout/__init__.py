"""Reports of `rollout`."""
