"""Sample clusters written as text, and rules' examples as entities to judge."""
