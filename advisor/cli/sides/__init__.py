"""Read the former side of a change: a commit, the plan of a tool, or the files of another folder."""
