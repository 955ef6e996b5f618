"""The page /training/: how the shipped model was made, and what it can do."""
