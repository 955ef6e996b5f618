"""Policies against pinned sellers on the same seeds, and what may be said about the result."""
