"""What an upgrade takes, what it changes by itself, and by which path: `planner` makes the plan of all that was read."""
