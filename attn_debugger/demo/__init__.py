"""Small real training runs: two healthy ones, and one for each way attention commonly fails."""
