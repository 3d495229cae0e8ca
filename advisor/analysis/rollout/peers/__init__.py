"""What one node is to another while their files differ: where it reaches it, as which principal, and with which rights."""
