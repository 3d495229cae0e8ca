"""Edit the files of a run: fixes, silences, and what an editor shows of both."""
