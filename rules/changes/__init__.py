"""Rules that judge a change: a subject beside its former self, and what only one side of the change has."""
