"""What an audit gives: findings, unknowns, clusters, waivers, sums."""
