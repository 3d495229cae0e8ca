"""A running partition: what its present state survives, in closed form and by search."""
