"""A run's diagnosis as a document."""
