"""What tests stand on: running commands, judging texts, fleets, browsers, strategies."""
