"""The replication protocol as a transition system: scenario, actions, properties, and models with more or fewer of them."""
