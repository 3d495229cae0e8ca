"""Report writers: one module per output format. They show what the engine found and decide nothing."""
