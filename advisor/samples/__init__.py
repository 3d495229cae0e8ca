"""Clusters drawn as text, and rules' examples as entities that can be judged."""
