"""Fixes of files: which edits mend findings, judged again before one is kept."""
