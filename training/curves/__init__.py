"""What runs have measured, step by step: read from their files and drawn."""
