"""Reports for programs: JSON, SARIF, JUnit, GitLab, GitHub, CSV, Prometheus, and a line for each finding."""
