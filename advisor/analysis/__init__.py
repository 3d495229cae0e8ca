"""What a user asks of configuration, one module a question: startup, effective values, comparison, simulation inputs."""
