"""Results of an audit: findings, unknowns, clusters, waivers, totals."""
