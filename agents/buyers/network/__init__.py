"""A buyer whose moves come from a small network that was trained by playing the population."""
