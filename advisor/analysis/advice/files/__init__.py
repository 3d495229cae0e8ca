"""A plan for files: a patch in each file's own spelling."""
