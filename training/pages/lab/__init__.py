"""The trained lab on /market/: how it was made, what it reaches, and its files."""
