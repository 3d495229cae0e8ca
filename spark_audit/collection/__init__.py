"""From an inventory to tables: who is asked, how, and what each cluster answered."""
